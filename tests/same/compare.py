# SPDX-License-Identifier: Apache-2.0
"""compare.py - whether two programs said the same, and the table of differences that are allowed."""

import re
import zlib

DETAIL = re.compile(rb'"detail":"((?:[^"\\]|\\.)*)"')
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")


def statuses(heard):
    """The statuses of the answers; where no head stands by itself, all came in one body."""
    return [status.decode() for head, body in heard for status in STATUS.findall(head or body)]


def summary(heard):
    """What was said in one line: the statuses, "close" for each end, the sum of all bytes, and the
    sentence of the last problem."""
    words = statuses(heard) + ["close"] * heard.count((b"", b"closed"))
    whole = b"\n".join(head + b"\n" + body for head, body in heard)
    details = DETAIL.findall(whole)
    words.append("%08x" % zlib.crc32(whole))
    return " ".join(words + [details[-1].decode("utf-8", "replace")] if details else words)


def first_difference(before, after):
    """The first line in which two programs differ, of each."""
    old, new = ([line for head, body in heard for line in head.split(b"\r\n") + body.split(b"\n")]
                for heard in (before, after))
    old, new = old + [b"(nothing)"], new + [b"(nothing)"]
    at = next(i for i, pair in enumerate(zip(old, new)) if pair[0] != pair[1])
    return repr(old[at])[:300], repr(new[at])[:300]


class Table:
    """The allowed differences: {form: {"before": summary, "after": summary, "why": sentence}}. A
    row counts only if the difference is exactly this one, and fails if there is none."""

    def __init__(self, rows):
        self.rows, self.faults, self.used = {}, [], set()
        for row in rows:
            self.rows.setdefault(row["input"], {})[row["claim"]] = row["text"]
        for form, row in self.rows.items():
            if set(row) != {"before", "after", "why"} or not row["why"].strip():
                self.faults.append("allowed.txt: %s: a row has before, after and why" % form)

    def fault(self, form, before, after):
        """None if both said the same or the table allows it; else a message, which has the row."""
        if before == after:
            return None
        row = self.rows.get(form, {})
        old, new = summary(before), summary(after)
        if (row.get("before"), row.get("after")) == (old, new):
            self.used.add(form)
            return None
        return "%s\n    before: %s\n    after: %s\n# was %s\n# is  %s" % (
            form, old, new, *first_difference(before, after))

    def unused(self, sources=()):
        """Messages for the rows of these sources, or of all, that no difference needed."""
        return ["allowed.txt: %s: no difference needs this row" % form for form in self.rows
                if form not in self.used and (not sources or form.split(":")[0] in sources)]
