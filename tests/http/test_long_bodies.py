# SPDX-License-Identifier: Apache-2.0
"""test_long_bodies.py - long lists of numbers in bodies: they do not keep the event loop from other
clients, their bits make the entity tag, and their answers are those of short lists."""

import gzip
import random
import select
import unittest

import numpy as np

from support.posencd import PATIENCE, is_sanitized
from support.suite import ServerCase
from support.tensor_file import read_npy
from support.wire import Client, request_bytes

JSON = ("Content-Type", "application/json")
TINY = "2.2250738585072011e-308"


def body(numbers, dim=2):
    return ('{"dim":%d,"format":"npy","pos":[%s]}' % (dim, ",".join(numbers))).encode()


class LongBodies(ServerCase):
    flags = ("--threads", "1")

    def test_a_compressed_body_is_read_whole_however_it_is_framed(self):
        numbers = [TINY] * 400000 + ["1.5"]
        data = body(numbers)
        compressed = gzip.compress(data, 1)
        self.assertGreater(len(data) / len(compressed), 50)  # many numbers in few bytes
        headers = (JSON, ("Content-Encoding", "gzip"))
        plain = self.server.ask("POST", "/v1/sinusoidal", data, (JSON,))
        whole = self.server.ask("POST", "/v1/sinusoidal", compressed, headers)
        with self.server.client() as one:
            one.send(b"POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\n"
                     b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
            for at in range(0, len(compressed), 5000):
                part = compressed[at:at + 5000]
                one.send(b"%x\r\n%s\r\n" % (len(part), part))
            one.send(b"0\r\n\r\n")
            pieces = one.reply("POST")
        self.assertEqual([plain.status, whole.status, pieces.status], [200] * 3)
        self.assertEqual(plain.body, whole.body)
        self.assertEqual(plain.body, pieces.body)
        rows = read_npy(plain.body)
        self.assertEqual(rows.shape, (400001, 2))
        self.assertEqual(rows[-1, 0], np.float32(np.sin(1.5)))

    def test_a_body_is_freed_when_its_answer_is_made_though_the_client_does_not_read(self):
        data = body(["%d.5" % k for k in range(20000)], 8)  # of 240 KB, the answer of 640 KB
        with Client(self.server.address, receive_buffer=4096) as one:
            one.send(request_bytes("POST", "/v1/sinusoidal", data, [JSON]))
            self.assertTrue(select.select([one.socket], [], [], PATIENCE)[0])  # its first bytes
            metrics = self.server.metrics()
            self.assertEqual(metrics["posencd_http_inflight_requests"], 2)  # it is not sent yet
            self.assertEqual(metrics['posencd_inflight_bytes{use="bodies"}'], 0)
            self.assertEqual(one.reply("POST").status, 200)

    def test_others_are_answered_between_the_pieces_of_a_compressed_body(self):
        draw = random.Random(1)
        compressed = gzip.compress(('{"pos":[0%s]}' % "".join(
            ",%d%s" % (draw.randrange(10), " " * 600) for _ in range(17000))).encode(), 9)
        self.assertLess(len(compressed), 60 << 10)  # a body of 10 MB, sent at once
        head = (b"POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\n"
                b"Content-Type: application/json\r\n")
        length = b"Content-Length: %d\r\n\r\n" % len(compressed) + compressed
        chunks = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (
            len(compressed), compressed)
        for framing in (length, chunks):
            answered = 0
            with self.server.client() as slow, self.server.client() as other:
                other.get("/livez")
                slow.send(head + framing)
                while not select.select([slow.socket], [], [], 0)[0]:
                    self.assertEqual(other.get("/livez").status, 200)
                    answered += 1
                answer = slow.reply("POST")
            self.assertEqual(answer.status, 400, answer.text())
            self.assertGreaterEqual(answered, 3)

    def test_a_request_behind_a_compressed_body_is_answered_next(self):
        compressed = gzip.compress(body([TINY] * 100000), 1)
        with self.server.client() as one:
            one.request("POST", "/v1/sinusoidal", compressed, (JSON, ("Content-Encoding", "gzip")))
            one.request("GET", "/version")
            self.assertEqual(one.reply("POST").status, 200)
            self.assertEqual(one.reply().status, 200)

    def test_one_list_has_one_tag_and_another_has_another(self):
        numbers = ["%d.5" % (2 * i) for i in range(9000)]
        other = numbers[:-1] + [repr(float(np.nextafter(float(numbers[-1]), 0)))]
        text = ('{"dim":2,"format":"npy","pos":"%s"}' % ",".join(numbers)).encode()
        tags = [self.server.ask("QUERY", "/v1/sinusoidal", one, (JSON,)).header("etag")
                for one in (body(numbers), text, body(other), body(numbers))]
        self.assertEqual(tags[0], tags[1])
        self.assertEqual(tags[0], tags[3])
        self.assertNotEqual(tags[0], tags[2])
        for one, status in ((text, 304), (body(other), 200)):
            answer = self.server.ask("QUERY", "/v1/sinusoidal", one,
                                     (JSON, ("If-None-Match", tags[0])))
            self.assertEqual(answer.status, status)

    def test_lists_too_long_for_a_key_are_tagged_too(self):
        numbers = ["%d.5" % (2 * i) for i in range(60000)]  # 24 bytes each
        first = self.server.ask("QUERY", "/v1/sinusoidal", body(numbers), (JSON,))
        again = self.server.ask("QUERY", "/v1/sinusoidal", body(numbers), (JSON,))
        self.assertEqual((first.status, again.status), (200, 200))
        self.assertEqual(first.body, again.body)
        self.assertEqual(first.header("etag"), again.header("etag"))
        unchanged = self.server.ask("QUERY", "/v1/sinusoidal", body(numbers),
                                    (JSON, ("If-None-Match", first.header("etag"))))
        self.assertEqual(unchanged.status, 304)

    def test_a_plan_that_fails_on_the_pool_leaves_nothing(self):
        """The body is parsed on the pool, and so the plan is made there: both report errors."""
        data = ('{"dim":65536,"pos":[%s]}' % ",".join(map(str, range(20000)))).encode()
        self.problem(self.server.ask("POST", "/v1/rope", data, (JSON,)), 400, "limit-exceeded")
        with self.server.client() as one:
            for i in range(400):
                if i == 100:  # all threads of the pool have their stacks and arenas
                    before = self.server.status("VmRSS")
                self.problem(one.ask("POST", "/v1/rope", data, (JSON,)), 400, "limit-exceeded")
        if not is_sanitized():  # which finds at the end what is left
            self.assertLess(self.server.status("VmRSS") - before, 300 * 15 / 2,
                            "KiB; an error has 15")


if __name__ == "__main__":
    unittest.main()
