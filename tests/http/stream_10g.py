#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""stream_10g.py - a large answer streams with bounded memory.

    tests/http/stream_10g.py [SIZE]     # 10G by default

Reads SIZE bytes of one raw answer and watches the server's resident memory, which may grow by less
than 8 MiB (under a sanitizer it is not judged). Some rows are compared with answers for the row
alone. The rate is printed."""

import os
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE)]

from support.posencd import Posencd, is_sanitized  # noqa: E402
from support.wire import Client  # noqa: E402

DIM = 1024
ROW = DIM // 2 * 4  # bytes of one row of cos
GROWTH = (8 if not is_sanitized() else 256) << 20
TABLE = "/v1/rope?dim=%d&out=cos&format=raw&pos=" % DIM


def read_all(one, total, sample):
    """Reads the body; {row number: its bytes} for every sample-th row."""
    kept, at, buffer = {}, 0, bytearray(1 << 20)
    view = memoryview(buffer)
    while at < total:
        got = one.file.readinto(view[:min(len(buffer), total - at)])
        if not got:
            raise AssertionError("cut after %d of %d bytes" % (at, total))
        first = -(-at // (ROW * sample)) * sample
        begin = first * ROW - at
        if 0 <= begin and begin + ROW <= got:
            kept[first] = bytes(view[begin:begin + ROW])
        at += got
    return kept


def stream(total):
    """(bytes, seconds, growth in bytes, rows checked); raises if the server broke a promise."""
    rows = total // ROW
    with Posencd("--max-elements", "4Gi", "--threads", "1") as server:
        before = server.status("VmHWM")  # it has answered nothing yet
        with Client(server.address) as one:
            start = time.monotonic()
            one.request("GET", TABLE + "0:%d" % rows)
            answer = one.head()
            assert answer.status == 200, answer
            assert int(answer.header("content-length")) == rows * ROW
            kept = read_all(one, rows * ROW, max(rows // 64, 1))
            seconds = time.monotonic() - start
        growth = (server.status("VmHWM") - before) * 1024
        for row, data in kept.items():
            alone = server.get(TABLE + str(row))
            assert alone.body == data, "row %d is another than when asked alone" % row
    assert kept, "no row was sampled"
    assert growth < GROWTH, "resident memory grew by %d bytes" % growth
    return rows * ROW, seconds, growth, len(kept)


def main():
    text = sys.argv[1] if len(sys.argv) > 1 else "10G"
    total = int(float(text.rstrip("GM")) * {"G": 1e9, "M": 1e6}.get(text[-1], 1))
    done, seconds, growth, rows = stream(total)
    print("%.2f GB in %.1f s (%.2f GB/s), resident memory + %.0f KiB, %d rows checked" % (
        done / 1e9, seconds, done / 1e9 / seconds, growth / 1024, rows))
    print("1 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
