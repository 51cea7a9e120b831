# SPDX-License-Identifier: Apache-2.0
"""test_ranges.py - parts of answers: curl resumes downloads and fetches them in quarters."""

import os
import subprocess
import tempfile
import unittest

from support.suite import ServerCase

STREAMED = "/v1/rope?dim=256&pos=0:20000&out=cos&format=npy"  # 10 MB
CACHED = "/v1/rope?dim=256&pos=0:200&out=cos&format=npy"
TARGETS = (STREAMED, CACHED, "/v1/rope?dim=256&pos=0:9000&out=cos,sin&format=safetensors")


class Resumed(ServerCase):
    def curl(self, target, path, *options):
        host, port = self.server.address
        return subprocess.run(
            ["curl", "-sS", "--max-time", "60", "-w", "%{http_code}", "-o", path, *options,
             "http://%s:%d%s" % (host, port, target)], text=True, capture_output=True)

    def test_curl_goes_on_where_a_download_broke_off(self):
        for target in TARGETS:
            whole = self.get(target).body
            for have in (1, 127, 128, 65537, len(whole) - 1):
                with tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, "answer")
                    with open(path, "wb") as file:
                        file.write(whole[:have])
                    done = self.curl(target, path, "-C", "-")
                    self.assertEqual((done.returncode, done.stdout), (0, "206"), done.stderr)
                    with open(path, "rb") as file:
                        self.assertEqual(file.read(), whole)

    def test_quarters_make_the_whole(self):
        for target in TARGETS:
            whole = self.get(target).body
            edges = [len(whole) * i // 4 for i in range(5)]
            parts = [self.get(target, [("Range", "bytes=%d-%d" % (first, end - 1))], 206).body
                     for first, end in zip(edges, edges[1:])]
            self.assertEqual(b"".join(parts), whole)

    def test_what_changed_meanwhile_is_fetched_anew(self):
        for target in TARGETS:
            whole = self.get(target)
            tag = whole.header("etag")
            span = ("Range", "bytes=%d-" % (len(whole.body) - 100))
            part = self.get(target, [span, ("If-Range", tag)], 206)
            self.assertEqual(part.body, whole.body[-100:])
            self.assertEqual(part.header("etag"), tag)
            anew = self.get(target, [span, ("If-Range", '"of another time"')])
            self.assertEqual(anew.body, whole.body)

    def test_beyond_the_end_there_is_nothing(self):
        for target in TARGETS:
            size = len(self.get(target).body)
            answer = self.server.get(target, [("Range", "bytes=%d-" % size)])
            self.problem(answer, 416, "range-not-satisfiable")
            self.assertEqual(answer.header("content-range"), "bytes */%d" % size)


if __name__ == "__main__":
    unittest.main()
