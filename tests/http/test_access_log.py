# SPDX-License-Identifier: Apache-2.0
"""test_access_log.py - the fields of a line of the access log: who asked, by address and by the name of
the key; no key, and nothing that a client sends, makes a line of its own."""

import json
import os
import socket
import tempfile
import unittest

from support.manager import Manager
from support.posencd import Posencd
from support.wire import Client

SMALL = "/v1/sinusoidal?dim=4&pos=0:4"
KEY, UNNAMED, ADMIN = "k3y-of-a-client-00", "k3y-of-another-11", "t0ken-of-the-admin"
DEFAULT = ["method", "target", "status", "bytes", "us", "cache", "request_id", "end", "trace_id"]
TRACE = [("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")]

def bearer(key):
    return [("Authorization", "Bearer " + key)]


class Logged:
    """A server with all lines and these fields."""

    def __init__(self, fields, *flags, **options):
        asked = ["--log-fields", ",".join(fields)] if fields else []
        self.server = Posencd("--access-log", "all", "--log-rate", "100000", *asked, *flags, **options)
        self.lines = 0

    @classmethod
    def over(cls, server):
        logged = cls.__new__(cls)
        logged.server, logged.lines = server, 0
        return logged

    def line(self):
        """The next line of a request, without what every line of the log has."""
        self.lines += 1
        self.server.wait_line(lambda _: len(self.all()) >= self.lines, "line of the request")
        return {name: value for name, value in self.all()[self.lines - 1].items()
                if name not in ("time", "level", "event")}

    def all(self):
        return [event for event in self.server.events() if event["event"] == "request"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        assert self.server.stop() == 0


class Fields(unittest.TestCase):
    def test_without_the_flag_a_line_has_the_fields_that_it_always_had(self):
        with Logged(None) as logged:
            logged.server.get(SMALL, TRACE)
            self.assertEqual(list(logged.line()), DEFAULT)

    def test_a_line_has_the_fields_that_are_named_in_the_order_of_the_table(self):
        with Logged(["status", "method", "address"]) as logged:
            logged.server.get(SMALL, TRACE)
            self.assertEqual(list(logged.line().items()),
                             [("address", "127.0.0.1"), ("method", "GET"), ("status", 200)])


class Addresses(unittest.TestCase):
    def asked(self, logged, address, headers=()):
        with Client(address) as one:
            one.get(SMALL, headers)
        return logged.line()["address"]

    def test_the_address_is_that_of_the_connection_whatever_a_header_says(self):
        claims = [("X-Forwarded-For", "192.0.2.1"), ("Forwarded", "for=192.0.2.1"),
                  ("X-Real-IP", "192.0.2.1")]
        with Logged(["address"], unix=True) as logged:
            self.assertEqual(self.asked(logged, ("127.0.0.1", logged.server.port), claims), "127.0.0.1")
            self.assertEqual(self.asked(logged, logged.server.unix, claims), "unix")

    def test_a_socket_for_both_writes_ipv6_as_such_and_ipv4_as_such(self):
        with Manager() as manager:
            manager.sockets["both"] = socket.create_server(("::", 0), family=socket.AF_INET6,
                                                           dualstack_ipv6=True)
            port = manager.address("both")[1]
            logged = Logged.over(manager.start("--access-log", "all", "--log-fields", "address"))
            with logged:
                for address in ("::1", "127.0.0.1"):
                    with socket.create_connection((address, port)) as one:
                        one.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
                        self.assertEqual(one.recv(12), b"HTTP/1.1 200")
                    self.assertEqual(logged.line()["address"], address)


class Keys(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-log-")
        for name, text in (("keys", "# clients\n%s name=team-a\n\n%s\n" % (KEY, UNNAMED)),
                           ("admin", ADMIN + "\n")):
            with open(os.path.join(self.folder.name, name), "w", encoding="ascii") as file:
                file.write(text)
        self.flags = ("--api-keys-file", os.path.join(self.folder.name, "keys"),
                      "--admin-token-file", os.path.join(self.folder.name, "admin"))

    def tearDown(self):
        self.folder.cleanup()

    def test_a_line_has_the_name_of_the_key_or_its_line_in_the_file(self):
        with Logged(["key", "status"], *self.flags) as logged:
            for headers, expected in (
                    (bearer(KEY), {"key": "team-a", "status": 200}),
                    (bearer(UNNAMED), {"key": "line 4", "status": 200}),
                    (bearer(ADMIN), {"key": "admin token", "status": 200}),
                    (bearer("wrong" + KEY), {"status": 401}), ([], {"status": 401}),
                    (bearer("team-a"), {"status": 401})):
                logged.server.get(SMALL, headers)
                self.assertEqual(logged.line(), expected)

    def test_no_key_is_in_any_line(self):
        with Logged(["address", "key", *DEFAULT], *self.flags) as logged:
            for target in (SMALL, SMALL + "&key=" + KEY, "/" + KEY, "/v1/" + KEY):
                for headers in (bearer(KEY), bearer(UNNAMED), bearer(ADMIN), bearer(KEY + "x"), []):
                    logged.server.get(target, headers)
                    logged.line()
            log = logged.server.log()
        self.assertIn("team-a", log)
        for secret in (KEY + "x", UNNAMED, ADMIN):
            self.assertNotIn(secret, log)
        # Who has a valid key and writes it into the path has it in the log, as in every log of paths.
        self.assertNotIn('"' + KEY, log)


class Injection(unittest.TestCase):
    def ask_rudely(self, server):
        """Requests with all that a client can put where a line has it; how many were answered."""
        heads = [b'GET /a"b\\c%0a%0dd%1b[31m HTTP/1.1', b'GET /%22%20status=200 HTTP/1.1',
                 b'GET /' + b'"' * 4000 + b' HTTP/1.1', b'GET /' + b'\\' * 4000 + b' HTTP/1.1',
                 b'GET /nowhere?' + b'%1b%0a' * 600 + b' HTTP/1.1', b'FOO"BAR /x HTTP/1.1',
                 b'GET /\x1b[2J HTTP/1.1', b'GET /\xc3\xa9\xff HTTP/1.1']
        fields = [b'X-Request-Id: a" status="200', b'X-Request-Id: \x1b[31mred',
                  b'traceparent: 00-0af7651916cd43dd8448eb211c8031"c-b7ad6b7169203331-01',
                  b'X-Forwarded-For: 1.2.3.4" key="root', b'X-Forwarded-For: \x1b]0;x\x07',
                  b'User-Agent: a\tb"c', b'Authorization: Bearer "\\\x1b[0m']
        answers = 0
        for head in heads:
            for field in fields:
                with Client(server.address) as one:
                    one.send(head + b"\r\nHost: x\r\n" + field + b"\r\n\r\n")
                    answers += one.file.readline().startswith(b"HTTP/1.1 ")
        return answers

    def test_no_request_makes_more_than_a_line_or_fields_of_its_own(self):
        with Logged(["address", "key", *DEFAULT]) as logged:
            self.assertGreater(self.ask_rudely(logged.server), 50)
        lines = [line for line in logged.server.lines if line is not None]
        for line in lines:
            self.assertTrue(line.isascii() and line.isprintable(), line)
            self.assertLess(len(line), 1024)
        asked = [pairs for pairs in (json.loads(line, object_pairs_hook=list) for line in lines)
                 if ["event", "request"] in [list(pair) for pair in pairs]]
        self.assertGreater(len(asked), 10)
        for pairs in asked:
            names = [name for name, _ in pairs]
            self.assertEqual(len(names), len(set(names)), pairs)
            self.assertLessEqual(set(names), {"time", "level", "event", "address", *DEFAULT})
            self.assertEqual(dict(pairs)["address"], "127.0.0.1")


if __name__ == "__main__":
    unittest.main()
