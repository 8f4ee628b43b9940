"""A client that does what clients do, in a process of its own, and measures how long each request takes."""
import http.client
import json
import multiprocessing
import time

TYPE = "application/vnd.schemaregistry.v1+json"
PAUSE = 0.002


def record(fields):
    return json.dumps({"type": "record", "name": "Polite", "fields": fields})


FIELDS = [{"name": "f%d" % n, "type": ["null", "string"], "default": None} for n in range(10)]


def requests():
    """A round of requests: what it takes to read and to write with a registry."""
    known = json.dumps({"schema": record(FIELDS)})
    new = json.dumps({"schema": record(FIELDS + [{"name": "g", "type": "int", "default": 0}])})
    return [
        ("GET", "/subjects/polite/versions/latest", None),
        ("GET", "/schemas/ids/1", None),
        ("POST", "/subjects/polite/versions", known),
        ("POST", "/subjects/polite", known),
        ("POST", "/compatibility/subjects/polite/versions/latest", new),
        ("GET", "/config/polite?defaultToGlobal=true", None),
        ("GET", "/subjects?subjectPrefix=polite", None),
    ]


def run(address, phase, stop, times, wrong):
    connection = http.client.HTTPConnection(*address, timeout=60)
    headers = {"Content-Type": TYPE, "Accept": TYPE}
    while not stop.value:
        for method, path, body in requests():
            during, began = phase.value, time.perf_counter()
            try:
                connection.request(method, path, body, headers if body else {"Accept": TYPE})
                answer = connection.getresponse()
                answer.read()
                if answer.status != 200:
                    wrong.put("%s %s: %d" % (method, path, answer.status))
            except (OSError, http.client.HTTPException) as error:
                wrong.put("%s %s, kind %d, after %.1f s: %r" % (method, path, phase.value // 2, time.perf_counter() - began, error))
                connection.close()
            taken = time.perf_counter() - began
            # What began in one phase and ended in another belongs to neither.
            if during == phase.value:
                times.put((during, taken))
            time.sleep(PAUSE)
    times.put(None)


class Polite:
    """The client, and what it measured by phase."""

    def __init__(self, address):
        self.phase, self.stop = multiprocessing.Value("i", 0), multiprocessing.Value("b", 0)
        self.wrong = multiprocessing.Queue()
        self.measured, self.names, self.times = multiprocessing.Queue(), ["start"], {}
        self.process = multiprocessing.Process(
            target=run, args=(address, self.phase, self.stop, self.measured, self.wrong), daemon=True)
        self.process.start()

    def enter(self, name):
        """What is measured from now on is of this phase."""
        self.names.append(name)
        self.phase.value = len(self.names) - 1

    def collect(self):
        """Takes in what has been measured so far."""
        while not self.measured.empty():
            found = self.measured.get()
            if found is not None:
                self.times.setdefault(self.names[found[0]], []).append(found[1])

    def finish(self):
        """Ends the client. What it was answered wrongly."""
        self.stop.value = 1
        while (found := self.measured.get()) is not None:
            self.times.setdefault(self.names[found[0]], []).append(found[1])
        wrong = []
        while not self.wrong.empty():
            wrong.append(self.wrong.get())
        self.process.join(10)
        return wrong


def percentile(times, share):
    """The time that this share of the requests was done in, in milliseconds; none without requests."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000 if ordered else None
