"""The official Python client's JSON Schema serialiser against `serve`: references by name, evolution, lookup, latest version."""
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from confluent_kafka import __version__ as client_version
from confluent_kafka.schema_registry import Schema, SchemaReference, SchemaRegistryClient
from confluent_kafka.schema_registry.error import SchemaRegistryError
from confluent_kafka.schema_registry.json_schema import JSONDeserializer, JSONSerializer
from confluent_kafka.serialization import MessageField, SerializationContext, SerializationError
from served.checks import Checks
from served.serve import Serve
from served.wire import Http, segment

checks = Checks()
TOPIC = "orders"
SUBJECT = "orders-value"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"


def closed(title, properties, required=(), draft=DRAFT_7):
    """An object type that takes no other property, so that one more optional property is a compatible step."""
    return json.dumps({"$schema": draft, "title": title, "type": "object", "properties": properties,
                       "required": list(required), "additionalProperties": False})


NUMBER, STRING = {"type": "number"}, {"type": "string"}
ORDER_1 = closed("Order", {"id": {"type": "integer"}}, ["id"])
ORDER_2 = closed("Order", {"id": NUMBER, "note": STRING}, ["id"])
ORDER_BAD = closed("Order", {"id": NUMBER, "note": STRING, "total": NUMBER}, ["id", "total"])
STREET = closed("Street", {"name": STRING, "number": {"type": "integer"}}, ["name"])
ADDRESS = closed("Address", {"street": {"$ref": "street.json"}, "town": STRING}, ["street"])
CUSTOMER = closed("Customer", {"name": STRING, "home": {"$ref": "address.json"}, "work": {"$ref": "address.json"}}, ["name"])


def as_is(value, _):
    return value


def value_of(topic=TOPIC):
    return SerializationContext(topic, MessageField.VALUE)


def client_of(server):
    """A client with nothing in its cache."""
    return SchemaRegistryClient({"url": server.url})


def write(server, schema, value, topic=TOPIC, **conf):
    return JSONSerializer(schema, client_of(server), as_is, conf)(value, value_of(topic))


def read(server, data, schema=None, topic=TOPIC):
    return JSONDeserializer(schema, as_is, client_of(server))(data, value_of(topic))


def round_trip(server):
    data = write(server, ORDER_1, {"id": 7})
    latest = client_of(server).get_latest_version(SUBJECT)
    checks.equal(data, b"\0" + latest.schema_id.to_bytes(4, "big") + b'{"id":7}', "bytes carry the id")
    compact = json.dumps(json.loads(ORDER_1), separators=(",", ":"))
    checks.equal((latest.schema.schema_type, latest.schema.schema_str), ("JSON", compact),
                 "the schema comes back in its order, without blanks")
    checks.equal(read(server, data), {"id": 7}, "round trip")
    checks.equal(read(server, data, ORDER_1), {"id": 7}, "round trip, the reader with a schema")
    try:
        write(server, ORDER_1, {"id": "seven"})
    except SerializationError:
        checks.true(True, "the client validates against the schema")
    else:
        checks.true(False, "the client validates against the schema")


def spellings(server):
    client = client_of(server)
    subject = "spelling-value"
    one = client.register_schema(subject, Schema('{"type":"object","title":"S"}', "JSON"), normalize_schemas=True)
    two = client.register_schema(subject, Schema('{"title": "S", "type": "object"}', "JSON"), normalize_schemas=True)
    checks.equal(one, two, "normalized: one id for two orders of members")


def evolution(server):
    old = write(server, ORDER_1, {"id": 7})
    new = write(server, ORDER_2, {"id": 8.5, "note": "hi"})
    checks.equal(client_of(server).get_versions(SUBJECT), [1, 2], "serialising evolves")
    checks.equal(read(server, old, ORDER_2), {"id": 7}, "old bytes for the new reader")
    checks.equal(read(server, new, ORDER_2), {"id": 8.5, "note": "hi"}, "new bytes for the new reader")
    refused("serialising with an incompatible schema", 409, 40901,
            lambda: write(server, ORDER_BAD, {"id": 1, "total": 2}))
    checks.equal(client_of(server).get_versions(SUBJECT), [1, 2], "the refused schema left nothing")


def compatibility(server):
    client = client_of(server)
    checks.equal(client.test_compatibility(SUBJECT, Schema(ORDER_2, "JSON")), True, "test compatibility: accepted")
    checks.equal(client.test_compatibility(SUBJECT, Schema(ORDER_BAD, "JSON")), False, "test compatibility: refused")
    told = Http(server.url).post("/compatibility/subjects/%s/versions/latest?verbose=true" % segment(SUBJECT),
                                 {"schemaType": "JSON", "schema": ORDER_BAD}).json
    checks.true(any("REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL" in each and "#/properties/total" in each
                    for each in told["messages"]), "the difference and its place are named", repr(told))
    client.set_compatibility("forward-value", "FORWARD")
    client.register_schema("forward-value", Schema(ORDER_2, "JSON"))
    checks.true(client.register_schema("forward-value", Schema(ORDER_1, "JSON")) > 0, "FORWARD takes the step back")


def lookup(server):
    known = {"auto.register.schemas": False}
    checks.equal(write(server, ORDER_1, {"id": 7}, **known), write(server, ORDER_1, {"id": 7}),
                 "without auto registration: found by lookup")
    refused("lookup of a schema that is not there", 404, 40403,
            lambda: write(server, ORDER_BAD, {"id": 1, "total": 2}, **known))
    refused("lookup under a subject that is not there", 404, 40401,
            lambda: write(server, ORDER_1, {"id": 1}, "elsewhere", **known))


def latest_version(server):
    data = write(server, ORDER_1, {"id": 8}, **{"auto.register.schemas": False, "use.latest.version": True})
    newest = client_of(server).get_latest_version(SUBJECT)
    checks.equal((newest.version, data[1:5]), (2, newest.schema_id.to_bytes(4, "big")), "the latest version is used")


def references(server):
    """References of references, by the names that `$ref` gives them."""
    client = client_of(server)
    client.register_schema("street", Schema(STREET, "JSON"))
    client.register_schema("address", Schema(ADDRESS, "JSON", [SchemaReference("street.json", "street", 1)]))
    customer = Schema(CUSTOMER, "JSON", [SchemaReference("address.json", "address", 1)])
    value = {"name": "Ada", "home": {"street": {"name": "Long Lane", "number": 3}}}
    data = write(server, customer, value, "customers")
    checks.equal(read(server, data, topic="customers"), value, "round trip with references of references")
    try:
        write(server, customer, {"name": "Ada", "home": {"street": {"number": 3}}}, "customers")
    except SerializationError:
        checks.true(True, "a value is checked two references deep")
    else:
        checks.true(False, "a value is checked two references deep")
    latest = client_of(server).get_latest_version("customers-value")
    checks.equal([(r.name, r.subject, r.version) for r in latest.schema.references], [("address.json", "address", 1)],
                 "the reference comes back")
    checks.equal(client.get_referenced_by("address", 1), [latest.schema_id], "referenced by")
    refused("delete what is referenced", 422, 42206, lambda: client_of(server).delete_version("address", 1))
    refused("a reference to nothing", 422, 42201, lambda: client_of(server).register_schema(
        "nothing-value", Schema(CUSTOMER, "JSON", [SchemaReference("address.json", "address", 9)])))


def references_evolve(server):
    """A change in what is referenced counts when the referrer is registered with it."""
    client = client_of(server)
    client.set_compatibility("address", "NONE")
    wrong = closed("Address", {"street": {"type": "integer"}, "town": STRING}, ["street"])
    client.register_schema("address", Schema(wrong, "JSON"))
    refused("the same text with an incompatible reference", 409, 40901, lambda: client_of(server).register_schema(
        "customers-value", Schema(CUSTOMER, "JSON", [SchemaReference("address.json", "address", 2)])))
    wider = closed("Address", {"street": {"$ref": "street.json"}, "town": STRING, "country": STRING}, ["street"])
    client.register_schema("address", Schema(wider, "JSON", [SchemaReference("street.json", "street", 1)]))
    customer = Schema(CUSTOMER, "JSON", [SchemaReference("address.json", "address", 3)])
    value = {"name": "Ada", "work": {"street": {"name": "Quay"}, "country": "NL"}}
    data = write(server, customer, value, "customers")
    checks.equal(read(server, data, topic="customers"), value, "the same text with a compatible reference")
    checks.equal(client_of(server).get_versions("customers-value"), [1, 2], "is a version of its own")


def drafts(server):
    """The newest draft, with a definition inside of the schema."""
    schema = json.dumps({"$schema": DRAFT_2020, "$id": "urn:shop:pair", "title": "Pair", "type": "object",
                         "properties": {"pair": {"prefixItems": [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/n"}]}},
                         "$defs": {"n": {"type": "integer"}}})
    data = write(server, schema, {"pair": [1, 2]}, "pairs")
    checks.equal(read(server, data, topic="pairs"), {"pair": [1, 2]}, "draft 2020-12: round trip")


def refusals(server):
    client = client_of(server)
    for text in ("{", '{"type": "nonsense"}', '{"$ref": "missing.json"}'):
        refused("not a schema: %s" % text, 422, 42201, lambda: client.register_schema("x", Schema(text, "JSON")))
    refused("another type under the subject", 409, 40901,
            lambda: client.register_schema(SUBJECT, Schema('"string"', "AVRO")))


def refused(what, status, code, call):
    """The call fails with this HTTP status and error code."""
    try:
        got = call()
    except SchemaRegistryError as error:
        checks.equal((error.http_status_code, error.error_code), (status, code), "%s: %d / %d" % (what, status, code))
    else:
        checks.true(False, what, "no error but %r" % (got,))


def main():
    print("confluent-kafka[json] %s" % client_version)
    with tempfile.TemporaryDirectory() as work, Serve("--listen", "127.0.0.1:0", "--data", work) as server:
        def named(step):
            def run():
                step(server)
            run.__name__ = step.__name__
            return run

        steps = [round_trip, spellings, evolution, compatibility, lookup, latest_version, references, references_evolve,
                 drafts, refusals]
        checks.run(*map(named, steps))
        checks.equal(server.stop(), 0, "the server stops cleanly")
    checks.finish("confluent-kafka[json]")


if __name__ == "__main__":
    main()
