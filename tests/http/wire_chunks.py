# SPDX-License-Identifier: Apache-2.0
"""wire_chunks.py - chunked bodies with a request behind them, in every framing that two readers may
understand as different bodies. Whatever the framing, the request behind never runs: a chunked
request is the last of its connection. Each case is sent in one part, in one part after its head,
and byte by byte."""

from wire_cases import BAD, BODY, HOST, NEXT

DATA = b"15\r\n" + BODY + b"\r\n"
LAST = b"0\r\n\r\n"
LONG = b"a" * 65536

# Framings that are not a chunked body, however a lenient reader takes them.
HOSTILE = {
    "LF ends a size": b"15\n" + BODY + b"\r\n" + LAST,
    "LF ends an extension": b"15;a=b\n" + BODY + b"\r\n" + LAST,
    "LF in an extension that CR LF ends": b"15;a\n" + BODY + b"\r\n" + LAST + NEXT + b"\r\n" + LAST,
    "LF in a last extension": DATA + b"0;a\n" + NEXT + b"\r\n\r\n",
    "CR in an extension": b"15;a\rb\r\n" + BODY + b"\r\n" + LAST,
    "NUL in an extension": b"15;a\0b\r\n" + BODY + b"\r\n" + LAST,
    "an extension without a name": b"15;\r\n" + BODY + b"\r\n" + LAST,
    "an extension without a name before another": b"15;;a\r\n" + BODY + b"\r\n" + LAST,
    "an extension of blanks": b"15; \r\n" + BODY + b"\r\n" + LAST,
    "a last extension without a name": DATA + b"0;\r\n\r\n",
    "an extension whose name is no token": b"15;bad[=x\r\n" + BODY + b"\r\n" + LAST,
    "an extension whose value is no token": b"15;a=[\r\n" + BODY + b"\r\n" + LAST,
    "an extension without a value": b"15;a=\r\n" + BODY + b"\r\n" + LAST,
    "an extension of two words": b"15;a b\r\n" + BODY + b"\r\n" + LAST,
    "a blank behind an extension": b"15;a=b \r\n" + BODY + b"\r\n" + LAST,
    "a quoted extension that does not close": b"15;a=\"b\r\n" + BODY + b"\r\n" + LAST,
    "a quoted extension that an escape leaves open": b"15;a=\"b\\\"\r\n" + BODY + b"\r\n" + LAST,
    "text behind a quoted extension": b"15;a=\"b\"c\r\n" + BODY + b"\r\n" + LAST,
    "DEL in an extension": b"15;a\x7f\r\n" + BODY + b"\r\n" + LAST,
    "CR ends a size": b"15\r" + BODY + b"\r\n" + LAST,
    "a blank behind a size": b"15 \r\n" + BODY + b"\r\n" + LAST,
    "a blank before an extension": b"15 ;a\r\n" + BODY + b"\r\n" + LAST,
    "a tab before a size": b"\t15\r\n" + BODY + b"\r\n" + LAST,
    "a sign before a size": b"+15\r\n" + BODY + b"\r\n" + LAST,
    "0x before a size": b"0x15\r\n" + BODY + b"\r\n" + LAST,
    "no size": b"\r\n" + BODY + b"\r\n" + LAST,
    "an extension without a size": b";a\r\n" + BODY + b"\r\n" + LAST,
    "17 digits of a size": b"0" * 15 + b"15\r\n" + BODY + b"\r\n" + LAST,
    "LF behind data": b"15\r\n" + BODY + b"\n" + LAST,
    "CR behind data": b"15\r\n" + BODY + b"\r" + LAST,
    "nothing behind data": b"15\r\n" + BODY + LAST,
    "two bytes behind data": b"15\r\n" + BODY + b"XX" + LAST,
    "LF behind the last size": DATA + b"0\n\r\n",
    "LF for the end": DATA + b"0\r\n\n",
    "CR for the end": DATA + b"0\r\n\rX",
    "a trailer line of a colon": DATA + b"0\r\n:\r\n",
    "a trailer line of a colon, then more": DATA + b"0\r\nX: y\r\n:\r\n",
    "a trailer line ended by LF": DATA + b"0\r\nX: y\n\r\n",
    "a trailer line with NUL": DATA + b"0\r\nX: y\0\r\n\r\n",
    "a trailer name with NUL": DATA + b"0\r\nX\0: y\r\n\r\n",
    "a trailer line that begins with NUL": DATA + b"0\r\n\0X: y\r\n\r\n",
    "a trailer line with CR": DATA + b"0\r\nX: a\rY: b\r\n\r\n",
    "a trailer name before a blank": DATA + b"0\r\nX : y\r\n\r\n",
    "a folded trailer line": DATA + b"0\r\nX: y\r\n z\r\n\r\n",
    "a trailer line without a colon": DATA + b"0\r\nX\r\n\r\n",
    "an extension of 64 KB": b"15;" + LONG + b"\r\n" + BODY + b"\r\n" + LAST,
    "extensions of 64 KB together": b"1;" + LONG[:1000] + b"\r\n{\r\n" +
                                    (b"1;" + LONG[:1000] + b"\r\n \r\n") * 64 + LAST,
}
# A line that is too long is refused at once, whether the rest arrives or not.
LARGE = {
    "a chunk of 2^63": b"8000000000000000\r\n",
    "a chunk of 2^64-1": b"ffffffffffffffff\r\n",
    "a chunk of 2^63, begun": b"8000000000000000\r\n" + BODY,
    "a chunk of 1 TB amid others": DATA + b"10000000000\r\n",
}
LEGAL = {
    "two chunks": b"A\r\n" + BODY[:10] + b"\r\nb\r\n" + BODY[10:] + b"\r\n" + LAST,
    "an extension": b"15;a=b\r\n" + BODY + b"\r\n" + LAST,
    "a quoted extension": b"15;a=\"b;c\"\r\n" + BODY + b"\r\n" + LAST,
    "an escape in a quoted extension": b"15;a=\"\\\"\\\\\";b\r\n" + BODY + b"\r\n" + LAST,
    "an empty quoted extension": b"15;a=\"\"\r\n" + BODY + b"\r\n" + LAST,
    "blanks between the parts of extensions": b"15; a\t= b ;c\r\n" + BODY + b"\r\n" + LAST,
    "a last extension": DATA + b"0;a\r\n\r\n",
    "16 digits": b"0" * 14 + b"15\r\n" + BODY + b"\r\n" + LAST,
    "a trailer": DATA + b"0\r\nX-T: 1\r\nContent-Length: 9\r\n\r\n",
    "an empty trailer value": DATA + b"0\r\nX-T:\r\n\r\n",
}
TRAILER = DATA + b"0\r\n" + b"".join(b"T%d: %s\r\n" % (i, b"v" * 90) for i in range(400)) + b"\r\n"
LINES = DATA + b"0\r\n" + b"a:\r\n" * 101 + b"\r\n"


def head(method=b"POST", target=b"/v1/sinusoidal"):
    return (method + b" " + target + b" HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n")


def ways(name, body, allowed):
    """The case in one part, after its head, and byte by byte where that takes reasonable time."""
    yield "chunks: %s" % name, [head() + body + NEXT], allowed
    yield "chunks: %s, behind the head" % name, [head(), body + NEXT], allowed
    if len(body) < 1000:
        data = body + NEXT
        yield ("chunks: %s, byte by byte" % name,
               [head()] + [data[i:i + 1] for i in range(len(data))], allowed)


CASES = [case for bodies, allowed in ((HOSTILE, BAD), (LARGE, ["413 close"]),
                                      (LEGAL, ["200 close"]))
         for name, body in bodies.items() for case in ways(name, body, allowed)]
CASES += [case for name, body in (("a trailer of 40 kB", TRAILER), ("a trailer of 101 lines", LINES))
          for case in ways(name, body, ["431 close"])]
CASES += [("chunks: %s by %s" % (name, method.decode()), [head(method, target) + body + NEXT], allowed)
          for method, target, allowed in ((b"QUERY", b"/v1/sinusoidal", BAD),
                                          (b"PUT", b"/v1/tables/x", ["405 close", "404 close",
                                                                     "401 close", "403 close"]),
                                          (b"GET", b"/livez", BAD), (b"DELETE", b"/v1/tables/x", BAD))
          for name, body in HOSTILE.items()]
CASES += [("chunks: %s by QUERY" % name, [head(b"QUERY") + body + NEXT], ["200 close"])
          for name, body in LEGAL.items()]
