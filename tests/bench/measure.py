"""Makes the requests of `operations.py` and measures each: its time, or its round trips."""
import statistics
import time

import operations


def measure(client, subjects, rounds, seed, trace=None):
    """By name: the times in milliseconds, or with a trace the round trips and calls."""
    found = {}
    for request in operations.requests(operations.Some(client, subjects, seed), rounds):
        found.setdefault(request[0], []).append(cost(client, *request, trace=trace))
    return found


def cost(client, what, method, path, body, status=200, trace=None):
    """Of one request; an answer with another status ends the bench."""
    if trace:
        trace.take()
    began = time.perf_counter()
    answer = client.send(method, path, body)
    took = (time.perf_counter() - began) * 1000
    if answer.status != status:
        raise RuntimeError("%s: %s %s: %r" % (what, method, path, answer))
    return trace.take() if trace else took


def middle(times):
    return statistics.median(times)


def late(times):
    """The 95th percentile."""
    return sorted(times)[int(len(times) * 0.95)]
