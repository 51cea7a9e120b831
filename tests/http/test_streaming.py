# SPDX-License-Identifier: Apache-2.0
"""test_streaming.py - answers too large to be kept: bounded memory, slow and lost readers."""

import time
import unittest

import numpy as np

from stream_10g import GROWTH, stream
from support.suite import ServerCase
from support.wire import Client

LARGE = "/v1/rope?dim=256&pos=0:40000&out=cos"  # 20 MB as f32


class Memory(unittest.TestCase):
    def test_a_gigabyte_streams_in_8_mib(self):
        done, _, growth, _ = stream(1_000_000_000)
        self.assertGreater(done, 999_000_000)
        self.assertLess(growth, GROWTH)


class Streams(ServerCase):
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
