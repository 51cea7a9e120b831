# SPDX-License-Identifier: Apache-2.0
"""test_archives.py - npz archives as real programs write them, to a file and to a pipe, give the
numbers that they were made of; an archive that its writer left without a part, and one of which
two readers see two contents, are refused by a sentence that says what is wrong.

tests/fuzz/corpus/npz has those of programs other than Python, behind one byte that the fuzz target
takes: Info-ZIP 3.0 (zip), p7zip 16.02 (7z), libarchive 3.6.2 (bsdtar --format=zip) and OpenJDK 17
(jar -M), each named after its options."""

import io
import itertools
import pathlib
import struct
import unittest
import zipfile

import numpy as np

from support.suite import ServerCase
from test_tensors import NPZ, Pipe, npz, npy, typed

CORPUS = pathlib.Path(__file__).parent.parent / "fuzz/corpus/npz"
Q = np.arange(6, dtype="<f4").reshape(3, 2)
K = Q * 2 - 1
APPLY = "/v1/rope/apply?pos=0:3&seq_axis=0&format=raw&out="
WHOLE = ("7z", "7z-store", "7z-pipe", "bsdtar", "bsdtar-pipe", "bsdtar-store-pipe",
         "bsdtar-zip64-pipe", "jar", "jar-pipe", "zip", "zip-pipe", "zip-0-pipe", "zip-fd",
         "zip-fz", "zip-fz-redirected")
NO_ZIP64_END = ("zip-fz-pipe", "zip-fz-0-pipe")


def of_python(out, method, zip64):
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, array in (("q", Q), ("k", K)):
            with archive.open(name + ".npy", "w", force_zip64=zip64) as member:
                member.write(npy(array))


class Archives(ServerCase):
    def ask(self, body, out="q", status=200):
        answer = self.server.ask("POST", APPLY + out, body, typed(NPZ))
        self.assertEqual(answer.status, status, answer.body[:600])
        return answer

    def expect_same(self, body, what):
        for out, expected in self.expected.items():
            with self.subTest(archive=what, out=out):
                self.assertEqual(self.ask(body, out).body, expected)

    def setUp(self):
        self.expected = {out: self.ask(npz(np.savez, q=Q, k=K)[0], out).body for out in "qk"}
        self.assertNotEqual(self.expected["q"], self.expected["k"])

    def test_archives_of_other_programs_are_read(self):
        for name in WHOLE:
            self.expect_same((CORPUS / name).read_bytes()[1:], name)

    def test_archives_of_python_are_read(self):
        for method, zip64 in itertools.product((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED),
                                               (False, True)):
            file, pipe = io.BytesIO(), Pipe()
            of_python(file, method, zip64)
            of_python(pipe, method, zip64)
            self.expect_same(file.getvalue(), (method, zip64, "file"))
            self.expect_same(pipe.written, (method, zip64, "pipe"))

    def test_an_archive_without_the_zip64_end_that_it_names_is_refused(self):
        for name in NO_ZIP64_END:
            body = (CORPUS / name).read_bytes()[1:]
            with self.assertRaises((OSError, ValueError, zipfile.BadZipFile)):
                np.load(io.BytesIO(body))["q"]
            problem = self.problem(self.ask(body, status=400), 400, "invalid-body")
            self.assertIn("the archive must have a zip64 end record", problem["detail"])

    def test_an_entry_whose_zip64_field_says_another_size_is_refused(self):
        body = bytearray((CORPUS / "zip-fz").read_bytes()[1:])
        field = struct.pack("<HHQ", 1, 8, 152)
        self.assertEqual(body.count(field), 2)
        body[body.index(field) + 4] += 1
        problem = self.problem(self.ask(bytes(body), status=400), 400, "invalid-body")
        self.assertIn("entry 1 of the archive's directory must have the sizes of member 1",
                      problem["detail"])

    def test_a_directory_that_numpy_would_take_from_a_comment_is_refused(self):
        """Before the end record stands a zip64 end, in the comment of an entry: Python takes the
        directory that it names, which lists q alone."""
        file = io.BytesIO()
        of_python(file, zipfile.ZIP_STORED, False)
        body = bytearray(file.getvalue())
        directory = body.index(b"PK\1\2")
        end = body.index(b"PK\5\6")
        entry = bytearray(body[directory:body.index(b"PK\1\2", directory + 1)])
        other = entry + struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, len(entry),
                                    end) + struct.pack("<4sIQI", b"PK\6\7", 0, end + len(entry), 1)
        body[end - len(entry) + 32:end - len(entry) + 34] = struct.pack("<H", len(other))
        body[end:end] = other
        body[-10:-6] = struct.pack("<I", end + len(other) - directory)
        with zipfile.ZipFile(io.BytesIO(bytes(body))) as archive:
            self.assertEqual(archive.namelist(), ["q.npy"])
        problem = self.problem(self.ask(bytes(body), status=400), 400, "invalid-body")
        self.assertIn("its directory must not end with the locator of a zip64 end record",
                      problem["detail"])


if __name__ == "__main__":
    unittest.main()
