# SPDX-License-Identifier: Apache-2.0
"""test_foreign.py - the image of the other architecture: its contents, and its program's numbers, run by
qemu's user mode with the image's own loader and libraries."""

import os
import shutil
import subprocess
import tempfile
import unittest

import golden
from image import FOLDER, Image
from support.posencd import Posencd
from test_contents import Contents

ARCH = {"amd64": "arm64", "arm64": "amd64"}[os.path.basename(FOLDER)]
EMULATOR = {"arm64": "qemu-aarch64-static", "amd64": "qemu-x86_64-static"}[ARCH]
PLACE = os.path.join(os.path.dirname(FOLDER), ARCH)


class ForeignContents(Contents):
    image_folder = PLACE


del Contents  # its tests are run by test_contents.py


class ForeignDigests(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="posencd-foreign-")
        self.addCleanup(shutil.rmtree, self.root)
        self.image = Image(PLACE)
        self.image.extract(self.root)
        self.program = os.path.join(self.root, "usr/bin/posencd")

    def test_it_is_of_that_architecture(self):
        self.assertEqual(self.image.whole["architecture"], ARCH)
        said = subprocess.run([EMULATOR, "-L", self.root, self.program, "version"], check=True,
                              stdout=subprocess.PIPE).stdout.decode()
        self.assertIn("posencd " + self.image.labels["org.opencontainers.image.version"], said)

    def test_every_answer_has_its_golden_digest(self):
        with Posencd(program=self.program, launcher=[EMULATOR, "-L", self.root]) as server, \
                server.client() as client:
            wrong, count = golden.wrong(client)
        self.assertEqual(wrong, [])
        print("  %s by %s: %d of %d digests are the golden ones" % (ARCH, EMULATOR, count, count), flush=True)
