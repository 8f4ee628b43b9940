"""Chains, diamonds and layers of references up to the limit, and references to what is not there."""
import links
from links import body, of
from raw import Bad, request

LIMIT = 1000
LAYER = 20


def chains(http, attack, checks):
    """A chain whose last but one link reaches as much as is allowed; what would be laid on top of it."""
    context, kind = "chain", "AVRO"
    names = ["C%d" % n for n in range(LIMIT + 1)]
    uses = {names[n]: names[n - 1:n] for n in reversed(range(len(names)))}
    statuses = links.lay(attack.address, http, context, kind, uses, 1)
    checks.equal(set(statuses), {200}, "a chain of %d" % len(names))
    http.put("/mode/:.%s:" % context, {"mode": "READWRITE"})
    answer = http.post(of(context, "Top"), body(kind, "Top", [names[LIMIT - 1]]))
    checks.equal(answer.status, 200, "a schema that reaches %d" % LIMIT)
    over = body(kind, "Over", [names[LIMIT]])
    subject = "/contexts/%s/subjects/over" % context
    check = "/contexts/%s/compatibility/subjects/top/versions" % context
    bads = [Bad("one reference too far, %s" % path, request("POST", path, over), 422, "REGISTRAR_MAX_REFERENCE_CLOSURE")
            for path in (subject + "/versions", subject, check)]
    reads = [of(context, "Top") + "/1?format=" + what for what in ("", "resolved", "serialized")]
    bads += [Bad(path, request("GET", path), 200) for path in reads]
    attack.kind("references that reach too far", bads)


def diamonds(http, attack, checks):
    """Each level refers twice to the level below: 2^25 ways. And layers of 20, each of which refers to all of the one below."""
    context = "diamonds"
    names = [["D%dx%d" % (level, side) for side in (0, 1)] for level in range(25)]
    uses = {name: names[level - 1] if level else [] for level in reversed(range(25)) for name in names[level]}
    checks.equal(set(links.lay(attack.address, http, context, "AVRO", uses, 1)), {200}, "diamonds, 25 upon each other")
    context, layers = "layers", 10
    names = [["W%dx%d" % (layer, n) for n in range(LAYER)] for layer in range(layers)]
    uses = {name: names[layer - 1] if layer else [] for layer in reversed(range(layers)) for name in names[layer]}
    checks.equal(set(links.lay(attack.address, http, context, "AVRO", uses, 1)), {200}, "%d layers of %d" % (layers, LAYER))
    for context in ("diamonds", "layers"):
        http.put("/mode/:.%s:" % context, {"mode": "READWRITE"})
    top = body("AVRO", "Top", names[-1])
    bads = [Bad("diamonds", request("POST", of("diamonds", "Top"), body("AVRO", "Top", ["D24x0", "D24x1"])), 200),
            Bad("layers", request("POST", of("layers", "Top"), top), 200)]
    attack.kind("many ways to the same schemas", bads)


def wrong_targets(http, attack, checks):
    """References that are too many, to the schema itself, to versions and names that cannot be."""
    http.post("/subjects/target/versions", body("AVRO", "Target"))
    many = [{"name": "n%d" % n, "subject": "target", "version": 1} for n in range(41)]
    path = "/subjects/cycle/versions"
    made = lambda references, **more: {**body("AVRO", "Cycle"), "references": references, **more}
    itself = {"name": "Cycle", "subject": "cycle", "version": 1}
    bads = [
        Bad("41 references", request("POST", path, made(many)), 422, "REGISTRAR_MAX_REFERENCES"),
        Bad("10,000 references", request("POST", path, made(many * 250)), 422, "REGISTRAR_MAX_REFERENCES"),
        Bad("a reference to itself", request("POST", path, made([itself])), 422),
        Bad("a reference to itself, by version", request("POST", path, made([itself], version=1)), 422),
        Bad("a reference to the latest of nothing", request("POST", path, made([{**itself, "version": -1}])), 422),
    ]
    bads += [Bad("a reference to version %d" % version, request("POST", path, made([{**itself, "version": version}])), {400, 422})
             for version in (0, -2, 2147483647, -2147483648, 2 ** 31, 10 ** 30)]
    bads += [Bad("a reference to %r" % name, request("POST", path, made([{**itself, "subject": name}])), {400, 422})
             for name in ("", ":.:", ":.x:y", "S#x", "x" * 5000, "\x00", ":*:a")]
    attack.kind("references", bads)


def references(http, attack, checks):
    chains(http, attack, checks)
    diamonds(http, attack, checks)
    wrong_targets(http, attack, checks)
