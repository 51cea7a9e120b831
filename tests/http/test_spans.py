# SPDX-License-Identifier: Apache-2.0
"""test_spans.py - the span line of a request at log level debug: whose trace it is a part of, and where
its time went."""

import unittest

from support.posencd import Posencd
from support.wire import Client

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
STEPS = ("read_us", "plan_us", "wait_us", "compute_us", "encode_us", "send_us")
INLINE = "/v1/sinusoidal?dim=64&pos=0:64&format=npy"
POOLED = "/v1/sinusoidal?dim=256&pos=0:1000&format=json"
STREAM = "/v1/rope?dim=256&pos=0:100000&out=cos&format=npy"
TEXT = "/v1/alibi?heads=64&len=256&format=csv"


def spans(server):
    return [event for event in server.events() if event["event"] == "span"]


class Spans(unittest.TestCase):
    def ask(self, server, target, headers=(), **body):
        """The span of a request, which is the only one at that time."""
        before = len(spans(server))
        with Client(server.address) as one:
            answer = one.ask(body.get("method", "GET"), target, body.get("body"), headers)
        server.wait_line(lambda event: event["event"] == "span" and len(spans(server)) > before,
                         "span of " + target)
        span = spans(server)[before]
        self.assertEqual(span["status"], answer.status)
        return span

    def check_sum(self, span):
        """The steps have all of the time, each rounded down to a microsecond."""
        total = sum(span[step] for step in STEPS)
        self.assertLessEqual(total, span["us"])
        self.assertGreaterEqual(total + len(STEPS), span["us"])

    def test_a_span_continues_the_trace_of_its_client(self):
        with Posencd("--access-log", "all", level="debug") as server:
            span = self.ask(server, INLINE, [("traceparent", "00-%s-%s-01" % (TRACE, PARENT))])
            self.assertEqual((span["trace_id"], span["parent_id"], span["sampled"]),
                             (TRACE, PARENT, 1))
            self.assertRegex(span["span_id"], "^[0-9a-f]{16}$")
            self.assertEqual((span["route"], span["level"]), ("/v1/{encoding}", "debug"))
            line = server.wait_line(lambda event: event["event"] == "request", "line")
            self.assertEqual((line["trace_id"], line["request_id"]), (TRACE, span["request_id"]))
            for wrong in ("00-%s-%s-01" % ("0" * 32, PARENT), "00-%s-%s-01-x" % (TRACE, PARENT)):
                self.assertNotIn("trace_id", self.ask(server, INLINE, [("traceparent", wrong)]))
            self.assertEqual(self.ask(server, "/nowhere")["route"], "none")

    def test_each_step_has_its_time(self):
        with Posencd(level="debug") as server:
            span = self.ask(server, INLINE)
            self.check_sum(span)
            span = self.ask(server, INLINE)  # a hit: nothing is computed
            self.check_sum(span)
            self.assertEqual([span[step] for step in ("plan_us", "compute_us", "encode_us")],
                             [0, 0, 0])
            for target in (STREAM, TEXT, POOLED):
                span = self.ask(server, target)
                self.assertGreater(span["compute_us"], 0, span)
                self.assertGreater(span["encode_us"], 0, span)
                self.check_sum(span)
            span = self.ask(server, "/v1/alibi?heads=8&len=128&format=json")
            self.check_sum(span)
            self.assertGreater(span["encode_us"], 0, span)

    def test_without_the_level_there_is_no_span(self):
        with Posencd("--access-log", "all") as server:
            server.get(INLINE)
            server.wait_line(lambda event: event["event"] == "request", "line")
            self.assertEqual(spans(server), [])


if __name__ == "__main__":
    unittest.main()
