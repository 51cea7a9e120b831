#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""score.py CORPUS... [--fresh=N] [--seed=N] [--list=N] [--commands=N] - posts the cases of make.py
to /v1/verify of a posencd that is started for it, and compares what is found with what must be.

Prints a table by family and class, the cases that were missed with what was said, and the times.
Each URL of an answer is fetched and verified, and must be exact. --fresh=N verifies N tables of the
service itself against their own claims, of any encoding, dtype and format; none may be accused.
--commands=N runs every N-th case, the 20th by default, by the command line too.

The last line is "N passed, N failed". Failures are accusations that are false, answers that break
the contract, URLs that do not verify as exact; and all misses, where more than 3 % are missed."""

import json
import os
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import commands  # noqa: E402
import fresh  # noqa: E402
import urls  # noqa: E402
from case import REFUSED, RIGHT, UNEXPLAINED  # noqa: E402
from results import BROKEN, FALSE, MISSED, OK, Results  # noqa: E402
from support.posencd import Posencd  # noqa: E402
from support.wire import Closed  # noqa: E402

ENOUGH = 0.97      # share of the cases that must be diagnosed
VERDICTS = ("exact", "profile", "close", "mistake", "unexplained")


class Service:
    """A posencd and a connection to it, which is opened again where the service closed it."""

    def __init__(self, server):
        self.server, self.client = server, server.client()

    def ask(self, method, target, body=None, headers=()):
        """The answer and the milliseconds it took."""
        for again in (True, False):
            start = time.perf_counter()
            try:
                answer = self.client.ask(method, target, body, headers)
                return answer, 1000 * (time.perf_counter() - start)
            except (Closed, OSError):
                self.client.close()
                self.client = self.server.client()
                if not again:
                    raise

    def verify(self, query, body, content_type, content_encoding=None):
        headers = [("Content-Type", content_type)]
        if content_encoding:
            headers.append(("Content-Encoding", content_encoding))
        return self.ask("POST", "/v1/verify?" + query, body, headers)


def kind(case):
    """The class of a case in the table."""
    if case["found_both"]:
        return "two"
    special = {RIGHT, UNEXPLAINED, REFUSED} & set(case["found"])
    if not special:
        return "mistake"
    return special.pop() if len(case["found"]) == 1 else "either"


def hits(slugs, case):
    """Whether the mistakes that were named are those of the case."""
    if len(slugs) == 2 and case["found_both"]:
        one, other = map(set, case["found_both"])
        a, b = slugs
        return (a in one and b in other) or (a in other and b in one)
    return bool(slugs) and set(slugs) <= set(case["found"])


NAMES = {"true": 1.0, "false": 0.0, "2pi": 6.283185307179586, "pi": 3.141592653589793}


def same(one, other):
    """Whether two values of a parameter are the same, whichever way they are written."""
    def number(value):
        try:
            return NAMES[str(value).lower()] if str(value).lower() in NAMES else float(value)
        except (TypeError, ValueError):
            return None
    a, b = number(one), number(other)
    if a is not None and b is not None:
        return a == b or abs(a - b) <= 1e-2 * max(abs(a), abs(b))
    return str(one).lower() == str(other).lower()


def wrong_repair(case, mistakes):
    """A repair that names a parameter of the case with other values, in words; None if there is
    none."""
    for repair in (entry for mistake in mistakes for entry in mistake.get("repair", ())):
        known = case["repair"].get(repair.get("parameter"))
        if not known:
            continue
        low, high = repair.get("found_range", (None, None))
        found = same(repair.get("found"), known[0]) or (
            low is not None and low <= float(known[0]) <= high)
        if not found or not same(repair.get("expected"), known[1]):
            return "repair of %s: %r -> %r, not %r -> %r" % (
                repair["parameter"], repair.get("found"), repair.get("expected"), *known)
    return None


def judged(case, answer):
    """OK, MISSED, FALSE or BROKEN, and what was said."""
    if case["found"] == [REFUSED]:
        said = "%d %s" % (answer.status, answer.body[:120].decode("utf-8", "replace"))
        return (OK if 400 <= answer.status < 500 else BROKEN), said
    if answer.status != 200:
        return BROKEN, "%d %s" % (answer.status, answer.body[:300].decode("utf-8", "replace"))
    try:
        tree = answer.json()
        verdict, mistakes = tree["verdict"], tree.get("mistakes", [])
        slugs = [mistake["mistake"] for mistake in mistakes]
        said = "%s %s: %s" % (verdict, "+".join(slugs), tree["says"])
    except (ValueError, KeyError, TypeError) as error:
        return BROKEN, "%r in %s" % (error, answer.body[:200])
    if verdict not in VERDICTS or (verdict == "mistake") != bool(slugs) or len(slugs) > 2:
        return BROKEN, said
    if verdict == "mistake":
        if not hits(slugs, case):
            return FALSE, said
        repair = wrong_repair(case, mistakes)
        return (MISSED, said + "; " + repair) if repair else (OK, said)
    word = UNEXPLAINED if verdict == "unexplained" else RIGHT
    return (OK if word in case["found"] else MISSED), said


def cases_of(folder):
    with open(os.path.join(folder, "cases.jsonl"), encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            with open(os.path.join(folder, case["file"]), "rb") as file:
                yield case, file.read()


def score_corpus(service, folder, results, checkers):
    for case, body in cases_of(folder):
        answer, took = service.verify(case["query"], body, case["content_type"],
                                      case["content_encoding"])
        result, said = judged(case, answer)
        wanted = " and ".join("|".join(found) for found in case["found_both"]) or \
            "|".join(case["found"])
        results.add(case["family"], kind(case), result, took, "%s/%s %s [%s] wanted %s, said %s" % (
            os.path.basename(folder), case["file"], case["name"], case["claim"][:160], wanted,
            said))
        if result == OK and answer.status == 200:
            checkers[0].check(case, answer.json())
        checkers[1].check(folder, case)


def summary(results, checkers, seconds):
    """Prints the last lines; returns whether all is well."""
    passed, missed = results.count(OK), results.count(MISSED)
    bad = results.count(FALSE, BROKEN)
    judgements = max(passed + missed + bad, 1)
    by_url, by_command = checkers
    print("%d of %d diagnosed, %.2f %%; %d false accusations; %d URLs exact, %d not; %d commands, "
          "%d wrong; %.0f s" % (passed, judgements, 100 * passed / judgements, results.count(FALSE),
                                by_url.exact, len(by_url.lines), by_command.ran,
                                len(by_command.lines), seconds))
    failed = bad + len(by_url.lines) + len(by_command.lines)
    failed += 0 if passed >= ENOUGH * judgements else missed
    print("%d passed, %d failed" % (passed + by_url.exact + by_command.ran - len(by_command.lines),
                                    failed))
    return failed == 0 and passed > 0


def main():
    folders = [word for word in sys.argv[1:] if not word.startswith("--")]
    options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
    results, start = Results(), time.monotonic()
    with Posencd() as server:
        service = Service(server)
        by_url = urls.Checker(service)
        checkers = by_url, commands.Checker(int(options.get("commands", 20)), by_url)
        for folder in folders:
            score_corpus(service, folder, results, checkers)
        if "fresh" in options:
            fresh.score(service, results, int(options.get("seed", 1)), int(options["fresh"]))
    results.print_table()
    for lines in (results, *checkers):
        lines.print_lines(int(options.get("list", 40)))
    return 0 if summary(results, checkers, time.monotonic() - start) else 1


if __name__ == "__main__":
    sys.exit(main())
