#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""verify.py FOLDER VERSION root|here [PACKAGE...] - tries every file of a release where there is no network, in a
clean root of Debian or on this machine, and prints a table of what was made, how it is used and how it was
tried. PACKAGE... are those that a build needs. What is signed is compared with the key SIGN of gpg's keyring.
It fails if a check fails, or if two artefacts compute different bytes."""

import glob
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import artefacts  # noqa: E402, the line above keeps the folder clean
from clean_root import HERE, CleanRoot, ThisMachine, npm_folder  # noqa: E402

RENDER = os.path.join(HERE, "..", "..", "build", "kubernetes", "render")
MOST = 600  # characters of what a check that fails says, its end
LEAST = {"chart": RENDER}  # what a check needs that a release may be made without


def depends(folder):
    """The packages that the Debian packages of a release depend on."""
    found = set()
    for path in glob.glob(os.path.join(folder, "*.deb")):
        said = subprocess.run(["dpkg-deb", "--field", path, "Depends"], check=True, stdout=subprocess.PIPE, text=True)
        found |= {one.strip().split()[0].partition(":")[0] for one in said.stdout.split(",") if one.strip()}
    return {one for one in found if not one.startswith("libposenc")}


def emulator(folder):
    """What runs programs of other architectures, if there is an image of one."""
    native = subprocess.run(["dpkg", "--print-architecture"], check=True, stdout=subprocess.PIPE, text=True).stdout
    images = glob.glob(os.path.join(folder, "*.image.tar"))
    return ["qemu-user-static"] if any(native.strip() not in os.path.basename(one) for one in images) else []


def keyring(folder):
    """The caller's public key, as a file of gpg's keyrings in the folder."""
    path = os.path.join(folder, "keys.gpg")
    subprocess.run(["gpg", "--batch", "--yes", "--output", path, "--export", os.environ["SIGN"]], check=True)
    return path


class Trials:
    """The checks of a release, each of which runs once."""

    def __init__(self, place, folder, version, keys):
        self.place, self.version, self.done = place, version, {}
        self.environment = {
            "RELEASE": place.carry(folder), "VERSION": version, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin",
            "LC_ALL": "C.UTF-8", "KEYRING": place.carry(keys) if keys else "",
            "RENDER": place.carry(RENDER) if os.path.exists(RENDER) else "",
            "NPM": os.path.join(place.carry(npm_folder()), "bin", "npm-cli.js") if npm_folder() else
                   "/usr/share/nodejs/npm/bin/npm-cli.js"}
        self.checks = place.carry(os.path.join(HERE, "checks.py"))

    def work(self):
        """A new folder in the place, by its path there."""
        root = getattr(self.place, "root", "")
        return tempfile.mkdtemp(dir=root + "/tmp" if root else self.place.folder.name)[len(root):]

    def run(self, row):
        """(whether it passed or None, what it said)."""
        if row.alone and not self.place.clean:
            return None, "not tried: it needs a clean root"
        if not os.path.exists(LEAST.get(row.check, "/")):
            return None, "not tried: %s is missing" % os.path.relpath(LEAST[row.check])
        done = subprocess.run(
            self.place.command("/usr/bin/python3", "-B", self.checks, row.check), check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=dict(self.environment, WORK=self.work()))
        return done.returncode == 0, done.stdout if done.returncode == 0 else done.stderr[-MOST:]

    def of(self, row):
        if row.check not in self.done:
            self.done[row.check] = self.run(row)
        return self.done[row.check]


def size(path):
    count = os.path.getsize(path)
    return "%.1f MB" % (count / 1e6) if count >= 1e6 else "%.1f kB" % (count / 1e3)


def table(folder, version, trials):
    """The table, whether all passed, and the digests of what was computed."""
    lines = ["| artefact | size | how to use it | how it was tried |", "|---|---|---|---|"]
    passed, digests = True, set()
    for name, row in artefacts.listed(folder, version):
        good, said = trials.of(row)
        tried = "%s, %s" % (row.tried, trials.place.where) if good else said if good is None else "FAILED: " + said
        lines.append("| `%s` | %s | %s | %s |" % (name, size(os.path.join(folder, name)),
                                                row.use.replace("FILE", name), " ".join(tried.split())))
        passed &= good is not False
        digests |= set(said.split()) if good else set()
    return lines, passed, digests


def main():
    folder, version, where, *packages = sys.argv[1:]
    folder = os.path.abspath(folder)
    if where == "root" and os.getuid() != 0:
        sys.exit("a clean root is made and entered by root: give VERIFY=here to try less, or VERIFY=no")
    with tempfile.TemporaryDirectory() as own:
        keys = keyring(own) if os.environ.get("SIGN") else None
        place = (CleanRoot([*packages, *depends(folder), *emulator(folder)]) if where == "root" else ThisMachine())
        try:
            lines, passed, digests = table(folder, version, Trials(place, folder, version, keys))
        finally:
            place.close()
    print("\n".join(lines))
    if len(digests) > 1:
        sys.exit("artefacts compute different bytes: " + " ".join(sorted(digests)))
    if not passed:
        sys.exit("a check of the release failed")


if __name__ == "__main__":
    main()
