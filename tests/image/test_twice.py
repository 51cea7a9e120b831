# SPDX-License-Identifier: Apache-2.0
"""test_twice.py - the images of a release, built from a clone in a folder of another name, have the same
digests and bytes as those that were built here."""

import hashlib
import os
import shutil
import subprocess
import tempfile
import unittest

from image import FOLDER, Image
from support.posencd import ROOT

ARCHITECTURES = ("amd64", "arm64")


def run(*words, **options):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    text = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, "%s: exit code %d\n%s" % (" ".join(words), done.returncode, text[-4000:])
    return text


def checksum(*words):
    with open(os.path.join(*words), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Twice(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        assert not run("git", "-C", ROOT, "status", "--porcelain"), \
            "a release is made of a commit: commit what has changed, or put it away"
        cls.place = tempfile.mkdtemp(prefix="posencd-elsewhere-")
        cls.clone = os.path.join(cls.place, "a-name-that-is-longer", "clone")
        cls.out = os.path.join(cls.place, "release")
        run("git", "clone", "--quiet", "--shared", ROOT, cls.clone)
        run("make", "--no-print-directory", "-C", cls.clone, "release", "PARTS=images", env=dict(
            os.environ, MAKEFLAGS="", MAKELEVEL="1", OUT=cls.out, IMAGE_BASES=os.path.dirname(FOLDER)))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.place)

    def test_another_folder_makes_the_same_images(self):
        for arch in ARCHITECTURES:
            here = os.path.join(os.path.dirname(FOLDER), arch)
            there = os.path.join(self.clone, "build", "image", arch)
            self.assertEqual(Image(here).digest(), Image(there).digest())
            for name in ("posencd.tar", "posencd.spdx.json"):
                self.assertEqual(checksum(here, name), checksum(there, name))
            print("  linux/%s, built in two folders: %s" % (arch, Image(here).digest()), flush=True)

    def test_a_release_has_them_with_checksums(self):
        version = run(os.path.join(ROOT, "build", "posencd"), "version").split()[1]
        wanted = {"posencd-%s-%s.%s" % (version, arch, kind)
                  for arch in ARCHITECTURES for kind in ("image.tar", "spdx.json")}
        self.assertEqual(set(os.listdir(self.out)), wanted | {"SHA256SUMS"})
        said = run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=self.out)
        self.assertEqual(said.count(": OK"), len(wanted))
        for arch in ARCHITECTURES:
            self.assertEqual(checksum(self.out, "posencd-%s-%s.image.tar" % (version, arch)),
                             checksum(os.path.dirname(FOLDER), arch, "posencd.tar"))
