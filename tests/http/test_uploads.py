# SPDX-License-Identifier: Apache-2.0
"""test_uploads.py - a client that sends 32 MiB before it reads can read the refusal, for every
reason of a refusal and every way to send a body."""

import http.client
import tempfile
import unittest

from support.certificate import Certificate
from support.posencd import Posencd
from support.suite import ServerCase
from support.uploads import (BODY, JSON, KINDS, PATIENCE, UnixConnection, flags_of, open_url, post,
                             wanted)

TIMES = 3


class Refused(unittest.TestCase):
    pass


def add(name):
    def test(self):
        _, target, headers, body, *_ = KINDS[name]
        with tempfile.TemporaryDirectory() as folder, Posencd(*flags_of(name, folder)) as server:
            came = [post(http.client.HTTPConnection(*server.address, timeout=PATIENCE), target,
                         headers, body) for _ in range(TIMES)]
        self.assertEqual(came, [wanted(name)] * TIMES)

    setattr(Refused, "test_%s_is_read" % name.replace(" ", "_"), test)


for _name in KINDS:
    add(_name)


class Ways(ServerCase):
    options = {"unix": True}

    def test_urllib_reads_it(self):
        came = [open_url(self.server.url + "/v1/nothing") for _ in range(TIMES)]
        self.assertEqual(came, [404] * TIMES)

    def test_a_unix_socket_carries_it(self):
        came = [post(UnixConnection(self.server.unix), "/v1/nothing", JSON, BODY)
                for _ in range(TIMES)]
        self.assertEqual(came, [404] * TIMES)

    def test_the_connection_of_a_short_body_lives_on(self):
        with self.server.client() as one:
            for _ in range(TIMES):
                answer = one.ask("POST", "/v1/nothing", b"{}" * 1000, list(JSON.items()))
                self.assertEqual(answer.status, 404)


class Surplus(ServerCase):
    flags = ("--max-connections", "1")

    def test_a_client_without_a_place_reads_503(self):
        with self.server.client():
            came = [post(http.client.HTTPConnection(*self.server.address, timeout=PATIENCE),
                         "/v1/rope", JSON, BODY) for _ in range(TIMES)]
        self.assertEqual(came, [503] * TIMES)


def server_answer(server, certificate, body):
    """Status and body of a POST through TLS; an object that is not bytes is sent in chunks."""
    connection = http.client.HTTPSConnection(*server.address, context=certificate.context(),
                                             timeout=PATIENCE)
    connection.request("POST", "/v1/rope", body, JSON)
    with connection.getresponse() as answer:
        came = answer.status, answer.read()
    connection.close()
    return came


class Encrypted(unittest.TestCase):
    def test_chunks_come_through_tls_in_records_of_any_size(self):
        certificate = Certificate()
        with Posencd(*certificate.flags) as server:
            whole = server_answer(server, certificate, b'{"dim":4,"pos":[1,2,3]}')
            for size in (1, 16384, 70000):
                body = b" " * (size if size == 1 else 200000) + b'{"dim":4,"pos":[1,2,3]}'
                came = server_answer(server, certificate,
                                     (body[at:at + size] for at in range(0, len(body), size)))
                self.assertEqual(came, whole)
        certificate.folder.cleanup()

    def test_tls_carries_it(self):
        certificate = Certificate()
        with Posencd(*certificate.flags) as server:
            came = [post(http.client.HTTPSConnection(
                *server.address, context=certificate.context(), timeout=PATIENCE),
                "/v1/nothing", JSON, BODY) for _ in range(TIMES)]
        certificate.folder.cleanup()
        self.assertEqual(came, [404] * TIMES)


if __name__ == "__main__":
    unittest.main()
