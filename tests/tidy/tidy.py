"""The repository's own rules, checked: `tests/run tidy`. Needs only Python and cargo."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAX_LINES = 500

TOP_LEVEL = {
    "Cargo.toml", "Cargo.lock", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "template.yaml",
    "clippy.toml", "deny.toml", "rustfmt.toml", "samconfig.toml", "functions", "shared", "infra", "tests", "docs",
}

# Who may use whom among our own crates, besides tests: a crate uses only what stands on its line.
MAY_USE = {
    "registrar-model": set(),
    "registrar-formats": {"registrar-model"},
    "registrar-store": {"registrar-model"},
    "registrar-embedded": set(),
    "registrar-registry": {"registrar-formats", "registrar-store", "registrar-model"},
    "registrar-http": {"registrar-registry", "registrar-formats", "registrar-store", "registrar-model"},
    "registrar-lambda": {"registrar-http", "registrar-registry", "registrar-store", "registrar-model"},
    "registrar-read": {"registrar-lambda", "registrar-http", "registrar-registry", "registrar-store"},
    "registrar-write": {"registrar-lambda", "registrar-http", "registrar-registry", "registrar-store"},
    "registrar": {"registrar-embedded", "registrar-http", "registrar-registry", "registrar-store", "registrar-model"},
}
# All that these may use of others, which is computation and nothing else; the crates not named here have no such limit.
MAY_USE_OTHERS = {
    "registrar-model": set(),
    "registrar-formats": {"base64", "md-5", "regex-syntax", "sha2"},
}
# Never in what the functions are built from, tests left aside.
NOT_IN_FUNCTIONS = {"registrar-embedded", "registrar-harness", "dynoxide-rs", "rusqlite", "libsqlite3-sys", "aws-config", "clap", "aws-lc-sys"}
# serde_json features are global to a build and would change what a number or an object is.
NO_SERDE_JSON_FEATURES = {"arbitrary_precision", "preserve_order"}

PANICS = re.compile(r"\.unwrap\(\)|\.expect\(\s*[\"&f]|\b(panic|todo|unimplemented|unreachable|dbg)!\s*[(\[{]|\bunsafe\b")
# Spelt in pieces, or this file would find itself.
MACHINE = re.compile("|".join(["/" + name + "/" for name in ("work", "root", "home", "tmp")] + [r"\.lib" + "rary", "arti" + "factory"]))

problems = []


def problem(path, text):
    problems.append("%s: %s" % (path, text))


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def tracked():
    """Files that are committed or would be."""
    names = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0")
    return sorted(name for name in set(names) if name and (ROOT / name).is_file())


def text_of(name):
    try:
        return (ROOT / name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def is_test(name):
    parts = name.split("/")
    return "tests" in parts or "benches" in parts or parts[-1] == "tests.rs" or name.endswith("_test.rs")


def before_tests(text):
    """The lines of a file before its test module, without comments."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith("#[cfg(test)]"):
            return
        code = re.sub(r"//.*", "", line)
        yield number, code


def check_rust(name, text):
    if not text.startswith("//! "):
        problem(name, "no module header (`//! …`)")
    lines = text.count("\n")
    if lines > MAX_LINES:
        problem(name, "%d lines, more than %d" % (lines, MAX_LINES))
    if "#[ignore" in text:
        problem(name, "an ignored test")
    if is_test(name):
        return
    for number, code in before_tests(text):
        if PANICS.search(code):
            problem("%s:%d" % (name, number), "can panic, or is unsafe: %s" % code.strip())


def check_words(name, text):
    for number, line in enumerate(text.splitlines(), 1):
        if MACHINE.search(line):
            problem("%s:%d" % (name, number), "a path or word of one machine: %s" % line.strip()[:120])


def check_files():
    for name in tracked():
        top = name.split("/")[0]
        if top not in TOP_LEVEL and not top.startswith("."):
            problem(name, "not one of the agreed names at the top")
        text = text_of(name)
        if text is None or name == "Cargo.lock":
            continue
        check_words(name, text)
        if name.endswith(".rs"):
            check_rust(name, text)
    for name in ("tests/run", ".ci/run"):
        if not os.access(ROOT / name, os.X_OK):
            problem(name, "has no run bit")


def metadata():
    return json.loads(run("cargo", "metadata", "--format-version", "1", "--locked"))


def check_directions(meta):
    """What is deployed obeys the table; crates below tests/ may use anything."""
    ours = {package["name"]: package for package in meta["packages"] if package["id"] in set(meta["workspace_members"])
            and "tests" not in Path(package["manifest_path"]).relative_to(ROOT).parts}
    for name, package in sorted(ours.items()):
        if name not in MAY_USE:
            problem(name, "not in the table of directions in tests/tidy/tidy.py")
            continue
        for dependency in package["dependencies"]:
            used = dependency["name"]
            if dependency["kind"] == "dev":
                continue
            allowed = MAY_USE[name] if used.startswith("registrar-") else MAY_USE_OTHERS.get(name, {used})
            if used not in allowed:
                problem(name, "must not use %s" % used)
    for name in MAY_USE:
        if name not in ours:
            problem(name, "stands in the table of directions, but is no crate")


def check_closures(meta):
    nodes = {node["id"]: node for node in meta["resolve"]["nodes"]}
    name_of = {package["id"]: package["name"] for package in meta["packages"]}
    for package_id in meta["workspace_members"]:
        if name_of[package_id] not in ("registrar-read", "registrar-write"):
            continue
        seen, todo = set(), [package_id]
        while todo:
            node = nodes[todo.pop()]
            for dependency in node["deps"]:
                normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
                if normal and dependency["pkg"] not in seen:
                    seen.add(dependency["pkg"])
                    todo.append(dependency["pkg"])
        for forbidden in sorted({name_of[i] for i in seen} & NOT_IN_FUNCTIONS):
            problem(name_of[package_id], "is built with %s" % forbidden)
    for node in nodes.values():
        if name_of[node["id"]] == "serde_json" and NO_SERDE_JSON_FEATURES & set(node["features"]):
            problem("serde_json", "is built with %s" % ", ".join(NO_SERDE_JSON_FEATURES & set(node["features"])))


def check_dependencies_are_explained(meta):
    architecture = text_of("ARCHITECTURE.md") if (ROOT / "ARCHITECTURE.md").exists() else ""
    members = set(meta["workspace_members"])
    ours = {package["name"] for package in meta["packages"] if package["id"] in members}
    used = {d["name"] for p in meta["packages"] if p["id"] in members for d in p["dependencies"]} - ours
    for name in sorted(used):
        if "`%s`" % name not in architecture:
            problem("ARCHITECTURE.md", "does not say what `%s` is for" % name)


def check_error_table():
    code = text_of("shared/http/src/error.rs")
    enum = re.search(r"pub enum ErrorCode \{(.*?)\n\}", code, re.S).group(1)
    in_code = {(int(number), name) for name, number in re.findall(r"^\s*(\w+) = (\d+),", enum, re.M)}
    table = text_of("docs/ERRORS.md")
    in_docs = {(int(number), name) for number, name in re.findall(r"^\| (\d+) \| `(\w+)` \|", table, re.M)}
    for number, name in sorted(in_code - in_docs):
        problem("docs/ERRORS.md", "lacks %d %s" % (number, name))
    for number, name in sorted(in_docs - in_code):
        problem("docs/ERRORS.md", "has %d %s, which the code does not" % (number, name))
    if not in_code:
        problem("shared/http/src/error.rs", "no error code found by tests/tidy/tidy.py")


# Where texts of errors stand, and parts of such files that are none.
ERROR_TEXTS = ["shared/http/src/error.rs", "shared/http/src/routes/mod.rs", "shared/model/src/rules.rs"]
NO_ERROR_TEXTS = {"answering the request", "an alias of {} was not followed"}


def rust_strings(text):
    """The string literals of a file before its tests, as format strings are printed: `{}` for what is filled in."""
    code = "\n".join(line for _, line in before_tests(text) if not line.strip().startswith("#["))
    for literal in re.findall(r'"((?:[^"\\]|\\.|\\\n)*)"', code):
        literal = re.sub(r"\\\n\s*", "", literal).replace('\\"', '"')
        literal = literal.replace("{{", "\0").replace("}}", "\1")
        yield re.sub(r"\{[^}]*\}", "{}", literal).replace("\0", "{").replace("\1", "}")


def check_error_texts():
    """Every text that an error can have is in the table of the conformance cases, which say who shows it."""
    rows = [line.split("\t") for line in text_of("tests/conformance/errors.tsv").splitlines() if line[:1].isdigit()]
    texts = [row[1] for row in rows]
    for name in ERROR_TEXTS:
        for text in rust_strings(text_of(name)):
            is_message = re.search(r"[a-z]", text) and " " in text and (name != "shared/http/src/routes/mod.rs" or "timed out" in text)
            pattern = re.compile(".*".join(map(re.escape, text.split("{}"))))
            if is_message and text not in NO_ERROR_TEXTS and not any(pattern.fullmatch(known) for known in texts):
                problem(name, "tests/conformance/errors.tsv lacks %r" % text)


def main():
    check_files()
    meta = metadata()
    check_directions(meta)
    check_closures(meta)
    check_dependencies_are_explained(meta)
    check_error_table()
    check_error_texts()
    for line in problems:
        print(line)
    print("tidy: %d files, %d problems" % (len(tracked()), len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
