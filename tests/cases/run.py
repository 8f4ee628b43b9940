"""Runs the shared HTTP cases against a fresh `serve` on disk, restart cases included.

Left out: cases that post a schema of a type that the server does not offer.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from served import serve
from served.wire import Http

GENERATORS = {"avro": "AVRO", "proto": "PROTOBUF", "json": "JSON"}


def shared():
    return Path(os.environ.get("REGISTRAR_SHARED") or serve.ROOT.parent / "shared")


def requests(step):
    """The exchanges of a step, also of one that repeats another."""
    for kind in ("parallel", "repeat"):
        if kind in step:
            return [step[kind]["request"]]
    return [step]


def types_posted(case):
    """The schema types of a case; of those that name none it needs no more than Avro, which is always there."""
    types = set()
    for step in case["steps"]:
        for request in requests(step):
            body = request.get("body")
            if isinstance(body, dict) and body.get("schemaType") in GENERATORS.values():
                types.add(body["schemaType"])
            if "body_gen" in request:
                types.add(GENERATORS[request["body_gen"]["kind"].split("_")[0]])
    return types


def main():
    folder = shared() / "cases"
    if not folder.is_dir():
        print("cases: left out, there is no %s" % folder)
        return 0
    cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines() if line.strip()]
    with tempfile.TemporaryDirectory() as work:
        state = Path(work) / "state.json"
        restart = "'%s' '%s' restart '%s'" % (sys.executable, serve.__file__, state)
        url = serve.start_to_state(state, ["--data", str(Path(work) / "data")], "127.0.0.1:0")["url"]
        try:
            offered = set(Http(url).get("/schemas/types").json)
            chosen = [c["id"] for c in cases if types_posted(c) <= offered]
            left_out = [c["id"] for c in cases if c["id"] not in chosen]
            print("%d cases, %d to run with %s, %d left out: %s" % (
                len(cases), len(chosen), " ".join(sorted(offered)), len(left_out), " ".join(left_out)), flush=True)
            command = [sys.executable, str(folder / "run_cases.py"), url, str(folder / "cases.jsonl"),
                       "--only", ",".join(chosen), "--restart-cmd", restart, "-v"]
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        finally:
            serve.stop_from_state(state)
    print(done.stdout, end="", flush=True)
    passed = sum(line.startswith("PASS ") for line in done.stdout.splitlines())
    if passed != len(chosen):
        print("cases: %d of %d passed" % (passed, len(chosen)))
        return 1
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
