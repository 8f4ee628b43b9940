"""How the registry behaves as it grows: 100,000 subjects with 300,000 versions in `serve` on disk (docs/SIZE.md).

    python3 tests/bench/size.py [--sizes 1000,10000,100000] [--versions 5000] [--rounds 100] [--data DIR]

Loads through the API over several connections, and at each size prints load rate, size of the files, memory, and the
round trips and times of each operation; then the same of one subject of many versions, of one schema of 4 MB, and of
the deletion of the large subject beside readers. Takes an hour or so; needs a few GB of disk (REGISTRAR_BIN, or the
release build).
"""
import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import operations
from large import large_schema, large_subject
from load import PROCESSES, VERSIONS, load
from operations import Trace, late, least, middle
from served.serve import Serve
from served.wire import Http

TRACED_ROUNDS = 12


class Bench:
    """A data folder, and the process that serves it."""

    def __init__(self, data, log):
        self.data, self.log, self.server = data, log, None

    def start(self, traced=False):
        """Starts the process anew; gives the milliseconds until it was ready."""
        env = {"RUST_LOG": "registrar_embedded=trace"} if traced else {}
        log = open(self.log, "wb") if traced else None
        self.server = Serve("--listen", "127.0.0.1:0", "--data", self.data, env=env, log=log)
        return self.server.ready_ms

    def stop(self):
        self.server.stop()
        self.server.process.stdout.close()

    def restart(self, traced=False):
        self.stop()
        return self.start(traced)

    def client(self):
        return Http(self.server.url, timeout=600)

    def memory(self):
        """Resident memory now and at its highest, in MB."""
        lines = Path("/proc/%d/status" % self.server.process.pid).read_text().splitlines()
        fields = dict(line.split(":", 1) for line in lines)
        return tuple(int(fields[field].split()[0]) / 1024 for field in ("VmRSS", "VmHWM"))

    def megabytes(self):
        return sum(path.stat().st_size for path in Path(self.data).iterdir()) / 1e6


def say(text):
    print("%s  %s" % (time.strftime("%H:%M:%S"), text), flush=True)


def grow(bench, sizes, rounds):
    """Loads up to each size and measures there; gives a row of figures and the costs of the operations for each."""
    figures, costs, loaded = [], [], 0
    for size in sizes:
        seconds = load(bench.server.url, loaded, size)
        rate, memory = (size - loaded) * VERSIONS / seconds, bench.memory()
        loaded = size
        say("%d subjects: %.0f s, %.0f registrations a second, memory %.0f MB (highest %.0f)"
            % (size, seconds, rate, *memory))
        opened = bench.restart()
        times = operations.measure(bench.client(), size, rounds, seed=1)
        served = bench.memory()
        bench.restart(traced=True)
        client, trace = bench.client(), Trace(bench.log)
        trips = operations.measure(client, size, TRACED_ROUNDS, seed=2, trace=trace)
        bench.restart()
        figures.append((size, size * VERSIONS, rate, bench.megabytes(), memory[1], served[0], opened))
        costs.append({what: (*least(trips[what]), middle(took), late(took)) for what, took in times.items()})
        say("measured at %d subjects" % size)
    return figures, costs


def print_growth(sizes, figures, costs):
    print("\n| subjects | versions | registrations/s | files, MB | memory while loading, MB | after a restart and the "
          "operations below, MB | start, ms |\n|---:|---:|---:|---:|---:|---:|---:|")
    for row in figures:
        print("| {:,} | {:,} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |".format(*row))
    print("\n| operation | %s |\n|---|%s" % (" | ".join("{:,} subjects".format(size) for size in sizes),
                                           "---|" * len(sizes)))
    for what in costs[0]:
        cells = ["%d (%d) · %.1f · %.1f" % at[what] for at in costs]
        print("| %s | %s |" % (what, " | ".join(cells)))
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--versions", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--data", help="keep the data in this folder, which must not be there yet")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(options.data or os.path.join(work, "data"), os.path.join(work, "log"))
        if os.path.exists(bench.data):
            sys.exit("%s is there already" % bench.data)
        bench.start()
        say("loading over %d connections into %s" % (PROCESSES, bench.data))
        try:
            figures, costs = grow(bench, sizes, options.rounds)
            print_growth(sizes, figures, costs)
            large_schema(bench, say)
            large_subject(bench, say, options.versions)
        finally:
            bench.stop()


if __name__ == "__main__":
    main()
