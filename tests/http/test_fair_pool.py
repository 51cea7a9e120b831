# SPDX-License-Identifier: Apache-2.0
"""test_fair_pool.py - clients take turns on the thread pool: one that fills its share of it is refused,
others are not."""

import time
import unittest

from support.suite import ServerCase
from support.wire import PATIENCE, Client

MISS = "/v1/sinusoidal?dim=64&format=csv&pos=%d:%d"  # milliseconds of work


class MissesBesideAnotherClient(ServerCase):
    flags = ("--workers", "1", "--threads", "1", "--work-timeout", "60s")

    def test_misses_are_computed_beside_a_client_that_has_filled_its_share_of_the_pool(self):
        crowd = [Client(self.server.address, source="127.0.0.2") for _ in range(100)]
        others = [Client(self.server.address) for _ in range(20)]
        for client in crowd + others:
            self.addCleanup(client.close)
        for i, client in enumerate(crowd):
            client.request("GET", MISS % (i, i + 6000))
        deadline = time.monotonic() + PATIENCE
        while self.server.metrics()['posencd_rejected_total{reason="overload"}'] == 0:
            self.assertLess(time.monotonic(), deadline, "the pool was never full")
        for i, client in enumerate(others):
            client.request("GET", MISS % (10000 + i, 13000 + i))
        self.assertEqual([client.reply("GET").status for client in others], [200] * len(others))
        statuses = []
        for client in crowd:
            answer = client.reply("GET")
            statuses.append(answer.status)
            if answer.status != 200:
                problem = self.problem(answer, 503, "overloaded")
                self.assertIn("too many computations of this client wait for a thread",
                              problem["detail"])
                self.assertTrue(answer.header("retry-after"))
        self.assertIn(503, statuses)
        self.assertGreaterEqual(statuses.count(200), 64)



if __name__ == "__main__":
    unittest.main()
