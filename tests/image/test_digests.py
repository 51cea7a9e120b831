# SPDX-License-Identifier: Apache-2.0
"""test_digests.py - the program of the image, with its libraries, has the golden numbers."""

import os
import shutil
import tempfile
import unittest

import golden
from container import Container
from image import Image
from support.wire import Client


class Digests(unittest.TestCase):
    def test_every_answer_has_its_golden_digest(self):
        folder = tempfile.mkdtemp(prefix="posencd-digests-")
        self.addCleanup(shutil.rmtree, folder)
        root = os.path.join(folder, "root")
        image = Image()
        image.extract(root)
        with Container(image, root, memory=256 << 20) as one:
            def compare():
                with Client(("127.0.0.1", 8080)) as client:
                    return golden.wrong(client)

            wrong, count = one.inside(compare)
        self.assertEqual(wrong, [])
        self.assertGreater(count, 200)
        print("  %s: %d of %d digests are the golden ones" % (image.whole["architecture"], count, count),
              flush=True)
