# SPDX-License-Identifier: Apache-2.0
"""test_ship.py - what makes the root of an image: libraries are found as the loader finds them, packages by
their files, and what is not known is refused."""

import os
import subprocess
import sys
import tempfile
import unittest

from support.posencd import ROOT, binary

sys.path.insert(0, os.path.join(ROOT, "deploy", "image"))
import closure  # noqa: E402
import debian  # noqa: E402
import spdx  # noqa: E402

LOADER = closure.needed(binary())[0]
TRIPLET = os.uname().machine + "-linux-gnu"


class Ship(unittest.TestCase):
    def test_libraries_of_libraries_are_found(self):
        direct = closure.needed(binary())[1]
        every = closure.closure(binary(), ["/lib/" + TRIPLET, "/usr/lib/" + TRIPLET])
        names = {os.path.basename(path) for path in every}
        self.assertLess(set(direct), names)
        self.assertIn(LOADER, every)

    def test_a_library_that_is_missing_is_refused(self):
        with tempfile.TemporaryDirectory() as empty, \
                self.assertRaisesRegex(SystemExit, r"lib[\w.+-]+ is in none of " + empty):
            closure.closure(binary(), [empty])

    def test_a_file_of_no_package_is_refused(self):
        with tempfile.NamedTemporaryFile() as file, \
                self.assertRaisesRegex(SystemExit, file.name + " is of no package of Debian"):
            debian.owner(file.name)

    def test_the_loader_is_found_by_its_name_before_usr_was_merged(self):
        self.assertEqual(debian.owner(LOADER).name, "libc6")

    def test_an_entry_has_nothing_of_this_system(self):
        package = debian.owner("/usr/lib/os-release")
        self.assertEqual(package.name, "base-files")
        self.assertIn("\nConffiles:", debian.output("dpkg-query", "--status", "base-files"))
        self.assertNotIn("Conffiles", package.entry)

    def test_a_source_package_may_have_another_name_and_version(self):
        package = debian.owner(LOADER)
        self.assertEqual(package.source(), ("glibc", package.version))
        package.fields["Source"] = "other (1:2.0-1)"
        self.assertEqual(package.source(), ("other", "1:2.0-1"))
        package.version = "3+b1"
        self.assertEqual(spdx.purl(package, "debian-12"),
                         "pkg:deb/debian/libc6@3+b1?arch=%s&distro=debian-12&upstream=other@1%%3A2.0-1" %
                         package.arch)

    def test_licences_are_those_that_a_text_names(self):
        common = "/usr/share/common-licenses/"
        self.assertEqual(debian.licences("see %sGPL-2, or `%sLGPL-2.1'. There is no %sX-9." % ((common,) * 3)),
                         [common + "GPL-2", common + "LGPL-2.1"])

    def test_an_architecture_that_is_not_known_is_refused(self):
        for words in (["image", "ARCH=mips"], ["ship", "FLAVOUR=mips"]):
            done = subprocess.run(["make", "--no-print-directory", "-C", ROOT, *words], check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env=dict(os.environ, MAKEFLAGS="", MAKELEVEL="1"))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(b"mips is none of the architectures amd64 arm64", done.stdout)
