# SPDX-License-Identifier: Apache-2.0
"""test_streaming.py - answers that are too large for the cache: bounded memory, slow readers,
readers that leave."""

import json
import signal
import time
import unittest

import numpy as np

from stream_10g import GROWTH, stream
from support.suite import ServerCase
from support.wire import Client

LARGE = "/v1/rope?dim=256&pos=0:40000&out=cos"  # 20 MB as f32


def convolved(x, weight):
    """A body with x and its convolution kernels of an even length, one for each channel."""
    taps = weight.shape[1]
    padded = np.pad(x, ((taps // 2, taps // 2), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, taps, 0)[:len(x)]
    return x + np.einsum("lct,ct->lc", windows, weight)


class Memory(unittest.TestCase):
    def test_a_gigabyte_streams_in_8_mib(self):
        done, _, growth, _ = stream(1_000_000_000)
        self.assertGreater(done, 999_000_000)
        self.assertLess(growth, GROWTH)


class Streams(ServerCase):
    flags = ("--cache-size", "0")  # else the second answer is an entry of the cache

    def test_binary_formats_know_their_length(self):
        raw = self.get(LARGE + "&format=raw")
        self.assertEqual(int(raw.header("content-length")), 40000 * 128 * 4)
        npy = self.get(LARGE + "&format=npy")
        self.assertEqual(npy.body[-len(raw.body):], raw.body)
        tensors = self.get(LARGE + ",sin&format=safetensors")
        self.assertIn(raw.body[:65536], tensors.body)

    def test_text_streams_are_chunked_and_whole(self):
        answer = self.get("/v1/rope?dim=64&pos=0:20000&out=sin")
        self.assertEqual(answer.header("transfer-encoding"), "chunked")
        data = np.array(answer.json()["tensors"][0]["data"], dtype=np.float32)
        raw = self.get("/v1/rope?dim=64&pos=0:20000&out=sin&format=raw")
        self.assertEqual(data.tobytes(), raw.body)

    def test_a_stream_is_the_parts_it_could_be_asked_in(self):
        whole = self.get(LARGE + "&format=raw").body
        parts = b"".join(self.get("/v1/rope?dim=256&pos=%d:%d&out=cos&format=raw" %
                                  (i, i + 1000)).body for i in range(0, 40000, 1000))
        self.assertEqual(whole, parts)

    def test_the_connection_is_kept_after_a_stream(self):
        with Client(self.server.address) as one:
            for _ in range(2):
                self.assertEqual(len(one.get(LARGE + "&format=raw").body), 40000 * 128 * 4)
            self.assertEqual(one.get("/livez").status, 200)

    def test_many_readers_who_leave_cost_nothing(self):
        for _ in range(30):
            with Client(self.server.address, receive_buffer=4096) as one:
                one.request("GET", LARGE + "&format=raw")
                self.assertEqual(one.head().status, 200)
        self.get("/livez")

    def test_others_are_served_while_readers_do_not_read(self):
        stuck = [Client(self.server.address, receive_buffer=4096) for _ in range(10)]
        for one in stuck:
            one.request("GET", LARGE + "&format=raw")
        for _ in range(100):
            self.get("/v1/sinusoidal?dim=4&pos=0:4")
        for one in stuck:
            one.close()


class KeptStreams(Streams):
    """The same answers, of which the cache keeps those that are asked for again."""

    flags = ()


class DearNumbers(ServerCase):
    """The pool computes blocks that would keep a loop busy, while their connection waits."""

    flags = ("--threads", "1", "--workers", "2", "--cache-size", "0")
    # Keys with an equal step would make it a matrix of differences, which its plan keeps.
    EXPENSIVE = "/v1/sandwich?dim=64&heads=8&score_form=paper&format=raw&k=0:199,300&q="
    LONG = EXPENSIVE.replace("199,300", "7999,9000") + "0:8000"

    def test_the_pieces_are_the_parts_it_could_be_asked_in(self):
        def bias(first, end):
            body = self.get(self.EXPENSIVE + "%d:%d" % (first, end)).body
            return np.frombuffer(body, "<f4").reshape(8, end - first, 200)

        whole = self.server.get(self.EXPENSIVE + "0:200")
        self.assertEqual(whole.header("server-timing"), "cache;desc=stream")
        parts = np.concatenate([bias(0, 90), bias(90, 200)], 1)
        self.assertEqual(whole.body, parts.tobytes())
        part = self.get(self.EXPENSIVE + "0:200", [("Range", "bytes=400001-1000000")], 206)
        self.assertEqual(part.body, whole.body[400001:1000001])

    def test_text_in_pieces_ends_properly(self):
        text = self.get(self.EXPENSIVE.replace("raw", "json") + "0:200")
        self.assertEqual(text.header("transfer-encoding"), "chunked")
        data = np.array(text.json()["tensors"][0]["data"], dtype="<f4")
        self.assertEqual(data.tobytes(), self.get(self.EXPENSIVE + "0:200").body)

    def test_more_of_them_than_the_pool_takes_are_all_whole(self):
        x = [[(i * j) % 7 - 3 for i in range(64)] for j in range(256)]
        weight = [[(i + j) % 5 - 2 for i in range(100)] for j in range(64)]
        body = json.dumps({"x": x, "weight": weight, "activation": "none"}).encode()
        clients = [self.server.client() for _ in range(70)]
        for one in clients:
            one.request("POST", "/v1/conv-position", body,
                        [("Content-Type", "application/json")])
        answers = [one.reply() for one in clients]
        self.assertEqual({answer.status for answer in answers}, {200})
        self.assertEqual(len({answer.body for answer in answers}), 1)
        right = convolved(np.array(x, float), np.array(weight, float))
        self.assertEqual(answers[0].json()["tensors"][0]["data"], right.tolist())
        for one in clients:
            one.close()

    def test_who_asks_for_little_is_served_meanwhile(self):
        with Client(self.server.address) as one:
            one.request("GET", self.LONG)
            self.assertEqual(one.head().status, 200)
            for _ in range(20):
                self.get("/v1/sinusoidal?dim=4&pos=0:4")
            self.assertGreaterEqual(self.server.metrics()["posencd_http_inflight_requests"], 2)

    def test_readers_who_leave_take_nothing_along(self):
        for _ in range(30):
            with Client(self.server.address, receive_buffer=4096) as one:
                one.request("GET", self.EXPENSIVE + "0:200")
                self.assertEqual(one.head().status, 200)
        self.get("/livez")


class DearAtTheEnd(ServerCase):
    flags = ("--threads", "1", "--drain-timeout", "0")

    def test_the_end_may_come_while_a_piece_is_made(self):
        one = self.server.client()
        one.request("GET", DearNumbers.LONG)
        self.assertEqual(one.head().status, 200)
        self.server.signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(), 0)


class UnreadAnswers(ServerCase):
    flags = ("--cache-size", "1MiB", "--max-inflight", "4MiB", "--threads", "1")

    def test_others_are_served_and_the_slowest_are_cut_off(self):
        held, target = [], "/v1/sinusoidal?dim=256&pos=%d:%d&format=raw"
        for first in range(0, 24 << 10, 512):  # 48 answers of 512 KiB, distinct
            held.append(Client(self.server.address, receive_buffer=2048))
            held[-1].request("GET", target % (first, first + 512))
            self.assertEqual(held[-1].socket.recv(12), b"HTTP/1.1 200")
            self.get("/v1/sinusoidal?dim=8&pos=%d:%d&format=raw" % (first, first + 8))
        samples = self.server.metrics()
        self.assertLessEqual(samples["posencd_cache_bytes"], 1 << 20)
        self.assertLessEqual(samples["posencd_cache_lent_bytes"], 4 << 20)
        self.assertGreater(samples["posencd_cache_lent_bytes"], 1 << 20)
        self.assertEqual(samples['posencd_inflight_bytes{use="sending"}'],
                         samples["posencd_cache_lent_bytes"])
        self.assertGreater(samples['posencd_rejected_total{reason="slow_reader"}'], 20)
        for one in held:
            one.close()


class SlowReaders(ServerCase):
    flags = ("--send-timeout", "1")

    def test_a_reader_that_never_reads_is_ended(self):
        with Client(self.server.address, receive_buffer=4096) as one:
            one.request("GET", "/v1/rope?dim=1024&pos=0:200000&out=cos&format=raw")
            self.assertEqual(one.head().status, 200)
            metrics = self.server.metrics()
            self.assertEqual(metrics["posencd_http_inflight_requests"], 2)
            limit = time.monotonic() + 30
            while self.server.metrics()["posencd_http_inflight_requests"] > 1:
                self.assertLess(time.monotonic(), limit, "still sending")


if __name__ == "__main__":
    unittest.main()
