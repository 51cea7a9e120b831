# SPDX-License-Identifier: Apache-2.0
"""questions.py - what clients of a fleet ask, and what a server that nothing happens to answers."""

import random
import struct

from load import Connection, get, post

ROW = "/v1/rope?dim=128&pos=%d&format=npy"
HOT, ROWS, BODIES = 60, 1500, 40


def targets():
    hot = ["/v1/rope?dim=128&pos=%d:%d&out=cos&format=npy" % (i, i + 8) for i in range(HOT // 3)]
    hot += ["/v1/alibi?heads=8&len=%d" % (4 + i) for i in range(HOT // 3)]
    hot += ["/v1/sinusoidal?dim=64&pos=%d:%d&format=csv" % (i, i + 4) for i in range(HOT // 3)]
    rows = ["/v1/rope?dim=64&pos=%d&out=sin&format=npy" % (1000003 * i) for i in range(ROWS)]
    wide = ["/v1/rope?dim=128&pos=%d:%d&out=cos&format=raw" % (i, i + 256) for i in range(20)]
    return hot, rows, wide


class Questions:
    """Requests with the bytes of their answers, as `reference` (a port) gives them: of ten two are
    POSTs of 256 bytes or 16 KB, four are for few URLs, two for many, one for 64 KiB and one for a
    part of that."""

    def __init__(self, reference):
        one = Connection(reference)
        hot, rows, wide = targets()
        self.hot = [self.whole(one, get(target)) for target in hot]
        self.rows = [self.whole(one, get(target)) for target in rows]
        self.wide = [self.whole(one, get(target)) for target in wide]
        self.parts = [self.part(target, whole) for target, (_, whole) in zip(wide, self.wide)]
        draw = random.Random(1)
        self.posts = []
        for i in range(BODIES):
            heads = 64 if i % 2 else 1
            body = struct.pack("<%df" % (64 * heads), *(draw.uniform(-1, 1) for _ in range(64 * heads)))
            target = ("/v1/rope/apply?dim=64&pos=%d&seq_axis=0&in_dtype=f32&shape=1,%d,64&format=npy" %
                      (i, heads))
            self.posts.append(self.whole(one, post(target, body)))
        one.close()

    @staticmethod
    def whole(connection, request):
        answer = connection.ask(request)
        assert answer.status == 200, (request, answer.status, answer.body)
        return request, answer.body

    @staticmethod
    def part(target, whole):
        return get(target, "Range: bytes=1000-1999"), whole[1000:2000]

    def draw(self, k):
        kind = k % 10
        pool = (self.posts if kind in (0, 5) else self.rows if kind in (2, 7) else
                self.wide if kind == 3 else self.parts if kind == 8 else self.hot)
        request, body = pool[k * 31 % len(pool)]
        status = 206 if pool is self.parts else 200

        def judge(answer):
            if answer.status != status:
                return "status %d, %r" % (answer.status, answer.body[:200])
            return None if answer.body == body else "other bytes, %d of %d" % (len(answer.body),
                                                                              len(body))
        return request, judge
