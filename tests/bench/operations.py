"""What the size bench asks of a registry: one request each, over and over, and what they cost."""
import random
import re
import statistics
import time
from urllib.parse import quote

from load import VERSIONS, name, schema

CALL = re.compile(rb"call operation=\"\w+\.\w+\" began=(\d+) took=(\d+)")


def rounds(lines):
    """The length of the longest chain of calls of which each began after another had ended; and how many there were."""
    calls = sorted((int(began), int(began) + int(took)) for began, took in lines)
    ended = []
    for began, end in calls:
        ended.append((end, 1 + max((depth for at, depth in ended if at <= began), default=0)))
    return max((depth for _, depth in ended), default=0), len(calls)


class Trace:
    """The log of a server that runs with RUST_LOG=registrar_embedded=trace."""

    def __init__(self, path):
        self.file = open(path, "rb")
        self.file.seek(0, 2)

    def take(self):
        """Round trips and calls since the last time."""
        plain = re.sub(rb"\x1b\[[0-9;]*m", b"", self.file.read())
        return rounds(CALL.findall(plain))


def reads(subjects, ids):
    """Requests of subjects and ids that are there, by name: a function from a die to method, path, body."""
    def some(dice):
        return name(dice.randrange(subjects))

    def text(dice, version):
        subject = some(dice)
        return subject, {"schema": schema(subject, version)}

    def on(template):
        return lambda dice: ("GET", template % some(dice), None)

    def known(path):
        def request(dice):
            subject, body = text(dice, dice.randint(1, VERSIONS))
            return "POST", path % subject, body
        return request

    def check(dice):
        subject, body = text(dice, VERSIONS + 1)
        return "POST", "/compatibility/subjects/%s/versions/latest" % subject, body

    def by_id(path):
        return lambda dice: ("GET", path % dice.choice(ids), None)

    return {
        "schema by id": by_id("/schemas/ids/%d"),
        "subjects of an id": by_id("/schemas/ids/%d/subjects"),
        "versions of an id": by_id("/schemas/ids/%d/versions"),
        "latest version": on("/subjects/%s/versions/latest"),
        "version 1": on("/subjects/%s/versions/1"),
        "list versions": on("/subjects/%s/versions"),
        "lookup": known("/subjects/%s"),
        "register, already there": known("/subjects/%s/versions"),
        "compatibility check": check,
        "config of a subject": on("/config/%s?defaultToGlobal=true"),
        "list subjects of a prefix (10)": lambda dice: (
            "GET", "/subjects?subjectPrefix=" + quote(some(dice)[:-1]), None),
    }


def writes(subject):
    """Requests in the order in which they are made, on a subject of their own that is gone afterwards."""
    path = "/subjects/%s" % subject
    return {
        "register, first version": ("POST", path + "/versions", {"schema": schema(subject, 1)}),
        "register, second version": ("POST", path + "/versions", {"schema": schema(subject, 2)}),
        "set the config of a subject": ("PUT", "/config/" + subject, {"compatibility": "FULL"}),
        "soft-delete a version": ("DELETE", path + "/versions/1", None),
        "delete a version for good": ("DELETE", path + "/versions/1?permanent=true", None),
        "soft-delete a subject": ("DELETE", path, None),
        "delete a subject for good": ("DELETE", path + "?permanent=true", None),
    }


def whole(subjects):
    """What is allowed to grow with the registry, or writes many items."""
    return {
        "list all subjects": ("GET", "/subjects", None),
        "set the global config": ("PUT", "/config", {"compatibility": "BACKWARD"}),
    }


def some_ids(client, subjects, many=200):
    """Ids of versions that are there."""
    dice = random.Random(many)
    paths = ["/subjects/%s/versions/latest" % name(dice.randrange(subjects)) for _ in range(many)]
    return [client.get(path).json["id"] for path in paths]


def requests(subjects, ids, rounds_of, seed):
    """Pairs of a name and a request, each name `rounds_of` times."""
    dice = random.Random(seed)
    for turn in range(rounds_of):
        for what, request in reads(subjects, ids).items():
            yield what, request(dice)
        yield from writes("bench-%d-%d-%d" % (subjects, seed, turn)).items()
    for _ in range(max(5, rounds_of // 20)):
        yield from whole(subjects).items()


def measure(client, subjects, rounds_of, seed, trace=None):
    """By name: the times in milliseconds, or with a trace the round trips and calls."""
    found = {}
    for what, (method, path, body) in requests(subjects, some_ids(client, subjects), rounds_of, seed):
        if trace:
            trace.take()
        began = time.perf_counter()
        answer = client.send(method, path, body)
        took = (time.perf_counter() - began) * 1000
        if answer.status != 200:
            raise RuntimeError("%s: %s %s: %r" % (what, method, path, answer))
        found.setdefault(what, []).append(trace.take() if trace else took)
    return found


def least(traced):
    """Round trips, and calls at most. Calls made side by side overlap on most runs, and those in a row on none, so the
    shortest chain is the true one."""
    return min(depth for depth, _ in traced), max(calls for _, calls in traced)


def middle(times):
    return statistics.median(times)


def late(times):
    """The 95th percentile."""
    return sorted(times)[int(len(times) * 0.95)]
