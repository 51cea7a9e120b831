# SPDX-License-Identifier: Apache-2.0
"""image.py - an image as `docker load` would read it: its configuration and its files."""

import json
import os
import tarfile

from support.posencd import ROOT

FULL = os.environ.get("FULL")
# The folder of the image under test.
FOLDER = os.environ.get("IMAGE", os.path.join(ROOT, "build", "image", "host"))


class Image:
    """The image that image.sh has made in a folder."""

    def __init__(self, folder=FOLDER):
        self.folder = folder
        self.path = os.path.join(self.folder, "posencd.tar")
        with tarfile.open(self.path) as tar:
            manifest = json.load(tar.extractfile("manifest.json"))[0]
            self.whole = json.load(tar.extractfile(manifest["Config"]))
            self.layers = manifest["Layers"]
        self.config = self.whole["config"]
        self.labels = self.config["Labels"]

    def members(self):
        """Every entry of its layers, in their order."""
        with tarfile.open(self.path) as tar:
            for layer in self.layers:
                with tarfile.open(fileobj=tar.extractfile(layer)) as inner:
                    yield from inner

    def extract(self, root):
        """Writes the files with their modes; owners as far as the user may set them."""
        with tarfile.open(self.path) as tar:
            for layer in self.layers:
                with tarfile.open(fileobj=tar.extractfile(layer)) as inner:
                    inner.extractall(root)

    def size(self):
        """Bytes of its files, as `docker images` counts them."""
        return sum(member.size for member in self.members() if member.isfile())

    def digest(self):
        with open(os.path.join(self.folder, "digest"), encoding="ascii") as file:
            return file.read().strip()

    def environment(self):
        return dict(word.split("=", 1) for word in self.config["Env"])
