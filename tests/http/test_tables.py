# SPDX-License-Identifier: Apache-2.0
"""test_tables.py - learned tables as a client sees them: an administrator uploads, replaces and
removes them, and they are whole at every moment, under load and after kill -9."""

import gzip
import json
import os
import random
import signal
import struct
import tempfile
import threading
import unittest
import zlib

import numpy

from support import tensor_file
from support.posencd import Posencd, is_sanitized, run
from support.suite import ServerCase
from support.wire import PATIENCE, Closed

TOKEN = "t0ken-of-the-admin"
SAFETENSORS = ("Content-Type", "application/x-safetensors")
KILLS = int(os.environ.get("POSENC_KILLS", "40" if is_sanitized() else "200"))
ROWS, COLS = 256, 64


def safetensors(tensors):
    """A file of float32 tensors: {name: (shape, numbers)}."""
    return tensor_file.safetensors({name: numpy.array(numbers, "<f4").reshape(shape)
                                    for name, (shape, numbers) in tensors.items()})


def version(number):
    """A table whose numbers are all this one."""
    return safetensors({"wpe.weight": ([ROWS, COLS], [float(number)] * (ROWS * COLS))})


class TableFolder:
    """A folder of tables and a file with the admin's token; removed with the object."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posenc-tables-")
        self.tables = os.path.join(self.folder.name, "tables")
        token = os.path.join(self.folder.name, "token")
        os.mkdir(self.tables)
        with open(token, "w", encoding="ascii") as file:
            file.write(TOKEN + "\n")
        self.flags = ("--learned-tables-dir", self.tables, "--admin-token-file", token)

    def path(self, name):
        return os.path.join(self.tables, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()


def put(client, name, body, token=TOKEN, coding=None):
    fields = [SAFETENSORS, ("Authorization", "Bearer " + token)]
    if coding:
        fields.append(("Content-Encoding", coding))
    return client.ask("PUT", "/v1/tables/" + name, body, fields)


class Tables(ServerCase):
    @classmethod
    def setUpClass(cls):
        cls.files = TableFolder()
        cls.flags = cls.files.flags + ("--learned-tables-memory", "1MiB")
        if not is_sanitized(): # sanitizers need more system calls than posencd
            cls.flags += ("--seccomp", "on")
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        assert TOKEN not in cls.server.log()
        cls.files.folder.cleanup()

    def remove(self, name, token=TOKEN):
        return self.server.ask("DELETE", "/v1/tables/" + name, None,
                               [("Authorization", "Bearer " + token)])

    def test_a_file_is_created_replaced_and_removed(self):
        body = safetensors({"wpe.weight": ([2, 2], [1, 2, 3, 5]), "b": ([1], [7])})
        answer = put(self.server, "life", body)
        self.assertEqual(answer.status, 201, repr(answer))
        self.assertEqual(answer.header("location"), "/v1/tables/life")
        self.assertEqual([table["alias"] for table in answer.json()["tables"]],
                         ["life.wpe", "life.b"])
        self.assertEqual(self.files.read("life.safetensors"), body)
        self.assertEqual(self.get("/v1/learned?table=life.wpe&pos=1&format=csv").text(),
                         "pos,rows_0,rows_1\n1,3,5\n")
        old = self.get("/v1/learned?table=life.wpe&pos=1").header("etag")
        answer = put(self.server, "life", safetensors({"wpe.weight": ([2, 1], [8, 9])}))
        self.assertEqual(answer.status, 200, repr(answer))
        new = self.get("/v1/learned?table=life.wpe&pos=1")
        self.assertNotEqual(new.header("etag"), old)
        self.assertEqual(new.json()["tensors"][0]["data"], [[9]])
        self.assertEqual(self.remove("life").status, 204)
        self.assertFalse(os.path.exists(self.files.path("life.safetensors")))
        self.problem(self.server.get("/v1/learned?table=life.wpe&pos=1"), 400, "unknown-table")
        self.problem(self.remove("life"), 404, "not-found")

    def test_a_compressed_file_is_kept_as_it_is_decompressed(self):
        body = version(4)
        for coding, compressed in (("gzip", gzip.compress(body, mtime=0)),
                               ("deflate", zlib.compress(body))):
            answer = put(self.server, "compressed", compressed, coding=coding)
            self.assertEqual(answer.status, 201, repr(answer))
            self.assertEqual(self.files.read("compressed.safetensors"), body)
            for broken in (compressed[:-1], compressed[:-9], compressed + b"x", body):
                self.problem(put(self.server, "compressed", broken, coding=coding), 400,
                             "invalid-body")
            bomb = safetensors({"a": ([1 << 20], [0.0] * (1 << 20))})
            bomb = gzip.compress(bomb) if coding == "gzip" else zlib.compress(bomb)
            self.problem(put(self.server, "compressed", bomb, coding=coding), 413, "body-too-large")
            answer = put(self.server, "compressed", compressed, coding="br")
            self.problem(answer, 415, "unsupported-media-type")
            self.assertEqual(answer.header("accept-encoding"), "gzip, deflate")
            self.assertEqual(os.listdir(self.files.tables), ["compressed.safetensors"])
            self.assertEqual(self.files.read("compressed.safetensors"), body)
            self.assertEqual(self.remove("compressed").status, 204)

    def test_a_link_is_followed_within_the_folder_only(self):
        body = safetensors({"a": ([1, 1], [7])})
        outside = os.path.join(self.files.folder.name, "outside.safetensors")
        os.mkdir(self.files.path("..data"))
        for path in (outside, self.files.path("..data/in.safetensors")):
            with open(path, "wb") as file:
                file.write(body)
        os.symlink("..data/in.safetensors", self.files.path("in.safetensors"))
        os.symlink("../outside.safetensors", self.files.path("out.safetensors"))
        self.server.signal(signal.SIGHUP)
        self.server.wait_line(lambda event: event.get("file") == "out.safetensors" and
                              "leads out of the folder" in event["why"], "refused link")
        self.assertEqual(put(self.server, "later", body).status, 201)  # the folder was read by now
        self.assertEqual(self.get("/v1/learned?table=in.a&pos=0").json()["tensors"][0]["data"],
                         [[7]])
        self.get("/v1/learned?table=out.a&pos=0", status=400)
        self.assertIn("[-] table out.safetensors:", self.get("/readyz?verbose").text())
        for name in ("in.safetensors", "out.safetensors", "later.safetensors",
                     "..data/in.safetensors"):
            os.remove(self.files.path(name))
        os.rmdir(self.files.path("..data"))
        os.remove(outside)

    def test_only_the_administrator_changes_tables(self):
        body = version(1)
        for token in ("", "wrong", TOKEN + "0", TOKEN[:-1]):
            self.problem(put(self.server, "mine", body, token), 401, "unauthorized")
            self.problem(self.remove("mine", token), 401, "unauthorized")
        self.problem(self.server.ask("PUT", "/v1/tables/mine", body, [SAFETENSORS]), 401,
                     "unauthorized")
        self.assertEqual(os.listdir(self.files.tables), [])

    def test_what_is_no_table_never_reaches_the_disk(self):
        good = version(1)
        for body in (b"x", good[:-1], good + b"x", good[:8] + b"[" + good[9:],
                     safetensors({"a": ([1], [float("nan")])}), safetensors({})):
            self.problem(put(self.server, "bad", body), 400, "invalid-body")
        self.problem(put(self.server, "bad", b""), 400, "invalid-body")
        big = safetensors({"a": ([300000], [0.0] * 300000)})
        self.assertIn("of --learned-tables-memory are left",
                      self.problem(put(self.server, "big", big), 400, "invalid-body")["detail"])
        answer = self.server.ask("PUT", "/v1/tables/bad", good,
                                 [("Authorization", "Bearer " + TOKEN),
                                  ("Content-Type", "application/octet-stream")])
        self.problem(answer, 415, "unsupported-media-type")
        self.assertEqual(os.listdir(self.files.tables), [])

    def test_one_file_too_many_is_refused_and_another_version_is_not(self):
        files, body = TableFolder(), safetensors({"a": ([1, 1], [7])})
        for i in range(1024):
            with open(files.path("f%04d.safetensors" % i), "wb") as file:
                file.write(body)
        with Posencd(*files.flags) as server:
            problem = self.problem(put(server, "g", body), 400, "invalid-body")
            self.assertEqual(problem["detail"], "there are 1024 files already; remove one")
            self.assertEqual(put(server, "f0500", safetensors({"a": ([1, 1], [8])})).status, 200)
            answer = server.get("/v1/learned?table=f0500.a&pos=0")
            self.assertEqual(answer.json()["tensors"][0]["data"], [[8]])
        self.assertEqual(len(os.listdir(files.tables)), 1024)
        files.folder.cleanup()

    def test_no_name_becomes_a_path(self):
        body = version(1)
        for name in ("..", ".hidden", "-x", "a%2Fb", "%2e%2e%2fa", "..%00", "a%00b", "a" * 65,
                     "a/b", "../a", "%2e%2e/a", "a%20b", "a%0ab", "%c3%a4"):
            answer = put(self.server, name, body)
            self.assertIn(answer.status, (400, 404, 405), "%s: %r" % (name, answer))
            self.assertIn(self.server.get("/v1/tables/" + name).status, (400, 404))
            answer = self.server.get("/v1/learned?pos=0&table=x" + name)
            self.assertEqual(answer.status, 400, "%s: %r" % (name, answer))
        self.assertEqual(os.listdir(self.files.tables), [])
        self.assertEqual(sorted(os.listdir(self.files.folder.name)), ["tables", "token"])


class Off(ServerCase):
    def test_without_a_token_nothing_can_be_changed(self):
        answer = put(self.server, "a", version(1))
        self.assertIn("--admin-token-file", self.problem(answer, 401, "unauthorized")["detail"])


class Load(unittest.TestCase):
    def test_no_answer_mixes_two_versions(self):
        files = TableFolder()
        wrong, stop = [], threading.Event()

        def read(server, turn):
            with server.client() as client:
                while not stop.is_set():
                    turn += 1
                    answer = client.get("/v1/learned?table=live.wpe&pos=%d:%d&format=raw" %
                                        (turn % 9, 200 + turn % 50))
                    numbers = {answer.body[i:i + 4] for i in range(0, len(answer.body), 4)}
                    if answer.status != 200 or len(numbers) != 1:
                        wrong.append(answer)

        with Posencd(*files.flags) as server:
            self.assertEqual(put(server, "live", version(0)).status, 201)
            readers = [threading.Thread(target=read, args=(server, i * 7)) for i in range(3)]
            for reader in readers:
                reader.start()
            with server.client() as client:
                for number in range(1, 60):
                    self.assertEqual(put(client, "live", version(number)).status, 200)
                    answer = client.get("/v1/learned?table=live.wpe&pos=3:4&format=raw")
                    self.assertEqual(answer.body[:4], struct.pack("<f", number))
            stop.set()
            for reader in readers:
                reader.join()
        self.assertEqual(wrong, [])
        files.folder.cleanup()


class Killed(unittest.TestCase):
    """An acknowledged upload is there after kill -9 at any moment, and every file is whole."""

    def upload(self, server, start, sent, enough):
        """Uploads one version after another until the connection breaks; sent = [tried, done]."""
        try:
            with server.client() as client:
                while True:
                    sent[0] = start = start + 1
                    if put(client, "t", version(start)).status in (200, 201):
                        sent[1] = start
                        enough.release()
        except (OSError, Closed, ValueError):
            pass

    def round(self, files, uploads, moment, number):
        server = Posencd(*files.flags, "--threads", "1")
        if number > 0: # an incomplete file would have been refused at start
            answer = server.get("/v1/learned?table=t.wpe&pos=255&format=raw")
            self.assertEqual(answer.body, struct.pack("<f", number) * COLS)
        sent, enough = [number, number], threading.Semaphore(0)
        uploader = threading.Thread(target=self.upload, args=(server, number, sent, enough))
        uploader.start()
        for _ in range(uploads):
            self.assertTrue(enough.acquire(timeout=PATIENCE))
        threading.Event().wait(moment) # the test is for a random moment of the next upload
        server.signal(signal.SIGKILL)
        self.assertEqual(server.wait(), -signal.SIGKILL)
        uploader.join()
        server.process.stderr.close()
        server.folder.cleanup()
        return sent

    def test_tables_survive_kill_9(self):
        files, draw, number, unfinished = TableFolder(), random.Random(9), 0, 0
        for _ in range(KILLS):
            tried, done = self.round(files, draw.randrange(6), draw.uniform(0, 0.004), number)
            names = os.listdir(files.tables)
            unfinished += ".t.safetensors.new" in names
            if number > 0 or "t.safetensors" in names:
                body = files.read("t.safetensors")
                number = int(struct.unpack("<f", body[-4:])[0])
                self.assertEqual(body, version(number))
            self.assertTrue(done <= number <= tried, (done, number, tried))
        self.assertGreater(number, KILLS) # some uploads were under way
        print("  %d kills, %d uploads, %d left an unfinished file" %
              (KILLS, number, unfinished))
        files.folder.cleanup()


class Start(unittest.TestCase):
    def test_a_bad_file_is_named_and_the_configuration_refused(self):
        files = TableFolder()
        with open(files.path("t.safetensors"), "wb") as file:
            file.write(version(1)[:-1])
        done = run("serve", "--listen", "127.0.0.1:0", *files.flags)
        self.assertEqual(done.returncode, 78)
        self.assertIn(b"t.safetensors: the tensors have 65536 bytes", done.stderr)
        files.folder.cleanup()


if __name__ == "__main__":
    unittest.main()
