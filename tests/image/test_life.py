# SPDX-License-Identifier: Apache-2.0
"""test_life.py - the image as it is run: confined, within 64 MiB under load, ended by TERM, killed and
started again. Figures are printed."""

import glob
import os
import shutil
import signal
import tempfile
import threading
import time
import unittest

from container import CHOSEN, Container
from image import Image
from support.wire import Client, Closed

MIB = 1 << 20
ROW = "/v1/sinusoidal?dim=4&pos=0:2"
VALUES = [[0, 1, 0, 1], [0.84147096, 0.5403023, 0.009999833, 0.99995]]  # of the paper, by float32
READY_SECONDS, IDLE_BYTES, MEMORY = 0.1, 12 * MIB, 64 * MIB
STARTS = 5  # the fastest counts: others use this machine, too
LOAD_SECONDS, CLIENTS, IDLE_READERS = 5, 16, 8
RECOVERY_SECONDS = 5


def read_number(path):
    with open(path, encoding="ascii") as file:
        return int(file.read())


class Life(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.image = Image()
        cls.folder = tempfile.mkdtemp(prefix="posencd-image-")
        cls.root = os.path.join(cls.folder, "root")
        cls.image.extract(cls.root)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def container(self, *words, **options):
        command = [*self.image.config["Cmd"], *words] if words else None
        return Container(self.image, self.root, command, **options)

    def show(self, what):
        print("  %s: %s" % (os.path.basename(CHOSEN["path"]), what), flush=True)

    def expect_answers(self, container):
        answer = container.get(ROW)
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.json()["tensors"][0]["data"], VALUES)

    def expect_recovery(self, container):
        """The seconds until a request is computed again after a load: the level of overload is measured
        ten times a second, and until it falls the answer is 503 with a Retry-After."""
        begun = time.monotonic()
        while (answer := container.get(ROW)).status == 503:
            self.assertEqual(answer.json()["type"], "/problems/overloaded")
            self.assertGreaterEqual(int(answer.header("retry-after")), 1)
            self.assertLess(time.monotonic() - begun, RECOVERY_SECONDS)
        return time.monotonic() - begun

    def test_the_process_has_no_rights(self):
        with self.container() as one:
            self.expect_answers(one)
            self.assertEqual(one.status("Uid").split(), ["65532"] * 4)
            self.assertEqual(one.status("Gid").split(), ["65532"] * 4)
            for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
                self.assertEqual(int(one.status(kind), 16), 0, kind)
            self.assertEqual(one.status("NoNewPrivs"), "1")
            self.assertEqual(one.status("Seccomp"), "2")
            # The runtime's profile, then that of --seccomp=on.
            self.assertGreaterEqual(int(one.status("Seccomp_filters")), 2)
            with open("/proc/%d/mountinfo" % one.pid, encoding="ascii") as file:
                root = next(line for line in file if line.split()[4] == "/")
            self.assertIn("ro", root.split()[5].split(","))
            self.assertTrue(os.statvfs("/proc/%d/root/" % one.pid).f_flag & os.ST_RDONLY)

    def test_it_contains_nothing_to_break_in_with(self):
        names = {os.path.basename(member.name) for member in self.image.members() if not member.isdir()}
        self.assertFalse(names & {"sh", "bash", "dash", "busybox", "perl", "apt", "dpkg", "su", "mount"})
        for member in self.image.members():
            self.assertFalse(member.mode & 0o6000, member.name)
            self.assertTrue(member.isdir() or not member.mode & 0o022 or member.issym(), member.name)

    def test_it_is_ready_at_once_and_small(self):
        seconds, idle = [], []
        for _ in range(STARTS):
            with self.container() as one:
                seconds.append(one.seconds)
                idle.append(int(one.status("VmRSS").split()[0]) << 10)
        self.show("ready after %.0f ms (of %d starts; slowest %.0f ms), idle %.1f MiB, image %.2f MB" % (
            min(seconds) * 1e3, STARTS, max(seconds) * 1e3, min(idle) / MIB, self.image.size() / 1e6))
        self.assertLessEqual(min(seconds), READY_SECONDS)
        self.assertLessEqual(min(idle), IDLE_BYTES)

    def ask(self, client, number, wrong):
        """Answers that are kept, about 1 MiB each and never the same; bodies; answers that are streamed."""
        vectors = bytes(4 << 20)
        for method, target, body in (
                ("GET", ROW, None),
                ("GET", "/v1/rope?dim=512&out=cos&pos=%d:%d&format=npy" % (number, number + 1000), None),
                ("POST", "/v1/rope/apply?pos=%d:%d&in_dtype=f32&shape=8192,128&format=raw" % (
                    number, number + 8192), vectors),
                ("GET", "/v1/sinusoidal?dim=1024&pos=0:%d&format=raw" % (2000 + number % 50), None)):
            answer = client.ask(method, target, body, [("Content-Type", "application/octet-stream")])
            if answer.status not in (200, 503) or (target, answer.status) == (ROW, 200) and \
                    answer.json()["tensors"][0]["data"] != VALUES:
                wrong.append(answer)
            self.answers[answer.status] = self.answers.get(answer.status, 0) + 1
            if answer.header("connection") == "close":
                return False
        return True

    def load(self, place, stop, wrong):
        """One client, until `stop`: it opens a new connection where the service ends one."""
        number = place * 1000003
        while not stop.is_set():
            try:
                with Client(("127.0.0.1", 8080)) as client:
                    while not stop.is_set() and self.ask(client, number, wrong):
                        number += 1
            except (Closed, ConnectionError):  # refused amid its body: the answer may be lost
                self.answers["closed"] = self.answers.get("closed", 0) + 1

    def test_load_stays_within_its_memory(self):
        self.answers = {}
        with self.container(memory=MEMORY) as one:
            group, version = one.cgroup()
            limit = read_number(group + "/" + ("memory.limit_in_bytes" if version == 1 else "memory.max"))
            self.assertEqual(limit, MEMORY)
            stop, wrong = threading.Event(), []
            idle = [one.client() for _ in range(IDLE_READERS)]
            for client in idle:  # read nothing of a long answer
                client.request("GET", "/v1/sinusoidal?dim=1024&pos=0:100000&format=raw")
            threads = [threading.Thread(target=lambda place=place: one.inside(
                lambda: self.load(place, stop, wrong))) for place in range(CLIENTS)]
            for thread in threads:
                thread.start()
            stop.wait(LOAD_SECONDS)
            stop.set()
            for thread in threads:
                thread.join()
            # Linux has memory.peak since 5.19.
            peak = max(read_number(path) for path in glob.glob(group + "/memory.*") if os.path.basename(
                path) in ("memory.max_usage_in_bytes", "memory.peak", "memory.current"))
            kills = self.kills(group, version)
            for client in idle:
                client.close()
            self.show("%d clients and %d slow readers for %d s within %d MiB (cgroup version %d): answers "
                      "%s, peak %.1f MiB, oom_kill %d; it computes again after %.2f s" % (
                          CLIENTS, IDLE_READERS, LOAD_SECONDS, MEMORY // MIB, version, self.answers,
                          peak / MIB, kills, self.expect_recovery(one)))
            self.assertEqual(wrong[:1], [])
            self.assertEqual(kills, 0)
            self.assertGreater(self.answers[200], 50)
            self.assertGreater(peak, MEMORY // 2)  # else it was no load
            self.expect_answers(one)
            self.assertEqual(one.health()[0], 0)

    @staticmethod
    def kills(group, version):
        name = "memory.oom_control" if version == 1 else "memory.events"
        with open(os.path.join(group, name), encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.split()[0] == "oom_kill")

    def test_a_limit_that_cannot_do_is_refused(self):
        one = self.container(memory=12 * MIB)
        try:
            with self.assertRaisesRegex(AssertionError, "ended before ready"):
                one.start()
            self.assertEqual(one.wait(), 78)
        finally:
            one.close()

    def test_term_drains_and_ends_with_0(self):
        with self.container("--drain-delay", "0") as one, one.client() as client:
            # A long answer is in flight, and is read after TERM.
            client.request("GET", "/v1/sinusoidal?dim=1024&pos=0:8000&format=raw")
            head = client.head()
            self.assertEqual(head.status, 200)
            one.signal(signal.SIGTERM)
            one.wait_event("draining")
            body = client._body(head, "GET")  # pylint: disable=protected-access; the rest of one answer
            self.assertEqual(len(body), 8000 * 1024 * 4)
            self.assertEqual(one.wait(), 0)
            self.show("TERM: the answer in flight was read to its end, exit code 0")

    def test_a_killed_one_is_started_again(self):
        with self.container() as one:
            self.expect_answers(one)
            one.signal(signal.SIGKILL)
            self.assertEqual(one.wait(), -signal.SIGKILL)
        with self.container() as again:
            self.expect_answers(again)
            self.show("kill -9, then ready again after %.0f ms" % (again.seconds * 1e3))
            self.assertEqual(again.health()[0], 0)

    def test_nothing_is_left(self):
        with self.container() as one:
            group, _ = one.cgroup()
            name = one.name
            self.assertTrue(os.path.isdir(group))
        self.assertFalse(os.path.exists(group))
        self.assertEqual(glob.glob("/run/*/" + name), [])
