"""How `registrar serve` starts, refuses to start and stops."""
import base64
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from served.checks import Checks
from served.wire import Http
from served.serve import Serve, binary, clean_env

SCHEMA = {"schema": '"string"'}
ANY = ("--listen", "127.0.0.1:0")
checks = Checks()


def refused(args, env=None, cwd=None):
    """Exit status and both outputs of a start that should not succeed."""
    done = subprocess.run([binary(), "serve", *args], env=clean_env(env), cwd=cwd, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def one_line(what, args, **kw):
    """The start fails with status 1 and says why in one line on stderr."""
    status, out, err = refused(args, **kw)
    checks.equal(status, 1, "%s: exit status 1" % what)
    checks.true(err.count("\n") == 1 and err.strip() and not out, "%s: one line on stderr: %s" % (what, err.strip()[:160]),
                "stdout %r, stderr %r" % (out, err))


def ready_line_and_restart():
    with tempfile.TemporaryDirectory() as work:
        data = os.path.join(work, "deep", "data")
        with Serve(*ANY, "--data", data) as server:
            host, _, port = server.address.rpartition(":")
            checks.true(host == "127.0.0.1" and port not in ("", "0"), "the ready line has the real port", server.line)
            checks.true("data" in server.place, "the ready line names the data: %s" % server.line.strip())
            checks.true(os.path.exists(os.path.join(data, "lock")), "the data directory holds a lock file")
            first = Http(server.url).post("/subjects/s/versions", SCHEMA)
            checks.equal(first.status, 200, "register")
            checks.equal(server.stop(signal.SIGTERM), 0, "SIGTERM ends it with status 0")
            checks.equal(server.rest_of_stdout(), "", "one line on stdout and no more")
        with Serve(*ANY, "--data", data) as server:
            again = Http(server.url).post("/subjects/s/versions", SCHEMA)
            checks.equal((again.status, again.json), (200, first.json), "the same schema is the same after a restart")
            checks.equal(server.stop(signal.SIGINT), 0, "SIGINT ends it with status 0")


def stop_with_idle_connection():
    with tempfile.TemporaryDirectory() as work, Serve(*ANY, "--data", work) as server:
        idle = Http(server.url)
        checks.equal(idle.get("/subjects").status, 200, "a connection is open and idle")
        checks.equal(server.stop(), 0, "SIGTERM does not wait for an idle connection")


def second_process():
    with tempfile.TemporaryDirectory() as work, Serve(*ANY, "--data", work) as server:
        one_line("second process on the same data", [*ANY, "--data", work])
        checks.equal(Http(server.url).get("/subjects").status, 200, "the first one goes on")


def port_in_use():
    with tempfile.TemporaryDirectory() as work, socket.create_server(("127.0.0.1", 0)) as taken:
        one_line("port in use", ["--listen", "127.0.0.1:%d" % taken.getsockname()[1], "--data", work])


def unreadable_data():
    with tempfile.TemporaryDirectory() as work:
        file = Path(work) / "file"
        file.write_text("not a directory")
        one_line("data is a file", [*ANY, "--data", str(file)])
        data = Path(work) / "data"
        with Serve(*ANY, "--data", str(data)) as server:
            Http(server.url).post("/subjects/s/versions", SCHEMA)
            server.stop()
        marker = data / "format"
        format_text = marker.read_text()
        marker.write_text(re.sub(r"\d+", "999", format_text))
        one_line("data of a newer format", [*ANY, "--data", str(data)])
        marker.write_text(format_text)
        database = max((p for p in data.iterdir() if p.is_file()), key=lambda p: p.stat().st_size)
        database.write_bytes(b"this is no database" * 1000)
        one_line("data is damaged", [*ANY, "--data", str(data)])


def bad_arguments():
    rows = [
        ["--no-such-flag"], ["--listen", "nowhere"], ["--data", "a", "--in-memory"], ["--data", "a", "--table", "tab"],
        ["--in-memory", "--table", "tab"], ["--table"], ["stray"],
    ]
    with tempfile.TemporaryDirectory() as work:
        for args in rows:
            status, out, err = refused(args, cwd=work)
            checks.true(status == 2 and err and not out, "bad arguments %s: exit status 2" % " ".join(args),
                        "status %r, stdout %r, stderr %r" % (status, out, err))
        checks.equal(os.listdir(work), [], "bad arguments leave nothing behind")


def in_memory():
    with tempfile.TemporaryDirectory() as work:
        with Serve(*ANY, "--in-memory", cwd=work) as server:
            checks.equal(Http(server.url).post("/subjects/s/versions", SCHEMA).status, 200, "in memory: register")
            server.stop()
        checks.equal(os.listdir(work), [], "in memory: no file is made")
        with Serve(*ANY, "--in-memory", cwd=work) as server:
            checks.equal(Http(server.url).get("/subjects").json, [], "in memory: gone after a restart")


def environment():
    with tempfile.TemporaryDirectory() as work:
        data = os.path.join(work, "from-env")
        env = {"REGISTRAR_LISTEN": "127.0.0.1:0", "REGISTRAR_DATA": data, "REGISTRAR_BASE_PATH": "/registry"}
        with Serve(env=env, cwd=work) as server:
            checks.true(os.path.isdir(data), "REGISTRAR_LISTEN and REGISTRAR_DATA are obeyed")
            checks.equal(Http(server.url + "/registry").get("/subjects").json, [], "REGISTRAR_BASE_PATH is obeyed")
            checks.equal(Http(server.url).get("/subjects").status, 404, "outside the base path is 404")
        with Serve(env={"REGISTRAR_LISTEN": "127.0.0.1:0", "REGISTRAR_IN_MEMORY": "true"}, cwd=work) as server:
            checks.equal(sorted(os.listdir(work)), ["from-env"], "REGISTRAR_IN_MEMORY is obeyed")


def on_disk(folder, text):
    """Whether any file of a folder has the text, as it is or in base64, as the database keeps bytes."""
    # Whole groups of the encoding, for each place in a group where the text may begin.
    encoded = [base64.b64encode(bytes(shift) + text.encode())[4:-4] for shift in range(3)]
    files = [path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()]
    return any(form in file for form in [text.encode(), *encoded] for file in files)


def sensitive_metadata():
    secret = "hunter2-in-clear"
    metadata = {"properties": {"owner": "a", "password": secret}, "sensitive": ["password"]}
    with tempfile.TemporaryDirectory() as work:
        keys = os.path.join(work, "keys")
        Path(keys).write_text("# for tests\n2026-01 %s\n" % base64.b64encode(bytes(range(32))).decode())
        for name, args in (("clear", []), ("sealed", ["--key-file", keys])):
            data = os.path.join(work, name)
            with Serve(*ANY, "--data", data, *args) as server:
                client = Http(server.url)
                client.post("/subjects/s/versions", {**SCHEMA, "metadata": metadata})
                client.put("/config/s", {"defaultMetadata": metadata})
                checks.equal(client.get("/subjects/s/versions/1").json["metadata"], metadata, "%s: answered in clear" % name)
                checks.equal(client.get("/config/s").json["defaultMetadata"], metadata, "%s: config in clear" % name)
                server.stop()
            checks.equal(on_disk(data, secret), name == "clear", "%s: only without a key is it in the files" % name)
        with Serve(*ANY, "--data", data, env={"REGISTRAR_KEY_FILE": keys}) as server:
            found = Http(server.url).get("/schemas/ids/1")
            checks.equal(found.json["metadata"], metadata, "REGISTRAR_KEY_FILE: read after a restart")
            server.stop()
        with Serve(*ANY, "--data", data) as server:
            refused = Http(server.url).get("/schemas/ids/1")
            checks.equal((refused.status, refused.json["error_code"]), (500, 50001), "without the key: refused")
            checks.true("'2026-01'" in refused.json["message"], "without the key: says which: %s" % refused.json["message"])
            server.stop()
        one_line("no key file", [*ANY, "--data", data, "--key-file", os.path.join(work, "none")])
        Path(keys).write_text("2026-01\n")
        one_line("a bad key file", [*ANY, "--data", data, "--key-file", keys])


def defaults():
    try:
        socket.create_server(("127.0.0.1", 8081)).close()
    except OSError:
        print("left out: defaults, since port 8081 is taken here")
        return
    with tempfile.TemporaryDirectory() as work, Serve(cwd=work) as server:
        checks.equal(server.address, "127.0.0.1:8081", "without flags it listens on 127.0.0.1:8081")
        checks.equal(os.listdir(work), ["registrar-data"], "without flags the data is in ./registrar-data")


def start_time():
    with tempfile.TemporaryDirectory() as work:
        times = []
        for _ in range(6):
            with Serve(*ANY, "--data", work) as server:
                Http(server.url).post("/subjects/s/versions", SCHEMA)
                times.append(server.ready_ms)
                server.stop()
    checks.true(re.fullmatch(r"\d+\.\d+\.\d+\S*", server.version), "the ready line has a version")
    print("start: first %.1f ms, later ones %.1f ms at the median, from process start to the ready line"
          % (times[0], statistics.median(times[1:])))


checks.run(ready_line_and_restart, stop_with_idle_connection, second_process, port_in_use, unreadable_data,
           bad_arguments, in_memory, environment, sensitive_metadata, defaults, start_time)
checks.finish("process")
