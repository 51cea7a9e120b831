# SPDX-License-Identifier: Apache-2.0
"""test_output.py - where the bytes of `posencd compute` go: a file, whole or not at all; the standard
output; never, as binary, a terminal; and the line that tells how far a long answer is."""

import json
import os
import resource
import select
import signal
import stat
import subprocess
import tempfile
import unittest

import numpy

from support.posencd import PATIENCE, binary, child_environment, run
from support.terminal import Terminal

ROPE = ("compute", "rope", "dim=8", "pos=0:4", "out=cos")
# Some 4 MB, which no pipe holds: the program waits until the test reads.
LONG = ("compute", "rope", "dim=128", "pos=0:16384", "out=cos")


class Case(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.addCleanup(self.kept.cleanup)
        self.folder = self.kept.name
        self.path = os.path.join(self.folder, "a.npy")

    def write(self, text):
        with open(self.path, "w", encoding="ascii") as file:
            file.write(text)

    def read(self, path=None):
        with open(path or self.path, "rb") as file:
            return file.read()

    def start(self, *arguments, **streams):
        process = subprocess.Popen([binary(), *arguments], env=child_environment(), **streams)
        self.addCleanup(process.wait)
        return process


class Files(Case):
    def only(self, *names):
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))

    def bytes_of(self, *words):
        return run(*words, "format=npy").stdout

    def test_a_new_file_has_the_rights_that_the_umask_leaves(self):
        before = os.umask(0o027)
        try:
            self.assertEqual(run(*ROPE, "-o", self.path).returncode, 0)
        finally:
            os.umask(before)
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o640)
        self.only("a.npy")

    def test_an_old_file_is_replaced_and_its_rights_stay(self):
        self.write("old")
        os.chmod(self.path, 0o604)
        with open(self.path, "rb") as reader:
            self.assertEqual(run(*ROPE, "-o", self.path).returncode, 0)
            self.assertEqual(reader.read(), b"old")  # a reader keeps the file that it opened
        self.assertEqual(self.read(), self.bytes_of(*ROPE))
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o604)

    def test_a_symbolic_link_stays_and_its_file_is_replaced(self):
        self.write("old")
        link = os.path.join(self.folder, "link.npy")
        os.symlink("a.npy", link)
        self.assertEqual(run(*ROPE, "-o", link).returncode, 0)
        self.assertTrue(os.path.islink(link))
        self.assertEqual(self.read(), self.bytes_of(*ROPE))
        self.only("a.npy", "link.npy")

    def test_a_symbolic_link_to_no_file_yet_stays_and_its_file_is_made(self):
        os.mkdir(os.path.join(self.folder, "b"))
        for link, target in (("link.npy", "a.npy"), ("b/link.npy", "../a.npy"),
                             ("far.npy", self.path), ("twice.npy", "b/link.npy")):
            path = os.path.join(self.folder, link)
            os.symlink(target, path)
            self.assertEqual(run(*ROPE, "-o", path).returncode, 0, link)
            self.assertEqual(os.readlink(path), target)
            self.assertEqual(self.read(), self.bytes_of(*ROPE))
            os.unlink(self.path)

    def test_symbolic_links_that_lead_nowhere_are_70(self):
        for link, target, says in (("round.npy", "round.npy", b"Too many levels"),
                                   ("lost.npy", "no/such/folder.npy", b"No such file")):
            path = os.path.join(self.folder, link)
            os.symlink(target, path)
            done = run(*ROPE, "-o", path)
            self.assertEqual(done.returncode, 70, done.stderr)
            self.assertIn(says, done.stderr)
            self.assertEqual(os.readlink(path), target)

    def test_a_wrong_request_leaves_the_old_file(self):
        self.write("old")
        self.assertEqual(run(*ROPE, "dmi=4", "-o", self.path).returncode, 64)
        self.assertEqual(run("compute", "rope", "dim=8", "pos=0:99999999999", "out=cos", "-o",
                             self.path).returncode, 64)
        self.assertEqual(self.read(), b"old")
        self.only("a.npy")

    def limited(self, ignored):
        """A file longer than RLIMIT_FSIZE: SIGXFSZ ends the program, or write fails."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN if ignored else signal.SIG_DFL)
        self.write("old")
        done = subprocess.run([binary(), *LONG, "-o", self.path], capture_output=True,
                              env=child_environment(), timeout=PATIENCE, preexec_fn=limit,
                              check=False)
        self.assertEqual(self.read(), b"old")
        self.only("a.npy")
        return done

    def test_a_write_that_fails_leaves_the_old_file_and_is_70(self):
        done = self.limited(True)
        self.assertEqual(done.returncode, 70)
        self.assertIn(b"a.npy: File too large", done.stderr)

    def test_a_process_that_is_killed_leaves_the_old_file_and_no_other(self):
        self.assertEqual(self.limited(False).returncode, -signal.SIGXFSZ)

    def test_a_place_that_cannot_be_written_is_70(self):
        for path in ("/no/such/folder/a.npy", self.folder + "/.npy/a.npy", "/dev/full"):
            words = ROPE + (("format=npy",) if path == "/dev/full" else ())
            done = run(*words, "-o", path)
            self.assertEqual(done.returncode, 70, done.stderr)
            self.assertIn(path.encode(), done.stderr)

    def test_a_pipe_is_written_as_it_is(self):
        pipe = os.path.join(self.folder, "pipe.npy")
        os.mkfifo(pipe)
        process = self.start(*ROPE, "-o", pipe)
        self.assertEqual(self.read(pipe), self.bytes_of(*ROPE))
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))

    def test_a_dash_is_the_standard_output(self):
        done = run(*ROPE, "format=npy", "-o", "-")
        self.assertEqual((done.returncode, done.stdout), (0, self.bytes_of(*ROPE)))
        self.assertEqual(run(*ROPE, "-o", "-").stdout, run(*ROPE).stdout)
        self.assertEqual(run(*ROPE, "-o-").stdout, run(*ROPE).stdout)
        self.assertEqual(run(*ROPE, "--output=-").stdout, run(*ROPE).stdout)


class Terminals(Case):
    def shown(self, *arguments):
        """(exit code, what a terminal shows) of a program whose output and errors go there."""
        with Terminal() as terminal:
            process = self.start(*arguments, stdout=terminal.theirs, stderr=terminal.theirs)
            text = terminal.read_all()
            return process.wait(PATIENCE), text.decode()

    def test_binary_is_not_written_to_a_terminal(self):
        for name, suffix in (("npy", "npy"), ("safetensors", "safetensors"), ("raw", "bin"),
                             ("png", "png")):
            for place in ((), ("-o", "-")):
                code, text = self.shown(*ROPE, "format=" + name, *place)
                self.assertEqual(code, 64, text)
                self.assertIn("format=%s is binary and is not written to a terminal; write "
                              "-o FILE.%s, or | PROGRAM" % (name, suffix), text)

    def test_the_tables_of_a_model_are_not_written_to_a_terminal(self):
        code, text = self.shown("models", "gemma-3-4b", "pos=0:4", "-o", "-")
        self.assertEqual((code, text.replace("\r\n", "\n")), (
            64, "posencd: format=safetensors is binary and is not written to a terminal; write "
            "-o FILE.safetensors, or | PROGRAM\n"))

    def test_text_is_written_to_a_terminal(self):
        for name in ("csv", "svg"):
            code, text = self.shown(*ROPE, "format=" + name)
            self.assertEqual(code, 0, text)
            self.assertEqual(text.replace("\r\n", "\n").encode(),
                             run(*ROPE, "format=" + name).stdout)

    def test_json_has_lines_at_a_terminal_and_the_values_of_the_answer(self):
        code, text = self.shown(*ROPE, "format=json")
        self.assertEqual(code, 0, text)
        self.assertGreater(text.count("\n"), 10)
        self.assertEqual(json.loads(text), json.loads(run(*ROPE, "format=json").stdout))

    def test_binary_goes_to_a_file_and_a_pipe_from_a_terminal(self):
        self.assertEqual(self.shown(*ROPE, "-o", self.path), (0, ""))


class Progress(Case):
    """The pipe for the answer is full until the test reads it, so that a second passes."""

    def watched(self, *arguments):
        """(answer, what the terminal for errors showed) of an answer that waits for the bar."""
        with Terminal() as terminal:
            process = self.start(*arguments, stdout=subprocess.PIPE, stderr=terminal.theirs)
            terminal.read_until(b" s left", b", 1 s", b", 2 s")
            answer = process.stdout.read()
            process.stdout.close()
            self.assertEqual(process.wait(PATIENCE), 0)
            return answer, terminal.read_all()

    def test_a_bar_tells_the_share_and_is_wiped_away(self):
        answer, shown = self.watched(*LONG, "format=npy")
        self.assertRegex(shown, rb"\r  \d % \[ {30}\] [\d.]+ KiB of 4\.0 MiB, \d+ s left")
        self.assertRegex(shown, rb"\r +\r$")
        self.assertEqual(answer, run(*LONG, "format=npy").stdout)

    def test_an_answer_of_unknown_length_tells_its_bytes(self):
        answer, shown = self.watched(*LONG)
        self.assertRegex(shown, rb"\r[\d.]+ KiB, \d s")
        self.assertRegex(shown, rb"\r +\r$")
        self.assertEqual(answer, run(*LONG).stdout)

    def test_a_search_for_a_mistake_tells_its_time(self):
        """The program is stopped once its second thread watches the search, and goes on when a
        second is over, so that the line is due however fast the machine searches."""
        random = numpy.random.default_rng(1).standard_normal((65536, 128)).astype("float32")
        numpy.save(self.path, random)
        with Terminal() as terminal:
            process = self.start("verify", self.path + ":cos", stdout=subprocess.PIPE,
                                 stderr=terminal.theirs)
            self.addCleanup(process.stdout.close)
            self.addCleanup(process.kill)
            while len(os.listdir("/proc/%d/task" % process.pid)) < 2:
                self.assertIsNone(process.poll(), "the search ended unseen")
            process.send_signal(signal.SIGSTOP)
            select.select([], [], [], 1)
            process.send_signal(signal.SIGCONT)
            terminal.read_until(b"\rcomputing, 1 s")

    def test_no_bar_is_drawn_elsewhere_than_on_a_terminal(self):
        self.assertEqual(run(*LONG, "format=npy").stderr, b"")


if __name__ == "__main__":
    unittest.main()
