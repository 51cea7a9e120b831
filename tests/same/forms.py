# SPDX-License-Identifier: Apache-2.0
"""forms.py - malformed and borderline requests, made from lists that are crossed: each byte that a
grammar of HTTP treats by itself at each place of a request, both lengths in every spelling, header
lines that are none, targets of every form, heads of every size. Http11Probe's own cases are in
tests/http; here is what lies between them."""

BODY = b'{"dim":4,"pos":"0:2"}'
METHODS = (b"GET", b"HEAD", b"POST", b"PUT", b"DELETE", b"OPTIONS", b"QUERY", b"PATCH", b"TRACE",
           b"CONNECT", b"get", b"FROB")
VERSIONS = (b"HTTP/1.1", b"HTTP/1.0", b"HTTP/1.2", b"HTTP/2.0", b"HTTP/0.9", b"http/1.1", b"")

GET = b"GET /livez HTTP/1.1\r\nHost: x\r\n%s\r\n"
POST = (b"POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n%s\r\n" + BODY)
LENGTH = b"Content-Length: 21\r\n"
CHUNKED = (b"POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
           b"Transfer-Encoding: chunked\r\n\r\n%s")
CHUNKS = b"15\r\n" + BODY + b"\r\n0\r\n\r\n"

BYTES = [bytes([code]) for code in [*range(34), *b"\"#%&'()+,-./0:;<=>?@[\\]^`a{|}~_",
                                    127, 128, 160, 255]]
# Where a byte may stand: the bytes before it and behind it.
PLACES = {
    "before the method": (b"", GET % b""),
    "in the method": (b"GE", b"T /livez HTTP/1.1\r\nHost: x\r\n\r\n"),
    "behind the method": (b"GET", b"/livez HTTP/1.1\r\nHost: x\r\n\r\n"),
    "before the target": (b"GET ", b"/livez HTTP/1.1\r\nHost: x\r\n\r\n"),
    "in the path": (b"GET /li", b"vez HTTP/1.1\r\nHost: x\r\n\r\n"),
    "in the query": (b"GET /v1/rope?dim=8", b"pos=1 HTTP/1.1\r\nHost: x\r\n\r\n"),
    "in an escape": (b"GET /%6", b"ivez HTTP/1.1\r\nHost: x\r\n\r\n"),
    "behind the target": (b"GET /livez", b"HTTP/1.1\r\nHost: x\r\n\r\n"),
    "in the version": (b"GET /livez HTTP/1", b"1\r\nHost: x\r\n\r\n"),
    "behind the version": (b"GET /livez HTTP/1.1", b"\r\nHost: x\r\n\r\n"),
    "before the first header line": (b"GET /livez HTTP/1.1\r\n", b"Host: x\r\n\r\n"),
    "in Host": (b"GET /livez HTTP/1.1\r\nHost: a", b"b\r\n\r\n"),
    "behind Host": (b"GET /livez HTTP/1.1\r\nHost: a", b"\r\n\r\n"),
    "before a name": (b"GET /livez HTTP/1.1\r\nHost: x\r\n", b"X: y\r\n\r\n"),
    "in a name": (b"GET /livez HTTP/1.1\r\nHost: x\r\nX", b"Z: y\r\n\r\n"),
    "before a colon": (b"GET /livez HTTP/1.1\r\nHost: x\r\nX", b": y\r\n\r\n"),
    "for a colon": (b"GET /livez HTTP/1.1\r\nHost: x\r\nX", b"y\r\n\r\n"),
    "behind a colon": (b"GET /livez HTTP/1.1\r\nHost: x\r\nX:", b"y\r\n\r\n"),
    "in a value": (b"GET /livez HTTP/1.1\r\nHost: x\r\nX: a", b"b\r\n\r\n"),
    "behind a value": (b"GET /livez HTTP/1.1\r\nHost: x\r\nX: a", b"\r\n\r\n"),
    "before the end of a head": (b"GET /livez HTTP/1.1\r\nHost: x\r\n", b"\r\n"),
    "for the end of a head": (b"GET /livez HTTP/1.1\r\nHost: x\r\n\r", b""),
    "in Content-Length": (b"POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nContent-Length: 2",
                          b"1\r\n\r\n" + BODY),
    "behind Content-Length": (b"POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nContent-Length: 21",
                              b"\r\n\r\n" + BODY),
    "before chunked": (b"POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:",
                       b"chunked\r\n\r\n" + CHUNKS),
    "behind chunked": (b"POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked",
                       b"\r\n\r\n" + CHUNKS),
    "in Expect": (b"POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nContent-Length: 21\r\n"
                  b"Expect: 100",
                  b"continue\r\n\r\n" + BODY),
    "in Connection": (b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close", b"\r\n\r\n"),
    "before a chunk's size": (CHUNKED % b"", CHUNKS),
    "behind a chunk's size": (CHUNKED % b"15", b"\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "in a chunk's extension": (CHUNKED % b"15;a", b"b\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "behind a chunk": (CHUNKED % (b"15\r\n" + BODY), b"\r\n0\r\n\r\n"),
    "behind the last size": (CHUNKED % (CHUNKS[:-4]), b"\r\n\r\n"),
    "in a trailer's name": (CHUNKED % (CHUNKS[:-2] + b"X"), b": y\r\n\r\n"),
    "in a trailer's value": (CHUNKED % (CHUNKS[:-2] + b"X: "), b"y\r\n\r\n"),
}

LENGTHS = (b"21", b"0", b"+21", b"-1", b"021", b"21, 21", b"21,0", b"", b"99", b"0x15", b"21 ", b"2 1",
           b"21\t", b"1e1", b"18446744073709551616", b"9223372036854775808", b"abc")
CODINGS = (b"chunked", b"ChUnKeD", b"chunked ", b", chunked", b"chunked,", b"identity",
           b"gzip, chunked", b"chunked, gzip", b"chunked, chunked", b"xchunked", b"\tchunked", b"",
           b"chunked\x0b", b"\"chunked\"", b"chunked;q=1", b"\r\n chunked")
LINES = (b"X A: v", b" X: v", b"X : v", b"X\t: v", b": v", b"X", b"X;", b"\0: v", b"X: a\r\n b",
         b"X: a\r\n\tb", b"X: a\r\n ", b"X: a\nY: b", b"X: a\rY: b", b"Host: x", b"Host: y",
         b"Host : x",
         b"Content-Length: 0", b"Content-Length : 5", b"Transfer-Encoding : chunked", b"Cookie: a=\"",
         b"Expect: 100-continue", b"Expect: x", b"Connection: close", b"Connection: keep-alive",
         b"Connection: close, keep-alive", b"Upgrade: h2c", b"TE: trailers", b"Trailer: X",
         b"Range: bytes=0-", b"Content-Type: a/b", b"Content-Encoding: br", b"X\xff: v", b"X: \xff")
TARGETS = (b"*", b"/", b"//", b"livez", b"http://x/livez", b"HTTP://X/livez", b"http://evil/livez",
           b"http://u@x/livez", b"http://x:80/livez", b"http://x", b"http://", b"http:/x", b"http:x",
           b"https://x/livez", b"ftp://x/livez", b"x:443", b"x", b"?a", b"//x/livez", b"/%zz", b"/%",
           b"/%4", b"/%00", b"/%0a", b"/%2f", b"/..", b"/../livez", b"/./livez", b"/livez/", b"/livez?",
           b"/livez??", b"/livez#a", b"/livez?a=%zz", b"/livez?a=%00", b"/a b", b"/a\tb", b"/\xff",
           b"/v1/rope", b"/v1/rope?dim=8&pos=0", b"/v1/rope?dim=8&dim=8", b"/v1/tables/x", b"/v1/batch")
SIZES = (8000, 8189, 8190, 8191, 8192, 8193, 8194, 16384, 32000, 32768, 33000, 65536, 200000)


def bytes_at_places():
    for place, (before, behind) in PLACES.items():
        for one in BYTES:
            yield "%r %s" % (one, place), before + one + behind


def lengths():
    for length in LENGTHS:
        yield "CL %r" % length, POST % (b"Content-Length: " + length + b"\r\n")
        for coding in CODINGS:
            one = b"Content-Length: " + length + b"\r\n"
            other = b"Transfer-Encoding: " + coding + b"\r\n"
            yield "CL %r, TE %r" % (length, coding), POST % (one + other)
            yield "TE %r, CL %r" % (coding, length), POST % (other + one)
    for coding in CODINGS:
        for version in (b"HTTP/1.1", b"HTTP/1.0"):
            for method in (b"POST", b"GET", b"QUERY"):
                yield ("%r with TE %r by %r" % (method, coding, version),
                       method + b" /v1/sinusoidal " + version + b"\r\nHost: x\r\nTransfer-Encoding: " +
                       coding + b"\r\n\r\n" + CHUNKS)


def lines():
    for line in LINES:
        for method in (b"GET", b"HEAD", b"OPTIONS", b"PUT", b"POST"):
            for version in (b"HTTP/1.1", b"HTTP/1.0"):
                first = method + b" /v1/sinusoidal?dim=4&pos=0 " + version + b"\r\n"
                length = LENGTH if method == b"POST" else b""
                body = BODY if method == b"POST" else b""
                for place, whole in (
                        ("first", line + b"\r\nHost: x\r\n" + length),
                        ("last", b"Host: x\r\n" + length + line + b"\r\n"),
                        ("last, without Host", length + line + b"\r\n")):
                    yield ("%r %s by %r of %r" % (line, place, method, version),
                           first + whole + b"\r\n" + body)


def targets():
    for target in TARGETS:
        for method in METHODS:
            for version in VERSIONS:
                yield ("%r %r %r" % (method, target, version),
                       method + b" " + target + b" " + version + b"\r\nHost: x\r\n\r\n")


def sizes():
    for size in SIZES:
        yield "a target of %d" % size, GET.replace(b"/livez", b"/" + b"a" * (size - 1)) % b""
        yield "a query of %d" % size, GET.replace(b"/livez", b"/livez?" + b"a" * (size - 7)) % b""
        yield "a value of %d" % size, GET % (b"X: " + b"a" * size + b"\r\n")
        yield "a name of %d" % size, GET % (b"a" * size + b": x\r\n")
        yield "a method of %d" % size, b"A" * size + b" /livez HTTP/1.1\r\nHost: x\r\n\r\n"
        yield "a Host of %d" % size, b"GET /livez HTTP/1.1\r\nHost: " + b"a" * size + b"\r\n\r\n"
        yield "lines of %d together" % size, GET % ((b"X: " + b"a" * 495 + b"\r\n") * (size // 500))
        yield "an extension of %d" % size, CHUNKED % (b"15;" + b"a" * size + CHUNKS[2:])
        yield "a trailer of %d" % size, CHUNKED % (CHUNKS[:-2] + b"X: " + b"a" * size + b"\r\n\r\n")
    for count in (1, 98, 99, 100, 101, 200, 1000):
        yield "%d header lines" % count, GET % (b"X: y\r\n" * count)
        yield "%d cookies" % count, GET % (b"Cookie: " + b"a=b;" * count + b"\r\n")


FORMS = [*bytes_at_places(), *lengths(), *lines(), *targets(), *sizes()]
