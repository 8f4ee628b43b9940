"""The community's Python client (python-schema-registry-client) against `serve`; its requests differ in many small ways."""
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from served.checks import Checks
from served.serve import Serve
from schema_registry.client import SchemaRegistryClient, schema
from schema_registry.serializers import AvroMessageSerializer

checks = Checks()
FIELDS = [{"name": "id", "type": "long"}]
NOTE = {"name": "note", "type": ["null", "string"], "default": None}
TOTAL = {"name": "total", "type": "double"}


def order(*more):
    return schema.AvroSchema({"type": "record", "name": "Order", "fields": [*FIELDS, *more]})


def main():
    print("python-schema-registry-client %s" % version("python-schema-registry-client"))
    with tempfile.TemporaryDirectory() as work, Serve("--listen", "127.0.0.1:0", "--data", work) as server:
        client = SchemaRegistryClient(url=server.url)

        def everything():
            first = client.register("orders-value", order())
            checks.equal(client.register("orders-value", order(NOTE)), first + 1, "register and evolve")
            checks.equal(client.get_versions("orders-value"), [1, 2], "versions")
            checks.equal(client.check_version("orders-value", order()).version, 1, "lookup")
            checks.equal(client.get_by_id(first).flat_schema["name"], "Order", "schema by id")
            checks.equal(client.get_schema("orders-value").version, 2, "latest version")
            checks.equal(client.test_compatibility("orders-value", order(NOTE)), True, "compatible")
            checks.equal(client.test_compatibility("orders-value", order(NOTE, TOTAL)), False, "incompatible")
            checks.equal(client.get_compatibility(), "BACKWARD", "level at the top, by the path with a slash at its end")
            checks.true(client.update_compatibility("FULL", subject="orders-value"), "set the level of a subject")
            checks.equal(client.get_compatibility("orders-value"), "FULL", "level of the subject")
            serializer = AvroMessageSerializer(SchemaRegistryClient(url=server.url))
            data = serializer.encode_record_with_schema("orders", order(NOTE), {"id": 1, "note": "x"})
            checks.equal(serializer.decode_message(data), {"id": 1, "note": "x"}, "round trip")
            checks.equal(client.delete_version("orders-value", 1), 1, "delete a version")
            checks.equal(client.delete_subject("orders-value"), [2], "delete a subject")
            checks.equal(client.get_subjects(), ["orders"], "list of subjects")

        checks.run(everything)
    checks.finish("python-schema-registry-client")


if __name__ == "__main__":
    main()
