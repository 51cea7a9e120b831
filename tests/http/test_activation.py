# SPDX-License-Identifier: Apache-2.0
"""test_activation.py - sockets that a service manager passes, restarts that refuse no connection,
and what the manager is told."""

import hashlib
import os
import signal
import socket
import threading
import time
import unittest

from support.manager import FIRST, Manager
from support.posencd import Posencd, is_sanitized, run
from support.wire import Client, Closed

SMALL = "/v1/sinusoidal?dim=4&pos=0:4"
# 16 MB, which the client reads as slowly as it likes.
LARGE = "/v1/sinusoidal?dim=512&pos=0:8192&format=raw"
CLOEXEC = 0o2000000  # of /proc/PID/fdinfo
CONFINED = "log" if is_sanitized() else "on"  # sanitizers need more system calls than posencd


def draining(server):
    server.signal(signal.SIGTERM)
    server.wait_line(lambda event: event.get("event") == "draining", "line on draining")


class Passed(unittest.TestCase):
    def test_a_passed_socket_stands_for_the_default_of_listen(self):
        with Manager("web") as manager, manager.start() as server:
            with Client(manager.address("web")) as one:
                self.assertEqual(one.get(SMALL).status, 200)
            listening = [event["on"] for event in server.events() if event["event"] == "listening"]
            self.assertEqual(listening, ["127.0.0.1:%d" % manager.address("web")[1]])

    def test_no_child_would_inherit_it(self):
        with Manager("web") as manager, manager.start() as server:
            with open("/proc/%d/fdinfo/%d" % (server.pid, FIRST), encoding="ascii") as info:
                flags = dict(line.split(":", 1) for line in info)["flags"]
            self.assertTrue(int(flags, 8) & CLOEXEC, flags)

    def test_addresses_take_sockets_by_name_and_by_descriptor(self):
        with Manager("web", "admin", "spare") as manager:
            with manager.start("--listen", "fd:web", "--listen", "fd:5",
                               "--admin-listen", "fd:admin"):
                for name, target, status in (("web", SMALL, 200), ("spare", SMALL, 200),
                                             ("admin", "/metrics", 200), ("admin", SMALL, 404)):
                    with Client(manager.address(name)) as one:
                        self.assertEqual(one.get(target).status, status, (name, target))

    def test_sockets_of_one_name_are_served_alike(self):
        with Manager("web", "also") as manager:
            with manager.start("--listen", "fd:web", LISTEN_FDNAMES="web:web"):
                for name in ("web", "also"):
                    with Client(manager.address(name)) as one:
                        self.assertEqual(one.get(SMALL).status, 200)

    def test_the_file_of_a_passed_unix_socket_stays(self):
        with Manager("web", unix=["web"]) as manager:
            for _ in range(2):
                with manager.start("--seccomp", CONFINED):
                    with Client(manager.address("web")) as one:
                        self.assertEqual(one.get(SMALL).status, 200)
                self.assertTrue(os.path.exists(manager.address("web")))

    def test_own_and_passed_sockets_go_together(self):
        with Manager("admin") as manager:
            with manager.start("--listen", "127.0.0.1:0", "--admin-listen", "fd:admin") as server:
                on = [event["on"] for event in server.events() if event["event"] == "listening"]
                host, _, port = on[0].rpartition(":")
                for address in ((host, int(port)), manager.address("admin")):
                    with Client(address) as one:
                        self.assertEqual(one.get("/livez").status, 200)


class Refused(unittest.TestCase):
    def refused(self, done, *says):
        error = done.stderr.decode()
        self.assertEqual(done.returncode, 78, error)
        for word in says:
            self.assertIn(word, error)

    def test_an_address_without_its_socket_is_a_configuration_error(self):
        with Manager("web") as manager:
            self.refused(manager.run("--listen", "fd:site"), "--listen fd:site",
                         "passed no such socket, but fd:web")
            self.refused(manager.run("--listen", "fd:web", "--admin-listen", "fd:4"),
                         "--admin-listen fd:4", "no such socket")
            self.refused(manager.run("--listen", "fd:web", LISTEN_PID="1"),
                         "needs a service manager that passes sockets", "LISTEN_PID")
        self.refused(run("serve", "--listen", "fd:web"), "needs a service manager")

    def test_a_socket_that_no_address_names_is_a_configuration_error(self):
        with Manager("web") as manager:
            self.refused(manager.run("--listen", "127.0.0.1:0"),
                         "passed the socket fd:web, which no address names",
                         "--admin-listen fd:web")
            self.refused(manager.run("--listen", "fd:web", "--admin-listen", "fd:3"),
                         "another address names this socket")

    def test_fewer_descriptors_than_said_are_a_configuration_error(self):
        with Manager("web") as manager:
            self.refused(manager.run(LISTEN_FDS="2", LISTEN_FDNAMES=None),
                         "LISTEN_FDS is 2, but descriptor 4 is not open")
            self.refused(manager.run(LISTEN_FDS="2"), "LISTEN_FDNAMES has 1 names")
            self.refused(manager.run(LISTEN_FDS="many"), "LISTEN_FDS must be the number")
            self.refused(manager.run(LISTEN_PID="me"), "LISTEN_PID must be the id of a process")

    def test_a_descriptor_that_is_no_listening_stream_is_a_configuration_error(self):
        with Manager() as manager, socket.socket() as bound, \
                socket.socket(type=socket.SOCK_DGRAM) as datagrams, open(os.devnull, "rb") as file:
            bound.bind(("127.0.0.1", 0))
            datagrams.bind(("127.0.0.1", 0))
            for wrong in (bound, datagrams, file):
                self.refused(manager.run(sockets={"web": wrong}), "--listen fd:3",
                             "must be a stream socket of TCP or unix that listens")

    def test_health_cannot_ask_a_socket_that_is_passed(self):
        done = run("health", env={"POSENCD_LISTEN": "fd:web"})
        self.assertEqual(done.returncode, 78, done.stderr)
        self.assertIn("whose addresses are not known here; give --url", done.stderr.decode())
        done = run("health", "--url", "fd:web")
        self.assertEqual(done.returncode, 64, done.stderr)
        self.assertIn("fd:web names a socket that only serve gets", done.stderr.decode())

    def test_health_asks_an_address_beside_a_socket_that_is_passed(self):
        with Posencd() as server:
            done = run("health", env={"POSENCD_LISTEN": "fd:web 127.0.0.1:%d" % server.port})
            self.assertEqual(done.returncode, 0, done.stderr)


class Queue(unittest.TestCase):
    def test_connections_are_answered_as_long_as_an_older_one_is(self):
        with Manager("web") as manager:
            first = manager.start()
            with Client(manager.address("web"), receive_buffer=65536) as slow:
                slow.request("GET", LARGE)
                head = slow.head()
                draining(first)
                for _ in range(3):
                    with Client(manager.address("web")) as one:
                        answer = one.get(SMALL)
                        self.assertEqual(answer.status, 200)
                        self.assertEqual(answer.header("connection").lower(), "close")
                idle = Client(manager.address("web"))  # it does not hold the process
                length = int(head.header("content-length"))
                self.assertEqual(len(slow.file.read(length)), length)
            self.assertEqual(first.wait(), 0)
            idle.close()

    def test_an_older_connection_holds_the_others_for_the_drain_timeout_at_most(self):
        with Manager("web") as manager:
            first = manager.start("--drain-timeout", "1")
            with Client(manager.address("web"), receive_buffer=4096) as stuck:
                stuck.request("GET", LARGE)
                self.assertEqual(stuck.head().status, 200)
                draining(first)
                with Client(manager.address("web")) as one:
                    self.assertEqual(one.get(SMALL).status, 200)
                self.assertEqual(first.wait(), 0)
                with Client(manager.address("web")) as waiting:
                    waiting.request("GET", SMALL)
                    with manager.start():
                        self.assertEqual(waiting.reply().status, 200)

    def test_a_process_that_is_killed_leaves_the_queue_to_the_next_one(self):
        with Manager("web") as manager:
            first = manager.start()
            first.process.kill()
            first.process.wait()
            first.process.stderr.close()
            first.folder.cleanup()
            with Client(manager.address("web")) as waiting:
                waiting.request("GET", SMALL)
                with manager.start():
                    self.assertEqual(waiting.reply().status, 200)


class Restarts(unittest.TestCase):
    """TERM, the end, the next start, again and again: a slow reader holds each process, and other
    clients never cease to ask."""

    ROUNDS = 5 if is_sanitized() else 20

    def setUp(self):
        self.over = threading.Event()
        self.refused, self.broken, self.waits = [], [], []

    def ask_for_ever(self, address, expected):
        """One connection after the other, with two requests each. A process that drains may close
        a connection between them, once a second has passed or the answer has said so."""
        while not self.over.is_set():
            start = time.monotonic()
            try:
                with Client(address) as one:
                    for _ in range(2):
                        answer = one.get(SMALL)
                        self.waits.append(time.monotonic() - start)
                        if (answer.status, answer.body) != (200, expected):
                            self.broken.append(repr(answer))
                        if (answer.header("connection") or "").lower() == "close":
                            break
                        start = time.monotonic()
            except ConnectionRefusedError as fault:
                self.refused.append(fault)
            except (Closed, OSError) as fault:
                self.broken.append(repr(fault))

    def restart(self, manager, server, digest):
        with Client(manager.address("web"), receive_buffer=65536) as slow:
            slow.request("GET", LARGE)
            head = slow.head()
            draining(server)
            body = slow.file.read(int(head.header("content-length")))
            self.assertEqual(hashlib.sha256(body).hexdigest(), digest)
        self.assertEqual(server.wait(), 0)
        return manager.start()

    def test_none_refuses_a_connection_or_breaks_an_answer(self):
        with Manager("web") as manager:
            server = manager.start()
            with Client(manager.address("web")) as one:
                expected = one.get(SMALL).body
                digest = hashlib.sha256(one.get(LARGE).body).hexdigest()
            threads = [threading.Thread(target=self.ask_for_ever,
                                        args=(manager.address("web"), expected))
                       for _ in range(4)]
            for one in threads:
                one.start()
            try:
                for _ in range(self.ROUNDS):
                    asked = len(self.waits)
                    server = self.restart(manager, server, digest)
                    while len(self.waits) < asked + 20 and not self.refused + self.broken:
                        self.over.wait(0.001)
            finally:
                self.over.set()
                for one in threads:
                    one.join()
                self.assertEqual(server.stop(), 0)
        self.assertEqual((self.refused, self.broken), ([], []))
        print("restarts: %d, answers %d, refused 0, broken 0, longest wait %.0f ms"
              % (self.ROUNDS, len(self.waits), 1000 * max(self.waits)))


class Notified(unittest.TestCase):
    def test_the_manager_hears_when_it_is_ready_reloads_and_stops(self):
        with Manager("web") as manager:
            with manager.start("--seccomp", CONFINED) as server:
                self.assertEqual(manager.hear(), ["READY=1"])
                server.signal(signal.SIGHUP)
                heard = manager.hear()
                self.assertEqual(heard[0], "RELOADING=1")
                self.assertRegex(heard[1], r"^MONOTONIC_USEC=\d+$")
                self.assertEqual(manager.hear(), ["READY=1"])
                server.signal(signal.SIGTERM)
                self.assertEqual(manager.hear(), ["STOPPING=1"])

    def test_it_is_ready_when_the_list_to_warm_is_done(self):
        with Manager("web") as manager:
            with open(manager.path("warm"), "w", encoding="ascii") as targets:
                targets.write(SMALL + "\n")
            with manager.start("--warm", manager.path("warm")):
                self.assertEqual(manager.hear(), ["READY=1"])
                with Client(manager.address("web")) as one:
                    self.assertEqual(one.get("/readyz").status, 200)

    def test_the_watchdog_hears_signs_of_life(self):
        with Manager("web") as manager:
            with manager.start(WATCHDOG_USEC="30000", WATCHDOG_PID="{pid}"):
                heard = [manager.hear() for _ in range(4)]
                self.assertEqual(heard, [["READY=1"]] + 3 * [["WATCHDOG=1"]])

    def test_a_watchdog_of_another_process_is_not_ours(self):
        with Manager("web") as manager:
            with manager.start(WATCHDOG_USEC="1000", WATCHDOG_PID="1") as server:
                self.assertEqual(manager.hear(), ["READY=1"])
                server.signal(signal.SIGTERM)
                self.assertEqual(manager.hear(), ["STOPPING=1"])

    def test_it_serves_although_the_manager_cannot_be_notified(self):
        with Manager("web") as manager, manager.start(NOTIFY_SOCKET="vsock:2:1234") as server:
            lines = [event for event in server.events() if "notified" in event["event"]]
            self.assertIn("vsock:2:1234", lines[0]["reason"])
        with Manager("web") as manager, manager.start(NOTIFY_SOCKET="/no/such/socket"):
            with Client(manager.address("web")) as one:
                self.assertEqual(one.get(SMALL).status, 200)
