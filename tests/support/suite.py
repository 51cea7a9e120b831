# SPDX-License-Identifier: Apache-2.0
"""suite.py - the base of the black-box suites in Python: one posencd for a class of tests."""

import unittest

from support.posencd import Posencd


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

    def problem(self, answer, status, slug):
        """Checks that the answer is an RFC 9457 problem of the service."""
        self.assertEqual(answer.status, status, repr(answer))
        self.assertEqual(answer.header("content-type"), "application/problem+json")
        self.assertEqual(answer.json()["type"], "/problems/" + slug)
        return answer.json()
