"""Starts and stops `registrar serve`.

As a program it is the restart command of the HTTP cases:
    python3 serve.py restart STATE      ends the process named in STATE, starts one on the same address and data
"""
import json
import os
import re
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READY = re.compile(r"^registrar (\d+\.\d+\.\d+\S*) listening on http://(\S+), data (.+)\n$")
READY_SECONDS = 30
STOP_SECONDS = 30


def binary():
    """The release build, where `tests/run` or plain cargo has put it."""
    if "REGISTRAR_BIN" in os.environ:
        return os.environ["REGISTRAR_BIN"]
    return str(ROOT / "target" / "release" / "registrar")


def clean_env(extra=None):
    """The environment without settings of ours that the caller may have."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("REGISTRAR_")}
    env.update(extra or {})
    return env


class NotReady(Exception):
    """The process ended, or said nothing in time."""


class Serve:
    """One process, of another user if so asked. `args` follow `serve`; the address is taken from the ready line."""

    def __init__(self, *args, env=None, cwd=None, log=None, detach=False, user=None):
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [binary(), "serve", *args], env=clean_env(env), cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=log if log is not None else subprocess.DEVNULL, start_new_session=detach, user=user)
        self.line = self._first_line()
        match = READY.match(self.line)
        if not match:
            self.kill()
            raise NotReady("no ready line, but %r; exit status %s" % (self.line, self.process.returncode))
        self.ready_ms = (time.monotonic() - self.began) * 1000
        self.version, self.address, self.place = match.groups()
        self.url = "http://" + self.address

    def _first_line(self):
        out = self.process.stdout
        line, end = b"", time.monotonic() + READY_SECONDS
        with selectors.DefaultSelector() as selector:
            selector.register(out, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                if not selector.select(max(0, end - time.monotonic())):
                    break
                byte = os.read(out.fileno(), 1)
                if not byte:
                    self.process.wait(STOP_SECONDS)
                    break
                line += byte
        return line.decode("utf-8", "replace")

    def rest_of_stdout(self):
        """What stands on stdout after the ready line; to be asked for after the end of the process."""
        return self.process.stdout.read().decode("utf-8", "replace")

    def stop(self, sig=signal.SIGTERM):
        """Asks the process to stop and gives its exit status."""
        self.process.send_signal(sig)
        return self.process.wait(STOP_SECONDS)

    def kill(self):
        self.process.kill()
        self.process.wait(STOP_SECONDS)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()
        self.process.stdout.close()


def start_to_state(state_file, args, listen):
    """Starts a process that outlives this one and writes down how to find it."""
    with open(str(state_file) + ".log", "ab") as log:
        server = Serve("--listen", listen, *args, log=log, detach=True)
    state = {"pid": server.process.pid, "listen": server.address, "args": list(args), "url": server.url}
    Path(state_file).write_text(json.dumps(state))
    return state


def stop_from_state(state_file):
    """Ends the process of a state file with SIGTERM and waits until it is gone."""
    pid = json.loads(Path(state_file).read_text())["pid"]
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return
    end = time.monotonic() + STOP_SECONDS
    while time.monotonic() < end and alive(pid):
        time.sleep(0.02)


def alive(pid):
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        stat = Path("/proc/%d/stat" % pid).read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def main():
    if len(sys.argv) != 3 or sys.argv[1] != "restart":
        sys.exit(__doc__)
    state = json.loads(Path(sys.argv[2]).read_text())
    stop_from_state(sys.argv[2])
    start_to_state(sys.argv[2], state["args"], state["listen"])


if __name__ == "__main__":
    main()
