# SPDX-License-Identifier: Apache-2.0
"""arrows.py - which file of a folder of server calls which other: an arrow from one to the other,
however many functions of it they are, called or handed on by name. An arrow runs back where the
list of the folder has its end before its beginning; in a folder without a list, where it is part of
a circle, since then no list could have it forward. The list is in the comment at the head of the
folder's internal.h. The number of arrows back is held: a change may lower it. `make layout` prints
them."""

import os
import re

from tree import code_only, stem

# Folder -> the arrows back that it has today. Any other folder has none.
BACK = {
    "server/exchange": 8,
    "server/batch": 5,
    "server/net": 2,
}
# A line of a list: names, the first line of a group after the group's word and a colon.
LINE = re.compile(r"^ \*     (.+)$", re.MULTILINE)
# The first line of a function's definition and the rest of its signature.
DEFINITION = re.compile(r"^(static (?:inline )?)?\w[^\n;={}#]*?\b(\w+)\([^;{}]*\)\n\{", re.MULTILINE)
# Words that name no function: tags of types, members.
OTHER = re.compile(r"\b(?:struct|enum|union)\s+\w+|(?:\.|->)\w+")
BODY = re.compile(r"^\{.*?^\}", re.MULTILINE | re.DOTALL)

LISTED = "/* internal.h - an example:\n *\n *     steps: one, other,\n *         third\n */\n"


def example(listed):
    """A folder of three files with a list."""
    return {"server/exchange/internal.h": listed,
            **{"server/exchange/%s.c" % name: "" for name in ("one", "other", "third")}}


def many():
    """A folder with a list whose last file calls each of the others, one more than are held."""
    count = BACK["server/exchange"] + 1
    files = {"server/exchange/f%d.c" % i: "int f%d(void)\n{\n    return 0;\n}\n" % i
             for i in range(count)}
    files["server/exchange/last.c"] = "int last(void)\n{\n    return %s;\n}\n" % " + ".join(
        "f%d()" % i for i in range(count))
    files["server/exchange/internal.h"] = "/* internal.h - an example:\n *     all: %s, last\n */\n" % \
        ", ".join("f%d" % i for i in range(count))
    return files


wrong = [
    many(),
    example(LISTED.replace("third", "fourth")),
    example(LISTED.replace("third", "one")),
    {"server/cache/a.c": "int a(void)\n{\n    return b();\n}\n",
     "server/cache/b.c": "int b(void)\n{\n    return a();\n}\n"},
    {"server/cache/a.c": "int a(void)\n{\n    return b(0);\n}\n",
     "server/cache/b.c": "const step first = a;\n\nint b(step next)\n{\n    return next();\n}\n"},
    {"server/cache/a.c": "int a(void)\n{\n    return b();\n}\n",
     "server/cache/b.h": "static inline int b(void)\n{\n    return a();\n}\n", "server/cache/b.c": ""},
]


def folders(tree):
    """Folder of server -> its files, name -> code. Headers count as their source's, for the
    functions that they define."""
    found = {}
    for path, text in tree.under(["server"]):
        code = code_only(text)
        if path.endswith(".h"):
            if path[:-2] + ".c" not in tree.files:
                continue
            code = "\n".join(match.group() for match in DEFINITION.finditer(code)) + \
                "\n".join(BODY.findall(code))
        files = found.setdefault(os.path.dirname(path), {})
        files[stem(path)] = files.get(stem(path), "") + code + "\n"
    return found


def arrows(files):
    """(file, file that it calls) -> the functions."""
    own, owner = {}, {}
    for name, code in files.items():
        own[name] = set()
        for kind, function in DEFINITION.findall(code):
            own[name].add(function)
            if kind != "static ":
                owner[function] = name
    found = {}
    for name, code in files.items():
        for word in set(re.findall(r"\w+", OTHER.sub(" ", code))) & owner.keys() - own[name]:
            found.setdefault((name, owner[word]), set()).add(word)
    return found


def list_of(tree, folder):
    """The folder's list of its files; None: it has none."""
    head = tree.files.get(folder + "/internal.h", "").partition("*/")[0]
    lines = [re.sub(r"^[\w ]+:", "", line) for line in LINE.findall(head)]
    return re.findall(r"\w+", " ".join(lines)) or None


def circle(calls):
    """The arrows from whose end calls lead to their beginning."""
    def leads(start, end):
        seen, todo = set(), [start]
        while todo:
            here = todo.pop()
            seen.add(here)
            todo += [there for caller, there in calls if caller == here and there not in seen]
        return end in seen
    return {(one, other) for one, other in calls if leads(other, one)}


def back(calls, order):
    """The arrows that run back, in the list's order."""
    if not order:
        return sorted(circle(calls))
    return sorted(((one, other) for one, other in calls
                   if one in order and other in order and order.index(other) < order.index(one)),
                  key=lambda arrow: [order.index(name) for name in arrow])


def check(tree):
    findings = []
    for folder, files in folders(tree).items():
        order = list_of(tree, folder)
        findings += astray(folder, files, order) if order else []
        found, most = back(arrows(files), order), BACK.get(folder, 0)
        if len(found) > most:
            findings.append("%s: %d arrows back, at most %d (`make layout` prints them): move what "
                            "both files need behind them" % (folder, len(found), most))
    return findings


def astray(folder, files, order):
    """Files that are not once in the list, and names in it that are no files."""
    return ["%s/internal.h: the list of files names %s.c %d times, and there %s" % (
        folder, name, order.count(name), "is one" if name in files else "is none")
        for name in sorted(files.keys() | set(order)) if order.count(name) != (name in files)]


def report(tree):
    """A line for each folder of server, and one for each arrow back."""
    lines = ["arrows in folders of server: a file calls another, in so many functions of it",
             "back: against the list in the folder's internal.h; without one: in a circle"]
    for folder, files in sorted(folders(tree).items()):
        calls, order = arrows(files), list_of(tree, folder)
        found = back(calls, order)
        lines.append("%-22s %3d arrows, %2d back, at most %d%s" % (
            folder, len(calls), len(found), BACK.get(folder, 0), ", by its list" if order else ""))
        lines += ["    %s -> %s: %s" % (*arrow, " ".join(sorted(calls[arrow]))) for arrow in found]
    return lines
