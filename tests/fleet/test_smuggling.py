# SPDX-License-Identifier: Apache-2.0
"""The mutated requests of the campaign's wirefuzz.py against nginx with its file of deploy/, in front of
posencd. nginx sends requests of all clients over the same few connections: if one request were
understood in two ways, another client would get its answer. So every byte that other clients get
meanwhile is compared."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from support.posencd import Posencd

from front import Nginx, replaced
from load import Load
from questions import Questions

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path += [os.path.join(TESTS, "http"), os.path.join(TESTS, "campaign")]  # behind this folder

import wirefuzz  # noqa: E402

INPUTS = 610000 if os.environ.get("FULL", "") else 15000


class Shared(Nginx):
    """nginx that listens at a unix socket too, keeps no answer, so that each request reaches posencd
    over one of four connections, and waits a second for what a client does not send."""

    def template(self):
        text = replaced(super().template(), r"^    listen 127\.0\.0\.1:8081;",
                        "    listen 127.0.0.1:8081;\n    listen unix:%s;\n    client_header_timeout 1s;\n"
                        "    client_body_timeout 1s; keepalive_timeout 1s;" % self.path("socket"))
        text = replaced(text, r"^    proxy_cache posencd;", "    proxy_cache off;")
        return replaced(text, r"^    keepalive 64;", "    keepalive 4;")


class Smuggling(unittest.TestCase):
    def test_no_mutated_request_gives_another_client_its_answer(self):
        with Posencd("--threads", "1", "--access-log", "off") as server, \
                tempfile.TemporaryDirectory(prefix="posencd-fleet-") as folder:
            questions, path = Questions(server.port), os.path.join(folder, "seeds")
            wirefuzz.seeds(path)
            with Shared(["127.0.0.1:%d" % server.port]) as front:
                load = Load(front.port, questions.draw, threads=6)
                came = subprocess.run([wirefuzz.FUZZ, front.path("socket"), path, str(INPUTS), "1", "bare"],
                                      capture_output=True, check=False)
                load.stop()
            refused = {name.split('"')[1]: int(count) for name, count in server.metrics().items()
                       if name.startswith("posencd_rejected_total") and count}
        self.assertEqual(came.returncode, 0, came.stderr[-2000:])
        done = json.loads(came.stdout)
        print("%s; passed on by nginx and refused by posencd: %s; other clients: %d "
              "answers, %d wrong" % (done, refused, load.done, len(load.wrong)), flush=True)
        self.assertGreaterEqual(done["inputs"], INPUTS)
        self.assertGreater(load.done, 1000)
        self.assertEqual(load.wrong[:5], [])
