# SPDX-License-Identifier: Apache-2.0
"""verify.py - every mistake of verify has a page, which the index lists, sentences about its fault and
its repair, and cases in the corpus; and the index has the table of verdicts."""

import glob
import os
import re
import subprocess
import sys

TABLE = "core/verify/mistake/mistakes.def"
VERDICTS = "core/verify/verdicts.def"
ROW = re.compile(r'^MISTAKE\("([a-z0-9-]+)"', re.MULTILINE)
VERDICT = re.compile(r'^VERDICT\([A-Z]+, "([a-z]+)"', re.MULTILINE)
PAGES = "docs/verify/"
FAULTS = "core/verify/say/faults.def"
FAULT = re.compile(r'^FAULT\("([a-z0-9_-]+)"', re.MULTILINE)

wrong = [
    {TABLE: 'MISTAKE("a-mistake", view_a, 1, 1.0, "a is wrong")\n'},
    {TABLE: 'MISTAKE("a-mistake", view_a, 1, 1.0, "a is wrong")\n',
     PAGES + "a-mistake.md": "# A\n", PAGES + "README.md": "none\n"},
    {TABLE: 'MISTAKE("a-mistake", view_a, 1, 1.0, "a is wrong")\n',
     PAGES + "a-mistake.md": "# A\n", PAGES + "README.md": "[a](a-mistake.md)\n"},
    {TABLE: "", VERDICTS: 'VERDICT(GOOD, "good")\n', PAGES + "README.md": "| `bad` | it is bad |\n"},
    {PAGES + "no-mistake.md": "# It has no row\n", TABLE: "", PAGES + "README.md": ""},
]


def check(tree):
    files = dict(tree.under(["core", "docs"], (".def", ".md")))
    for path in glob.glob(PAGES + "*.md") if tree.build is not None else []:
        with open(path, encoding="utf-8") as page:
            files[path] = page.read()
    slugs = ROW.findall(files.get(TABLE, ""))
    index = files.get(PAGES + "README.md", "")
    faults = FAULT.findall(files.get(FAULTS, ""))
    findings = ["%s: %s has no row in %s: what is the fault, what repairs it" % (TABLE, slug, FAULTS)
                for slug in slugs if slug not in faults]
    for slug in slugs:
        if PAGES + slug + ".md" not in files:
            findings.append("%s: %s has no page: write %s%s.md" % (TABLE, slug, PAGES, slug))
        if "(%s.md)" % slug not in index:
            findings.append("%sREADME.md: does not list %s" % (PAGES, slug))
    for verdict in VERDICT.findall(files.get(VERDICTS, "")):
        if "| `%s` |" % verdict not in index:
            findings.append("%sREADME.md: does not list the verdict %s" % (PAGES, verdict))
    for path in files:
        name = os.path.basename(path)[:-3]
        if path.startswith(PAGES) and name not in slugs and name not in ("README", "parameter"):
            findings.append("%s: is the page of no row of %s" % (path, TABLE))
    return findings + (count_cases() if tree.build is not None else [])


def count_cases():
    run = subprocess.run([sys.executable, "tests/verify/slugs.py", TABLE], capture_output=True,
                         text=True)
    return [] if run.returncode == 0 else [run.stdout.strip() + run.stderr.strip()]
