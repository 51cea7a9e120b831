# SPDX-License-Identifier: Apache-2.0
"""test_streaming.py - answers that are too large for the cache: bounded memory, slow readers,
readers that leave."""

import contextlib
import json
import signal
import socket
import time
import unittest

import numpy as np

from stream_10g import GROWTH, stream
from support.posencd import Posencd
from support.suite import ServerCase
from support.wire import PATIENCE, Client, time_for_others

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


class UnreadAnswers(unittest.TestCase):
    """One client, 127.0.0.2, asks for distinct answers of 512 KiB on many connections, of which it
    reads none. Beside it is a client with another address."""
    TARGET = "/v1/sinusoidal?dim=256&pos=%d:%d&format=raw"
    MOST = 16 << 20
    FLAGS = ("--cache-size", "1MiB", "--max-inflight", "16MiB", "--threads", "1", "--access-log",
             "off")

    def setUp(self):
        self.server = self.enterContext(Posencd(*self.FLAGS))

    def get(self, target):
        answer = self.server.get(target)
        self.assertEqual(answer.status, 200, repr(answer))
        return answer

    def ask(self, number, source="127.0.0.2"):
        one = self.server.client(receive_buffer=2048, source=source)
        one.request("GET", self.TARGET % (number * 512, number * 512 + 512))
        return one

    def hold(self):
        """Asks until the client is refused at its share; returns the connections with an answer that
        began, and the refusal. An answer that took too long is asked for again."""
        held = []
        while len(held) < 100:
            one = self.ask(len(held))
            if one.socket.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200":
                held.append(one)
                continue
            refusal = one.reply()
            if "no answer was ready in time" not in refusal.text():
                return held, refusal
        self.fail("the client holds 50 MiB")

    def test_a_client_at_its_share_is_refused_and_another_is_not(self):
        held, refusal = self.hold()
        self.assertGreater(len(held), 4)
        self.assertEqual(refusal.status, 503)
        self.assertEqual(refusal.json()["detail"],
                         "the answers to this client hold its share of the memory; read them to "
                         "their end, or ask for less at once, and try again")
        self.assertEqual(refusal.header("retry-after"), "1")
        for first in range(0, 800, 8):
            self.get("/v1/sinusoidal?dim=8&pos=%d:%d&format=raw" % (first, first + 8))
        self.assertEqual(len(self.get(self.TARGET % (60000, 60512)).body), 512 * 256 * 4)
        samples = self.server.metrics()
        self.assertGreaterEqual(samples['posencd_rejected_total{reason="peer"}'], 1)
        self.assertEqual(samples['posencd_rejected_total{reason="memory"}'], 0)
        self.assertLessEqual(samples["posencd_cache_bytes"], 1 << 20)
        self.assertLessEqual(samples["posencd_cache_lent_bytes"], self.MOST)
        self.assertGreater(samples["posencd_cache_lent_bytes"], 1 << 20)

    def test_a_batch_of_a_client_at_its_share_ends_as_a_whole_once_its_time_is_over(self):
        self.server = self.enterContext(Posencd(*self.FLAGS, "--work-timeout", "300ms"))
        self.hold()
        parts = [{"path": self.TARGET % (80000 + i, 80512 + i)} for i in range(9)]
        for part in parts:
            part["path"] = part["path"].replace("&format=raw", "")
        one = self.server.client(source="127.0.0.2")
        before = self.server.metrics()['posencd_rejected_total{reason="peer"}']
        detail = "no answer was ready in time"
        while "no answer was ready in time" in detail:  # a part was slow: nothing of its share
            answer = one.ask("POST", "/v1/batch", json.dumps({"requests": parts}).encode(),
                             (("Content-Type", "application/json"),))
            self.assertEqual(answer.status, 503)
            detail = answer.json()["detail"]
        self.assertIn("hold its share of the memory", answer.json()["detail"])
        self.assertEqual(self.server.metrics()['posencd_rejected_total{reason="peer"}'], before + 1)

    def test_a_client_that_read_its_answers_may_ask_again(self):
        held, _ = self.hold()
        for one in held:
            with contextlib.suppress(ConnectionResetError):
                self.assertEqual(len(one.reply().body), 512 * 256 * 4)
        self.assertEqual(self.ask(200).reply().status, 200)

    def test_what_is_not_read_is_reset_when_others_want_the_memory(self):
        held, _ = self.hold()
        limit = time.monotonic() + PATIENCE
        number = 1000
        while self.server.metrics()['posencd_rejected_total{reason="slow_reader"}'] == 0:
            held.append(self.ask(number, source="127.0.0.%d" % (3 + number % 8)))
            number += 1
            self.assertLess(time.monotonic(), limit, "no answer was cut")
            time_for_others()
        self.server.wait_line(lambda line: line.get("event") == "answer_cut" and
                              "its client read nothing for a second" in line["reason"],
                              "why an answer was cut")
        cut = 0
        for one in held:
            try:
                one.reply()
            except ConnectionResetError:
                cut += 1
        self.assertGreater(cut, 0)
        self.assertLess(cut, len(held))


class ReadersBesideOthers(unittest.TestCase):
    """Twenty clients with addresses of their own begin long answers and read none. They hold more
    than answers may, so that some of them are reset."""
    UNREAD = "/v1/rope?dim=128&pos=0:8000000&out=sin&format=raw"
    CHUNKED = "/v1/rope?dim=64&pos=%d:%d&out=cos"  # 1.5 MB of text, whose length nobody knows

    def test_who_reads_at_full_speed_is_never_cut(self):
        with Posencd("--max-inflight", "4MiB", "--threads", "1", "--access-log", "off") as server:
            unread = [server.client(receive_buffer=2048, source="127.0.1.%d" % (i + 1))
                      for i in range(20)]
            for one in unread:
                one.request("GET", self.UNREAD)
            read = 0
            limit = time.monotonic() + PATIENCE
            while read < 8 or not server.metrics()['posencd_rejected_total{reason="slow_reader"}']:
                began = time.monotonic()
                try:
                    answer = server.ask("GET", self.CHUNKED % (4000 * read, 4000 * read + 4000))
                except ConnectionResetError:
                    if time.monotonic() - began < 1:
                        raise
                    continue  # this process had no core for a second, and read nothing
                if answer.status == 503:  # it has not begun; a long answer finds memory later
                    time_for_others()
                    continue
                self.assertEqual(answer.status, 200)
                self.assertEqual(answer.header("transfer-encoding"), "chunked")
                self.assertEqual(answer.body[-2:], b"}\n")
                read += 1
                self.assertLess(time.monotonic(), limit, "nobody was cut")
            cut = [event for event in server.events() if event["event"] == "answer_cut"]
            self.assertTrue(cut)
            self.assertEqual({event["reason"] for event in cut},
                             {"its client read nothing for a second, or less than 64 KiB a second, "
                              "while others wanted the memory"})


class SlowReaders(ServerCase):
    flags = ("--send-timeout", "1")

    def test_a_reader_that_never_reads_is_ended(self):
        with Client(self.server.address, receive_buffer=4096) as one:
            one.request("GET", "/v1/rope?dim=1024&pos=0:200000&out=cos&format=raw")
            self.assertEqual(one.head().status, 200)
            metrics = self.server.metrics()
            self.assertEqual(metrics["posencd_http_inflight_requests"], 2)
            limit = time.monotonic() + PATIENCE
            while self.server.metrics()["posencd_http_inflight_requests"] > 1:
                self.assertLess(time.monotonic(), limit, "still sending")
                time_for_others()


if __name__ == "__main__":
    unittest.main()
