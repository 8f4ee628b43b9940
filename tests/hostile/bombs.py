"""Schemas that are more than they seem: (what, type, text) and pairs of an old one with a new one."""
import json


def dense(value):
    return json.dumps(value, separators=(",", ":"))


def joined(count, item, between=","):
    return between.join(item(n) for n in range(count))


def record(fields, name="R"):
    return '{"type":"record","name":"%s","fields":[%s]}' % (name, fields)


def avro_deep(levels):
    return '{"type":"array","items":' * levels + '"int"' + "}" * levels


def json_deep(levels):
    return '{"not":' * levels + "{}" + "}" * levels


def protobuf_deep(levels):
    opened = "".join("message M%d {" % n for n in range(levels))
    return 'syntax = "proto3"; ' + opened + "}" * levels


def deep(levels):
    """Nested so deeply, in each language and in each of its corners."""
    return [
        ("Avro arrays", "AVRO", avro_deep(levels)),
        ("Avro default", "AVRO", record('{"name":"a","type":"int","default":%s}' % ("[" * levels + "]" * levels))),
        ("Avro, open brackets", "AVRO", "[" * levels),
        ("JSON not", "JSON", json_deep(levels)),
        ("JSON const", "JSON", '{"const":%s}' % ("[" * levels + "]" * levels)),
        ("JSON, open braces", "JSON", '{"a":' * levels),
        ("Protobuf messages", "PROTOBUF", protobuf_deep(levels)),
        ("Protobuf options", "PROTOBUF", 'syntax = "proto3"; option (a) = %s;' % ("{a:" * levels + "1" + "}" * levels)),
        ("Protobuf, open braces", "PROTOBUF", 'syntax = "proto3"; ' + "message A {" * levels),
    ]


def full(count):
    """So many fields, values or branches."""
    tag = [n + (1000 if n >= 19000 else 0) for n in range(1, count + 1)]
    return [
        ("Avro fields", "AVRO", record(joined(count, lambda n: '{"name":"f%d","type":"int"}' % n))),
        ("Avro symbols", "AVRO", '{"type":"enum","name":"E","symbols":[%s]}' % joined(count, lambda n: '"s%d"' % n)),
        ("Avro branches", "AVRO", "[%s]" % joined(count, lambda n: '{"type":"fixed","size":1,"name":"f%d"}' % n)),
        ("Avro default", "AVRO", record('{"name":"a","type":{"type":"array","items":"int"},"default":[%s]}'
                                        % joined(count, lambda n: "1"))),
        ("JSON properties", "JSON", '{"properties":{%s}}' % joined(count, lambda n: '"%x":{}' % n)),
        ("JSON properties, 2020", "JSON", '{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{%s}}'
         % joined(count, lambda n: '"%x":true' % n)),
        ("JSON branches", "JSON", '{"oneOf":[%s]}' % joined(count, lambda n: '{"maximum":%d}' % n)),
        ("JSON enum", "JSON", '{"enum":[%s]}' % joined(count, str)),
        ("JSON const", "JSON", '{"const":[%s]}' % joined(count, lambda n: "[]")),
        ("Protobuf fields", "PROTOBUF", 'syntax="proto3";message M{%s}' % joined(count, lambda n: "int32 f%d=%d;" % (n, tag[n]), "")),
        ("Protobuf constants", "PROTOBUF", 'syntax="proto3";enum E{%s}' % joined(count, lambda n: "f%d=%d;" % (n, n), "")),
        ("Protobuf messages", "PROTOBUF", 'syntax="proto3";%s' % joined(count, lambda n: "message m%d{}" % n, "")),
        ("Protobuf oneofs", "PROTOBUF", 'syntax="proto3";message M{%s}' % joined(count, lambda n: "oneof o%d{int32 f%d=%d;}" % (n, n, tag[n]), "")),
        ("Protobuf options", "PROTOBUF", 'syntax="proto3";message M{%s}' % joined(count, lambda n: "option a=%d;" % n, "")),
    ]


def odd():
    """Small, and work for a parser."""
    names = "n" * 2000
    nested = joined(500, lambda n: '{"name":"f%d","type":%s}' % (n, record("", "T%d" % n)))
    wide = joined(3000, lambda n: '{"type":"fixed","name":"F%d","size":1}' % n)
    regexes = ["(a*)*b", "(a|a)*$", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$", "(" * 200 + ")" * 200, "[" * 200, "a{1,99999}" * 9,
               "(?=" * 150 + "a" + ")" * 150, "\\p{IsNothing}", "(?<a>x)\\k<a>{9}", "a**", "\\u{ffffffffff}"]
    rows = [
        ("Avro names in a long namespace", "AVRO",
         '{"type":"record","name":"R","namespace":"%s","fields":[%s]}' % (names * 5, nested)),
        ("Avro aliases", "AVRO", '{"type":"record","name":"R","aliases":%s,"fields":[]}' % dense(["a%d" % n for n in range(20000)])),
        ("Avro default of many branches", "AVRO", record(
            '{"name":"a","type":{"type":"array","items":[%s,"int"]},"default":[%s]}' % (wide, joined(20000, lambda n: "1")))),
        ("Avro recursion", "AVRO", record('{"name":"a","type":"R"}')),
        ("Avro alias of itself", "AVRO", '{"type":"record","name":"R","aliases":["R"],"fields":[]}'),
        ("Avro, a union of unions", "AVRO", "[[[[]]]]"),
        ("Avro, a size out of range", "AVRO", '{"type":"fixed","name":"F","size":99999999999999999999}'),
        ("Avro, a precision out of range", "AVRO", '{"type":"bytes","logicalType":"decimal","precision":1e400,"scale":-1}'),
        ("Avro, not JSON", "AVRO", "{'type': 'int'}"),
        ("JSON, a number of 5,000 digits", "JSON", '{"maximum":%s}' % ("9" * 5000)),
        ("JSON, an exponent", "JSON", '{"maximum":1e999999999,"multipleOf":1e-999999999}'),
        ("JSON, $ref to itself", "JSON", '{"$ref":"#"}'),
        ("JSON, $refs in a circle", "JSON", '{"definitions":{"a":{"$ref":"#/definitions/b"},"b":{"$ref":"#/definitions/a"}},"$ref":"#/definitions/a"}'),
        ("JSON, $dynamicRef in a circle", "JSON", '{"$schema":"https://json-schema.org/draft/2020-12/schema","$dynamicAnchor":"a","allOf":[{"$dynamicRef":"#a"}]}'),
        ("JSON, $ref to a server", "JSON", '{"$ref":"http://169.254.169.254/latest/meta-data"}'),
        ("JSON, $ref to a file", "JSON", '{"$ref":"file:///etc/passwd"}'),
        ("JSON, a URI of 100,000 letters", "JSON", '{"$id":"http://%s"}' % ("a" * 100000)),
        ("JSON, ids within ids", "JSON", '{"properties":{"a":{"$id":"%s"' % ("a/" * 400) + ',"properties":{"a":{"$id":"%s"' % ("b/" * 400) + "}}" * 2 + "}}"),
        ("JSON, lone surrogates", "JSON", '{"title":"\\ud800","properties":{"\\udfff":{}}}'),
        ("Protobuf, a tag out of range", "PROTOBUF", 'syntax="proto3"; message A { int32 a = 99999999999999999999; }'),
        ("Protobuf, a range of everything", "PROTOBUF", 'syntax="proto3"; message A { reserved 1 to max, 1 to 536870911; }'),
        ("Protobuf, a million reserved ranges", "PROTOBUF", 'syntax="proto3"; message A { reserved %s; }' % joined(90000, lambda n: str(2 * n + 1))),
        ("Protobuf, maps within maps", "PROTOBUF", 'syntax="proto3"; message A { %sint32%s a = 1; }' % ("map<string," * 5000, ">" * 5000)),
        ("Protobuf, an import of itself", "PROTOBUF", 'syntax="proto3"; import "a"; import public "a";'),
        ("Protobuf, a comment without an end", "PROTOBUF", 'syntax="proto3"; /*' + "*" * 100000),
        ("Protobuf, a string without an end", "PROTOBUF", 'syntax="proto3"; option a = "' + "\\" * 99999),
        ("Protobuf, base64 of nothing", "PROTOBUF", "AAAA" * 100000),
        ("Protobuf, base64 of groups", "PROTOBUF", "CwsLCwsL" * 50000),
        ("Protobuf, base64 of empty messages", "PROTOBUF", "IgAiACIA" * 100000),
        ("NUL", "AVRO", "\x00"),
        ("an empty text", "JSON", ""),
    ]
    return rows + [("JSON pattern %s" % text[:20], "JSON", dense({"type": "string", "pattern": text})) for text in regexes]


def pairs():
    """(what, type, old, new): small texts that take a check long."""
    def consts(order):
        return '{"oneOf":[%s]}' % ",".join('{"const":%d}' % n for n in order)

    def refs(leaf):
        inner = lambda n: ",".join('{"items":{"$ref":"#/definitions/D%d"}}' % ((n * 7 + b * 13 + 1) % 300) for b in range(6))
        types = joined(300, lambda n: '"D%d":{"oneOf":[%s,{"type":"%s","description":"%d"}]}' % (n, inner(n), leaf, n))
        return '{"definitions":{%s},"oneOf":[%s]}' % (types, joined(300, lambda n: '{"$ref":"#/definitions/D%d"}' % n))

    def objects(letter):
        inner = joined(100, lambda n: '"%s%d":{}' % (letter, n))
        return '{"oneOf":[%s]}' % joined(300, lambda n: '{"minProperties":%d,"properties":{%s}}' % (n, inner))

    def doubling(leaf):
        links = joined(60, lambda n: '"D%d":{"properties":{"a":{"$ref":"#/definitions/D%d"},"b":{"$ref":"#/definitions/D%d"}}}' % (n, n + 1, n + 1))
        return '{"$ref":"#/definitions/D0","definitions":{%s,"D60":%s}}' % (links, leaf)

    def patterns(letter):
        names = joined(1000, lambda n: '"%s%s%d":{}' % (letter, "a" * 60, n))
        expressions = joined(200, lambda n: '"(a*)*(a*)*%dx$":{}' % n)
        return '{"additionalProperties":false,"properties":{%s},"patternProperties":{%s}}' % (names, expressions)

    def records(letter):
        fields = joined(40, lambda n: '{"name":"%s%d","type":"int","default":0}' % (letter, n))
        return "[%s]" % joined(150, lambda n: '{"type":"record","name":"R","namespace":"n%d","fields":[%s]}' % (n, fields))

    def unions(letter):
        branches = lambda n: joined(12, lambda b: record("", "%s%d_%d" % (letter, n, b)))
        return record(joined(700, lambda n: '{"name":"f%d","type":[%s]}' % (n, branches(n))))

    def clique(leaf):
        fields = joined(60, lambda n: "M%d f%d = %d;" % (n, n, n + 2), "")
        return 'syntax="proto3"; %s' % joined(60, lambda n: "message M%d { %s a = 1; %s }" % (n, leaf, fields), "")

    return [
        ("JSON oneOf of 2,000 constants, reversed", "JSON", consts(range(2000)), consts(range(1999, -1, -1))),
        ("JSON $ref and oneOf, each into each", "JSON", refs("string"), refs("integer")),
        ("JSON oneOf of large objects", "JSON", objects("a"), objects("b")),
        ("JSON $ref that doubles 60 times", "JSON", doubling('{"type":"string"}'), doubling('{"type":"null"}')),
        ("JSON patterns", "JSON", patterns("a"), patterns("b")),
        ("Avro records that match by name", "AVRO", records("a"), records("b")),
        ("Avro unions of unions", "AVRO", unions("A"), unions("B")),
        ("Protobuf, each message in each", "PROTOBUF", clique("int32"), clique("string")),
    ]
