# SPDX-License-Identifier: Apache-2.0
"""wire_probe.py - the other cases of Http11Probe that one connection can show, in the form of
wire_cases.py: cookies, upgrades, names that a proxy may read as others, and bytes that may hide
behind the end of a request."""

from wire_cases import (AWAIT, BAD, BODY, CHUNKS, HOST, LAST, LEN_NEXT, N, NEXT, OK, TWICE, chunked,
                        get, post)

LENGTH = b"Content-Length: " + N + b"\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
# The bytes that a desynchronised server would run as a request.
POISON = b"X"
SMUGGLED = b"0\r\n\r\n" + NEXT
END = b"\r\n0\r\n\r\n"


def smuggled(lines):
    """Content-Length and a Transfer-Encoding in some spelling, before a hidden GET."""
    return post(b"Content-Length: %d\r\n" % len(SMUGGLED) + lines, SMUGGLED)


def upgrade(lines, method=b"GET", version=b"HTTP/1.1"):
    return get(extra=lines, method=method, version=version)


SOCKET = b"Sec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\n"

CASES = [
    # ---- both lengths ------------------------------------------------------------------
    ("SMUG-CLTE-PIPELINE", [post(b"Content-Length: 4\r\n" + CHUNKED, b"0\r\n\r\n" + NEXT)], BAD),
    ("SMUG-CLTE-DESYNC", [post(b"Content-Length: 6\r\n" + CHUNKED, b"0\r\n\r\n" + POISON)], BAD),
    ("SMUG-TECL-DESYNC", [post(CHUNKED + b"Content-Length: 30\r\n", b"0\r\n\r\n" + POISON)], BAD),
    ("SMUG-TECL-CONN-CLOSE", [post(CHUNKED + b"Content-Length: 5\r\nConnection: close\r\n",
                                   b"0\r\n\r\n" + NEXT)], BAD),
    ("SMUG-CLTE-SMUGGLED-GET", [smuggled(CHUNKED)], BAD),
    ("SMUG-CLTE-SMUGGLED-HEAD", [smuggled(CHUNKED).replace(b"GET /version", b"HEAD /version")],
     BAD),
    ("SMUG-TECL-SMUGGLED-GET", [post(CHUNKED + b"Content-Length: 4\r\n", SMUGGLED)], BAD),
    ("SMUG-CLTE-SMUGGLED-GET-CL-PLUS", [post(b"Content-Length: +%d\r\n" % len(SMUGGLED) + CHUNKED,
                                             SMUGGLED)], BAD),
    ("SMUG-CLTE-SMUGGLED-GET-CL-NON-NUMERIC", [post(b"Content-Length: abc\r\n" + CHUNKED,
                                                    SMUGGLED)], BAD),
    ("SMUG-CLTE-SMUGGLED-GET-TE-CASE-MISMATCH", [smuggled(b"Transfer-Encoding: ChUnKeD\r\n")],
     BAD),
    ("SMUG-CLTE-SMUGGLED-GET-TE-LEADING-COMMA", [smuggled(b"Transfer-Encoding: , chunked\r\n")],
     BAD),
    ("SMUG-CLTE-SMUGGLED-GET-TE-OBS-FOLD", [smuggled(b"Transfer-Encoding:\r\n chunked\r\n")], BAD),
    ("SMUG-CLTE-SMUGGLED-GET-TE-TRAILING-SPACE", [smuggled(b"Transfer-Encoding: chunked \r\n")],
     BAD),
    ("CL and a tabbed TE", [smuggled(b"Transfer-Encoding:\tchunked\r\n")], BAD),
    ("CL and an empty TE", [smuggled(b"Transfer-Encoding:\r\n")], BAD),
    ("SMUG-TE-DUPLICATE-HEADERS-SMUGGLED-GET", [post(
        CHUNKED + b"Transfer-Encoding: identity\r\n" + LENGTH, SMUGGLED)], BAD),
    ("TE twice, both chunked", [post(CHUNKED + CHUNKED, CHUNKS + NEXT)], BAD),
    ("SMUG-CL-COMMA-TRIPLE", [post(b"Content-Length: 21,21,21\r\n", BODY + NEXT)], BAD),
    ("SMUG-CL-LEADING-ZEROS-OCTAL", [post(b"Content-Length: 021\r\n", BODY)], OK),
    ("SMUG-CL0-BODY-POISON", [post(b"Content-Length: 0\r\n", POISON + b"\r\n\r\n")],
     ["400 close", "400 400 close"]),
    ("CL one short", [post(b"Content-Length: 20\r\n", BODY + b"\r\n\r\n")],
     ["400 close", "400 400 close"]),
    ("CL one long, a GET takes its first byte", [post(b"Content-Length: 22\r\n", BODY + NEXT)],
     ["400 400 close", "400 close", "400 501 close", "400 405 close"]),
    ("CL with a sign and blanks", [post(b"Content-Length: + 21\r\n", BODY + NEXT)], BAD),
    ("CL of 40 digits", [post(b"Content-Length: " + b"0" * 38 + b"21\r\n", BODY)], OK + BAD),
    ("CL with a full stop", [post(b"Content-Length: 21.0\r\n", BODY + NEXT)], BAD),
    ("CL with an exponent", [post(b"Content-Length: 2e1\r\n", BODY + NEXT)], BAD),
    ("CL in digits of another script",
     [post("Content-Length: ２１\r\n".encode(), BODY + NEXT)], BAD),
    ("CL in quotes", [post(b"Content-Length: \"21\"\r\n", BODY + NEXT)], BAD),
    ("CL with a comment", [post(b"Content-Length: 21 (bytes)\r\n", BODY + NEXT)], BAD),
    ("CL before and after Host", [post(LENGTH, BODY + NEXT, host=LENGTH + HOST)], BAD),

    # ---- bodies where there is none ----------------------------------------------------
    ("SMUG-GET-CL-BODY-DESYNC", [get(extra=b"Content-Length: " + LEN_NEXT + b"\r\n") + NEXT], BAD),
    ("SMUG-GET-CL-PREFIX-DESYNC", [get(extra=b"Content-Length: 20\r\n") +
                                   b"GET /version HTTP/1.1", b"\r\nHost: x\r\n\r\n"], BAD),
    ("SMUG-OPTIONS-CL-BODY-DESYNC", [get(extra=b"Content-Length: " + LEN_NEXT + b"\r\n",
                                         method=b"OPTIONS") + NEXT], BAD),
    ("SMUG-OPTIONS-TE-OBS-FOLD", [get(extra=b"Transfer-Encoding:\r\n chunked\r\nContent-Length: "
                                      b"5\r\n", method=b"OPTIONS") + b"hello" + NEXT], BAD),
    ("COMP-TRACE-WITH-BODY", [get(extra=b"Content-Length: 5\r\n", method=b"TRACE") + b"hello" +
                              NEXT], ["400 close", "405 close"]),
    ("COMP-TRACE-SENSITIVE", [get(extra=b"Authorization: Bearer k\r\n", method=b"TRACE")],
     ["405 close"]),
    ("SMUG-EXPECT-100-CL-DESYNC", [post(LENGTH + b"Expect: 100-continue\r\n", BODY + NEXT)],
     ["100 200 200", "200 200"]),
    ("Expect, refused before the body", [post(b"Content-Length: 999999999999\r\n"
                                              b"Expect: 100-continue\r\n")], ["413 close"]),
    ("Expect with chunks", [chunked(b"", b"Expect: 100-continue\r\n"), AWAIT, CHUNKS],
     ["100 200 close"]),

    # ---- chunks ------------------------------------------------------------------------
    ("SMUG-CHUNK-BARE-SEMICOLON", [chunked(b"15;\r\n" + BODY + END)], BAD),
    ("SMUG-CHUNK-EXT-INVALID-TOKEN", [chunked(b"15;bad[=x\r\n" + BODY + END)], BAD),
    ("SMUG-CHUNK-EXT-CTRL", [chunked(b"15;\0ext\r\n" + BODY + END)], BAD),
    ("SMUG-CHUNK-EXT-CR", [chunked(b"15;a\rX\r\n" + BODY + END)], BAD),
    ("SMUG-CHUNK-BARE-CR-TERM", [chunked(b"15\r" + BODY + END + NEXT)], BAD),
    ("SMUG-CHUNK-LF-TRAILER", [chunked(b"15\r\n" + BODY + b"\r\n0\r\n\n")], BAD),
    ("SMUG-CHUNK-INVALID-SIZE-DESYNC", [chunked(b"+0\r\n\r\n" + POISON)], BAD),
    ("SMUG-CHUNK-MISSING-TRAILING-CRLF", [chunked(b"15\r\n" + BODY + b"0\r\n\r\n" + NEXT)], BAD),
    ("a chunk one byte short", [chunked(b"14\r\n" + BODY + END + NEXT)], BAD),
    ("a chunk one byte long", [chunked(b"16\r\n" + BODY + END + NEXT)], BAD),
    ("a last chunk of many zeros", [chunked(b"15\r\n" + BODY + b"\r\n0000\r\n\r\n")], LAST),
    ("chunk size with a comma", [chunked(b"1,5\r\n" + BODY + END + NEXT)], BAD),
    ("chunk size in quotes", [chunked(b"\"15\"\r\n" + BODY + END + NEXT)], BAD),
    ("chunk size with a tab before it", [chunked(b"\t15\r\n" + BODY + END + NEXT)], BAD),
    ("chunk size with NUL behind it", [chunked(b"15\0\r\n" + BODY + END + NEXT)], BAD),
    ("chunk size of 2^63", [chunked(b"8000000000000000\r\n" + BODY + END)], ["413 close"]),
    ("SMUG-TRAILER-AUTH", [chunked(CHUNKS[:-2] + b"Authorization: Bearer k\r\n\r\n" + NEXT)],
     LAST),
    ("a trailer with NUL", [chunked(CHUNKS[:-2] + b"X\0: y\r\n\r\n")], BAD),
    ("chunks in single bytes", [chunked(b"")] + [bytes([c]) for c in CHUNKS], LAST),

    # ---- names that are nearly others --------------------------------------------------
    ("NORM-UNDERSCORE-CL", [post(b"Content_Length: 999\r\n" + LENGTH, BODY)], OK),
    ("NORM-UNDERSCORE-TE", [post(b"Transfer_Encoding: chunked\r\n" + LENGTH, BODY)], OK),
    ("NORM-CASE-TE", [post(b"TRANSFER-ENCODING: chunked\r\n", CHUNKS)], LAST),
    ("NORM-SP-BEFORE-COLON-CL", [post(b"Content-Length : 999\r\n" + LENGTH, BODY + NEXT)], BAD),
    ("NORM-TAB-IN-NAME", [post(b"Content\tLength: 999\r\n" + LENGTH, BODY + NEXT)], BAD),
    ("a name with a dot", [post(b"Content.Length: 999\r\n" + LENGTH, BODY)], OK),
    ("a name with quotes", [get(extra=b"\"X\": v\r\n") + NEXT], BAD),
    ("a name of every token character",
     [get(extra=b"!#$%&'*+-.^_`|~0aZ: v\r\n")], OK),
    ("CL in capitals", [post(b"CONTENT-LENGTH: " + N + b"\r\n", BODY)], OK),
    ("CL behind NUL", [post(b"X: a\0Content-Length: 5\r\n", NEXT)], BAD),
    ("a value of blanks", [get(extra=b"X:  \t \r\n")], OK),
    ("no blank behind the colon", [get(extra=b"X:y\r\n")], OK),

    # ---- upgrades ----------------------------------------------------------------------
    ("COMP-UPGRADE-POST", [post(LENGTH + b"Connection: Upgrade\r\nUpgrade: websocket\r\n" + SOCKET,
                                BODY)], OK),
    ("COMP-UPGRADE-MISSING-CONN", [upgrade(b"Upgrade: websocket\r\n" + SOCKET)], OK),
    ("COMP-UPGRADE-UNKNOWN", [upgrade(b"Connection: Upgrade\r\nUpgrade: totally-made-up/1.0\r\n")],
     OK),
    ("COMP-UPGRADE-INVALID-VER", [upgrade(b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
                                          b"Sec-WebSocket-Version: 99\r\n" + SOCKET)], OK),
    ("COMP-UPGRADE-HTTP10", [upgrade(b"Connection: Upgrade\r\nUpgrade: websocket\r\n" + SOCKET,
                                     version=b"HTTP/1.0")], ["200 close"]),

    # ---- cookies: none is read ---------------------------------------------------------
    ("COOK-ECHO", [get(extra=b"Cookie: foo=bar\r\n")], OK),
    ("COOK-PARSED-BASIC", [get(extra=b"Cookie: foo=bar\r\n"), get()], TWICE),
    ("COOK-PARSED-MULTI", [get(extra=b"Cookie: a=1; b=2; c=3\r\n")], OK),
    ("COOK-PARSED-EMPTY-VAL", [get(extra=b"Cookie: foo=\r\n")], OK),
    ("COOK-PARSED-SPECIAL", [get(extra=b"Cookie: foo=a+b&c=d/e%20\r\n")], OK),
    ("COOK-EMPTY", [get(extra=b"Cookie:\r\n")], OK),
    ("COOK-MALFORMED", [get(extra=b"Cookie: ===;;;===\r\n")], OK),
    ("COOK-MULTI-HEADER", [get(extra=b"Cookie: a=1\r\nCookie: b=2\r\n")], OK),
    ("COOK-MANY-PAIRS", [get(extra=b"Cookie: " + b"; ".join(
        b"k%d=v" % i for i in range(1000)) + b"\r\n")], ["431 close", "close"]),
    ("COOK-OVERSIZED", [get(extra=b"Cookie: big=" + b"A" * 65536 + b"\r\n")], ["431 close"]),
    ("COOK-NUL", [get(extra=b"Cookie: foo=\0bar\r\n") + NEXT], BAD),
    ("COOK-CONTROL-CHARS", [get(extra=b"Cookie: foo=\x01\x02\r\n") + NEXT], BAD),

    # ---- ranges, conditions, media types -----------------------------------------------
    ("COMP-RANGE-INVALID", [get(extra=b"Range: bytes=abc-xyz\r\n")], OK),
    ("COMP-RANGE-POST", [post(LENGTH + b"Range: bytes=0-1\r\n", BODY)], OK),
    ("MAL-RANGE-OVERLAPPING", [get(extra=b"Range: bytes=0-,0-,0-,0-,0-\r\n")], OK),
    ("CAP-IMS-FUTURE", [get(extra=b"If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT\r\n")], OK),
    ("CAP-IMS-INVALID", [get(extra=b"If-Modified-Since: not-a-date\r\n")], OK),
    ("CAP-INM-UNQUOTED", [get(b"/v1/sinusoidal?dim=4&pos=0", b"If-None-Match: abc\r\n")], OK),
    ("CAP-INM-WILDCARD", [get(b"/v1/sinusoidal?dim=4&pos=0", b"If-None-Match: *\r\n")], ["304"]),
    ("COMP-POST-UNSUPPORTED-CT", [post(LENGTH, BODY).replace(b"application/json",
                                                            b"application/x-unknown")], ["415"]),
    ("COMP-405-ALLOW", [get(b"/v1/sinusoidal", method=b"PUT")], ["405 close", "405"]),
    ("COMP-HEAD-NO-BODY", [get(method=b"HEAD"), get(method=b"HEAD")], TWICE),
]
