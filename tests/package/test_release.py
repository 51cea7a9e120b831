# SPDX-License-Identifier: Apache-2.0
"""test_release.py - the tarball of a release has the files of git, its checksums hold, and a second run
makes the same bytes. In the full form its packages are made, too, and the tarball is built and tested."""

import os
import re
import subprocess
import tarfile
import tempfile
import unittest

from deb import NAMES, packages, run
from support.posencd import ROOT

FULL = os.environ.get("FULL")
PARTS = ["tarball", "packages"] if FULL else ["tarball"]


class Release(unittest.TestCase):
    """The commit that is checked out, in a clone: changes that are not committed are no part of it."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="posencd-release-")
        cls.clone = os.path.join(cls.folder.name, "clone")
        run("git", "clone", "--quiet", "--shared", ROOT, cls.clone)
        cls.made = cls.make("first")
        cls.version = re.search(r"posencd-([0-9.]+)\.tar\.gz", " ".join(os.listdir(cls.made))).group(1)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def make(cls, name):
        out = os.path.join(cls.folder.name, name)
        run("make", "--no-print-directory", "-C", cls.clone, "release", "OUT=" + out, "PARTS=" + " ".join(PARTS),
            env=dict(os.environ, MAKEFLAGS="", MAKELEVEL="1"))
        return out

    def path(self, name):
        return os.path.join(self.made, name)

    def test_the_tarball_has_the_files_of_git(self):
        with tarfile.open(self.path("posencd-%s.tar.gz" % self.version)) as tar:
            names = sorted(member.name.split("/", 1)[1] for member in tar if not member.isdir())
            times = {member.mtime for member in tar}
        git = run("git", "-C", ROOT, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")
        self.assertEqual(names, sorted(filter(None, git)))
        self.assertEqual(times, {int(run("git", "-C", ROOT, "log", "-1", "--format=%ct"))})

    def test_checksums_hold(self):
        said = run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=self.made)
        self.assertEqual(said.count(": OK"), len(os.listdir(self.made)) - 1)
        with open(self.path("posencd-%s.tar.gz" % self.version), "ab") as file:
            file.write(b"x")
        try:
            done = subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"],
                                  cwd=self.made, capture_output=True, check=False)
            self.assertNotEqual(done.returncode, 0)
        finally:
            with open(self.path("posencd-%s.tar.gz" % self.version), "ab") as file:
                file.truncate(file.tell() - 1)

    def test_a_second_run_makes_the_same_bytes(self):
        with open(self.path("SHA256SUMS"), encoding="ascii") as first, \
                open(os.path.join(self.make("second"), "SHA256SUMS"), encoding="ascii") as second:
            self.assertEqual(first.read(), second.read())

    def test_what_is_not_committed_is_refused(self):
        stray = os.path.join(self.clone, "stray")
        open(stray, "w", encoding="ascii").close()
        try:
            done = subprocess.run(["deploy/release.sh", self.version, "tarball"], cwd=self.clone,
                                  capture_output=True, check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(b"a release is made of a commit", done.stderr)
        finally:
            os.unlink(stray)


if FULL:
    class Built(Release):
        def test_the_packages_are_those_of_the_version(self):
            self.assertEqual(set(packages(self.made)), set(NAMES))

        def test_the_tarball_builds_and_passes_a_suite(self):
            with tarfile.open(self.path("posencd-%s.tar.gz" % self.version)) as tar:
                tar.extractall(self.folder.name)
            tree = os.path.join(self.folder.name, "posencd-" + self.version)
            said = run("make", "--no-print-directory", "-C", tree, "unit",
                       env=dict(os.environ, CK_RUN_SUITE="registry", MAKEFLAGS="", MAKELEVEL="0"))
            self.assertRegex(said, r"[1-9]\d* passed, 0 failed")

    del Release  # Built has its tests
