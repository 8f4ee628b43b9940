"""What the size bench asks of a registry: every kind of request, by name.

A request is a name, method, path, body, and the status that is expected where it is not 200.
"""
import itertools
import random
from urllib.parse import quote

from load import VERSIONS, name, schema

# Round trips and calls of these may differ from size to size. All others' must not: `size.py` fails if they do.
GROWS = {
    "list all subjects": "reads the directory of every context, a page of 1 MB for each round trip",
    "list subjects, page of 10": "the same",
    "list subjects, deleted ones too": "the same",
    "list schemas, page of 10": "the same, then what is on the page",
    "delete every mode": "the same, in search of modes",
}
# These read many subjects, or contexts, side by side, and of each one thing after the other. The log does not tell which
# call waited for which, so the longest chain in it is only a bound; their calls are what must be the same.
SIDE_BY_SIDE = {
    "list schemas of a prefix (30)", "list the latest schemas of a prefix (10)", "list schemas by associations",
    *GROWS,
}
NAMESPACE = "com.example.orders"
# Imported ids are far apart, so that the counter, which follows them, does not reach the next.
IMPORTED = itertools.count(1_000_000_000, 1_000_000)


class Some:
    """Chooses among subjects that are there, and ids and guids of a sample of them."""

    def __init__(self, client, subjects, seed, many=200):
        self.dice, self.subjects = random.Random(seed), subjects
        # So that all rounds, and all sizes, have as many contexts.
        client.post("/contexts", {"name": ".bench"})
        found = [client.get("/subjects/%s/versions/latest" % self.subject()).json for _ in range(many)]
        self.versions = [(version["subject"], version["id"], version["guid"]) for version in found]

    def subject(self):
        return name(self.dice.randrange(self.subjects))

    def version(self):
        """Subject, id and guid of a version."""
        return self.dice.choice(self.versions)

    def id(self):
        return self.version()[1]


def reads(some):
    """Requests of subjects, ids and guids that are there; each is of another one."""
    def known(path):
        subject = some.subject()
        return path % subject, {"schema": schema(subject, some.dice.randint(1, VERSIONS))}

    def new(path):
        subject = some.subject()
        return path % subject, {"schema": schema(subject, VERSIONS + 1)}

    return [*_of_ids(some), *_of_subjects(some), *_unknown(), *_settings(some), *_lists(some),
            ("lookup", "POST", *known("/subjects/%s")),
            ("lookup, normalised", "POST", *known("/subjects/%s?normalize=true")),
            ("register, already there", "POST", *known("/subjects/%s/versions")),
            ("compatibility check with the latest", "POST", *new("/compatibility/subjects/%s/versions/latest")),
            ("compatibility check with version 1", "POST", *new("/compatibility/subjects/%s/versions/1")),
            ("compatibility check as registering does", "POST", *new("/compatibility/subjects/%s/versions"))]


def _of_ids(some):
    subject, of_subject, _ = some.version()
    guid = some.version()[2]
    return [
        ("schema by id", "GET", "/schemas/ids/%d" % some.id(), None),
        ("schema by id, of a subject", "GET", "/schemas/ids/%d?subject=%s" % (of_subject, subject), None),
        ("schema by id, with the highest id", "GET", "/schemas/ids/%d?fetchMaxId=true" % some.id(), None),
        ("text of an id", "GET", "/schemas/ids/%d/schema" % some.id(), None),
        ("subjects of an id", "GET", "/schemas/ids/%d/subjects" % some.id(), None),
        ("versions of an id", "GET", "/schemas/ids/%d/versions" % some.id(), None),
        ("schema by guid", "GET", "/schemas/guids/" + guid, None),
        ("ids of a guid", "GET", "/schemas/guids/%s/ids" % guid, None)]


def _of_subjects(some):
    paths = {
        "latest version": "/subjects/%s/versions/latest",
        "version 1": "/subjects/%s/versions/1",
        "text of a version": "/subjects/%s/versions/2/schema",
        "list versions": "/subjects/%s/versions",
        "what refers to a version, nothing": "/subjects/%s/versions/1/referencedby",
        "associations of a subject, none": "/associations/subjects/%s",
    }
    return [(what, "GET", path % some.subject(), None) for what, path in paths.items()]


def _unknown():
    """What searches the other contexts as well, of which there are as many at every size."""
    return [("latest version of an unknown subject", "GET", "/subjects/nobody/versions/latest", None, 404),
            ("an unknown id", "GET", "/schemas/ids/2147483647", None, 404),
            ("lookup in an unknown subject", "POST", "/subjects/nobody", {"schema": '"int"'}, 404)]


def _settings(some):
    paths = {
        "config, global": "/config",
        "config of a subject that has none, global by default": "/config/%s?defaultToGlobal=true" % some.subject(),
        "config of a context that has none, global by default": "/config/:.none:?defaultToGlobal=true",
        "mode, global": "/mode",
        "mode of a subject that has none, global by default": "/mode/%s?defaultToGlobal=true" % some.subject(),
        "mode of a context that has none, global by default": "/mode/:.none:?defaultToGlobal=true",
    }
    return [(what, "GET", path, None) for what, path in paths.items()]


def _lists(some):
    prefix = quote(some.subject()[:-1])
    paths = {
        "list subjects of a prefix (10)": "/subjects?subjectPrefix=" + prefix,
        "list schemas of a prefix (30)": "/schemas?subjectPrefix=" + prefix,
        "list the latest schemas of a prefix (10)": "/schemas?latestOnly=true&subjectPrefix=" + prefix,
        "list contexts": "/contexts",
        "schema types": "/schemas/types",
    }
    return [(what, "GET", path, None) for what, path in paths.items()]


def writes(own):
    """Requests in the order in which they are made, on subjects and contexts whose names begin so; gone afterwards."""
    return [*_versions(own), *_referring(own), *_settings_of_subject(own), *_contracts(own), *_associations(own),
            *_deletes(own), *_imports(own), *_contexts(own)]


def _versions(own):
    path, text = "/subjects/%s/versions" % own, schema(own, 1)
    return [
        ("register, first version", "POST", path, {"schema": text}),
        ("register, second version", "POST", path, {"schema": schema(own, 2)}),
        ("register, normalised", "POST", path + "?normalize=true", {"schema": schema(own, 3)}),
        ("register, incompatible", "POST", path, {"schema": text.replace('"string"', '"long"', 1)}, 409)]


def _referring(own):
    path, type_name = "/subjects/%s-holder" % own, "%s.%s" % (NAMESPACE, own.replace("-", "_"))
    text = '{"type":"record","name":"Holder","namespace":"%s.holder","fields":[{"name":"held","type":"%s"}]}'
    body = {"schema": text % (type_name, type_name),
            "references": [{"name": type_name, "subject": own, "version": 1}]}
    return [
        ("register with a reference", "POST", path + "/versions", body),
        ("register with a reference, already there", "POST", path + "/versions", body),
        ("lookup with a reference", "POST", path, body),
        ("compatibility check with a reference", "POST", "/compatibility%s/versions/latest" % path, body),
        ("what refers to a version", "GET", "/subjects/%s/versions/1/referencedby" % own, None),
        ("soft-delete a version that is referred to", "DELETE", "/subjects/%s/versions/1" % own, None, 422),
        ("soft-delete the only version", "DELETE", path + "/versions/1", None),
        ("delete the only version for good", "DELETE", path + "/versions/1?permanent=true", None)]


def _settings_of_subject(own):
    check = "/compatibility/subjects/%s/versions" % own
    return [
        ("set the config of a subject", "PUT", "/config/" + own, {"compatibility": "FULL_TRANSITIVE"}),
        ("config of a subject", "GET", "/config/" + own, None),
        ("compatibility check with all (3)", "POST", check, {"schema": schema(own, 4)}),
        ("register, compared with all (3)", "POST", "/subjects/%s/versions" % own, {"schema": schema(own, 4)}),
        ("delete the config of a subject", "DELETE", "/config/" + own, None),
        ("set the mode of a subject", "PUT", "/mode/" + own, {"mode": "READONLY"}),
        ("mode of a subject", "GET", "/mode/" + own, None),
        ("register, read-only", "POST", "/subjects/%s/versions" % own, {"schema": schema(own, 5)}, 422),
        ("delete the mode of a subject", "DELETE", "/mode/" + own, None),
        ("set the alias of a subject", "PUT", "/config/%s-alias" % own, {"alias": own}),
        ("latest version, by an alias", "GET", "/subjects/%s-alias/versions/latest" % own, None),
        ("delete the alias of a subject", "DELETE", "/config/%s-alias" % own, None)]


def _contracts(own):
    """Metadata, rules and tags."""
    path = "/subjects/%s/versions" % own
    rule = {"name": "r", "kind": "CONDITION", "type": "CEL", "mode": "WRITE", "expr": "true"}
    record = {"schemaEntity": {"entityPath": "%s.%s" % (NAMESPACE, own.replace("-", "_")), "entityType": "sr_record"},
              "tags": ["PII"]}
    return [
        ("register with metadata and rules", "POST", path,
         {"schema": schema(own, 5), "metadata": {"properties": {"owner": "a"}}, "ruleSet": {"domainRules": [rule]}}),
        ("latest version with some metadata", "GET", "/subjects/%s/metadata?key=owner&value=a" % own, None),
        ("tag a version", "POST", path + "/latest/tags", {"tagsToAdd": [record]})]


def _associations(own):
    def of(**more):
        return {"resourceName": own, "resourceNamespace": "bench", "resourceId": own,
                "associations": [{"associationType": "value", **more}]}
    by_id, first = "/associations/resources/" + own, {"schema": '{"type":"string","of":"%s"}' % own}
    return [
        ("associate a resource", "POST", "/associations", of(subject=own)),
        ("associate it, as it is", "PUT", by_id, of(subject=own)),
        ("associations of a subject", "GET", "/associations/subjects/" + own, None),
        ("associations by resource id", "GET", by_id, None),
        ("associations by resource name", "GET", "/associations/resources/bench/" + own, None),
        ("associations by resource, as a query", "GET", "/associations?resourceNamespace=bench&resourceName=" + own, None),
        ("associations by resource, a batch of one", "POST", "/associations:batchGet",
         {"requests": [{"resourceId": own}]}, 207),
        ("list schemas by associations", "GET", "/schemas?resourceType=topic&subjectPrefix=" + own, None),
        ("end an association", "DELETE", by_id, None, 204),
        ("associate a resource, a batch of one", "POST", "/associations:batchMutate",
         {"requests": [of(subject=own, opType="CREATE")]}, 207),
        ("end associations of a resource", "DELETE", by_id + "?associationType=value", None, 204),
        ("associate a resource with its own subject", "POST", "/associations",
         of(lifecycle="STRONG", schema=first)),
        ("end it, and delete its own subject", "DELETE", by_id + "?cascadeLifecycle=true", None, 204)]


def _deletes(own):
    path = "/subjects/%s" % own
    return [
        ("soft-delete a version", "DELETE", path + "/versions/1", None),
        ("soft-delete the latest version", "DELETE", path + "/versions/latest", None),
        ("delete a version for good", "DELETE", path + "/versions/1?permanent=true", None),
        ("soft-delete a subject", "DELETE", path, None),
        ("delete a subject for good (5 versions)", "DELETE", path + "?permanent=true", None)]


def _imports(own):
    subject, number = own + "-import", next(IMPORTED)
    path = "/subjects/%s/versions" % subject
    body = {"schema": schema(subject, 1), "id": number, "version": 3}
    return [
        ("set the mode IMPORT", "PUT", "/mode/" + subject, {"mode": "IMPORT"}),
        ("import a first version", "POST", path, body),
        ("import what is there", "POST", path, body),
        ("import an earlier version", "POST", path, {"schema": schema(subject, 2), "id": number + 1, "version": 1}),
        ("leave the mode IMPORT", "DELETE", "/mode/" + subject, None),
        ("soft-delete an imported subject", "DELETE", "/subjects/" + subject, None),
        ("delete an imported subject for good (2 versions)", "DELETE", "/subjects/%s?permanent=true" % subject, None)]


def _contexts(own):
    context, at = ":.%s:" % own, "/contexts/.%s" % own
    return [
        ("create a context", "POST", "/contexts", {"name": "." + own, "description": "of the bench"}),
        ("a context", "GET", at, None),
        *_scope("a context", "/%s/" + context),
        ("register in a context", "POST", at + "/subjects/s/versions", {"schema": schema(own, 1)}),
        ("latest version in a context", "GET", at + "/subjects/s/versions/latest", None),
        ("schema by id in a context", "GET", at + "/schemas/ids/1", None),
        ("lookup in a context", "POST", at + "/subjects/s", {"schema": schema(own, 1)}),
        ("list subjects of a context", "GET", "/subjects?subjectPrefix=" + quote(context), None),
        ("soft-delete a subject in a context", "DELETE", at + "/subjects/s", None),
        ("delete a subject in a context for good (1 version)", "DELETE", at + "/subjects/s?permanent=true", None),
        ("delete a context", "DELETE", at, None, 204)]


def _scope(what, path):
    """Config and mode of a scope: set, read, deleted."""
    requests = []
    for kind, value in (("config", {"compatibility": "FULL"}), ("mode", {"mode": "READWRITE"})):
        requests += [("set the %s of %s" % (kind, what), "PUT", path % kind, value),
                     ("%s of %s" % (kind, what), "GET", path % kind, None),
                     ("delete the %s of %s" % (kind, what), "DELETE", path % kind, None)]
    return requests


def whole():
    """What concerns all subjects."""
    return [
        *_scope("everything", "/%s"),
        *_scope(":.__GLOBAL:", "/%s/:.__GLOBAL:"),
        ("list all subjects", "GET", "/subjects", None),
        ("list subjects, page of 10", "GET", "/subjects?offset=500&limit=10", None),
        ("list subjects, deleted ones too", "GET", "/subjects?deleted=true", None),
        ("list schemas, page of 10", "GET", "/schemas?offset=20&limit=10", None),
        ("delete every mode", "DELETE", "/mode?recursive=true", None)]


def requests(some, rounds):
    """All of them, `rounds` times; those of everything less often."""
    for turn in range(rounds):
        yield from reads(some)
        yield from writes("bench-%d-%d" % (some.subjects, next(IMPORTED)))
    for _ in range(max(5, rounds // 20)):
        yield from whole()
