# SPDX-License-Identifier: Apache-2.0
"""kinds.py - the kinds of answers whose cost is measured, a row each."""

from collections import namedtuple

# name: of the figures of the kind. text: what a reader sees. target: its "{n}" counts up, so that no
# answer is asked for twice. over: the server and its socket (OVER). connections: how many at once.
Kind = namedtuple("Kind", "name text target over connections headers method body")

SMALL = "/v1/sinusoidal?pos=0:6&dim=64&format=raw"
MIDDLE = "/v1/sinusoidal?pos=0:128&dim=128&format=raw"
ROW = "/v1/sinusoidal?pos={n}&dim=512&format="
TABLE = "/v1/sinusoidal?pos={n}:{n+512}&dim=128&format=npy"
BIAS = "/v1/alibi?heads=8&q={n}:{n+128}&k=0:128&format=npy"
STREAM = "/v1/sinusoidal?pos=0:131072&dim=128&format=npy"
WIDTH = 128  # of the tables that are as large as what is kept, or larger
SIZED = "/v1/sinusoidal?pos=0:%%s&dim=%d&format=raw" % WIDTH
APPLY = "/v1/rope/apply?dim=128&pos={n}&seq_axis=0&in_dtype=f32&shape=1,32,128&format=raw"
VECTOR = b"\x00\x00\x80\x3f" * (32 * 128)
CLOSE = ("Connection: close",)
BEARER = "Authorization: Bearer "


def kind(name, text, target, over="tcp", connections=32, headers=(), method="GET", body=b""):
    return Kind(name, text, target, over, connections, tuple(headers), method, body)


def kinds(key, tag, rows):
    """The rows. The service takes `key`, the SMALL answer has the entity tag `tag`, and a table of
    `rows` rows is the largest answer that is kept."""
    return [
        kind("small", "kept, 1.5 KB", SMALL),
        kind("middle", "kept, 64 KB", MIDDLE),
        kind("kept", "kept, the largest", SIZED % rows),
        kind("beyond", "a little larger, asked for again and again", SIZED % (rows + 64)),
        kind("unchanged", "304, nothing has changed", SMALL, headers=["If-None-Match: " + tag]),
        kind("refused", "400, a mistake in two parameters", "/v1/rope?dim=7"),
        kind("row", "never asked before: a row of 512, npy", ROW + "npy"),
        kind("text", "never asked before: a row of 512, JSON", ROW + "json"),
        kind("table", "never asked before: a table of 512 x 128, npy", TABLE),
        kind("bias", "never asked before: ALiBi of 8 x 128 x 128, npy", BIAS),
        kind("stream", "a table of 131072 x 128, npy", STREAM, connections=4),
        kind("apply", "POST: RoPE applied to 32 heads x 128 float32", APPLY, method="POST",
             body=VECTOR, headers=["Content-Type: application/octet-stream"]),
        kind("keyed", "kept, 1.5 KB, with an API key", SMALL, "keys", headers=[BEARER + key]),
        kind("opened", "kept, 1.5 KB, a new connection each", SMALL, headers=CLOSE),
        kind("unix-small", "kept, 1.5 KB", SMALL, "unix"),
        kind("unix-middle", "kept, 64 KB", MIDDLE, "unix"),
        kind("unix-row", "never asked before: a row of 512, npy", ROW + "npy", "unix"),
        kind("unix-stream", "a table of 131072 x 128, npy", STREAM, "unix", 4),
        kind("tls-small", "kept, 1.5 KB", SMALL, "tls"),
        kind("tls-middle", "kept, 64 KB", MIDDLE, "tls"),
        kind("tls-row", "never asked before: a row of 512, npy", ROW + "npy", "tls"),
        kind("tls-stream", "a table of 131072 x 128, npy", STREAM, "tls", 4),
        kind("tls-opened", "kept, 1.5 KB, a new connection each", SMALL, "tls", headers=CLOSE),
    ]


# As a document shows them, whatever the service is.
ROWS = kinds("", "", 0)
OVER = {"tcp": "TCP", "keys": "TCP", "unix": "unix socket", "tls": "TLS"}
