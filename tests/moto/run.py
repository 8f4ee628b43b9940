"""The store's tests and the conformance cases over moto's DynamoDB, by HTTP: `tests/run moto`, `docs/SECOND-OPINION.md`.

Needs the program that REGISTRAR_BIN names. What is known to differ stands in `exceptions.tsv` (tests) or at the cases
themselves (`except`, key `table`), with a reason; whatever is excepted and passes all the same fails the run.
REGISTRAR_CASES chooses other cases than the areas below, by the beginnings of their ids; `*` is all.
"""
import contextlib
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Two lists side by side, about as long as each other: most of the time is that of single tests, which keep one server busy.
TESTS = [["concurrency"], ["guards", "refusals", "equal_contents", "lost_answers", "sensitive", "id_ranges", "whole_subject",
                           "wrappers"]]
# Areas of cases that lean on the table. The others are about texts: formats, comparison, transport.
AREAS = ["al", "as", "cf", "ct", "dl", "fb", "im", "lk", "md", "me", "mx", "nm", "rf", "rs", "sc", "sp", "tg", "vs"]
# As many as there are processors in CI: one Python process does one thing at a time.
SERVERS = 2
# Without what is only built in release: the same build as that of the stage `unit`.
RELEASED = ["registrar-races", "registrar-faults", "registrar-fuzzing"]
CARGO = ["cargo", "test", "--workspace", "--locked", "--no-fail-fast"] + ["--exclude=" + name for name in RELEASED]


@contextlib.contextmanager
def servers():
    """Endpoints of fresh servers, gone afterwards."""
    started = []
    try:
        for _ in range(SERVERS):
            started.append(subprocess.Popen([sys.executable, str(HERE / "server.py")], stdout=subprocess.PIPE, text=True,
                                            stdin=subprocess.DEVNULL))
        yield ",".join("http://127.0.0.1:%d" % int(server.stdout.readline()) for server in started)
    finally:
        for server in started:
            server.kill()
            server.wait()


def cargo(targets, **variables):
    """Exit status and output, which is shown as it comes."""
    command = CARGO + [word for target in targets for word in ("--test", target)]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "RUST_BACKTRACE": "0", **variables}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = []
    for line in process.stdout:
        print(line, end="", flush=True)
        lines.append(line)
    return process.wait(), lines


def exceptions():
    lines = (HERE / "exceptions.tsv").read_text().splitlines()[1:]
    return dict(line.split("\t") for line in lines)


def results(lines):
    """What became of each test, by target and name."""
    target, found = None, {}
    for line in lines:
        if running := re.match(r" *Running tests/(\w+)", line):
            target = running[1]
        elif done := re.match(r"test (\S+) \.\.\. (\w+)", line):
            found["%s::%s" % (target, done[1])] = done[2] == "ok"
    return found


def store_tests(endpoints):
    """How many are equal, which exceptions there are, and what is wrong."""
    with ThreadPoolExecutor() as pool:
        outputs = pool.map(lambda targets: cargo(targets, REGISTRAR_TEST_ENDPOINTS=endpoints)[1], TESTS)
    found, excepted = {name: ok for lines in outputs for name, ok in results(lines).items()}, exceptions()
    wrong = ["%s fails" % name for name, ok in found.items() if not ok and name not in excepted]
    wrong += ["%s passes, and was to fail: %s" % (name, excepted[name]) for name, ok in found.items() if ok and name in excepted]
    wrong += ["exceptions.tsv: there is no test %s" % name for name in excepted if name not in found]
    wrong += ["%s: no test was run" % target for targets in TESTS for target in targets if not any(name.startswith(target + "::") for name in found)]
    return sum(found.values()), len(excepted), wrong


def cases(endpoints):
    chosen = os.environ.get("REGISTRAR_CASES") or ",".join(area + "-" for area in AREAS)
    status, lines = cargo(["second_opinion"], REGISTRAR_CASES_ENDPOINTS=endpoints, REGISTRAR_CASES="" if chosen == "*" else chosen)
    totals = re.search(r"cases run, (\d+) passed.*?(?:, (\d+) skipped|$)", "".join(lines), re.M)
    if status != 0 or not totals:
        return 0, 0, ["conformance cases fail"]
    return int(totals[1]), int(totals[2] or 0), []


def main():
    with servers() as endpoints:
        tests, excepted_tests, wrong = store_tests(endpoints)
    # Fresh ones: moto keeps every table that was ever made.
    with servers() as endpoints:
        passed, excepted_cases, wrong_cases = cases(endpoints)
    for problem in wrong + wrong_cases:
        print("WRONG: " + problem)
    if wrong or wrong_cases:
        return 1
    print("proof: %d store tests and %d conformance cases equal on moto, %d explained" % (
        tests, passed, excepted_tests + excepted_cases))
    return 0


if __name__ == "__main__":
    sys.exit(main())
