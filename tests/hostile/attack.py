"""Sends bad inputs and looks at the answers; and sends good ones, from as many connections, for comparison."""
import json
import threading

from raw import Closed, Wire, request

THREADS = 4


class Attack:
    """Only what is wrong is printed, and a count."""

    def __init__(self, address, checks):
        self.address, self.checks, self.lock = address, checks, threading.Lock()
        self.tried, self.faults, self.wrong = 0, 0, []

    def kind(self, what, bads, threads=THREADS):
        """All of one kind, from several connections at a time."""
        bads = list(bads)
        left, before = iter(bads), (self.tried, len(self.wrong))
        workers = [threading.Thread(target=self._work, args=(left,)) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.checks.true(len(self.wrong) == before[1], "%s: %d inputs" % (what, self.tried - before[0]),
                         "; ".join(self.wrong[before[1]:][:5]))

    def _next(self, left):
        with self.lock:
            return next(left, None)

    def _work(self, left):
        wire = None
        while (bad := self._next(left)) is not None:
            wire = wire or Wire(self.address)
            try:
                closing = self.one(wire, bad)
            except (Closed, OSError) as error:
                closing = True
                if bad.wants != "any":
                    self.note(bad, "no answer: %r" % error)
            if closing:
                wire.close()
                wire = None

    def note(self, bad, what):
        with self.lock:
            self.wrong.append("%s: %s" % (bad.what, what))

    def one(self, wire, bad):
        """One input; true if the connection is of no more use."""
        with self.lock:
            self.tried += 1
        wire.send(bad.raw)
        if bad.wants == "any":
            wire.socket.shutdown(1)
        closing = bad.wants == "any"
        for _ in range(bad.answers):
            status, headers, body = wire.answer(head_only=bad.raw.startswith(b"HEAD"))
            self.judge(bad, status, headers, body)
            closing |= headers.get("connection") == "close"
        return closing or status == 413

    def judge(self, bad, status, headers, body):
        if status >= 500 and status != 505:
            with self.lock:
                self.faults += 1
        if bad.wants != "any" and bad.wrong(status) or status >= 500 and status != 505:
            self.note(bad, "%d %s" % (status, body[:300].decode("utf-8", "replace")))
        if status >= 400 and not bad.raw.startswith(b"HEAD"):
            try:
                said = json.loads(body)
                whole = isinstance(said["error_code"], int) and isinstance(said["message"], str)
            except (ValueError, KeyError, TypeError):
                whole = False
            if not whole:
                self.note(bad, "%d with the body %r" % (status, body[:200]))
            elif bad.says and bad.says not in said["message"]:
                self.note(bad, "%d does not name %s: %s" % (status, bad.says, said["message"][:300]))


class Harmless:
    """Good clients, as many as attack otherwise, and as busy: they take as much of the machine, and ask what the measured one
    asks. What is felt beside them is normal, so that what is judged is what hostile input adds to the same load."""

    def __init__(self, address, requests):
        self.stop, self.wrong = threading.Event(), []
        self.workers = [threading.Thread(target=self._work, args=(address, requests)) for _ in range(THREADS)]

    def __enter__(self):
        for worker in self.workers:
            worker.start()
        return self

    def _work(self, address, requests):
        wire = Wire(address)
        while not self.stop.is_set():
            for method, path, body in requests:
                wire.send(request(method, path, body))
                status, _, said = wire.answer()
                if status != 200:
                    self.wrong.append("%s %s: %d %s" % (method, path, status, said[:200]))
        wire.close()

    def __exit__(self, *_):
        self.stop.set()
        for worker in self.workers:
            worker.join()
