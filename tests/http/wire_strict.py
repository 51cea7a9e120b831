# SPDX-License-Identifier: Apache-2.0
"""wire_strict.py - how cases end where libmicrohttpd reads lines and chunks itself (since 1.0.0, at
level 1 of its discipline), if that is another end than where posencd reads the bytes (0.9.75). A row
is the reason why no second request can hide there, the outcomes that are allowed then, and the
cases. Every other case has one outcome with both."""

import re

TRIMS = ("blanks behind a value are none of it (RFC 9110, 5.5): what follows the body that the value "
         "names is the next request, for every reader")
CLOSES = "the connection is closed, without an answer"
REFUSES = "1.0.1 takes no extension of a chunk: the connection ends with 400"
WAITS = ("the size of a chunk is known when its bytes have come: the body is refused after --max-body of "
         "them, or after --body-timeout, and the connection is closed")
ZEROS = "zeros before a size change nothing, and a chunked request is the last of its connection"

ROWS = [
    (TRIMS, ["200 200"], ["SMUG-CL-TRAILING-SPACE", "CL trailing tab"]),
    (TRIMS, ["200 close"], ["SMUG-TE-TRAILING-SPACE"]),
    (CLOSES, ["close", "400 close"], ["MAL-BINARY-GARBAGE", "MAL-NUL-IN-URL", "MAL-CHUNK-EXT-64K",
                                      "chunks: an extension of 64 KB"]),
    (ZEROS, ["200 close"], ["chunk size with zeros before it", "chunks: 17 digits of a size"]),
    (REFUSES, ["400 close"], ["COMP-CHUNKED-EXTENSION", "chunks: an extension",
                              "chunks: a quoted extension", "chunks: an escape in a quoted extension",
                              "chunks: an empty quoted extension",
                              "chunks: blanks between the parts of extensions",
                              "chunks: a last extension"]),
    (WAITS, ["close", "413 close"], ["chunk size of 2^63", "chunks: a chunk of 2^63",
                                     "chunks: a chunk of 2^64-1", "chunks: a chunk of 2^63, begun",
                                     "chunks: a chunk of 1 TB amid others"]),
]
OTHER_END = {name: (reason, allowed) for reason, allowed, names in ROWS for name in names}


def row(name):
    """(reason, outcomes) of a case, sent in whichever way; None: it has no other end."""
    return OTHER_END.get(re.sub(r", (behind the head|byte by byte)$| by QUERY$", "", name))


def waits(name):
    """Whether the case ends by a deadline."""
    return bool(row(name)) and row(name)[0] is WAITS


def ended(cases, library):
    """The cases with the outcomes that are allowed with that version."""
    if library < (1, 0, 0):
        return cases
    return [(name, parts, row(name)[1] if row(name) else allowed) for name, parts, allowed in cases]
