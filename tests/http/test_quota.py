# SPDX-License-Identifier: Apache-2.0
"""test_quota.py - limits behind keys, certificates of clients, and rows for those without a key."""

import os
import signal
import ssl
import subprocess
import time
import unittest

from support.certificate import Certificate
from support.posencd import Posencd, run, samples_of
from support.suite import ServerCase
from support.wire import Client, Closed
from test_keys import SecretFiles, bearer
from test_tls import Secure

SMALL = "/v1/sinusoidal?dim=4&pos=0:4"
LARGE = "/v1/sinusoidal?dim=256&pos=0:1024&format=raw"  # 1 MiB

def key_of(name):
    return (name + "-" + "k3y" * 8)[:24]


def lines(**words):
    """A file of keys: a row for each name, with its words."""
    return "".join("%s name=%s %s\n" % (key_of(name), name, more) for name, more in words.items())


def asked(server, name, target=SMALL, method="GET", body=None, headers=()):
    return server.ask(method, target, body, [*bearer(key_of(name)), *headers])


class Limits(ServerCase):
    @classmethod
    def setUpClass(cls):
        cls.files = SecretFiles()
        cls.files.write("keys", lines(
            free="", one="requests=1", small="bytes=1KiB", body="bytes=1KiB", oip="bytes=1KiB",
            told="bytes=1KiB", flood="bytes=1KiB", busy="work=10ms",
            tables="endpoints=/v1/{encoding},/v1/batch", over="expires=2020-02-29",
            later="expires=2199-12-31T23:59:59Z", narrow="inflight=1") +
            "plain-key-of-line-13\n")
        cls.flags = ("--api-keys-file", cls.files.path("keys"), "--access-log", "all",
                     "--log-fields", "key,status,target,work")
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.files.folder.cleanup()

    def limited(self, answer, limit):
        self.problem(answer, 429, "too-many-requests")
        self.assertEqual(answer.json()["limited_by"], limit)
        self.assertIn('the limit "%s" of this key is reached; try again in' % limit,
                      answer.json()["detail"])
        self.assertGreaterEqual(int(answer.header("retry-after")), 1)
        return int(answer.header("retry-after"))

    def sample(self, name):
        return samples_of(self.server.get("/metrics", bearer(key_of("free"))))[name]

    def test_requests_a_second_are_limited_and_come_back(self):
        answer = asked(self.server, "one")
        self.assertEqual(answer.status, 200)
        while answer.status == 200:  # a machine may take a second for one of them
            answer = asked(self.server, "one")
        self.assertEqual(self.limited(answer, "requests"), 1)
        while asked(self.server, "one").status != 200:
            pass

    def test_bytes_are_taken_when_they_are_sent(self):
        self.assertEqual(asked(self.server, "small", LARGE).status, 200)
        self.assertGreater(self.limited(asked(self.server, "small"), "bytes"), 500)

    def test_work_is_taken_of_a_minute(self):
        answer, i = asked(self.server, "busy"), 0
        while answer.status == 200 and i < 200:  # each takes more than a millisecond
            i += 1
            answer = asked(self.server, "busy", "/v1/sinusoidal?dim=2048&pos=%d:%d&format=raw" % (
                4096 * i, 4096 * i + 4096))
        self.limited(answer, "work")
        self.assertGreater(self.sample('posencd_client_work_seconds_total{client="busy"}'), 0.008)  # the limit but a token

    def test_a_body_counts_and_its_refusal_is_told(self):
        asked(self.server, "body", LARGE)
        body = b'{"dim":4,"pos":[1]}'
        answer = asked(self.server, "body", "/v1/sinusoidal", "POST", body,
                       [("Content-Type", "application/json")])
        self.limited(answer, "bytes")

    def test_places_in_flight_are_given_back(self):
        with Client(self.server.address) as one:
            one.send(("POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nContent-Length: 19\r\n"
                      "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n\r\n{" %
                      key_of("narrow")).encode())
            while self.sample('posencd_client_requests_total{client="narrow"}') == 0:
                pass  # until its head has arrived
            self.assertEqual(self.limited(asked(self.server, "narrow"), "inflight"), 1)
            one.send(b'"dim":4,"pos":[1]}')
            self.assertEqual(one.reply().status, 200)
        while asked(self.server, "narrow").status != 200:
            pass

    def test_only_its_endpoints_are_for_a_key(self):
        self.assertEqual(asked(self.server, "tables").status, 200)
        for target in ("/v1/encodings", "/nowhere", "/metrics"):
            answer = asked(self.server, "tables", target)
            self.problem(answer, 403, "forbidden")
            self.assertIn("the operator did not give this path to this key (endpoints)",
                          answer.json()["detail"])
            self.assertIsNone(answer.header("retry-after"))
        self.assertEqual(asked(self.server, "tables", "/livez").status, 200)

    def test_a_key_expires(self):
        answer = asked(self.server, "over")
        self.problem(answer, 401, "unauthorized")
        self.assertIn("the key expired at 2020-02-29T23:59:59Z; ask its operator for another one",
                      answer.json()["detail"])
        self.assertEqual(asked(self.server, "later").status, 200)

    def test_a_refusal_of_the_inference_protocol_is_its_error(self):
        asked(self.server, "oip", LARGE)
        answer = asked(self.server, "oip", "/v2")
        self.assertEqual(answer.status, 429)
        self.assertIn('the limit "bytes"', answer.json()["error"])
        self.assertGreaterEqual(int(answer.header("retry-after")), 1)

    def test_metrics_and_log_have_the_names(self):
        asked(self.server, "free")
        self.server.get(SMALL, bearer("plain-key-of-line-13"))
        page = self.server.get("/metrics", bearer(key_of("free")))
        samples = samples_of(page)
        self.assertGreater(samples['posencd_client_requests_total{client="free"}'], 0)
        self.assertGreater(samples['posencd_client_bytes_total{client="free"}'], 0)
        self.assertGreater(samples['posencd_client_requests_total{client="line 13"}'], 0)
        self.assertEqual(samples['posencd_client_requests_total{client="other"}'], 0)
        event = self.server.wait_line(lambda event: event.get("key") == "free" and
                                      event.get("target") == "/v1/sinusoidal", "line of free")
        self.assertIn("work", event)
        asked(self.server, "told", LARGE)
        asked(self.server, "told")
        event = self.server.wait_line(lambda event: event.get("status") == 429 and
                                      event.get("key") == "told", "line of a refusal")
        samples = samples_of(self.server.get("/metrics", bearer(key_of("free"))))
        self.assertGreater(
            samples['posencd_client_refused_total{client="told",limit="bytes"}'], 0)
        self.assertGreater(samples['posencd_rejected_total{reason="limit"}'], 0)

    def test_a_client_that_goes_on_is_answered_a_second_later(self):
        """The clock is the only thing that tells: ten refusals are answered at once."""
        asked(self.server, "flood", LARGE)
        with Client(self.server.address) as one:
            slow = 0
            while not slow:
                start = time.monotonic()
                self.assertEqual(one.get(SMALL, bearer(key_of("flood"))).status, 429)
                slow = time.monotonic() - start >= 0.9
            self.assertEqual(one.get("/livez").status, 200)
        with Client(self.server.address) as one:  # one that does not wait for its answer
            one.request("GET", SMALL, None, bearer(key_of("flood")))
        self.assertEqual(asked(self.server, "free").status, 200)


class Keyless(unittest.TestCase):
    def test_those_without_a_key_are_limited_by_their_address(self):
        files = SecretFiles()
        files.write("keys", lines(free="") + "address requests=1 endpoints=/v1/{encoding}\n")
        with Posencd("--api-keys-file", files.path("keys")) as server:
            def status(source, headers=()):
                with Client(server.address, source=source) as one:
                    return one.get(SMALL, headers).status
            self.assertEqual(status("127.0.0.2"), 200)
            while status("127.0.0.2") != 429:  # a machine may take a second for one of them
                pass
            self.assertEqual(status("127.0.0.3"), 200)
            self.assertEqual(status("127.0.0.2", bearer(key_of("free"))), 200)
            self.assertEqual(status("127.0.0.2", bearer("x" * 20)), 401)
            self.assertEqual(status("127.0.0.2", [("Authorization", "Basic x")]), 401)
            with Client(server.address, source="127.0.0.4") as one:
                answer = one.get("/v1/encodings")
                self.assertEqual(answer.status, 403)
                self.assertIn("did not give this path to requests without a key", answer.text())
            page = samples_of(server.get("/metrics", bearer(key_of("free"))))
            self.assertGreaterEqual(page['posencd_client_requests_total{client="no key"}'], 2)
        files.folder.cleanup()


class Reloads(unittest.TestCase):
    def test_a_reload_keeps_what_was_used_and_a_bad_file_keeps_the_old_limits(self):
        files = SecretFiles()
        files.write("keys", lines(small="bytes=1KiB", free=""))
        with Posencd("--api-keys-file", files.path("keys")) as server:
            self.assertEqual(asked(server, "small", LARGE).status, 200)
            files.write("keys", "# moved\n" + lines(free="", small="bytes=2KiB"))
            server.signal(signal.SIGHUP)
            server.wait_line(lambda event: event.get("event") == "secrets read", "reading")
            self.assertEqual(asked(server, "small").status, 429)
            for text, said in (
                    (lines(free="inflight=0"), "line 1: inflight= must be 1..1024: requests at once"),
                    (lines(free="limit=1"), "line 1: behind a key may be name=, expires=, "),
                    ("address name=x\n", "line 1: behind address may be requests=, bytes=, ")):
                files.write("keys", text)
                server.signal(signal.SIGHUP)
                server.wait_line(lambda event, said=said: said in event.get("why", ""), said)
                self.assertIn(said, server.get("/readyz?verbose").text())
            self.assertEqual(asked(server, "free").status, 200)
            self.assertEqual(asked(server, "small").status, 429)
        files.folder.cleanup()

    def test_what_cannot_be_met_is_refused_at_start(self):
        files = SecretFiles()
        for text, flags, said in (
                (lines(a="work=2h"), ("--threads", "1", "--workers", "1"),
                 "line 1: work= must be 10ms..3m: time of threads a minute; beyond what all "
                 "threads have it would never be reached"),
                (lines(a="inflight=5"), ("--max-connections", "4"),
                 "line 1: inflight= must be 1..4: requests at once; beyond --max-connections"),
                (lines(a="requests=5") + key_of("b") + " name=a\n", (),
                 "line 2: must have the limits of line 1, which has the same name"),
                ("address requests=1\naddress requests=2\n", (),
                 "line 2: says again what line 1 is about; one row is enough"),
                ("address requests=1\n", ("--peer", "connection"),
                 "line 1: address needs --peer=address"),
                ("certificate name=a\n", (), "line 1: behind certificate must be subject=NAME"),
                (lines(a="requests=5", b="") + lines(a="requests=5"), (),
                 "line 3: says again what line 1 is about; one row is enough"),
                (lines(a="expires=2026-02-30"), (), "line 1: expires= must be a day such as"),
                (lines(a="endpoints=/v1/x"), (), "line 1: endpoints= must be paths as /metrics")):
            files.write("keys", text)
            done = run("serve", "--listen", "127.0.0.1:0", "--api-keys-file", files.path("keys"),
                       *flags)
            self.assertEqual(done.returncode, 78, done.stderr)
            self.assertIn(said, done.stderr.decode())
            self.assertNotIn(key_of("a"), done.stderr.decode())
        files.folder.cleanup()


class Authority:
    """A key and certificate that sign those of clients."""

    def __init__(self, folder, name="authority", days=2):
        self.folder, self.name = folder, name
        self.cert = self.path(name + ".pem")
        key, request = self.path(name + ".key"), self.path(name + ".csr")
        extensions = self.path(name + ".ext")
        with open(extensions, "w", encoding="ascii") as file:
            file.write("basicConstraints=critical,CA:TRUE\n")
        self.openssl("req", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                     "-keyout", key, "-out", request, "-subj", "/CN=" + name)
        self.openssl("x509", "-req", "-in", request, "-signkey", key, "-days", str(days), "-out",
                     self.cert, "-extfile", extensions)

    def path(self, name):
        return os.path.join(self.folder, name)

    @staticmethod
    def openssl(*words):
        subprocess.run(["openssl", *words], check=True, capture_output=True)

    def sign(self, name, days="2"):
        """Returns the files of a client's certificate and key."""
        key, request, cert = (self.path("%s-%s%s" % (self.name, name, end))
                              for end in (".key", ".csr", ".crt"))
        self.openssl("req", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                     "-keyout", key, "-out", request, "-subj", "/CN=" + name)
        self.openssl("x509", "-req", "-in", request, "-CA", self.cert, "-CAkey",
                     self.path(self.name + ".key"), "-CAcreateserial", "-days", days, "-out", cert)
        return cert, key


class Certificates(unittest.TestCase):
    def setUp(self):
        self.certificate = Certificate()
        self.files = SecretFiles()
        self.authority = Authority(self.files.folder.name)
        self.files.write("keys", lines(free="") + "certificate subject=worker-1 name=workers "
                         "endpoints=/v1/{encoding}\n")
        self.flags = (*self.certificate.flags, "--api-keys-file", self.files.path("keys"),
                      "--tls-client-ca", self.authority.cert)

    def tearDown(self):
        self.certificate.folder.cleanup()
        self.files.folder.cleanup()

    def status(self, server, shown=None, target=SMALL, headers=(), version=None):
        context = self.certificate.context(version)
        if shown:
            context.load_cert_chain(*shown)
        with Secure(server.address, context) as one:
            return one.get(target, headers).status

    def test_a_certificate_names_a_client(self):
        worker, other = self.authority.sign("worker-1"), self.authority.sign("worker-2")
        stranger = Authority(self.files.folder.name, "stranger").sign("worker-1")
        with Posencd(*self.flags) as server:
            for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
                self.assertEqual(self.status(server, worker, version=version), 200)
                self.assertEqual(self.status(server, None, SMALL, bearer(key_of("free")),
                                             version), 200)
                self.assertEqual(self.status(server, version=version), 401)
                self.assertEqual(self.status(server, other, version=version), 401)
                with self.assertRaises((ssl.SSLError, OSError, Closed)):
                    self.status(server, stranger, version=version)
            self.assertEqual(self.status(server, worker, "/v1/encodings"), 403)
            self.assertEqual(self.status(server, worker, SMALL, bearer(key_of("free"))), 200)
            self.assertEqual(self.status(server, worker, SMALL, bearer("x" * 20)), 401)
            event = server.wait_line(lambda event: event.get("event") ==
                                     "client_certificate_refused", "line of the stranger")
            self.assertIn("issuer is unknown", event["why"])

    def test_a_certificate_that_has_expired_is_refused_and_the_old_one_stays(self):
        old = Authority(self.files.folder.name, "old", days=-1)
        said = "every authority of clients is over: the last expired at 20"
        done = run("serve", "--listen", "127.0.0.1:0", *self.flags[:-1], old.cert)
        self.assertEqual(done.returncode, 78)
        self.assertIn(said, done.stderr.decode())
        expired = self.certificate.path("expired.pem")
        request = self.certificate.path("late.csr")
        Authority.openssl("req", "-new", "-key", self.certificate.key, "-subj", "/CN=late", "-out",
                          request)
        Authority.openssl("x509", "-req", "-in", request, "-signkey", self.certificate.key,
                          "-days", "-1", "-out", expired)
        done = run("serve", "--listen", "127.0.0.1:0", "--tls-cert", expired, "--tls-key",
                   self.certificate.key)
        self.assertEqual(done.returncode, 78)
        self.assertIn("the certificate expired at 20", done.stderr.decode())
        self.assertIn("; put a newer one in its place", done.stderr.decode())
        worker = self.authority.sign("worker-1")
        with Posencd(*self.flags) as server:
            context = self.certificate.context()
            os.replace(expired, self.certificate.cert)
            server.signal(signal.SIGHUP)
            server.wait_line(lambda event: "the certificate expired at" in event.get("why", ""),
                             "line of the certificate")
            context.load_cert_chain(*worker)
            with Secure(server.address, context) as one:
                self.assertEqual(one.name, "first")
                self.assertEqual(one.get(SMALL).status, 200)

    def test_authorities_need_keys_and_a_certificate(self):
        for flags in (self.flags[:4] + self.flags[6:], self.flags[4:]):
            done = run("serve", "--listen", "127.0.0.1:0", *flags)
            self.assertEqual(done.returncode, 78)
            self.assertIn("--tls-client-ca needs --tls-cert, and --api-keys-file",
                          done.stderr.decode())
        with open(self.authority.cert, "w", encoding="ascii") as file:
            file.write("no certificate\n")
        done = run("serve", "--listen", "127.0.0.1:0", *self.flags)
        self.assertEqual(done.returncode, 78)
        self.assertIn("the authorities of clients must be PEM certificates", done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
