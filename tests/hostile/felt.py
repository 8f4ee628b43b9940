"""What another client felt, and whether it was too much."""
from polite import percentile

NORMAL, ALONE, BETWEEN = "normal", "alone", "between"
# The 99th percentile under attack may be so many times the normal one.
TIMES = 10
# Requests of a kind: with fewer there is no 99th percentile.
ENOUGH = 400
# Requests of normal life before each kind: all that the machine does meanwhile is in both.
SLICE = 200


def judge(checks, times, resident):
    """Prints all of it; the worst kind, in times normal."""
    usual = percentile(times[NORMAL], 0.99)
    print("%-20s %9s %9s %9s %9s %9s" % ("other clients", "requests", "50 %, ms", "99 %, ms", "times", "peak, MB"))
    worst, where = 0, ""
    attacked = []
    for name, taken in times.items():
        if name in ("start", BETWEEN):
            continue
        ratio = percentile(taken, 0.99) / usual
        print("%-20s %9d %9.2f %9.2f %9.1f %9d  %.1f s" % (
            name, len(taken), percentile(taken, 0.5), percentile(taken, 0.99), ratio, *resident.get(name, (0, 0))))
        if name in (NORMAL, ALONE):
            continue
        attacked += taken
        if len(taken) >= ENOUGH:
            worst, where = max((worst, where), (ratio, name))
    together = percentile(attacked, 0.99) / usual
    print("all kinds together: %d requests, %.1f times normal" % (len(attacked), together))
    worst, where = max((worst, where), (together, "all of them"))
    checks.true(worst <= TIMES, "the 99th percentile of other clients is at most %d times normal, %.1f in the worst kind (%s)"
                % (TIMES, worst, where))
    return worst
