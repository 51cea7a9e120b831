#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""score.py [--full] [--held] [--kind=PREFIX] [--out=DIR] [--failures=DIR] [--known=FILE] [--learn]
[--draws=N,N] [--seconds=N] [--reports=DIR] [--quiet] - makes the users' corpus, runs `posencd
verify` on each case, and prints a table by kind, and the cases that are not well, each with the
command that repeats it.

What is not well today stands in known.tsv, a row a case and what becomes of it. A case that is not
there must be well; one that is there and well must be taken out (--learn writes the list anew).
A draw that has no answer in --seconds of processor time, or had none, is counted and not compared.
--full takes three draws of a case in place of one, and five random claims of each encoding of the
catalogue besides its examples, and gives them more time. --held scores the
quarter that is held out, by itself; nothing is compared then. --failures writes a folder for each
case that is not well: files, cmd, expected, got. The last line is "N passed, N failed"."""

import collections
import concurrent.futures
import json
import os
import shlex
import shutil
import statistics
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]

import examples  # noqa: E402
import judge  # noqa: E402
import make  # noqa: E402
import reports  # noqa: E402
from judge import ACCUSED, DIED, MISNAMED, MISSED, OK, OUTCOMES, PASSED, REFUSAL, SLOW  # noqa: E402

SECONDS, FULL_SECONDS, PATIENCE = 1, 2, 2  # of processor time for a case
WORST = {ACCUSED, PASSED, DIED}  # a case must not become one of these, known or not
RANK = [DIED, ACCUSED, PASSED, MISNAMED, REFUSAL, MISSED, SLOW]


HEAD = """# What is not well today: a row a case, with a word for each of its draws (- is well):
# accused: a right table is called a mistake. passed: a wrong table is called right. misnamed:
# called a mistake by other words. missed: unexplained. refused: an error. died: no answer. slow: no
# answer in time where this was written, which is no finding: such a draw may be anything elsewhere.
# score.py --learn writes this list; what becomes well must leave it.
"""
SAID_MOST = 90


def known_of(path):
    """What is known: case -> outcome, of each draw by itself."""
    known = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
        for name, words, *_ in rows:
            known.update({"%s.%d" % (name, at): word for at, word in enumerate(words.split())
                          if word != "-"})
    return known


def said_before(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as lines:
        return {row[0]: row[2] for row in (line.rstrip("\n").split("\t") for line in lines)
                if len(row) == 3}


def learn(path, results, known):
    """Writes the list of what is not well, keeping rows of draws that were not run."""
    ran = {truth["name"] for _, truth, *_ in results}
    draws, said_of = collections.defaultdict(dict), {}
    before = said_before(path)
    rows = [(name, outcome, before.get(name.rpartition(".")[0], ""))
            for name, outcome in known.items() if name not in ran]
    rows += [(truth["name"], outcome, said) for _, truth, outcome, said, _ in results
             if outcome != OK]
    for full, outcome, said in rows:
        name, _, number = full.rpartition(".")
        draws[name][int(number)] = outcome
        said_of[name] = said_of.get(name) or " ".join(said.split())[:SAID_MOST]
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD)
        for name, words in sorted(draws.items()):
            file.write("%s\t%s\t%s\n" % (name, " ".join(
                words.get(at, "-") for at in range(max(words) + 1)), said_of[name]))


def findings(results, known):
    """Lines about what is new, in either direction. What takes too long is in the table and is no
    finding: a slower machine has more of it."""
    lines = []
    for _, truth, outcome, said, _ in results:
        name, before = truth["name"], known.get(truth["name"])
        if SLOW in (outcome, before):
            continue
        if outcome == OK and before:
            lines.append("%s is well now: take it out of known.tsv" % name)
        elif outcome != OK and (not before or (outcome in WORST and before != outcome)):
            lines.append("new: %s is %s%s: %s" % (
                name, outcome, " (was %s)" % before if before else "", said[:200]))
    return lines


def table(results):
    form = "%-22s %5s" + " %8s" * len(OUTCOMES) + " %9s %9s"
    print(form % ("kind", "cases", *OUTCOMES, "median ms", "worst ms"))
    groups = collections.defaultdict(list)
    for result in results:
        groups[result[1]["kind"]].append(result)
        groups["~ all"].append(result)
        groups["~ " + result[1]["want"]].append(result)
    for kind, group in sorted(groups.items()):
        count = collections.Counter(outcome for _, _, outcome, _, _ in group)
        times = [1000 * took for *_, took in group]
        print(form % (kind, len(group), *(count[word] for word in OUTCOMES),
                      "%.0f" % statistics.median(times), "%.0f" % max(times)))


def command(folder, truth):
    return "cd %s && posencd verify %s" % (
        shlex.quote(os.path.relpath(folder)), " ".join(map(shlex.quote, truth["arguments"])))


def save(out, folder, truth, outcome, said):
    """A folder of a case that is not well, for the one who mends it."""
    target = os.path.join(out, "%s-%s" % (outcome, os.path.basename(folder)))
    os.makedirs(os.path.join(target, "files"), exist_ok=True)
    for name in sorted(os.listdir(folder)):
        if name not in ("cmd", "truth.json"):
            shutil.copy(os.path.join(folder, name), os.path.join(target, "files", name))
    texts = {"cmd": "cd %s/files && posencd verify %s\n" % (
        target, " ".join(map(shlex.quote, truth["arguments"]))),
             "expected": json.dumps({k: truth[k] for k in ("want", "say", "numbers")}) + "\n",
             "got": said + "\n"}
    for name, text in texts.items():
        with open(os.path.join(target, name), "w", encoding="utf-8") as file:
            file.write(text)


def run(made, known, seconds):
    """(folder, truth, outcome, what was said, seconds) of each case, two at a time. What must be
    well may take longer, so that a slow machine compares it too."""
    def one(pair):
        return judge.judged(*pair, seconds * (1 if pair[1]["name"] in known else PATIENCE))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        done = pool.map(one, made)
        return [(folder, truth, *result) for (folder, truth), result in zip(made, done)]


def main():
    words = dict((word[2:].split("=", 1) + ["1"])[:2] for word in sys.argv[1:])
    is_full, held = "full" in words, "held" in words
    seconds = float(words.get("seconds", FULL_SECONDS if is_full or held else SECONDS))
    numbers = [make.HELD] if held else make.SCORED if is_full else []
    if "draws" in words:
        numbers = [int(word) for word in words["draws"].split(",")]
        assert make.HELD not in numbers
    out = words.get("out", os.path.join("build", "verify", "users"))
    start = time.monotonic()
    prefix = words.get("kind", "")
    made = make.make_all(out, numbers, prefix)
    made += [] if held else examples.made(out, prefix, *((3, 5) if is_full else (1, 0)))
    made += reports.made(words["reports"]) if "reports" in words else []
    path = words.get("known", os.path.join(HERE, "known.tsv"))
    known = known_of(path)
    results = run(made, known, seconds)
    bad = sorted((r for r in results if r[2] != OK), key=lambda r: (RANK.index(r[2]), r[1]["name"]))
    for folder, truth, outcome, said, _ in bad:
        if "quiet" not in words:
            print("%s: %s\n    %s\n    %s" % (outcome, truth["name"], command(folder, truth),
                                             said[:240]))
        if "failures" in words:
            save(words["failures"], folder, truth, outcome, said)
    table(results)
    if "learn" in words:
        learn(path, results, known)
        known = known_of(path)
    news = [] if held else findings(results, known)
    for line in news:
        print("WRONG " + line)
    well = sum(outcome == OK for _, _, outcome, _, _ in results)
    print("%d of %d well, %d known not to be; %.0f s, %.0f s of processor time" % (
        well, len(results), len(bad) - len([n for n in news if n.startswith("new")]),
        time.monotonic() - start, sum(took for *_, took in results)))
    print("%d passed, %d failed" % (len(results) - len(news), len(news)))
    return 1 if news else 0


if __name__ == "__main__":
    sys.exit(main())
