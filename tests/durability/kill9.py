"""`kill -9` of a server that eight clients write to, fifty times over one data folder.

Each client has subjects of its own (registrations new, known and brought back, with references, imports; soft and
permanent deletes of versions and subjects; configurations), so that what must be there is known up to its one request
without an answer (`owned.py`). Beside that, all register into the same subjects, and the same contents at once. The
moment of each kill is drawn as a number of acknowledgements, so that it falls into the stream on a machine of any speed.

After each restart what was written in the round is compared, every few rounds the whole registry: every acknowledged
write is there, no id or version is there twice, and no id ever means two contents.
"""
import http.client
import os
import random
import statistics
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from owned import Owned, fits, record
from served.checks import Checks
from served.serve import Serve
from served.wire import Http, segment

ROUNDS = 50
CLIENTS = 8
ACKS = (5, 120)
SURVEY_EVERY = 10
PAGE = 1000
FIRST_IMPORT = 1_000_000
SHARED = ("busy", "busy/2")


class Client:
    """One writer: its subjects, and its request without an answer."""

    def __init__(self, number):
        self.number, self.n = number, 0
        self.dice = random.Random(number)
        self.owned = [Owned("own-%d/%d" % (number, i), "own") for i in range(3)]
        self.owned += [Owned(":.ctx%d:own" % (number % 3), "own") for _ in range(number < 3)]
        self.owned += [Owned("ref-%d" % number, "ref"), Owned("imp-%d" % number, "imp", iter(self.import_ids()))]
        self.touched, self.pending = [], None

    def import_ids(self):
        """Downward, below the first import, which the counter has passed: no registration ever gets one of them."""
        return range(FIRST_IMPORT - 1 - self.number, 0, -CLIENTS)

    def contended(self, seed):
        """A schema that others register at this moment, into one subject or into subjects of their own."""
        text = record("Busy", "b_%d_%d" % (seed, self.n // 3))
        return self.dice.choice((*SHARED, "twin-%d" % self.number)), text


class Round:
    """All clients write until enough is acknowledged, then the server is killed."""

    def __init__(self, server, clients, seed):
        self.server, self.clients, self.seed = server, clients, seed
        self.target = random.Random(seed).randint(*ACKS)
        self.lock, self.enough = threading.Lock(), threading.Event()
        self.acks, self.shared, self.wrong = 0, [], []

    def run(self):
        threads = [threading.Thread(target=self.write, args=(client,)) for client in self.clients]
        for thread in threads:
            thread.start()
        self.enough.wait(120)
        self.server.kill()
        for thread in threads:
            thread.join()
        self.server.process.stdout.close()

    def write(self, client):
        wire = Http(self.server.url, timeout=30)
        client.touched, client.pending = [], None
        while True:
            try:
                self.write_once(client, wire)
            except (OSError, http.client.HTTPException):
                return

    def write_once(self, client, wire):
        client.n += 1
        if client.dice.random() < 0.3:
            subject, text = client.contended(self.seed)
            answer = wire.post("/subjects/%s/versions" % segment(subject), {"schema": text})
            if self.counted(answer, "register in " + subject):
                self.shared.append((subject, answer.json["version"], answer.json["id"], text))
            return
        owned = client.dice.choice(client.owned)
        step = owned.step(client.dice)
        client.touched.append(owned)
        client.pending = (owned, step)
        answer = wire.send(step.method, step.path, step.body)
        client.pending = None
        if self.counted(answer, "%s %s" % (step.method, step.path)):
            state = step.answered(answer.json)
            if state is None:
                self.wrong.append("%s %s in state %r: %r" % (step.method, step.path, owned.state, answer))
            else:
                owned.state = state

    def counted(self, answer, what):
        with self.lock:
            if answer.status == 200:
                self.acks += 1
            else:
                self.wrong.append("%s: %r" % (what, answer))
            if self.acks >= self.target or self.wrong:
                self.enough.set()
        return answer.status == 200


class Survey:
    """What was ever acknowledged, and what the registry shows."""

    def __init__(self, clients):
        self.clients, self.shared, self.contents, self.lost = clients, set(), {}, []
        self.unanswered, self.done = 0, 0

    def meaning(self, subject, schema_id, text):
        """Remembers what an id means in its context; it may never mean anything else."""
        if self.contents.setdefault((context(subject), schema_id), text) != text:
            self.lost.append("id %d means two contents" % schema_id)

    def own(self, wire, owned, pending=None):
        """Compares one subject with what its client knows; with a request pending, either state is right."""
        seen = owned.observed(wire)
        states = [owned.state] + ([pending.state] if pending else [])
        self.unanswered += bool(pending)
        self.done += bool(pending) and not fits(owned.state, seen)
        if not any(fits(state, seen) for state in states):
            self.lost.append("%s shows %r, not %s" % (owned.name, seen, " or ".join(map(repr, states))))
        owned.state = seen
        for schema_id, text, _ in seen[0].values():
            self.meaning(owned.name, schema_id, text)

    def after(self, wire, round_):
        """The writes of one round."""
        for client in self.clients:
            pending = {client.pending[0]: client.pending[1]} if client.pending else {}
            for owned in set(client.touched):
                self.own(wire, owned, pending.get(owned))
        for subject, version, schema_id, text in round_.shared:
            row = wire.get("/subjects/%s/versions/%d" % (segment(subject), version)).json
            if (row.get("id"), row.get("schema")) != (schema_id, text):
                self.lost.append("%s %d: %r" % (subject, version, row))
            self.meaning(subject, schema_id, text)
            self.shared.add((subject, version, schema_id, text))

    def whole(self, wire):
        """Everything that is there."""
        for client in self.clients:
            for owned in client.owned:
                self.own(wire, owned)
        rows = everything(wire)
        self.lost += ["acknowledged, but gone: %r" % (row,) for row in self.shared - set(rows)]
        self.lost += ["version twice: %s %d" % pair for pair in repeated((row[0], row[1]) for row in rows)]
        shared = [row for row in rows if row[0].startswith(("busy", "twin"))]
        self.lost += ["content twice: %s %s" % pair for pair in repeated((row[0], row[3]) for row in shared)]
        ids = {}
        for subject, _, schema_id, text in rows:
            self.meaning(subject, schema_id, text)
            if ids.setdefault((context(subject), text), schema_id) != schema_id:
                self.lost.append("two ids for one content: %s" % text)
        referring = {i for c in self.clients for o in c.owned if o.kind == "ref" for i, _, live in o.state[0].values() if live}
        if set(wire.get("/subjects/base/versions/1/referencedby").json) != referring:
            self.lost.append("referencedby is not the %d ids of live referrers" % len(referring))
        return len(rows)


def context(subject):
    return subject.split(":")[1] if subject.startswith(":") else ""


def everything(wire):
    """All versions, soft-deleted ones as well."""
    rows, page = [], None
    while page is None or len(page) == PAGE:
        path = "/schemas?subjectPrefix=:*:&deleted=true&offset=%d&limit=%d" % (len(rows), PAGE)
        page = wire.get(path).json
        rows += [(row["subject"], row["version"], row["id"], row["schema"]) for row in page]
    return rows


def repeated(items):
    seen, twice = set(), set()
    for item in items:
        (twice if item in seen else seen).add(item)
    return twice


def prepare(wire, checks):
    """What the load stands on, acknowledged before the first kill."""
    texts = {"schema": record("Base", "b").replace('"Base"', '"Base","namespace":"test"')}
    done = [wire.put("/config", {"compatibility": "NONE"}), wire.post("/subjects/base/versions", texts)]
    done += [wire.put("/mode/imp-%s" % name, {"mode": "IMPORT"}) for name in ["first", *range(CLIENTS)]]
    done.append(wire.post("/subjects/imp-first/versions",
                          {"schema": record("First", "x"), "version": 1, "id": FIRST_IMPORT}))
    checks.equal([answer.status for answer in done], [200] * len(done), "config, base schema and modes are set")


def main():
    checks, clients = Checks(), [Client(number) for number in range(CLIENTS)]
    survey, acks, ready = Survey(clients), 0, []
    with tempfile.TemporaryDirectory() as work:
        data = os.path.join(work, "data")
        server = Serve("--listen", "127.0.0.1:0", "--data", data)
        prepare(Http(server.url), checks)
        for number in range(1, ROUNDS + 1):
            round_ = Round(server, clients, number)
            round_.run()
            acks += round_.acks
            server = Serve("--listen", server.address, "--data", data)
            ready.append(server.ready_ms)
            wire = Http(server.url)
            survey.after(wire, round_)
            wrong = round_.wrong + survey.lost
            checks.true(not wrong, "death %d after %d acknowledgements, back in %.0f ms"
                        % (number, round_.acks, server.ready_ms), "; ".join(wrong[:3]))
            if number % SURVEY_EVERY == 0:
                rows = survey.whole(wire)
                checks.true(not survey.lost, "survey of %d versions" % rows, "; ".join(survey.lost[:3]))
            if wrong or survey.lost:
                break
        with server:
            checks.equal(wire.get("/config").json.get("compatibilityLevel"), "NONE", "the first config is still there")
            last = wire.post("/subjects/after/versions", {"schema": record("After", "x")})
            checks.true(last.status == 200 and ("", last.json["id"]) not in survey.contents,
                        "a new schema gets an id that nobody had", repr(last))
            checks.equal(server.stop(), 0, "clean stop at the end")
        size = sum(path.stat().st_size for path in Path(data).iterdir()) / 1e6
        with Serve("--listen", "127.0.0.1:0", "--data", data) as server:
            last_open = server.ready_ms
            server.stop()
    print("%d requests were without an answer; %d of them had taken effect" % (survey.unanswered, survey.done))
    print("the data folder after all rounds: %.1f MB, open in %.0f ms" % (size, last_open))
    print("open after a death: %.0f ms at the median, %.0f ms at most" % (statistics.median(ready), max(ready)))
    print("proof: %d deaths survived, %d acknowledged writes, %d lost" % (len(ready), acks, len(survey.lost)))
    checks.finish("kill -9")


if __name__ == "__main__":
    main()
