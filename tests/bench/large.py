"""One large schema, and one subject of many versions."""
import statistics
import threading
import time

from load import incompressible, register

STEP = 250


def timed(send, *arguments):
    """The answer and the milliseconds that it took."""
    began = time.perf_counter()
    answer = send(*arguments)
    return answer, (time.perf_counter() - began) * 1000


def large_schema(bench, say, size=4_000_000):
    """Registers, reads and finds one schema of 4 MB that hardly compresses."""
    client, text = bench.client(), incompressible(size)
    first, took = timed(client.post, "/subjects/large/versions", {"schema": text})
    say("a schema of %.1f MB: registered in %.0f ms (status %d)" % (len(text) / 1e6, took, first.status))
    if first.status != 200:
        raise RuntimeError(repr(first))
    for what, send, *arguments in (
            ("registered again", client.post, "/subjects/large/versions", {"schema": text}),
            ("read by id", client.get, "/schemas/ids/%d" % first.json["id"]),
            ("latest version read", client.get, "/subjects/large/versions/latest"),
            ("looked up", client.post, "/subjects/large", {"schema": text}),
            ("checked", client.post, "/compatibility/subjects/large/versions/latest", {"schema": text}),
            ("deleted", client.delete, "/subjects/large"),
            ("deleted for good", client.delete, "/subjects/large?permanent=true")):
        times = [timed(send, *arguments)[1] for _ in range(1 if "deleted" in what else 5)]
        say("  %s in %.0f ms at the median" % (what, statistics.median(times)))
    say("  memory %.0f MB, highest %.0f" % bench.memory())


def version(number):
    """A schema that is compatible with all others of its kind."""
    fields = ['{"name":"id","type":"long"}', '{"name":"added_%d","type":["null","string"],"default":null}' % number]
    return '{"type":"record","name":"Busy","fields":[%s]}' % ",".join(fields)


def large_subject(bench, say, versions):
    """Fills one subject, measures it at its full size, and deletes it while readers look on."""
    client, path = bench.client(), "/subjects/busy"
    times = []
    for number in range(1, versions + 1):
        times.append(timed(register, client, "busy", version(number))[1])
    for start in (0, versions // 2, versions - STEP):
        say("one subject, registering versions %d to %d: %.1f ms at the median"
            % (start + 1, start + STEP, statistics.median(times[start:start + STEP])))
    new = iter(range(versions + 1, 2 * versions))
    for what, rounds, request in (
            ("register the next version", 20, lambda: ("POST", path + "/versions", {"schema": version(next(new))})),
            ("register, already there", 50, lambda: ("POST", path + "/versions", {"schema": version(7)})),
            ("lookup", 50, lambda: ("POST", path, {"schema": version(7)})),
            ("latest version", 50, lambda: ("GET", path + "/versions/latest", None)),
            ("version in the middle", 50, lambda: ("GET", path + "/versions/%d" % (versions // 2), None)),
            ("compatibility check with the latest", 50,
             lambda: ("POST", "/compatibility" + path + "/versions/latest", {"schema": version(0)})),
            ("compatibility check with all", 3,
             lambda: ("POST", "/compatibility" + path + "/versions", {"schema": version(0)})),
            ("list versions", 10, lambda: ("GET", path + "/versions", None)),
            ("soft-delete the latest version", 10, lambda: ("DELETE", path + "/versions/latest", None)),
            ("soft-delete a version in the middle", 10,
             lambda: ("DELETE", path + "/versions/%d" % (next(new) - versions), None))):
        made = [request() for _ in range(rounds)]
        took = []
        for method, target, body in made:
            answer, time_taken = timed(lambda: client.send(method, target, body))
            if answer.status != 200:
                raise RuntimeError("%s: %r" % (what, answer))
            took.append(time_taken)
        say("  at %d versions: %s %.1f ms" % (versions, what, statistics.median(took)))
    delete_beside_readers(bench, say, path, "")
    delete_beside_readers(bench, say, path, "?permanent=true")
    say("  register afterwards: version %d" % first_after(client))
    say("  memory %.0f MB, highest %.0f" % bench.memory())


def first_after(client):
    register(client, "busy", version(1))
    return client.get("/subjects/busy/versions").json[0]


def delete_beside_readers(bench, say, path, query):
    """Deletes a subject while two clients list its versions over and over: each list is whole, or there is none."""
    listing = path + "/versions" + ("?deleted=true" if query else "")
    before = len(bench.client().get(listing).json)
    seen, stop = [], threading.Event()

    def reader():
        client = bench.client()
        while not stop.is_set():
            answer = client.get(listing)
            seen.append(len(answer.json) if answer.status == 200 else 0)

    readers = [threading.Thread(target=reader) for _ in range(2)]
    for thread in readers:
        thread.start()
    answer, took = timed(bench.client().delete, path + query)
    stop.set()
    for thread in readers:
        thread.join()
    if answer.status != 200 or len(answer.json) != before or not set(seen) <= {before, 0}:
        raise RuntimeError("%r; readers saw %r versions of %d" % (answer, sorted(set(seen)), before))
    say("  deleted%s with %d versions in %.0f ms, beside %d lists: %d with all, %d with none, 0 with some"
        % (" for good" if query else "", before, took, len(seen), seen.count(before), seen.count(0)))
