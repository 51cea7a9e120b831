# SPDX-License-Identifier: Apache-2.0
"""deb.py - the Debian packages of this checkout: what they contain, and a system of its own in a folder
that they are installed into."""

import glob
import hashlib
import os
import re
import shutil
import subprocess
import tempfile

from support.posencd import ROOT

FOLDER = os.path.join(ROOT, "build", "deb")
NAMES = ("posencd", "libposenc0", "libposenc-dev")
UNITS = ("posencd.service", "posencd.socket")
UNIT_FOLDER = "lib/systemd/system"
SETTINGS = "etc/default/posencd"
# Written by dpkg, apt and the tools of maintainer scripts for themselves.
BOOKS = ("var/lib/dpkg/", "var/cache/", "var/log/", "var/lib/apt/", "tmp/", "etc/ld.so.cache",
         "root/", "run/", "dev/", "proc/", "sys/")


def run(*command, **options):
    """A command that must succeed: its output as text, of both streams."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          stdin=subprocess.DEVNULL, **options)
    text = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, "%s: exit code %d\n%s" % (" ".join(command), done.returncode, text)
    return text


def packages(folder=FOLDER):
    """{name: path} of the packages in a folder, one of each."""
    found = {os.path.basename(path).split("_")[0]: path
             for path in glob.glob(os.path.join(folder, "*.deb"))}
    assert set(found) == set(NAMES), "packages %s: run `make deb`" % sorted(found)
    return found


def field(path, name):
    return run("dpkg-deb", "--field", path, name).strip()


def contents(path):
    """The files of a package, without folders."""
    lines = run("dpkg-deb", "--contents", path).splitlines()
    return sorted(re.sub(r" -> .*", "", line.split(None, 5)[5]).removeprefix("./")
                  for line in lines if not line.startswith("d"))


def raised(path, folder):
    """The package with a higher version, and an addition to its settings if it has any."""
    tree = os.path.join(folder, "tree")
    run("dpkg-deb", "--raw-extract", path, tree)
    control = os.path.join(tree, "DEBIAN", "control")
    with open(control, encoding="utf-8") as file:
        text = file.read()
    version = re.search(r"^Version: (.*)$", text, re.M).group(1)
    with open(control, "w", encoding="utf-8") as file:
        file.write(text.replace(version, version + "+next"))
    if os.path.exists(os.path.join(tree, SETTINGS)):
        with open(os.path.join(tree, SETTINGS), "a", encoding="utf-8") as file:
            file.write("# of the next version\n")
    made = os.path.join(folder, os.path.basename(path).replace(version, version + "+next"))
    run("dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, made)
    shutil.rmtree(tree)
    return made


def files(root):
    """{path: digest} of every file below a root, without the books of dpkg and its tools."""
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            inner = os.path.relpath(path, root)
            if inner.startswith(BOOKS):
                continue
            if os.path.islink(path):
                found[inner] = os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    found[inner] = hashlib.sha256(file.read()).hexdigest()
    return found


class System:
    """An empty system in a folder. Maintainer scripts run outside of it with DPKG_ROOT, and with
    systemctl and deb-systemd-invoke that only note how they are called: this machine's services are
    not touched."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-system-")
        self.root = os.path.join(self.folder.name, "root")
        self.calls = os.path.join(self.folder.name, "calls")
        tools = os.path.join(self.folder.name, "tools")
        os.makedirs(os.path.join(self.root, "var/lib/dpkg/info"))
        for name in ("status", "available"):
            open(os.path.join(self.root, "var/lib/dpkg", name), "w", encoding="ascii").close()
        os.mkdir(tools)
        for name in ("systemctl", "deb-systemd-invoke"):
            path = os.path.join(tools, name)
            with open(path, "w", encoding="ascii") as script:
                script.write("#!/bin/sh\necho %s \"$@\" >>'%s'\n" % (name, self.calls))
            os.chmod(path, 0o755)
        self.environment = dict(os.environ, PATH=tools + ":" + os.environ["PATH"] +
                                ":/usr/sbin:/sbin", DEBIAN_FRONTEND="noninteractive")
        self.before = self.files()

    def dpkg(self, *arguments):
        as_root = [] if os.getuid() == 0 else ["fakeroot"]
        return run(*as_root, "dpkg", "--root=" + self.root, "--force-script-chrootless",
                   "--force-depends", "--force-confold", *arguments, env=self.environment)

    def path(self, inner):
        return os.path.join(self.root, inner)

    def text(self, inner):
        with open(self.path(inner), encoding="utf-8") as file:
            return file.read()

    def files(self):
        return files(self.root)

    def close(self):
        self.folder.cleanup()
