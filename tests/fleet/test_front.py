# SPDX-License-Identifier: Apache-2.0
"""What each front does with answers: what it keeps, what it never repeats, what it says when no
replica answers."""

import contextlib
import http.server
import json
import threading
import unittest
from concurrent import futures

from support.wire import request_bytes

from front import FRONTS
from load import Connection, get, post
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
            self.assertEqual(self.ask(SMALL, "X-Request-Id: " + name).header("X-Request-Id", ""),
                             name)
        made = {self.ask(SMALL, *headers).header("X-Request-Id", "")
                for headers in ((), (), ("X-Request-Id: no id",))}
        self.assertEqual(len(made), 3)
        self.assertNotIn("", made)
        self.assertNotIn("no id", made)

    def test_an_answer_that_is_kept_tells_no_time(self):
        target = SMALL + "&base=77"
        first, again = self.ask(target), self.ask(target)
        self.assertEqual(again.body, first.body)
        self.assertIn("dur", first.header("Server-Timing", ""))
        if self.kind.CACHES:
            self.assertEqual(again.header("X-Cache-Status", ""), "HIT")
            self.assertEqual(again.header("Server-Timing", ""), "")

    def test_a_long_answer_passes_and_is_not_kept(self):
        for _ in range(2):
            answer = self.ask(LONG)
            self.assertEqual((answer.status, len(answer.body)), (200, LONG_BYTES))
            self.assertNotEqual(answer.header("X-Cache-Status", ""), "HIT")

    def test_a_range_of_a_long_answer_is_made_by_itself(self):
        answer = self.ask(LONG, "Range: bytes=10000000-10000099")
        self.assertEqual((answer.status, len(answer.body)), (206, 100))
        self.assertEqual(answer.header("Content-Range", ""),
                         "bytes 10000000-10000099/%d" % LONG_BYTES)

    def test_head_is_answered_as_get_but_for_the_body(self):
        answer = self.connection.ask(request_bytes("HEAD", LONG))
        self.assertEqual(answer.header("Content-Length"), str(LONG_BYTES))

    def test_formats_are_kept_apart(self):
        for kind in ("text/csv", "application/json", "text/csv", "application/json"):
            answer = self.ask(SMALL, "Accept: " + kind)
            self.assertEqual(answer.header("Content-Type", "").split(";")[0], kind)

    def test_errors_pass_and_name_the_problem(self):
        answer = self.ask("/v1/rope?dim=7")
        self.assertEqual(answer.status, 400)
        self.assertEqual(json.loads(answer.body)["title"], "Invalid parameter")


class NoReplica(unittest.TestCase):
    def test_without_a_replica_the_client_is_told_to_try_again(self):
        nobody = ["127.0.0.1:9"]  # the port discard, where nothing listens
        with contextlib.ExitStack() as stack:
            fronts = [stack.enter_context(kind(nobody)) for kind in FRONTS]
            with futures.ThreadPoolExecutor(len(fronts)) as pool:
                answers = list(pool.map(lambda front: Connection(front.port).ask(get(SMALL)), fronts))
        for front, answer in zip(fronts, answers):
            with self.subTest(front.NAME):
                self.assertEqual(answer.status, 503)
                self.assertEqual(answer.header("Content-Type", ""), "application/problem+json")
                self.assertEqual(answer.header("Retry-After", ""), "1")
                self.assertEqual(answer.header("Cache-Control", ""), "no-store")
                self.assertEqual(answer.header("WWW-Authenticate", ""), "")
                self.assertIn("try again", json.loads(answer.body)["detail"])


class Stub:
    """A replica that is ready and says one status to everything else."""

    def __init__(self, status):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                code = 200 if self.path == "/readyz" else status
                body = b'{"status":%d}' % code
                head = "HTTP/1.1 %d Said\r\nContent-Length: %d\r\nCache-Control: no-store\r\n%s\r\n"
                again = "Retry-After: 1\r\n" if code == 503 else ""
                self.wfile.write((head % (code, len(body), again)).encode() + body)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 128

            def handle_error(self, *_):
                pass  # a front has closed its connection

        self.server = Server(("127.0.0.1", 0), Handler)
        self.address = "127.0.0.1:%d" % self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class Pinned(unittest.TestCase):
    """Of two replicas one has the revision."""

    def answers(self, kind, statuses):
        asked = [get(SMALL + "&rev=7&n=%d" % n) for n in range(6)] + 6 * [
            post("/v2/models/integer/versions/7/infer", b'{"parameters":{"pos":"0:4"}}',
                 "application/json")]

        def ask(request):
            one = Connection(front.port)
            try:
                return one.ask(request)
            finally:
                one.close()
        with contextlib.ExitStack() as stack:
            stubs = [stack.enter_context(Stub(status)) for status in statuses]
            front = stack.enter_context(kind([one.address for one in stubs]))
            with futures.ThreadPoolExecutor(len(asked)) as pool:
                return list(pool.map(ask, asked))

    def test_a_busy_replica_is_503_though_the_next_does_not_know_the_revision(self):
        for kind in FRONTS:
            with self.subTest(kind.NAME):
                for answer in self.answers(kind, (503, 404)):
                    self.assertEqual((answer.status, answer.header("Retry-After", "")), (503, "1"))

    def test_a_revision_that_no_replica_knows_is_404_with_its_body(self):
        for kind in FRONTS:
            with self.subTest(kind.NAME):
                for answer in self.answers(kind, (404, 404)):
                    self.assertEqual((answer.status, answer.body), (404, b'{"status":404}'))

    def test_the_replica_that_knows_the_revision_answers(self):
        for kind in FRONTS:
            with self.subTest(kind.NAME):
                for answer in self.answers(kind, (404, 200)):
                    self.assertEqual(answer.status, 200)


for kind in FRONTS:
    globals()[kind.NAME + "Answers"] = type(kind.NAME + "Answers", (Case, unittest.TestCase),
                                            {"kind": kind})
