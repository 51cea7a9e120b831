# SPDX-License-Identifier: Apache-2.0
"""test_contents.py - what the image consists of: every library that is needed and no other, each with the
package, version and licence that Debian gives it, in the book that scanners read and in the bill of
materials; its labels; nothing that depends on where or when it was built."""

import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from image import FOLDER, Image
from support.hardening import PROGRAM as KIND, lacks
from support.posencd import ROOT

PROGRAM = "usr/bin/posencd"
BOOK = "var/lib/dpkg/status.d"
COMMON = "/usr/share/common-licenses/"
SIZE = 17.9e6
LIBRARIES = 19  # packages of Debian that posencd is linked with, directly or not
NEEDED = {"Package", "Status", "Version", "Architecture", "Maintainer", "Description"}


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          env=dict(os.environ, LC_ALL="C")).stdout.decode()


def entries(text):
    """{(package, architecture): fields} of a book of dpkg."""
    found = {}
    for entry in text.strip().split("\n\n"):
        fields = dict(re.findall(r"^([A-Za-z-]+): *(.*)$", entry, re.M))
        found[fields["Package"], fields["Architecture"]] = fields
    return found


class Contents(unittest.TestCase):
    image_folder = FOLDER

    @classmethod
    def setUpClass(cls):
        cls.image = Image(cls.image_folder)
        cls.folder = tempfile.mkdtemp(prefix="posencd-contents-")
        cls.root = os.path.join(cls.folder, "root")
        cls.image.extract(cls.root)
        cls.arch = cls.image.whole["architecture"]
        cls.book = entries("\n\n".join(cls.text(path) for path in cls.files()
                                       if path.startswith(BOOK) and not path.endswith("sums")))
        cls.lists = {os.path.basename(path).removesuffix(".md5sums"): dict(
            reversed(line.split("  ", 1)) for line in cls.text(path).splitlines())
            for path in cls.files() if path.startswith(BOOK) and path.endswith(".md5sums")}
        with open(os.path.join(cls.image_folder, "posencd.spdx.json"), encoding="utf-8") as file:
            cls.bill = json.load(file)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def files(cls):
        return sorted(os.path.relpath(os.path.join(folder, name), cls.root)
                      for folder, _, names in os.walk(cls.root) for name in names)

    @classmethod
    def data(cls, path):
        with open(os.path.join(cls.root, path), "rb") as file:
            return file.read()

    @classmethod
    def text(cls, path):
        return cls.data(path).decode("utf-8").rstrip("\n")

    def elves(self):
        return [path for path in self.files() if self.data(path)[:4] == b"\x7fELF"]

    def needs(self, path):
        """(names of libraries, the loader's path or None) that an ELF file asks for."""
        said = output("readelf", "--wide", "--dynamic", "--program-headers", os.path.join(self.root, path))
        loader = re.search(r"interpreter: /([^\]]+)\]", said)
        return set(re.findall(r"\(NEEDED\).*\[(.+)\]", said)), loader and loader.group(1)

    def base(self):
        """The root of the Debian that it was built in: its base image, or this machine."""
        base = os.path.join(self.image_folder, "base")
        return base if os.path.exists(base) else ""

    def debian(self):
        """The book of that Debian."""
        with open(self.base() + "/var/lib/dpkg/status", encoding="utf-8") as file:
            return entries(file.read())

    def test_every_library_is_there_and_no_other(self):
        shipped = {os.path.basename(path): path for path in self.elves() if path != PROGRAM}
        needed = set()
        for path in self.elves():
            names, loader = self.needs(path)
            needed |= names
            if loader:
                needed.add(os.path.basename(loader))
                self.assertIn(loader, self.files())
        self.assertEqual(set(shipped), needed)
        if os.path.basename(self.image_folder) == "host":
            said = output("ldd", os.path.join(ROOT, "build", "posencd"))
            self.assertEqual(set(shipped), {os.path.basename(path)
                                            for path in re.findall(r"(/\S+) \(0x", said)})

    def test_every_library_has_its_package_and_version(self):
        debian = self.debian()
        for path in self.elves():
            if path == PROGRAM:
                continue
            owners = [name for name, files in self.lists.items() if path in files]
            self.assertEqual(len(owners), 1, path)
            self.assertEqual(hashlib.md5(self.data(path)).hexdigest(), self.lists[owners[0]][path])
            fields = self.book[owners[0], self.arch]
            self.assertEqual(fields["Version"], debian[owners[0], self.arch]["Version"])
            self.assertEqual(fields.get("Source"), debian[owners[0], self.arch].get("Source"))
        libraries = {name for name, files in self.lists.items() if any(".so" in path for path in files)}
        print("  %s: %d libraries of %d packages, %.2f MB" % (
            self.arch, len(self.elves()) - 1, len(libraries), self.image.size() / 1e6), flush=True)
        self.assertEqual(len(libraries), LIBRARIES)

    def test_the_bytes_of_libraries_are_those_of_debian(self):
        for name, files in self.lists.items():
            info = self.base() + "/var/lib/dpkg/info/" + name
            info = next(path for path in ("%s:%s.md5sums" % (info, self.arch), info + ".md5sums")
                        if os.path.exists(path))
            with open(info, encoding="utf-8") as file:
                sums = {line.split()[0] for line in file}
            for path, digest in files.items():
                if ".so" in path:
                    self.assertIn(digest, sums, path)

    def test_scanners_find_whole_entries(self):
        self.assertEqual({name for name, _ in self.book}, set(self.lists))
        for fields in self.book.values():
            self.assertLessEqual(NEEDED, set(fields), fields["Package"])
            self.assertEqual(fields["Status"], "install ok installed")
        system = dict(line.split("=", 1) for line in self.text("etc/os-release").splitlines())
        self.assertEqual((system["ID"], system["VERSION_ID"]), ("debian", '"12"'))
        self.assertRegex(self.text("etc/debian_version"), r"^12\.")

    def test_every_package_has_its_licence(self):
        for name in [*self.lists, "posencd"]:
            text = self.text("usr/share/doc/%s/copyright" % name)
            self.assertRegex(text, r"(?i)licen[sc]e|public domain|copyright")
            if name == "base-files":
                continue
            for licence in re.findall(COMMON + r"([\w.+-]*\w)", text):
                self.assertIn((COMMON + licence)[1:], self.files(), name)
        self.assertIn("Apache License", self.text((COMMON + "Apache-2.0")[1:]))

    def test_the_bill_of_materials_has_the_same_packages(self):
        packages = {one["name"]: one for one in self.bill["packages"]}
        self.assertEqual({(name, one["versionInfo"]) for name, one in packages.items()},
                         {(name, fields["Version"]) for (name, _), fields in self.book.items()} |
                         {("posencd", self.image.labels["org.opencontainers.image.version"])})
        for name, arch in self.book:
            locator = packages[name]["externalRefs"][0]["referenceLocator"]
            self.assertRegex(locator, r"^pkg:deb/debian/%s@[^?]+\?arch=%s&distro=debian-12&upstream=" % (
                re.escape(name), arch))
        self.assertEqual(self.bill["spdxVersion"], "SPDX-2.3")
        self.assertEqual(self.bill["creationInfo"]["created"],
                         self.image.labels["org.opencontainers.image.created"])

    def test_the_bill_of_materials_has_every_file(self):
        contains = {one["relatedSpdxElement"]: one["spdxElementId"] for one in self.bill["relationships"]
                    if one["relationshipType"] == "CONTAINS"}
        names = {one["SPDXID"]: one["name"] for one in self.bill["packages"]}
        listed = set()
        for one in self.bill["files"]:
            path = one["fileName"].removeprefix("./")
            sums = {each["algorithm"]: each["checksumValue"] for each in one["checksums"]}
            self.assertEqual(sums["SHA256"], hashlib.sha256(self.data(path)).hexdigest(), path)
            owner = names[contains[one["SPDXID"]]]
            self.assertTrue(owner == "posencd" or path in self.lists[owner], path)
            listed.add(path)
        own = {"etc/passwd", "etc/group", "etc/os-release"}
        self.assertEqual(listed, {path for path in self.files()
                                  if path not in own and not path.startswith(BOOK)})
        ids = [one["SPDXID"] for kind in ("packages", "files") for one in self.bill[kind]]
        self.assertEqual(len(ids), len(set(ids)))

    def test_labels_say_what_it_is(self):
        labels = {key.removeprefix("org.opencontainers.image."): value
                  for key, value in self.image.labels.items() if key.startswith("org.opencontainers")}
        epoch = int(output("git", "-C", ROOT, "log", "-1", "--format=%ct"))
        self.assertEqual(labels["title"], "posencd")
        self.assertEqual(labels["licenses"], "Apache-2.0")
        self.assertIn("positional encodings", labels["description"])
        self.assertEqual(labels["version"],
                         output(os.path.join(ROOT, "build", "posencd"), "version").split()[1])
        self.assertEqual(labels["revision"], output("git", "-C", ROOT, "rev-parse", "HEAD").strip())
        self.assertEqual(labels["created"], datetime.datetime.fromtimestamp(
            epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))
        self.assertEqual(self.image.whole["created"], labels["created"])
        self.assertEqual(self.image.whole["os"], "linux")

    def test_it_runs_as_nobody_by_default(self):
        config = self.image.config
        self.assertEqual(config["User"], "65532:65532")
        self.assertEqual(config["StopSignal"], "SIGTERM")
        self.assertEqual(config["Healthcheck"]["Test"], ["CMD", "/usr/bin/posencd", "health"])
        self.assertEqual(self.image.environment()["POSENCD_SECCOMP"], "on")
        self.assertIn("posenc:x:65532:65532:", self.text("etc/passwd"))

    def test_layers_do_not_depend_on_place_and_time(self):
        self.assertEqual(len(self.image.layers), 1)
        epoch = int(output("git", "-C", ROOT, "log", "-1", "--format=%ct"))
        members = list(self.image.members())
        self.assertEqual([member.name for member in members],
                         sorted((member.name for member in members), key=lambda name: name.split("/")))
        for member in members:
            self.assertEqual((member.uid, member.gid, int(member.mtime)), (0, 0, epoch), member.name)
        for place in (ROOT, "/src/core/", "/src/server/"):  # of this machine, and of the Dockerfile
            self.assertFalse(place.encode() in self.data(PROGRAM), place)

    def test_the_program_is_hardened(self):
        self.assertEqual(lacks(KIND, os.path.join(self.root, PROGRAM)), [])

    def test_it_is_small(self):
        self.assertLessEqual(self.image.size(), SIZE)
