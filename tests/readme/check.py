#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""check.py [--write] README POSENCD - compares the README with the program.

Every ```console block is run: bash runs the lines that begin with "$ " in one scratch folder,
localhost:8080 is a posencd on a free port, and the output must be the one that the block shows.
A ```python block that begins with "# NAME.py" is a file of that folder.
The families between the marks and docs/encodings.md must be those of the program, links must lead
to files, and goals of make must exist. --write writes what the program says."""

import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
from support.posencd import Posencd  # noqa: E402

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```python\n(# (\w+\.py)\b.*?)^```$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"(<!-- encodings: .*? -->\n)(.*?)(<!-- end -->)", re.DOTALL)
PAGE = "docs/encodings.md"
OTHERS = (PAGE, "CONTRIBUTING.md", "SECURITY.md", "core/README.md", "tests/README.md",
          "deploy/README.md")


def steps(block):
    """(command, its output) of a block; a command goes on while lines end in a \\."""
    found = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append([line[2:], ""])
        elif found and not found[-1][1] and found[-1][0].endswith("\\\n"):
            found[-1][0] += line
        else:
            found[-1][1] += line
    return found


def run(command, folder, port):
    """The output that a reader would see: our port is written as localhost:8080."""
    environment = dict(os.environ, PATH=os.path.join(ROOT, "build") + ":" + os.environ["PATH"])
    for proxy in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        environment.pop(proxy, None)
    done = subprocess.run(
        ["bash", "-c", command.replace("localhost:8080", "127.0.0.1:%d" % port)], cwd=folder,
        env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=60, check=False)
    return done.stdout.decode("utf-8", "replace").replace("127.0.0.1:%d" % port,
                                                           "localhost:8080")


def newest(text, posencd):
    """The README as it should be, and what of it was wrong."""
    faults, ran = [], 0
    with tempfile.TemporaryDirectory() as folder, Posencd() as server:
        for content, name in FILE.findall(text):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(content)

        def block(match):
            nonlocal ran
            lines = []
            for command, shown in steps(match.group(1)):
                printed = run(command, folder, server.port)
                if printed and not printed.endswith("\n"):
                    printed += "\n"
                ran += 1
                if printed != shown:
                    faults.append("README: $ %s  shows\n%s  but it prints\n%s" % (
                        command, shown, printed))
                lines.append("$ " + command + printed)
            return "```console\n%s```" % "".join(lines)
        text = BLOCK.sub(block, text)
    families = families_of(posencd)
    table = "| family | encodings |\n|---|---|\n" + "".join(
        "| [%s](%s#%s) | %s |\n" % (family, PAGE, family, ", ".join(row[0] for row in rows))
        for family, rows in families.items())
    fresh = TABLE.sub(lambda match: match.group(1) + table + match.group(3), text)
    if fresh != text or not TABLE.search(text):
        faults.append("README: the table of encodings is stale: run `make readme`")
    return fresh, faults, ran + 1


def families_of(posencd):
    """Family -> rows of (name, what, try), as the program lists its encodings."""
    lines = subprocess.run([posencd, "encodings", "--markdown"], check=True,
                           capture_output=True, text=True).stdout.splitlines()[2:]
    families = {}
    for name, family, what, example in (line.strip("| ").split(" | ") for line in lines):
        families.setdefault(family, []).append((name, what, example))
    return dict(sorted(families.items()))


def page_of(posencd):
    parts = ["# Every encoding\n\n"
             "`/v1/encodings/{name}` has the parameters, outputs and sources of each. This page "
             "is made by\n`make readme`.\n"]
    for family, rows in families_of(posencd).items():
        parts.append("\n## %s\n\n| encoding | what | try |\n|---|---|---|\n" % family)
        parts.extend("| %s | %s | %s |\n" % row for row in rows)
    return "".join(parts)


def links_and_goals(path, text, goals):
    faults = []
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        if not os.path.exists(os.path.join(ROOT, os.path.dirname(path), link)):
            faults.append("%s: links to %s, which is not there" % (path, link))
    for words in re.findall(r"(?:`|^    )make ([a-z][a-zA-Z0-9=. -]*)", text, re.MULTILINE):
        for goal in words.split("  ")[0].split():
            if "=" not in goal and not goal.startswith("-") and goal not in goals:
                faults.append("%s: `make %s` is no goal" % (path, goal))
    return faults


def main():
    write = sys.argv[1] == "--write"
    readme, posencd = sys.argv[-2:]
    with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as file:
        makefile = file.read()
    goals = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))
    goals |= set(re.search(r"^INSTALLS := (.*)$", makefile, re.MULTILINE).group(1).split())
    with open(readme, encoding="utf-8") as file:
        text = file.read()
    fresh, faults, passed = newest(text, posencd)
    page = page_of(posencd)
    if write:
        for path, content in ((readme, fresh), (os.path.join(ROOT, PAGE), page)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        return 0
    with open(os.path.join(ROOT, PAGE), encoding="utf-8") as file:
        passed += 1
        if file.read() != page:
            faults.append(PAGE + " is stale: run `make readme`")
    for path in ("README.md",) + OTHERS:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            faults += links_and_goals(path, file.read(), goals)
        passed += 1
    for fault in faults:
        print(fault)
    print("readme: %d passed, %d failed" % (max(0, passed - len(faults)), len(faults)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
