# SPDX-License-Identifier: Apache-2.0
"""test_wire.py - sends every case of wire_cases.py, wire_probe.py, wire_codings.py and
wire_chunks.py to one server, and checks the answers and whether the connection is closed. No test
waits for a fixed time: an open connection proves itself by serving one more request, a closed one
by its end."""

import re
import unittest

from support.posencd import Posencd, library
from support.wire import Client, Closed
import wire_cases
import wire_chunks
import wire_codings
import wire_probe
import wire_strict
from wire_cases import AWAIT, SHUT, SMUGGLING

WRITTEN = wire_cases.CASES + wire_probe.CASES + wire_codings.CASES + wire_chunks.CASES
LIBRARY = library()
CASES = wire_strict.ended(WRITTEN, LIBRARY)

# No case waits for a deadline, so these are so far that no stalled machine meets them; but with a
# library that does not tell how long a chunk is some cases do, and only their outcome counts.
FAR, NEAR = "60", "1"
PROBE = b"GET /livez HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n"


class Talk:
    """One connection on which a case is sent."""

    def __init__(self, address, parts, client=Client):
        self.client = client(address, timeout=90)
        self.parts = parts
        self.statuses = []
        self.ended = False
        self.methods = [part.split(b" ", 1)[0].decode("latin-1") for part in parts
                        if isinstance(part, bytes)]

    def listen(self):
        """One more answer, or the end of the connection. After Connection: close nothing may
        follow."""
        try:
            answer = self.client.head()
            if answer.status >= 200:
                method = "HEAD" if "HEAD" in self.methods else "GET"
                answer.body = self.client._body(answer, method)
        except (Closed, ConnectionResetError, BrokenPipeError):
            self.ended = True
            return
        self.statuses.append(str(answer.status))
        if answer.status >= 200 and "close" in (answer.header("connection") or "").lower():
            self.ended = True
            try:
                rest = self.client.file.read()
            except ConnectionResetError:
                rest = b""
            assert not re.search(rb"HTTP/1\.[01] \d", answer.body + rest), rest

    def send(self, data):
        try:
            self.client.send(data)
        except (ConnectionResetError, BrokenPipeError):
            pass  # the answers before the end can still be read

    def say(self):
        for part in self.parts:
            if part is AWAIT:
                self.listen()
            elif part is SHUT:
                self.client.socket.shutdown(1)
            else:
                self.send(part)

    def outcome(self, allowed):
        """The outcome of the case, in the words of `allowed`."""
        self.say()
        while not self.ended and " ".join(self.statuses) not in allowed:
            self.listen()
        if self.ended:
            return " ".join(self.statuses + ["close"])
        self.methods = []
        before = list(self.statuses)
        self.send(PROBE)
        while not self.ended:
            self.listen()
        if self.statuses == before + ["200"]:
            return " ".join(before)
        return " ".join(self.statuses + ["close"])


def start(patience=FAR):
    """The server to which the cases are sent."""
    return Posencd("--threads", "2", "--access-log", "off", "--header-timeout", patience,
                   "--idle-timeout", patience, "--body-timeout", patience)


class Wire(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = start()
        cls.hasty = start(NEAR) if LIBRARY >= (1, 0, 0) else cls.server

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0
        assert cls.hasty is cls.server or cls.hasty.stop() == 0

    def check(self, name, parts, allowed):
        server = self.hasty if wire_strict.waits(name) else self.server
        talk = Talk(server.address, parts)
        try:
            self.assertIn(talk.outcome(allowed), allowed)
        finally:
            talk.client.close()

    def test_names_are_unique_and_the_36_framings_are_all_there(self):
        names = [name for name, _, _ in CASES]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(len(SMUGGLING), 36)
        for name in SMUGGLING:
            self.assertIn(name, names)
        self.assertGreaterEqual(len(names), 250)

    def test_none_of_the_36_framings_is_carried_out(self):
        for name, _, allowed in WRITTEN:
            if name in SMUGGLING:
                self.assertFalse([one for one in allowed if "2" in one.split()[0][:1]], name)

    def test_a_case_that_ends_in_another_way_is_one_and_its_reason_is_written(self):
        names = [name for name, _, _ in WRITTEN]
        for name, (reason, allowed) in wire_strict.OTHER_END.items():
            self.assertIn(name, names)
            self.assertTrue(reason and allowed)
            # Two requests are carried out where both are what the bytes say.
            self.assertTrue(reason is wire_strict.TRIMS or "200 200" not in " ".join(allowed), name)


def add(number, name, parts, allowed):
    word = re.sub(r"\W+", "_", name).strip("_")
    setattr(Wire, "test_%03d_%s" % (number, word), lambda self: self.check(name, parts, allowed))


for _number, (_name, _parts, _allowed) in enumerate(CASES):
    add(_number, _name, _parts, _allowed)


if __name__ == "__main__":
    unittest.main()
