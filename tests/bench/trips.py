"""Round trips, from the log of a server that runs with RUST_LOG=registrar_embedded=trace."""
import re
import statistics

CALL = re.compile(rb"call operation=\"\w+\.\w+\" began=(\d+) took=(\d+)")
COLOURS = re.compile(rb"\x1b\[[0-9;]*m")


def rounds(lines):
    """The length of the longest chain of calls of which each began after another had ended; and how many there were."""
    calls = sorted((int(began), int(began) + int(took)) for began, took in lines)
    ended = []
    for began, end in calls:
        ended.append((end, 1 + max((depth for at, depth in ended if at <= began), default=0)))
    return max((depth for _, depth in ended), default=0), len(calls)


class Trace:
    def __init__(self, path):
        self.file = open(path, "rb")
        self.file.seek(0, 2)

    def take(self):
        """Round trips and calls since the last time."""
        return rounds(CALL.findall(COLOURS.sub(b"", self.file.read())))


def typical(traced):
    """Round trips and calls. Calls made side by side overlap on most runs, and those in a row on none, so the shortest
    chain is the true one. Of the calls it is the number in most runs: a retry is no part of an operation."""
    return min(depth for depth, _ in traced), statistics.mode(calls for _, calls in traced)
