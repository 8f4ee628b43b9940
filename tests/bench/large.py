"""One large schema, and one subject of many versions, in the registry that has grown. Both give lines of Markdown."""
import statistics
import threading
import time

from bench import say
from load import incompressible, register
from measure import cost
from trips import typical

HEAD = ["| | round trips (calls) | ms at the median |", "|---|---|---:|"]


def measured(bench, requests, prepare=lambda client: None):
    """Rows of a table. `requests` gives anew name, rounds, and a function that makes the request; they are made once for
    the time, and after `prepare` once more for the round trips."""
    client, times = bench.client(), {}
    for what, rounds, request in requests():
        times[what] = [cost(client, what, *request()) for _ in range(rounds)]
    memory = bench.memory()
    client, trace = bench.traced()
    prepare(client)
    trips = {}
    for what, rounds, request in requests():
        trips[what] = typical([cost(client, what, *request(), trace=trace) for _ in range(min(rounds, 3))])
    bench.restart()
    rows = ["| %s | %d (%d) | %.1f |" % (what, *trips[what], statistics.median(took)) for what, took in times.items()]
    return rows, memory


def large_schema(bench, size=4_000_000):
    """One schema of 4 MB that hardly compresses: registered, read, found, deleted."""
    text, path = incompressible(size), "/subjects/large"
    known = {}

    def by_id():
        known.setdefault("id", bench.client().get(path + "/versions/latest").json["id"])
        return "GET", "/schemas/ids/%d" % known["id"], None

    def requests():
        body = {"schema": text}
        known.clear()
        return (("register", 1, lambda: ("POST", path + "/versions", body)),
                ("register, already there", 5, lambda: ("POST", path + "/versions", body)),
                ("schema by id", 5, by_id),
                ("latest version", 5, lambda: ("GET", path + "/versions/latest", None)),
                ("lookup", 5, lambda: ("POST", path, body)),
                ("compatibility check", 5, lambda: ("POST", "/compatibility%s/versions/latest" % path, body)),
                ("soft-delete", 1, lambda: ("DELETE", path, None)),
                ("delete for good", 1, lambda: ("DELETE", path + "?permanent=true", None)))

    rows, memory = measured(bench, requests)
    say("one schema of 4 MB")
    return [*HEAD, *rows, "", "The process had %.0f MB at most." % memory[1]]


def version(number):
    """A schema that is compatible with all others of its kind."""
    fields = ['{"name":"id","type":"long"}', '{"name":"added_%d","type":["null","string"],"default":null}' % number]
    return '{"type":"record","name":"Busy","fields":[%s]}' % ",".join(fields)


def large_subject(bench, versions):
    """Fills one subject, measures it at its full size, and deletes it while readers look on."""
    client, path = bench.client(), "/subjects/busy"
    times = []
    for number in range(1, versions + 1):
        began = time.perf_counter()
        register(client, "busy", version(number))
        times.append((time.perf_counter() - began) * 1000)
    say("one subject of %d versions" % versions)
    step = max(1, versions // 20)
    filled = ["| registering versions {:,} to {:,} | | {:.1f} |".format(
        start + 1, start + step, statistics.median(times[start:start + step]))
        for start in (0, versions // 2, versions - step)]
    new, gone = iter(range(versions + 1, 2 * versions)), iter(range(1, versions // 2))

    def requests():
        def post(where, number):
            return "POST", where, {"schema": version(number)}
        known, check = versions // 2, "/compatibility" + path + "/versions"
        return (("register the next version", 20, lambda: post(path + "/versions", next(new))),
                ("register, already there", 50, lambda: post(path + "/versions", known)),
                ("lookup", 50, lambda: post(path, known)),
                ("latest version", 50, lambda: ("GET", path + "/versions/latest", None)),
                ("version in the middle", 50, lambda: ("GET", path + "/versions/%d" % known, None)),
                ("compatibility check with the latest", 50, lambda: post(check + "/latest", 0)),
                ("set the config FULL_TRANSITIVE", 1,
                 lambda: ("PUT", "/config/busy", {"compatibility": "FULL_TRANSITIVE"})),
                ("compatibility check with all", 3, lambda: post(check, 0)),
                ("register, compared with all", 3, lambda: post(path + "/versions", next(new))),
                ("delete the config", 1, lambda: ("DELETE", "/config/busy", None)),
                ("list versions", 10, lambda: ("GET", path + "/versions", None)),
                ("soft-delete the latest version", 10, lambda: ("DELETE", path + "/versions/latest", None)),
                ("soft-delete a version in the middle", 10,
                 lambda: ("DELETE", path + "/versions/%d" % next(gone), None)))

    rows, memory = measured(bench, requests)
    deleted = [delete_beside_readers(bench, path, query) for query in ("", "?permanent=true")]
    again = register(bench.client(), "busy", version(1))
    number = bench.client().get(path + "/versions").json
    say("deleted; id %d, versions %r registered afterwards" % (again["id"], number))
    return [*HEAD, *filled, *rows, "", *deleted,
            "The process had %.0f MB at most before, %.0f MB in the deletes." % (memory[1], bench.memory()[1])]


def delete_beside_readers(bench, path, query):
    """Deletes a subject while two clients list its versions over and over: each list is whole, or there is none."""
    listing = path + "/versions" + ("?deleted=true" if query else "")
    before = len(bench.client().get(listing).json)
    seen, stop = [], threading.Event()

    def reader():
        client, is_last = bench.client(), False
        while not is_last:
            # One list begins after the delete was answered.
            is_last = stop.is_set()
            answer = client.get(listing)
            seen.append(len(answer.json) if answer.status == 200 else 0)

    readers = [threading.Thread(target=reader) for _ in range(2)]
    for thread in readers:
        thread.start()
    began = time.perf_counter()
    answer = bench.client().delete(path + query)
    took = (time.perf_counter() - began) * 1000
    stop.set()
    for thread in readers:
        thread.join()
    if answer.status != 200 or len(answer.json) != before or set(seen) != {before, 0}:
        raise RuntimeError("%r; readers saw %r versions of %d" % (answer, sorted(set(seen)), before))
    return ("Deleted%s with %s versions in %.0f ms, beside two clients that listed them %d times: %d lists had all, %d "
            "none, 0 some.  " % (" for good" if query else "", "{:,}".format(before), took, len(seen),
                                 seen.count(before), seen.count(0)))
