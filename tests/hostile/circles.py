"""Circles of references: an import that writes over a version can close one. What a client can do with it, and how it ends."""
import itertools

import links
from links import KINDS, body, of
from raw import Bad, request

# Each in a context of its own, so that they can be made again.
NUMBERS = itertools.count()
FORMATS = ["", "?format=resolved", "?format=serialized", "?format=ignore_extensions", "?referenceFormat=qualified", "?deleted=true"]


def one(http, attack, checks, kind, size):
    """A circle of so many schemas."""
    context = "circle-%d" % next(NUMBERS)
    what = "%s: a circle of %d" % (kind, size)
    names = ["C%d" % n for n in range(size)]
    uses = {name: [names[(n + 1) % size]] for n, name in enumerate(names)}
    statuses = links.lay(attack.address, http, context, kind, uses, 1)
    # A version cannot be written over by what refers to it. An Avro schema says everything it names, so that it cannot
    # be read if it is not there yet; the other two languages only point to it.
    closed = size > 1 and kind != "AVRO"
    checks.equal(statuses, [200] * (2 * size - 1) + [200 if closed else 422], what + ", laid")
    http.put("/mode/:.%s:" % context, {"mode": "READWRITE"})
    subject = "/contexts/%s/subjects/c0" % context
    check = "/contexts/%s/compatibility/subjects/c0/versions?verbose=true" % context
    same, other = body(kind, "C0", uses["C0"]), body(kind, "C0")
    asks = [request("GET", "%s/1%s" % (of(context, name), how)) for name in names for how in FORMATS]
    asks += [request("GET", of(context, "C0") + "/1/" + how) for how in ("schema", "schema?format=resolved", "referencedby")]
    asks += [request("GET", "/schemas?subjectPrefix=:.%s:&deleted=true" % context), request("GET", subject + "/metadata?key=a&value=b")]
    bads = [Bad("%s, read: %s" % (what, ask[:80]), ask, "ok") for ask in asks]
    bads += [Bad("%s, %s" % (what, path), request("POST", path, said), "ok")
             for path in (subject + "/versions", subject, subject + "?normalize=true", check, check + "&normalize=true")
             for said in (same, other, body(kind, "C0", ["C0"]), body(kind, "C0", names))]
    top = request("POST", of(context, "Top"), body(kind, "Top", ["C0"]))
    bads += [Bad(what + ", on top of it", top, 200)]
    attack.kind(what, bads)
    if not closed:
        return
    for name in names:
        answer = http.delete(of(context, name) + "/1")
        checks.equal((answer.status, answer.json["error_code"]), (422, 42206), "%s: %s stays" % (what, name))
    leave(http, checks, what, context, kind, names)


def leave(http, checks, what, context, kind, names):
    """The way out: an import that writes over one of the schemas without its references. Then each can go, and all that
    was laid on top, from those that nothing refers to."""
    checks.equal(http.put("/mode/:.%s:?force=true" % context, {"mode": "IMPORT"}).status, 200, what + ": to be imported into")
    answer = http.post(of(context, "C0"), body(kind, "C0", id=900_000, version=1))
    checks.equal(answer.status, 200, what + ": opened by an import")
    # What was registered on top of the circle goes first, then the circle from where it was opened.
    listed = http.get("/contexts/%s/subjects/c0/versions" % context).json
    http.delete("/contexts/%s/subjects/top" % context)
    http.delete("/contexts/%s/subjects/top?permanent=true" % context)
    for version in reversed([version for version in listed if version != 1]):
        for how in ("", "?permanent=true"):
            answer = http.delete("%s/%d%s" % (of(context, "C0"), version, how))
            checks.equal(answer.status, 200, "%s: version %d on top goes" % (what, version))
    for name in names[1:] + names[:1]:
        subject = "/contexts/%s/subjects/%s" % (context, name.lower())
        gone = [http.delete(subject).status, http.delete(subject + "?permanent=true").status]
        checks.equal(gone, [200, 200], "%s: %s goes" % (what, name))
    checks.equal(http.delete("/contexts/" + context).status, 204, what + ": nothing is left")


def circles(http, attack, checks):
    for kind in KINDS:
        for size in (1, 2, 3):
            one(http, attack, checks, kind, size)
