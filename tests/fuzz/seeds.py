"""Writes the inputs that fuzzing starts from: `seeds.py FOLDER` makes a folder for each target below FOLDER.

Own ones come from the data of the tests of registrar-formats. With `--vectors`, those of the shared vectors instead, which
are never committed.
"""
import base64
import hashlib
import json
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "shared" / "formats" / "tests" / "data"
SHARED = Path(os.environ.get("REGISTRAR_SHARED", ROOT.parent / "shared"))
SEPARATOR = b"\x1e"
MAX_BYTES = 16384


def rows(name):
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        columns = []
        for column in line.split("\t")[1:]:
            columns.append(columns[-1] if column == "=" and columns else column.replace("¶", "\n"))
        yield columns


def vectors(name):
    path = SHARED / "vectors" / name
    if not path.exists():
        print("left out: there is no %s" % path)
        return
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def joined(*texts):
    return SEPARATOR.join(text.encode("utf-8", "replace") for text in texts)


def listed(column):
    """References, `NAME@VERSION TEXT` or `NAME TEXT` or a text of Avro, whose name does not matter."""
    for one in column.split(" ;; ") if column else []:
        name, _, text = one.partition(" ")
        yield "a " + one if one[0] in "[{\"" else name.partition("@")[0] + " " + text


def in_draft(draft, text):
    """The schema with the `$schema` of a draft, as the tests write it."""
    if draft == "-" or not text.startswith("{"):
        return text
    newer = {"2019": "/2019-09", "2020": "/2020-12"}
    uri = "http://json-schema.org/draft%s/schema%s" % (newer.get(draft, "-0" + draft), "" if draft in newer else "#")
    return '{"$schema":"%s"%s%s' % (uri, "" if text == "{}" else ",", text[1:])


def own_json():
    for name, column in (("json_texts", 0), ("json_text", 1), ("json_tags", 0)):
        for row in rows(name + ".tsv"):
            yield "json_text", joined(row[column])
    for row in rows("json_tag_edits.tsv"):
        yield "json_text", joined(row[0], *(edit.split(" ")[1] + " {}" for edit in row[1:-1]))
    for row in rows("json_validity.tsv"):
        for draft in row[0].split(","):
            yield "json_text", joined(in_draft(draft, row[1].lstrip("~")))
    for row in rows("json_references.tsv"):
        named = [one.replace(" := ", " ", 1) for one in row[1:-2]]
        for draft in row[0].split(","):
            yield "json_text", joined(in_draft(draft, row[-2]), *named)
        yield "json_pairs", joined(row[-2], row[-2], *named)
    for row in rows("json_compat.tsv"):
        yield "json_pairs", joined(row[1], row[0])
        yield "json_pairs", joined(in_draft("2020", row[1]), in_draft("2020", row[0]))


def cases():
    for path in sorted((ROOT / "tests" / "conformance" / "cases").glob("*.json")):
        yield from json.loads(re.sub(r"\$\{(.)\*(\d+)\}", lambda run: run[1] * int(run[2]), path.read_text(encoding="utf-8")))


def body_of(step):
    if "body_gen" in step:
        return None
    if "body_hex" in step:
        return bytes.fromhex(step["body_hex"])
    body = json.dumps(step["body"], ensure_ascii=False) if "body" in step else step.get("raw_body", "")
    return body.encode("utf-8")


def of_the_server():
    """Requests of the conformance cases, one by one for the router and case by case for the bodies."""
    for case in cases():
        steps = [(step, body_of(step)) for step in case["steps"] if "method" in step]
        if any(body is None for _, body in steps):
            continue
        session = ["\n".join("=%s %s" % pair for pair in case.get("settings", {}).items()).encode()] * bool(case.get("settings"))
        for step, body in steps:
            line = "%s %s" % (step["method"], step["path"])
            session.append(line.encode("utf-8") + b"\n" + body)
            headers = ["%s: %s" % (name, value) for name, values in step.get("headers", {}).items()
                       for value in (values if isinstance(values, list) else [values]) if isinstance(value, str)]
            yield "router", SEPARATOR.join([step["method"].encode(), step["path"].encode("utf-8"), "\n".join(headers).encode(), body])
        yield "bodies", SEPARATOR.join(session)
    for path in ("/subjects/a%2Fb/versions", "/registry/config/s", "/a%2Fb/c/contexts/x/subjects"):
        for event in ({"httpMethod": "GET", "path": path, "requestContext": {"path": "/prod" + path, "stage": "prod"},
                       "multiValueHeaders": {"Accept": ["*/*"]}, "multiValueQueryStringParameters": {"deleted": ["true"]}},
                      {"version": "2.0", "rawPath": path, "rawQueryString": "deleted=true", "headers": {"accept": "*/*"},
                       "requestContext": {"http": {"method": "POST", "path": path}, "domainName": "a.lambda-url.eu-west-1.on.aws"},
                       "body": "e30=", "isBase64Encoded": True},
                      {"requestContext": {"elb": {"targetGroupArn": "a"}}, "httpMethod": "PUT", "path": path,
                       "queryStringParameters": {"a": "%20"}, "headers": {"x": "y"}, "body": "{}", "isBase64Encoded": False}):
            yield "router", json.dumps(event).encode()
    contents = (["a", "\"string\""], ["bb", "text " * 40, "1", "n", ":.c:s", "7", "m", "11", "k", "v", "l", "w", "1", "path", "1", "PII", "1", ""],
                ["ccc", "message M {}", "", "", "r", "1", "name", "d", "doc", "t", "CEL", "t", "1", "PII", "p", "1", "k", "v"])
    for texts in contents:
        yield "table", b"c" + joined(*texts)
        yield "table", b"m" + joined(*texts[4:])
    for texts in ([":.ctx:a/b", "a%2Fb", "1", "10"], [":.:x", ":*:x", "2", "99"], ["", ":.c", "latest", "2147483647"], [":.:.c:a", "c:", "9", "10"]):
        yield "table", b"k" + joined(*texts)
    for which in range(0, 60, 3):
        for kind in range(6):
            yield "table", b"d" + SEPARATOR.join([bytes([which, kind, kind]) + b"12\xff", bytes([which + 1, kind + 1, 4])])
    key = base64.b64encode(bytes(32)).decode()
    for text in ("# keys\n2026-02 %s\n\n2026-01\t%s" % (key, key), "a %s\na %s" % (key, key), "a AAAA", key,
                 "REGISTRAR_BASE_PATH=/a/b/\nREGISTRAR_GZIP=yes\nREGISTRAR_MAX_BODY_BYTES=0"):
        yield "table", b"f" + text.encode()


def own():
    yield from own_json()
    yield from of_the_server()
    for language in ("protobuf", "avro"):
        for name in ("texts", "validity"):
            for row in rows("%s_%s.tsv" % (language, name)):
                yield language + "_text", joined(row[0])
        for row in rows("%s_compat.tsv" % language):
            yield language + "_pairs", joined(row[0], row[1])
        for row in rows("%s_references.tsv" % language):
            yield language + "_text", joined(row[1], *listed(row[0]))
    for row in rows("protobuf_descriptors.tsv"):
        yield "protobuf_text", joined(row[0])
    for row in rows("protobuf_compat_references.tsv"):
        readers = ["<" + one for one in listed(row[0])]
        yield "protobuf_pairs", joined(row[1], row[3], *readers, *(">" + one for one in listed(row[2])))


def text_of(value):
    return value if isinstance(value, str) else json.dumps(value)


def referenced(row, key="references"):
    return ["%s %s" % (one.get("name", ""), text_of(one.get("schema", ""))) for one in row.get(key) or []]


def json_from_vectors():
    for name in ("canonical", "validity", "tags"):
        for row in vectors("json-%s.jsonl" % name):
            yield "json_text", joined(text_of(row["input"]), *referenced(row))
    for row in vectors("json-compat.jsonl"):
        yield "json_pairs", joined(text_of(row["update"]), text_of(row["original"]), *referenced(row))


def from_vectors():
    yield from json_from_vectors()
    for language in ("protobuf", "avro"):
        for row in vectors("%s-canonical.jsonl" % language):
            yield language + "_text", joined(text_of(row["input"]), *referenced(row))
            if row.get("serialized"):
                yield "protobuf_base64", base64.b64decode(row["serialized"])
            if language == "protobuf":
                try:
                    yield "protobuf_base64", base64.b64decode(row["input"], validate=True)
                except ValueError:
                    pass
        for row in vectors("%s-compat.jsonl" % language):
            readers = ["<" + one for one in referenced(row)]
            writers = [">" + one for one in referenced(row, "writer_references")]
            yield language + "_pairs", joined(text_of(row["reader"]), text_of(row["writer"]), *readers, *writers)


def main():
    folder = Path(sys.argv[1])
    count = {}
    for target, data in from_vectors() if "--vectors" in sys.argv else own():
        if len(data) > MAX_BYTES:
            continue
        (folder / target).mkdir(parents=True, exist_ok=True)
        (folder / target / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
        count[target] = count.get(target, 0) + 1
    print(json.dumps(count))


main()
