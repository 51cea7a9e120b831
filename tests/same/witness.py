# SPDX-License-Identifier: Apache-2.0
"""witness.py - connections that remember every byte they receive, and one running program with
all that was heard from it."""

import gzip
import re
import signal

from support.posencd import Posencd
from support.wire import Client, Closed, request_bytes

PROBE = ("GET", "/livez", None, ())
SILENCE = (Closed, OSError, ValueError)  # an answer that is cut, reset, late or no HTTP

# What two runs of one program differ in, and what stands for it.
TIMES = re.compile(rb"(?m)^(Date: )[^\r\n]+")
IDS = re.compile(rb"(?m)^(X-Request-Id: )[0-9a-f]{16}(?=\r)")
DURATIONS = re.compile(rb"(?<=dur=)[0-9.]+")
BODY_IDS = re.compile(rb'("request_id": ?")[0-9a-f]{16}(?=")')
METRICS = b"Content-Type: text/plain; version=0.0.4"
SAMPLES = re.compile(rb"(?m)^([^#\n]+) [^ \n]+$")
LENGTHS = re.compile(rb"(?m)^(Content-Length: )[0-9]+")


def without_chance(data):
    return BODY_IDS.sub(rb"\1*", DURATIONS.sub(b"*", IDS.sub(rb"\1*", TIMES.sub(rb"\1*", data))))


def comparable(head, body):
    """The bytes of an answer with * for what differs from run to run: time, request id, durations,
    and on the page of metrics its numbers and its length. Without a head the body is all that came
    on a connection."""
    body = BODY_IDS.sub(rb"\1*", body) if head else without_chance(body)
    head = without_chance(head)
    if METRICS in head:
        body = gzip.decompress(body) if b"\r\nContent-Encoding: gzip" in head else body
        head, body = LENGTHS.sub(rb"\1*", head), SAMPLES.sub(rb"\1 *", body)
    return head, body


class Tape:
    """A file that keeps what is read from it."""

    def __init__(self, file):
        self.file, self.parts = file, []

    def readline(self):
        return self._kept(self.file.readline())

    def read(self, *count):
        return self._kept(self.file.read(*count))

    def _kept(self, data):
        self.parts.append(data)
        return data

    def cut(self):
        """What was read since the last cut."""
        whole, self.parts = b"".join(self.parts), []
        return whole

    def close(self):
        self.file.close()


class Witness(Client):
    """A connection. `heard` has a pair for each answer: its head as it came, and its body without
    the frames of chunks, which depend on the time at which bytes are ready."""

    def __init__(self, address, timeout=90):
        super().__init__(address, timeout)
        self.file = Tape(self.file)
        self.heard = []

    def head(self, method="GET"):
        try:
            return super().head(method)
        finally:
            self.heard.append((self.file.cut(), b""))

    def _body(self, answer, method):
        try:
            body = super()._body(answer, method)
        except SILENCE:
            self.file.cut()
            self._add(b"(cut)")
            raise
        self.file.cut()
        self._add(body)
        return body

    def _add(self, body):
        self.heard[-1] = (self.heard[-1][0], body)

    def rest(self):
        """Reads to the end of the connection."""
        try:
            self.file.read()
        except SILENCE:
            pass
        self.heard.append((b"", self.file.cut()))


def is_last(answer):
    """Whether the connection ends with this answer, or has ended before it."""
    return not answer or "close" in (answer.header("connection") or "").lower()


class Seat:
    """A running program. `heard` has what it said since the last `take`, as pairs of comparable
    bytes: answers, and b"closed" where a connection ended."""

    def __init__(self, program, flags):
        self.command = (*flags, "--access-log", "off"), program
        self.heard, self.values, self.client = [], {}, None
        self.start()

    def start(self):
        self.server = Posencd(*self.command[0], program=self.command[1])
        self.connect()

    def stop(self):
        self.disconnect()
        self.server.stop()

    def restart(self):
        self.stop()
        self.start()

    def reload(self):
        self.server.signal(signal.SIGHUP)
        self.server.wait_line(lambda event: event["event"] == "reloaded", "line of the reload")

    def connect(self, number=0):
        """A new connection to the listener of this number."""
        on = [event["on"] for event in self.server.events() if event["event"] == "listening"]
        self.disconnect()
        self.client = Witness(("127.0.0.1", int(on[number].rpartition(":")[2])))

    def disconnect(self):
        """Closes the connection after what was heard on it is noted."""
        if self.client:
            self.note(self.client)
            self.client.close()
        self.client = None

    def note(self, client):
        self.heard += [comparable(*pair) for pair in client.heard]
        client.heard = []

    def say(self, word):
        self.heard.append((b"", word.encode()))

    def take(self):
        if self.client:
            self.note(self.client)
        heard, self.heard = self.heard, []
        return heard

    def ask(self, method, target, body=None, headers=()):
        """Sends a request; what is heard is its answer, and whether the connection serves another.
        Returns the answer, or None."""
        return self.send(request_bytes(method, target, body, headers), method)

    def get(self, target, headers=()):
        return self.ask("GET", target, None, headers)

    def send(self, request, method="GET"):
        answer = self._answer(request, method)
        if is_last(answer) or is_last(self._answer(request_bytes(*PROBE), "GET")):
            self.client.rest()
            self.note(self.client)
            self.say("closed")
            self.connect()
        return answer

    def _answer(self, request, method):
        try:
            self.client.send(request)
        except OSError:
            pass  # an answer before the end can still be read
        try:
            return self.client.reply(method)
        except SILENCE:
            return None

    def tag(self, target):
        """The entity tag of a target, for a condition."""
        answer = self.ask("HEAD", target)
        return answer and answer.header("etag") or "(no ETag)"
