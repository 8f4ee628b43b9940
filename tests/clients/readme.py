"""The session in README.md, run as it stands there against a fresh `serve`: its output has to be what the README shows.

    readme.py            checks
    readme.py --update   writes the outputs into README.md
"""
import difflib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from served.serve import ROOT, Serve

README = ROOT / "README.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.S)
SHOWN_ADDRESS = "127.0.0.1:8081"
# What is another at each run.
VARIES = re.compile(r'"ts":\d+')


def commands(block):
    """The commands of a session, each as it was typed, with its lines after the first indented."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(line[2:])
        elif line.startswith("    ") and found:
            found[-1] += "\n" + line
    return found


def play(typed, address):
    """The session with what the commands print."""
    mark = "\x1e"
    script = "".join("%s\nprintf '%s'\n" % (command.replace(SHOWN_ADDRESS, address), mark) for command in typed)
    done = subprocess.run(["bash"], input=script, stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    outputs = done.stdout.split(mark)[:-1]
    shown = []
    for command, output in zip(typed, outputs, strict=True):
        output = output.rstrip("\n").replace(address, SHOWN_ADDRESS)
        shown.append("$ %s\n" % command + (output + "\n" if output else ""))
    return "".join(shown)


def main():
    if not shutil.which("curl"):
        print("left out: there is no curl")
        return 77
    text = README.read_text()
    block = BLOCK.search(text).group(1)
    typed = commands(block)
    with tempfile.TemporaryDirectory() as work, Serve("--listen", "127.0.0.1:0", "--data", work) as server:
        fresh = play(typed, server.address)
    if sys.argv[1:] == ["--update"]:
        README.write_text(text.replace(block, fresh))
        return 0
    shown, real = (VARIES.sub('"ts":…', part).splitlines() for part in (block, fresh))
    print("\n".join(difflib.unified_diff(shown, real, "README.md", "as it runs", lineterm="")))
    print("readme: %d commands, %s" % (len(typed), "as shown" if shown == real else "another output"))
    return 0 if shown == real else 1


if __name__ == "__main__":
    sys.exit(main())
