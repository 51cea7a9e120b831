# SPDX-License-Identifier: Apache-2.0
"""debian.py - what dpkg of this machine knows of a file: the package that it is from, the entry of that
package, and where its copyright is."""

import os
import re
import subprocess

COMMON = "/usr/share/common-licenses"
# Fields of the system that the package was installed on, which are wrong where some files of it stand.
LOCAL = ("Conffiles", "Config-Version")


def output(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                          env=dict(os.environ, LC_ALL="C"))
    return done.stdout.decode("utf-8") if done.returncode == 0 else None


class Package:
    """A package of this machine: its name, architecture and the fields of its entry."""

    def __init__(self, name):
        self.entry = self.without_local(output("dpkg-query", "--status", name))
        self.fields = dict(re.findall(r"^([A-Za-z-]+): *(.*)$", self.entry, re.M))
        self.name, self.arch = self.fields["Package"], self.fields["Architecture"]
        self.version = self.fields["Version"]

    @staticmethod
    def without_local(entry):
        fields = re.split(r"\n(?=\S)", entry.strip("\n"))
        return "\n".join(field for field in fields if not field.startswith(LOCAL)) + "\n"

    def source(self):
        """(name, version) of the source package."""
        said = re.fullmatch(r"(\S+)(?: \((\S+)\))?", self.fields.get("Source", self.name))
        return said.group(1), said.group(2) or self.version

    def copyright(self):
        return "/usr/share/doc/%s/copyright" % self.name


def owner(path):
    """The package that a file is from. dpkg may know the file by its name before /usr was merged."""
    real = os.path.realpath(path)
    for name in (real, real.removeprefix("/usr")):
        said = output("dpkg-query", "--search", name)
        if said:
            return Package(said.split(": ")[0])
    raise SystemExit("ship.py: %s is of no package of Debian, so that its version is not known" % path)


def licences(text):
    """The texts below /usr/share/common-licenses that a copyright file refers to."""
    names = set(re.findall(COMMON + r"/([A-Za-z0-9.+-]*[A-Za-z0-9])", text))
    return sorted(path for path in (os.path.join(COMMON, name) for name in names)
                  if os.path.exists(path))
