# SPDX-License-Identifier: Apache-2.0
"""test_tls.py - TLS: the versions, the certificate, how long a handshake may take."""

import contextlib
import os
import select
import signal
import socket
import ssl
import subprocess
import time
import unittest

from support.certificate import Certificate
from support.posencd import Posencd, run
from support.suite import ServerCase
from support.wire import PATIENCE, Client, Closed, time_for_others

SMALL = "/v1/sinusoidal?dim=4&pos=0:4"
LARGE = "/v1/sinusoidal?dim=1024&pos=0:4096&format=raw"  # 16 MiB
KEPT = "/v1/sinusoidal?dim=256&pos=0:1000&format=raw"  # a whole block, not streamed


CONNECTIONS, ROUNDS = 8, 100


def delayed_acknowledgements():
    """How many the kernel has sent in this network namespace."""
    with open("/proc/net/netstat", encoding="ascii") as file:
        lines = [line.split() for line in file if line.startswith("TcpExt:")]
    return int(dict(zip(*lines))["DelayedACKs"])


class Secure(Client):
    """One encrypted connection; the certificate is verified."""

    def __init__(self, address, context, suppress_ragged_eofs=True, **options):
        super().__init__(address, **options)
        self.file.close()
        self.socket = context.wrap_socket(self.socket, server_hostname="localhost",
                                          suppress_ragged_eofs=suppress_ragged_eofs)
        self.file = self.socket.makefile("rb", buffering=65536)

    @property
    def name(self):
        return dict(pair[0] for pair in self.socket.getpeercert()["subject"])["commonName"]


class Tls(ServerCase):
    kind = "ec"

    @classmethod
    def setUpClass(cls):
        cls.certificate = Certificate(cls.kind)
        cls.flags = cls.certificate.flags + ("--admin-listen", "127.0.0.1:0")
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.certificate.folder.cleanup()

    def secure(self, version=None):
        return Secure(self.server.address, self.certificate.context(version))

    def test_both_versions_serve_and_keep_the_connection(self):
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            with self.secure(version) as one:
                for _ in range(20):
                    self.assertEqual(one.get(SMALL).status, 200)
                self.assertEqual(one.name, "first")

    def test_a_first_request_does_not_wait_for_a_delayed_acknowledgement(self):
        """Of a client without TCP_NODELAY, whose kernel keeps the request until the end of the
        handshake is acknowledged. The counter is the machine's, so others may add to it."""
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            sent = []
            while not sent or min(sent) >= CONNECTIONS and len(sent) < ROUNDS:
                before = delayed_acknowledgements()
                for _ in range(CONNECTIONS):
                    with self.secure(version) as one:
                        self.assertFalse(one.socket.getsockopt(socket.IPPROTO_TCP,
                                                               socket.TCP_NODELAY))
                        self.assertEqual(one.get(SMALL).status, 200)
                sent.append(delayed_acknowledgements() - before)
            self.assertLess(min(sent), CONNECTIONS, sent)

    def test_curl_takes_it(self):
        done = subprocess.run(["curl", "-sS", "--cacert", self.certificate.cert, "--max-time", "300",
                               "https://127.0.0.1:%d%s" % (self.server.port, SMALL)],
                              capture_output=True, check=True)
        self.assertIn(b'"encoding":"sinusoidal"', done.stdout)

    def test_older_versions_are_refused(self):
        for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
            context = self.certificate.context()
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = context.maximum_version = version
            with self.assertRaises((ssl.SSLError, ConnectionError)):
                Secure(self.server.address, context)

    def test_answers_and_bodies_of_every_length_pass_whole(self):
        with self.secure() as one:
            large = one.get(LARGE)
            self.assertEqual(len(large.body), 1024 * 4096 * 4)
            body = b'{"dim":8,"pos":[%s]}' % b",".join(b"%d" % i for i in range(50000))
            answer = one.ask("POST", "/v1/sinusoidal", body, [("Content-Type", "application/json")])
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.json()["tensors"][0]["shape"], [50000, 8])

    def test_a_client_of_small_records_is_not_kept_waiting(self):
        request = b"GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % KEPT.encode()
        done = subprocess.run(["openssl", "s_client", "-quiet", "-ign_eof", "-maxfraglen", "512",
                               "-connect", "127.0.0.1:%d" % self.server.port],
                              input=request, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False)
        self.assertEqual(len(done.stdout.partition(b"\r\n\r\n")[2]), 1000 * 256 * 4)

    def test_plain_text_on_this_port_is_not_answered(self):
        with Client(self.server.address) as one:
            one.send(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            got = one.file.read()
            self.assertNotIn(b"HTTP", got)

    def test_a_refusal_midway_is_encrypted_too(self):
        with self.secure() as one:
            one.send(b"GET /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n")
            self.assertEqual(one.reply().status, 400)
        with self.secure() as one:  # no connection for an answer: it is sent past libmicrohttpd
            one.send(b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 99 +
                     b"c: " + b"d" * 7400 + b"\r\n\r\n")
            self.assertEqual(one.reply().status, 431)

    def test_what_libmicrohttpd_refuses_by_itself_is_one_answer(self):
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            with self.secure(version) as one:
                one.send(b"POST /v1/rope HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n")
                self.problem(one.reply(), 400, "bad-request")
                self.assertTrue(one.at_end())

    def test_the_admins_door_stays_plain(self):
        event = next(event for event in self.server.events()
                     if event["event"] == "listening" and event["listener"] == "admin")
        with Client(("127.0.0.1", int(event["on"].rpartition(":")[2]))) as admin:
            page = admin.get("/metrics").text()
            self.assertIn("posencd_certificate_expiry_timestamp_seconds 1", page)
        url = "http://" + event["on"]
        self.assertEqual(run("health", "--url", url).returncode, 0)
        env = {"POSENCD_LISTEN": "127.0.0.1:%d" % self.server.port,
               "POSENCD_TLS_CERT": self.certificate.cert, "POSENCD_TLS_KEY": self.certificate.key,
               "POSENCD_ADMIN_LISTEN": event["on"]}
        self.assertEqual(run("health", env=env).returncode, 0)
        del env["POSENCD_ADMIN_LISTEN"]
        done = run("health", env=env)
        self.assertEqual(done.returncode, 78)
        self.assertIn("--admin-listen", done.stderr.decode())


class TlsWithRsa(Tls):
    kind = "rsa"


class Greeted:
    """A client that has connected and makes the first message of its handshake, which it sends
    when it is told to."""

    def __init__(self, address, context, source):
        self.client = Client(address, source=source)
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        with contextlib.suppress(ssl.SSLWantReadError):
            self.tls.do_handshake()
        self.first = self.outgoing.read()

    def greet(self):
        self.client.send(self.first)

    def run(self, step):
        """Runs a step of TLS, which takes bytes from the socket and gives it some."""
        while True:
            try:
                done = step()
                self.client.send(self.outgoing.read())
                return done
            except ssl.SSLWantReadError:
                self.client.send(self.outgoing.read())
                came = self.client.socket.recv(65536)
                self.incoming.write(came) if came else self.incoming.write_eof()

    def status(self, target):
        self.run(self.tls.do_handshake)
        self.tls.write(b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n" % target.encode())
        return self.run(lambda: self.tls.read(12))


class HandshakesOfOthers(unittest.TestCase):
    """Handshakes take turns as other work of a loop does. The server is stopped until all clients
    have sent their first message, and the kernel keeps the order in which it answers them, so
    that nothing depends on the machine's speed."""
    CROWD = 100

    def setUp(self):
        self.certificate = Certificate("rsa")

    def tearDown(self):
        self.certificate.folder.cleanup()

    def order_of_answers(self, server, clients):
        """Has the clients send their first messages at once, and returns them in the order in which
        the server answers those."""
        of_file = {one.client.socket.fileno(): one for one in clients}
        order = []
        with select.epoll() as epoll:
            for file in of_file:
                epoll.register(file, select.EPOLLIN | select.EPOLLET)
            server.signal(signal.SIGSTOP)
            os.waitid(os.P_PID, server.pid, os.WSTOPPED)
            for one in clients:
                one.greet()
            server.signal(signal.SIGCONT)
            while len(order) < len(clients):
                events = epoll.poll(PATIENCE, len(clients))
                self.assertTrue(events, "the server answers no more handshakes")
                order += [of_file[file] for file, _ in events if of_file[file] not in order]
        return order

    def test_a_client_has_its_turn_beside_a_hundred_handshakes_of_another(self):
        context = self.certificate.context()
        with Posencd(*self.certificate.flags, "--threads", "1", "--access-log", "off",
                     "--header-timeout", "300") as server:  # of the last client's handshake, too
            crowd = [Greeted(server.address, context, "127.0.0.2") for _ in range(self.CROWD)]
            other = Greeted(server.address, context, "127.0.0.3")
            for one in crowd + [other]:
                self.addCleanup(one.client.close)
            order = self.order_of_answers(server, crowd + [other])
            self.assertLess(order.index(other), self.CROWD / 4)
            self.assertEqual({one.status("/livez") for one in crowd + [other]},
                             {b"HTTP/1.1 200"})


class Limits(unittest.TestCase):
    def setUp(self):
        self.certificate = Certificate()

    def tearDown(self):
        self.certificate.folder.cleanup()

    def test_a_dripped_or_silent_handshake_ends_at_its_deadline(self):
        with Posencd(*self.certificate.flags, "--header-timeout", "1") as server:
            for data in (b"", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"):
                start = time.monotonic()
                with Client(server.address) as one:
                    one.send(data)
                    self.assertTrue(one.at_end())
                self.assertGreater(time.monotonic() - start, 0.9)

    def test_surplus_clients_are_told_by_an_alert(self):
        context = self.certificate.context()
        with Posencd(*self.certificate.flags, "--max-connections", "8") as server:
            held = [Secure(server.address, context) for _ in range(8)]  # idle, beyond any deadline
            with Client(server.address) as surplus:
                self.assertEqual(surplus.file.read(), b"\x15\x03\x03\x00\x02\x02\x50")
            for one in held:
                one.close()
            while True:
                try:
                    with Secure(server.address, context) as one:
                        self.assertEqual(one.get("/livez").status, 200)
                        return
                except (ssl.SSLError, ConnectionError):
                    pass


class ReadersBesideOthers(unittest.TestCase):
    """Clients that read nothing of their long answers, whose memory others want: the answers of
    some of them are cut. No such client may take what it has for the whole: the encryption
    never ends as it does behind a whole answer, by an alert. A connection that is closed and not
    reset sends what the kernel has of the answer, some hundred KB, and the alert."""
    OTHERS = "/v1/rope?dim=64&pos=%d:%d&out=cos"
    PIECE, SEEN = 2048, 512 << 10

    def setUp(self):
        self.certificate = Certificate()

    def tearDown(self):
        self.certificate.folder.cleanup()

    def end_of(self, one):
        """How reading ends: "goes on", "error" or "closed", which a client may take for the end."""
        got = 0
        try:
            while got < self.SEEN:
                piece = one.socket.recv(self.PIECE)
                if not piece:
                    return "closed"
                got += len(piece)
        except (ssl.SSLError, ConnectionError):
            return "error"
        return "goes on"

    def ends(self, target):
        context = self.certificate.context()
        with Posencd(*self.certificate.flags, "--max-inflight", "4MiB", "--threads", "1",
                     "--access-log", "off", "--admin-listen", "127.0.0.1:0") as server:
            unread = [Secure(server.address, context, suppress_ragged_eofs=False,
                             receive_buffer=2048, source="127.0.1.%d" % (i + 1)) for i in range(20)]
            for one in unread:
                one.request("GET", target)
            limit, asked = time.monotonic() + PATIENCE, 0
            while not any(event["event"] == "answer_cut" for event in server.events()):
                with contextlib.suppress(ConnectionError, ssl.SSLError, Closed), \
                        Secure(server.address, context) as other:
                    other.get(self.OTHERS % (4000 * asked, 4000 * asked + 4000))
                asked += 1
                self.assertLess(time.monotonic(), limit, "no answer was cut")
                time_for_others()
            ends = [self.end_of(one) for one in unread]
            for one in unread:
                one.close()
            return ends

    def test_a_cut_answer_is_an_error_for_its_client(self):
        for form, target in (("length", "/v1/rope?dim=128&pos=0:8000000&out=sin&format=raw"),
                             ("chunked", "/v1/rope?dim=64&pos=0:20000&out=sin")):
            with self.subTest(form):
                ends = self.ends(target)
                self.assertIn("error", ends)
                self.assertNotIn("closed", ends)


class Names(unittest.TestCase):
    def test_an_allowed_host_is_asked_for_over_tls_too(self):
        certificate = Certificate()
        with certificate.folder, Posencd(*certificate.flags, "--allowed-host", "localhost") as server:
            for host, status in (("localhost:1", 200), ("evil.example", 421)):
                with Secure(server.address, certificate.context()) as one:
                    one.send(b"GET " + SMALL.encode() + b" HTTP/1.1\r\nHost: " + host.encode() +
                             b"\r\n\r\n")
                    self.assertEqual(one.reply().status, status)


class Reload(unittest.TestCase):
    def test_a_new_certificate_is_shown_and_old_connections_live_on(self):
        certificate = Certificate()
        with Posencd(*certificate.flags, "--send-timeout", "60") as server, \
                Secure(server.address, certificate.context()) as old, \
                Secure(server.address, certificate.context()) as reader:
            self.assertEqual(old.get(SMALL).status, 200)
            reader.request("GET", LARGE)
            head = reader.head()
            certificate.make("second")
            server.signal(signal.SIGHUP)
            context = certificate.context()
            while True:
                try:
                    with Secure(server.address, context) as fresh:
                        self.assertEqual(fresh.get(SMALL).status, 200)
                        self.assertEqual(fresh.name, "second")
                        break
                except ssl.SSLError:
                    pass
            self.assertEqual(old.get(SMALL).status, 200)
            self.assertEqual(old.name, "first")
            left = int(head.header("content-length"))
            self.assertEqual(len(reader.file.read(left)), left)
            with open(certificate.key + ".new", "w", encoding="ascii") as file:
                file.write("no key\n")
            os.rename(certificate.key + ".new", certificate.key)
            event = server.wait_line(lambda event: "old one stays" in event.get("event", ""),
                                     "line on the bad key")  # noticed without a signal
            self.assertIn("must be a PEM certificate", event["why"])
            with Secure(server.address, context) as fresh:
                self.assertEqual(fresh.name, "second")
        certificate.folder.cleanup()

    def test_a_key_that_does_not_fit_is_refused_at_start(self):
        one, other = Certificate(), Certificate()
        done = run("serve", "--listen", "127.0.0.1:0", "--tls-cert", one.cert, "--tls-key",
                   other.key)
        self.assertEqual(done.returncode, 78)
        self.assertIn("must be a PEM certificate and its key", done.stderr.decode())
        one.folder.cleanup()
        other.folder.cleanup()

    def test_a_drain_loses_nothing(self):
        certificate = Certificate()
        server = Posencd(*certificate.flags)
        with Secure(server.address, certificate.context()) as reader:
            reader.request("GET", LARGE)
            head = reader.head()
            server.signal(signal.SIGTERM)
            server.wait_line(lambda event: event.get("event") == "draining", "line on draining")
            left = int(head.header("content-length"))
            self.assertEqual(len(reader.file.read(left)), left)
        self.assertEqual(server.stop(), 0)
        certificate.folder.cleanup()

    def test_a_unix_socket_stays_plain(self):
        certificate = Certificate()
        with Posencd(*certificate.flags, unix=True) as server:
            with Client(server.unix) as one:
                self.assertEqual(one.get(SMALL).status, 200)
        certificate.folder.cleanup()


if __name__ == "__main__":
    unittest.main()
