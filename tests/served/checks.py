"""Checks that are counted and printed, so that one failure does not hide the next."""
import sys
import traceback


class Checks:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def equal(self, got, want, what):
        self.true(got == want, what, "got %r, want %r" % (got, want))

    def true(self, ok, what, detail=""):
        if ok:
            self.passed += 1
            print("ok    %s" % what, flush=True)
        else:
            self.failed += 1
            print("FAIL  %s%s" % (what, ": " + detail if detail else ""), flush=True)

    def run(self, *steps):
        """Runs functions one after another; an exception is a failure of that function."""
        for step in steps:
            try:
                step()
            except Exception:
                self.failed += 1
                print("FAIL  %s\n%s" % (step.__name__, traceback.format_exc()), flush=True)

    def finish(self, name):
        """Prints the counts and ends the program with the status that they call for."""
        print("%s: %d checks passed, %d failed" % (name, self.passed, self.failed), flush=True)
        sys.exit(1 if self.failed or not self.passed else 0)
