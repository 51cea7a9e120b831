# SPDX-License-Identifier: Apache-2.0
"""judge.py - runs the command of a case and says what became of it: one word and what was said."""

import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))]

from case import FOUND, MISTAKE, NEAR, NOTHING, REFUSED, RIGHT, TOLD, lacks  # noqa: E402
from support.posencd import binary, child_environment  # noqa: E402

# The words. `misnamed`: called a mistake, but not by its words and numbers. `accused`: a right
# table is called a mistake, or one without a claim is something else. `passed`: a wrong table is
# called right. `slow`: no answer within the seconds of processor time.
OK, MISNAMED, MISSED, ACCUSED = "ok", "misnamed", "missed", "accused"
PASSED, REFUSAL, DIED, SLOW = "passed", "refused", "died", "slow"
OUTCOMES = (OK, MISNAMED, MISSED, ACCUSED, PASSED, REFUSAL, DIED, SLOW)
GOOD = ("exact", "profile")
HEADLINE = ("says", "headline", "mistakes", "repair")
ERRORS = (64, 65, 66)
WALL = 60  # seconds, at any load; the limit that counts is of processor time


class Ran:
    """Exit code (None where it was ended for its time), output and processor seconds."""

    def __init__(self, folder, arguments, seconds):
        def bound():
            whole = math.ceil(seconds)  # as the kernel counts
            resource.setrlimit(resource.RLIMIT_CPU, (whole, whole))
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen([binary(), "verify", *arguments, "--json"], cwd=folder,
                                     stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                                     env=child_environment(), preexec_fn=bound)
            self.code, usage = ended(child)
            out.seek(0)
            err.seek(0)
            self.out = out.read().decode("utf-8", "replace")
            self.err = err.read().decode("utf-8", "replace")
        self.seconds = usage.ru_utime + usage.ru_stime
        if self.seconds >= seconds or self.code in (-24, -9):
            self.code = None


def ended(child):
    """The exit code and the use of a child, which is killed after WALL seconds."""
    deadline = time.monotonic() + WALL
    while time.monotonic() < deadline:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return child.returncode, usage
        time.sleep(0.002)
    child.kill()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = -9
    return -9, usage


def headline(tree):
    """The text in which the words and numbers must stand, without evidence."""
    def plain(value):
        if isinstance(value, dict):
            return {k: plain(v) for k, v in value.items() if k != "evidence"}
        return [plain(v) for v in value] if isinstance(value, list) else value
    return json.dumps({k: plain(tree[k]) for k in HEADLINE if k in tree}, ensure_ascii=False)


def judged(folder, truth, seconds):
    """The outcome, what was said, and the processor seconds."""
    ran = Ran(folder, truth["arguments"], seconds)
    if ran.code is None:
        return SLOW, "no answer in %g s of processor time" % seconds, ran.seconds
    if ran.code < 0 or ran.code >= 128:
        return DIED, "exit %d: %s" % (ran.code, ran.err[-200:]), ran.seconds
    if ran.code in ERRORS:
        # A wish for a refusal is a sentence that has the words.
        lacking = lacks(ran.err + ran.out, truth["say"], truth["numbers"])
        return (OK if truth["want"] == REFUSED and not lacking else REFUSAL), \
            "exit %d: %s" % (ran.code, (ran.err or ran.out).strip()[:300]), ran.seconds
    try:
        tree = worst_of([json.loads(line) for line in ran.out.strip().splitlines()])
        said = "%s: %s" % (tree["verdict"], tree["says"])
    except (ValueError, KeyError, IndexError):
        return DIED, "exit %d, no JSON: %s" % (ran.code, (ran.out + ran.err)[:200]), ran.seconds
    outcome, why = of_answer(folder, truth, tree, ran)
    return outcome, said + (" [lacks %s]" % why if why else ""), ran.seconds


def worst_of(trees):
    """The answer about several files: a line each, of which the first that is not right counts."""
    bad = [tree for tree in trees if tree["verdict"] not in GOOD]
    return (bad or trees)[0]


def of_answer(folder, truth, tree, ran):
    verdict, want = tree["verdict"], truth["want"]
    if want in (RIGHT, NEAR):
        if verdict == "mistake":
            return ACCUSED, ""
        if verdict in GOOD and ran.code == 0:
            return OK, ""
        is_near = verdict == "close" and (want == NEAR or ran.code == 0)
        return (OK if is_near else MISSED), ""
    if want == MISTAKE:
        return of_mistake(truth, tree)
    if want == NOTHING:
        return {"unexplained": OK, "mistake": ACCUSED}.get(verdict, PASSED), ""
    if want == TOLD:
        lacking = lacks(headline(tree), truth["say"], truth["numbers"])
        return (OK if not lacking else PASSED if verdict in GOOD else MISSED), ", ".join(lacking)
    if want == FOUND:
        return of_found(folder, truth, tree)
    return MISSED, "a refusal"


def of_mistake(truth, tree):
    verdict = tree["verdict"]
    if verdict in GOOD:
        return PASSED, ""
    lacking = lacks(headline(tree), truth["say"], truth["numbers"])
    return (MISSED if verdict != "mistake" else MISNAMED if lacking else OK), ", ".join(lacking)


def of_found(folder, truth, tree):
    """Found, where the encoding that is told has the numbers: the file is right by that claim."""
    found = tree.get("identified") or {}
    if tree["verdict"] not in GOOD or not found:
        return (ACCUSED if tree["verdict"] == "mistake" else MISSED), ""
    text = json.dumps(found) + headline(tree)
    lacking = lacks(text, truth["say"], truth["numbers"])
    if lacking:
        return MISNAMED, ", ".join(lacking)
    query = urllib.parse.urlsplit(found.get("url") or "").query
    words = [urllib.parse.unquote(word) for word in query.split("&") if word]
    if not found.get("url"):  # of tensors: the other parameters make the claim
        words = ["%s=%s" % (name, int(value) if isinstance(value, bool) else value)
                 for name, value in found["params"].items() if "[" not in str(value)]
    claim = ["encoding=" + found["encoding"]] + words
    claim = [word for word in claim if not word.startswith(("out=", "dtype=", "format="))]
    first = tree["tensors"][0]
    if not first["name"]:
        claim.append("tensor=" + first["role"])
    again = Ran(folder, [truth["arguments"][0], *claim], 10)
    return (OK, "") if again.code == 0 else (MISNAMED, "right by its own url: %s" % " ".join(claim))
