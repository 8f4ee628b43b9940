"""Data contracts of the official Python client against `serve`: CEL and JSONata rules, tags, metadata, contexts.

The rules run in the client. What the registry has to do is to keep them, to tell contents with other rules apart, and to
find versions by their metadata.
"""
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from confluent_kafka import __version__ as client_version
from confluent_kafka.schema_registry import (Metadata, MetadataProperties, MetadataTags, Rule, RuleKind, RuleMode, RuleParams,
                                             RuleSet, Schema, SchemaRegistryClient, ServerConfig)
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.schema_registry.error import SchemaRegistryError
from confluent_kafka.schema_registry.json_schema import JSONDeserializer, JSONSerializer
from confluent_kafka.schema_registry.rules.cel.cel_executor import CelExecutor
from confluent_kafka.schema_registry.rules.cel.cel_field_executor import CelFieldExecutor
from confluent_kafka.schema_registry.rules.jsonata.jsonata_executor import JsonataExecutor
from confluent_kafka.schema_registry.serde import RuleConditionError
from confluent_kafka.serialization import MessageField, SerializationContext, SerializationError
from served.checks import Checks
from served.serve import Serve
from served.wire import Http

checks = Checks()
LATEST = {"auto.register.schemas": False, "use.latest.version": True}


def rule(name, kind, mode, rule_type, expr, **more):
    members = {"doc": None, "tags": None, "params": None, "on_success": None, "on_failure": None, "disabled": False, **more}
    return Rule(name=name, kind=kind, mode=mode, type=rule_type, expr=expr, **members)


def condition(name, expr, mode=RuleMode.WRITE, **more):
    return rule(name, RuleKind.CONDITION, mode, "CEL", expr, **more)


def transform(name, expr, mode=RuleMode.WRITE, **more):
    return rule(name, RuleKind.TRANSFORM, mode, "CEL_FIELD", expr, **more)


def domain(*rules):
    return RuleSet(migration_rules=None, domain_rules=list(rules))


def properties(**values):
    return Metadata(tags=None, properties=MetadataProperties(values), sensitive=None)


def record(name, *fields):
    return json.dumps({"type": "record", "name": name, "namespace": "shop", "fields": list(fields)})


def string(name, **more):
    return {"name": name, "type": "string", **more}


def value_of(topic):
    return SerializationContext(topic, MessageField.VALUE)


def refused_by_rule(what, call):
    try:
        got = call()
    except SerializationError as error:
        checks.true(isinstance(error.__cause__, RuleConditionError), what, repr(error.__cause__))
    else:
        checks.true(False, what, "no error but %r" % (got,))


class Registry:
    """A running server; each client has nothing in its cache, so that it asks again."""

    def __init__(self, server):
        self.url = server.url

    def client(self, path=""):
        return SchemaRegistryClient({"url": self.url + path})

    def write(self, topic, value, conf=None, path=""):
        return AvroSerializer(self.client(path), None, conf=conf or LATEST)(value, value_of(topic))

    def read(self, topic, data, conf=None, path=""):
        return AvroDeserializer(self.client(path), conf=conf)(data, value_of(topic))

    def stored(self, subject, version="latest"):
        """A version as the registry gives it, without a client in between."""
        return Http(self.url).get("/subjects/%s/versions/%s" % (subject, version)).json


def cel(registry):
    """A condition on what is written, and a transformation of string fields."""
    schema = record("Order", string("site"), {"name": "size", "type": "int"})
    rules = domain(condition("notEmpty", "message.size > 0"), transform("mark", "typeName == 'STRING' ; value + '!'"))
    registry.client().register_schema("cel-value", Schema(schema, "AVRO", rule_set=rules))
    found = registry.client().get_latest_version("cel-value").schema.rule_set.domain_rules
    checks.equal([(r.name, r.kind, r.mode, r.type, r.expr) for r in found],
                 [("notEmpty", RuleKind.CONDITION, RuleMode.WRITE, "CEL", "message.size > 0"),
                  ("mark", RuleKind.TRANSFORM, RuleMode.WRITE, "CEL_FIELD", "typeName == 'STRING' ; value + '!'")],
                 "cel: rules come back as they were given")
    data = registry.write("cel", {"site": "here", "size": 2})
    checks.equal(registry.read("cel", data), {"site": "here!", "size": 2}, "cel: fields are transformed")
    refused_by_rule("cel: a value that breaks a condition is refused", lambda: registry.write("cel", {"site": "here", "size": 0}))


def tags(registry):
    """A rule with tags is for tagged fields alone: tagged in the schema, or in its metadata."""
    schema = record("Person", string("name", **{"confluent:tags": ["PII"]}), string("town"), string("phone"))
    metadata = Metadata(tags=MetadataTags({"shop.Person.phone": ["PII"]}), properties=None, sensitive=None)
    rules = domain(transform("mask", "'***'", tags=["PII"]))
    registry.client().register_schema("tags-value", Schema(schema, "AVRO", metadata=metadata, rule_set=rules))
    stored = registry.stored("tags-value")
    checks.equal(json.loads(stored["schema"])["fields"][0]["confluent:tags"], ["PII"], "tags: kept in the schema")
    checks.equal(stored["metadata"], {"tags": {"shop.Person.phone": ["PII"]}}, "tags: kept in the metadata")
    checks.equal(stored["ruleSet"]["domainRules"][0]["tags"], ["PII"], "tags: kept in the rule")
    data = registry.write("tags", {"name": "Ada", "town": "Ely", "phone": "1815"})
    checks.equal(registry.read("tags", data), {"name": "***", "town": "Ely", "phone": "***"}, "tags: only tagged fields are masked")


def reading(registry):
    """Rules at reading, parameters, a rule that is switched off, and a failure that is let pass."""
    schema = record("Reading", string("text"))
    rules = domain(transform("on", "value + '-read'", RuleMode.READ, params=RuleParams({"k": "v"})),
                   condition("off", "false", disabled=True), condition("passes", "false", RuleMode.READ, on_failure="NONE"))
    registry.client().register_schema("reading-value", Schema(schema, "AVRO", rule_set=rules))
    stored = registry.stored("reading-value")["ruleSet"]["domainRules"]
    checks.equal([(r.get("params"), r["disabled"], r.get("onFailure")) for r in stored],
                 [({"k": "v"}, False, None), (None, True, None), (None, False, "NONE")], "reading: every member is kept")
    data = registry.write("reading", {"text": "a"})
    checks.equal(registry.read("reading", data), {"text": "a-read"}, "reading: the rule runs when it is read")


def json_schema(registry):
    schema = json.dumps({"type": "object", "properties": {"name": {"type": "string", "confluent:tags": ["PII"]},
                                                          "age": {"type": "integer"}}})
    rules = domain(condition("adult", "message.age >= 18"), transform("mask", "'***'", tags=["PII"]))
    registry.client().register_schema("people-value", Schema(schema, "JSON", rule_set=rules))

    def as_is(value, _):
        return value

    write = JSONSerializer(None, registry.client(), as_is, LATEST)
    data = write({"name": "Ada", "age": 36}, value_of("people"))
    back = JSONDeserializer(None, as_is, registry.client())(data, value_of("people"))
    checks.equal(back, {"name": "***", "age": 36}, "json: rules run on JSON Schema as well")
    refused_by_rule("json: a condition", lambda: write({"name": "Ada", "age": 9}, value_of("people")))


FULL_NAME = ('{"fullName": name}', '{"name": fullName}')
TWO_NAMES = ('{"first": $split(fullName, " ")[0], "last": $split(fullName, " ")[1]}', '{"fullName": first & " " & last}')


def migration(registry):
    """Three generations that no level would let follow each other; readers of each read what any of them wrote."""
    subject, client = "migration-value", registry.client()
    client.set_config(subject, ServerConfig(compatibility_group="generation"))

    def generation(number, expressions, *fields):
        modes = zip((RuleMode.UPGRADE, RuleMode.DOWNGRADE), expressions)
        rules = [rule(mode.value.lower(), RuleKind.TRANSFORM, mode, "JSONATA", expr) for mode, expr in modes]
        schema = Schema(record("Person", *map(string, fields)), "AVRO", metadata=properties(generation=str(number)),
                        rule_set=RuleSet(migration_rules=rules, domain_rules=None))
        client.register_schema(subject, schema)

    generation(1, (), "name")
    generation(2, FULL_NAME, "fullName")
    generation(3, TWO_NAMES, "first", "last")
    checks.equal(registry.client().get_versions(subject), [1, 2, 3], "migration: a group of its own for each generation")
    checks.equal([r["mode"] for r in registry.stored(subject)["ruleSet"]["migrationRules"]], ["UPGRADE", "DOWNGRADE"],
                 "migration: rules are kept by category")
    values = {1: {"name": "Ada Lovelace"}, 2: {"fullName": "Ada Lovelace"}, 3: {"first": "Ada", "last": "Lovelace"}}

    def at(number):
        return {"use.latest.with.metadata": {"generation": str(number)}}

    for wrote, value in values.items():
        data = registry.write("migration", value, {"auto.register.schemas": False, **at(wrote)})
        for reads, wanted in values.items():
            got = registry.read("migration", data, at(reads))
            checks.equal(got, wanted, "migration: written by generation %d, read by %d" % (wrote, reads))
    newest = registry.write("migration", values[3])
    checks.equal(registry.read("migration", newest, {"use.latest.version": True}), values[3], "migration: the latest version")


def rules_are_content(registry):
    """The same text with other rules is another content; without any it takes over what the latest version has."""
    client, schema = registry.client(), record("Rules", string("a"))
    first = client.register_schema("content-value", Schema(schema, "AVRO", rule_set=domain(condition("one", "true"))))
    again = registry.client().register_schema("content-value", Schema(schema, "AVRO", rule_set=domain(condition("one", "true"))))
    other = registry.client().register_schema("content-value", Schema(schema, "AVRO", rule_set=domain(condition("two", "true"))))
    checks.equal((again, first == other), (first, False), "content: rules tell contents apart")
    found = registry.client().lookup_schema("content-value", Schema(schema, "AVRO", rule_set=domain(condition("one", "true"))))
    checks.equal((found.schema_id, found.version), (first, 1), "content: lookup with rules")
    wider = record("Rules", string("a"), string("b", default=""))
    client.register_schema("content-value", Schema(wider, "AVRO"))
    stored = registry.stored("content-value")["ruleSet"]["domainRules"]
    checks.equal([r["name"] for r in stored], ["two"], "content: the next version inherits the rules")
    try:
        client.register_schema("content-value", Schema(schema, "AVRO", rule_set=domain(condition("", "true"))))
    except SchemaRegistryError as error:
        checks.equal((error.http_status_code, error.error_code), (422, 42210), "content: a rule without a name is refused")
    else:
        checks.true(False, "content: a rule without a name is refused")


def configured(registry):
    """Rules and metadata that the registry adds to what is registered."""
    client, subject = registry.client(), "configured-value"
    client.set_config(subject, ServerConfig(default_rule_set=domain(transform("default", "value + '1'")),
                                            override_rule_set=domain(transform("override", "value + '2'")),
                                            default_metadata=properties(owner="nobody", team="a"),
                                            override_metadata=properties(owner="platform")))
    config = registry.client().get_config(subject)
    checks.equal((config.default_rule_set.domain_rules[0].name, config.override_metadata.properties.properties),
                 ("default", {"owner": "platform"}), "configured: the configuration comes back")
    schema = Schema(record("Configured", string("a")), "AVRO", metadata=properties(mine="x", owner="me"),
                    rule_set=domain(transform("own", "value + '-'")))
    client.register_schema(subject, schema)
    stored = registry.stored(subject)
    checks.equal(stored["metadata"]["properties"], {"mine": "x", "owner": "platform", "team": "a"}, "configured: metadata")
    checks.equal([r["name"] for r in stored["ruleSet"]["domainRules"]], ["default", "own", "override"], "configured: rules in order")
    data = registry.write("configured", {"a": "v"})
    checks.equal(registry.read("configured", data), {"a": "v1-2"}, "configured: all of them run")


def contexts(registry):
    """A client whose base address is a context sees that context and nothing else."""
    path, topic, subject = "/contexts/.tenant", "ctx", "ctx-value"
    registry.client().register_schema(subject, Schema(record("Outside", string("a")), "AVRO"))
    inside = registry.client(path)
    first = inside.register_schema(subject, Schema(record("Inside", string("a")), "AVRO"))
    checks.equal(first, 1, "contexts: ids of its own")
    checks.equal(registry.client(path).get_subjects(), [":.tenant:ctx-value"], "contexts: only its own subjects are listed")
    checks.equal(registry.client().get_contexts(), [".", ".tenant"], "contexts: the list of contexts")
    checks.equal(registry.client(path).get_contexts(), [".", ".tenant"], "contexts: the same from inside")
    checks.equal(json.loads(registry.client(path).get_schema(first).schema_str)["name"], "Inside", "contexts: schema by id")
    checks.equal(registry.client().get_latest_version(":.tenant:ctx-value").schema_id, first, "contexts: seen from outside")
    inside.set_compatibility(subject, "NONE")
    checks.equal(registry.client(path).get_compatibility(subject), "NONE", "contexts: level of a subject")
    try:
        registry.client().get_compatibility(subject)
    except SchemaRegistryError as error:
        checks.equal(error.error_code, 40408, "contexts: and not that of the same name outside")
    else:
        checks.true(False, "contexts: and not that of the same name outside")
    inside.set_compatibility(level="FULL")
    checks.equal((registry.client(path).get_compatibility(), registry.client().get_compatibility()), ("FULL", "BACKWARD"),
                 "contexts: level of a context")
    rules = domain(transform("mark", "value + '!'"))
    registry.client(path).register_schema(subject, Schema(record("Ruled", string("a")), "AVRO", rule_set=rules))
    data = registry.write(topic, {"a": "x"}, path=path)
    checks.equal(registry.read(topic, data, path=path), {"a": "x!"}, "contexts: round trip with a rule")
    checks.equal(registry.client(path).delete_subject(subject), [1, 2], "contexts: delete")
    checks.equal(registry.client(path).get_subjects(), [], "contexts: nothing is left inside")
    checks.true(subject in registry.client().get_subjects(), "contexts: and all is left outside")


def main():
    print("confluent-kafka[rules] %s" % client_version)
    for executor in (CelExecutor, CelFieldExecutor, JsonataExecutor):
        executor.register()
    with tempfile.TemporaryDirectory() as work, Serve("--listen", "127.0.0.1:0", "--data", work) as server:
        registry = Registry(server)

        def named(step):
            def run():
                step(registry)
            run.__name__ = step.__name__
            return run

        steps = [cel, tags, reading, json_schema, migration, rules_are_content, configured, contexts]
        checks.run(*map(named, steps))
        checks.equal(server.stop(), 0, "the server stops cleanly")
    checks.finish("confluent-kafka[rules]")


if __name__ == "__main__":
    main()
