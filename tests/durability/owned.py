"""What one client of the kill test knows of a subject that nobody else writes: its state after each request.

A state is `(versions, level)`: by number `(id, text, live)`, and the subject's own compatibility level. An id that was not
answered yet is None. Each request comes with the state that it leads to, so a client that dies with its server knows two
states of which one must be there afterwards.
"""
import json

from served.wire import segment

EMPTY = ({}, None)
LEVELS = ("NONE", "BACKWARD", "FORWARD_TRANSITIVE", "FULL_TRANSITIVE")
BASE = {"name": "test.Base", "subject": "base", "version": 1}


def record(name, *fields):
    """Records of one name are compatible in any level: their fields may be left out."""
    fields = [field if isinstance(field, dict) else {"name": field, "type": ["null", "string"], "default": None}
              for field in fields]
    return json.dumps({"type": "record", "name": name, "fields": fields}, separators=(",", ":"))


class Step:
    """A request, the state it leads to, and what its answer must be."""

    def __init__(self, method, path, body, state, expect):
        self.method, self.path, self.body, self.state, self.expect = method, path, body, state, expect

    def answered(self, body):
        """The state after an answer, or None if the answer is wrong."""
        versions, level = self.state
        if self.expect(body):
            return {n: (body["id"] if i is None else i, text, live) for n, (i, text, live) in versions.items()}, level
        return None


class Owned:
    """A subject of one client, and its state as far as it is known."""

    def __init__(self, name, kind, ids=None):
        self.name, self.kind, self.ids, self.state, self.made = name, kind, ids, EMPTY, 0
        self.path = "/subjects/" + segment(name)

    def step(self, dice):
        """The next request: mostly a new schema; what makes no sense in the state makes a new schema as well."""
        versions, level = self.state
        live = [n for n, (_, _, lives) in versions.items() if lives]
        dead = [n for n in versions if n not in live]
        draw = dice.random()
        if self.ids:
            return self.imported(dice)
        if draw < 0.12 and live:
            return self.known(dice.choice(live))
        if draw < 0.2 and dead:
            return self.again(dice.choice(dead))
        if draw < 0.32 and live:
            return self.soft(dice.choice(live))
        if draw < 0.4 and dead:
            return self.purge(dice.choice(dead))
        if draw < 0.47 and live:
            return self.soft_subject(live)
        if draw < 0.53 and dead and not live:
            return self.purge_subject()
        if draw < 0.6:
            return self.configure(dice.choice(LEVELS))
        if draw < 0.63 and level:
            return self.unconfigure()
        return self.new()

    def text(self):
        self.made += 1
        fields = ["f_%s_%d" % ("".join(c if c.isalnum() else "_" for c in self.name), self.made)]
        if self.kind == "ref":
            fields.append({"name": "base", "type": ["null", "test.Base"], "default": None})
        return record("Owned", *fields)

    def register(self, text, number, known_id, **more):
        versions, level = self.state
        body = {"schema": text, **more}
        if self.kind == "ref":
            body["references"] = [BASE]
        state = ({**versions, number: (known_id, text, True)}, level)
        return Step("POST", self.path + "/versions", body, state, lambda got: (
            got["version"] == number and got["id"] == (known_id or got["id"])))

    def new(self):
        return self.register(self.text(), max(self.state[0], default=0) + 1, None)

    def imported(self, dice):
        number, given = max(self.state[0], default=0) + dice.randint(1, 3), next(self.ids)
        return self.register(self.text(), number, given, id=given, version=number)

    def known(self, number):
        known_id, text, _ = self.state[0][number]
        # Of several live versions with one content the highest is answered; there is only one here.
        return self.register(text, number, known_id)

    def again(self, number):
        """Brings a content back under a new number; the deleted versions that had it go (rest-api.md §6.1)."""
        versions, level = self.state
        known_id, text, _ = versions[number]
        there = [n for n, (_, other, live) in versions.items() if live and other == text]
        if there:
            return self.register(text, there[0], known_id)
        step = self.register(text, max(versions) + 1, known_id)
        left = {n: row for n, row in step.state[0].items() if row[2] or row[1] != text}
        step.state = (left, level)
        return step

    def soft(self, number):
        versions, level = self.state
        state = ({**versions, number: (*versions[number][:2], False)}, level)
        return Step("DELETE", "%s/versions/%d" % (self.path, number), None, state, lambda got: got == number)

    def purge(self, number):
        versions, level = self.state
        left = {n: row for n, row in versions.items() if n != number}
        path = "%s/versions/%d?permanent=true" % (self.path, number)
        return Step("DELETE", path, None, (left, level if left else None), lambda got: got == number)

    def soft_subject(self, live):
        versions, level = self.state
        state = ({n: (i, text, False) for n, (i, text, _) in versions.items()}, level)
        return Step("DELETE", self.path, None, state, lambda got: got == sorted(live))

    def purge_subject(self):
        every = sorted(self.state[0])
        return Step("DELETE", self.path + "?permanent=true", None, EMPTY, lambda got: got == every)

    def configure(self, level):
        state, path = (self.state[0], level), "/config/" + segment(self.name)
        return Step("PUT", path, {"compatibility": level}, state, lambda got: got == {"compatibility": level})

    def unconfigure(self):
        state, path, old = (self.state[0], None), "/config/" + segment(self.name), self.state[1]
        return Step("DELETE", path, None, state, lambda got: got["compatibilityLevel"] == old)

    def observed(self, client):
        """The state that the server shows."""
        def numbers(query):
            answer = client.get(self.path + "/versions" + query)
            return answer.json if answer.status == 200 else []

        live, versions = set(numbers("")), {}
        for number in numbers("?deleted=true"):
            row = client.get("%s/versions/%d?deleted=true" % (self.path, number)).json
            versions[number] = (row["id"], row["schema"], number in live)
        config = client.get("/config/" + segment(self.name))
        return versions, config.json["compatibilityLevel"] if config.status == 200 else None


def fits(state, observed):
    """Whether what is observed is the state, ids that were not answered aside."""
    (versions, level), (seen, seen_level) = state, observed
    known = {n: (seen[n][0] if i is None and n in seen else i, text, live) for n, (i, text, live) in versions.items()}
    return known == seen and level == seen_level
