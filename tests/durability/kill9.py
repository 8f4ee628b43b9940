"""`kill -9` during a stream of registrations, ten times over one data directory.

Clients register new schemas, known ones and contended ones. The moment of each kill is drawn as a number of
acknowledgements, so that it falls into the stream on a machine of any speed. After each restart every id and version
ever acknowledged is there, no id means two contents, no content of a context has two ids, no subject holds a version
or a content twice, and the registry takes new schemas.
"""
import http.client
import json
import os
import random
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from served.checks import Checks
from served.wire import Http, segment
from served.serve import Serve

ROUNDS = 10
CLIENTS = 6
ACKS = (40, 160)


def record(name, fields):
    return json.dumps({"type": "record", "name": name, "fields": fields}, separators=(",", ":"))


def field(name):
    return {"name": name, "type": ["null", "string"], "default": None}


class Stream:
    """The clients of one round and what was acknowledged to them."""

    def __init__(self, url, seed, known):
        self.url, self.seed, self.known = url, seed, known
        self.acked, self.refused = [], []
        self.lock = threading.Lock()
        self.enough = threading.Event()
        self.target = random.Random(seed).randint(*ACKS)

    def next_registration(self, client, n, rng):
        """A subject and a schema: mostly new, sometimes one that others register at the same moment, or an old one."""
        draw = rng.random()
        if draw < 0.15 and self.known:
            return rng.choice(self.known)
        if draw < 0.35:
            return "busy", record("Busy", [field("f%d_%d" % (self.seed, n // 3))])
        if draw < 0.5:
            return "twin-%d" % client, record("Twin", [field("t%d_%d" % (self.seed, n // 3))])
        return "own-%d/%d" % (client, n % 5), record("Own", [field("o%d_%d_%d" % (self.seed, client, n))])

    def client(self, number):
        rng = random.Random(self.seed * 100 + number)
        http_client, n = Http(self.url, timeout=30), 0
        while True:
            subject, schema = self.next_registration(number, n, rng)
            n += 1
            try:
                answer = http_client.post("/subjects/%s/versions" % segment(subject), {"schema": schema})
            except (OSError, http.client.HTTPException):
                return
            with self.lock:
                if answer.status != 200:
                    self.refused.append((subject, schema, repr(answer)))
                    self.enough.set()
                    return
                body = answer.json
                self.acked.append((subject, schema, body["id"], body["version"]))
                if len(self.acked) >= self.target:
                    self.enough.set()

    def run_until_killed(self, server):
        threads = [threading.Thread(target=self.client, args=(i,)) for i in range(CLIENTS)]
        for thread in threads:
            thread.start()
        self.enough.wait(120)
        server.kill()
        for thread in threads:
            thread.join()


def survey(url):
    """Everything in the registry, as (subject, version, id, schema)."""
    http_client, rows = Http(url), []
    for subject in http_client.get("/subjects").json:
        for version in http_client.get("/subjects/%s/versions" % segment(subject)).json:
            body = http_client.get("/subjects/%s/versions/%d" % (segment(subject), version)).json
            rows.append((subject, body["version"], body["id"], body["schema"]))
    return rows


def repeated(pairs):
    """Firsts that come with more than one second."""
    seen = {}
    for first, second in pairs:
        seen.setdefault(first, set()).add(second)
    return {first: seconds for first, seconds in seen.items() if len(seconds) > 1}


def duplicates(items):
    seen, twice = set(), []
    for item in items:
        (twice.append if item in seen else seen.add)(item)
    return twice


def verify(checks, url, acked, label):
    rows = survey(url)
    there = set(rows)
    lost = [a for a in acked if (a[0], a[3], a[2], a[1]) not in there]
    checks.true(not lost, "%s: %d acknowledged registrations are there" % (label, len(acked)), "lost %r" % lost[:3])
    checks.equal(repeated((i, schema) for _, _, i, schema in rows), {}, "%s: no id means two contents" % label)
    checks.equal(repeated((schema, i) for _, _, i, schema in rows), {}, "%s: no content has two ids" % label)
    checks.equal(duplicates((s, v) for s, v, _, _ in rows), [], "%s: no version twice" % label)
    checks.equal(duplicates((s, i) for s, _, i, _ in rows), [], "%s: no content twice in a subject" % label)
    http_client = Http(url)
    by_id = {i: http_client.get("/schemas/ids/%d" % i).json.get("schema") for _, _, i, _ in rows}
    checks.equal([r for r in rows if by_id[r[2]] != r[3]], [], "%s: every id gives its schema" % label)


def main():
    checks, acked = Checks(), []
    with tempfile.TemporaryDirectory() as work:
        data = os.path.join(work, "data")
        with Serve("--listen", "127.0.0.1:0", "--data", data) as server:
            Http(server.url).put("/config", {"compatibility": "NONE"})
            for round_number in range(1, ROUNDS + 1):
                known = sorted({(subject, schema) for subject, schema, _, _ in acked})
                stream = Stream(server.url, round_number, known)
                stream.run_until_killed(server)
                checks.equal(stream.refused, [], "round %d: nothing refused" % round_number)
                acked.extend(stream.acked)
                server.process.stdout.close()
                server = Serve("--listen", server.address, "--data", data)
                label = "round %d, killed after %d acknowledgements, back in %.0f ms" % (
                    round_number, len(stream.acked), server.ready_ms)
                verify(checks, server.url, acked, label)
            level = Http(server.url).get("/config").json
            checks.equal(level.get("compatibilityLevel"), "NONE", "the config set before the first kill is there")
            last = Http(server.url).post("/subjects/after/versions", {"schema": record("After", [field("x")])})
            checks.true(last.status == 200 and last.json["id"] not in {a[2] for a in acked},
                        "a new schema gets an id that nobody had", repr(last))
            checks.equal(server.stop(), 0, "clean stop at the end")
    checks.finish("kill -9")


if __name__ == "__main__":
    main()
