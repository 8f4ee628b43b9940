"""The official Python client (confluent-kafka) against `serve`: register, evolve, serialise, look up, delete."""
import json
import struct
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from confluent_kafka import __version__ as client_version
from confluent_kafka.schema_registry import Metadata, MetadataProperties, Schema, SchemaReference, SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.schema_registry.error import SchemaRegistryError
from confluent_kafka.serialization import MessageField, SerializationContext
from served.checks import Checks
from served.serve import Serve

checks = Checks()


def record(name, *fields):
    return json.dumps({"type": "record", "name": name, "namespace": "shop", "fields": list(fields)})


ID = {"name": "id", "type": "long"}
NOTE = {"name": "note", "type": ["null", "string"], "default": None}
TOTAL = {"name": "total", "type": "double"}
ORDER_1 = record("Order", ID)
ORDER_2 = record("Order", ID, NOTE)
ORDER_BAD = record("Order", ID, NOTE, TOTAL)
ADDRESS = record("Address", {"name": "street", "type": "string"})
CUSTOMER = record("Customer", {"name": "name", "type": "string"}, {"name": "home", "type": "shop.Address"})


def value_of(topic):
    return SerializationContext(topic, MessageField.VALUE)


def refused(what, status, code, call):
    """The call fails with this HTTP status and error code."""
    try:
        got = call()
    except SchemaRegistryError as error:
        checks.equal((error.http_status_code, error.error_code), (status, code), "%s: %d / %d" % (what, status, code))
        checks.true(bool(error.error_message), "%s: has a message" % what)
    else:
        checks.true(False, what, "no error but %r" % (got,))


def register_and_read(client):
    subject = "register-value"
    first = client.register_schema(subject, Schema(ORDER_1, "AVRO"))
    checks.true(first > 0, "register")
    # The client keeps what it has registered, so another one asks the server again.
    other = SchemaRegistryClient({"url": client.url})
    checks.equal(other.register_schema(subject, Schema(ORDER_1, "AVRO")), first, "register again: the same id")
    second = client.register_schema_full_response(subject, Schema(ORDER_2, "AVRO"))
    checks.true(second.schema_id != first and second.guid, "evolve: another id, and a guid", repr(second))
    checks.equal(other.get_versions(subject), [1, 2], "versions")
    latest = other.get_latest_version(subject)
    checks.equal((latest.version, latest.schema_id), (2, second.schema_id), "latest version")
    checks.equal(json.loads(latest.schema.schema_str), json.loads(ORDER_2), "latest schema")
    checks.equal(other.get_version(subject, 1).schema_id, first, "version 1")
    checks.equal(json.loads(other.get_schema(first).schema_str), json.loads(ORDER_1), "schema by id")
    checks.equal(json.loads(other.get_schema_by_guid(second.guid).schema_str), json.loads(ORDER_2), "schema by guid")
    found = other.lookup_schema(subject, Schema(ORDER_1, "AVRO"))
    checks.equal((found.schema_id, found.version, found.subject), (first, 1, subject), "lookup")
    checks.true(subject in other.get_subjects(), "list of subjects")
    checks.equal(other.get_subjects_by_schema_id(first), [subject], "subjects of an id")
    checks.equal([(v.subject, v.version) for v in other.get_schema_versions(first)], [(subject, 1)], "versions of an id")
    checks.true("AVRO" in other.get_schema_types(), "types")


def normalized(client):
    subject = "normalized-value"
    one = client.register_schema(subject, Schema('{"type":"record","name":"N","fields":[{"type":"int","name":"a"}]}'),
                                 normalize_schemas=True)
    two = client.register_schema(subject, Schema('{"name":"N","type":"record","fields":[{"name":"a","type":"int"}]}'),
                                 normalize_schemas=True)
    checks.equal(one, two, "normalized: one id for two spellings")


def incompatible(client):
    subject = "incompatible-value"
    client.register_schema(subject, Schema(ORDER_1, "AVRO"))
    bad = Schema(ORDER_BAD, "AVRO")
    checks.equal(client.test_compatibility(subject, bad), False, "test compatibility: refused")
    checks.equal(client.test_compatibility(subject, Schema(ORDER_2, "AVRO")), True, "test compatibility: accepted")
    checks.equal(client.test_compatibility_all_versions(subject, bad), False, "test compatibility, all versions")
    refused("register an incompatible schema", 409, 40901, lambda: client.register_schema(subject, bad))
    checks.equal(client.get_versions(subject), [1], "the refused schema left nothing")
    client.set_compatibility(subject, "NONE")
    checks.equal(client.get_compatibility(subject), "NONE", "compatibility of a subject")
    checks.true(client.register_schema(subject, bad) > 0, "register under NONE")


def refusals(client):
    refused("unknown subject", 404, 40401, lambda: client.get_versions("nowhere"))
    refused("unknown version", 404, 40402, lambda: client.get_version("register-value", 99))
    refused("unknown id", 404, 40403, lambda: client.get_schema(999999))
    refused("lookup of an unknown schema", 404, 40403,
            lambda: client.lookup_schema("register-value", Schema(ADDRESS, "AVRO")))
    refused("not a schema", 422, 42201, lambda: client.register_schema("x", Schema('{"type":"nonsense"}', "AVRO")))


def config_and_mode(client):
    checks.equal(client.get_compatibility(), "BACKWARD", "level at the top")
    client.set_compatibility(level="FULL")
    checks.equal(client.get_compatibility(), "FULL", "level at the top, changed")
    client.set_compatibility(level="BACKWARD")
    client.set_compatibility("config-value", "FORWARD_TRANSITIVE")
    checks.equal(client.get_config("config-value").compatibility_level.value, "FORWARD_TRANSITIVE", "config of a subject")
    client.delete_config("config-value")
    refused("config that is not set", 404, 40408, lambda: client.get_config("config-value"))
    checks.equal(client.get_global_mode(), "READWRITE", "mode at the top")
    client.update_mode("mode-value", "READONLY")
    checks.equal(client.get_mode("mode-value"), "READONLY", "mode of a subject")
    refused("register under READONLY", 422, 42205, lambda: client.register_schema("mode-value", Schema(ADDRESS, "AVRO")))
    client.delete_mode("mode-value")
    checks.true(client.register_schema("mode-value", Schema(ADDRESS, "AVRO")) > 0, "register after the mode is gone")


def round_trip(client):
    topic = "orders"
    writer_1 = AvroSerializer(client, ORDER_1)
    old = writer_1({"id": 7}, value_of(topic))
    magic, schema_id = struct.unpack(">bI", old[:5])
    checks.equal((magic, schema_id), (0, client.get_latest_version("orders-value").schema_id), "bytes carry the id")
    new = AvroSerializer(client, ORDER_2)({"id": 8, "note": "hi"}, value_of(topic))
    checks.equal(client.get_versions("orders-value"), [1, 2], "serialising registers and evolves")

    reader = SchemaRegistryClient({"url": client.url})
    plain = AvroDeserializer(reader)
    checks.equal(plain(old, value_of(topic)), {"id": 7}, "old bytes, as written")
    checks.equal(plain(new, value_of(topic)), {"id": 8, "note": "hi"}, "new bytes, as written")
    newest = AvroDeserializer(reader, ORDER_2)
    checks.equal(newest(old, value_of(topic)), {"id": 7, "note": None}, "old bytes under the new schema")
    oldest = AvroDeserializer(reader, ORDER_1)
    checks.equal(oldest(new, value_of(topic)), {"id": 8}, "new bytes under the old schema")

    known = AvroSerializer(reader, ORDER_1, conf={"auto.register.schemas": False})
    checks.equal(known({"id": 7}, value_of(topic)), old, "without auto registration: found by lookup")
    latest = AvroSerializer(reader, ORDER_1, conf={"auto.register.schemas": False, "use.latest.version": True})
    checks.equal(latest({"id": 8, "note": "hi"}, value_of(topic)), new, "the latest version is used")
    try:
        AvroSerializer(client, ORDER_BAD)({"id": 1, "note": None, "total": 1.0}, value_of(topic))
    except SchemaRegistryError as error:
        checks.equal(error.error_code, 40901, "serialising with an incompatible schema is refused")
    else:
        checks.true(False, "serialising with an incompatible schema is refused")


def references(client):
    client.register_schema("address", Schema(ADDRESS, "AVRO"))
    schema = Schema(CUSTOMER, "AVRO", [SchemaReference("shop.Address", "address", 1)])
    value = {"name": "Ada", "home": {"street": "Long Lane"}}
    data = AvroSerializer(client, schema)(value, value_of("customers"))
    reader = SchemaRegistryClient({"url": client.url})
    checks.equal(AvroDeserializer(reader)(data, value_of("customers")), value, "round trip with a reference")
    customer = reader.get_latest_version("customers-value")
    checks.equal([(r.name, r.subject, r.version) for r in customer.schema.references], [("shop.Address", "address", 1)],
                 "the reference comes back")
    checks.equal(reader.get_referenced_by("address", 1), [customer.schema_id], "referenced by")
    refused("delete what is referenced", 422, 42206, lambda: reader.delete_version("address", 1))


def metadata(client):
    def owned_by(name):
        return Metadata(tags=None, properties=MetadataProperties({"owner": name}), sensitive=None)

    subject = "metadata-value"
    client.register_schema(subject, Schema(ORDER_1, "AVRO", metadata=owned_by("billing")))
    client.register_schema(subject, Schema(ORDER_2, "AVRO", metadata=owned_by("shipping")))
    for version, owner in ((1, "billing"), (2, "shipping")):
        found = SchemaRegistryClient({"url": client.url}).get_latest_with_metadata(subject, {"owner": owner})
        checks.equal((found.version, found.schema.metadata.properties.properties), (version, {"owner": owner}),
                     "the latest version with the property of %s" % owner)


def odd_subjects(client):
    for subject in ("a/b", "sp ace", "per%cent", "colon:here", "..dots", "ünïcode", "q?u#e"):
        client.register_schema(subject, Schema('"int"', "AVRO"))
        checks.equal(client.get_latest_version(subject).subject, subject, "subject %r" % subject)


def contexts(client):
    qualified = ":.tenant:ctx-value"
    client.register_schema("ctx-value", Schema(ORDER_1, "AVRO"))
    client.register_schema("ctx-value", Schema(ORDER_2, "AVRO"))
    client.register_schema(qualified, Schema(ADDRESS, "AVRO"))
    reader = SchemaRegistryClient({"url": client.url})
    checks.equal(reader.get_latest_version(qualified).version, 1, "a qualified subject is another one")
    checks.equal(reader.get_latest_version("ctx-value").version, 2, "than that of the default context")


def deletes(client):
    subject = "delete-value"
    client.register_schema(subject, Schema(ORDER_1, "AVRO"))
    client.register_schema(subject, Schema(ORDER_2, "AVRO"))
    checks.equal(client.delete_version(subject, 1), 1, "soft delete of a version")
    checks.equal(SchemaRegistryClient({"url": client.url}).get_versions(subject), [2], "it is gone from the list")
    checks.equal(client.delete_version(subject, 1, permanent=True), 1, "permanent delete of a version")
    checks.equal(client.delete_subject(subject), [2], "soft delete of a subject")
    checks.true(subject not in client.get_subjects(), "it is gone from the list of subjects")
    checks.true(subject in client.get_subjects(deleted=True), "but among the deleted ones")
    refused("soft delete once more", 404, 40404, lambda: client.delete_subject(subject))
    checks.equal(client.delete_subject(subject, permanent=True), [2], "permanent delete of a subject")
    checks.true(subject not in client.get_subjects(deleted=True), "nothing is left of it")


def main():
    print("confluent-kafka %s" % client_version)
    with tempfile.TemporaryDirectory() as work, Serve("--listen", "127.0.0.1:0", "--data", work) as server:
        client = SchemaRegistryClient({"url": server.url})
        client.url = server.url
        steps = [register_and_read, normalized, incompatible, refusals, config_and_mode, round_trip, references, metadata,
                 odd_subjects, contexts, deletes]
        checks.run(*(named(step, client) for step in steps))
        checks.equal(server.stop(), 0, "the server stops cleanly")
    checks.finish("confluent-kafka")


def named(step, client):
    def run():
        step(client)
    run.__name__ = step.__name__
    return run


if __name__ == "__main__":
    main()
