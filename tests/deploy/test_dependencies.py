# SPDX-License-Identifier: Apache-2.0
"""test_dependencies.py - make deps where there is no apt-get: it prints what is needed by the names
of Fedora, Alpine and Arch, and goes on if all of it is found. A machine or a library that posencd
cannot be built for is refused with a sentence."""

import os
import shutil
import subprocess
import tempfile
import unittest

from support.posencd import ROOT

TABLE = os.path.join(ROOT, "tests/support/dependencies.txt")
# A pkg-config that finds all libraries but those of the variable.
PKG_CONFIG = """#!/bin/sh
for name in $ABSENT; do case " $* " in *" --exists $name "*) exit 1 ;; esac; done
"""


def rows():
    with open(TABLE, encoding="utf-8") as file:
        return [line.split() for line in file if line.strip() and not line.startswith("#")]


class WithoutApt(unittest.TestCase):
    def setUp(self):
        self.bin = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.bin)
        for name in os.listdir("/usr/bin"):
            if not name.startswith(("apt", "dpkg", "pkg-config")):
                os.symlink(os.path.join("/usr/bin", name), os.path.join(self.bin, name))
        path = os.path.join(self.bin, "pkg-config")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PKG_CONFIG)
        os.chmod(path, 0o755)

    def make(self, *goals, absent=""):
        words = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        return subprocess.run(
            ["make", "-C", ROOT, *goals], env=dict(words, PATH=self.bin, ABSENT=absent),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=120, check=False)

    def test_every_dependency_is_named_as_each_system_names_it(self):
        said = self.make("deps").stdout.splitlines()
        for _, _, name, _, *elsewhere in rows():
            self.assertIn([name, *elsewhere], [line.split() for line in said])

    def test_the_next_goal_is_made_if_everything_is_found(self):
        done = self.make("deps", "hardening")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("-fstack-protector-strong", done.stdout)

    def test_what_is_not_found_is_named_and_nothing_else_is_made(self):
        os.unlink(os.path.join(self.bin, "openssl"))
        done = self.make("deps", "hardening", absent="libuv jansson")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("These were not found, by pkg-config or in PATH: jansson, libuv, openssl. "
                      "Install them and try again.\n", done.stdout)
        self.assertNotIn("-fstack-protector-strong", done.stdout)

    def test_packages_that_no_other_system_has_a_name_for_are_named_as_debian_does(self):
        done = self.make("deps-fleet")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("which is not looked for: haproxy, nginx, varnish\n", done.stdout)


class Refused(unittest.TestCase):
    """The sources are compiled as if the machine were another."""

    def said(self, path, *flags):
        done = subprocess.run(
            ["gcc", "-std=c11", "-D_GNU_SOURCE", "-I.", "-fsyntax-only", *flags, path], cwd=ROOT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.stdout if done.returncode else "compiled"

    def test_what_is_compiled_here_is_not_refused(self):
        self.assertEqual(self.said("core/math/trig/frequency.c"), "compiled")

    def test_a_gmp_with_limbs_of_32_bits_is_refused(self):
        with tempfile.NamedTemporaryFile("w", suffix=".h") as limbs:
            limbs.write("#include <gmp.h>\n#undef GMP_NUMB_BITS\n#define GMP_NUMB_BITS 32\n")
            limbs.flush()
            said = self.said("core/math/trig/frequency.c", "-include", limbs.name)
        self.assertIn("posenc needs a GMP whose limbs have 64 bits", said)

    def test_a_machine_without_integers_of_128_bits_is_refused(self):
        for path in ("core/math/trig/phase.c", "core/text/decimal.c"):
            self.assertIn("#error \"posenc needs integers of 128 bits",
                          self.said(path, "-U__SIZEOF_INT128__"))


class Table(unittest.TestCase):
    def test_a_row_has_a_package_for_every_system(self):
        for row in rows():
            self.assertEqual(len(row), 7, row)
            self.assertIn(row[0], ("core", "proto", "server", "tool", "test"))
            self.assertIn(row[1], ("pkg-config", "program", "header", "python"))

    def test_what_is_found_by_pkg_config_is_known_to_it_here(self):
        for _, how, name, *_ in rows():
            if how == "pkg-config":
                self.assertEqual(subprocess.run(["pkg-config", "--exists", name],
                                                check=False).returncode, 0, name)


if __name__ == "__main__":
    unittest.main()
