# SPDX-License-Identifier: Apache-2.0
"""artefacts.py - what a release consists of, one row each. The table that `make release` prints, the bill of
materials and the checks of the release derive from these rows."""

import fnmatch
import os
from collections import namedtuple

# names: a pattern of the files, with {version}; use: what their user does; check: the function of checks.py
# that tries them; tried: what it did; alone: it is tried in a clean root only.
Row = namedtuple("Row", "names use check tried alone")
ROWS = (
    Row("posencd-{version}.tar.gz", "unpack it, `make deps`, `make`", "tarball",
        "compiled, and its program asked", True),
    Row("posencd_{version}-*.deb", "`apt install ./FILE`", "packages",
        "installed by dpkg, the service asked at a socket, purged", True),
    Row("libposenc0_{version}-*.deb", "`apt install ./FILE`", "packages",
        "installed by dpkg, a C program linked with it", True),
    Row("libposenc-dev_{version}-*.deb", "`apt install ./FILE`", "packages",
        "installed by dpkg, a C program compiled by pkg-config", True),
    Row("posenc-{version}-py3-none-any.whl", "`pip install FILE`", "wheel",
        "installed by pip without an index, its module asked by Node", False),
    Row("posenc-{version}.tar.gz", "`pip install FILE`", "sdist",
        "built and installed by pip without an index, its module asked by Node", False),
    Row("posenc-{version}.tgz", "`npm install ./FILE`", "npm",
        "installed by npm without a registry, its module asked by Node", False),
    Row("posencd-{version}-*.image.tar", "`docker load -i FILE`, `podman load -i FILE`", "image",
        "its digests compared, its program run in its own root (by qemu, if of another architecture)", False),
    Row("posencd-{version}-*.spdx.json", "the bill of materials of the image, for scanners", "image",
        "its checksums compared with the files of the image", False),
    Row("posencd-{version}.tgz", "`helm install posencd FILE`", "chart",
        "its default values judged by its schema, a misspelt one refused, its templates executed", False),
    Row("posencd-{version}.site.tar.gz", "unpack it into a folder of any file server", "site",
        "every link leads to a file, its module is that of the npm package", False),
    Row("posencd-{version}.spdx.json", "the bill of materials of the other files, for scanners", "bill",
        "it has the checksum of every other file", False),
    Row("SHA256SUMS", "`sha256sum --check SHA256SUMS`", "sums", "every checksum holds", False),
    Row("SHA256SUMS.asc", "`gpgv --keyring KEY SHA256SUMS.asc SHA256SUMS`", "sums",
        "the signature is that of the caller's key", False),
)


def row_of(name, version):
    """The row of a file; every file of a release has one."""
    found = [row for row in ROWS if fnmatch.fnmatchcase(name, row.names.replace("{version}", version))]
    assert len(found) == 1, "%s has %d rows in artefacts.py" % (name, len(found))
    return found[0]


def listed(folder, version):
    """[(name, row)] of the files of a release, in the order of the rows."""
    pairs = [(name, row_of(name, version)) for name in sorted(os.listdir(folder))]
    return sorted(pairs, key=lambda pair: ROWS.index(pair[1]))
