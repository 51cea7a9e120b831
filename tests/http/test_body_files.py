# SPDX-License-Identifier: Apache-2.0
"""test_body_files.py - long answers that are asked for again are sent from files of memory, over
every kind of connection, and from the heap where no file can be made."""

import http.client
import os
import ssl
import unittest

from support.certificate import Certificate
from support.posencd import Posencd
from support.suite import ServerCase
from support.wire import PATIENCE, Client

LONG = "/v1/sinusoidal?pos=0:%d&dim=256&format=raw"  # 1 KiB a row
ROWS = (64, 500, 1024, 1025, 1030, 2000, 3001)  # those above 1,024 in a file
TARGETS = [LONG % rows for rows in ROWS]
FILES = "posencd_cache_file_bytes"
TIMES = 4  # a file is made at the second request, and sent from then on


def told(answer):
    return {name: value for name, value in answer.headers
            if name not in ("date", "server-timing", "x-request-id")}


class Files(ServerCase):
    flags = ("--threads", "2")
    options = {"unix": True}

    def ask_again(self, client, target):
        """The first answer, which all others equal."""
        first = client.get(target)
        self.assertEqual(first.status, 200)
        for _ in range(TIMES):
            again = client.get(target)
            self.assertEqual((again.body, told(again)), (first.body, told(first)), target)
        return first

    def test_the_bytes_are_those_of_a_first_answer_over_tcp_and_a_unix_socket(self):
        with Posencd("--cache-size", "0") as plain:
            expected = {target: plain.get(target) for target in TARGETS}
        with Posencd("--threads", "2", unix=True) as server:
            for address in (server.address, server.unix):
                with Client(address) as client:
                    for target in TARGETS:
                        answer = self.ask_again(client, target)
                        self.assertEqual(answer.body, expected[target].body)
                        self.assertEqual(told(answer), told(expected[target]))
            pages = sum((rows + 3) // 4 * 4096 for rows in ROWS if rows > 1024)
            self.assertEqual(server.metrics()[FILES], pages)

    def test_parts_heads_and_conditions_are_answered_beside_it(self):
        target = LONG % 1300
        whole = self.ask_again(self.server.client(), target)
        with self.server.client() as client:
            part = client.get(target, [("Range", "bytes=1000-1200999")])
            self.assertEqual((part.status, part.body), (206, whole.body[1000:1201000]))
            head = client.ask("HEAD", target)
            self.assertEqual((head.status, head.body), (200, b""))
            self.assertEqual(head.header("content-length"), str(len(whole.body)))
            same = client.get(target, [("If-None-Match", whole.header("etag"))])
            self.assertEqual(same.status, 304)
            packed = client.get(target, [("Accept-Encoding", "gzip")])
            self.assertEqual(packed.status, 200)
            last = client.get(target, [("Connection", "close")])
            self.assertEqual(last.body, whole.body)

    def test_requests_that_come_at_once_are_answered_in_order(self):
        targets = [LONG % rows for rows in (1100, 2, 1200, 3, 1100)] * 3
        single = {target: self.ask_again(self.server.client(), target).body
                  for target in set(targets)}
        with self.server.client() as client:
            for target in targets:
                client.request("GET", target)
            for target in targets:
                self.assertEqual(client.reply().body, single[target])

    def test_spellings_of_one_target_leave_descriptors_for_connections(self):
        target = LONG % 1056
        with Posencd("--threads", "2", "--max-connections", "64",
                     launcher=("prlimit", "--nofile=600")) as server:
            with server.client() as client:
                for number in range(700):
                    spelling = [("Accept", "application/octet-stream, text/x%d;q=0.1" % number)]
                    for _ in range(2):
                        self.assertEqual(client.get(target, spelling).status, 200)
            self.assertLess(len(os.listdir("/proc/%d/fd" % server.pid)), 450)
            self.assertEqual(server.get("/healthz").status, 200)

    def test_a_client_that_leaves_within_the_answer_ends_its_connection_alone(self):
        target = LONG % 1124
        whole = self.ask_again(self.server.client(), target)
        for address in (self.server.address, self.server.unix):
            for read in (0, 1, 20000):
                with Client(address, receive_buffer=4096) as client:
                    client.request("GET", target)
                    if read:
                        client.socket.recv(read)
        self.assertEqual(self.server.get(target).body, whole.body)

    def test_an_answer_that_leaves_the_cache_is_sent_to_its_end(self):
        with Posencd("--threads", "1", "--cache-size", "16MiB") as server:
            target = LONG % 1100
            whole = self.ask_again(server.client(), target).body
            with Client(server.address, receive_buffer=4096) as slow:
                slow.request("GET", target)
                self.assertEqual(slow.head().status, 200)
                for first in range(1, 60):
                    for _ in range(3):
                        server.get("/v1/sinusoidal?pos=%d:%d&dim=256&format=raw"
                                   % (first, first + 1100))
                samples = server.metrics()
                self.assertLessEqual(samples["posencd_cache_bytes"], 16 << 20)
                self.assertGreater(samples["posencd_cache_evictions_total"], 40)
                self.assertLessEqual(samples[FILES], samples["posencd_cache_bytes"] +
                                     samples["posencd_cache_lent_bytes"])
                self.assertEqual(slow.file.read(len(whole)), whole)


class Encrypted(unittest.TestCase):
    def test_tls_is_sent_the_same_bytes(self):
        certificate = Certificate()
        context = ssl.create_default_context(cafile=certificate.cert)
        with Posencd("--tls-cert", certificate.cert, "--tls-key", certificate.key,
                     unix=True) as server:
            host, port = server.address
            client = http.client.HTTPSConnection(host, port, context=context, timeout=PATIENCE)
            for target in TARGETS:
                with Client(server.unix) as plain:
                    bodies = [plain.get(target).body for _ in range(TIMES)]
                for _ in range(TIMES):
                    client.request("GET", target)
                    bodies.append(client.getresponse().read())
                self.assertEqual(len(set(bodies)), 1, target)
            client.request("GET", "/metrics")
            self.assertNotIn(FILES + " 0\n", client.getresponse().read().decode())
            client.close()


class Without(unittest.TestCase):
    """Where no file can be made, the same bytes come from the heap."""

    def check(self, limit):
        with Posencd("--threads", "1", launcher=("prlimit", limit)) as server:
            for target in TARGETS:
                self.assertEqual(len({server.get(target).body for _ in range(TIMES)}), 1)
            self.assertEqual(server.metrics()[FILES], 0)

    def test_a_limit_on_the_size_of_files_leaves_answers_on_the_heap(self):
        self.check("--fsize=4096")

    def test_descriptors_are_for_connections_first(self):
        self.check("--nofile=300")  # --max-connections takes all that are left


if __name__ == "__main__":
    unittest.main()
