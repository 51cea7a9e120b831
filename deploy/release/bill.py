#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""bill.py FOLDER VERSION [SOURCES] - prints the bill of materials of the files of a release in SPDX 2.3: each
file as a package with its checksum and address (purl), and what it needs or contains. Images have bills of
their own (deploy/image/spdx.py). SOURCES is the folder of the Debian sources that the WebAssembly modules are
linked with."""

import email
import fnmatch
import glob
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import urllib.parse
import zipfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(HERE, "..", "image")]
import spdx  # noqa: E402, found by the line above

# What is no package of the release: the bills of the images, checksums, signature.
APART = (".spdx.json", "SHA256SUMS", "SHA256SUMS.asc", ".image.tar")


def package(name, version, purl, **more):
    licence = more.pop("licence", "NOASSERTION")
    return {"SPDXID": spdx.identifier("package", more.get("packageFileName", purl)), "name": name,
            "versionInfo": version, "supplier": "NOASSERTION", "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", **more,
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": purl}]}


def checksum(path):
    with open(path, "rb") as file:
        return {"algorithm": "SHA256", "checksumValue": hashlib.sha256(file.read()).hexdigest()}


def field(path, name):
    return subprocess.run(["dpkg-deb", "--field", path, name], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


def debian(name, version=""):
    return package(name, version, "pkg:deb/debian/%s%s" % (name, "@" + urllib.parse.quote(
        version, safe="+.~-") if version else ""))


# Each returns (name, purl, [(relation, package)]) of a file.

def of_deb(path, version, _):
    name, arch = field(path, "Package"), field(path, "Architecture")
    needs = sorted({re.split(r"[ :(]", one.strip())[0] for one in field(path, "Depends").split(",") if one.strip()})
    return name, "pkg:deb/%s@%s?arch=%s" % (name, field(path, "Version"), arch), [
        ("DEPENDS_ON", debian(one)) for one in needs if not one.startswith("libposenc")]


def of_wheel(path, version, modules):
    with zipfile.ZipFile(path) as archive:
        about = next(one for one in archive.namelist() if one.endswith("/METADATA"))
        metadata = email.message_from_string(archive.read(about).decode("utf-8"))
    needs = [one for one in metadata.get_all("Requires-Dist", []) if "extra ==" not in one]
    return "posenc", "pkg:pypi/posenc@" + version, modules + [
        ("DEPENDS_ON", package(one, "", "pkg:pypi/" + one)) for one in needs]


def of_sdist(path, version, modules):
    return "posenc", "pkg:pypi/posenc@%s?file_name=%s" % (version, os.path.basename(path)), modules + [
        ("DEPENDS_ON", package("numpy", "", "pkg:pypi/numpy"))]


def of_npm(_, version, modules):
    return "posenc", "pkg:npm/posenc@" + version, modules


def of_chart(path, version, _):
    with tarfile.open(path) as tar:
        values = tar.extractfile("posencd/values.yaml").read().decode("utf-8")
    image, tag = re.search(r'^  image: "(\S*nginx\S*):(\S+)"$', values, re.M).groups()
    return "posencd", "pkg:helm/posencd@" + version, [
        ("DEPENDS_ON", package(image, tag, "pkg:docker/%s@%s" % (image.removeprefix("docker.io/"), tag)))]


def of_site(_, version, modules):
    return "posencd-site", "pkg:generic/posencd-site@" + version, modules


def of_tarball(_, version, __):
    return "posencd", "pkg:generic/posencd@" + version, []


KINDS = (("*.deb", of_deb), ("*.whl", of_wheel), ("posenc-*.tar.gz", of_sdist), ("posenc-*.tgz", of_npm),
         ("posencd-*.tgz", of_chart), ("*.site.tar.gz", of_site), ("posencd-*.tar.gz", of_tarball))


def linked(folder):
    """What the WebAssembly modules are linked with, by the descriptions of Debian's sources."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "*.dsc"))) if folder else []:
        name, version = re.fullmatch(r"(.+)_([^_]+)\.dsc", os.path.basename(path)).groups()
        found.append(("STATIC_LINK", debian(name, version)))
    return found


def document(folder, version, sources):
    packages, relations, modules = {}, [], linked(sources)
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.endswith(APART):
            continue
        kind = next(make for pattern, make in KINDS if fnmatch.fnmatchcase(name, pattern))
        title, purl, needs = kind(path, version, modules)
        ours = package(title, version, purl, packageFileName=name, checksums=[checksum(path)],
                       licence=spdx.LICENCE)
        packages[ours["SPDXID"]] = ours
        relations.append(("SPDXRef-DOCUMENT", "DESCRIBES", ours["SPDXID"]))
        for relation, other in needs:
            packages.setdefault(other["SPDXID"], other)
            relations.append((ours["SPDXID"], relation, other["SPDXID"]))
    return spdx.written("posencd-" + version, "posencd-release", int(os.environ["SOURCE_DATE_EPOCH"]),
                        {"packages": [packages[one] for one in sorted(packages)]}, relations)


if __name__ == "__main__":
    sys.stdout.write(document(sys.argv[1], sys.argv[2], *(sys.argv[3:] or [""])))
