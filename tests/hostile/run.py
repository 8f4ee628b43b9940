"""Hostile input on every endpoint and format against a `serve` on disk, while another client goes on as if nothing were.

    run.py             all of it; what other clients felt is printed, and judged: `docs/HOSTILE.md`, "Others go on"
    run.py --latency   the same with more time for each kind, and with longer chains
    run.py KIND...     only these kinds
"""
import json
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import bombs
import felt
import members
import slow
import tables
from attack import Attack, Harmless
from chains import long_chains
from circles import circles
from limits import address, limits
from polite import Polite, requests, settle
from raw import Bad, request
from references import references
from served.checks import Checks
from served.serve import Serve
from served.wire import Http, segment

MEMORY = 256
checks = Checks()


def memory(server, what="VmHWM"):
    """Megabytes of the process: its peak, or now (`VmRSS`)."""
    status = Path("/proc/%d/status" % server.process.pid).read_text()
    return int(status.split(what + ":")[1].split()[0]) // 1024


def checks_that_take_long(http, attack):
    bads = []
    for number, (what, kind, old, new) in enumerate(bombs.pairs()):
        subject = "check-%d" % number
        answer = http.post("/subjects/%s/versions" % subject, {"schemaType": kind, "schema": old})
        checks.equal(answer.status, 200, "registered, to be checked against: %s" % what)
        for path in ("/compatibility/subjects/%s/versions?verbose=true" % subject, "/subjects/%s/versions?normalize=false" % subject):
            bads.append(Bad(what, request("POST", path, {"schemaType": kind, "schema": new}), {200, 409, 422}))
    attack.kind("checks that take long", bads, threads=8)


def large_answers(http, attack):
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
    attack.kind("large answers", reads + lists * 3, threads=8)
    for wire in wires:
        wire.close()
    large = [{"name": "A%d" % n, "subject": "answer-%d" % n, "version": 1} for n in range(12)]
    body = {"schemaType": "JSON", "schema": "{}", "references": large}
    attack.kind("references of 48 MB", [Bad("references of 48 MB", request("POST", "/subjects/refers/versions", body), 422,
                                           "REGISTRAR_MAX_REFERENCED_BYTES")] * 4)


def slow_clients(attack, polite, wanted):
    """Clients that send a byte now and then, until the other client has made so many requests."""
    wires = slow.open_many(attack.address, 300)
    attack.tried += len(wires)
    begun = polite.count.value
    slow.drip(wires, lambda: polite.since(begun) >= wanted)
    said = [slow.said(wire) for wire in wires]
    checks.true(all(status is None or status < 500 for status in said), "300 slow clients")
    for wire in wires:
        wire.close()


def crowd(attack):
    """Many bodies of 10 MB at a time: more than there is memory for."""
    body = tables.padded(tables.LIMIT)
    bads = [Bad("a body of 10 MB among many", request("POST", "/subjects/large/versions", body), {200, 429})] * 20
    values = json.dumps({"schema": '"int"', "x": ["0"] * 110_000, "y": "a" * 9_000_000})
    bads += [Bad("a body of many values among many", request("POST", "/subjects/large/versions", values), {200, 429})] * 10
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


def kinds(server, attack, polite, wanted):
    """What is tried, by name."""
    http = lambda: Http(server.url, timeout=120)
    return [
        ("bodies of 10 MB", lambda: (attack.kind("large bodies", tables.large(), threads=2), crowd(attack))),
        ("100,000 deep", lambda: attack.kind("deep", tables.deep())),
        ("a million fields", lambda: attack.kind("full", tables.full())),
        ("bombs", lambda: attack.kind("bombs", tables.odd())),
        ("long checks", lambda: checks_that_take_long(http(), attack)),
        ("bad bodies", lambda: attack.kind("bad bodies, each call", members.bodies(), threads=2)),
        ("wrong types", lambda: attack.kind("wrong types, each member", members.wrong_types())),
        ("numbers", lambda: attack.kind("numbers out of range", members.numbers())),
        ("paths", lambda: attack.kind("paths and names", tables.paths())),
        ("framing", lambda: attack.kind("framing and headers", tables.framing())),
        ("slow clients", lambda: slow_clients(attack, polite, wanted)),
        ("large answers", lambda: large_answers(http(), attack)),
        ("references", lambda: references(http(), attack, checks)),
        ("circles", lambda: circles(http(), attack, checks)),
    ]


# They take long enough by themselves.
ONCE = {"references"}


def normal(where, polite, wanted):
    """Other clients as ever: as many as attack otherwise, and none of them bad."""
    good = [(method, path, body) for method, path, body, _ in requests(0) if "/s-" not in path]
    with Harmless(where, good) as others:
        polite.wait(polite.enter(felt.NORMAL), wanted)
        polite.enter(felt.BETWEEN)
    checks.true(not others.wrong, "other good clients are answered well", "; ".join(others.wrong[:5]))


def attacked(server, where, only, long):
    """All kinds, and as much of normal life in between. (attack, what was felt, peak by kind)"""
    http, wanted = Http(server.url, timeout=120), felt.ENOUGH * (6 if long else 1)
    checks.equal(settle(http), 200, "the other client has what it asks for")
    attack, polite, resident = Attack(where, checks), Polite(where), {}
    polite.wait(polite.enter("start"), 50)
    polite.wait(polite.enter(felt.ALONE), felt.ENOUGH)
    for name, step in kinds(server, attack, polite, wanted):
        if only and name not in only:
            continue
        normal(where, polite, felt.SLICE)
        begun, began = polite.enter(name), time.monotonic()
        checks.run(step)
        while name not in ONCE and polite.since(begun) < wanted:
            checks.run(step)
        polite.enter(felt.BETWEEN)
        polite.collect()
        resident[name] = (memory(server), time.monotonic() - began)
    wrong = polite.finish()
    checks.true(not wrong, "the other client was answered well", "; ".join(wrong[:5]))
    http = Http(server.url)
    checks.equal(http.delete("/mode?recursive=true").status, 200, "the mode as it was")
    survey(http)
    return attack, polite.times, resident


def main():
    long = "--latency" in sys.argv[1:]
    only = [one for one in sys.argv[1:] if one != "--latency"]
    with tempfile.TemporaryDirectory() as work:
        log = open(os.path.join(work, "log"), "wb")
        with Serve("--listen", "127.0.0.1:0", "--data", os.path.join(work, "data"), log=log) as server:
            idle = memory(server, "VmRSS")
            attack, times, resident = attacked(server, address(server), only, long)
            checks.true(server.process.poll() is None, "the process is alive")
            peak = memory(server)
            checks.equal(server.stop(), 0, "it ends with status 0")
        log.close()
        panics = [line for line in Path(log.name).read_text().splitlines() if "panic" in line or "failed" in line]
        checks.true(not panics, "no panic and no failure in the log", "; ".join(panics[:3]))
    tried = attack.tried
    if not only:
        tried += limits(checks)
        chained, highest = long_chains(checks, memory, long)
        tried, peak = tried + chained, max(peak, highest)
    checks.true(peak < MEMORY, "memory: %d MB at the start, %d MB at the peak, at most %d MB" % (idle, peak, MEMORY))
    worst = felt.judge(checks, times, resident)
    print("proof: %d bad inputs tried, %d server errors, peak memory %d MB, 99th percentile of other clients at most %.1f times normal"
          % (tried, attack.faults, peak, worst))
    checks.finish("hostile")


if __name__ == "__main__":
    main()
