"""The official Python client's Protobuf serialiser against `serve`: imports of imports, evolution, lookup, latest version.

It sends every file as the base64 of its descriptor. The descriptors are built here, so no protoc is needed.
"""
import base64
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from confluent_kafka import __version__ as client_version
from confluent_kafka.schema_registry import Schema, SchemaReference, SchemaRegistryClient
from confluent_kafka.schema_registry.error import SchemaRegistryError
from confluent_kafka.schema_registry.protobuf import ProtobufDeserializer, ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf import timestamp_pb2, wrappers_pb2
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from google.type import money_pb2
from served.checks import Checks
from served.serve import Serve
from served.wire import Http, segment

checks = Checks()
KNOWN = [timestamp_pb2, wrappers_pb2, money_pb2]
TOPIC = "orders"
SUBJECT = "orders-value"


def field(name, number, kind, repeated=False, **more):
    """A field; `kind` is a scalar's name, or a message's full name with a dot before it."""
    made = FieldDescriptorProto(name=name, number=number, **more)
    made.label = made.LABEL_REPEATED if repeated else made.LABEL_OPTIONAL
    if kind.startswith("."):
        made.type, made.type_name = made.TYPE_MESSAGE, kind
    else:
        made.type = FieldDescriptorProto.Type.Value("TYPE_" + kind.upper())
    return made


def file(name, imports, *messages):
    return FileDescriptorProto(name=name, package="shop", syntax="proto3", dependency=imports, message_type=messages)


def counts_entry():
    """The message that `map<string, int32> counts` stands for."""
    entry = DescriptorProto(name="CountsEntry", field=[field("key", 1, "string"), field("value", 2, "int32")])
    entry.options.map_entry = True
    return entry


def order(*more):
    message = DescriptorProto(name="Order", nested_type=[counts_entry()])
    message.field.extend([
        field("id", 1, "int64"),
        field("items", 2, ".shop.Item", repeated=True),
        field("placed", 3, ".google.protobuf.Timestamp"),
        field("counts", 4, ".shop.Order.CountsEntry", repeated=True),
        field("total", 5, ".google.type.Money"),
        *more,
    ])
    imports = ["google/protobuf/timestamp.proto", "google/type/money.proto", "shop/item.proto"]
    return file("shop/order.proto", imports, message)


PRICE = file("shop/price.proto", ["google/protobuf/wrappers.proto"],
             DescriptorProto(name="Price", field=[field("cents", 1, "int64"),
                                                  field("taxed", 2, ".google.protobuf.BoolValue")]))
ITEM = file("shop/item.proto", ["shop/price.proto"],
            DescriptorProto(name="Item", field=[field("name", 1, "string"), field("price", 2, ".shop.Price")]))
ORDER_1 = order()
ORDER_2 = order(field("note", 6, "string"))
# The number of `note` with another type, which no reader of version 2 can take.
ORDER_BAD = order(field("note", 6, "fixed64"))
ITEM_TEXT = """syntax = "proto3";
package shop;

import "shop/price.proto";

message Item {
  string name = 1;
  .shop.Price price = 2;
}
"""
ORDER_1_TEXT = """syntax = "proto3";
package shop;

import "google/protobuf/timestamp.proto";
import "google/type/money.proto";
import "shop/item.proto";

message Order {
  int64 id = 1;
  repeated Item items = 2;
  google.protobuf.Timestamp placed = 3;
  map<string, int32> counts = 4;
  google.type.Money total = 5;
}
"""


def message_class(main):
    """The class of the first message of a file, in a pool of its own: the versions share their names."""
    pool = DescriptorPool()
    for known in KNOWN:
        pool.AddSerializedFile(known.DESCRIPTOR.serialized_pb)
    for each in (PRICE, ITEM, main):
        pool.Add(each)
    return GetMessageClass(pool.FindMessageTypeByName("shop." + main.message_type[0].name))


def fill(kind, **more):
    message = kind(id=7, counts={"a": 1, "b": 2}, **more)
    message.placed.FromSeconds(1_700_000_000)
    message.total.currency_code = "EUR"
    item = message.items.add(name="Tea")
    item.price.cents = 450
    item.price.taxed.value = True
    return message


def value_of(topic=TOPIC):
    return SerializationContext(topic, MessageField.VALUE)


def client_of(server):
    """A client with nothing in its cache."""
    return SchemaRegistryClient({"url": server.url})


def deserializer(kind, server):
    return ProtobufDeserializer(kind, {}, client_of(server))


Order1, Order2, OrderBad = message_class(ORDER_1), message_class(ORDER_2), message_class(ORDER_BAD)


def round_trip(server):
    client = client_of(server)
    sent = fill(Order1)
    data = ProtobufSerializer(Order1, client)(sent, value_of())
    checks.equal(client.get_subjects(), [SUBJECT, "shop/item.proto", "shop/price.proto"],
                 "registering registers the imports of imports, but not the well-known ones")
    latest = client.get_latest_version(SUBJECT)
    checks.equal(data[:6], b"\0" + latest.schema_id.to_bytes(4, "big") + b"\0", "bytes carry the id and the message")
    checks.equal([(r.name, r.subject, r.version) for r in latest.schema.references],
                 [("shop/item.proto", "shop/item.proto", 1)], "the reference comes back")
    # The client that has registered it would answer from its cache.
    item = client_of(server).get_version("shop/item.proto", 1)
    checks.equal(item.schema.schema_str, ITEM_TEXT, "a descriptor comes back as text")
    checks.equal([r.name for r in item.schema.references], ["shop/price.proto"], "the second level has its reference")
    checks.equal(deserializer(Order1, server)(data, value_of()), sent, "round trip")


def the_same_as_text(server):
    """What the clients that send text register is the same schema."""
    client = client_of(server)
    subject, references = "shop/item.proto", [SchemaReference("shop/price.proto", "shop/price.proto", 1)]
    stored = client.get_version(subject, 1)
    checks.equal(client.register_schema(subject, Schema(ITEM_TEXT, "PROTOBUF", references)), stored.schema_id,
                 "registered as text: the same id")
    short = Schema(ITEM_TEXT.replace(".shop.Price", "Price"), "PROTOBUF", references)
    refused("lookup of another spelling", 404, 40403, lambda: client_of(server).lookup_schema(subject, short))
    checks.equal(client_of(server).lookup_schema(subject, short, normalize_schemas=True).version, 1,
                 "lookup of another spelling, normalized")
    checks.equal(client_of(server).get_versions(subject), [1], "and no other version")


def the_same_as_text_with_a_map(server):
    """In text from a descriptor a map is a field of entries, and only the normalized text has a map again."""
    ProtobufSerializer(Order1, client_of(server), {"normalize.schemas": True})(fill(Order1), value_of("normalized"))
    stored = client_of(server).get_latest_version("normalized-value")
    checks.true("map<string, int32> counts = 4;" in stored.schema.schema_str, "the map is back", stored.schema.schema_str)
    text = Schema(ORDER_1_TEXT, "PROTOBUF", [SchemaReference("shop/item.proto", "shop/item.proto", 1)])
    checks.equal(client_of(server).register_schema("normalized-value", text, normalize_schemas=True), stored.schema_id,
                 "registered as text, normalized: the same id")


def as_descriptor(server):
    for name, schema in (("a version", client_of(server).get_version(SUBJECT, 1, fmt="serialized").schema),
                         ("an id", client_of(server).get_schema(client_of(server).get_version(SUBJECT, 1).schema_id,
                                                                fmt="serialized"))):
        got = FileDescriptorProto.FromString(base64.b64decode(schema.schema_str))
        for each in (field for message in [*got.message_type, *got.message_type[0].nested_type] for field in message.field):
            each.ClearField("json_name")
            each.label = each.label
        checks.equal(list(got.message_type), list(ORDER_1.message_type), "format=serialized of %s: the messages" % name)
        checks.equal(list(got.dependency), list(ORDER_1.dependency), "format=serialized of %s: the imports" % name)


def lookup(server):
    known = ProtobufSerializer(Order1, client_of(server), {"auto.register.schemas": False})
    checks.equal(known(fill(Order1), value_of())[:5],
                 ProtobufSerializer(Order1, client_of(server))(fill(Order1), value_of())[:5],
                 "without auto registration: found by lookup, imports too")
    refused("lookup of a schema that is not there", 404, 40403,
            lambda: ProtobufSerializer(Order2, client_of(server), {"auto.register.schemas": False})(
                fill(Order2, note="x"), value_of()))
    refused("lookup under a subject that is not there", 404, 40401,
            lambda: ProtobufSerializer(Order1, client_of(server), {"auto.register.schemas": False})(
                fill(Order1), value_of("elsewhere")))


def evolution(server):
    client = client_of(server)
    old = ProtobufSerializer(Order1, client)(fill(Order1), value_of())
    new = ProtobufSerializer(Order2, client)(fill(Order2, note="hi"), value_of())
    checks.equal(client.get_versions(SUBJECT), [1, 2], "serialising evolves")
    checks.equal(client.get_versions("shop/item.proto"), [1], "an import that did not change gets no version")
    checks.equal(deserializer(Order2, server)(old, value_of()), fill(Order2), "old bytes for the new reader")
    checks.equal(deserializer(Order2, server)(new, value_of()), fill(Order2, note="hi"), "new bytes for the new reader")
    checks.equal(deserializer(Order1, server)(new, value_of()).id, 7, "new bytes for the old reader")
    refused("serialising with an incompatible schema", 409, 40901,
            lambda: ProtobufSerializer(OrderBad, client_of(server))(fill(OrderBad, note=1), value_of()))
    checks.equal(client.get_versions(SUBJECT), [1, 2], "the refused schema left nothing")


def compatibility(server):
    client = client_of(server)
    references = [SchemaReference("shop/item.proto", "shop/item.proto", 1)]
    for name, main, want in (("note as a string", ORDER_2, True), ("note as a fixed64", ORDER_BAD, False)):
        schema = Schema(base64.b64encode(main.SerializeToString()).decode(), "PROTOBUF", references)
        checks.equal(client.test_compatibility(SUBJECT, schema), want, "test compatibility: %s" % name)
    told = Http(server.url).post("/compatibility/subjects/%s/versions/latest?verbose=true" % segment(SUBJECT), {
        "schemaType": "PROTOBUF", "schema": base64.b64encode(ORDER_BAD.SerializeToString()).decode(),
        "references": [{"name": "shop/item.proto", "subject": "shop/item.proto", "version": 1}]}).json
    checks.true(any("FIELD_SCALAR_KIND_CHANGED" in each for each in told["messages"]), "the difference is named", repr(told))


def latest_version(server):
    latest = {"auto.register.schemas": False, "use.latest.version": True}
    data = ProtobufSerializer(Order1, client_of(server), latest)(fill(Order1), value_of())
    newest = client_of(server).get_latest_version(SUBJECT)
    checks.equal((newest.version, data[1:5]), (2, newest.schema_id.to_bytes(4, "big")), "the latest version is used")
    reader = ProtobufDeserializer(Order1, {"use.latest.version": True}, client_of(server))
    checks.equal(reader(data, value_of()), fill(Order1), "and read back with the latest version as the reader's")


def known_types_as_references(server):
    """With `skip.known.types` off the client registers the well-known files as well."""
    conf = {"skip.known.types": False}
    data = ProtobufSerializer(Order1, client_of(server), conf)(fill(Order1), value_of("all-files"))
    names = [r.name for r in client_of(server).get_latest_version("all-files-value").schema.references]
    checks.equal(names, list(ORDER_1.dependency), "well-known files registered and referred to")
    checks.equal(deserializer(Order1, server)(data, value_of("all-files")), fill(Order1), "round trip with them")


def nested_message(server):
    inner = DescriptorProto(name="Inner", field=[field("name", 1, "string", oneof_index=0, proto3_optional=True)])
    inner.oneof_decl.add(name="_name")
    first = DescriptorProto(name="First", field=[field("id", 1, "int32")])
    second = DescriptorProto(name="Second", nested_type=[inner], field=[field("inner", 1, ".shop.Second.Inner")])
    pool = DescriptorPool()
    pool.Add(file("shop/nested.proto", [], first, second))
    kind = GetMessageClass(pool.FindMessageTypeByName("shop.Second.Inner"))
    data = ProtobufSerializer(kind, client_of(server))(kind(name=""), value_of("nested"))
    # Zigzag: two indexes, 1 and 0.
    checks.equal(data[5:8], bytes([4, 2, 0]), "a nested message: the path to it")
    got = deserializer(kind, server)(data, value_of("nested"))
    checks.true(got == kind(name="") and got.HasField("name"), "its round trip, an optional field set to nothing", repr(got))


def deleted_import(server):
    client = client_of(server)
    refused("delete an import in use", 422, 42206, lambda: client.delete_version("shop/price.proto", 1))
    client.delete_subject(SUBJECT)
    data = ProtobufSerializer(Order1, client_of(server))(fill(Order1), value_of("again"))
    checks.equal(deserializer(Order1, server)(data, value_of("again")), fill(Order1), "under another subject: round trip")


def refused(what, status, code, call):
    """The call fails with this HTTP status and error code."""
    try:
        got = call()
    except SchemaRegistryError as error:
        checks.equal((error.http_status_code, error.error_code), (status, code), "%s: %d / %d" % (what, status, code))
    else:
        checks.true(False, what, "no error but %r" % (got,))


def main():
    print("confluent-kafka[protobuf] %s" % client_version)
    with tempfile.TemporaryDirectory() as work, Serve("--listen", "127.0.0.1:0", "--data", work) as server:
        def named(step):
            def run():
                step(server)
            run.__name__ = step.__name__
            return run

        steps = [round_trip, the_same_as_text, the_same_as_text_with_a_map, as_descriptor, lookup, evolution,
                 compatibility, latest_version, known_types_as_references, nested_message, deleted_import]
        checks.run(*map(named, steps))
        checks.equal(server.stop(), 0, "the server stops cleanly")
    checks.finish("confluent-kafka[protobuf]")


if __name__ == "__main__":
    main()
