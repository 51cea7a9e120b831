# SPDX-License-Identifier: Apache-2.0
"""clean_root.py - a place where the files of a release are tried without a network: a root of Debian's own with
the packages that their users would have, or this machine's root, where nothing may be installed."""

import hashlib
import os
import shutil
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# What the checks themselves need, and what users of the packages of languages have.
PACKAGES = ["python3", "python3-numpy", "python3-pip", "python3-venv", "python3-setuptools", "python3-wheel",
            "python3-yaml", "python3-jsonschema", "nodejs", "make", "init-system-helpers", "gpgv"]
SOURCES = ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"]
BEGIN = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
BUILD = os.path.join(HERE, "..", "..", "build")


def npm_folder():
    """npm with all that it needs, as Node's own packages have it; None: it is Debian's, in many packages."""
    found = shutil.which("npm")
    folder = os.path.dirname(os.path.dirname(os.path.realpath(found))) if found else ""
    return folder if os.path.isdir(os.path.join(folder, "node_modules")) else None


class ThisMachine:
    """Its root, in a folder of the test's own and without a network."""

    where = "on this machine, offline"
    clean = False

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-release-")

    def carry(self, path):
        """The path of a file or folder in the root."""
        return os.path.abspath(path)

    def command(self, *words):
        return ["unshare", *([] if os.getuid() == 0 else ["--map-root-user"]), "--net", *words]

    def close(self):
        self.folder.cleanup()


def base_with(names):
    """A folder with a Debian that has the packages. It is kept for the next release: remove it to get Debian's
    security updates."""
    sources = next(path for path in SOURCES if os.path.exists(path))
    digest = hashlib.sha256(" ".join(names).encode()).hexdigest()[:12]
    base = os.path.join(os.environ.get("RELEASE_BASES", BUILD), "release-root-" + digest)
    if not os.path.exists(base):
        part = base + ".part"
        shutil.rmtree(part, ignore_errors=True)
        subprocess.run(["mmdebstrap", "--quiet", "--variant=apt", "--include=" + ",".join(names),
                        "--aptopt=APT::Install-Recommends \"false\"", "bookworm", part, sources], check=True)
        os.rename(part, base)
    return base


class CleanRoot(ThisMachine):
    """A Debian with PACKAGES and others. Whoever makes it is root."""

    where = "in a clean root, offline"
    clean = True

    def __init__(self, packages):
        super().__init__()
        self.root = os.path.join(self.folder.name, "root")
        base = base_with(sorted({*PACKAGES, *packages, *([] if npm_folder() else ["npm"])}))
        subprocess.run(["cp", "-a", "--reflink=auto", base, self.root], check=True)

    def carry(self, path):
        inner = "/carried/" + os.path.basename(path)
        target = self.root + inner
        os.makedirs(os.path.dirname(target), exist_ok=True)
        (shutil.copytree if os.path.isdir(path) else shutil.copy)(path, target)
        return inner

    def command(self, *words):
        return ["unshare", "--net", "--mount", "--pid", "--fork", "sh", "-c", BEGIN, self.root, *words]
