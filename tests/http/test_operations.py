# SPDX-License-Identifier: Apache-2.0
"""test_operations.py - a request that takes too long before its first byte is refused, with its
number of operations and the number that would fit; an answer that is computed slowly is streamed,
whatever its length."""

import json
import unittest

from support.suite import ServerCase

DRAWN = "/v1/random-positions?max_position=1000000000&seed=1&format=raw&len="


class Operations(ServerCase):
    flags = ("--work-timeout", "500ms")

    def test_a_plan_beyond_the_work_timeout_is_refused_with_its_figure(self):
        answer = self.server.get(DRAWN + "15000000")
        self.assertEqual(answer.status, 400)
        problem = answer.json()
        self.assertEqual(problem["type"], "/problems/limit-exceeded")
        self.assertEqual(problem["limit"], 1000000000)
        self.assertEqual(problem["requested"], 1500000000)
        self.assertEqual(problem["detail"], "the answer takes about 1500000000 operations before "
                                            "its first byte; at most 1000000000 are done")
        self.assertEqual(problem["errors"][0]["hint"],
                         "at most 1/2 of that work fits: ask for less, or in parts")

    def test_the_limit_follows_from_the_work_timeout(self):
        limits = self.server.get("/version").json()["limits"]
        self.assertEqual(limits["max_operations"], 1000000000)
        self.assertEqual(self.ask_until_in_time("GET", DRAWN + "1000").status, 200)

    def ask_fire(self, queries):
        network = {"k": "0:128", "q": queries, "w1": [0.5] * 1024, "w2": [[0.5] * 1024]}
        return self.ask_until_in_time("POST", "/v1/fire?format=raw", json.dumps(network).encode(),
                                      (("Content-Type", "application/json"),))

    def test_what_is_filled_slowly_is_streamed(self):
        all_rows, last = self.ask_fire("0:128"), self.ask_fire("127:128")
        self.assertEqual((all_rows.status, last.status), (200, 200))
        self.assertEqual(len(all_rows.body), 4 * 128 * 128)
        self.assertIn("stream", all_rows.header("server-timing"))
        self.assertNotIn("stream", last.header("server-timing"))
        self.assertEqual(all_rows.body[-4 * 128:], last.body)


if __name__ == "__main__":
    unittest.main()
