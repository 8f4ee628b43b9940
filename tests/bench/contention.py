"""Many writers of one subject at once: how long until all have their answer (`docs/SIZE.md`).

    python3 tests/bench/contention.py [WRITERS] [ROUNDS]

Starts `serve` on disk (REGISTRAR_BIN, or the release build); each round registers as many new schemas at once into a
subject of its own, over as many connections.
"""
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from served.wire import Http
from served.serve import Serve

WRITERS, ROUNDS = 100, 5


def one_round(url, subject, writers):
    """Seconds until the last answer, the slowest single one, and the answers by status."""
    gate, times, statuses = threading.Barrier(writers + 1), [], []

    def writer(number):
        client = Http(url)
        client.get("/mode")
        text = '{"type":"record","name":"R","fields":[{"name":"f%d","type":["null","int"],"default":null}]}' % number
        gate.wait()
        began = time.monotonic()
        status = client.post("/subjects/%s/versions" % subject, {"schema": text}).status
        times.append(time.monotonic() - began)
        statuses.append(status)

    threads = [threading.Thread(target=writer, args=(i,)) for i in range(writers)]
    for thread in threads:
        thread.start()
    gate.wait()
    began = time.monotonic()
    for thread in threads:
        thread.join()
    return time.monotonic() - began, max(times), {status: statuses.count(status) for status in set(statuses)}


def main():
    numbers = [int(argument) for argument in sys.argv[1:]]
    writers, rounds = (numbers + [WRITERS, ROUNDS][len(numbers):])[:2]
    with tempfile.TemporaryDirectory() as work, Serve("--listen", "127.0.0.1:0", "--data", work + "/data") as server:
        done = [one_round(server.url, "s%d" % i, writers) for i in range(rounds)]
        for all_in, slowest, statuses in done:
            print("%d writers: all answered after %.2f s, slowest answer %.2f s, statuses %s"
                  % (writers, all_in, slowest, statuses))
        print("median: %.2f s" % statistics.median(all_in for all_in, _, _ in done))
        server.stop()


if __name__ == "__main__":
    main()
