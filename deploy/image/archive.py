#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""archive.py FROM TO NAME:TAG - writes an image that buildah has saved (docker-archive) without what is of one
build alone: names of containers and hosts, the tool's version. TO can be loaded by docker and podman, and
is an OCI layout, too, whose manifest has the digest that is printed. The same image makes the same bytes."""

import hashlib
import io
import json
import sys
import tarfile

# What the configuration of an image says of its containers; the rest is of the container that built it.
KEPT = ("User", "ExposedPorts", "Env", "Entrypoint", "Cmd", "Healthcheck", "Labels", "StopSignal")
TOOL = "io.buildah.version"
OCI = "application/vnd.oci.image."


def clean(whole):
    config = {key: whole["config"][key] for key in KEPT if whole["config"].get(key)}
    config["Labels"] = {key: value for key, value in config["Labels"].items() if key != TOOL}
    return {**{key: whole[key] for key in ("created", "architecture", "os", "rootfs", "history")},
            "config": config}


def encode(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


class Layout:
    """The files of an archive by their paths."""

    def __init__(self):
        self.files = {}

    def add(self, kind, data):
        """Adds a blob: its descriptor."""
        digest = hashlib.sha256(data).hexdigest()
        self.files["blobs/sha256/" + digest] = data
        return {"mediaType": OCI + kind, "digest": "sha256:" + digest, "size": len(data)}

    def write(self, path):
        with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
            for name, data in sorted(self.files.items()):
                member = tarfile.TarInfo(name)
                member.size, member.mode = len(data), 0o644
                tar.addfile(member, io.BytesIO(data))


def blob_path(descriptor):
    return "blobs/" + descriptor["digest"].replace(":", "/")


def main():
    source, target, name = sys.argv[1:]
    layout = Layout()
    with tarfile.open(source) as tar:
        saved = json.load(tar.extractfile("manifest.json"))[0]
        config = layout.add("config.v1+json", encode(clean(json.load(tar.extractfile(saved["Config"])))))
        layers = [layout.add("layer.v1.tar", tar.extractfile(layer).read()) for layer in saved["Layers"]]
    manifest = layout.add("manifest.v1+json", encode({
        "schemaVersion": 2, "mediaType": OCI + "manifest.v1+json", "config": config, "layers": layers}))
    layout.files["oci-layout"] = encode({"imageLayoutVersion": "1.0.0"})
    layout.files["index.json"] = encode({
        "schemaVersion": 2, "mediaType": OCI + "index.v1+json", "manifests": [{
            **manifest, "annotations": {"io.containerd.image.name": "docker.io/library/" + name,
                                        "org.opencontainers.image.ref.name": name.split(":")[1]}}]})
    layout.files["manifest.json"] = encode([{"Config": blob_path(config), "RepoTags": [name],
                                             "Layers": [blob_path(layer) for layer in layers]}])
    layout.write(target)
    print(manifest["digest"])


if __name__ == "__main__":
    main()
