"""Chains, circles and diamonds of references, as far as they can be made at all."""
import json

from raw import Bad, request


def schema(name, *used):
    fields = [{"name": "f%d" % n, "type": one} for n, one in enumerate(used)] or [{"name": "f", "type": "int"}]
    return json.dumps({"type": "record", "name": name, "fields": fields})


def to(*names, version=1):
    return [{"name": name, "subject": name.lower(), "version": version} for name in names]


def references(http, attack, checks):
    def register(name, *used, **more):
        return http.post("/subjects/%s/versions" % name.lower(), {"schema": schema(name, *used), "references": to(*used), **more})

    made = [register("Chain%d" % n, *["Chain%d" % (n - 1)][:n]).status for n in range(150)]
    checks.true(set(made) == {200}, "a chain of 150")
    for level in range(25):
        below = ["D%d_%d" % (level - 1, side) for side in (0, 1)] if level else []
        made = [register("D%d_%d" % (level, side), *below).status for side in (0, 1)]
    checks.equal(made, [200, 200], "diamonds, 25 upon each other")
    # 26 layers of 40, each of which refers to all of the layer below: what can be reached at once is 1,000.
    below, statuses = [], []
    for layer in range(27):
        names = ["W%d_%d" % (layer, n) for n in range(40 if layer < 25 else 1)]
        answers = [register(name, *below) for name in names]
        statuses += [answer.status for answer in answers]
        below = names
    last = answers[-1]
    checks.true(statuses == [200] * 1001 + [422] and "REGISTRAR_MAX_REFERENCE_CLOSURE" in last.json["message"],
                "a closure of 1,000 is the last", repr(last)[-500:])
    many = [{"name": "n%d" % n, "subject": "chain0", "version": 1} for n in range(41)]
    path = "/subjects/cycle/versions"
    body = lambda references, **more: {"schema": schema("Cycle"), "references": references, **more}
    itself = [{"name": "Cycle", "subject": "cycle", "version": 1}]
    bads = [
        Bad("41 references", request("POST", path, body(many)), 422, "REGISTRAR_MAX_REFERENCES"),
        Bad("10,000 references", request("POST", path, body(many * 250)), 422, "REGISTRAR_MAX_REFERENCES"),
        Bad("a reference to itself", request("POST", path, body(itself)), 422),
        Bad("a reference to itself, by version", request("POST", path, body(itself, version=1)), 422),
        Bad("a reference to the latest of nothing", request("POST", path, body([{**itself[0], "version": -1}])), 422),
    ]
    bads += [Bad("a reference to version %d" % version, request("POST", path, body([{**itself[0], "version": version}])), {400, 422})
             for version in (0, -2, 2147483647, -2147483648, 2 ** 31, 10 ** 30)]
    bads += [Bad("a reference to %r" % name, request("POST", path, body([{**itself[0], "subject": name}])), {400, 422})
             for name in ("", ":.:", ":.x:y", "S#x", "x" * 5000, "\x00", ":*:a")]
    attack.kind("references", bads)
    # A circle by import: what is referred to cannot go, and what is not there cannot be referred to.
    http.put("/mode/circle-a?force=true", {"mode": "IMPORT"})
    circle = [{"name": "B", "subject": "circle-b", "version": 1}]
    answer = http.post("/subjects/circle-a/versions", {"schema": schema("A", "B"), "references": circle, "id": 900_000, "version": 1})
    checks.equal(answer.status, 422, "an import that refers to what is not there")
    http.post("/subjects/circle-a/versions", {"schema": schema("A"), "id": 900_001, "version": 1})
    answer = http.post("/subjects/circle-b/versions", {"schema": schema("B", "A"), "references": [{"name": "A", "subject": "circle-a", "version": 1}]})
    checks.equal(answer.status, 200, "one end of a circle")
    for end in ("", "?permanent=true"):
        checks.equal(http.delete("/subjects/circle-a/versions/1" + end).status, 422, "what is referred to stays")
    answer = http.post("/subjects/circle-a/versions", {"schema": schema("A", "B"), "references": circle, "id": 900_002, "version": 1})
    checks.true(answer.status < 500, "an import that would close the circle: %d" % answer.status, repr(answer))
    answer = http.get("/schemas/ids/900002?format=resolved")
    checks.true(answer.status < 500, "read where the circle would be: %d" % answer.status, repr(answer))
