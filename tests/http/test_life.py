# SPDX-License-Identifier: Apache-2.0
"""test_life.py - the start, configuration, drain and end of a posencd."""

import os
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import unittest

from support.posencd import PATIENCE, Posencd, binary, child_environment, run
from support.wire import Client, Closed, request_bytes

SMALL = "/v1/sinusoidal?dim=4&pos=0:4"
NOBODY = 54321  # a user without processes
# 64 MB, which the client reads as slowly as it likes.
LARGE = "/v1/sinusoidal?dim=1024&pos=0:16384&format=raw"


class ExitCodes(unittest.TestCase):
    def refused(self, code, *arguments, says=(), env=None):
        done = run(*arguments, env=env)
        error = done.stderr.decode()
        self.assertEqual(done.returncode, code, error)
        self.assertTrue(error.strip(), "nothing said")
        for word in says:
            self.assertIn(word, error)

    def test_an_unknown_flag_is_a_usage_error(self):
        self.refused(64, "serve", "--lisen", "127.0.0.1:0", says=["--lisen"])
        self.refused(64, "serve", "--listen", "127.0.0.1:0", "surplus", says=["surplus"])
        self.refused(64, "no-such-command", says=["no-such-command"])

    def test_a_bad_value_is_a_usage_error(self):
        for flag, value in (("--threads", "0"), ("--threads", "two"), ("--listen", "nowhere"),
                            ("--listen", "127.0.0.1:99999"), ("--cache-size", "1XiB"),
                            ("--log-format", "xml"), ("--idle-timeout", "-1"),
                            ("--max-connections", "0")):
            self.refused(64, "serve", flag, value, says=[flag.strip("-")])
        self.refused(64, "serve", "--threads", says=["threads"])

    def test_a_bad_environment_is_a_configuration_error(self):
        self.refused(78, "serve", env={"POSENCD_THREADS": "two"}, says=["POSENCD_THREADS"])
        self.refused(78, "serve", env={"POSENCD_LISEN": "x"}, says=["POSENCD_LISEN"])

    def test_a_taken_port_is_69(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = "127.0.0.1:%d" % taken.getsockname()[1]
            self.refused(69, "serve", "--listen", address, says=[address])

    def test_an_address_that_is_not_ours_is_69(self):
        self.refused(69, "serve", "--listen", "unix:/no/such/folder/sock", says=["/no/such/folder"])

    def test_check_config_tells_without_serving(self):
        self.assertEqual(run("check-config").returncode, 0)
        self.refused(64, "check-config", "--threads", "none", says=["threads"])
        self.refused(78, "check-config", env={"POSENCD_THREADS": "none"}, says=["THREADS"])

    def test_check_config_reads_what_serve_would_read(self):
        for flag in ("--models-dir", "--learned-tables-dir", "--api-keys-file",
                     "--admin-token-file", "--warm"):
            self.refused(78, "check-config", flag, "/no/such", says=["/no/such"])
        self.refused(78, "check-config", "--tls-cert", "/no/such", "--tls-key", "/no/such",
                     says=["/no/such"])
        with tempfile.TemporaryDirectory() as folder:
            done = run("check-config", "--models-dir", folder, "--learned-tables-dir", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.refused(78, "check-config", "--warm", folder, says=[folder])

    def test_an_old_name_of_a_flag_works_and_is_logged_once(self):
        done = run("check-config", "--table-size", "2MiB")
        self.assertIn("shared-table-cache = 2MiB (flag)", done.stdout.decode())
        self.assertEqual(done.stderr.decode().count("shared-table-cache"), 1)
        with Posencd(env={"POSENCD_TABLE_SIZE": "2MiB"}) as server:
            old = [event for event in server.events() if "old name" in event["event"]]
            self.assertEqual([(event["old"], event["new"]) for event in old],
                             [("table-size", "shared-table-cache")])

    def test_a_list_to_warm_that_nobody_writes_is_refused_without_a_wait(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            for command in ("check-config", "serve"):
                for list_of_targets in (pipe, "/dev/zero"):
                    self.refused(78, command, "--listen", "127.0.0.1:0", "--warm",
                                 list_of_targets,
                                 says=["--warm " + list_of_targets, "regular file", "16 MiB"])

    def test_check_config_minds_no_running_service(self):
        with Posencd() as server:
            address = server.url.removeprefix("http://")
            done = run("check-config", "--listen", address)
            self.assertEqual(done.returncode, 0, done.stderr)


class Threads(unittest.TestCase):
    """Starts under RLIMIT_NPROC, which does not bind root: the process runs as another user."""

    def run_limited(self, most, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
        # The search for leaks would need a thread too.
        options = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            program = os.path.join(folder, "posencd")
            shutil.copy(binary(), program)
            return subprocess.run([program, *arguments], capture_output=True, timeout=PATIENCE,
                                  env=child_environment(options), preexec_fn=limit, check=False)

    def test_a_limit_of_threads_is_said_and_is_no_lack_of_memory(self):
        for command in ("serve", "check-config"):
            for flags in ((), ("--threads", "200", "--workers", "200")):
                done = self.run_limited(1, command, "--listen", "127.0.0.1:0", *flags)
                error = done.stderr.decode()
                self.assertEqual(done.returncode, 78, error)
                for word in ("RLIMIT_NPROC", "pids.max", "allow 0", *flags):
                    self.assertIn(word, error)
                self.assertNotIn("memory", error)


class Commands(unittest.TestCase):
    def said(self, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def test_help_names_every_command_and_flag(self):
        text = self.said("--help")
        for word in ("serve", "compute", "health", "encodings", "openapi", "check-config",
                     "version"):
            self.assertIn(word, text)
        text = self.said("serve", "--help")
        for word in ("--listen", "--threads", "--cache-size", "--max-elements", "--drain-delay",
                     "POSENCD_"):
            self.assertIn(word, text)

    def test_documents_are_those_that_are_served(self):
        with Posencd() as server:
            self.assertEqual(self.said("encodings", "--json"), server.get("/v1/encodings").text())
            self.assertEqual(self.said("openapi"), server.get("/openapi.json").text())
            self.assertIn(server.get("/version").json()["version"], self.said("version"))

    def test_an_output_that_cannot_be_written_is_an_error(self):
        for arguments in (["version"], ["help"], ["encodings"], ["openapi"], ["check-config"],
                          ["compute", "rope", "--help"], ["compute", "rope", "pos=0", "dim=4"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([binary(), *arguments], stdout=full, stderr=subprocess.PIPE,
                                      env=child_environment(), timeout=PATIENCE, check=False)
            self.assertEqual(done.returncode, 70, arguments)
            self.assertTrue(done.stderr, arguments)

    def test_the_version_is_told_by_the_usual_flags_too(self):
        self.assertEqual(self.said("--version"), self.said("version"))
        self.assertEqual(self.said("-V"), self.said("version"))


class Environment(unittest.TestCase):
    def test_a_variable_stands_for_a_flag(self):
        with Posencd(env={"POSENCD_MAX_ELEMENTS": "100"}) as server:
            self.assertEqual(server.get("/version").json()["limits"]["max_elements"], 100)

    def test_a_flag_beats_its_variable(self):
        with Posencd("--max-elements", "200", env={"POSENCD_MAX_ELEMENTS": "100"}) as server:
            self.assertEqual(server.get("/version").json()["limits"]["max_elements"], 200)

    def test_the_variables_of_a_service_named_posencd_are_ignored(self):
        noise = {"POSENCD_SERVICE_HOST": "10.0.0.1", "POSENCD_SERVICE_PORT": "80",
                 "POSENCD_SERVICE_PORT_HTTP": "80", "POSENCD_PORT": "tcp://10.0.0.1:80",
                 "POSENCD_PORT_80_TCP": "tcp://10.0.0.1:80",
                 "POSENCD_PORT_80_TCP_ADDR": "10.0.0.1"}
        with Posencd(env=noise) as server:
            self.assertEqual(server.get("/livez").status, 200)


class Health(unittest.TestCase):
    def test_it_tells_by_its_exit_code(self):
        with Posencd(unix=True) as server:
            self.assertEqual(run("health", "--url", server.url).returncode, 0)
            self.assertEqual(run("health", "--url", "unix:" + server.unix).returncode, 0)
            self.assertEqual(run("health", "--url", server.url + "/nowhere").returncode, 1)
            url = server.url
        self.assertEqual(run("health", "--url", url).returncode, 1)

    def test_checks_are_listed_when_asked_for(self):
        with Posencd("--threads", "2") as server:
            self.assertGreaterEqual(server.get("/readyz?verbose").text().count("\n"), 3)


class UnixSocket(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-test-")
        self.path = os.path.join(self.folder.name, "sock")

    def tearDown(self):
        self.folder.cleanup()

    def test_a_stale_file_is_replaced(self):
        with socket.socket(socket.AF_UNIX) as stale:
            stale.bind(self.path)
        with Posencd("--listen", "unix:%s,mode=0600" % self.path):
            self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o600)
            with Client(self.path) as one:
                self.assertEqual(one.get("/livez").status, 200)
        self.assertFalse(os.path.exists(self.path), "left behind")

    def test_a_living_one_is_not_taken_over(self):
        with Posencd("--listen", "unix:" + self.path):
            done = run("serve", "--listen", "unix:" + self.path)
            self.assertEqual(done.returncode, 69, done.stderr)
            with Client(self.path) as one:
                self.assertEqual(one.get("/livez").status, 200)

    def test_a_file_that_is_no_socket_is_not_removed(self):
        with open(self.path, "w", encoding="ascii") as text:
            text.write("precious")
        self.assertEqual(run("serve", "--listen", "unix:" + self.path).returncode, 69)
        with open(self.path, encoding="ascii") as text:
            self.assertEqual(text.read(), "precious")


class Drain(unittest.TestCase):
    def test_what_is_in_flight_is_finished(self):
        server = Posencd()
        readers = [Client(server.address, receive_buffer=65536) for _ in range(4)]
        for one in readers:
            one.request("GET", LARGE)
        first = [one.head() for one in readers]
        server.signal(signal.SIGTERM)
        for one, answer in zip(readers, first):
            self.assertEqual(answer.status, 200)
            left = int(answer.header("content-length"))
            while left > 0:
                got = len(one.file.read(min(left, 1 << 20)))
                self.assertGreater(got, 0, "cut with %d bytes left" % left)
                left -= got
            self.assertTrue(one.at_end())
            one.close()
        self.assertEqual(server.stop(), 0)

    def test_a_body_that_is_on_its_way_is_answered(self):
        server = Posencd()
        body = b'{"dim":4,"pos":"0:4"}'
        with Client(server.address) as one:
            headers = [("Content-Type", "application/json"), ("Expect", "100-continue"),
                       ("Content-Length", str(len(body)))]
            one.send(request_bytes("POST", "/v1/sinusoidal", None, headers))
            self.assertEqual(one.head().status, 100)  # so the server works on it
            server.signal(signal.SIGTERM)
            server.wait_line(lambda event: event.get("event") == "draining", "line on draining")
            one.send(body)
            answer = one.reply()
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.header("connection").lower(), "close")
        self.assertEqual(server.stop(), 0)

    def test_idle_connections_are_closed_and_the_exit_code_is_0(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            server = Posencd()
            idle = [Client(server.address) for _ in range(8)]
            for one in idle:
                self.assertEqual(one.get(SMALL).status, 200)
            server.signal(number)
            for one in idle:
                self.assertTrue(one.at_end())
                one.close()
            self.assertEqual(server.wait(), 0)
            server.stop()

    def test_during_the_delay_it_serves_on_but_is_not_ready(self):
        server = Posencd(delay=60)
        with Client(server.address) as one:
            self.assertEqual(one.get("/readyz").status, 200)
            server.signal(signal.SIGTERM)
            server.wait_line(lambda event: "drain" in event.get("event", ""), "line on draining")
            with Client(server.address) as fresh:
                answer = fresh.get("/readyz")
                self.assertEqual(answer.status, 503)
            self.assertEqual(run("health", "--url", server.url).returncode, 1)
            self.assertEqual(server.get("/livez").status, 200)
            answer = one.get(SMALL)
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.header("connection").lower(), "close")
        server.signal(signal.SIGTERM)  # the second signal does not wait
        self.assertEqual(server.wait(), 0)
        server.stop()

    def test_a_reader_that_never_reads_does_not_hold_it_for_ever(self):
        server = Posencd("--drain-timeout", "1")
        with Client(server.address, receive_buffer=4096) as one:
            one.request("GET", LARGE)
            self.assertEqual(one.head().status, 200)
            server.signal(signal.SIGTERM)
            self.assertIn(server.wait(), (0, 70))
        server.stop()

    def test_nothing_is_truncated_under_load(self):
        server = Posencd("--threads", "2")
        started = threading.Barrier(9)
        cut, done = [], []

        def load(i):
            target = "/v1/sinusoidal?dim=%d&pos=0:200" % (2 * i + 2)
            expected = server.get(target).body
            started.wait()
            while True:
                try:
                    with Client(server.address) as one:
                        for _ in range(50):
                            one.request("GET", target)
                            # Nothing was answered: the request was not begun, so nothing is lost.
                            if not one.file.peek(1):
                                break
                            answer = one.reply()
                            if (answer.status, answer.body) != (200, expected):
                                cut.append(answer)
                            done.append(1)
                except (ConnectionRefusedError, ConnectionResetError, BrokenPipeError):
                    return
                except Closed as fault:
                    cut.append(fault)
                    return

        threads = [threading.Thread(target=load, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        started.wait()
        while len(done) < 500:
            server.get("/livez")
        server.signal(signal.SIGTERM)
        for thread in threads:
            thread.join()
        self.assertEqual(server.stop(), 0)
        self.assertEqual(cut, [])
        self.assertGreaterEqual(len(done), 500)

    def test_new_connections_are_refused_once_it_is_over(self):
        server = Posencd()
        address = server.address
        self.assertEqual(server.stop(), 0)
        with self.assertRaises(ConnectionRefusedError):
            Client(address)


class Signals(unittest.TestCase):
    def test_signals_that_mean_nothing_change_nothing(self):
        with Posencd() as server:
            for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGPIPE):
                server.signal(number)
                self.assertEqual(server.get(SMALL).status, 200)
            server.signal(signal.SIGHUP)
            server.wait_line(lambda event: event["event"] == "reloaded", "line of the reload")
            self.assertEqual(server.get(SMALL).status, 200)


class Logs(unittest.TestCase):
    def test_what_the_library_says_is_a_line_like_any_other(self):
        for level, heard in (("debug", True), ("info", False)):
            with Posencd("--threads", "1", level=level) as server:
                with Client(server.address) as one:
                    one.send(b"POST /v1/rope HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n")
                    self.assertEqual(one.reply().status, 400)
                server.get(SMALL)
            said = [event for event in server.events() if event["event"] == "libmicrohttpd"]
            self.assertEqual(bool(said), heard, server.log())
            self.assertTrue(all(event["level"] == "debug" for event in said), said)
            self.assertTrue(all(len(line) <= 1024 for line in server.lines if line), server.log())

    def test_every_line_is_a_json_object(self):
        with Posencd("--access-log", "all") as server:
            server.get(SMALL, [("X-Request-Id", "seen-in-the-log")])
            server.get("/v1/rope?dim=%22%0A")
            server.wait_line(lambda event: event.get("request_id") == "seen-in-the-log",
                             "line of the request")
        lines = [line for line in server.lines if line is not None]
        self.assertEqual(len(server.events()), len(lines), server.log())

    def test_warm_targets_are_hits(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as warm:
            warm.write(SMALL + "\n")
            warm.flush()
            with Posencd("--warm", warm.name, "--threads", "1") as server:
                answer = server.get(SMALL)
                self.assertIn("hit", answer.header("server-timing", ""))


if __name__ == "__main__":
    unittest.main()
