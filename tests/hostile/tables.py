"""Bad requests in tables: bodies, schemas, paths, headers, framing."""
import base64
import gzip
import json

import bombs
from raw import Bad, chunked, request

LIMIT = 10 * 1024 * 1024
READERS = ["/subjects/%s/versions", "/subjects/%s", "/compatibility/subjects/%s/versions"]


def schema_body(schema_type, text, **more):
    return {"schemaType": schema_type, "schema": text, **more}


def padded(size):
    """A good registration, blank up to a size."""
    body = json.dumps({"schema": '"int"'}).encode()
    return body + b" " * (size - len(body))


def large():
    path = "/subjects/large/versions"
    limit = "REGISTRAR_MAX_BODY_BYTES"
    chunks = [("Transfer-Encoding", "chunked")]
    yield Bad("a body at the limit", request("POST", path, padded(LIMIT)), 200)
    yield Bad("a body one byte over the limit", request("POST", path, padded(LIMIT + 1)), 413, limit)
    yield Bad("a body at the limit, in chunks", request("POST", path, chunked(padded(LIMIT)), chunks), 200)
    yield Bad("a body over the limit, in chunks", request("POST", path, chunked(padded(LIMIT + 1)), chunks), 413, limit)
    yield Bad("a body of 10 MB of one text", request("POST", path, '{"x":"' + "a" * (LIMIT - 8) + '"}'), "ok")
    yield Bad("a schema of 9.9 MB", request("POST", path, schema_body("JSON", '{"title":"%s"}' % ("a" * 9_900_000))), 422, "REGISTRAR_MAX_SCHEMA_BYTES")
    noise = base64.b64encode(bytes((n * n * 31 + n // 7) % 256 for n in range(3_300_000))).decode()
    yield Bad("a schema of 4.4 MB", request("POST", path, schema_body("JSON", '{"title":"%s"}' % noise)), "ok")
    yield Bad("metadata of 9 MB", request("POST", path, {"schema": '"int"', "metadata": {"properties": {"k": "v" * 9_000_000}}}), "ok")
    yield Bad("metadata of 9 MB of noise", request("PUT", "/config/large", {"defaultMetadata": {"properties": {"k": noise * 2}}}), 422)
    yield Bad("a length of 9 * 10^18", request("POST", path, b"{}", [("Content-Length", "9" * 19)]), "any")
    yield Bad("a length of 11 MB announced", request("POST", path, b"{}", [("Content-Length", "11000000")]), 413, limit)
    for size in (20_000_000, 200_000_000):
        packed = gzip.compress(b" " * size)
        yield Bad("gzip of %d bytes" % size, request("POST", path, packed, [("Content-Encoding", "gzip")]), {400, 415})
    for where in ("/config", "/mode", "/config/large", "/mode/large"):
        yield Bad("PUT %s of 10 MB" % where, request("PUT", where, padded(LIMIT + 1)), 413, limit)


def deep():
    for what, kind, text in bombs.deep(100_000):
        for path in READERS:
            yield Bad("%s: 100,000 deep, %s" % (path, what), request("POST", path % "deep", schema_body(kind, text)), 422, "REGISTRAR_MAX_NESTING")
    for what, kind, text in bombs.deep(999):
        yield Bad("999 deep, %s" % what, request("POST", "/subjects/deep/versions", schema_body(kind, text)), "ok")
    nest = "[" * 2000 + "]" * 2000
    for member in ('"metadata":{"properties":{"k":%s}}', '"ruleSet":{"domainRules":[{"params":{"k":%s}}]}', '"references":%s'):
        body = '{"schema":"int",%s}' % (member % nest)
        yield Bad("2,000 deep in %s" % member[:20], request("POST", "/subjects/deep/versions", body), 400, "REGISTRAR_MAX_NESTING")


def full():
    for what, kind, text in bombs.full(1_000_000):
        body = request("POST", "/subjects/full/versions", schema_body(kind, text))
        yield Bad("a million: %s" % what, body, {413, 422}, "REGISTRAR_MAX_")
    for what, kind, text in bombs.full(60_000):
        for path in READERS:
            yield Bad("%s: 60,000 %s" % (path, what), request("POST", path % ("full-" + what.replace(" ", "-")), schema_body(kind, text)), "ok")


def odd():
    for what, kind, text in bombs.odd():
        for path in READERS:
            yield Bad("%s: %s" % (path, what), request("POST", path % "odd", schema_body(kind, text)), "ok")
    rules = lambda rule: {"schema": '"int"', "ruleSet": {"domainRules": rule}}
    expression = "(a*)*" * 20000
    for what, rule in [
        ("regular expressions", [{"name": "r", "kind": "CONDITION", "type": "CEL", "mode": "WRITE", "expr": expression}]),
        ("100,000 rules", [{"name": "r%d" % n, "type": "CEL", "mode": "WRITE"} for n in range(100_000)]),
        ("a name of 1 MB", [{"name": "r" * 1_000_000, "type": "CEL", "mode": "WRITE"}]),
        ("a name with NUL", [{"name": "r\x00", "type": "CEL", "mode": "WRITE"}]),
        ("100,000 tags", [{"name": "r", "type": "CEL", "mode": "WRITE", "tags": ["t%d" % n for n in range(100_000)]}]),
    ]:
        yield Bad("rules: %s" % what, request("POST", "/subjects/rules/versions", rules(rule)), "ok")


def paths():
    keys = ["S#x", "V#1", "H", "E#.#1", "%23", "a%23V%231", "R%231%23.%231", ".", "..", "...", "%2e", "%2e%2e", "%2E%2E%2F", "a%2Fb",
            "a%2F..%2Fb", "a;b=c", ":", ":.", ":.:", ":..:x", ":.a:b:c", ":.__GLOBAL:", ":*:", ":.:.:", "%3A.%23%3Ax", "__GLOBAL", "__EMPTY",
            "%00", "%ff", "%c0%af", "%ed%a0%80", "%", "%2", "%zz", "a%0d%0ab", "%F0%9F%98%80", "x" * 961, "x" * 60000, "%20", "+", "*"]
    for key in keys:
        for method, path, body in [
            ("GET", "/subjects/%s/versions", None), ("POST", "/subjects/%s", {"schema": '"int"'}), ("GET", "/config/%s", None), ("PUT", "/config/%s", {"compatibility": "x"}),
            ("GET", "/mode/%s", None), ("DELETE", "/subjects/%s?permanent=true", None), ("GET", "/contexts/%s", None), ("GET", "/contexts/%s/subjects", None),
            ("GET", "/schemas/guids/%s", None), ("GET", "/associations/subjects/%s", None), ("DELETE", "/associations/resources/%s", None),
            ("GET", "/subjects?subjectPrefix=%s", None), ("GET", "/schemas/ids/1?subject=%s", None),
            ("POST", "/compatibility/subjects/%s/versions/latest", {"schema": '"int"'}),
        ]:
            yield Bad("%s %s" % (method, path % key[:30]), request(method, path % key, body), "ok")
    for path in ["//", "//subjects", "/subjects//versions", "/./subjects", "/../subjects", "/subjects/../config", "/%2e%2e/etc/passwd", "/subjects;a=b", "/subjects#x",
                 "http://other/subjects", "http://", "*", "", "subjects", "/" + "a/" * 20000, "/contexts/a/contexts/b/subjects", "/subjects?" + "a=b&" * 8000,
                 "/subjects?" + "&" * 60000, "/subjects?%ff=1", "/subjects?subjectPrefix=%ff", "/subjects?deleted=%00", "/subjects?subjectPrefix=" + "a" * 60000]:
        yield Bad("GET %s" % path[:40], request("GET", path), "any")
    for method in ["CONNECT", "TRACE", "PATCH", "OPTIONS", "HEAD", "PROPFIND", "X" * 50, "G\x00T", "get", ""]:
        yield Bad("method %r" % method, request(method, "/subjects"), "any")


def framing():
    """What is no request, two in one, or ends early."""
    body = b'{"schema":"\\"int\\""}'
    post = lambda headers, data, **kw: request("POST", "/subjects/framing", data, headers, **kw)
    plain = request("GET", "/subjects")
    rows = [
        ("two lengths", post([("Content-Length", "5"), ("Content-Length", "6")], body)),
        ("a length and chunks", post([("Content-Length", "5"), ("Transfer-Encoding", "chunked")], chunked(body))),
        ("chunks, obscured", post([("Transfer-Encoding", "xchunked")], chunked(body))),
        ("chunks, twice", post([("Transfer-Encoding", "chunked, chunked")], chunked(body))),
        ("chunks that are not last", post([("Transfer-Encoding", "chunked, gzip")], chunked(body))),
        ("a chunk of 2^64", post([("Transfer-Encoding", "chunked")], b"FFFFFFFFFFFFFFFFF\r\nx")),
        ("a chunk of no size", post([("Transfer-Encoding", "chunked")], b"zz\r\nx\r\n0\r\n\r\n")),
        ("a chunk extension of 100 KB", post([("Transfer-Encoding", "chunked")], b"5;" + b"a" * 100_000 + b"\r\nhello\r\n0\r\n\r\n")),
        ("10,000 trailers", post([("Transfer-Encoding", "chunked")], b"0\r\n" + b"a: b\r\n" * 10_000 + b"\r\n")),
        ("a negative length", post([("Content-Length", "-1")], body)),
        ("a length with a sign", post([("Content-Length", "+5")], body)),
        ("a length of letters", post([("Content-Length", "five")], body)),
        ("1,000 headers", request("GET", "/subjects", headers=[("X-%d" % n, "1") for n in range(1000)])),
        ("a header of 1 MB", request("GET", "/subjects", headers=[("X", "a" * 1_000_000)])),
        ("a name of 100 KB", request("GET", "/subjects", headers=[("X" * 100_000, "a")])),
        ("a header with NUL", request("GET", "/subjects", headers=[("X", "a\x00b")])),
        ("a header without a colon", b"GET /subjects HTTP/1.1\r\nHost: x\r\nnothing\r\n\r\n"),
        ("a header that goes on", b"GET /subjects HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n"),
        ("a space before the colon", b"POST /subjects/x HTTP/1.1\r\nHost: x\r\nContent-Length : 2\r\n\r\n{}"),
        ("no host", b"GET /subjects HTTP/1.1\r\n\r\n"),
        ("only line feeds", b"GET /subjects HTTP/1.1\nHost: x\n\n"),
        ("HTTP/0.9", b"GET /subjects\r\n\r\n"),
        ("HTTP/1.0", request("GET", "/subjects", version="HTTP/1.0")),
        ("HTTP/2.0", request("GET", "/subjects", version="HTTP/2.0")),
        ("HTTP/9.9", request("GET", "/subjects", version="HTTP/9.9")),
        ("the preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        ("TLS", bytes.fromhex("16030100a5010000a10303") + bytes(160)),
        ("a URL of 70 KB", request("GET", "/subjects?" + "a" * 70_000)),
        ("NUL bytes", bytes(1000)),
        ("noise", bytes((n * n * 31 + n // 7) % 256 for n in range(20_000))),
        ("Expect", post([("Expect", "100-continue")], body)),
        ("Upgrade", request("GET", "/subjects", headers=[("Connection", "Upgrade"), ("Upgrade", "h2c"), ("HTTP2-Settings", "AAMAAABkAARAAAAAAAIAAAAA")])),
        ("Accept of 60 KB", request("GET", "/subjects", headers=[("Accept", "a/b;q=0.1," * 6000)])),
        ("Accept-Encoding of 60 KB", request("GET", "/subjects", headers=[("Accept-Encoding", "gzip;q=0," * 6000)])),
        ("a request id of 60 KB", request("GET", "/subjects", headers=[("X-Request-ID", "a" * 60_000)])),
        ("a wrong content type", post([("Content-Type", "application/octet-stream")], body)),
        ("a content type of noise", post([("Content-Type", ";;;=\xff,")], body)),
    ]
    for what, raw in rows:
        yield Bad(what, raw, "any")
    yield Bad("1,000 requests in one", plain * 1000, 200, answers=1000)
