#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""ship.py PROGRAM FOLDER --version V --arch A --triplet T [--strip S] - makes the root of an image in
FOLDER/root: the program, the loader and the libraries that it needs, an unprivileged user, and what
scanners and lawyers read: entries of dpkg in /var/lib/dpkg/status.d, copyright files and the licences
that they name. FOLDER/posencd.spdx.json is the bill of materials. Every file of the root has the time
SOURCE_DATE_EPOCH."""

import argparse
import hashlib
import os
import shutil
import subprocess

import debian
import spdx
from closure import closure

OURS = "usr/share/doc/posencd/copyright"
HERE = os.path.dirname(os.path.abspath(__file__))
# By these scanners know the distribution, whose package is base-files.
SYSTEM = ("/etc/debian_version", "/usr/lib/os-release")
ACCOUNTS = {"etc/passwd": "posenc:x:65532:65532:posenc:/:/usr/sbin/nologin\n",
            "etc/group": "posenc:x:65532:\n"}
BOOK = "var/lib/dpkg/status.d"


class Root:
    """A root that is being filled; `files` is {path: Package, or None for a file of ours}."""

    def __init__(self, folder):
        self.folder, self.files = folder, {}
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.join(folder, "tmp"))
        os.chmod(os.path.join(folder, "tmp"), 0o1777)

    def path(self, inner):
        path = os.path.join(self.folder, inner)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def write(self, inner, text):
        with open(self.path(inner), "w", encoding="utf-8") as file:
            file.write(text)

    def copy(self, source, inner, package=None, mode=0o644):
        shutil.copyfile(source, self.path(inner))
        os.chmod(self.path(inner), mode)
        self.files[inner] = package

    def copy_same(self, source, package, mode=0o644):
        """Copies a file of a package to the same path."""
        self.copy(source, source.lstrip("/"), package, mode)

    def text(self, inner):
        with open(self.path(inner), encoding="utf-8") as file:
            return file.read()

    def checksum(self, inner):
        with open(self.path(inner), "rb") as file:
            return hashlib.md5(file.read()).hexdigest()  # that of dpkg's lists

    def set_times(self, epoch):
        for folder, _, names in os.walk(self.folder, topdown=False):
            for name in names + ["."]:
                os.utime(os.path.join(folder, name), (epoch, epoch), follow_symlinks=False)


def add_program(root, arguments):
    root.copy(arguments.program, "usr/bin/posencd", None, 0o755)
    subprocess.run([arguments.strip, root.path("usr/bin/posencd")], check=True)
    folders = ["%s/%s" % (folder, arguments.triplet) for folder in ("/lib", "/usr/lib")]
    for path in closure(arguments.program, folders):
        root.copy_same(path, debian.owner(path), 0o755)


def add_licences(root):
    """The copyright files of what is in the root, and the common licences that they name."""
    packages = {package.name: package for package in root.files.values() if package}
    for path in SYSTEM:
        root.copy_same(path, debian.owner(path))
    base = root.files[SYSTEM[0].lstrip("/")]
    os.symlink("../usr/lib/os-release", root.path("etc/os-release"))
    root.copy(os.path.join(HERE, "..", "debian", "copyright"), OURS)
    for package in [*packages.values(), base]:
        root.copy_same(package.copyright(), package)
    named = {path for inner in [OURS] + [package.copyright().lstrip("/") for package in packages.values()]
             for path in debian.licences(root.text(inner))}
    for path in sorted(named):
        root.copy_same(path, base)


def add_book(root):
    """dpkg's entry of each package, and which of its files are here."""
    for package in {one.name: one for one in root.files.values() if one}.values():
        root.write("%s/%s" % (BOOK, package.name), package.entry)
        root.write("%s/%s.md5sums" % (BOOK, package.name), "".join(
            "%s  %s\n" % (root.checksum(inner), inner)
            for inner, owner in sorted(root.files.items()) if owner and owner.name == package.name))


def distribution():
    """The system that the packages are of, as package URLs name it: debian-12."""
    with open("/usr/lib/os-release", encoding="utf-8") as file:
        words = dict(line.strip().split("=", 1) for line in file if "=" in line)
    return "%s-%s" % (words["ID"], words["VERSION_ID"].strip('"'))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("folder")
    for name in ("version", "arch", "triplet"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--strip", default="strip")
    arguments = parser.parse_args()
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    os.umask(0o022)

    root = Root(os.path.join(arguments.folder, "root"))
    add_program(root, arguments)
    add_licences(root)
    add_book(root)
    for inner, text in ACCOUNTS.items():
        root.write(inner, text)
    root.set_times(epoch)
    with open(os.path.join(arguments.folder, "posencd.spdx.json"), "w", encoding="utf-8") as file:
        file.write(spdx.document(root.folder, root.files, arguments.version, arguments.arch,
                                 distribution(), epoch))


if __name__ == "__main__":
    main()
