# SPDX-License-Identifier: Apache-2.0
"""commands.py - cases of a corpus by the command line: the exit code of `posencd verify`, and the
command that it prints, whose tensors must verify as right."""

import os
import re
import shlex
import subprocess
import tempfile
import urllib.parse

from case import REFUSED, RIGHT, UNEXPLAINED
from support.posencd import PATIENCE, binary, child_environment, run

PRINTED = re.compile(r"^\s*right:\s+posencd (compute .*)$", re.MULTILINE)
RIGHT_EXIT, MISTAKE_EXIT, UNEXPLAINED_EXIT, USAGE, NO_TENSORS = 0, 1, 2, 64, 65


def exits(case):
    """The exit codes that are right for a case."""
    if case["found"] == [REFUSED]:
        return {USAGE, NO_TENSORS}
    codes = {RIGHT_EXIT} if RIGHT in case["found"] else set()
    return codes if case["found"] == [RIGHT] else codes | {MISTAKE_EXIT, UNEXPLAINED_EXIT}


def words_of(query):
    """A query string as the name=value words of a command."""
    return [urllib.parse.unquote(word) for word in query.split("&") if word]


class Checker:
    """Counts the commands that did what they must; lines has the others. Every step-th case is
    run; bodies with a coding are left out, which a file does not have."""

    def __init__(self, step, by_url):
        self.step, self.by_url, self.ran, self.lines = step, by_url, 0, []

    def is_complete(self, command, case):
        return self.by_url.is_complete("/v1/" + shlex.split(command)[1], case)

    def check(self, folder, case):
        if case["id"] % self.step or case["content_encoding"]:
            return
        words = words_of(case["query"])
        done = run("verify", os.path.join(folder, case["file"]), *words)
        said = (done.stdout + done.stderr).decode("utf-8", "replace")
        self.count(done.returncode in exits(case), "%s %s: exit %d: %s" % (
            case["file"], case["name"], done.returncode, said[:300]))
        printed = PRINTED.search(said)
        if printed and UNEXPLAINED not in case["found"] and self.is_complete(printed[1], case):
            self.rerun(printed[1], words_of(case["claim"]))

    def rerun(self, command, claim):
        """Runs a printed command, and verifies the file that it writes."""
        words = shlex.split(command)
        with tempfile.TemporaryDirectory(prefix="posencd-verify-") as folder:
            made = subprocess.run([binary(), *words], cwd=folder, capture_output=True, check=False,
                                  timeout=PATIENCE, env=child_environment())
            files = os.listdir(folder)
            done = made
            if made.returncode == 0 and len(files) == 1:
                done = run("verify", os.path.join(folder, files[0]), *claim)
            said = (done.stdout + done.stderr).decode("utf-8", "replace")
            self.count(done is not made and done.returncode == RIGHT_EXIT,
                       "posencd %s: exit %d: %s" % (command, done.returncode, said[:300]))

    def count(self, is_right, line):
        self.ran += 1
        if not is_right:
            self.lines.append(line)

    def print_lines(self, most):
        for line in self.lines[:most]:
            print("command: " + line)
        if len(self.lines) > most:
            print("... and %d more commands" % (len(self.lines) - most))
