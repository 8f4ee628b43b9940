"""How the registry behaves as it grows: 100,000 subjects with 300,000 versions in `serve` on disk (docs/SIZE.md).

    python3 tests/bench/size.py [--sizes 1000,10000,100000] [--versions 5000] [--rounds 50] [--data DIR] >figures.md

Loads through the API over several connections, and at each size measures load rate, size of the files, memory, and the
round trips and times of each operation; then the same of one subject of many versions, of one schema of 4 MB, and of
the deletion of the large subject beside readers. Prints them as the section of docs/SIZE.md that has the figures, and
fails if the round trips or calls of an operation that must be flat are not the same at all sizes. Takes a quarter of an hour or
more, by the speed of the disk, and a few GB of it (REGISTRAR_BIN, or the release build).
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import Bench, machine, say
from large import large_schema, large_subject
from load import PROCESSES, VERSIONS, load
from measure import late, measure, middle
from operations import GROWS, SIDE_BY_SIDE
from trips import typical

TRACED_ROUNDS = 8


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
        times = measure(bench.client(), size, rounds, seed=1)
        served = bench.memory()
        client, trace = bench.traced()
        trips = measure(client, size, TRACED_ROUNDS, seed=2, trace=trace)
        bench.restart()
        figures.append((size, size * VERSIONS, rate, bench.megabytes(), memory[1], served[1], opened))
        costs.append({what: (*typical(trips[what]), middle(took), late(took)) for what, took in times.items()})
        say("measured at %d subjects" % size)
    return figures, costs


def uneven(sizes, costs):
    """Lines that say which operation that must be flat has other round trips or calls at another size."""
    found = []
    for what in costs[0]:
        trips = [shown_trips(what, at) for at in costs]
        counted = [at[what][1] if what in SIDE_BY_SIDE else at[what][:2] for at in costs]
        if what not in GROWS and len(set(counted)) > 1:
            pairs = ", ".join("%s at %s" % (trip, "{:,}".format(size)) for trip, size in zip(trips, sizes))
            found.append("%s: round trips (calls) %s" % (what, pairs))
    return found


def shown_trips(what, at):
    return "%s%d (%d)" % ("≤ " if what in SIDE_BY_SIDE else "", *at[what][:2])


def growth(sizes, figures, costs):
    """The tables of the growing registry."""
    lines = ["| subjects | versions | registrations/s | files, MB | most memory while loading, MB | most memory in the "
             "operations below, MB | start, ms |", "|---:" * 7 + "|"]
    lines += ["| {:,} | {:,} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |".format(*row) for row in figures]
    heads = ["{:,}".format(size) for size in sizes]
    lines += ["", "Round trips, with the calls that they consist of, then milliseconds at the median and the 95th "
              "percentile, client included; at as many subjects as the head of the column says:", "",
              "| operation | trips %s | ms %s |" % (" | trips ".join(heads), " | ms ".join(heads)),
              "|---" * (1 + 2 * len(sizes)) + "|"]
    for what in costs[0]:
        trips = [shown_trips(what, at) for at in costs]
        times = ["%.1f · %.1f" % at[what][2:] for at in costs]
        lines.append("| %s%s | %s |" % (what, " *" if what in GROWS else "", " | ".join(trips + times)))
    flat = [what for what in costs[0] if what not in GROWS]
    wrong = uneven(sizes, costs)
    lines += ["", "Where chains of calls run side by side, the log gives only a bound of the round trips (≤).", "",
              "%d operations; of %d the round trips and calls must be the same at all sizes, and of %d they are. Those with "
              "an asterisk may grow:" % (len(costs[0]), len(flat), len(flat) - len(wrong)), ""]
    return lines + ["* %s: %s" % pair for pair in GROWS.items()]


def heading(bench):
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=Path(__file__).parent,
                            capture_output=True, text=True).stdout.strip()
    return ["## Figures of one run", "",
            "registrar %s (%s), one build throughout, loaded over %d connections. At the begin: %s."
            % (bench.server.version, commit or "no git", PROCESSES, machine())]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--versions", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--data", help="keep the data in this folder, which must not be there yet")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(options.data or os.path.join(work, "data"), os.path.join(work, "log"))
        if os.path.exists(bench.data):
            sys.exit("%s is there already" % bench.data)
        bench.start()
        say("loading into %s" % bench.data)
        try:
            lines = heading(bench)
            figures, costs = grow(bench, sizes, options.rounds)
            lines += ["", "### Growth", "", *growth(sizes, figures, costs)]
            lines += ["", "### One schema of 4 MB", "", *large_schema(bench)]
            lines += ["", "### One subject of {:,} versions".format(options.versions), "",
                      *large_subject(bench, options.versions)]
        finally:
            bench.stop()
    lines += ["", "The run took %.0f minutes. At the end: %s." % ((time.monotonic() - began) / 60, machine())]
    print("\n".join(lines), flush=True)
    wrong = uneven(sizes, costs)
    if wrong:
        sys.exit("not flat:\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()
