# SPDX-License-Identifier: Apache-2.0
"""test_sockets.py - connections: kept, pipelined, slow, too many, over a unix socket."""

import contextlib
import select
import socket
import time
import unittest

from support.posencd import is_sanitized
from support.suite import ServerCase
from support.wire import PATIENCE, Client, Closed, request_bytes

SMALL = "/v1/sinusoidal?dim=4&pos=0:4"
BODY = b'{"dim":8,"pos":"0:4"}'
JSON = ("Content-Type", "application/json")


def drip(client, data, pause):
    """Sends one byte after another, with a pause between two, until the peer closes."""
    for byte in data:
        readable, _, _ = select.select([client.socket], [], [], pause)
        if readable and client.socket.recv(1, socket.MSG_PEEK) == b"":
            break
        try:
            client.send(bytes([byte]))
        except (BrokenPipeError, ConnectionResetError):
            break
    else:
        raise AssertionError("the peer took it all")


class Connections(ServerCase):
    def test_a_connection_is_kept(self):
        with Client(self.server.address) as one:
            for _ in range(100):
                answer = one.get(SMALL)
                self.assertEqual(answer.status, 200)
                self.assertNotEqual((answer.header("connection") or "").lower(), "close")

    def test_pipelined_requests_are_answered_in_order(self):
        with Client(self.server.address) as one:
            targets = ["/v1/sinusoidal?dim=2&pos=%d" % i for i in range(64)]
            one.send(b"".join(request_bytes("GET", target) for target in targets))
            for i, target in enumerate(targets):
                answer = one.reply()
                self.assertEqual(answer.status, 200, target)
                self.assertEqual(answer.json()["params"]["pos"], str(i))

    def test_answers_from_the_cache_have_the_ids_of_their_requests(self):
        ids = ["i%s" % ("x" * (i % 4)) + str(i) for i in range(10, 74)] + [None] * 3
        sent = b"".join(request_bytes("GET", SMALL, None, [("X-Request-Id", i)] if i else [])
                        for i in ids)
        made = set()
        with Client(self.server.address) as one, Client(self.server.address) as other:
            for client in (one, other):
                client.send(sent)
            for client in (one, other):
                for i in ids:
                    got = client.reply().header("x-request-id")
                    if i:
                        self.assertEqual(got, i)
                    else:
                        self.assertRegex(got, "^[0-9a-f]{16}$")
                        made.add(got)
        self.assertEqual(len(made), 6)

    def test_pipelined_methods_do_not_mix(self):
        with Client(self.server.address) as one:
            one.send(request_bytes("HEAD", SMALL) + request_bytes("POST", "/v1/rope", BODY, [JSON]) +
                     request_bytes("OPTIONS", SMALL) + request_bytes("GET", "/nowhere") +
                     request_bytes("GET", SMALL))
            statuses = [one.reply(method).status for method in
                        ("HEAD", "POST", "OPTIONS", "GET", "GET")]
            self.assertEqual(statuses, [200, 200, 204, 404, 200])

    def test_connection_close_is_obeyed(self):
        with Client(self.server.address) as one:
            answer = one.get(SMALL, [("Connection", "close")])
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.header("connection").lower(), "close")
            self.assertTrue(one.at_end())

    def test_http_1_0_closes_unless_asked(self):
        with Client(self.server.address) as one:
            one.send(b"GET /livez HTTP/1.0\r\nHost: x\r\n\r\n")
            self.assertEqual(one.reply().status, 200)
            self.assertTrue(one.at_end())
        with Client(self.server.address) as one:
            for _ in range(3):
                one.send(b"GET /livez HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n")
                self.assertEqual(one.reply().status, 200)

    def test_other_versions_are_505(self):
        for version in (b"HTTP/1.2", b"HTTP/2.0", b"HTTP/1.9"):
            with Client(self.server.address) as one:
                one.send(b"GET /livez " + version + b"\r\nHost: x\r\n\r\n")
                self.assertEqual(one.reply().status, 505, version)
                self.assertTrue(one.at_end())

    def test_what_libmicrohttpd_refuses_by_itself_has_one_head_and_is_a_problem(self):
        post = b"POST /v1/rope HTTP/1.1\r\n"
        for data, status, word in (
                (post + b"Host: x\r\nContent-Length: abc\r\n\r\n", 400, "Content-Length must be"),
                (post + b"Host: x\r\nContent-Length:\r\n\r\n", 400, "Content-Length must be"),
                (post + b"Content-Length: 2\r\n\r\n{}", 400, "must have Host"),
                (b"GET /livez HTTP/1.1\r\n\r\n", 400, "must have Host"),
                (post + b"Host: x\r\nContent-Length: %d\r\n\r\n" % (1 << 64), 413,
                 "at most")):
            for pieces in ([data], [data[:9], data[9:]], [data[:30], data[30:]]):
                with Client(self.server.address) as one:
                    one.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    for piece in pieces:
                        one.send(piece)
                    answer = one.reply()
                    self.assertIn(word, self.problem(answer, status, {
                        400: "bad-request", 413: "body-too-large"}[status])["detail"])
                    self.assertEqual(answer.header("connection"), "close")
                    self.assertTrue(one.at_end())
                    self.assertEqual(answer.json()["status"], status)

    def test_a_request_in_pieces_is_one_request(self):
        data = request_bytes("POST", "/v1/rope", BODY, [JSON])
        with Client(self.server.address) as one:
            one.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for byte in data:
                one.send(bytes([byte]))
            self.assertEqual(one.reply().status, 200)

    def test_chunks_of_any_size_are_one_body(self):
        whole = self.server.ask("POST", "/v1/rope", BODY, [JSON]).body
        for size in (1, 2, 7, len(BODY)):
            chunks = b"".join(b"%x\r\n%s\r\n" % (len(BODY[i:i + size]), BODY[i:i + size])
                              for i in range(0, len(BODY), size)) + b"0\r\n\r\n"
            with Client(self.server.address) as one:
                headers = [JSON, ("Transfer-Encoding", "chunked")]
                answer = one.ask("POST", "/v1/rope", chunks, headers)
                self.assertEqual((answer.status, answer.body), (200, whole))
                self.assertEqual(answer.header("connection"), "close")
                self.assertTrue(one.at_end())

    def test_100_continue_comes_before_the_body(self):
        with Client(self.server.address) as one:
            headers = [JSON, ("Expect", "100-continue"), ("Content-Length", str(len(BODY)))]
            one.send(request_bytes("POST", "/v1/rope", None, headers))
            self.assertEqual(one.head().status, 100)
            one.send(BODY)
            self.assertEqual(one.reply().status, 200)

    def test_another_transfer_coding_is_501_and_closes(self):
        with Client(self.server.address) as one:
            headers = [JSON, ("Transfer-Encoding", "gzip, chunked")]
            answer = one.ask("POST", "/v1/rope", b"0\r\n\r\n", headers)
            self.assertEqual(answer.status, 501)
            self.assertTrue(one.at_end())

    def test_a_client_that_vanishes_costs_nothing(self):
        for part in (b"GET /li", request_bytes("GET", SMALL), b"POST /v1/rope HTTP/1.1\r\n"):
            for _ in range(20):
                with Client(self.server.address) as one:
                    one.send(part)
        self.assertEqual(self.get(SMALL).status, 200)

    def test_requests_pushed_by_the_thousand_and_never_read_cost_no_memory(self):
        target, clients = "/v1/sinusoidal?dim=512&pos=0:64&format=raw", 20
        for _ in range(50):  # what a question's first answer leaves is there before the count
            answer = len(self.get(target).body) >> 10
        before, resident = self.answered(), self.server.status("VmRSS")
        pushing = [self.server.client(receive_buffer=4096) for _ in range(clients)]
        sent = [0] * clients
        push = memoryview(request_bytes("GET", target) * 10000)
        for one in pushing:
            one.socket.setblocking(False)
        end = time.monotonic() + PATIENCE
        while min(sent) == 0 or self.inflight() != clients:  # a client has one answer at a time
            self.assertLess(time.monotonic(), end, "%d answers are in flight" % self.inflight())
            for i, one in enumerate(pushing):
                with contextlib.suppress(BlockingIOError):
                    sent[i] += one.socket.send(push[sent[i]:])
        begun = self.answered() - before + clients
        grown = self.server.status("VmRSS") - resident
        for one in pushing:
            one.close()
        if not is_sanitized():
            self.assertLess(grown, begun * answer / 2, "KiB, after %d answers" % begun)
        self.get(SMALL)

    def inflight(self):
        """Requests that are being answered, without the one that asks."""
        return self.server.metrics()["posencd_http_inflight_requests"] - 1

    def answered(self):
        """Requests for encodings that were answered."""
        return sum(value for name, value in self.server.metrics().items()
                   if name.startswith("posencd_http_requests_total") and "/metrics" not in name)

    def test_the_ten_thousandth_answer_closes(self):
        wave, waves = 500, 20
        with Client(self.server.address) as one:
            for i in range(waves):
                one.send(request_bytes("GET", "/v1/sinusoidal?dim=2&pos=0&format=raw") * wave)
                for j in range(wave):
                    answer = one.reply()
                    last = i == waves - 1 and j == wave - 1
                    closes = (answer.header("connection") or "").lower() == "close"
                    self.assertEqual(closes, last, "answer %d" % (i * wave + j + 1))
            self.assertTrue(one.at_end())


class Bodies(ServerCase):
    flags = ("--max-body", "4096")

    def test_a_body_declared_too_large_is_413_at_once(self):
        with Client(self.server.address) as one:
            one.send(request_bytes("POST", "/v1/rope", None, [JSON, ("Content-Length", "4097")]))
            answer = one.reply()  # without a byte of the body
            self.problem(answer, 413, "body-too-large")
            self.assertEqual(answer.header("connection").lower(), "close")
            self.assertTrue(one.at_end())

    def test_a_chunked_body_too_large_is_413_when_the_count_is_reached(self):
        with Client(self.server.address) as one:
            one.send(request_bytes("POST", "/v1/rope", None, [JSON, ("Transfer-Encoding",
                                                                     "chunked")]))
            one.send((b"400\r\n" + b" " * 1024 + b"\r\n") * 5)  # and never the last chunk
            answer = one.reply()
            self.problem(answer, 413, "body-too-large")
            self.assertEqual(answer.header("connection").lower(), "close")

    def test_a_body_of_the_limit_is_read(self):
        body = BODY + b" " * (4096 - len(BODY))
        self.assertEqual(self.server.ask("POST", "/v1/rope", body, [JSON]).status, 200)


class Deadlines(ServerCase):
    """Deadlines are absolute, here one second each: single bytes do not move them. They begin when
    the server sees the connection, so the clock of the test starts before."""

    flags = ("--header-timeout", "1", "--body-timeout", "1", "--idle-timeout", "1")

    def setUp(self):
        self.start = time.monotonic()

    def ended(self):
        self.assertGreater(time.monotonic() - self.start, 0.9)

    def test_a_dripped_head_ends_at_its_deadline(self):
        with Client(self.server.address) as one:
            drip(one, request_bytes("GET", SMALL, None, [("X-Long", "a" * 1000)]), 0.1)
        self.ended()  # all of it would take 100 s

    def test_a_dripped_body_ends_at_its_deadline(self):
        with Client(self.server.address) as one:
            headers = [JSON, ("Content-Length", "1000")]
            one.send(request_bytes("POST", "/v1/rope", None, headers))
            drip(one, b" " * 1000, 0.1)
        self.ended()  # all of it would take 100 s

    def test_an_idle_connection_is_ended(self):
        with Client(self.server.address) as one:
            self.assertEqual(one.get(SMALL).status, 200)
            self.assertTrue(one.at_end())
        self.ended()

    def test_a_silent_connection_is_ended(self):
        with Client(self.server.address) as one:
            self.assertTrue(one.at_end())


class Crowd(ServerCase):
    flags = ("--threads", "1", "--max-connections", "400")

    def test_a_crowd_of_slow_clients_costs_others_nothing(self):
        slow = [Client(self.server.address) for _ in range(200)]
        for one in slow:
            one.send(b"GET /")
        for _ in range(50):
            self.get(SMALL)
        ended, _, _ = select.select([one.socket for one in slow], [], [], 0)
        self.assertEqual(ended, [], "served only when they were gone")
        for one in slow:
            one.close()


class Limit(ServerCase):
    flags = ("--max-connections", "8", "--threads", "2")

    def test_surplus_connections_get_503(self):
        held = [Client(self.server.address) for _ in range(8)]
        try:
            for _ in range(20):
                with Client(self.server.address) as surplus:
                    answer = surplus.reply()  # the server announced it by itself
                    self.assertEqual(answer.status, 503)
                    self.assertTrue(answer.header("retry-after").isdigit())
                    self.assertEqual(answer.header("connection").lower(), "close")
                    self.assertTrue(surplus.at_end())
            for path in ("/livez", "/readyz", "/healthz", "/metrics"):  # at every level
                with Client(self.server.address) as prober:
                    self.assertEqual(prober.get(path).status, 200)
            for one in held:  # accepted before: served, although all is full
                self.assertEqual(one.get("/livez").status, 200)
        finally:
            for one in held:
                one.close()
        self.served_again()

    def served_again(self):
        """Asks until the connection that became free is given to this client; each answer is a
        wait."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                if self.server.get("/livez").status == 200:
                    return
            except (Closed, ConnectionResetError, BrokenPipeError):
                pass
        self.fail("no place became free")


class Unix(ServerCase):
    options = {"unix": True, "tcp": False}

    def test_it_speaks_the_same(self):
        with Client(self.server.unix) as one:
            for _ in range(10):
                self.assertEqual(one.get(SMALL).json()["encoding"], "sinusoidal")

    def test_tcp_is_off(self):
        self.assertIsNone(self.server.port)


if __name__ == "__main__":
    unittest.main()
