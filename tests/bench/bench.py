"""A data folder, the process that serves it, and what it takes of the machine."""
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from served.serve import Serve
from served.wire import Http
from trips import Trace


def say(text):
    """Progress, apart from the figures."""
    print("%s  %s" % (time.strftime("%H:%M:%S"), text), file=sys.stderr, flush=True)


class Bench:
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

    def restart(self):
        self.stop()
        return self.start()

    def traced(self):
        """Starts the process anew with a log of its calls; gives a client of it, and the log."""
        self.stop()
        self.start(traced=True)
        return self.client(), Trace(self.log)

    def client(self):
        return Http(self.server.url, timeout=600)

    def memory(self):
        """Resident memory now and at its highest, in MB."""
        lines = Path("/proc/%d/status" % self.server.process.pid).read_text().splitlines()
        fields = dict(line.split(":", 1) for line in lines)
        return tuple(int(fields[field].split()[0]) / 1024 for field in ("VmRSS", "VmHWM"))

    def megabytes(self):
        return sum(path.stat().st_size for path in Path(self.data).iterdir()) / 1e6


def machine():
    """What the figures are of: processors, and how many processes wanted them."""
    return "%d processors, %.1f runnable processes" % (os.cpu_count(), os.getloadavg()[0])
