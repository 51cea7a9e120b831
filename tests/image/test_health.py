# SPDX-License-Identifier: Apache-2.0
"""test_health.py - the image's health check finds the service wherever it listens: by the flags of the
command, by the environment, at unix sockets, behind an init program."""

import os
import shutil
import tempfile
import unittest

from container import Container
from image import Image

SOCKET = "/run/posencd/sock"


class Health(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.image = Image()
        cls.folder = tempfile.mkdtemp(prefix="posencd-health-")
        os.chmod(cls.folder, 0o755)
        cls.root = os.path.join(cls.folder, "root")
        cls.image.extract(cls.root)
        os.makedirs(os.path.join(cls.root, os.path.dirname(SOCKET)[1:]), exist_ok=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def healthy(self, command=None, port=None, **options):
        """The container is healthy, also by the answer of a port; and a wrong address is not."""
        with Container(self.image, self.root, command, **options) as one:
            self.assertEqual(one.health(), (0, ""))
            if port:
                self.assertEqual(one.get("/readyz", port).status, 200)
            code, said = one.execute("/usr/bin/posencd", "health", "--url", "http://127.0.0.1:1")
            self.assertEqual(code, 1, said)

    def test_the_image_as_it_is(self):
        self.healthy(port=8080)

    def test_a_port_of_the_command(self):
        self.healthy(["serve", "--listen", "127.0.0.1:9999"], port=9999)
        self.healthy(["serve", "--listen=[::1]:9999"])
        self.healthy(["--listen", "0.0.0.0:9999"], port=9999)  # serve is the default command

    def test_a_port_of_the_environment(self):
        self.healthy(["serve"], environment={"POSENCD_LISTEN": "127.0.0.1:9998"}, port=9998)

    def test_a_flag_beats_the_environment(self):
        self.healthy(["serve", "--listen", "127.0.0.1:9999"],
                     environment={"POSENCD_LISTEN": "127.0.0.1:9998"}, port=9999)

    def test_several_addresses(self):
        self.healthy(["serve", "--listen", "127.0.0.1:9997", "--listen", "127.0.0.1:9998"], port=9998)

    def test_an_address_for_administration(self):
        self.healthy(["serve", "--listen", "127.0.0.1:9997", "--admin-listen", "127.0.0.1:9998",
                      "--path-prefix", "/numbers"], port=9998)

    def test_a_prefix(self):
        self.healthy(["serve", "--listen", "127.0.0.1:9997", "--path-prefix", "/numbers"])

    def test_a_unix_socket(self):
        with tempfile.TemporaryDirectory() as outer:
            os.chmod(outer, 0o777)
            self.healthy(["serve", "--listen", "unix:%s,mode=0600" % SOCKET],
                         mounts={os.path.dirname(SOCKET): outer})

    def test_behind_an_init_program(self):
        # The loader serves as one: it has the command in its words, and is another file.
        loader = next(path for path in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")
                      if os.path.exists(self.root + path))
        self.healthy(["serve", "--listen", "127.0.0.1:9999"], port=9999, init=[loader])

    def test_a_service_that_drains_is_not_healthy(self):
        with Container(self.image, self.root) as one:
            one.signal(15)
            one.wait_event("draining")
            code, said = one.health()
            self.assertEqual((code, said.strip()), (1, "posencd: 0.0.0.0:8080 answers 503"))
