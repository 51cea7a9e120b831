# SPDX-License-Identifier: Apache-2.0
"""keys.py - keys in every header, trailer, cookie and body, in good requests and bad ones, plain
and over TLS: no eight bytes of a key are in any log or metric, at the log level debug."""

import os
import random
import signal
import string
import subprocess
import tempfile

import test_wire
from support.posencd import Posencd
from support.wire import Client, Closed

import script

LETTERS = string.ascii_letters + string.digits


def draw(chance):
    return "".join(chance.choice(LETTERS) for _ in range(40))


class Secrets:
    """Files of keys and a certificate."""

    def __init__(self, chance):
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-campaign-")
        self.keys = [draw(chance) for _ in range(5)]
        self.admin = draw(chance)
        self.write("keys", "\n".join(self.keys) + "\n")
        self.write("admin", self.admin + "\n")
        os.mkdir(self.path("tables"))
        subprocess.run(["openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey", "ec",
                        "-pkeyopt", "ec_paramgen_curve:P-256", "-subj", "/CN=localhost",
                        "-keyout", self.path("key.pem"), "-out", self.path("cert.pem")],
                       check=True, capture_output=True)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="ascii") as file:
            file.write(text)

    @property
    def flags(self):
        return ("--api-keys-file", self.path("keys"), "--admin-token-file", self.path("admin"),
                "--learned-tables-dir", self.path("tables"))

    def pieces(self):
        """Every eight bytes that would give away a key that was sent, or the TLS key."""
        with open(self.path("key.pem"), encoding="ascii") as file:
            private = file.read().splitlines()[1]
        for key in [*self.keys, self.admin, private]:
            yield from (key[i:i + 8] for i in range(len(key) - 8))


def attempt(server, data):
    """Sends bytes and reads the answer; True if something was answered."""
    try:
        with Client(server.address, timeout=90) as one:
            one.send(data)
            one.socket.shutdown(1)
            return bool(one.file.read(1))
    except (Closed, OSError):
        return False


def ask_all(server, secrets, chance):
    """Sends every request of the script and every wire case with keys somewhere; returns how
    many."""
    count = 0
    wrong = [secrets.keys[0][:-1] + "!", secrets.admin[::-1], "x" + secrets.keys[1]]
    for method, target, body, headers in [*script.tables(), *script.bodies(), *script.pages(),
                                          *script.refusals()]:
        key = chance.choice(secrets.keys + [secrets.admin] + wrong)
        places = [("Authorization", "Bearer " + key), ("X-Api-Key", key), ("Cookie", "k=" + key),
                  ("Proxy-Authorization", "Basic " + key), ("X-Request-Token", key)]
        for place in places:
            server.ask(method, target, body, [*headers, place])
            count += 1
    header = ("Authorization: Bearer %s\r\n" % secrets.keys[2]).encode()
    for _, parts, _ in test_wire.CASES:
        data = b"".join(part for part in parts if isinstance(part, bytes))
        if len(data) < 9000:
            attempt(server, data.replace(b"Host: x\r\n", b"Host: x\r\n" + header))
            attempt(server, data.replace(b"X-A: ", b"X-A: " + secrets.keys[3].encode()))
            count += 2
    for table in (b"not a table", script.safetensors({"x": script.vectors()})):
        for token in (secrets.admin, wrong[1]):
            server.ask("PUT", "/v1/tables/a", table, [script.SAFETENSORS, ("Authorization",
                                                                          "Bearer " + token)])
            count += 1
    return count


def run(page, quick):
    del quick
    chance = random.SystemRandom()
    secrets, logs, count = Secrets(chance), [], 0
    for flags in ((), ("--tls-cert", secrets.path("cert.pem"), "--tls-key",
                       secrets.path("key.pem"), "--admin-listen", "127.0.0.1:0")):
        server = Posencd("--threads", "2", "--access-log", "all",
                         "--header-timeout", "30", "--idle-timeout", "30", "--body-timeout", "30",
                         *secrets.flags, *flags, level="debug")
        if not flags:
            count += ask_all(server, secrets, chance)
            logs.append(server.get("/metrics", [("Authorization", "Bearer " +
                                                 secrets.admin)]).text())
        else:  # a handshake of plain bytes, which the log may show
            for _ in range(20):
                attempt(server, ("GET / HTTP/1.1\r\nAuthorization: Bearer %s\r\n\r\n" %
                                 secrets.keys[4]).encode())
        server.signal(signal.SIGHUP)
        secrets.write("keys", "\n".join(secrets.keys) + "\nshort " + secrets.keys[0] + "\n")
        server.signal(signal.SIGHUP)  # one bad line, which the log shows
        server.stop()
        secrets.write("keys", "\n".join(secrets.keys) + "\n")
        logs.append(server.log())
    text = "\n".join(logs)
    found = sorted({piece for piece in secrets.pieces() if piece in text})
    page.promise("requests with keys in headers, cookies, trailers, bodies",
                 "%d, %d bytes of logs and metrics, %d pieces of keys in them" % (
                     count, len(text), len(found)), "0 pieces", not found and len(text) > 10000,
                 ["%d pieces" % len(found)])
    secrets.folder.cleanup()
