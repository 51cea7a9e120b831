# SPDX-License-Identifier: Apache-2.0
"""suite.py - the base of the black-box suites in Python: one posencd for a class of tests."""

import time
import unittest

from support.posencd import Posencd
from support.wire import PATIENCE


class ServerCase(unittest.TestCase):
    """One posencd for all tests of the class; it must end with exit code 0 and no report."""

    flags = ()
    options = {}

    @classmethod
    def setUpClass(cls):
        cls.server = Posencd(*cls.flags, **cls.options)

    @classmethod
    def tearDownClass(cls):
        code = cls.server.stop()
        if code != 0:
            raise AssertionError("exit code %s\n%s" % (code, cls.server.log()))

    def get(self, target, headers=(), status=200):
        answer = self.server.get(target, headers)
        self.assertEqual(answer.status, status, "%s: %r" % (target, answer))
        return answer

    def ask_until_in_time(self, *request):
        """The answer to a request that a slow machine may not have begun within a short
        --work-timeout: it is asked again then."""
        end = time.monotonic() + PATIENCE
        while True:
            answer = self.server.ask(*request)
            if answer.status != 503 or "no answer was ready in time" not in answer.text():
                return answer
            self.assertLess(time.monotonic(), end)

    def nothing_is_held(self):
        """Waits until no request holds bytes of --max-inflight: an answer holds its bytes until its
        loop has seen that all were sent, which its client may know before."""
        end = time.monotonic() + PATIENCE
        while True:
            held = {name: value for name, value in self.server.metrics().items()
                    if name.startswith("posencd_inflight_bytes") and value}
            if not held:
                return
            self.assertLess(time.monotonic(), end, held)

    def problem(self, answer, status, slug):
        """Checks that the answer is an RFC 9457 problem of the service."""
        self.assertEqual(answer.status, status, repr(answer))
        self.assertEqual(answer.header("content-type"), "application/problem+json")
        self.assertEqual(answer.json()["type"], "/problems/" + slug)
        return answer.json()
