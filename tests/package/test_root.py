# SPDX-License-Identifier: Apache-2.0
"""test_root.py - the Debian packages in a root of Debian's own: apt installs them with what they need,
posencd runs in it, a higher version follows, and a purge leaves nothing."""

import os
import shutil
import tempfile
import unittest

from deb import NAMES, SETTINGS, field, files, packages, raised, run
from support.posencd import Posencd
from test_deb import ROW, VALUES

SOURCES = ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"]


class Root(unittest.TestCase):
    def setUp(self):
        self.assertEqual(os.getuid(), 0, "mmdebstrap's root is entered by chroot: run as root")
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-root-")
        self.addCleanup(self.folder.cleanup)
        self.root = os.path.join(self.folder.name, "root")
        sources = next(path for path in SOURCES if os.path.exists(path))
        run("mmdebstrap", "--quiet", "--variant=apt", "--include=init-system-helpers",
            "--aptopt=APT::Install-Recommends \"false\"", "bookworm", self.root, sources)
        for name in ("resolv.conf", "hosts"):
            shutil.copy("/etc/" + name, os.path.join(self.root, "etc", name))

    def inside(self, *command):
        return run("chroot", self.root, *command, env=dict(
            os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C", PATH="/usr/sbin:/usr/bin:/sbin:/bin"))

    def carry(self, path):
        """Copies a package into the root: its path there."""
        shutil.copy(path, os.path.join(self.root, "tmp"))
        return "/tmp/" + os.path.basename(path)

    def text(self, inner):
        with open(os.path.join(self.root, inner), encoding="utf-8") as file:
            return file.read()

    def ask_a_row(self):
        server = Posencd(launcher=["chroot", self.root], program="/usr/bin/posencd")
        with server:
            self.assertEqual(server.get(ROW).json()["tensors"][0]["data"], VALUES)

    def test_what_apt_installs_is_upgraded_and_purged_without_a_rest(self):
        made = packages()
        needed = [one for path in made.values() for one in field(path, "Depends").split(", ")
                  if not one.startswith("libposenc")]
        self.inside("apt-get", "-qq", "update")
        self.inside("apt-get", "-qq", "satisfy", "-y", ", ".join(sorted(set(needed))))
        before = files(self.root)

        self.inside("dpkg", "--install", *(self.carry(path) for path in made.values()))
        self.assertIn("posencd " + field(made["posencd"], "Version").split("-")[0],
                      self.inside("posencd", "version"))
        self.ask_a_row()
        self.assertIn("posencd", self.inside("posencd", "man"))
        with open(os.path.join(self.root, SETTINGS), "a", encoding="utf-8") as file:
            file.write("POSENCD_THREADS=1\n")
        changed = self.text(SETTINGS)

        higher = [self.carry(raised(path, self.folder.name)) for path in made.values()]
        self.inside("dpkg", "--force-confold", "--install", *higher)
        self.assertEqual(self.text(SETTINGS), changed)
        self.assertIn("+next", self.inside("dpkg-query", "--show", "posencd"))
        self.ask_a_row()

        self.inside("dpkg", "--purge", *NAMES)
        self.assertEqual(files(self.root), before)
