#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""check.py [--write] README POSENCD - compares the README and what continues it with the program.

Every ```console block is run: bash runs the lines that begin with "$ " in one scratch folder,
localhost:8080 is a posencd on a free port, and the output must be the one that the block shows.
A block whose first line is the comment "# NAME.py" (or .mjs, .rs, .go) is a file of that folder.
A command of a language that is not installed is counted and named; `make deps-clients` installs
them. The pictures of docs/pictures/pictures.txt must be what their commands draw.
docs/encodings.md must have the encodings of the program, docs/disagreements.md the rows of
proto/pages/disagreements.def and docs/building.md those of tests/support/dependencies.txt and
tests/http/wire_strict.py, links must lead to files, and goals of make must exist. README's table of
systems must say of each how it was tried, by what .ci/run runs, or that it was not. --write writes
the documents and the pictures."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(ROOT, "tests/http")]
from support.posencd import Posencd  # noqa: E402
import test_wire  # noqa: E402
import wire_strict  # noqa: E402

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```\w+\n((?:#|//) (\w+\.(?:py|mjs|rs|go))\b.*?)^```$",
                  re.MULTILINE | re.DOTALL)
LANGUAGES = ("node", "rustc", "go")
PICTURES = "docs/pictures"
SHOWN = ("docs/cli.md", "docs/api.md", "docs/clients.md", "core/README.md")  # run as README is
PAGE, DISAGREEMENTS = "docs/encodings.md", "docs/disagreements.md"
DEPENDENCIES, BUILDING = "tests/support/dependencies.txt", "docs/building.md"
OTHERS = SHOWN + (PAGE, DISAGREEMENTS, BUILDING, "CONTRIBUTING.md", "SECURITY.md", "tests/README.md",
                  "deploy/README.md")
README_LINES = 180


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
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy", "MAKEFLAGS", "MFLAGS"):
        environment.pop(name, None)
    done = subprocess.run(
        ["bash", "-c", command.replace("localhost:8080", "127.0.0.1:%d" % port)], cwd=folder,
        env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=60, check=False)
    return done.stdout.decode("utf-8", "replace").replace("127.0.0.1:%d" % port,
                                                           "localhost:8080")


def newest(name_of, text):
    """The document as it should be, what of it was wrong, how many commands were right, and the
    languages that are not installed."""
    faults, ran, absent = [], 0, set()
    with tempfile.TemporaryDirectory() as folder, Posencd() as server:
        for content, name in FILE.findall(text):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(content.replace("localhost:8080", "127.0.0.1:%d" % server.port))

        def block(match):
            nonlocal ran
            lines = []
            for command, shown in steps(match.group(1)):
                language = command.split()[0]
                if language in LANGUAGES and not shutil.which(language):
                    absent.add(language)
                    lines.append("$ " + command + shown)
                    continue
                printed = run(command, folder, server.port)
                if printed and not printed.endswith("\n"):
                    printed += "\n"
                ran += 1
                if printed != shown:
                    faults.append("%s: $ %s  shows\n%s  but it prints\n%s" % (
                        name_of, command, shown, printed))
                lines.append("$ " + command + printed)
            return "```console\n%s```" % "".join(lines)
        text = BLOCK.sub(block, text)
    return text, faults, ran, sorted(absent)


def pictures(posencd):
    """File -> bytes of each picture, drawn by the command in its row of pictures.txt."""
    drawn = {}
    with open(os.path.join(ROOT, PICTURES, "pictures.txt"), encoding="utf-8") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    with tempfile.TemporaryDirectory() as folder:
        for name, *arguments in rows:
            path = os.path.join(folder, name)
            subprocess.run([posencd, "compute", *arguments, "-o", path], check=True)
            with open(path, "rb") as file:
                drawn[os.path.join(PICTURES, name)] = file.read()
    return drawn


def families_of(posencd):
    """Family -> rows of (name, what, try), as the program lists its encodings."""
    lines = subprocess.run([posencd, "encodings", "--markdown"], check=True,
                           capture_output=True, text=True).stdout.splitlines()[2:]
    families = {}
    for name, family, what, example in (line.strip("| ").split(" | ") for line in lines):
        families.setdefault(family, []).append((name, what, example))
    return dict(sorted(families.items()))


def page_of(posencd):
    families = families_of(posencd)
    parts = ["# Every encoding\n\n"
             "`/docs/{name}` of a server explains each, `/v1/encodings/{name}` has its parameters, "
             "outputs and\nsources for programs. This page is made by `make readme`.\n\n"
             "| family | encodings |\n|---|---|\n"]
    parts.extend("| [%s](#%s) | %s |\n" % (family, family, ", ".join(row[0] for row in rows))
                 for family, rows in families.items())
    for family, rows in families.items():
        parts.append("\n## %s\n\n| encoding | what | try |\n|---|---|---|\n" % family)
        parts.extend("| %s | %s | %s |\n" % row for row in rows)
    return "".join(parts)


def disagreements():
    """The text of the document that has the rows of disagreements.def, whose syntax Python reads."""
    with open(os.path.join(ROOT, "proto/pages/disagreements.def"), encoding="utf-8") as file:
        rows = ast.parse(re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)).body
    rows = [[ast.literal_eval(argument) for argument in row.value.args] for row in rows]
    parts = ["# Where libraries disagree\n\n"
             "%d places where libraries give different numbers under one name, with the parameter "
             "that chooses\nbetween them here. A server has them at `/docs/disagreements`. This "
             "page is made by `make readme`.\n" % len(rows)]
    for _, encodings, title, differs, chooses, source, *_ in rows:
        names = ", ".join("`%s`" % name for name in encodings.split())
        parts.append("\n## %s\n" % title)
        parts.extend("\n%s\n" % textwrap.fill(text, 100, break_on_hyphens=False) for text in (
            differs, "Encodings: %s. Chosen here by: %s." % (names, chooses), "Read in: " + source))
    return "".join(parts)


def building():
    """The text of the document that has the rows of dependencies.txt."""
    with open(os.path.join(ROOT, DEPENDENCIES), encoding="utf-8") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    parts = ["# What posencd is built from\n\n"
             "`make deps` installs what is missing where there is apt: on Debian 12, Debian 13 and "
             "Ubuntu. Elsewhere it\nprints this table, goes on if everything is found, and else "
             "names what is not. This page is made by `make\nreadme`. What was tried where is in "
             "the [README](../README.md#where-it-runs).\n\n"
             "| needed by | name | found | Debian, Ubuntu | Fedora | Alpine | Arch |\n"
             "|---|---|---|---|---|---|---|\n"]
    ways = {"pkg-config": "by pkg-config", "program": "in PATH", "header": "by the compiler",
            "python": "by Python"}
    users = {"tool": "the build", "test": "the tests"}
    parts.extend("| %s | %s |\n" % (users.get(part, "`%s`" % part), " | ".join(
        ["`%s`" % name, ways[how], *packages])) for part, how, name, *packages in rows)
    return "".join(parts) + strictness()


def strictness():
    """What each version of libmicrohttpd makes of the heads and chunks that two read differently."""
    outcomes = {name: allowed for name, _, allowed in test_wire.WRITTEN}
    parts = ["\n## How strictly a request is read\n\n"
             "With libmicrohttpd 0.9.75 posencd reads the bytes of a head and of chunks itself; since "
             "1.0.0 the library's\nstrict level and public functions decide. Each of %d malformed and "
             "odd requests is sent with both, and ends\nin one way, but for these. A row has the "
             "statuses of the answers; `close`: the connection ends.\n\n"
             "| requests | 0.9.75 | since 1.0.0 | why nothing is smuggled |\n|---|---|---|---|\n"
             % len(outcomes)]
    for reason, allowed, names in wire_strict.ROWS:
        before = sorted({end for name in names for end in outcomes[name]})
        parts.append("| %s | %s | %s | %s |\n" % (
            "; ".join(names), " or ".join("`%s`" % end for end in before),
            " or ".join("`%s`" % end for end in allowed), reason))
    return "".join(parts)


def untried(text, ci):
    """What is wrong with the table of systems, given the text of .ci/run: a row that names no way of
    trying, or a goal that .ci/run does not make, unless the goal has a variable of its own."""
    faults, stages = [], set(" ".join(re.findall(r"'([^']*)'", ci)).split()) | {"test"}
    rows = re.search(r"^## Where it runs\n\n.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    for row in rows.group(1).splitlines() if rows else [""]:
        way = row.strip("| ").split(" | ")[-1]
        tried = re.findall(r"`(?:make ([a-z-]+)( [A-Z]+=\w+)?|\.ci/run)`", way)
        if not tried and "not tried" not in way:
            faults.append("README: the table of systems has no way of trying in: " + row)
        faults.extend("README: .ci/run does not make %s, by which a system was tried" % goal
                      for goal, variable in tried
                      if goal and not variable and goal not in stages)
    return faults


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
    fresh, faults, passed, absent = newest("README", text)
    if text.count("\n") > README_LINES:
        faults.append("README: has more than %d lines" % README_LINES)
    shown = {}
    for path in SHOWN:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            shown[path], wrong, ran, lacks = newest(path, file.read())
        faults += wrong
        passed += ran
        absent = sorted({*absent, *lacks})
    made = {PAGE: page_of(posencd).encode(), DISAGREEMENTS: disagreements().encode(),
            BUILDING: building().encode(), **pictures(posencd)}
    count = made[DISAGREEMENTS].decode().split()[4]
    if not re.search("[Tt]he %s disagreements" % count, " ".join(text.split())):
        faults.append("README: counts the disagreements of %s wrongly" % DISAGREEMENTS)
    encodings = sum(map(len, families_of(posencd).values()))
    if not re.search(r"\b%d encodings\b" % encodings, " ".join(text.split())):
        faults.append("README: counts the encodings wrongly; there are %d" % encodings)
    if write:
        made.update({path: content.encode() for path, content in {readme: fresh, **shown}.items()})
        for path, content in made.items():
            with open(os.path.join(ROOT, path), "wb") as file:
                file.write(content)
        return 0
    for path, content in made.items():
        with open(os.path.join(ROOT, path), "rb") as file:
            passed += 1
            if file.read() != content:
                faults.append(path + " is stale: run `make readme`")
    with open(os.path.join(ROOT, ".ci/run"), encoding="utf-8") as file:
        faults += untried(text, file.read())
    for path in ("README.md",) + OTHERS:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            faults += links_and_goals(path, file.read(), goals)
        passed += 1
    for fault in faults:
        print(fault)
    if absent:
        print("readme: not run, because they are not installed: " + ", ".join(absent))
    print("readme: %d passed, %d failed" % (max(0, passed - len(faults)), len(faults)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
