# SPDX-License-Identifier: Apache-2.0
"""spdx.py - the bill of materials of an image in SPDX 2.3: posencd, the packages of Debian that its
libraries are from, and every file that is copied into it with its checksum and package; not the
descriptions that are written there (users, groups, dpkg's entries)."""

import datetime
import hashlib
import json
import os
import re
import urllib.parse

LICENCE = "Apache-2.0"


def identifier(*words):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(words))


def purl(package, distribution):
    """The package's URL, as scanners write it."""
    name, version = package.source()
    terms = {"arch": package.arch, "distro": distribution, "upstream": name}
    if version != package.version:
        terms["upstream"] += "@" + version
    return "pkg:deb/debian/%s@%s?%s" % (package.name, urllib.parse.quote(package.version, safe="+.~-"),
                                        urllib.parse.urlencode(terms, safe="@"))


def package_of_debian(package, distribution):
    name, version = package.source()
    return {"SPDXID": identifier("package", package.name), "name": package.name,
            "versionInfo": package.version, "supplier": "Organization: Debian",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
            "copyrightText": "NOASSERTION",
            "sourceInfo": "built from %s %s; its licences are in %s" % (name, version, package.copyright()),
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": purl(package, distribution)}]}


def package_of_ours(version, arch):
    return {"SPDXID": identifier("package", "posencd"), "name": "posencd", "versionInfo": version,
            "supplier": "NOASSERTION", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": LICENCE, "licenseDeclared": LICENCE, "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": "pkg:generic/posencd@%s?arch=%s" % (version, arch)}]}


def file_of(root, path):
    with open(os.path.join(root, path), "rb") as file:
        data = file.read()
    kind = "BINARY" if data[:4] == b"\x7fELF" else "TEXT"
    return {"SPDXID": identifier("file", path), "fileName": "./" + path, "fileTypes": [kind],
            "checksums": [{"algorithm": name, "checksumValue": hashlib.new(name.lower(), data).hexdigest()}
                          for name in ("SHA1", "SHA256")],
            "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"}


def document(root, files, version, arch, distribution, epoch):
    """`files` is {path: Package, or None for a file of ours}."""
    packages = {package.name: package for package in files.values() if package}
    ours = package_of_ours(version, arch)
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", ours["SPDXID"])]
    relations += [(ours["SPDXID"], "DEPENDS_ON", identifier("package", name)) for name in sorted(packages)]
    relations += [(identifier("package", package.name if package else "posencd"), "CONTAINS",
                   identifier("file", path)) for path, package in sorted(files.items())]
    return written("posencd-%s-%s" % (version, arch), "posencd-ship", epoch, {
        "packages": [ours] + [package_of_debian(package, distribution)
                              for _, package in sorted(packages.items())],
        "files": [file_of(root, path) for path in sorted(files)]}, relations)


def written(name, tool, epoch, parts, relations):
    """The text of a document of these parts; relations are (element, kind, other element)."""
    parts = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
             "creationInfo": {"creators": ["Tool: " + tool], "created": datetime.datetime.fromtimestamp(
                 epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")},
             **parts,
             "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                               for one, kind, other in relations]}
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    parts["documentNamespace"] = "urn:posencd:spdx:" + digest
    return json.dumps(parts, indent=1) + "\n"
