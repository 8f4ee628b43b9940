"""Schemas that refer to others, in each language, and a way to lay references where a registration would refuse them."""
import json

from raw import Wire, request

KINDS = ("AVRO", "JSON", "PROTOBUF")
BATCH = 250


def text(kind, name, used=()):
    """A schema of this name that uses those; `name` is letters and digits."""
    if kind == "AVRO":
        fields = [{"name": "f%d" % n, "type": one} for n, one in enumerate(used)] or [{"name": "f", "type": "int"}]
        return json.dumps({"type": "record", "name": name, "fields": fields})
    if kind == "JSON":
        return json.dumps({"title": name, "properties": {"f%d" % n: {"$ref": one} for n, one in enumerate(used)}})
    imports = "".join('import "%s";' % one for one in used)
    fields = "".join("%s f%d = %d;" % (one, n, n + 1) for n, one in enumerate(used))
    return 'syntax="proto3";%smessage %s{%s}' % (imports, name, fields)


def body(kind, name, used=(), **more):
    """A registration; what is used has the version 1 of a subject of its name in lower case."""
    to = [{"name": one, "subject": one.lower(), "version": 1} for one in used]
    return {"schemaType": kind, "schema": text(kind, name, used), "references": to, **more}


def of(context, name):
    return "/contexts/%s/subjects/%s/versions" % (context, name.lower())


def send_all(address, requests):
    """Sends requests on one connection, many at a time. The statuses."""
    wire, statuses = Wire(address), []
    for at in range(0, len(requests), BATCH):
        part = requests[at:at + BATCH]
        wire.send(b"".join(part))
        statuses += [wire.answer()[0] for _ in part]
    wire.close()
    return statuses


def lay(address, http, context, kind, uses, first_id):
    """Imports all schemas without references, and then writes over them, in the order of `uses` (name: names used). So
    none is longer than what is below it at that time. The statuses."""
    http.put("/mode/:.%s:?force=true" % context, {"mode": "IMPORT"})
    plain = [request("POST", of(context, name), body(kind, name, id=first_id + n, version=1)) for n, name in enumerate(uses)]
    ids = first_id + len(uses)
    over = [request("POST", of(context, name), body(kind, name, used, id=ids + n, version=1))
            for n, (name, used) in enumerate(uses.items()) if used]
    # A connection that nothing is sent on is closed after a minute, and this may take longer; it is opened anew when needed.
    http.connection.close()
    return send_all(address, plain) + send_all(address, over)
