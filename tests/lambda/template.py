"""What template.yaml promises beyond being valid: who may do what, which function gets which request, what the table is."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from samcli.yamlhelper import yaml_parse
from served.checks import Checks

ROOT = Path(__file__).resolve().parents[2]
READ = {"GetItem", "BatchGetItem", "Query"}
# TransactWriteItems needs what its parts need.
WRITE = READ | {"PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"}
ANY = "x-amazon-apigateway-any-method"

ROUTED = [
    ("GET", "/", "Read"), ("GET", "/subjects", "Read"), ("HEAD", "/subjects/s/versions", "Read"),
    ("GET", "/subjects/s/versions/latest", "Read"), ("GET", "/schemas/ids/1", "Read"), ("GET", "/config", "Read"),
    ("GET", "/mode/s", "Read"), ("GET", "/openapi.json", "Read"), ("GET", "/contexts", "Read"), ("GET", "/contexts/.c/subjects/s/versions/1", "Read"),
    ("POST", "/subjects/s", "Read"), ("POST", "/contexts/.c/subjects/s", "Read"),
    ("POST", "/compatibility/subjects/s/versions/latest", "Read"), ("POST", "/compatibility/subjects/s/versions", "Read"),
    ("POST", "/contexts/.c/compatibility/subjects/s/versions", "Read"),
    ("POST", "/associations:batchGet", "Read"), ("POST", "/contexts/.c/associations:batchGet", "Read"),
    ("GET", "/associations/resources/-/t", "Read"), ("POST", "/associations", "Write"), ("POST", "/associations:batchMutate", "Write"),
    ("PUT", "/associations/resources/i", "Write"), ("DELETE", "/associations/resources/i", "Write"),
    ("POST", "/subjects/s/versions", "Write"), ("POST", "/contexts/.c/subjects/s/versions", "Write"),
    ("DELETE", "/subjects/s", "Write"), ("DELETE", "/subjects/s/versions/1", "Write"), ("DELETE", "/subjects", "Write"),
    ("PUT", "/config", "Write"), ("PUT", "/config/s", "Write"), ("DELETE", "/config/s", "Write"), ("PUT", "/mode/s", "Write"),
    ("DELETE", "/contexts/.c", "Write"), ("PUT", "/contexts/.c/config/s", "Write"), ("POST", "/subjects", "Write"),
    ("POST", "/compatibility", "Write"), ("OPTIONS", "/subjects/s", "Write"), ("OPTIONS", "/", "Write"),
]


def rank(pattern, path):
    """How exactly a path of the gateway fits: smaller is better, None is not at all."""
    wanted, given, ranks = pattern.strip("/").split("/"), path.strip("/").split("/"), []
    for i, part in enumerate(wanted):
        if part == "{proxy+}":
            return ranks + [2] if len(given) > i and given[i] else None
        if i >= len(given) or not (part == given[i] or (part.startswith("{") and given[i])):
            return None
        ranks.append(1 if part.startswith("{") else 0)
    return ranks if len(wanted) == len(given) else None


def routed(paths, method, path):
    """The function that the gateway hands a request to."""
    fits = [(rank(pattern, path), pattern) for pattern in paths]
    _, best = min(fit for fit in fits if fit[0] is not None)
    integration = paths[best].get(method.lower()) or paths[best].get(ANY)
    return "Read" if "${ReadFunction.Arn}" in str(integration) else "Write" if integration else None


def statements(function):
    """What a function's role may do: always, and only where a condition of the template holds."""
    found = [s for policy in function["Properties"]["Policies"] for s in policy["Statement"]]
    return [s for s in found if "Fn::If" not in s], [s["Fn::If"] for s in found if "Fn::If" in s]


def documented():
    """Each call of the OpenAPI document with the functions that answer it: only what writes is refused by one, with 405."""
    paths = json.loads((ROOT / "docs" / "openapi.json").read_text())["paths"]
    for path, methods in paths.items():
        for method, operation in methods.items():
            writes = "405" in operation["responses"]
            yield method.upper(), path, {"Write"} if writes else {"Read"} if method == "get" else {"Read", "Write"}


def actions(function):
    """The actions of a function's role, and whether they are for this table alone."""
    always, _ = statements(function)
    names = {action.removeprefix("dynamodb:") for s in always for action in s["Action"]}
    return names, all(s["Resource"] == {"Fn::GetAtt": ["Table", "Arn"]} for s in always)


def check_data_keys(checks, functions, template, name):
    """Without data keys no right on KMS; with some, to decrypt what was made for this purpose with this key."""
    wanted = {"Sid": "DecryptDataKeys", "Effect": "Allow", "Action": "kms:Decrypt", "Resource": {"Ref": "KmsKeyArn"},
              "Condition": {"StringEquals": {"kms:EncryptionContext:registrar": "metadata"}}}
    for function in functions:
        checks.equal(statements(function)[1], [["Encrypts", wanted, {"Ref": "AWS::NoValue"}]],
                     "%s: KMS decrypts data keys, only where there are some" % name)
    checks.equal(template["Conditions"]["Encrypts"], {"Fn::Not": [{"Fn::Equals": [{"Ref": "KmsDataKeys"}, ""]}]},
                 "%s: by default there are none" % name)
    checks.equal(template["Parameters"]["KmsDataKeys"]["Default"], "", "%s: nor in the parameter" % name)


def main():
    checks = Checks()
    template = yaml_parse((ROOT / "template.yaml").read_text())
    resources, parameters = template["Resources"], template["Parameters"]
    checks.equal(actions(resources["ReadFunction"]), (READ, True), "the read function's role only reads this table")
    checks.equal(actions(resources["WriteFunction"]), (WRITE, True), "the write function's role has what it uses")

    check_data_keys(checks, [resources["ReadFunction"], resources["WriteFunction"]], template, "template")
    variant = yaml_parse((ROOT / "infra" / "function-url.yaml").read_text())
    check_data_keys(checks, [variant["Resources"]["Function"]], variant, "function URL")

    table = resources["Table"]
    properties = table["Properties"]
    checks.equal((table["DeletionPolicy"], table["UpdateReplacePolicy"]), ("Retain", "Retain"), "the table outlives the stack")
    checks.equal(properties["BillingMode"], "PAY_PER_REQUEST", "the table is on demand")
    checks.equal(properties["DeletionProtectionEnabled"], True, "the table is protected against deletion")
    checks.equal(properties["PointInTimeRecoverySpecification"], {"PointInTimeRecoveryEnabled": True}, "with recovery to a point in time")
    checks.equal(properties["SSESpecification"]["SSEEnabled"], True, "and encrypted")
    checks.true("GlobalSecondaryIndexes" not in properties, "no index")

    for name, function in (("read", resources["ReadFunction"]), ("write", resources["WriteFunction"])):
        checks.equal(function["Metadata"], {"BuildMethod": "rust-cargolambda", "BuildProperties": {"Binary": "registrar-" + name}},
                     "%s: built by cargo-lambda" % name)
        checks.true("LogGroup" in function["Properties"]["LoggingConfig"], "%s: logs have a retention" % name)
    runtime = template["Globals"]["Function"]
    for where, function, of in ((runtime, "template", parameters), (variant["Resources"]["Function"]["Properties"], "function URL", variant["Parameters"])):
        checks.equal((where["Environment"]["Variables"]["REGISTRAR_ID_RANGE"], of["IdRange"]["Default"]), ({"Ref": "IdRange"}, ""),
                     "%s: the range of ids is a parameter, all by default" % function)
    checks.equal((runtime["Runtime"], runtime["Architectures"], parameters["Architecture"]["Default"]),
                 ("provided.al2023", [{"Ref": "Architecture"}], "arm64"), "provided.al2023 on arm64 unless asked otherwise")
    checks.equal([n for n, p in parameters.items() if "Default" not in p], [], "every parameter has a default")
    checks.equal(resources["Api"]["Type"], "AWS::Serverless::Api", "a REST API, which leaves paths encoded")

    body = resources["Api"]["Properties"]["DefinitionBody"]
    for path, methods in body["paths"].items():
        checks.equal(set(methods) - {"post"}, {"get", "head", ANY}, "%s takes every method" % path)
    for method, path, function in ROUTED:
        checks.equal(routed(body["paths"], method, path), function, "%s %s" % (method, path))
    wrong = [call for call in documented() if routed(body["paths"], call[0], call[1]) not in call[2]]
    checks.equal(wrong, [], "each documented call goes to a function that answers it")
    checks.finish("template")


if __name__ == "__main__":
    main()
