# SPDX-License-Identifier: Apache-2.0
"""certificate.py - a key and a certificate for 127.0.0.1, made by openssl."""

import os
import ssl
import subprocess
import tempfile

KINDS = {"ec": ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "rsa": ["rsa:2048"]}


class Certificate:
    """A folder with cert.pem and key.pem, which a test can replace."""

    def __init__(self, kind="ec", days=2):
        self.days = days
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-tls-")
        self.cert, self.key = self.path("cert.pem"), self.path("key.pem")
        self.make("first", kind)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def make(self, name, kind="ec"):
        subprocess.run(["openssl", "req", "-x509", "-nodes", "-days", str(self.days), "-newkey", *KINDS[kind],
                        "-keyout", self.key + ".new", "-out", self.cert + ".new", "-subj",
                        "/CN=" + name, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
                       check=True, capture_output=True)
        os.rename(self.key + ".new", self.key)
        os.rename(self.cert + ".new", self.cert)

    @property
    def flags(self):
        return ("--tls-cert", self.cert, "--tls-key", self.key)

    def context(self, version=None):
        context = ssl.create_default_context(cafile=self.cert)
        if version:
            context.minimum_version = context.maximum_version = version
        return context
