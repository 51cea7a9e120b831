# SPDX-License-Identifier: Apache-2.0
"""test_codings.py - whatever codings a client accepts, the decoded bytes are the answer's, and
Content-Encoding says how they are compressed; a body in a coding that is not supported is answered
with the codings that are. The statuses are in wire_codings.py."""

import gzip
import unittest

from support.suite import ServerCase
from wire_codings import CASES, OTHER, COMPRESSED, TEXT

JSON = ("Content-Type", "application/json")
TARGETS = (TEXT.decode(), "/v1/alibi?heads=4&len=64&format=npy", "/v1/encodings/rope",
           "/v1/models/llama-3.1-8b", "/v1/sinusoidal?dim=64&pos=0:9000&format=csv")


def wishes():
    """Each Accept-Encoding of the wire cases that is sent in one part."""
    for _, parts, _ in CASES:
        for line in parts[0].split(b"\r\n"):
            if line.startswith(b"Accept-Encoding: ") and b"\0" not in line:
                yield line.partition(b": ")[2].decode("latin-1")


class Codings(ServerCase):
    def test_every_wish_is_answered_with_the_same_bytes(self):
        with self.server.client() as one:
            for target in TARGETS:
                plain = one.get(target)
                self.assertIsNone(plain.header("content-encoding"))
                self.assertIn("Accept-Encoding", plain.header("vary"))
                kinds = set()
                for value in wishes():
                    if len(value) > 8000:
                        continue
                    answer = one.get(target, [("Accept-Encoding", value)])
                    kinds.add((answer.status, answer.header("content-encoding")))
                    if answer.status != 200:
                        self.problem(answer, 406, "not-acceptable")
                        self.assertEqual(answer.header("cache-control"), "no-store")
                        continue
                    self.assertIn("Accept-Encoding", answer.header("vary"), value)
                    if answer.header("content-encoding"):
                        answer.body = gzip.decompress(answer.body)
                    self.assertEqual(answer.body, plain.body, (target, value))
                self.assertIn((200, None), kinds)
                self.assertIn((406, None), kinds)
                if "csv" not in target:  # a stream is not compressed
                    self.assertIn((200, "gzip"), kinds)

    def test_a_refused_coding_is_answered_with_those_that_are_taken(self):
        count = 0
        for name, parts, allowed in CASES:
            if allowed == OTHER:
                with self.server.client() as one:
                    one.send(b"".join(parts))
                    answer = one.reply()
                self.problem(answer, 415, "unsupported-media-type")
                self.assertEqual(answer.header("accept-encoding"), "gzip, deflate", name)
                count += 1
        self.assertGreaterEqual(count, 10)

    def test_a_body_is_one_whichever_way_it_comes(self):
        plain = self.server.ask("POST", "/v1/sinusoidal", gzip.decompress(COMPRESSED), [JSON])
        for body, coding in ((COMPRESSED, "gzip"), (COMPRESSED, "X-GZIP"), (gzip.decompress(COMPRESSED),
                                                                    "identity")):
            answer = self.server.ask("POST", "/v1/sinusoidal", body,
                                     [JSON, ("Content-Encoding", coding)])
            self.assertEqual((answer.status, answer.body), (200, plain.body), coding)
            self.assertEqual(answer.header("etag"), plain.header("etag"))


if __name__ == "__main__":
    unittest.main()
