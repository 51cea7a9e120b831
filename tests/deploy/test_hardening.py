# SPDX-License-Identifier: Apache-2.0
"""test_hardening.py - the ELF files of the build have what the Makefile's flags promise, each reader sees
when its flag is off, the user's flags win, and warnings end the build of .ci/run alone."""

import os
import subprocess
import tempfile
import unittest

from support import elf
from support.hardening import (LIBRARY, OBJECT, PROGRAM, ROWS, claims_branches, lacks, marked,
                               probes_pages, rows_of)
from support.posencd import ROOT, binary

BUILD = os.path.dirname(binary())
ARCHIVES = ("libposenc.a", "libproto.a", "libserver.a")

# A frame of three pages, a copy whose capacity is known when the program runs, and a printed line.
SAMPLE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int last(int fd);
int last(int fd) {
    char text[12288];
    ssize_t n = read(fd, text, sizeof text);
    return n > 0 ? text[n - 1] : 0;
}
char *copy(const char *text, size_t n, size_t capacity);
char *copy(const char *text, size_t n, size_t capacity) {
    char *made = malloc(capacity);
    return made ? memcpy(made, text, n) : NULL;
}
int main(int argc, char **argv) {
    char line[64];
    char *made = copy(argv[0], strlen(argv[0]), (size_t)argc * 64);
    snprintf(line, sizeof line, "%s %d", made, last(0));
    free(made);
    return puts(line) < 0;
}
"""
# Debian's flags of version 12, as dpkg-buildflags prints them, and those of a debugger's build.
USERS = [("-g -O2 -fstack-protector-strong -Wformat -Werror=format-security", "-Wdate-time -D_FORTIFY_SOURCE=2"),
         ("-g -O2 -Wp,-U_FORTIFY_SOURCE,-D_FORTIFY_SOURCE=2", ""), ("-g -O0", "")]


def make(*words):
    """make with the variables in `words` and none of the environment's flags: (exit status, both
    streams)."""
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "WERROR", "FLAVOUR", "MAKEFLAGS")}
    done = subprocess.run(["make", "--no-print-directory", *words], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, env=dict(environment, MAKELEVEL="1"))
    return done.returncode, done.stdout.decode("utf-8", "replace")


def flags(*words):
    """The flags that the Makefile hardens with: the compiler's, the linker's, the program's."""
    status, said = make("-s", "hardening", *words)
    assert status == 0, said
    return [line.split() for line in said.split("\n")[:3]]


class Scratch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posencd-hardening-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)


class Built(unittest.TestCase):
    def test_the_program_is_hardened(self):
        self.assertEqual(lacks(PROGRAM, binary()), [])

    def test_the_shared_library_is_hardened(self):
        self.assertEqual(lacks(LIBRARY, os.path.join(BUILD, "libposenc.so.0")), [])

    def test_every_object_of_the_archives_is_hardened(self):
        for name in ARCHIVES:
            self.assertEqual(lacks(OBJECT, os.path.join(BUILD, name)), [], name)

    def test_the_program_claims_its_branches_where_the_objects_of_libc_do(self):
        """The linker keeps the note if every object has it; those that start a program are libc's, and
        Debian 12 compiles them without."""
        starts = [subprocess.run(["gcc", "-print-file-name=" + name], check=True, stdout=subprocess.PIPE)
                  .stdout.decode().strip() for name in ("Scrt1.o", "crti.o", "crtn.o")]
        self.assertEqual(claims_branches(elf.read(binary())),
                         all(claims_branches(elf.read(path)) for path in starts))

    def test_it_was_compiled_with_the_flags_of_the_makefile(self):
        with open(os.path.join(BUILD, ".flags"), encoding="utf-8") as file:
            used = file.read().split()
        for flag in sum(flags()[:2], []):
            self.assertIn(flag, used)


class Readers(Scratch):
    def build(self, name, *more):
        """The sample, compiled and linked with the Makefile's flags and `more`."""
        compiler, linker, program = flags()
        with open(self.path("sample.c"), "w", encoding="ascii") as file:
            file.write(SAMPLE)
        subprocess.run(["gcc", "-O2", "-fPIC", *compiler, *linker, *program, *more, "-o", self.path(name),
                        self.path("sample.c")], check=True)
        return elf.read(self.path(name))

    def test_each_reader_sees_its_flag_and_misses_it_when_it_is_off(self):
        whole = self.build("whole")
        for row in rows_of(PROGRAM, whole.machine):
            self.assertTrue(row.read(whole), row.name)
            self.assertFalse(row.read(self.build("without", row.contrary)), row.name)
        for row in rows_of(OBJECT, whole.machine):
            self.assertTrue(row.read(self.build("whole.o", "-c")), row.name)
            self.assertFalse(row.read(self.build("without.o", "-c", row.contrary)), row.name)

    def test_sizes_that_are_known_when_the_program_runs_are_checked(self):
        """Level 3, which the compiler and the libc of Debian 12 have."""
        self.assertIn("__memcpy_chk", self.build("three").imports())
        self.assertNotIn("__memcpy_chk",
                         self.build("two", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2").imports())

    def test_every_flag_has_a_reader(self):
        read = {row.flag for row in ROWS}
        for flag in sum(flags(), []):
            if flag != "-U_FORTIFY_SOURCE":  # before -D, for compilers that have a level of their own
                self.assertIn(flag.split("_SOURCE=")[0] + "_SOURCE" if "FORTIFY" in flag else flag, read)


class Flags(Scratch):
    def compile(self, *words):
        """Compiles core/registry.c in a folder of its own."""
        return make("BUILD=" + self.folder, self.path("obj/core/registry.o"), *words)

    def warn(self, *words):
        """Compiles it with a warning."""
        with open(self.path("warn.h"), "w", encoding="ascii") as file:
            file.write("static int never_called(void) { return 0; }\n")
        return self.compile("CPPFLAGS=-include " + self.path("warn.h"), *words)

    def test_a_warning_does_not_end_a_users_build(self):
        status, said = self.warn()
        self.assertEqual((status, "warning: " in said), (0, True), said)

    def test_a_warning_ends_the_build_of_ci(self):
        status, said = self.warn("WERROR=1")
        self.assertEqual((status != 0, "error: " in said), (True, True), said)
        with open(os.path.join(ROOT, ".ci", "run"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r"(?m)^export WERROR=1\b")

    def test_flags_of_users_contradict_none_of_ours(self):
        for compiler, preprocessor in USERS:
            status, said = self.compile("CFLAGS=" + compiler, "CPPFLAGS=" + preprocessor, "WERROR=1")
            self.assertEqual((status, "warning" in said), (0, False), said)

    def test_flags_of_users_come_last(self):
        status, said = self.compile("V=1", "CFLAGS=-g0 -fcf-protection=none", "CPPFLAGS=-DOF_USER")
        self.assertEqual(status, 0, said)
        line = next(line.split() for line in said.splitlines() if "-c" in line.split())
        ours = line.index("-fstack-protector-strong")
        self.assertLess(ours, line.index("-g0"))
        self.assertLess(ours, line.index("-DOF_USER"))

    def test_sanitizers_and_coverage_are_not_fortified(self):
        for flavour in ("asan", "tsan", "fuzz", "coverage"):
            self.assertEqual(flags("FLAVOUR=" + flavour)[0], [])
        self.assertFalse([flag for flag in flags("CFLAGS=-O0")[0] if "FORTIFY" in flag])
