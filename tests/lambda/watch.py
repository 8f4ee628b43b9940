"""The two functions as `sam build` has packed them, under `cargo lambda watch`, over a DynamoDB endpoint on loopback (moto);
and `serve` over the same table. moto is KMS as well, for the data key of sensitive metadata.

`cargo lambda watch` is started with its Lambda APIs only, so that the packed files run and not another compilation of
them. It sends function URL events whose domain is `localhost`; events of the other fronts are tested where the handlers
can be called directly.
"""
import base64
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import boto3
from samcli.yamlhelper import yaml_parse
from served.checks import Checks
from served.serve import ROOT, Serve, binary, clean_env
from served.wire import Http

REGION = "us-east-1"
TABLE = "registrar-functions"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": REGION}
START_SECONDS = 60
KEY_NAME = "2026-01"
ORDER_1 = '{"type":"record","name":"Order","fields":[{"name":"id","type":"long"}]}'
ORDER_2 = '{"type":"record","name":"Order","fields":[{"name":"id","type":"long"},{"name":"note","type":"string","default":""}]}'
ORDER_BAD = '{"type":"record","name":"Order","fields":[{"name":"id","type":"string"}]}'
checks = Checks()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@contextlib.contextmanager
def background(name, command, port, work, **kw):
    """A process that listens on a port, if it has one, ended with all that it has started."""
    with open(os.path.join(work, name + ".log"), "wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **kw)
    try:
        end = time.monotonic() + START_SECONDS
        while port is not None:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError("%s did not start:\n%s" % (name, Path(log.name).read_text()))
                time.sleep(0.05)
        yield process
    except BaseException:
        print("-- end of the log of %s\n%s" % (name, Path(log.name).read_text()[-4000:]))
        raise
    finally:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def create_table(endpoint):
    """The table exactly as the template describes it."""
    wanted = yaml_parse((ROOT / "template.yaml").read_text())["Resources"]["Table"]["Properties"]
    keys = ("BillingMode", "AttributeDefinitions", "KeySchema")
    dynamodb = boto3.client("dynamodb", endpoint_url=endpoint, region_name=REGION, aws_access_key_id="test",
                            aws_secret_access_key="test")
    dynamodb.create_table(TableName=TABLE, **{key: wanted[key] for key in keys})
    return dynamodb


def packed(function):
    """What `sam build` has made of a function."""
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "sam" / function / "bootstrap"


def create_data_key(endpoint):
    """A data key as docs/OPERATIONS.md makes one: what the functions are given, and the key itself."""
    kms = boto3.client("kms", endpoint_url=endpoint, region_name=REGION, aws_access_key_id="test", aws_secret_access_key="test")
    context = {"registrar": "metadata"}
    key = kms.create_key()["KeyMetadata"]["KeyId"]
    blob = kms.generate_data_key_without_plaintext(KeyId=key, KeySpec="AES_256", EncryptionContext=context)["CiphertextBlob"]
    return base64.b64encode(blob).decode(), kms.decrypt(CiphertextBlob=blob, EncryptionContext=context)["Plaintext"]


def function_env(name, watch_port, endpoint, data_key):
    """The environment of a function, as Lambda and the template would set it."""
    return clean_env({
        **CREDENTIALS, "REGISTRAR_TABLE": TABLE, "REGISTRAR_ENDPOINT": endpoint, "REGISTRAR_REGION": REGION,
        "REGISTRAR_KMS_DATA_KEYS": "%s:%s" % (KEY_NAME, data_key), "REGISTRAR_KMS_ENDPOINT": endpoint,
        "AWS_LAMBDA_RUNTIME_API": "http://127.0.0.1:%d/.rt/%s" % (watch_port, name), "AWS_LAMBDA_FUNCTION_NAME": name,
        "AWS_LAMBDA_FUNCTION_VERSION": "1", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512"})


def start_function(stack, name, function, watch_port, endpoint, data_key, work):
    """Starts a packed function, which then asks the emulator for requests."""
    env = function_env(name, watch_port, endpoint, data_key)
    stack.enter_context(background(name, [str(packed(function))], None, work, env=env))
    return Http("http://127.0.0.1:%d/lambda-url/%s" % (watch_port, name))


def drive(read, write):
    """Register, fetch and delete through the two functions."""
    one = write.post("/subjects/orders-value/versions", {"schema": ORDER_1})
    checks.equal((one.status, one.json.get("version")), (200, 1), "write: register")
    two = write.post("/subjects/orders-value/versions", {"schema": ORDER_2})
    checks.equal((two.status, two.json.get("version")), (200, 2), "write: register a second version")
    again = write.post("/subjects/orders-value/versions", {"schema": ORDER_1})
    checks.equal(again.json, one.json, "write: register again")
    bad = write.post("/subjects/orders-value/versions", {"schema": ORDER_BAD})
    checks.equal((bad.status, bad.json["error_code"]), (409, 40901), "write: an incompatible schema is refused")

    latest = read.get("/subjects/orders-value/versions/latest")
    checks.equal((latest.status, latest.json["version"], latest.json["schema"]), (200, 2, ORDER_2), "read: latest version")
    checks.equal(latest.headers["content-type"], "application/vnd.schemaregistry.v1+json", "read: media type")
    by_id = read.get("/schemas/ids/%d" % one.json["id"])
    checks.equal((by_id.status, by_id.json["schema"]), (200, ORDER_1), "read: schema by id")
    checks.equal(read.get("/subjects").json, ["orders-value"], "read: list of subjects")
    found = read.post("/subjects/orders-value", {"schema": ORDER_1})
    checks.equal((found.status, found.json["version"]), (200, 1), "read: lookup")
    fits = read.post("/compatibility/subjects/orders-value/versions/latest", {"schema": ORDER_BAD})
    checks.equal((fits.status, fits.json), (200, {"is_compatible": False}), "read: compatibility")

    slash = write.post("/subjects/a%2Fb%3Fc/versions", {"schema": '"int"'})
    checks.equal(slash.status, 200, "write: a subject with a slash")
    checks.equal(read.get("/subjects/a%2Fb%3Fc/versions/1").json["subject"], "a/b?c", "read: a subject with a slash")

    checks.equal(write.put("/config/orders-value", {"compatibility": "NONE"}).status, 200, "write: config")
    checks.equal(read.get("/config/orders-value").json["compatibilityLevel"], "NONE", "read: config")


def refused(read):
    """The read function refuses every write, and nothing changes."""
    before = read.get("/subjects/orders-value/versions").json, read.get("/config").json
    for method, path, body in (
        ("POST", "/subjects/orders-value/versions", {"schema": '"long"'}), ("DELETE", "/subjects/orders-value", None),
        ("DELETE", "/subjects/orders-value/versions/1", None), ("PUT", "/config", {"compatibility": "NONE"}),
        ("DELETE", "/config/orders-value", None), ("PUT", "/mode", {"mode": "READONLY"}), ("DELETE", "/mode/orders-value", None),
    ):
        answer = read.send(method, path, body)
        checks.equal((answer.status, answer.json["error_code"]), (405, 405), "read: %s %s is refused" % (method, path))
    after = read.get("/subjects/orders-value/versions").json, read.get("/config").json
    checks.equal(after, before, "read: the refused writes changed nothing")


def delete(read, write):
    checks.equal(write.delete("/subjects/orders-value").json, [1, 2], "write: soft delete")
    gone = read.get("/subjects/orders-value/versions")
    checks.equal((gone.status, gone.json["error_code"]), (404, 40401), "read: the subject is gone")
    checks.equal(read.get("/subjects?deleted=true").json, ["a/b?c", "orders-value"], "read: but among the deleted ones")
    checks.equal(write.delete("/subjects/orders-value?permanent=true").json, [1, 2], "write: permanent delete")
    checks.equal(read.get("/subjects?deleted=true").json, ["a/b?c"], "read: nothing is left of it")


def sensitive(read, write, endpoint, key, work):
    """What is sensitive is in clear for callers, and in the table only for who has the key."""
    metadata = {"properties": {"owner": "team-a", "password": "correct-horse"}, "sensitive": ["password"]}
    body = {"schema": '"double"', "metadata": metadata}
    registered = write.post("/subjects/sensitive/versions", body)
    checks.equal((registered.status, registered.json["metadata"]), (200, metadata), "write: sensitive metadata")
    checks.equal(read.get("/subjects/sensitive/versions/1").json["metadata"], metadata, "read: in clear")

    where = ("--listen", "127.0.0.1:0", "--endpoint", endpoint, "--region", REGION, "--table", TABLE)
    with Serve(*where, env=CREDENTIALS) as server:
        without = Http(server.url)
        refused = without.get("/subjects/sensitive/versions/1")
        checks.equal((refused.status, refused.json), (500, {"error_code": 50001, "message":
                     "Error while reading a version: metadata property 'password' is encrypted with key '%s', which this "
                     "server does not have" % KEY_NAME}), "serve without the key: says which")
        again = without.post("/subjects/sensitive/versions", body)
        checks.equal(again.json["id"], registered.json["id"], "serve without the key: a registration finds what is there")
    key_file = os.path.join(work, "keys")
    Path(key_file).write_text("%s %s\n" % (KEY_NAME, base64.b64encode(key).decode()))
    with Serve(*where, "--key-file", key_file, env=CREDENTIALS) as server:
        found = Http(server.url).get("/subjects/sensitive/versions/1")
        checks.equal(found.json["metadata"], metadata, "serve with the key in a file: in clear")
    Path(key_file).write_text("%s c2hvcnQ=\n" % KEY_NAME)
    bad = subprocess.run([binary(), "serve", *where, "--key-file", key_file], env=clean_env(CREDENTIALS),
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    said = "registrar: key file %s: line 1: key '%s' has 5 bytes, not 32\n" % (key_file, KEY_NAME)
    checks.equal((bad.returncode, bad.stdout, bad.stderr), (1, "", said), "serve: a bad key file is one line and status 1")
    checks.equal(write.delete("/subjects/sensitive").json, [1], "write: soft delete of what is sealed")
    checks.equal(write.delete("/subjects/sensitive?permanent=true").json, [1], "write: and for good")


def refused_key(endpoint):
    """A function whose key KMS refuses does not start."""
    env = function_env("registrar-none", 1, endpoint, base64.b64encode(b"not made by KMS, and not by moto either").decode())
    ended = subprocess.run([str(packed("WriteFunction"))], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           timeout=60)
    said = ended.stdout + ended.stderr
    checks.true(ended.returncode != 0 and "REGISTRAR_KMS_DATA_KEYS: key '%s': " % KEY_NAME in said,
                "a key that KMS refuses keeps a function from starting: %s" % said.strip())


def serve_over_a_table(endpoint, dynamodb):
    """`serve --table` over the table that the functions filled, and over one that is not there."""
    where = ("--listen", "127.0.0.1:0", "--endpoint", endpoint, "--region", REGION)
    with Serve(*where, "--table", TABLE, env=CREDENTIALS) as server:
        checks.true(TABLE in server.place, "serve: the ready line names the table: %s" % server.line.strip())
        checks.equal(Http(server.url).get("/subjects").json, ["a/b?c"], "serve: the functions' data")
        checks.equal(server.stop(), 0, "serve: clean stop")
    missing = subprocess.run([binary(), "serve", *where, "--table", "registrar-missing"], env=clean_env(CREDENTIALS),
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    checks.equal((missing.returncode, missing.stdout, missing.stderr.count("\n")), (1, "", 1),
                 "serve: a missing table is one line and status 1: %s" % missing.stderr.strip())
    checks.equal(dynamodb.list_tables()["TableNames"], [TABLE], "serve: and is not created")
    with Serve(*where, "--table", "registrar-new", "--create-table", env=CREDENTIALS) as server:
        checks.equal(Http(server.url).post("/subjects/s/versions", {"schema": '"int"'}).status, 200, "serve: unless asked to")
    checks.equal(sorted(dynamodb.list_tables()["TableNames"]), [TABLE, "registrar-new"], "serve: then it is there")


def main():
    with tempfile.TemporaryDirectory() as work, contextlib.ExitStack() as stack:
        port = free_port()
        endpoint = "http://127.0.0.1:%d" % port
        moto = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
        stack.enter_context(background("moto", moto, port, work))
        dynamodb = create_table(endpoint)
        data_key, key = create_data_key(endpoint)
        port = free_port()
        command = ["cargo", "lambda", "watch", "--only-lambda-apis", "-A", "127.0.0.1", "-P", str(port)]
        stack.enter_context(background("cargo lambda watch", command, port, work, cwd=ROOT))
        read = start_function(stack, "registrar-read", "ReadFunction", port, endpoint, data_key, work)
        write = start_function(stack, "registrar-write", "WriteFunction", port, endpoint, data_key, work)

        def functions():
            drive(read, write)
            refused(read)
            delete(read, write)
            sensitive(read, write, endpoint, key, work)
            refused_key(endpoint)

        def served():
            serve_over_a_table(endpoint, dynamodb)

        checks.run(functions, served)
    checks.finish("lambda")


if __name__ == "__main__":
    main()
