# SPDX-License-Identifier: Apache-2.0
"""test_keys.py - keys, the admin address and the path prefix, from outside."""

import os
import re
import signal
import tempfile
import unittest

from support.posencd import ROOT, Posencd, run, samples_of
from support.suite import ServerCase
from support.wire import Client

def read_source(path):
    """The text of a file of the source tree."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


SMALL = "/v1/sinusoidal?dim=4&pos=0:4"
KEY, OTHER, ADMIN = "k3y-of-a-client-00", "k3y-of-another-11", "t0ken-of-the-admin"
OPEN = ("/livez", "/readyz", "/healthz")
CLOSED = (SMALL, "/v1/encodings", "/openapi.json", "/metrics", "/version", "/", "/nowhere",
          "/v1/models", "/v1/encodings/rope", "/docs/rope/nothing")
PAGES = ("/docs", "/docs/rope", "/docs/verify/ladder", "/models", "/models/phi-2",
         "/problems/unauthorized")

# Path, methods, and whether the endpoint is a page where a browser asks.
ENDPOINTS = [(path, methods.split(" | "), "TWOFOLD" in methods) for path, methods in
             re.findall(r'^ENDPOINT\(\w+, "([^"]+)", ([^"]+), \w+, "',
                        read_source("proto/http/endpoints.def"), re.M)]


def listed_as_open():
    """The paths that SECURITY.md says need no key."""
    rule = re.search(r"^- `--api-keys-file` (.*?)(?=^- )", read_source("SECURITY.md"), re.M | re.S)
    return set(re.findall(r"`(/[^`]*)`", rule.group(1)))


def bearer(key):
    return [("Authorization", "Bearer " + key)]


class SecretFiles:
    """A folder with the files of keys; it is removed with the object."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-keys-")
        self.write("keys", "# clients\n%s\n%s\n" % (KEY, OTHER))
        self.write("admin", ADMIN + "\n")

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name + ".new"), "w", encoding="ascii") as file:
            file.write(text)
        os.rename(self.path(name + ".new"), self.path(name))


class Keys(ServerCase):
    @classmethod
    def setUpClass(cls):
        cls.files = SecretFiles()
        cls.flags = ("--api-keys-file", cls.files.path("keys"), "--admin-token-file",
                     cls.files.path("admin"), "--access-log", "all")
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        log = cls.server.log()
        for secret in (KEY, OTHER, ADMIN, "s3cret"):
            assert secret not in log, secret
        cls.files.folder.cleanup()

    def test_health_is_for_everybody_and_nothing_else_is(self):
        for target in OPEN:
            self.get(target)
        for target in CLOSED:
            answer = self.server.get(target)
            self.problem(answer, 401, "unauthorized")
            self.assertEqual(answer.header("www-authenticate"), 'Bearer realm="posencd"')
            self.assertEqual(answer.header("cache-control"), "no-store")

    def test_no_endpoint_but_those_that_security_md_lists_is_open(self):
        opened = set()
        for path, methods, open_for_browsers in ENDPOINTS:
            method = "GET" if "GET" in methods else "POST"
            headers = [("Accept", "text/html")] if open_for_browsers else []
            with Client(self.server.address) as one:
                status = one.ask(method, re.sub(r"{\w+}", "rope", path), None, headers).status
            if status != 401:
                opened.add(path)
        self.assertGreater(len(opened), 10)
        self.assertEqual(opened, listed_as_open())

    def test_pages_need_no_key_and_hold_what_would_need_one(self):
        for target in PAGES:
            answer = self.get(target)
            self.assertNotIn(b'src="/v1/', answer.body)

    def test_every_key_and_the_admins_token_open(self):
        for key in (KEY, OTHER, ADMIN):
            self.get(SMALL, bearer(key))
            self.get("/metrics", bearer(key))
        self.get(SMALL, [("authorization", "bearer   " + KEY)])

    def test_nothing_else_opens(self):
        for value in ("", "Bearer", "Bearer ", "Bearer " + KEY[:-1], "Bearer " + KEY + "0",
                      "Bearer " + KEY.upper(), "Basic " + KEY, KEY, "Bearer" + KEY,
                      "Bearer " + KEY + " " + OTHER, "Bearer " + "k" * 300):
            answer = self.server.get(SMALL, [("Authorization", value)])
            self.problem(answer, 401, "unauthorized")

    def test_two_authorizations_are_refused(self):
        answer = self.server.get(SMALL, bearer(KEY) + bearer(KEY))
        self.problem(answer, 400, "bad-request")

    def test_a_folded_or_trailing_authorization_is_none(self):
        with Client(self.server.address) as one:
            one.send(b"POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                     b"Content-Type: application/json\r\nTrailer: Authorization\r\n\r\n"
                     b"0\r\nAuthorization: Bearer " + KEY.encode() + b"\r\n\r\n")
            self.assertEqual(one.reply().status, 401)
        with Client(self.server.address) as one:
            one.send(b"GET " + SMALL.encode() + b" HTTP/1.1\r\nHost: x\r\nAuthori-: x\r\n"
                     b" zation: Bearer " + KEY.encode() + b"\r\n\r\n")
            self.assertEqual(one.reply().status, 400)

    def test_a_body_without_a_key_is_not_waited_for(self):
        with Client(self.server.address) as one:
            one.send(b"POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n"
                     b"Content-Type: application/json\r\n\r\n")
            answer = one.reply()
            self.problem(answer, 401, "unauthorized")
            self.assertEqual(answer.header("connection").lower(), "close")

    def test_methods_may_be_asked_and_no_origin_is_allowed(self):
        answer = self.server.ask("OPTIONS", SMALL, None, [
            ("Origin", "https://elsewhere.example"), ("Access-Control-Request-Method", "GET")])
        self.assertEqual(answer.status, 204)
        self.assertFalse([name for name, _ in answer.headers if name.startswith("access-control")])
        answer = self.get(SMALL, bearer(KEY) + [("Origin", "https://elsewhere.example")])
        self.assertFalse([name for name, _ in answer.headers if name.startswith("access-control")])

    def test_only_the_clients_own_cache_keeps_answers(self):
        for target in (SMALL, SMALL + "&rev=1", "/v1/encodings", "/v1/models"):
            for _ in range(3):  # cache miss, cache hit, response cache hit
                control = self.get(target, bearer(KEY)).header("cache-control")
                self.assertTrue(control.startswith("private, max-age="), control)

    def test_a_hot_answer_needs_the_key_too(self):
        with Client(self.server.address) as one:
            for _ in range(3):
                self.assertEqual(one.get(SMALL, bearer(KEY)).status, 200)
            self.assertEqual(one.get(SMALL).status, 401)
            tag = one.get(SMALL, bearer(KEY)).header("etag")
            self.assertEqual(one.get(SMALL, [("If-None-Match", tag)]).status, 401)

    def test_a_key_in_the_query_is_refused_and_not_logged(self):
        answer = self.server.get(SMALL + "&api_key=s3cret", bearer(KEY))
        self.problem(answer, 400, "unknown-parameter")
        self.assertEqual(self.server.get("/s3cret").status, 401)
        page = self.server.get("/metrics", bearer(KEY))
        self.assertNotIn("s3cret", page.text())
        self.assertGreater(samples_of(page)['posencd_rejected_total{reason="key"}'], 0)


class Changes(unittest.TestCase):
    def test_a_key_can_be_withdrawn_without_a_restart(self):
        files = SecretFiles()
        with Posencd("--api-keys-file", files.path("keys")) as server:
            self.assertEqual(server.get(SMALL, bearer(KEY)).status, 200)
            files.write("keys", OTHER + "\n")
            server.signal(signal.SIGHUP)
            server.wait_line(lambda event: event.get("event") == "secrets read", "reading")
            with Client(server.address) as one:
                while one.get(SMALL, bearer(KEY)).status == 200:
                    pass
                self.assertEqual(one.get(SMALL, bearer(KEY)).status, 401)
                self.assertEqual(one.get(SMALL, bearer(OTHER)).status, 200)
            files.write("keys", "x\n")
            server.signal(signal.SIGHUP)
            event = server.wait_line(lambda event: "old one stays" in event.get("event", ""),
                                     "line on the bad file")
            self.assertIn("line 1: must be a key", event["why"])
            self.assertEqual(server.get(SMALL, bearer(OTHER)).status, 200)
            self.assertIn("[-] secrets", server.get("/readyz?verbose").text())
        files.folder.cleanup()

    def test_the_operator_may_let_shared_caches_keep_answers(self):
        files = SecretFiles()
        with Posencd("--api-keys-file", files.path("keys"), "--cache-public") as server:
            control = server.get(SMALL, bearer(KEY)).header("cache-control")
            self.assertTrue(control.startswith("public"), control)
        files.folder.cleanup()

    def test_what_does_not_fit_together_is_refused_at_start(self):
        files = SecretFiles()
        files.write("bad", "no key\n")
        for flags, said in ((("--cache-public",), "--cache-public needs --api-keys-file"),
                            (("--api-keys-file", "/nowhere"), "/nowhere: No such file"),
                            (("--api-keys-file", files.path("bad")), "line 1: must be a key"),
                            (("--admin-token-file", files.path("keys")), "must have one token"),
                            (("--tls-key", "/x"), "--tls-cert and --tls-key must be given together"),
                            (("--path-prefix", "x"), "--path-prefix must be a path such as"),
                            (("--path-prefix", "/x/"), "--path-prefix must be a path such as"),
                            (("--path-prefix", "/../x"), "--path-prefix must be a path such as")):
            done = run("serve", "--listen", "127.0.0.1:0", *flags)
            self.assertEqual(done.returncode, 78, done.stderr)
            self.assertIn(said, done.stderr.decode())
        files.folder.cleanup()


class Doors(unittest.TestCase):
    def admin_address(self, server):
        event = next(event for event in server.events()
                     if event["event"] == "listening" and event["listener"] == "admin")
        return ("127.0.0.1", int(event["on"].rpartition(":")[2]))

    def test_what_is_the_operators_is_behind_its_own_door(self):
        files = SecretFiles()
        with Posencd("--admin-listen", "127.0.0.1:0", "--api-keys-file",
                     files.path("keys")) as server:
            with Client(self.admin_address(server)) as admin:
                for target in OPEN + ("/metrics",):
                    self.assertEqual(admin.get(target).status, 200, target)
                for target in (SMALL, "/v1/encodings", "/v1/tables", "/"):
                    answer = admin.get(target)
                    self.assertEqual(answer.status, 404, target)
                    self.assertIn("for health, /metrics and changes of tables", answer.text())
            self.assertEqual(server.get("/metrics", bearer(KEY)).status, 404)
            self.assertEqual(server.get("/livez").status, 200)
            self.assertEqual(server.get(SMALL, bearer(KEY)).status, 200)
        files.folder.cleanup()

    def test_tables_are_changed_behind_that_door_alone(self):
        files = SecretFiles()
        with Posencd("--admin-listen", "127.0.0.1:0", "--admin-token-file", files.path("admin"),
                     "--learned-tables-dir", files.folder.name) as server, \
                Client(self.admin_address(server)) as admin:
            self.assertEqual(server.ask("DELETE", "/v1/tables/x", None, bearer(ADMIN)).status, 404)
            self.assertEqual(server.get("/v1/tables").status, 200)
            self.assertEqual(admin.ask("DELETE", "/v1/tables/x").status, 401)
            answer = admin.ask("DELETE", "/v1/tables/x", None, bearer(ADMIN))
            self.assertIn(b"there is no", answer.body)
        files.folder.cleanup()

    def test_the_operator_gets_in_when_nobody_else_does(self):
        with Posencd("--admin-listen", "127.0.0.1:0", "--max-connections", "4",
                     "--threads", "1") as server:
            held = [Client(server.address) for _ in range(4)]
            for one in held:
                one.send(b"GET")
            with Client(self.admin_address(server)) as admin:
                page = admin.get("/metrics")
                self.assertEqual(page.status, 200)
                self.assertEqual(admin.get("/livez").status, 200)
            with Client(server.address) as surplus:
                self.assertEqual(surplus.get("/version").status, 503)
            with Client(server.address) as prober:  # health is answered nevertheless
                self.assertEqual(prober.get("/livez").status, 200)
            for one in held:
                one.close()

    def test_a_prefix_is_in_front_of_everything(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as warm:
            warm.write("/pe/x" + SMALL + "\n")
            warm.flush()
            with Posencd("--path-prefix", "/pe/x", "--warm", warm.name, "--admin-listen",
                         "127.0.0.1:0") as server:
                answer = server.get("/pe/x" + SMALL)
                self.assertEqual(answer.status, 200)
                self.assertIn("hit", answer.header("server-timing"))
                location = answer.header("content-location")
                self.assertTrue(location.startswith("/pe/x/v1/sinusoidal?"), location)
                self.assertEqual(server.get(location).body, answer.body)
                self.assertIn("</pe/x/openapi.json>", answer.header("link"))
                self.assertEqual(server.get("/pe/x/openapi.json").json()["servers"],
                                 [{"url": "/pe/x"}])
                self.assertEqual(server.get("/pe/x").json()["endpoints"],
                                 server.get("/pe/x/").json()["endpoints"])
                for target in (SMALL, "/pe/xy" + SMALL, "/pe", "/livez", "/PE/x/livez"):
                    answer = server.get(target)
                    self.assertEqual(answer.status, 404, target)
                    self.assertEqual(answer.json()["type"], "/pe/x/problems/not-found")
                self.assertEqual(server.get("/pe/x/livez").status, 200)
                page = server.get("/pe/x/docs/rope").body.decode()
                links = re.findall(r'(?:href|src)="(/[^"]*)"', page)
                self.assertTrue(links)
                for link in links:
                    self.assertTrue(link.startswith("/pe/x/"), link)
                self.assertEqual(server.get(answer.json()["type"]).status, 200)
                with Client(self.admin_address(server)) as admin:
                    self.assertEqual(admin.get("/livez").status, 200)


class Pages(ServerCase):
    def test_a_page_loads_from_this_service_alone_and_sets_no_cookie(self):
        for target in ("/problems/not-found", "/docs", "/models"):
            answer = self.get(target)
            policy = answer.header("content-security-policy")
            self.assertIn("default-src 'none'", policy)
            self.assertIn("frame-ancestors 'none'", policy)
            self.assertNotIn("unsafe", policy)
            self.assertNotIn("http", policy)
            self.assertEqual(answer.header("x-content-type-options"), "nosniff")
            self.assertEqual(answer.header("referrer-policy"), "no-referrer")
        for target in (SMALL, "/", "/problems/not-found", "/livez", "/metrics"):
            answer = self.server.get(target, [("Cookie", "a=b")])
            self.assertIsNone(answer.header("set-cookie"))


if __name__ == "__main__":
    unittest.main()
