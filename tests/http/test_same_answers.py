# SPDX-License-Identifier: Apache-2.0
"""test_same_answers.py - the comparer of tests/same: what it takes for a difference, and its table."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "same"))

from compare import Table, statuses, summary  # noqa: E402
from witness import comparable  # noqa: E402

HEAD = (b"HTTP/1.1 400 Bad Request\r\nDate: %s\r\nServer-Timing: cache;desc=miss, compute;dur=%s\r\n"
        b"X-Request-Id: %s\r\nContent-Length: 9\r\n\r\n")
BODY = b'{"detail":"dim: %s","request_id":"%s"}'


def said(day=b"Sun", took=b"0.1", number=b"79513d52124ebc27", words=b"must be even", head=HEAD):
    return [comparable(head % (day, took, number), BODY % (words, number)), (b"", b"closed")]


def row(before, after, why="nobody sends this"):
    return [{"input": "wire: a", "claim": claim, "text": text} for claim, text in (
        ("before", before), ("after", after), ("why", why))]


class SameAnswers(unittest.TestCase):
    def test_time_durations_and_ids_are_no_difference(self):
        self.assertEqual(said(), said(b"Mon", b"22.75", b"ecffd76873a46396"))

    def test_another_byte_is_a_difference(self):
        for other in (said(words=b"must be Even"), said()[:1], said() + said(),
                      said(head=HEAD.replace(b"miss", b"hit")),
                      said(head=HEAD.replace(b"Content-Length", b"content-length")),
                      said(head=HEAD.replace(b"\r\nX", b"\r\nVary: A\r\nX"))):
            fault = Table([]).fault("wire: a", said(), other)
            self.assertIn("wire: a\n    before: 400 close", fault)

    def test_an_id_that_the_client_chose_counts(self):
        self.assertNotEqual(said(number=b"me"), said(number=b"you"))

    def test_numbers_of_metrics_are_no_difference_and_names_are(self):
        head = (b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\n"
                b"Content-Length: %d\r\n\r\n")
        one, other, third = (comparable(head % len(body), body) for body in (
            b"# TYPE a counter\na{b=\"c d\"} 1\n", b"# TYPE a counter\na{b=\"c d\"} 23.5\n",
            b"# TYPE a counter\na{b=\"c e\"} 1\n"))
        self.assertEqual(one, other)
        self.assertNotEqual(one, third)

    def test_all_that_came_on_a_connection_is_compared_as_answers_are(self):
        heads = [comparable(b"", 2 * (HEAD % (day, b"1", number) + b"same")) for day, number in (
            (b"Sun", b"79513d52124ebc27"), (b"Mon", b"ecffd76873a46396"))]
        self.assertEqual(heads[0], heads[1])
        self.assertEqual(statuses(heads[:1]), ["400", "400"])
        self.assertNotEqual(heads[0], comparable(b"", HEAD % (b"Sun", b"1", b"x") + b"same"))

    def test_a_row_allows_its_own_difference_and_no_other(self):
        new = said(words=b"must be odd")
        table = Table(row(summary(said()), summary(new)))
        self.assertIsNone(table.fault("wire: a", said(), new))
        self.assertEqual(table.unused(), [])
        self.assertIsNotNone(table.fault("wire: b", said(), new))
        self.assertIsNotNone(table.fault("wire: a", said(), said(words=b"must be both")))
        self.assertIsNotNone(table.fault("wire: a", new, said()))

    def test_a_row_that_no_difference_needs_is_a_fault(self):
        table = Table(row(summary(said()), summary(said(words=b"must be odd"))))
        self.assertIsNone(table.fault("wire: a", said(), said()))
        self.assertEqual(len(table.unused()), 1)
        self.assertEqual(len(table.unused(["wire", "http"])), 1)
        self.assertEqual(table.unused(["http"]), [])

    def test_a_row_without_a_reason_is_a_fault(self):
        self.assertEqual(len(Table(row("400", "431", " ")).faults), 1)
        self.assertEqual(len(Table(row("400", "431")[:2]).faults), 1)


if __name__ == "__main__":
    unittest.main()
