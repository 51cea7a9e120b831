# SPDX-License-Identifier: Apache-2.0
"""test_release.py - the tarball of a release has the files of git, its checksums hold, are signed by the key
that the caller gives and are the same in a second run, and what is wrong with a file is found where it is
tried. In the full form all is made and tried in a clean root without a network."""

import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest

from deb import NAMES, packages, run
from support.posencd import ROOT

FULL = os.environ.get("FULL")
PARTS = ["tarball", "packages", "clients", "chart", "site", "images"] if FULL else ["tarball", "chart"]
AGAIN = PARTS[:-1] if FULL else PARTS  # test_twice.py compares images
KEY = "Release of a test <release@posencd.invalid>"
LIBRARIES = os.path.join("build", "wasm", "libraries")  # they take long and are not of the commit


class Release(unittest.TestCase):
    """The commit that is checked out, in a clone: changes that are not committed are no part of it."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="posencd-release-")
        cls.clone = os.path.join(cls.folder.name, "clone")
        run("git", "clone", "--quiet", "--shared", ROOT, cls.clone)
        if os.path.exists(os.path.join(ROOT, LIBRARIES, ".done")):
            os.makedirs(os.path.join(cls.clone, os.path.dirname(LIBRARIES)))
            os.symlink(os.path.join(ROOT, LIBRARIES), os.path.join(cls.clone, LIBRARIES))
        cls.keys = os.path.join(cls.folder.name, "keys")
        os.mkdir(cls.keys, 0o700)
        cls.addClassCleanup(run, "gpgconf", "--homedir", cls.keys, "--kill", "all")
        run("gpg", "--batch", "--passphrase", "", "--quick-gen-key", KEY, "ed25519", "sign",
            env=dict(os.environ, GNUPGHOME=cls.keys))
        cls.made = cls.make("first", PARTS, SIGN=KEY, VERIFY="root" if FULL else "here")
        cls.version = re.search(r"posencd-([0-9.]+)\.tar\.gz", " ".join(os.listdir(cls.made))).group(1)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def make(cls, name, parts, **variables):
        out = os.path.join(cls.folder.name, name)
        run("make", "--no-print-directory", "-C", cls.clone, "release", "OUT=" + out, "PARTS=" + " ".join(parts),
            *("%s=%s" % pair for pair in variables.items()),
            env=dict(os.environ, MAKEFLAGS="", MAKELEVEL="1", GNUPGHOME=cls.keys,
                     IMAGE_BASES=os.path.join(ROOT, "build", "image"),
                     RELEASE_BASES=os.path.join(ROOT, "build")))
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
        self.assertEqual(said.count(": OK"), len(os.listdir(self.made)) - 2)  # SHA256SUMS and its signature
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
        second = self.make("second", AGAIN, VERIFY="no")
        names = [name for name in os.listdir(self.made) if os.path.exists(os.path.join(second, name))]
        self.assertGreater(len(names), len(AGAIN))
        for name in names:
            if name != "SHA256SUMS" or AGAIN == PARTS:
                with open(self.path(name), "rb") as one, open(os.path.join(second, name), "rb") as other:
                    self.assertTrue(one.read() == other.read(), name)

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

    def test_a_key_or_a_place_that_is_not_there_is_refused(self):
        for variables, says in (({"SIGN": "nobody@posencd.invalid"},
                                 "SIGN must name a secret key of gpg's keyring; there is none for nobody@"),
                                ({"VERIFY": "there"}, "VERIFY must be root, here or no; got there")):
            done = subprocess.run(["deploy/release.sh", self.version, "tarball"], cwd=self.clone, check=False,
                                  capture_output=True, env=dict(os.environ, GNUPGHOME=self.keys, **variables))
            self.assertEqual(done.returncode, 64)
            self.assertIn(says, done.stderr.decode())

    def test_the_table_has_every_file_and_how_it_was_tried(self):
        with open(self.made + ".md", encoding="utf-8") as file:
            text = file.read()
        if FULL:
            print(text, flush=True)
        rows = {line.split("|")[1].strip(" `"): line.split("|")[4].strip() for line in text.splitlines()[2:]}
        self.assertEqual(set(rows), set(os.listdir(self.made)))
        left = {name for name, tried in rows.items() if "not tried" in tried}
        self.assertEqual(left, set() if FULL else {"posencd-%s.tar.gz" % self.version})
        for name in set(rows) - left:
            self.assertTrue(rows[name].endswith("in a clean root, offline" if FULL else "on this machine, offline"))

    def verify(self, folder, key=KEY):
        """What the checks say of a folder of files, on this machine."""
        done = subprocess.run([os.path.join(self.clone, "deploy", "release", "verify.py"), folder, self.version, "here"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              env=dict(os.environ, GNUPGHOME=self.keys, SIGN=key))
        return done.returncode, done.stdout.decode()

    def copied(self, *names):
        """A folder with some files of the release."""
        folder = tempfile.mkdtemp(dir=self.folder.name)
        for name in names:
            shutil.copy(self.path(name), folder)
        return folder

    def test_a_changed_file_is_found(self):
        chart, bill = "posencd-%s.tgz" % self.version, "posencd-%s.spdx.json" % self.version
        folder = self.copied("SHA256SUMS", "SHA256SUMS.asc", *([] if FULL else os.listdir(self.made)))
        with open(os.path.join(folder, "SHA256SUMS"), "ab") as file:
            file.write(b"x")
        code, said = self.verify(folder)
        self.assertEqual(code, 1)
        self.assertRegex(said, r"`SHA256SUMS` \|.*FAILED: sha256sum")
        folder = self.copied(chart, bill)
        code, said = self.verify(folder)  # the other files are not there
        self.assertRegex(said, r"spdx.json` \|.*FAILED: the bill of materials must have")

    def test_another_signature_is_found(self):
        folder = self.copied(*os.listdir(self.made))
        other = "Another <other@posencd.invalid>"
        environment = dict(os.environ, GNUPGHOME=self.keys)
        run("gpg", "--batch", "--passphrase", "", "--quick-gen-key", other, "ed25519", "sign", env=environment)
        run("gpg", "--batch", "--yes", "--local-user", other, "--armor", "--output", folder + "/SHA256SUMS.asc",
            "--detach-sign", folder + "/SHA256SUMS", env=environment)
        code, said = self.verify(folder)
        self.assertEqual(code, 1)
        self.assertRegex(said, r"FAILED: gpgv .*No public key")

    def test_a_chart_that_is_wrong_is_found(self):
        name = "posencd-%s.tgz" % self.version
        for inner, right, wrong, says in (
                ("values.yaml", "replicas: 2", "replica: 2", "'replica' was unexpected"),
                ("templates/service.yaml", "toJson", "toJsonn", "toJsonn"),
                ("Chart.yaml", "version: ", "version: 9.", "the chart has the version 9.")):
            folder, tree = self.copied(), tempfile.mkdtemp(dir=self.folder.name)
            with tarfile.open(self.path(name)) as tar:
                tar.extractall(tree)
            path = os.path.join(tree, "posencd", inner)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            self.assertIn(right, text)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(right, wrong, 1))
            with tarfile.open(os.path.join(folder, name), "w:gz") as tar:
                tar.add(os.path.join(tree, "posencd"), "posencd")
            code, said = self.verify(folder)
            self.assertEqual(code, 1, said)
            self.assertIn(says, said)

    def test_a_file_that_no_row_tells_of_is_found(self):
        folder = self.copied()
        open(os.path.join(folder, "posencd.exe"), "w", encoding="ascii").close()
        code, said = self.verify(folder)
        self.assertEqual(code, 1)
        self.assertIn("posencd.exe has 0 rows in artefacts.py", said)


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
