"""A chain of 10,000 references, where the settings allow it: in bounded time and memory, and without a stack that overflows."""
import links
from links import KINDS, body, of
from served.serve import Serve
from served.wire import Http

LENGTH = 10_000
# What the other languages have in the test command, where time is short; all of it with --latency.
SHORT = 1_500
SETTINGS = {"REGISTRAR_MAX_REFERENCE_CLOSURE": "20000"}


def ask(http, checks, kind, context, last):
    """All that leads through the whole chain."""
    top, subject = body(kind, "Top", [last]), "/contexts/%s/subjects/top" % context
    check = "/contexts/%s/compatibility/subjects/top/versions?verbose=true" % context
    for what, wants, answer in [
        ("registered", {200}, http.post(subject + "/versions", top)),
        ("registered again", {200}, http.post(subject + "/versions", top)),
        ("looked up", {200}, http.post(subject, top)),
        ("looked up, normalised", {200, 404}, http.post(subject + "?normalize=true", top)),
        ("checked", {200}, http.post(check, top)),
        ("checked against another", {200}, http.post(check, body(kind, "Top", [last, "C0"]))),
        ("read", {200}, http.get(subject + "/versions/1")),
        ("read, resolved", {200}, http.get(subject + "/versions/1?format=resolved")),
        ("read, serialized", {200}, http.get(subject + "/versions/1?format=serialized")),
        ("read in the middle", {200}, http.get(of(context, "C999") + "/1?format=resolved")),
    ]:
        checks.true(answer.status in wants, "%s: on top of the chain, %s" % (kind, what), repr(answer)[:300])


def long_chains(checks, peak, whole):
    """In each language, on a server of its own. `peak` gives the megabytes of a server. How many inputs it were, and the
    highest peak."""
    tried, highest = 0, 0
    for kind in KINDS:
        with Serve("--listen", "127.0.0.1:0", "--in-memory", env=SETTINGS) as server:
            host, _, port = server.address.rpartition(":")
            http, context = Http(server.url, timeout=120), "chain"
            names = ["C%d" % n for n in range(LENGTH if whole or kind == "AVRO" else SHORT)]
            uses = {names[n]: names[n - 1:n] if n else [] for n in reversed(range(len(names)))}
            statuses = links.lay((host, int(port)), http, context, kind, uses, 1)
            checks.equal(set(statuses), {200}, "%s: a chain of %d" % (kind, len(names)))
            http.put("/mode/:.%s:" % context, {"mode": "READWRITE"})
            checks.run(lambda: ask(http, checks, kind, context, names[-1]))
            tried, highest = tried + 10, max(highest, peak(server))
            http.connection.close()
            checks.equal(server.stop(), 0, "%s: the process has survived it" % kind)
    return tried, highest
