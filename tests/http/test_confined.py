# SPDX-License-Identifier: Apache-2.0
"""test_confined.py - with --seccomp on everything works that works without it: connections,
formats, streams, models and secrets that change, drain, and the end."""

import os
import signal
import tempfile
import unittest

import test_formats
import test_keys
import test_sockets
import test_streaming
import test_tls
from support.certificate import Certificate
from support.posencd import Posencd, is_sanitized
from support.wire import Client

# What a sanitizer does at the end is not ours to allow.
CONFINED = ("--seccomp", "log" if is_sanitized() else "on")
SMALL = "/v1/sinusoidal?dim=4&pos=0:4"


def cases_of(module):
    """The module's classes share one server, with the filter on."""
    made = {}
    for name, case in vars(module).items():
        if isinstance(case, type) and issubclass(case, module.ServerCase) and \
                case is not module.ServerCase:
            flags = tuple(case.flags) + CONFINED
            made["Confined" + name] = type("Confined" + name, (case,), {"flags": flags})
    return made


for suite in (test_formats, test_sockets, test_streaming):
    globals().update(cases_of(suite))


class Confined(unittest.TestCase):
    def test_what_changes_is_read_again_and_nothing_is_lost_at_the_end(self):
        files, certificate = test_keys.SecretFiles(), Certificate()
        models = tempfile.TemporaryDirectory(prefix="posencd-models-")
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as warm:
            warm.write(SMALL + "\n")
            warm.flush()
            server = Posencd("--warm", warm.name, "--models-dir", models.name, "--api-keys-file",
                             files.path("keys"), *certificate.flags, *CONFINED, unix=True)
            key = test_keys.bearer(test_keys.KEY)
            with test_tls.Secure(server.address, certificate.context()) as one, \
                    Client(server.unix) as plain:
                self.assertEqual(server.status("Seccomp"), 2)
                self.assertEqual(server.status("NoNewPrivs"), 1)
                self.assertIn("hit", one.get(SMALL, key).header("server-timing"))
                path = os.path.join(models.name, "mine.json")
                with open(path, "w", encoding="ascii") as file:
                    file.write('{"model_type": "llama", "head_dim": 64, "rope_theta": 5000}')
                while plain.get("/v1/models/mine", key).status != 200:
                    server.signal(signal.SIGHUP)
                self.assertIn("process_open_fds", plain.get("/metrics", key).text())
                # An answer that the pool computes whole, then an answer that is streamed.
                self.assertEqual(plain.get("/v1/sinusoidal?dim=1024&pos=0:200&format=csv",
                                           key).status, 200)
                one.request("GET", "/v1/sinusoidal?dim=1024&pos=0:4096&format=raw", None, key)
                head = one.head()
                server.signal(signal.SIGTERM)
                self.assertEqual(len(one.file.read()), int(head.header("content-length")))
            self.assertEqual(server.stop(), 0)
            self.assertFalse(os.path.exists(server.unix))
        models.cleanup()
        certificate.folder.cleanup()
        files.folder.cleanup()


if __name__ == "__main__":
    unittest.main()
