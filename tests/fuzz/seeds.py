"""Writes the inputs that fuzzing starts from: `seeds.py FOLDER` makes a folder for each target below FOLDER.

Own ones come from the data of the tests of registrar-formats. With `--vectors`, those of the shared vectors instead, which
are never committed.
"""
import base64
import hashlib
import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "shared" / "formats" / "tests" / "data"
SHARED = Path(os.environ.get("REGISTRAR_SHARED", ROOT.parent / "shared"))
SEPARATOR = b"\x1e"
MAX_BYTES = 16384


def rows(name):
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        columns = []
        for column in line.split("\t")[1:]:
            columns.append(columns[-1] if column == "=" and columns else column.replace("¶", "\n"))
        yield columns


def vectors(name):
    path = SHARED / "vectors" / name
    if not path.exists():
        print("left out: there is no %s" % path)
        return
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def joined(*texts):
    return SEPARATOR.join(text.encode("utf-8", "replace") for text in texts)


def listed(column):
    """References, `NAME@VERSION TEXT` or `NAME TEXT` or a text of Avro, whose name does not matter."""
    for one in column.split(" ;; ") if column else []:
        name, _, text = one.partition(" ")
        yield "a " + one if one[0] in "[{\"" else name.partition("@")[0] + " " + text


def own():
    for language in ("protobuf", "avro"):
        for name in ("texts", "validity"):
            for row in rows("%s_%s.tsv" % (language, name)):
                yield language + "_text", joined(row[0])
        for row in rows("%s_compat.tsv" % language):
            yield language + "_pairs", joined(row[0], row[1])
        for row in rows("%s_references.tsv" % language):
            yield language + "_text", joined(row[1], *listed(row[0]))
    for row in rows("protobuf_descriptors.tsv"):
        yield "protobuf_text", joined(row[0])
    for row in rows("protobuf_compat_references.tsv"):
        readers = ["<" + one for one in listed(row[0])]
        yield "protobuf_pairs", joined(row[1], row[3], *readers, *(">" + one for one in listed(row[2])))


def text_of(value):
    return value if isinstance(value, str) else json.dumps(value)


def referenced(row, key="references"):
    return ["%s %s" % (one.get("name", ""), text_of(one.get("schema", ""))) for one in row.get(key) or []]


def from_vectors():
    for language in ("protobuf", "avro"):
        for row in vectors("%s-canonical.jsonl" % language):
            yield language + "_text", joined(text_of(row["input"]), *referenced(row))
            if row.get("serialized"):
                yield "protobuf_base64", base64.b64decode(row["serialized"])
            if language == "protobuf":
                try:
                    yield "protobuf_base64", base64.b64decode(row["input"], validate=True)
                except ValueError:
                    pass
        for row in vectors("%s-compat.jsonl" % language):
            readers = ["<" + one for one in referenced(row)]
            writers = [">" + one for one in referenced(row, "writer_references")]
            yield language + "_pairs", joined(text_of(row["reader"]), text_of(row["writer"]), *readers, *writers)


def main():
    folder = Path(sys.argv[1])
    count = {}
    for target, data in from_vectors() if "--vectors" in sys.argv else own():
        if len(data) > MAX_BYTES:
            continue
        (folder / target).mkdir(parents=True, exist_ok=True)
        (folder / target / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
        count[target] = count.get(target, 0) + 1
    print(json.dumps(count))


main()
