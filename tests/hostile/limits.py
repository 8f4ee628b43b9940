"""Each limit of `docs/HOSTILE.md`, once beyond it: the refusal has its status, its code, and the name of the setting."""
import json
import select

import bombs
import slow
from raw import Wire, chunked, request
from served.serve import Serve
from served.wire import Http

# Low, so that little is beyond them.
LOW = {
    "REGISTRAR_MAX_BODY_BYTES": "200000", "REGISTRAR_MAX_NESTING": "20", "REGISTRAR_MAX_VALUES": "500",
    "REGISTRAR_MAX_SCHEMA_BYTES": "50000", "REGISTRAR_MAX_REFERENCES": "3", "REGISTRAR_MAX_REFERENCE_CLOSURE": "3",
    "REGISTRAR_MAX_REFERENCED_BYTES": "60000", "REGISTRAR_MAX_CHECK_STEPS": "200", "REGISTRAR_MAX_ANSWER_BYTES": "60000",
    "REGISTRAR_MAX_HEADER_BYTES": "131072", "REGISTRAR_MAX_BYTES_IN_FLIGHT": "100000",
}
IMPATIENT = {"REGISTRAR_HEADER_SECONDS": "1", "REGISTRAR_BODY_SECONDS": "1", "REGISTRAR_WRITE_SECONDS": "1",
             "REGISTRAR_MAX_CONNECTIONS": "60"}
# A fixed bound of the HTTP library.
URL = 65_534
HEADERS = 100


def address(server):
    host, _, port = server.address.rpartition(":")
    return host, int(port)


def titled(size, letter="a"):
    return {"schemaType": "JSON", "schema": json.dumps({"title": letter * size})}


def objects(count, letter):
    return {"schemaType": "JSON", "schema": json.dumps({"properties": {"%s%d" % (letter, n): {} for n in range(count)}})}


def prepared(http):
    """What some of the limits need to be there."""
    for n in range(5):
        http.post("/subjects/large-%d/versions" % n, titled(40_000, chr(97 + n)))
        to = [{"name": "c", "subject": "chain-%d" % (n - 1), "version": 1}] * (n > 0)
        http.post("/subjects/chain-%d/versions" % n, {"schemaType": "JSON", "schema": '{"title":"%d"}' % n, "references": to})
    http.post("/subjects/check/versions", objects(100, "a"))


def beyond():
    """(setting, status, code, request)"""
    path = "/subjects/x/versions"
    post = lambda body, **more: request("POST", path, body, **more)
    avro = lambda text, **more: post({"schema": text, **more})
    large = [{"name": "r%d" % n, "subject": "large-%d" % n, "version": 1} for n in range(2)]
    return [
        ("REGISTRAR_MAX_BODY_BYTES", 413, 413, post(b" " * 200_001)),
        ("REGISTRAR_MAX_BODY_BYTES", 413, 413, post(chunked(b" " * 200_001), headers=[("Transfer-Encoding", "chunked")])),
        ("REGISTRAR_MAX_NESTING", 400, 400, post('{"schema":' + "[" * 30 + "]" * 30 + "}")),
        ("REGISTRAR_MAX_NESTING", 422, 42201, avro('{"type":"array","items":' * 30 + '"int"' + "}" * 30)),
        ("REGISTRAR_MAX_VALUES", 413, 413, post({"schema": '"int"', "x": [0] * 501})),
        ("REGISTRAR_MAX_VALUES", 422, 42209, avro(json.dumps({"type": "enum", "name": "E", "symbols": ["s%d" % n for n in range(501)]}))),
        ("REGISTRAR_MAX_SCHEMA_BYTES", 422, 42209, post(titled(50_000))),
        ("REGISTRAR_MAX_REFERENCES", 422, 42201, avro('"int"', references=[{"name": "r%d" % n, "subject": "check", "version": 1} for n in range(4)])),
        ("REGISTRAR_MAX_REFERENCE_CLOSURE", 422, 42201, post({"schemaType": "JSON", "schema": "{}", "references": [
            {"name": "c", "subject": "chain-3", "version": 1}]})),
        ("REGISTRAR_MAX_REFERENCED_BYTES", 422, 42209, post({"schemaType": "JSON", "schema": "{}", "references": large})),
        ("REGISTRAR_MAX_CHECK_STEPS", 422, 42209, request("POST", "/compatibility/subjects/check/versions", objects(200, "b"))),
        ("REGISTRAR_MAX_CHECK_STEPS", 422, 42209, request("POST", "/subjects/check/versions", objects(200, "b"))),
        ("REGISTRAR_MAX_ANSWER_BYTES", 422, 42209, request("GET", "/schemas?subjectPrefix=large")),
        ("REGISTRAR_MAX_HEADER_BYTES", 431, 431, request("GET", "/subjects", headers=[("X", "a" * 140_000)])),
        ("%d headers" % HEADERS, 431, 431, request("GET", "/subjects", headers=[("X-%d" % n, "1") for n in range(HEADERS)])),
        ("%d bytes" % URL, 414, 414, request("GET", "/subjects?" + "a" * URL)),
    ]


def said(wire):
    """Status, code and message of an answer."""
    status, _, body = wire.answer()
    made = json.loads(body)
    return (status, made["error_code"], made["message"]) if status >= 400 else (status, 0, str(made)[:300])


def named(checks, setting, want, got):
    checks.true(got[:2] == want and setting in got[2], "beyond %s: %d, %d" % (setting, *want), repr(got)[:300])


def in_flight(checks, where):
    """Two bodies at a time: there is room for one of them, whichever comes first."""
    first = Wire(where)
    first.send(request("POST", "/subjects/x/versions", b" " * 89_999, [("Content-Length", "90000")]))
    whole, got = request("POST", "/subjects/x/versions", b" " * 90_000), (0, 0, "")
    # Nobody tells when the first is held; until then the second is an ordinary bad body. If it is the first that is refused,
    # that is said only when a client has had time to send the rest.
    for _ in range(50_000):
        second = Wire(where)
        second.send(whole)
        got = said(second)
        second.close()
        refused, _, _ = select.select([first.socket], [], [], 0)
        if refused:
            got = said(first)
        if refused or got[0] == 429:
            break
    named(checks, "REGISTRAR_MAX_BYTES_IN_FLIGHT", (429, 429), got)
    first.close()


def low(checks):
    with Serve("--listen", "127.0.0.1:0", "--in-memory", env=LOW) as server:
        http = Http(server.url)
        prepared(http)
        rows = beyond()
        for setting, status, code, raw in rows:
            wire = Wire(address(server))
            wire.send(raw)
            named(checks, setting, (status, code), said(wire))
            wire.close()
        in_flight(checks, address(server))
        checks.equal(http.get("/subjects/x/versions").status, 404, "nothing of it was registered")
        checks.equal(server.stop(), 0, "it ends with status 0")
    return len(rows) + 1


def pairs(checks, http, where):
    """What a comparison remembers, which is no setting."""
    _, kind, old, new = bombs.pairs()[0]
    http.post("/subjects/pairs/versions", {"schemaType": kind, "schema": old})
    for path in ("/compatibility/subjects/pairs/versions", "/subjects/pairs/versions"):
        wire = Wire(where)
        wire.send(request("POST", path, {"schemaType": kind, "schema": new}))
        named(checks, "400000 pairs", (422, 42209), said(wire))
        wire.close()


def impatient(checks):
    """Time-outs and the number of connections, on a server that has little patience."""
    with Serve("--listen", "127.0.0.1:0", "--in-memory", env=IMPATIENT) as server:
        where, http = address(server), Http(server.url)
        http.post("/subjects/s/versions", {"schemaType": "JSON", "schema": json.dumps({"title": "a" * 4_000_000})})
        pairs(checks, http, where)
        http.connection.close()
        wires = slow.open_many(where, 28)
        ends = [slow.ended(wire) for wire in wires]
        named(checks, "REGISTRAR_BODY_SECONDS", (408, 408), next((end for end in ends if end != "closed"), ends[0]))
        checks.true(sum(end != "closed" for end in ends) >= 12 and all(end == "closed" or end[0] == 408 for end in ends),
                    "slow clients are let go: %d in all" % len(ends), repr(ends)[:300])
        wires += slow.not_reading(where, "/schemas/ids/1", 60)
        checks.equal(Http(server.url).get("/subjects").status, 200, "a client gets its turn when those that do not read have gone")
        for wire in wires:
            wire.close()
        checks.equal(server.stop(), 0, "it ends with status 0")
    return len(wires) + 2


def limits(checks):
    """How many inputs it were."""
    return low(checks) + impatient(checks)
