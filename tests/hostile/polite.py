"""A client that does what clients do, in a process of its own, and measures how long each request takes.

What it measures is kept by phase: a request belongs to the one in which it began.
"""
import http.client
import json
import multiprocessing
import time

TYPE = "application/vnd.schemaregistry.v1+json"
PAUSE = 0.002
PATIENCE = 300
# Versions of one subject, so that what it asks for costs the same from beginning to end.
VERSIONS = 50


def record(fields):
    return json.dumps({"type": "record", "name": "Polite", "fields": fields})


FIELDS = [{"name": "f%d" % n, "type": ["null", "string"], "default": None} for n in range(10)]


def requests(number):
    """A round of requests: what it takes to read and to write with a registry. (method, path, body, what the answer has)."""
    known = json.dumps({"schema": record(FIELDS)})
    compatible = json.dumps({"schema": record(FIELDS + [{"name": "g", "type": "int", "default": 0}])})
    new = json.dumps({"schema": record(FIELDS + [{"name": "n%d" % number, "type": "int", "default": 0}])})
    version = number % VERSIONS + 1
    own = "s-%d" % (number // VERSIONS)
    rows = [
        ("GET", "/subjects/known/versions/1", None, {"version": 1}),
        ("GET", "/schemas/ids/1", None, {}),
        ("POST", "/subjects/known/versions", known, {}),
        ("POST", "/subjects/known", known, {"id": 1}),
        ("POST", "/compatibility/subjects/known/versions/latest", compatible, {"is_compatible": True}),
        ("POST", "/subjects/%s/versions" % own, new, {"version": version}),
        ("GET", "/subjects/%s/versions/%d" % (own, version), None, {"version": version}),
        ("GET", "/config/known?defaultToGlobal=true", None, {}),
        ("GET", "/subjects?subjectPrefix=%s" % own, None, None),
    ]
    return [(method, "/contexts/polite" + path, body, has) for method, path, body, has in rows]


def settle(http):
    """What it needs to be there. It lives in a context of its own, since the modes and levels of all others are attacked."""
    http.put("/contexts/polite/mode", {"mode": "READWRITE"})
    http.put("/contexts/polite/config", {"compatibility": "BACKWARD"})
    return http.post("/contexts/polite/subjects/known/versions", {"schema": record(FIELDS)}).status


def right(answer, body, has):
    if answer.status != 200:
        return False
    return has is None or all(json.loads(body)[name] == value for name, value in has.items())


def run(address, phase, stop, count, times, wrong):
    connection = http.client.HTTPConnection(*address, timeout=60)
    headers = {"Content-Type": TYPE, "Accept": TYPE}
    number = 0
    while not stop.value:
        for method, path, body, has in requests(number):
            during, began = phase.value, time.perf_counter()
            try:
                connection.request(method, path, body, headers if body else {"Accept": TYPE})
                answer = connection.getresponse()
                said = answer.read()
                taken = time.perf_counter() - began
                if not right(answer, said, has):
                    wrong.put("%s %s: %d %s" % (method, path, answer.status, said[:200]))
            except (OSError, http.client.HTTPException) as error:
                taken = time.perf_counter() - began
                wrong.put("%s %s after %.1f s: %r" % (method, path, taken, error))
                connection.close()
            times.put((during, taken))
            with count:
                count.value += 1
                count.changed.notify_all()
            time.sleep(PAUSE)
        number += 1
    times.put(None)


class Count:
    """How many requests were made, which another process can wait for."""

    def __init__(self):
        self.shared = multiprocessing.Value("L", 0, lock=False)
        self.changed = multiprocessing.Condition()

    def __enter__(self):
        self.changed.acquire()
        return self

    def __exit__(self, *_):
        self.changed.release()

    @property
    def value(self):
        return self.shared.value

    @value.setter
    def value(self, value):
        self.shared.value = value


class Polite:
    """The client, and what it measured by phase, in seconds."""

    def __init__(self, address):
        self.phase, self.stop, self.count = multiprocessing.Value("i", 0), multiprocessing.Value("b", 0), Count()
        self.wrong = multiprocessing.Queue()
        self.measured, self.names, self.times = multiprocessing.Queue(), ["start"], {}
        self.process = multiprocessing.Process(
            target=run, args=(address, self.phase, self.stop, self.count, self.measured, self.wrong), daemon=True)
        self.process.start()

    def enter(self, name):
        """What begins from now on is of this phase. The number of requests so far, for `since`."""
        self.names.append(name)
        self.phase.value = len(self.names) - 1
        return self.count.value

    def since(self, count):
        """How many requests have been answered since there were so many."""
        return self.count.value - count

    def wait(self, count, more):
        """Waits until so many more have been answered."""
        with self.count:
            done = self.count.changed.wait_for(lambda: self.since(count) >= more, PATIENCE)
        if not done:
            raise TimeoutError("the other client is not answered")

    def _take(self, found):
        self.times.setdefault(self.names[found[0]], []).append(found[1])

    def collect(self):
        """Takes in what has been measured so far."""
        while not self.measured.empty():
            self._take(self.measured.get())

    def finish(self):
        """Ends the client. What it was answered wrongly."""
        self.stop.value = 1
        while (found := self.measured.get()) is not None:
            self._take(found)
        wrong = []
        while not self.wrong.empty():
            wrong.append(self.wrong.get())
        self.process.join(10)
        return wrong


def percentile(times, share):
    """The time that this share of the requests was done in, in milliseconds; none without requests."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000 if ordered else None
