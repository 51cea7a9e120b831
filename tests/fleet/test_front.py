# SPDX-License-Identifier: Apache-2.0
"""What each front does with answers: what it keeps, what it never repeats, what it says when no
replica answers."""

import json
import unittest

from front import FRONTS
from load import Connection, get, request_of
from replica import replicas

SMALL = "/v1/sinusoidal?dim=4&pos=0:4"
LONG = "/v1/rope?dim=128&pos=0:21000&out=cos&format=raw&width=full"
LONG_BYTES = 21000 * 128 * 4


class Case:
    kind = None

    @classmethod
    def setUpClass(cls):
        cls.context = replicas(1)
        cls.fleet = cls.context.__enter__()
        cls.front = cls.kind([one.address for one in cls.fleet])

    @classmethod
    def tearDownClass(cls):
        cls.front.close()
        cls.context.__exit__(None, None, None)

    def setUp(self):
        self.connection = Connection(self.front.port)

    def tearDown(self):
        self.connection.close()

    def ask(self, *request):
        return self.connection.ask(get(*request))

    def test_an_id_is_that_of_its_own_request(self):
        for name in ("first", "second", "third"):
            self.assertEqual(self.ask(SMALL, "X-Request-Id: " + name).header(b"X-Request-Id"),
                             name.encode())
        made = {self.ask(SMALL, *headers).header(b"X-Request-Id")
                for headers in ((), (), ("X-Request-Id: no id",))}
        self.assertEqual(len(made), 3)
        self.assertNotIn(b"", made)
        self.assertNotIn(b"no id", made)

    def test_an_answer_that_is_kept_tells_no_time(self):
        target = SMALL + "&base=77"
        first, again = self.ask(target), self.ask(target)
        self.assertEqual(again.body, first.body)
        self.assertIn(b"dur", first.header(b"Server-Timing"))
        if self.kind.CACHES:
            self.assertEqual(again.header(b"X-Cache-Status"), b"HIT")
            self.assertEqual(again.header(b"Server-Timing"), b"")

    def test_a_long_answer_passes_and_is_not_kept(self):
        for _ in range(2):
            answer = self.ask(LONG)
            self.assertEqual((answer.status, len(answer.body)), (200, LONG_BYTES))
            self.assertNotEqual(answer.header(b"X-Cache-Status"), b"HIT")

    def test_a_range_of_a_long_answer_is_made_by_itself(self):
        answer = self.ask(LONG, "Range: bytes=10000000-10000099")
        self.assertEqual((answer.status, len(answer.body)), (206, 100))
        self.assertEqual(answer.header(b"Content-Range"),
                         b"bytes 10000000-10000099/%d" % LONG_BYTES)

    def test_head_is_answered_as_get_but_for_the_body(self):
        self.connection.close()
        self.connection.open()
        self.connection.socket.sendall(request_of("HEAD", LONG, b""))
        while b"\r\n\r\n" not in self.connection.rest:
            self.connection.more()
        self.assertIn(b"content-length: %d\r\n" % LONG_BYTES, self.connection.rest.lower())

    def test_formats_are_kept_apart(self):
        for kind in ("text/csv", "application/json", "text/csv", "application/json"):
            answer = self.ask(SMALL, "Accept: " + kind)
            self.assertEqual(answer.header(b"Content-Type").split(b";")[0], kind.encode())

    def test_errors_pass_and_name_the_problem(self):
        answer = self.ask("/v1/rope?dim=7")
        self.assertEqual(answer.status, 400)
        self.assertEqual(json.loads(answer.body)["title"], "Invalid parameter")

    def test_without_a_replica_the_client_is_told_to_try_again(self):
        with self.kind(["127.0.0.1:9"]) as lonely:  # the port discard, where nothing listens
            connection = Connection(lonely.port)
            answer = connection.ask(get(SMALL))
            connection.close()
        self.assertEqual(answer.status, 503)
        self.assertEqual(answer.header(b"Content-Type"), b"application/problem+json")
        self.assertEqual(answer.header(b"Retry-After"), b"1")
        self.assertEqual(answer.header(b"Cache-Control"), b"no-store")
        self.assertIn("try again", json.loads(answer.body)["detail"])


for kind in FRONTS:
    globals()[kind.NAME + "Answers"] = type(kind.NAME + "Answers", (Case, unittest.TestCase),
                                            {"kind": kind})
