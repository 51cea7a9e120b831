# SPDX-License-Identifier: Apache-2.0
"""test_deb.py - the Debian packages: what lintian says, what they contain, how they are installed,
upgraded and purged, and the service as its unit starts it."""

import glob
import gzip
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import unittest

from deb import NAMES, SETTINGS, UNIT_FOLDER, UNITS, System, contents, field, packages, raised, run
from support.hardening import LIBRARY, OBJECT, PROGRAM, lacks
from support.manager import Manager
from support.posencd import ROOT
from support.wire import Client

ROW = "/v1/sinusoidal?dim=4&pos=0:2"
VALUES = [[0, 1, 0, 1], [0.84147096, 0.5403023, 0.009999833, 0.99995]]  # of the paper, by float32
# The packages are no part of Debian, so they close none of its bugs.
SUPPRESSED = "initial-upload-closes-no-bugs"


class Contents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.packages = packages()
        cls.files = {name: contents(path) for name, path in cls.packages.items()}

    def test_lintian_finds_nothing(self):
        said = run("lintian", "--fail-on", "error,warning", "--allow-root", "--suppress-tags",
                   SUPPRESSED, *self.packages.values())
        self.assertNotRegex(said, r"(?m)^[EW]: ")

    def test_no_file_is_in_two_packages(self):
        every = [file for files in self.files.values() for file in files]
        self.assertEqual(len(every), len(set(every)))

    def test_they_are_of_the_version_of_the_program(self):
        version = run(os.path.join(ROOT, "build", "posencd"), "version").split()[1]
        for path in self.packages.values():
            self.assertEqual(field(path, "Version"), version + "-1")

    def test_they_name_the_maintainer_of_the_makefile(self):
        with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as file:
            maintainer = re.search(r"^MAINTAINER \?= (.*)$", file.read(), re.M).group(1)
        for path in self.packages.values():
            self.assertEqual(field(path, "Maintainer"), maintainer)

    def test_they_want_a_loader_that_reads_packed_relocations(self):
        for name, inner in (("posencd", "posencd"), ("libposenc0", "libposenc.so.0")):
            said = run("readelf", "--version-info", os.path.join(ROOT, "build", inner))
            least = re.search(r"\blibc6 \(>= ([0-9.]+)", field(self.packages[name], "Depends")).group(1)
            needed = "2.36" if "GLIBC_ABI_DT_RELR" in said else "2.0"
            run("dpkg", "--compare-versions", least, "ge", needed)

    def test_everything_stands_where_debian_looks(self):
        wanted = {
            "posencd": ["usr/bin/posencd", SETTINGS, "usr/share/man/man1/posencd.1.gz",
                        "usr/share/man/man1/posencd-serve.1.gz",
                        "usr/share/bash-completion/completions/posencd",
                        "usr/share/zsh/vendor-completions/_posencd",
                        "usr/share/fish/vendor_completions.d/posencd.fish",
                        "usr/share/doc/posencd/copyright",
                        *("%s/%s" % (UNIT_FOLDER, unit) for unit in UNITS)],
            "libposenc0": ["usr/lib/MACHINE/libposenc.so.0"],
            "libposenc-dev": ["usr/include/posenc.h", "usr/include/posenc_show.h",
                              "usr/include/posenc_verify.h", "usr/lib/MACHINE/libposenc.a",
                              "usr/lib/MACHINE/libposenc.so",
                              "usr/lib/MACHINE/pkgconfig/posenc.pc",
                              "usr/share/man/man3/posenc.3.gz"],
        }
        machine = run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
        for name, paths in wanted.items():
            for path in paths:
                self.assertIn(path.replace("MACHINE", machine), self.files[name])
        self.assertEqual([path for path in self.files["posencd"] if path.startswith("etc/")],
                         [SETTINGS])

    def test_they_need_the_libraries_of_the_program_and_no_more(self):
        needed = run("readelf", "-d", os.path.join(ROOT, "build", "posencd"))
        sonames = set(re.findall(r"NEEDED.*\[lib(\w+)\.so", needed)) - {"c", "m"}
        depends = field(self.packages["posencd"], "Depends")
        names = {re.match(r"lib([a-z]+)", one.strip()).group(1)
                 for one in depends.split(",") if one.strip().startswith("lib")} - {"c"}
        self.assertEqual(len(names | {"zlib"}), len(sonames | {"zlib"}) - ("z" in sonames),
                         (names, sonames))


class Life(unittest.TestCase):
    def setUp(self):
        self.system = System()
        self.addCleanup(self.system.close)
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-next-")
        self.addCleanup(self.folder.cleanup)
        self.packages = packages()

    def test_what_is_installed_is_upgraded_and_purged_without_a_rest(self):
        system = self.system
        system.dpkg("--install", *self.packages.values())
        wants = "etc/systemd/system/multi-user.target.wants/posencd.service"
        self.assertEqual(os.readlink(system.path(wants)), "/%s/posencd.service" % UNIT_FOLDER)
        self.assertFalse(os.path.exists(system.path(
            "etc/systemd/system/sockets.target.wants/posencd.socket")), "enabled unasked")
        with open(system.path(SETTINGS), "a", encoding="utf-8") as settings:
            settings.write("POSENCD_THREADS=1\n")
        changed = system.text(SETTINGS)

        system.dpkg("--install", *(raised(path, self.folder.name)
                                   for path in self.packages.values()))
        self.assertEqual(system.text(SETTINGS), changed)
        self.assertTrue(os.path.islink(system.path(wants)))
        self.assertIn("+next", system.text("var/lib/dpkg/status"))

        system.dpkg("--remove", *NAMES)
        self.assertEqual(system.text(SETTINGS), changed)
        self.assertFalse(os.path.exists(system.path("usr/bin/posencd")))
        system.dpkg("--purge", *NAMES)
        self.assertEqual(system.files(), system.before)

    def test_a_unit_that_was_disabled_stays_so(self):
        system = self.system
        system.dpkg("--install", self.packages["posencd"])
        wants = system.path("etc/systemd/system/multi-user.target.wants/posencd.service")
        os.unlink(wants)
        system.dpkg("--install", raised(self.packages["posencd"], self.folder.name))
        self.assertFalse(os.path.lexists(wants))


class Installed(unittest.TestCase):
    """The packages unpacked into a folder."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="posencd-unpacked-")
        for path in packages().values():
            run("dpkg-deb", "--extract", path, cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, inner):
        return os.path.join(self.folder.name, inner)

    def text(self, inner):
        with open(self.path(inner), encoding="utf-8") as file:
            return file.read()

    def test_what_is_packaged_is_hardened(self):
        for kind, inner in ((PROGRAM, "usr/bin/posencd"), (LIBRARY, "usr/lib/*/libposenc.so.0"),
                            (OBJECT, "usr/lib/*/libposenc.a")):
            path, = glob.glob(self.path(inner))
            self.assertEqual(lacks(kind, path), [])

    def test_flags_that_debian_adds_are_kept(self):
        def asked(**adds):
            said = run("make", "-n", "-f", "deploy/debian/rules", "override_dh_auto_build",
                       "SOURCE=" + ROOT, "POSENCD_CFLAGS=-g", cwd=ROOT,
                       env=dict(os.environ, MAKEFLAGS="", MAKELEVEL="1", **adds))
            return re.findall(r"\b(CFLAGS|CPPFLAGS|LDFLAGS)='(.*?)'", said)
        # Ours include all that Debian 12 has, so what was tested is packaged as it is.
        self.assertEqual(asked(), [("CFLAGS", "-g"), ("CPPFLAGS", ""), ("LDFLAGS", "")])
        self.assertEqual(
            asked(DEB_CFLAGS_APPEND="-fno-plt", DEB_CPPFLAGS_APPEND="-DA", DEB_LDFLAGS_APPEND="-Wl,-O1"),
            [("CFLAGS", "-g -fno-plt"), ("CPPFLAGS", "-DA"), ("LDFLAGS", "-Wl,-O1")])

    def settings(self, name):
        return re.findall(r"^%s=(.*)$" % name, self.text(UNIT_FOLDER + "/posencd.service"), re.M)

    def test_systemd_understands_the_units(self):
        with tempfile.TemporaryDirectory() as folder:
            for unit in UNITS:
                with open(os.path.join(folder, unit), "w", encoding="utf-8") as file:
                    file.write(self.text("%s/%s" % (UNIT_FOLDER, unit)).replace(
                        "/usr/bin/posencd", self.path("usr/bin/posencd")))
            paths = [os.path.join(folder, unit) for unit in UNITS]
            environment = dict(os.environ, SYSTEMD_UNIT_PATH=folder + ":")
            said = run("systemd-analyze", "verify", "--man=no", *paths, env=environment)
            self.assertEqual(said.strip(), "")
            # At most 1.5 of 10, where 10 is a service without any protection.
            run("systemd-analyze", "security", "--offline=true", "--threshold=15", "--no-pager",
                paths[0], env=environment)

    def test_the_service_and_its_socket_belong_together(self):
        self.assertEqual(self.settings("Type"), ["notify"])
        socket = self.text(UNIT_FOLDER + "/posencd.socket")
        listen = re.search(r"^ListenStream=(.*)$", socket, re.M).group(1)
        default = run(self.path("usr/bin/posencd"), "check-config")
        self.assertIn("listen = %s (default)" % listen, default)
        # A given address would make the passed socket one that no address names.
        self.assertNotRegex(self.text(SETTINGS), r"(?m)^POSENCD_LISTEN=")

    def test_every_page_of_the_manual_is_read_by_mandoc(self):
        pages = sorted(glob.glob(self.path("usr/share/man/man*/*.gz")))
        self.assertGreater(len(pages), 10)
        for name in pages:
            with gzip.open(name) as page:
                done = subprocess.run(["mandoc", "-Tutf8", "-Werror"], input=page.read(),
                                      capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, b""), name)
            self.assertIn("posenc", done.stdout.decode())

    def test_completion_is_that_of_the_program(self):
        for shell, path in (("bash", "usr/share/bash-completion/completions/posencd"),
                            ("zsh", "usr/share/zsh/vendor-completions/_posencd"),
                            ("fish", "usr/share/fish/vendor_completions.d/posencd.fish")):
            self.assertEqual(run(self.path("usr/bin/posencd"), "completion", shell),
                             self.text(path))
        run("bash", "-n", self.path("usr/share/bash-completion/completions/posencd"))

    def test_systemd_passes_it_a_socket(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "web")
            server = subprocess.Popen(
                ["systemd-socket-activate", "--listen", path, "--fdname=web", "-E",
                 "POSENCD_CGROUP_ROOT=", self.path("usr/bin/posencd"), "serve", "--listen",
                 "fd:web", "--drain-delay", "0"], stderr=subprocess.PIPE)
            try:
                self.assertIn(b"Listening on", server.stderr.readline())
                with Client(path) as one:
                    self.assertEqual(one.get(ROW).json()["tensors"][0]["data"], VALUES)
                server.terminate()
                self.assertEqual(server.wait(60), 0)
                self.assertTrue(os.path.exists(path), "the file of a passed socket was removed")
            finally:
                server.kill()
                server.wait()
                server.stderr.close()

    def environment(self):
        """The variables of the unit and of /etc/default/posencd."""
        lines = self.settings("Environment") + self.text(SETTINGS).splitlines()
        return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))

    def start(self, manager):
        """The service as the unit starts it, beside the flags of every test."""
        command = shlex.split(self.settings("ExecStart")[0])
        self.assertEqual(command, ["/usr/bin/posencd", "serve"])
        environment = self.environment()
        before = shlex.split(self.settings("ExecStartPre")[0])
        run(self.path(before[0].lstrip("/")), *before[1:], env=dict(os.environ, **environment))
        usec = 1000000 * int(self.settings("WatchdogSec")[0])
        server = manager.start(program=self.path("usr/bin/posencd"), env=environment,
                               WATCHDOG_USEC=str(usec))
        self.assertEqual(manager.hear(), ["READY=1"])
        self.assertEqual(manager.hear(), ["WATCHDOG=1"])
        return server

    def test_a_killed_service_is_started_again_and_no_client_is_refused(self):
        with Manager("web") as manager:
            server = self.start(manager)
            with Client(manager.address("web")) as one:
                self.assertEqual(one.get(ROW).json()["tensors"][0]["data"], VALUES)
            server.process.kill()
            self.assertEqual(server.process.wait(), -signal.SIGKILL)
            self.assertEqual(self.settings("Restart"), ["on-failure"])
            server.process.stderr.close()
            server.folder.cleanup()
            with Client(manager.address("web")) as waiting:
                waiting.request("GET", ROW)
                with self.start(manager):
                    self.assertEqual(waiting.reply().json()["tensors"][0]["data"], VALUES)


for tool in ("lintian", "dpkg-deb", "systemd-analyze", "systemd-socket-activate", "mandoc"):
    assert shutil.which(tool), "%s is missing: run `make deps-package`" % tool
