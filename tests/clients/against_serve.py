"""Runs a program against a fresh `serve`, whose address becomes its last argument: `against_serve.py COMMAND...`."""
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from served.serve import Serve

# Far more than a program takes that does not hang.
SECONDS = 600


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as work, Serve("--listen", "127.0.0.1:0", "--data", work) as server:
        status = subprocess.run([*sys.argv[1:], server.url], stdin=subprocess.DEVNULL, timeout=SECONDS).returncode
        stopped = server.stop()
    if stopped:
        print("FAIL  the server ended with status %d" % stopped)
    sys.exit(1 if status or stopped else 0)


if __name__ == "__main__":
    main()
