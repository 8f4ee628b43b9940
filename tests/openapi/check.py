"""The OpenAPI document: valid, served as it is checked in, and true of a running server: `check.py URL`.

schemathesis sends requests made from the document, good ones and bad ones, and checks that none is answered with a 5xx and
that status, media type, headers and body of each answer are as documented.
"""
import json
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from openapi_spec_validator import OpenAPIV31SpecValidator
from served.checks import Checks
from served.wire import Http

DOCUMENT = ROOT / "docs" / "openapi.json"
# Fixed, so that two runs send the same; few, so that a slow core is done in minutes.
SEED, EXAMPLES = 5, 12
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
          "response_schema_conformance"]


def fill(http):
    """Something under the names of the document's examples, so that not every answer is that there is nothing.

    Nothing of Protobuf: its bare text comes under a JSON type without being JSON, which no document can say.
    """
    record = '{"type":"record","name":"Order","fields":[{"name":"id","type":"long"}%s]}'
    more = record % ',{"name":"note","type":"string","default":""}'
    for subject, body in [
            ("orders-value", {"schema": record % ""}),
            ("orders-value", {"schema": more, "metadata": {"properties": {"owner": "orders"}, "sensitive": ["owner"]}}),
            ("returns-value", {"schema": '{"type":"object"}', "schemaType": "JSON"}),
            (":.orders:orders-value", {"schema": record % ""})]:
        answer = http.post("/subjects/%s/versions" % subject, body)
        assert answer.status == 200, answer


def with_one_type(document):
    """The document with one media type for each body sent: all types are read alike, and three would be thrice the time."""
    for methods in document["paths"].values():
        for operation in methods.values():
            content = operation.get("requestBody", {}).get("content", {})
            for name in sorted(content)[1:]:
                del content[name]
    return document


def sent(report):
    """The operations that were called, and how many requests had an answer of each hundred, by the events of a run."""
    operations, answers = set(), Counter()
    for line in report.read_text().splitlines():
        recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder", {})
        operations.update((case["value"]["method"], case["value"]["path"]) for case in recorder.get("cases", {}).values())
        for exchange in recorder.get("interactions", {}).values():
            answers["%dxx" % (exchange["response"]["status_code"] // 100) if exchange.get("response") else "none"] += 1
    return operations, answers


def run(url, checks):
    with tempfile.TemporaryDirectory() as work:
        report, described = Path(work) / "events", Path(work) / "openapi.json"
        described.write_text(json.dumps(with_one_type(json.loads(DOCUMENT.read_text()))))
        command = [
            Path(sysconfig.get_path("scripts")) / "schemathesis", "run", described, "--url", url, "--checks", ",".join(CHECKS),
            "--seed", str(SEED), "--max-examples", str(EXAMPLES), "--generation-database", "none",
            "--continue-on-failure", "--no-color", "--warnings", "off", "--report", "ndjson", "--report-ndjson-path", report]
        status = subprocess.run([str(part) for part in command], cwd=work, stdin=subprocess.DEVNULL).returncode
        operations, answers = sent(report)
    paths = json.loads(DOCUMENT.read_text())["paths"]
    documented = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    print("schemathesis: %d operations, %d requests, answers: %s" % (
        len(documented & operations), answers.total(), ", ".join("%s %d" % pair for pair in sorted(answers.items()))))
    checks.equal(documented - operations, set(), "every operation is called")
    checks.equal(status, 0, "every answer is as documented")


def main():
    url, checks, http = sys.argv[-1], Checks(), Http(sys.argv[-1])
    document = DOCUMENT.read_bytes()
    errors = [error.message for error in OpenAPIV31SpecValidator(json.loads(document)).iter_errors()]
    checks.equal(errors, [], "the document is valid")
    checks.true(http.get("/openapi.json").body == document, "it is what is served")
    fill(http)
    run(url, checks)
    checks.finish("openapi")


if __name__ == "__main__":
    main()
