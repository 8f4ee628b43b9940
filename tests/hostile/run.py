"""Hostile input on every endpoint and format against a `serve` on disk, while another client goes on as if nothing were.

    run.py             all of it; what other clients felt is printed, and not judged: it depends on the machine
    run.py --latency   the same with more time for each kind
    run.py KIND...     only these kinds
"""
import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import bombs
import members
import slow
import tables
from polite import FIELDS, Polite, percentile, record
from raw import Bad, Closed, Wire, request
from references import references
from served.checks import Checks
from served.serve import Serve
from served.wire import Http, segment

MEMORY = 256
ALONE_SECONDS = 4
checks = Checks()


class Attack:
    """Sends bad inputs and looks at the answers. Only what is wrong is printed, and a count."""

    def __init__(self, address):
        self.address, self.lock = address, threading.Lock()
        self.tried, self.faults, self.wrong, self.accepted = 0, 0, [], set()

    def kind(self, what, bads, threads=4):
        """All of one kind, from several connections at a time."""
        bads = list(bads)
        left, before = iter(bads), (self.tried, len(self.wrong))
        workers = [threading.Thread(target=self._work, args=(left,)) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        checks.true(len(self.wrong) == before[1], "%s: %d inputs" % (what, self.tried - before[0]),
                    "; ".join(self.wrong[before[1]:][:5]))

    def _next(self, left):
        with self.lock:
            return next(left, None)

    def _work(self, left):
        wire = None
        while (bad := self._next(left)) is not None:
            wire = wire or Wire(self.address)
            try:
                closing = self.one(wire, bad)
            except (Closed, OSError) as error:
                closing = True
                if bad.wants != "any":
                    self.note(bad, "no answer: %r" % error)
            if closing:
                wire.close()
                wire = None

    def note(self, bad, what):
        with self.lock:
            self.wrong.append("%s: %s" % (bad.what, what))

    def one(self, wire, bad):
        """One input; true if the connection is of no more use."""
        with self.lock:
            self.tried += 1
        wire.send(bad.raw)
        if bad.wants == "any":
            wire.socket.shutdown(1)
        closing = bad.wants == "any"
        for _ in range(bad.answers):
            status, headers, body = wire.answer(head_only=bad.raw.startswith(b"HEAD"))
            self.judge(bad, status, headers, body)
            closing |= headers.get("connection") == "close"
        return closing or status == 413

    def judge(self, bad, status, headers, body):
        if status >= 500 and status != 505:
            with self.lock:
                self.faults += 1
        if bad.wants != "any" and bad.wrong(status) or status >= 500 and status != 505:
            self.note(bad, "%d %s" % (status, body[:300].decode("utf-8", "replace")))
        if status >= 400 and not bad.raw.startswith(b"HEAD"):
            try:
                said = json.loads(body)
                whole = isinstance(said["error_code"], int) and isinstance(said["message"], str)
            except (ValueError, KeyError, TypeError):
                whole = False
            if not whole:
                self.note(bad, "%d with the body %r" % (status, body[:200]))
            elif bad.says and bad.says not in said["message"]:
                self.note(bad, "%d does not name %s: %s" % (status, bad.says, said["message"][:300]))


def memory(server, what="VmHWM"):
    """Megabytes of the process: its peak, or now (`VmRSS`)."""
    status = Path("/proc/%d/status" % server.process.pid).read_text()
    return int(status.split(what + ":")[1].split()[0]) // 1024


def checks_that_take_long(http, attack, rounds):
    bads = []
    for number, (what, kind, old, new) in enumerate(bombs.pairs()):
        subject = "check-%d" % number
        answer = http.post("/subjects/%s/versions" % subject, {"schemaType": kind, "schema": old})
        checks.equal(answer.status, 200, "registered, to be checked against: %s" % what)
        for path in ("/compatibility/subjects/%s/versions?verbose=true" % subject, "/subjects/%s/versions?normalize=false" % subject):
            bads.append(Bad(what, request("POST", path, {"schemaType": kind, "schema": new}), {200, 409, 422}))
    attack.kind("checks that take long", bads * rounds, threads=8)


def large_answers(http, attack, rounds):
    """Schemas of 4 MB, read by many, and by some that do not take them in."""
    ids = []
    for number in range(12):
        text = '{"title":"%s"}' % (chr(97 + number) * 4_000_000)
        answer = http.post("/subjects/answer-%d/versions" % number, {"schemaType": "JSON", "schema": text})
        ids.append(answer.json.get("id"))
    checks.true(all(ids), "schemas of 4 MB registered")
    gzip = [("Accept-Encoding", "gzip")]
    reads = [Bad("a schema of 4 MB", request("GET", "/schemas/ids/%d" % one, headers=headers), {200, 429})
             for one in ids for headers in ([], gzip)]
    lists = [Bad("a list of 48 MB", request("GET", "/schemas?subjectPrefix=answer"), 422, "REGISTRAR_MAX_ANSWER_BYTES"),
             Bad("a list of 8 MB", request("GET", "/schemas?subjectPrefix=answer&limit=2"), {200, 429})]
    wires = slow.not_reading(attack.address, "/schemas/ids/%d" % ids[0], 20)
    attack.kind("large answers", (reads + lists * 3) * rounds, threads=8)
    for wire in wires:
        wire.close()
    large = [{"name": "A%d" % n, "subject": "answer-%d" % n, "version": 1} for n in range(12)]
    body = {"schemaType": "JSON", "schema": "{}", "references": large}
    attack.kind("references of 48 MB", [Bad("references of 48 MB", request("POST", "/subjects/refers/versions", body), 422,
                                           "REGISTRAR_MAX_REFERENCED_BYTES")] * 4)


def slow_clients(attack, seconds):
    wires = slow.open_many(attack.address, 300)
    attack.tried += len(wires)
    slow.drip(wires, seconds)
    said = [slow.ended(wire, 0.001) for wire in wires]
    checks.true(all(answer in ("open", "closed") or answer < 500 for answer in said), "300 slow clients")
    for wire in wires:
        wire.close()


def crowd(attack, rounds):
    """Many bodies of 10 MB at a time: more than there is memory for."""
    body = tables.padded(tables.LIMIT)
    bads = [Bad("a body of 10 MB among many", request("POST", "/subjects/large/versions", body), {200, 429})] * (20 * rounds)
    values = json.dumps({"schema": '"int"', "x": ["0"] * 110_000, "y": "a" * 9_000_000})
    bads += [Bad("a body of many values among many", request("POST", "/subjects/large/versions", values), {200, 429})] * (10 * rounds)
    attack.kind("many bodies of 10 MB", bads, threads=16)


def survey(http):
    """Nothing is there in part: each subject has versions, each version its schema, and each is found by its content."""
    partial, versions = [], 0
    for subject in http.get("/subjects?subjectPrefix=:*:&deleted=true").json:
        path = "/subjects/%s/versions" % segment(subject)
        numbers = http.get(path + "?deleted=true")
        if numbers.status != 200 or not numbers.json:
            partial.append("%s: %r" % (subject, numbers))
            continue
        for number in numbers.json:
            versions += 1
            one = http.get("%s/%d?deleted=true" % (path, number))
            by_id = one.status == 200 and http.get("/schemas/ids/%d?subject=%s" % (one.json["id"], segment(subject)))
            if not by_id or by_id.status != 200 or by_id.json["schema"] != one.json["schema"]:
                partial.append("%s, version %d: %r, %r" % (subject, number, one, by_id))
    checks.true(not partial, "nothing is there in part: %d versions looked at" % versions, "; ".join(partial[:5]))


def timeouts(work):
    """Time-outs and the number of connections, on a server that has little patience."""
    env = {"REGISTRAR_HEADER_SECONDS": "1", "REGISTRAR_BODY_SECONDS": "1", "REGISTRAR_WRITE_SECONDS": "1",
           "REGISTRAR_MAX_CONNECTIONS": "60"}
    with Serve("--listen", "127.0.0.1:0", "--in-memory", env=env) as server:
        address = host_and_port(server)
        http = Http(server.url)
        text = '{"title":"%s"}' % ("a" * 4_000_000)
        http.post("/subjects/s/versions", {"schemaType": "JSON", "schema": text})
        http.connection.close()
        wires = slow.open_many(address, 28)
        said = [slow.ended(wire, 10) for wire in wires]
        checks.true("open" not in said and said.count(408) >= 12, "slow clients are let go: %d with 408, %d closed"
                    % (said.count(408), said.count("closed")), repr(said))
        wires = slow.not_reading(address, "/schemas/ids/1", 60)
        began = time.monotonic()
        checks.equal(Http(server.url).get("/subjects").status, 200, "a client gets its turn when those that do not read have gone")
        checks.true(time.monotonic() - began < 20, "that took %.1f s" % (time.monotonic() - began))
        checks.equal(server.stop(), 0, "it ends with status 0")


def host_and_port(server):
    host, _, port = server.address.rpartition(":")
    return host, int(port)


def main():
    long = "--latency" in sys.argv[1:]
    rounds = 6 if long else 1
    only = [one for one in sys.argv[1:] if one != "--latency"]
    with tempfile.TemporaryDirectory() as work:
        log = open(os.path.join(work, "log"), "wb")
        with Serve("--listen", "127.0.0.1:0", "--data", os.path.join(work, "data"), log=log) as server:
            http = Http(server.url, timeout=120)
            http.post("/subjects/polite/versions", {"schema": record(FIELDS)})
            attack, polite = Attack(host_and_port(server)), Polite(host_and_port(server))
            time.sleep(1)
            polite.enter("alone")
            time.sleep(ALONE_SECONDS)
            kinds = [
                ("bodies of 10 MB", lambda: (attack.kind("large bodies", tables.large(), threads=2), crowd(attack, rounds))),
                ("100,000 deep", lambda: attack.kind("deep", list(tables.deep()) * rounds)),
                ("a million fields", lambda: attack.kind("full", list(tables.full()) * rounds)),
                ("bombs", lambda: attack.kind("bombs", list(tables.odd()) * rounds)),
                ("long checks", lambda: checks_that_take_long(Http(server.url), attack, rounds)),
                ("references", lambda: references(Http(server.url), attack, checks)),
                ("bad bodies", lambda: attack.kind("bad bodies, each call", members.bodies(), threads=2)),
                ("wrong types", lambda: attack.kind("wrong types, each member", members.wrong_types())),
                ("numbers", lambda: attack.kind("numbers out of range", members.numbers())),
                ("paths", lambda: attack.kind("paths and names", tables.paths())),
                ("framing", lambda: attack.kind("framing and headers", list(tables.framing()) * rounds)),
                ("slow clients", lambda: slow_clients(attack, 2 * rounds)),
                ("large answers", lambda: large_answers(Http(server.url), attack, rounds)),
            ]
            resident = {}
            for name, step in ((name, step) for name, step in kinds if not only or name in only):
                polite.enter(name)
                began = time.monotonic()
                checks.run(step)
                polite.enter("between")
                polite.collect()
                resident[name] = (memory(server), time.monotonic() - began)
                time.sleep(0.2)
            wrong = polite.finish()
            checks.true(not wrong, "the other client was answered well", "; ".join(wrong[:5]))
            http = Http(server.url)
            checks.equal(http.delete("/mode?recursive=true").status, 200, "the mode as it was")
            survey(http)
            checks.true(server.process.poll() is None, "the process is alive")
            peak = memory(server)
            checks.true(peak < MEMORY, "memory: at most %d MB" % peak)
            checks.equal(server.stop(), 0, "it ends with status 0")
        log.close()
        panics = [line for line in Path(log.name).read_text().splitlines() if "panic" in line or "failed" in line]
        checks.true(not panics, "no panic and no failure in the log", "; ".join(panics[:3]))
        timeouts(work)
    alone = percentile(polite.times["alone"], 0.99)
    print("%-20s %9s %9s %9s %9s %9s" % ("other clients", "requests", "50 %, ms", "99 %, ms", "times", "peak, MB"))
    worst = 0
    for name, times in polite.times.items():
        if name not in ("start", "between"):
            ratio = percentile(times, 0.99) / alone
            worst = max(worst, ratio)
            took = resident.get(name, (0, 0))
            print("%-20s %9d %9.2f %9.2f %9.1f %9d  %.1f s" % (name, len(times), percentile(times, 0.5), percentile(times, 0.99), ratio, *took))
    print("proof: %d bad inputs tried, %d server errors, peak memory %d MB, 99th percentile of other clients at most %.1f times normal"
          % (attack.tried, attack.faults, peak, worst))
    checks.finish("hostile")


if __name__ == "__main__":
    main()
