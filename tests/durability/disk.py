"""A full disk and a read-only data folder: writes get a clear error and leave nothing half done, reads go on.

A full disk is a small tmpfs in a user namespace, where those are allowed, and everywhere a limit on the size of files
(RLIMIT_FSIZE). A read-only folder is that tmpfs mounted anew, and everywhere permission bits, which root does not see, so
then the server runs as nobody. Where user namespaces are not allowed, that is said, and the stage counts as left out once
the rest has passed. A file system that turns read-only beneath a running process is not tried: Linux refuses to remount one
on which files are open for writing, and does it by itself only after errors of the disk.
"""
import os
import re
import resource
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from served.checks import Checks
from served.serve import NotReady, Serve
from served.wire import Http

ANY = ("--listen", "127.0.0.1:0")
TMPFS = "--own-mounts"
NOBODY = 65534
FULL = "Error while registering a schema: the disk of the data folder is full"
UNWRITABLE = "Error while registering a schema: the disk of the data folder cannot be read or written"
LEFT_OUT = 77
READ_ONLY = "Error while registering a schema: the data folder is read-only"
checks = Checks()


def schema(number, size=0):
    # Random letters, so that they take as much room when they are compressed.
    doc = os.urandom(size // 2).hex()
    return {"schema": '{"type":"record","name":"R","doc":"%s","fields":[{"name":"f%d","type":["null","int"],"default":null}]}'
                      % (doc, number)}


def state(client):
    """All that can be read, by subject and version."""
    rows = client.get("/schemas?deleted=true&limit=1000").json
    return {(row["subject"], row["version"]): (row["id"], row["schema"]) for row in rows}


def register_until_refused(client, subject):
    """New versions until one is refused; gives the refusal, the schema it was for, and how many were taken."""
    for number in range(1, 2000):
        body = schema(number, 20_000)
        answer = client.post("/subjects/%s/versions" % subject, body)
        if answer.status != 200:
            return answer, body, number - 1
    raise RuntimeError("nothing was refused")


def is_refused(answer, message, what):
    checks.equal((answer.status, answer.json.get("error_code"), answer.json.get("message")), (500, 50001, message), what)


def full(what, data, message, fill, free):
    """Writes until the disk is full, reads, and writes again once there is room."""
    with Serve(*ANY, "--data", data) as server:
        client = Http(server.url)
        first = client.post("/subjects/s/versions", schema(0)).json
        fill(server)
        began = time.monotonic()
        answer, refused, taken = register_until_refused(client, "s")
        is_refused(answer, message, "%s: after %d versions a registration is refused" % (what, taken))
        print("answered %.1f s after the disk began to fill" % (time.monotonic() - began))
        before = state(client)
        checks.equal(len(before), taken + 1, "%s: nothing of the refused one is there" % what)
        for method, path, body in (("POST", "/subjects/other/versions", refused), ("PUT", "/config", {"compatibility": "FULL"}),
                                   ("DELETE", "/subjects/s", None)):
            answer = client.send(method, path, body)
            # A small change may still find room.
            checks.true(answer.status == 200 or answer.json.get("error_code") == 50001,
                        "%s: %s %s is done or refused" % (what, method, path), repr(answer))
            if method == "DELETE" and answer.status == 200:
                before = state(client)
        checks.equal(client.get("/schemas/ids/%d" % first["id"]).status, 200, "%s: schemas are read by id" % what)
        checks.equal(state(client), before, "%s: lists and versions are read" % what)
        free(server)
        answer = client.post("/subjects/s/versions", refused)
        checks.equal(answer.status, 200, "%s: with room again, the same is registered without a restart" % what)
        at_end = state(client)
        checks.equal(len(at_end), len(before) + (("s", answer.json["version"]) not in before), "%s: once" % what)
        server.kill()
    with Serve(*ANY, "--data", data) as server:
        checks.equal(state(Http(server.url)), at_end, "%s: all is there after a kill and a start" % what)
        checks.equal(server.stop(), 0, "%s: clean stop" % what)


def full_by_limit():
    with tempfile.TemporaryDirectory() as work:
        def limit(server, most):
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

        full("file size limit", os.path.join(work, "data"), UNWRITABLE, lambda server: limit(server, 1_000_000),
             lambda server: limit(server, resource.RLIM_INFINITY))


def full_tmpfs(mount):
    ballast = mount / "ballast"

    def fill(_):
        with open(ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                return

    full("full tmpfs", str(mount / "data"), FULL, fill, lambda _: ballast.unlink())


def read_only(what, data, user, close, reopen):
    """A folder that becomes read-only between two starts, after a clean stop and after a kill."""
    for ending in (Serve.stop, Serve.kill):
        label = "%s, after a %s" % (what, ending.__name__)
        with Serve(*ANY, "--data", data) as server:
            client = Http(server.url)
            for number in range(3):
                client.post("/subjects/s/versions", schema(number))
            before = state(client)
            ending(server)
        close()
        with Serve(*ANY, "--data", data, user=user) as server, Serve(*ANY, "--data", data, user=user) as second:
            client = Http(server.url)
            checks.true(server.place.endswith("(read-only)"), "%s: the ready line says so" % label, server.line)
            checks.equal(state(client), before, "%s: everything is read" % label)
            checks.equal(state(Http(second.url)), before, "%s: by two processes at once" % label)
            checks.equal(client.post("/subjects/s/versions", schema(1)).status, 200, "%s: a known schema is found" % label)
            is_refused(client.post("/subjects/s/versions", schema(77)), READ_ONLY, "%s: a new one is refused" % label)
            for method, path, body in (("DELETE", "/subjects/s", None), ("PUT", "/config", {"compatibility": "FULL"})):
                answer = client.send(method, path, body)
                checks.equal(answer.json.get("error_code"), 50001, "%s: %s %s is refused" % (label, method, path))
            checks.equal(state(client), before, "%s: nothing has changed" % label)
            checks.equal(server.stop(), 0, "%s: clean stop" % label)
        reopen()
        with Serve(*ANY, "--data", data) as server:
            client = Http(server.url)
            checks.equal(state(client), before, "%s: all is there once it can be written" % label)
            checks.equal(client.post("/subjects/t/versions", schema(9)).status, 200, "%s: and is written" % label)
            server.stop()


def bits(folder, write):
    """Sets or clears the permission to write for a folder and what is in it."""
    for path in [folder, *folder.iterdir()]:
        mode = stat.S_IMODE(path.stat().st_mode) | 0o444 | (0o111 if path.is_dir() else 0)
        path.chmod(mode | 0o200 if write else mode & ~0o222)


def read_only_by_permission():
    user = NOBODY if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory() as work:
        os.chmod(work, 0o755)
        data = Path(work) / "data"
        read_only("permissions" + (" (as nobody)" if user else ""), str(data), user,
                  lambda: bits(data, False), lambda: bits(data, True))
        with Serve(*ANY, "--data", str(data)) as server:
            bits(data, False)
            client = Http(server.url)
            checks.equal(client.get("/subjects").status, 200, "made read-only while it runs: reads go on")
            answer = client.post("/subjects/u/versions", schema(10))
            checks.true(answer.status == 200 or answer.json["error_code"] == 50001,
                        "made read-only while it runs: writes go on, the files being open, or are refused", repr(answer))
            server.stop()
        bits(data, True)


def read_only_and_empty():
    user = NOBODY if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory() as work:
        os.chmod(work, 0o555)
        for data in (work, os.path.join(work, "new")):
            try:
                with Serve(*ANY, "--data", data, user=user):
                    checks.true(False, "a read-only folder without data is refused")
            except NotReady as error:
                checks.true("exit status 1" in str(error), "a read-only folder without data is refused", str(error))
        os.chmod(work, 0o755)


def on_tmpfs(size, step):
    """Runs a step with a small file system of its own."""
    with tempfile.TemporaryDirectory() as work:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=" + size, "none", work], check=True)
        try:
            step(Path(work))
        finally:
            subprocess.run(["umount", work], check=True)


def read_only_tmpfs(mount):
    def remount(how):
        subprocess.run(["mount", "-o", "remount," + how, str(mount)], check=True)

    read_only("read-only tmpfs", str(mount / "data"), None, lambda: remount("ro"), lambda: remount("rw"))


def with_own_mounts():
    """The steps that need a file system of their own; this process may mount."""
    checks.run(lambda: on_tmpfs("12m", full_tmpfs), lambda: on_tmpfs("12m", read_only_tmpfs))
    checks.finish("disk, own mounts")


def in_a_namespace():
    """The steps with mounts of our own, in a process that may mount; whether there can be one."""
    inside = ["unshare", "--user", "--map-root-user", "--mount"]
    try:
        allowed = subprocess.run([*inside, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0
    except OSError:
        allowed = False
    if not allowed:
        print("left out: a tmpfs of our own, since user namespaces or mounts in them are not allowed here", flush=True)
        return False
    done = subprocess.run([*inside, sys.executable, __file__, TMPFS], stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="", flush=True)
    count = re.search(r"(\d+) checks passed, (\d+) failed", done.stdout)
    checks.equal(done.returncode, 0, "with mounts of our own")
    checks.passed += int(count[1]) if count else 0
    checks.failed += int(count[2]) if count else 0
    return True


if sys.argv[1:] == [TMPFS]:
    with_own_mounts()
checks.run(full_by_limit, read_only_by_permission, read_only_and_empty)
whole = in_a_namespace()
print("proof: %d checks on full and read-only disks, %d failed%s"
      % (checks.passed, checks.failed, "" if whole else "; a full file system of its own left out"))
if not checks.failed and not whole:
    sys.exit(LEFT_OUT)
checks.finish("disk")
