"""Each member of each body, with each wrong JSON type, walked from the OpenAPI document; numbers out of range everywhere."""
import json
from pathlib import Path

from raw import Bad, request

DOCUMENT = json.loads((Path(__file__).resolve().parents[2] / "docs" / "openapi.json").read_text())
WRONG = [None, True, 0, -1, 1.5, 10 ** 30, "", "x", "\ud800", [], ["x"], [[None]], {}, {"x": 1}, [{}]]
NUMBERS = ["-1", "0", "2147483648", "-2147483649", "9223372036854775808", "1" * 400, "1.5", "1e9", "0x1", "", " 1", "+1",
           "%00", "NaN", "latest", "%F0%9D%9F%99"]
PATHS = {"subject": "members", "version": "1", "id": "1", "guid": "00000000-0000-0000-0000-000000000000", "context": "members",
         "resourceId": "r", "resourceName": "n", "resourceNamespace": "ns"}


def operations():
    for path, methods in DOCUMENT["paths"].items():
        for method, said in methods.items():
            if method in ("get", "post", "put", "delete"):
                yield method.upper(), path, said


def filled(path, **others):
    for name, value in {**PATHS, **others}.items():
        path = path.replace("{%s}" % name, value)
    return path


def shape(schema):
    """A schema without its references and its null."""
    while True:
        if "$ref" in schema:
            schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        elif "anyOf" in schema:
            schema = next(one for one in schema["anyOf"] if one.get("type") != "null")
        else:
            return schema


def members(schema, depth=0):
    """Each member of a body as the way to it; the last of it is what is to be wrong."""
    schema = shape(schema)
    if depth < 5:
        for name, inner in schema.get("properties", {}).items():
            yield [name]
            yield from ([name] + way for way in members(inner, depth + 1))
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                step = 0 if key == "items" else "k"
                yield [step]
                yield from ([step] + way for way in members(schema[key], depth + 1))


def body(way, value):
    """A body that has this value there and nothing else but what is around it."""
    for step in reversed(way):
        value = [value] if step == 0 else {step: value}
    return value


def with_example(example, way, value):
    made = body(way, value)
    return {**example, **made} if isinstance(example, dict) and isinstance(made, dict) else made


def wrong_types():
    for method, path, said in operations():
        if "requestBody" not in said:
            continue
        content = said["requestBody"]["content"]["application/json"]
        for way in [[]] + list(members(content["schema"])):
            for value in WRONG:
                made = with_example(content.get("example"), way, value)
                what = "%s %s: %s as %r" % (method, path, ".".join(map(str, way)), value)
                # ASCII with escapes, so that a lone surrogate arrives.
                yield Bad(what, request(method, filled(path), json.dumps(made)), "ok")


def numbers():
    for method, path, said in operations():
        if method not in ("GET", "POST"):
            continue
        content = said.get("requestBody", {}).get("content", {}).get("application/json", {})
        example = content.get("example")
        for name in ("id", "version"):
            if "{%s}" % name in path:
                for number in NUMBERS:
                    at = filled(path, **{name: number.replace(" ", "%20")})
                    yield Bad("%s %s: %s is %r" % (method, path, name, number[:20]), request(method, at, example), "ok")
        for parameter in said.get("parameters", []):
            if parameter.get("in") == "query":
                for number in NUMBERS:
                    at = filled(path) + "?%s=%s" % (parameter["name"], number.replace(" ", "%20"))
                    yield Bad("%s %s: ?%s=%r" % (method, path, parameter["name"], number[:20]), request(method, at, example), "ok")


def bodies():
    """Bodies that are none, for each call that takes one."""
    deep, wide = "[" * 100_000, "[" + "0," * 1_000_000 + "0]"
    fields = "{" + ",".join('"%x":0' % n for n in range(1_000_000)) + "}"
    rows = [
        ("100,000 brackets", deep, 400, "REGISTRAR_MAX_NESTING"),
        ("100,000 levels", '{"x":' * 100_000 + "1" + "}" * 100_000, 400, "REGISTRAR_MAX_NESTING"),
        ("a million values", wide, 413, "REGISTRAR_MAX_VALUES"),
        ("a million fields", fields, 413, "REGISTRAR_MAX_VALUES"),
        ("invalid UTF-8", b'{"schema":"\xff\xfe"}', 400, None),
        ("overlong UTF-8", b'{"schema":"\xc0\xaf\xe0\x80\xaf"}', 400, None),
        ("a surrogate in UTF-8", b'{"schema":"\xed\xa0\x80"}', 400, None),
        ("a lone surrogate", '{"schema":"\\ud800"}', 400, None),
        ("NUL", "\x00", 400, None),
        ("NUL in a text", '{"schema":"a\x00"}', "4xx", None),
        ("an escaped NUL", '{"x":"\\u0000"}', "ok", None),
        ("only a BOM", "\ufeff", "ok", None),
        ("UTF-16", '{"schema":"a"}'.encode("utf-16"), 400, None),
        ("duplicate members", '{"schema":1,"schema":[],"schema":"x"}', "ok", None),
        ("not closed", '{"schema":"', 400, None),
        ("two values", "{} {}", 400, None),
        ("a number", "1e99999999999", 400, None),
        ("a number of 5,000 digits", "9" * 5000, 400, None),
        ("a text", '"x"', 400, None),
    ]
    for method, path, said in operations():
        if "requestBody" in said and path != "/":
            for what, text, wants, says in rows:
                yield Bad("%s %s: %s" % (method, path, what), request(method, filled(path), text), wants, says)
