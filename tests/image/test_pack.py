# SPDX-License-Identifier: Apache-2.0
"""test_pack.py - the same files make the same image, wherever and whenever they are packed."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

from image import FOLDER, Image
from support.posencd import ROOT

SOURCE = "org.opencontainers.image.source"


class Pack(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posencd-pack-")
        self.addCleanup(folder.cleanup)
        self.made = os.path.join(folder.name, "made")
        self.ship = os.path.join(folder.name, "ship")
        self.first = Image()
        self.arch = self.first.whole["architecture"]

    def pack(self, **environment):
        version = self.first.labels["org.opencontainers.image.version"]
        return subprocess.run([os.path.join(ROOT, "deploy", "image", "image.sh"), version, self.arch],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              env=dict(os.environ, IMAGE=self.made, SHIP=self.ship, **environment))

    def packed(self, **environment):
        done = self.pack(**environment)
        self.assertEqual(done.returncode, 0, done.stdout)
        return Image(self.made)

    def test_the_same_files_make_the_same_bytes(self):
        shutil.copytree(os.path.join(FOLDER, "ship"), self.ship, symlinks=True)
        for folder, _, names in os.walk(self.ship):
            for name in names:
                os.utime(os.path.join(folder, name), follow_symlinks=False)
        second = self.packed()
        self.assertEqual(self.first.digest(), second.digest())
        with open(self.first.path, "rb") as one, open(second.path, "rb") as other:
            self.assertTrue(one.read() == other.read())

    def test_loaders_read_it_in_both_of_its_forms(self):
        for transport in ("docker-archive", "oci-archive"):
            with tempfile.TemporaryDirectory(prefix="posencd-load-") as folder:
                buildah = ["buildah", "--storage-driver", "vfs", "--root", folder + "/root",
                           "--runroot", folder + "/run"]
                loaded = subprocess.run(buildah + ["pull", "--quiet", "%s:%s" % (transport, self.first.path)],
                                        check=True, stdout=subprocess.PIPE).stdout.decode().strip()
                said = subprocess.run(buildah + ["inspect", "--type", "image", loaded], check=True,
                                      stdout=subprocess.PIPE).stdout
                image = json.loads(said)["Docker"]
                self.assertEqual(image["config"]["Labels"], self.first.labels)
                self.assertEqual(image["config"]["Healthcheck"]["Test"],
                                 self.first.config["Healthcheck"]["Test"])
                self.assertEqual(image["architecture"], self.arch)

    def test_another_byte_makes_another_digest(self):
        shutil.copytree(os.path.join(FOLDER, "ship"), self.ship, symlinks=True)
        with open(os.path.join(self.ship, "root", "etc", "group"), "a", encoding="ascii") as file:
            file.write("x:x:1:\n")
        self.assertNotEqual(self.first.digest(), self.packed().digest())

    def test_the_source_is_named_where_it_is_known(self):
        self.ship = os.path.join(FOLDER, "ship")
        self.assertNotIn(SOURCE, self.first.labels)
        self.assertEqual(self.packed(SOURCE_URL="https://posencd.example/git").labels[SOURCE],
                         "https://posencd.example/git")

    def test_sources_that_are_not_there_are_refused(self):
        done = self.pack(SOURCES="/nowhere/list")
        self.assertEqual(done.returncode, 64)
        self.assertIn(b"SOURCES=/nowhere/list is no file: give a list of apt sources", done.stdout)
