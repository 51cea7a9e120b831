# SPDX-License-Identifier: Apache-2.0
"""wire_cases.py - hostile, ambiguous and legal requests as bytes, and their allowed outcomes.

A case is (name, parts, allowed): the parts are sent in order, `allowed` lists outcomes. An
outcome is the list of statuses, then "close" if the connection must be closed after them; without
"close" the connection must still serve. "close" alone is an end without an answer. Names in
capitals are the names of Http11Probe's cases. SMUGGLING names the framings that decide whether a
request has one meaning. NEXT is a canary: where it must not run as a request, no outcome has a
status for its answer."""

BODY = b'{"dim":4,"pos":"0:2"}'
N = b"%d" % len(BODY)
SHUT = object()   # the client ends its half of the connection
AWAIT = object()  # an interim answer must arrive before the next part is sent

HOST = b"Host: x\r\n"


def get(target=b"/livez", extra=b"", version=b"HTTP/1.1", method=b"GET", host=HOST):
    return method + b" " + target + b" " + version + b"\r\n" + host + extra + b"\r\n"


def post(extra, body=b"", version=b"HTTP/1.1", host=HOST):
    return (b"POST /v1/sinusoidal " + version + b"\r\n" + host +
            b"Content-Type: application/json\r\n" + extra + b"\r\n" + body)


def chunked(body, extra=b""):
    return post(b"Transfer-Encoding: chunked\r\n" + extra, body)


NEXT = get(b"/version")
LEN_NEXT = b"%d" % len(NEXT)
CHUNKS = b"%x\r\n" % len(BODY) + BODY + b"\r\n0\r\n\r\n"
OK, SERVED, TWICE = ["200"], ["200", "200 close"], ["200 200"]
LAST = ["200 close"]  # a chunked request is the last of its connection
BAD, CUT = ["400 close"], ["400 close", "close"]

CASES = [
    # ---- plain -------------------------------------------------------------------------
    ("COMP-BASELINE", [get()], OK),
    ("COMP-POST-CL-BODY", [post(b"Content-Length: " + N + b"\r\n", BODY)], OK),
    ("COMP-CHUNKED-BODY", [chunked(CHUNKS)], LAST),
    ("HEAD", [get(method=b"HEAD")], OK),
    ("a body in single bytes", [post(b"Content-Length: " + N + b"\r\n")] +
     [BODY[i:i + 1] for i in range(len(BODY))], OK),
    ("a head in single bytes", [bytes([c]) for c in get()], OK),

    # ---- Content-Length ----------------------------------------------------------------
    ("RFC9112-6.1-CL-NON-NUMERIC", [post(b"Content-Length: abc\r\n", BODY)], BAD),
    ("CL non-numeric, pipelined", [post(b"Content-Length: abc\r\n") + NEXT], BAD),
    ("RFC9112-6.1-CL-PLUS-SIGN", [post(b"Content-Length: +21\r\n", BODY + NEXT)], BAD),
    ("SMUG-CL-NEGATIVE", [post(b"Content-Length: -1\r\n", BODY + NEXT)], BAD),
    ("SMUG-CL-NEGATIVE-ZERO", [post(b"Content-Length: -0\r\n", NEXT)], BAD),
    ("SMUG-CL-HEX-PREFIX", [post(b"Content-Length: 0x15\r\n", BODY + NEXT)], BAD),
    ("SMUG-CL-OCTAL", [post(b"Content-Length: 0o25\r\n", BODY + NEXT)], BAD),
    ("SMUG-CL-UNDERSCORE", [post(b"Content-Length: 2_1\r\n", BODY + NEXT)], BAD),
    ("SMUG-CL-INTERNAL-SPACE", [post(b"Content-Length: 2 1\r\n", BODY + NEXT)], BAD),
    ("SMUG-CL-TRAILING-SPACE", [post(b"Content-Length: 21 \r\n", BODY + NEXT)], BAD),
    ("CL trailing tab", [post(b"Content-Length: 21\t\r\n", BODY + NEXT)], BAD),
    ("SMUG-CL-EXTRA-LEADING-SP", [post(b"Content-Length:   21\r\n", BODY)], OK),
    ("MAL-CL-TAB-BEFORE-VALUE", [post(b"Content-Length:\t21\r\n", BODY)], OK),
    ("SMUG-CL-LEADING-ZEROS", [post(b"Content-Length: 000021\r\n", BODY)], OK),
    ("SMUG-CL-COMMA-SAME", [post(b"Content-Length: 21, 21\r\n", BODY + NEXT)], BAD),
    ("SMUG-CL-COMMA-DIFFERENT", [post(b"Content-Length: 21, 0\r\n", BODY + NEXT)], BAD),
    ("MAL-CL-EMPTY", [post(b"Content-Length:\r\n", NEXT)], BAD),
    ("MAL-CL-OVERFLOW", [post(b"Content-Length: 18446744073709551616\r\n", BODY)],
     ["413 close"]),
    ("CL 2^64-1", [post(b"Content-Length: 18446744073709551615\r\n", BODY)], ["413 close"]),
    ("CL 2^63", [post(b"Content-Length: 9223372036854775808\r\n", BODY)], ["413 close"]),
    ("MAL-POST-CL-HUGE-NO-BODY", [post(b"Content-Length: 999999999999\r\n")], ["413 close"]),
    ("SMUG-DUPLICATE-CL same", [post(b"Content-Length: 21\r\nContent-Length: 21\r\n", BODY)],
     BAD),
    ("SMUG-DUPLICATE-CL", [post(b"Content-Length: 21\r\nContent-Length: 0\r\n", BODY + NEXT)],
     BAD),
    ("SMUG-DUPLICATE-CL-SMUGGLED-GET",
     [post(b"Content-Length: 0\r\nContent-Length: " + LEN_NEXT + b"\r\n", NEXT)], BAD),
    ("SMUG-CL-DOUBLE-ZERO", [post(b"Content-Length: 0\r\nContent-Length: 0\r\n", NEXT)], BAD),
    ("CL NUL", [post(b"Content-Length: 21\0junk\r\n", BODY + NEXT)], BAD),
    ("RFC9110-5.6.2-SP-BEFORE-COLON",
     [post(b"Content-Length : " + LEN_NEXT + b"\r\n", NEXT)], BAD),
    ("CL tab before colon", [post(b"Content-Length\t: " + LEN_NEXT + b"\r\n", NEXT)], BAD),
    ("COMP-WHITESPACE-BEFORE-HEADERS",
     [b"POST /v1/sinusoidal HTTP/1.1\r\n Content-Length: " + LEN_NEXT +
      b"\r\nHost: x\r\n\r\n" + NEXT], BAD),
    ("CL by obs-fold of its name", [post(b"Content-: 21\r\n Length\r\n", BODY + NEXT)], BAD),
    ("COMP-GET-WITH-CL-BODY", [get(extra=b"Content-Length: 5\r\n") + b"hello" + NEXT], BAD),
    ("SMUG-HEAD-CL-BODY", [get(extra=b"Content-Length: 5\r\n", method=b"HEAD") + b"hello" +
                           NEXT], BAD),
    ("SMUG-OPTIONS-CL-BODY", [get(extra=b"Content-Length: 5\r\n", method=b"OPTIONS") +
                              b"hello" + NEXT], BAD),
    ("GET with CL 0", [get(extra=b"Content-Length: 0\r\n")], OK),
    ("COMP-POST-CL-ZERO", [post(b"Content-Length: 0\r\n")], ["400"]),
    ("COMP-POST-NO-CL-NO-TE", [post(b"")], ["400"]),

    # ---- Transfer-Encoding -------------------------------------------------------------
    ("SMUG-CL-TE-BOTH", [post(b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
                              CHUNKS + NEXT)], BAD),
    ("SMUG-TECL-PIPELINE", [chunked(CHUNKS + NEXT, b"Content-Length: 3\r\n")], BAD),
    ("SMUG-CLTE-CONN-CLOSE", [chunked(CHUNKS + NEXT, b"Content-Length: 3\r\nConnection: close"
                                      b"\r\n")], BAD),
    ("COMP-UNKNOWN-TE-501", [post(b"Transfer-Encoding: gzip\r\n", CHUNKS + NEXT)],
     ["501 close"]),
    ("TE gzip, chunked", [post(b"Transfer-Encoding: gzip, chunked\r\n", CHUNKS + NEXT)],
     ["501 close"]),
    ("SMUG-TE-NOT-FINAL-CHUNKED", [post(b"Transfer-Encoding: chunked, gzip\r\n",
                                        CHUNKS + NEXT)], ["501 close"]),
    ("SMUG-TE-TRAILING-SPACE", [post(b"Transfer-Encoding: chunked \r\n", CHUNKS + NEXT)],
     ["501 close", "400 close"]),
    ("SMUG-TE-XCHUNKED", [post(b"Transfer-Encoding: xchunked\r\n", CHUNKS + NEXT)],
     ["501 close"]),
    ("SMUG-TE-CASE-MISMATCH", [post(b"Transfer-Encoding: Chunked\r\n", CHUNKS)], LAST),
    ("SMUG-TE-LEADING-COMMA", [post(b"Transfer-Encoding: , chunked\r\n", CHUNKS + NEXT)],
     ["501 close"]),
    ("SMUG-TE-TRAILING-COMMA", [post(b"Transfer-Encoding: chunked,\r\n", CHUNKS + NEXT)],
     ["501 close"]),
    ("SMUG-TE-EMPTY-VALUE", [post(b"Transfer-Encoding:\r\n", CHUNKS + NEXT)],
     ["501 close", "400 close"]),
    ("SMUG-CHUNKED-WITH-PARAMS", [post(b"Transfer-Encoding: chunked;q=1\r\n", CHUNKS + NEXT)],
     ["501 close"]),
    ("SMUG-TE-IDENTITY", [post(b"Transfer-Encoding: identity\r\nContent-Length: 21\r\n",
                               BODY + NEXT)], ["400 close", "501 close"]),
    ("TE identity, half-closed", [post(b"Transfer-Encoding: identity\r\n", BODY), SHUT],
     ["501 close"]),
    ("SMUG-TE-DUPLICATE-HEADERS", [post(b"Transfer-Encoding: chunked\r\n"
                                        b"Transfer-Encoding: identity\r\n", CHUNKS + NEXT)],
     BAD),
    ("SMUG-TE-DOUBLE-CHUNKED", [post(b"Transfer-Encoding: chunked, chunked\r\n",
                                     CHUNKS + NEXT)], ["501 close"]),
    ("SMUG-TE-SP-BEFORE-COLON", [post(b"Transfer-Encoding : chunked\r\nContent-Length: %d\r\n"
                                      % (5 + len(NEXT)), b"0\r\n\r\n" + NEXT)], BAD),
    ("SMUG-TE-OBS-FOLD", [post(b"Transfer-Encoding:\r\n chunked\r\n", CHUNKS + NEXT)], BAD),
    ("SMUG-TE-NULL", [post(b"Transfer-Encoding: chunked\0x\r\n", CHUNKS + NEXT)], BAD),
    ("SMUG-TE-VTAB", [post(b"Transfer-Encoding: \x0bchunked\r\n", CHUNKS + NEXT)], BAD),
    ("SMUG-TE-FORMFEED", [post(b"Transfer-Encoding: \x0cchunked\r\n", CHUNKS + NEXT)], BAD),
    ("SMUG-TE-TAB-BEFORE-VALUE", [post(b"Transfer-Encoding:\tchunked\r\n", CHUNKS)], LAST),
    ("SMUG-TE-HTTP10", [post(b"Transfer-Encoding: chunked\r\n", CHUNKS + NEXT,
                             version=b"HTTP/1.0")], BAD),
    ("SMUG-TRANSFER_ENCODING", [post(b"Transfer_Encoding: chunked\r\nContent-Length: 21\r\n",
                                     BODY)], OK),
    ("GET with chunked body", [get(extra=b"Transfer-Encoding: chunked\r\n") + b"0\r\n\r\n" +
                               NEXT], BAD),

    # ---- chunks: more of them in wire_chunks.py ----------------------------------------
    ("SMUG-CHUNK-HEX-PREFIX", [chunked(b"0x15\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT)], BAD),
    ("SMUG-CHUNK-SIZE-PLUS", [chunked(b"+15\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT)], BAD),
    ("SMUG-CHUNK-NEGATIVE", [chunked(b"-15\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT)], BAD),
    ("SMUG-CHUNK-UNDERSCORE", [chunked(b"1_5\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT)], BAD),
    ("SMUG-CHUNK-LEADING-SP", [chunked(b" 15\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT)], BAD),
    ("SMUG-CHUNK-SIZE-TRAILING-OWS", [chunked(b"15 \r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT)],
     BAD),
    ("MAL-CHUNK-SIZE-OVERFLOW", [chunked(b"1" + b"0" * 16 + b"\r\n" + BODY +
                                         b"\r\n0\r\n\r\n" + NEXT)], ["413 close", "400 close"]),
    ("chunk size with zeros before it", [chunked(b"0" * 18 + b"15\r\n" + BODY +
                                                 b"\r\n0\r\n\r\n")], BAD),
    ("COMP-CHUNKED-HEX-UPPERCASE", [chunked(b"A\r\n" + BODY[:10] + b"\r\nB\r\n" + BODY[10:] +
                                            b"\r\n0\r\n\r\n")], LAST),
    ("COMP-CHUNKED-MULTI", [chunked(b"".join(b"1\r\n%c\r\n" % c for c in BODY) +
                                    b"0\r\n\r\n")], LAST),
    ("COMP-CHUNKED-EXTENSION", [chunked(b"15;a=b\r\n" + BODY + b"\r\n0\r\n\r\n")], LAST),
    ("SMUG-CHUNK-EXT-LF", [chunked(b"15;x\n" + BODY + b"\r\n0\r\n\r\n")], BAD),
    ("MAL-CHUNK-EXT-64K", [chunked(b"15;" + b"a" * 65536 + b"\r\n" + BODY +
                                   b"\r\n0\r\n\r\n" + NEXT)],
     BAD),
    ("SMUG-CHUNK-LF-TERM", [chunked(b"15\n" + BODY + b"\n0\n\n")], BAD),
    ("SMUG-CHUNK-SPILL", [chunked(b"15\r\n" + BODY + b"XX\r\n0\r\n\r\n" + NEXT)], BAD),
    ("empty chunk size", [chunked(b"\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT)], BAD),
    ("chunk size zz", [chunked(b"zz\r\n" + BODY + b"\r\n0\r\n\r\n" + NEXT)], BAD),
    ("COMP-CHUNKED-EMPTY", [chunked(b"0\r\n\r\n")], BAD),
    ("COMP-CHUNKED-TRAILER-VALID", [chunked(CHUNKS[:-2] + b"X-T: 1\r\n\r\n")], LAST),
    ("SMUG-TRAILER-CL", [chunked(CHUNKS[:-2] + b"Content-Length: 50\r\n\r\n" + NEXT)], LAST),
    ("SMUG-TRAILER-TE", [chunked(CHUNKS[:-2] + b"Transfer-Encoding: gzip\r\n\r\n" + NEXT)],
     LAST),
    ("SMUG-TRAILER-HOST", [chunked(CHUNKS[:-2] + b"Host: y\r\n\r\n" + NEXT)], LAST),
    ("SMUG-TRAILER-CONTENT-TYPE", [chunked(CHUNKS[:-2] + b"Content-Type: text/x\r\n\r\n" +
                                           NEXT)], LAST),
    ("trailer without colon", [chunked(CHUNKS[:-2] + b"bad\r\n\r\n")], BAD),
    ("trailers of 40 kB", [chunked(CHUNKS[:-2] + b"".join(
        b"T%d: %s\r\n" % (i, b"v" * 90) for i in range(400)) + b"\r\n")],
     ["431 close"]),

    # ---- lines and fields --------------------------------------------------------------
    ("RFC9112-2.2-BARE-LF-REQUEST-LINE", [b"GET /livez HTTP/1.1\nHost: x\r\n\r\n" + NEXT], BAD),
    ("RFC9112-2.2-BARE-LF-HEADER", [b"GET /livez HTTP/1.1\r\nHost: x\nX: y\r\n\r\n" + NEXT],
     BAD),
    ("bare LF everywhere", [b"GET /livez HTTP/1.1\nHost: x\n\n" + NEXT], BAD),
    ("SMUG-BARE-CR-HEADER-VALUE", [get(extra=b"X-A: a\rContent-Length: 5\r\n") + NEXT], BAD),
    ("RFC9112-3-CR-ONLY-LINE-ENDING", [b"GET /livez HTTP/1.1\rHost: x\r\r", SHUT], CUT),
    ("RFC9112-5-HEADER-NO-COLON", [get(extra=b"nocolon\r\n") + NEXT], BAD),
    ("first header without colon", [get(host=b"nocolon\r\nHost: x\r\n") + NEXT], BAD),
    ("RFC9112-5-EMPTY-HEADER-NAME", [get(extra=b": v\r\n") + NEXT], BAD),
    ("a line feed and a colon for the end", [get(extra=b"X: y\n:\r\n")[:-2] + NEXT], BAD),
    ("a colon and a line feed for the end", [get(extra=b"X: y\r\n:\n")[:-2] + NEXT], BAD),
    ("a head ended by a colon", [get(extra=b"X: y\r\n:\r\n")[:-2] + NEXT], BAD),
    ("RFC9112-5-INVALID-HEADER-NAME", [get(extra=b"X A: v\r\n") + NEXT], BAD),
    ("header name in parentheses", [get(extra=b"X(A): v\r\n") + NEXT], BAD),
    ("MAL-NUL-IN-HEADER-VALUE", [get(extra=b"X-A: a\0b\r\n") + NEXT], BAD),
    ("two NULs in a header value", [get(extra=b"X-A: a\0\0b: c\r\n") + NEXT], BAD),
    ("NUL in header name", [get(extra=b"X-A\0B: v\r\n") + NEXT], BAD),
    ("NUL as first byte of a line", [get(extra=b"\0X: v\r\nX-Z: 1\r\n") + NEXT], BAD),
    ("MAL-CONTROL-CHARS-HEADER", [get(extra=b"X\x01: v\r\n") + NEXT], BAD),
    ("control character in a value", [get(extra=b"X: a\x01\r\n") + NEXT], BAD),
    ("DEL in a value", [get(extra=b"X: a\x7f\r\n") + NEXT], BAD),
    ("MAL-NON-ASCII-HEADER-NAME", [get(extra=b"X\xff: v\r\n") + NEXT], BAD),
    ("8-bit byte in a value", [get(extra=b"X: \xc3\xa9\r\n")], OK),
    ("RFC9112-5.1-OBS-FOLD", [get(extra=b"X-A: a\r\n b\r\n") + NEXT], BAD),
    ("obs-fold with a tab", [get(extra=b"X-A: a\r\n\tb\r\n") + NEXT], BAD),
    ("obs-fold as first line", [b"GET /livez HTTP/1.1\r\n X: y\r\nHost: x\r\n\r\n" + NEXT], BAD),
    ("obs-fold of a name", [get(extra=b"X-Api-: secret\r\n Key\r\n") + NEXT], BAD),
    ("MAL-WHITESPACE-ONLY-LINE", [b"GET /livez HTTP/1.1\r\n \r\nHost: x\r\n\r\n" + NEXT], BAD),
    ("RFC9112-7.1-MISSING-HOST", [get(host=b"") + NEXT], BAD),
    ("RFC9110-5.4-DUPLICATE-HOST", [get(extra=b"Host: y\r\n") + NEXT], BAD),
    ("COMP-DUPLICATE-HOST-SAME", [get(extra=b"Host: x\r\n") + NEXT], BAD),
    ("SMUG-MULTIPLE-HOST-COMMA", [get(host=b"Host: x, y\r\n") + NEXT], BAD),
    ("COMP-HOST-EMPTY-VALUE", [get(host=b"Host:\r\n") + NEXT], BAD),
    ("COMP-HOST-WITH-PATH", [get(host=b"Host: a/b?c\r\n") + NEXT], BAD),
    ("COMP-HOST-WITH-USERINFO", [get(host=b"Host: u@x\r\n") + NEXT], BAD),
    ("Host with a bad port", [get(host=b"Host: x:8o\r\n") + NEXT], BAD),
    ("Host of every legal form", [get(host=b"Host: %s\r\n" % name) for name in (
        b"localhost:8080", b"127.0.0.1", b"[::1]:80", b"a-b.example.", b"x:")],
     ["200 200 200 200 200"]),
    ("COMP-DUPLICATE-CT", [post(b"Content-Type: text/plain\r\nContent-Length: 21\r\n",
                                BODY + NEXT)], BAD),
    ("two Accept", [get(extra=b"Accept: text/html\r\nAccept: */*\r\n")], OK),

    # ---- request line ------------------------------------------------------------------
    ("COMP-METHOD-CASE", [get(method=b"get") + NEXT], ["405 close", "501 close"]),
    ("COMP-UNKNOWN-METHOD", [get(method=b"FROB") + NEXT], ["405 close", "501 close"]),
    ("method with a control character", [get(method=b"G\x01T") + NEXT],
     ["501 close", "400 close"]),
    ("method with a slash", [get(method=b"G/T") + NEXT], ["501 close", "400 close"]),
    ("COMP-METHOD-TRACE", [get(method=b"TRACE") + NEXT], ["405 close", "501 close"]),
    ("COMP-METHOD-CONNECT", [get(b"evil:443", method=b"CONNECT") + NEXT],
     ["400 close", "405 close", "501 close"]),
    ("PATCH", [get(method=b"PATCH") + NEXT], ["405 close"]),
    ("MAL-LONG-METHOD", [get(method=b"A" * 20000) + NEXT],
     ["400 close", "405 close", "414 close", "431 close", "501 close", "close"]),
    # libmicrohttpd closes at a line without a space, or one that begins with it, before any handler
    ("COMP-REQUEST-LINE-TAB", [b"GET\t/livez\tHTTP/1.1\r\nHost: x\r\n\r\n" + NEXT], CUT),
    ("RFC9112-3-MULTI-SP-REQUEST-LINE",
     [b"GET  /livez  HTTP/1.1\r\nHost: x\r\n\r\n" + NEXT], BAD),
    ("two spaces after the method", [b"GET  /livez HTTP/1.1\r\nHost: x\r\n\r\n" + NEXT], BAD),
    ("two spaces before the version", [b"GET /livez  HTTP/1.1\r\nHost: x\r\n\r\n" + NEXT], BAD),
    ("COMP-SPACE-IN-TARGET", [get(b"/a b") + NEXT], BAD),
    ("blanks in a target with a query", [get(b"/a b?c d") + NEXT], BAD),
    ("a blank behind the target", [get(b"/livez ") + NEXT], BAD),
    ("a blank for the target", [get(b" ") + NEXT], BAD),
    ("junk after the version", [b"GET /livez HTTP/1.1 junk\r\nHost: x\r\n\r\n" + NEXT], BAD),
    ("COMP-VERSION-WHITESPACE", [b"GET /livez HTTP/1.1 \r\nHost: x\r\n\r\n" + NEXT], BAD),
    ("RFC9112-3-MISSING-TARGET", [b"GET HTTP/1.1\r\nHost: x\r\n\r\n" + NEXT], BAD),
    ("a method and a space", [b"GET \r\nHost: x\r\n\r\n" + NEXT], BAD),
    ("COMP-LEADING-CRLF", [b"\r\n" + get()], OK),
    ("leading blanks", [b"  " + get() + NEXT], CUT),
    # libmicrohttpd reads it as an empty line
    ("NUL as first byte", [b"\0\r\n" + get()], OK + CUT),
    ("RFC9112-2.3-HTTP09-REQUEST", [b"GET /livez\r\n" + NEXT], BAD),
    ("COMP-HTTP12-VERSION", [get(version=b"HTTP/1.2") + NEXT], ["505 close"]),
    ("HTTP/1.9", [get(version=b"HTTP/1.9") + NEXT], ["505 close"]),
    ("HTTP/2.0", [get(version=b"HTTP/2.0") + NEXT], ["505 close"]),
    ("HTTP/3.0", [get(version=b"HTTP/3.0") + NEXT], ["505 close"]),
    ("HTTP/0.9", [get(version=b"HTTP/0.9") + NEXT], ["505 close"]),
    ("HTTP/1.10", [get(version=b"HTTP/1.10") + NEXT], ["400 close", "505 close"]),
    ("COMP-VERSION-CASE", [get(version=b"http/1.1") + NEXT], ["400 close", "505 close"]),
    ("COMP-VERSION-LEADING-ZEROS", [get(version=b"HTTP/01.01") + NEXT],
     ["400 close", "505 close"]),
    ("COMP-VERSION-MISSING-MINOR", [get(version=b"HTTP/1") + NEXT],
     ["400 close", "505 close"]),
    ("RFC9112-2.3-INVALID-VERSION", [get(version=b"HTCPCP/1.0") + NEXT],
     ["400 close", "505 close"]),
    ("MAL-H2-PREFACE", [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"], ["505 close", "400 close"]),
    ("MAL-BINARY-GARBAGE", [bytes(range(256)) * 4, SHUT], BAD),
    ("TLS on the plain port", [bytes.fromhex("16030100a5010000a10303") + b"\0" * 64 + b"\n",
                               SHUT], CUT),
    ("MAL-EMPTY-REQUEST", [SHUT], ["close"]),
    ("MAL-INCOMPLETE-REQUEST", [b"GET /livez HTTP/1.1\r\nHost: x\r\n", SHUT], ["close"]),
    ("COMP-POST-CL-UNDERSEND", [post(b"Content-Length: 50\r\n", BODY), SHUT], ["close"]),
    ("COMP-CHUNKED-NO-FINAL", [chunked(b"15\r\n" + BODY + b"\r\n"), SHUT], ["close"]),
    ("half-close after the request", [get(), SHUT], ["200 close", "close"]),

    # ---- target ------------------------------------------------------------------------
    ("COMP-ABSOLUTE-FORM", [get(b"http://x/livez")], OK),
    ("absolute-form, case and port as Host", [get(b"HTTP://X:80/livez", host=b"Host: x:80\r\n")],
     OK),
    ("absolute-form without path", [get(b"http://x")], OK),
    ("absolute-form, a query and no path", [get(b"http://x?a=1")], OK + ["400"]),
    ("SMUG-ABSOLUTE-URI-HOST-MISMATCH", [get(b"http://evil/livez") + NEXT], BAD),
    ("absolute-form with user", [get(b"http://u@x/livez") + NEXT], BAD),
    ("absolute-form without Host", [get(b"http://x/livez", version=b"HTTP/1.0", host=b"")], BAD),
    ("absolute-form of another scheme", [get(b"ftp://x/livez") + NEXT], BAD),
    ("COMP-OPTIONS-STAR", [get(b"*", method=b"OPTIONS")], ["204"]),
    ("COMP-OPTIONS-ALLOW", [get(method=b"OPTIONS")], ["204"]),
    ("COMP-ASTERISK-WITH-GET", [get(b"*") + NEXT], BAD),
    ("target without slash", [get(b"livez") + NEXT], BAD),
    ("dot segments", [get(b"//livez/../../etc/passwd")], ["404"]),
    ("encoded slashes", [get(b"/v1/%2e%2e%2f%2e%2e%2fetc") + NEXT], BAD),
    ("MAL-URL-PERCENT-NULL", [get(b"/livez%00.json") + NEXT], BAD),
    ("encoded NUL in the query", [get(b"/livez?a=1%00b") + NEXT], BAD),
    ("bad escape", [get(b"/livez%zz") + NEXT], BAD),
    ("cut escape", [get(b"/livez%4") + NEXT], BAD),
    ("double encoding", [get(b"/%2541")], ["404"]),
    ("plus in the path", [get(b"/a+b?a+b=c+d")], ["404"]),
    ("encoded question mark", [get(b"/a%3Fx=1")], ["404"]),
    ("MAL-URL-PERCENT-CRLF", [get(b"/livez%0d%0aX:1") + NEXT], BAD),
    ("RFC9112-3.2-FRAGMENT-IN-TARGET", [get(b"/livez#frag?x=1") + NEXT], BAD),
    ("MAL-NUL-IN-URL", [get(b"/livez\0q") + NEXT], BAD),
    ("MAL-NON-ASCII-URL", [get(b"/\xff\xfe") + NEXT], BAD),
    ("MAL-URL-BACKSLASH", [get(b"/a\\b") + NEXT], BAD),
    ("MAL-URL-OVERLONG-UTF8", [get(b"/%c0%af")], ["404", "400"]),
    ("invalid UTF-8, encoded", [get(b"/%ff")], ["404", "400"]),
    ("a parameter twice", [get(b"/v1/sinusoidal?dim=4&dim=4")], ["400"]),
    ("query of nothing", [get(b"/v1/sinusoidal?&&=&=x&x")], ["400"]),
    ("query with another ?", [get(b"/v1/sinusoidal?dim=4&pos=0?b")], ["400"]),
    ("query with ;", [get(b"/v1/sinusoidal?dim=4;pos=0")], ["400"]),

    # ---- sizes -------------------------------------------------------------------------
    ("COMP-LONG-URL-OK", [get(b"/" + b"a" * 8191)], ["404"]),
    ("a target of 8193 bytes", [get(b"/" + b"a" * 8192) + NEXT], ["414 close"]),
    ("a target of 16 kB", [get(b"/" + b"a" * 16000) + NEXT], ["414 close", "431 close"]),
    ("a target of 33 kB", [get(b"/" + b"a" * 33000)], ["414 close"]),
    ("MAL-LONG-URL", [get(b"/" + b"a" * 100000)], ["414 close"]),
    ("query of 2,000 arguments", [get(b"/v1/sinusoidal?" + b"&".join(
        b"a%d" % (i % 100) for i in range(2000)))], ["400"]),
    ("a header line of 8,000 bytes", [get(extra=b"X: " + b"a" * 8000 + b"\r\n")], OK),
    ("a header line of 9,000 bytes", [get(extra=b"X: " + b"a" * 9000 + b"\r\n") + NEXT],
     ["431 close"]),
    ("MAL-LONG-HEADER-VALUE", [get(extra=b"X: " + b"a" * 40000 + b"\r\n")], ["431 close"]),
    ("MAL-LONG-HEADER-NAME", [get(extra=b"a" * 40000 + b": x\r\n")], ["431 close"]),
    ("100 header lines", [get(extra=b"".join(b"X%d: v\r\n" % i for i in range(99)))], OK),
    ("101 header lines", [get(extra=b"".join(b"X%d: v\r\n" % i for i in range(100))) + NEXT],
     ["431 close"]),
    ("1,000 header lines", [get(extra=b"".join(b"X%d: v\r\n" % i for i in range(1000)))],
     ["431 close", "close"]),
    ("MAL-MANY-HEADERS", [get(extra=b"".join(b"X%d: v\r\n" % i for i in range(5000)))],
     ["431 close", "close"]),
    ("a cookie of 3,000 pairs", [get(extra=b"Cookie: " + b"a=b;" * 3000 + b"\r\n")],
     ["431 close", "close"]),
    ("a cookie of commas", [get(extra=b"Cookie: ,,;;==,=;\"\r\n")], OK),
    ("a cookie without name", [get(extra=b"Cookie: =\r\n")], OK),
    # libmicrohttpd reads cookies before our check and finds this one too long
    ("a cookie with a lone quote", [get(extra=b"Cookie: a=\"\r\n")], OK + ["431 close"]),
    ("a cookie of blanks", [get(extra=b"Cookie:  \r\n")], OK),

    # ---- connections -------------------------------------------------------------------
    ("SMUG-PIPELINE-SAFE", [get() + get(b"/version") + get()], ["200 200 200"]),
    ("bad, then good", [get(extra=b"nocolon\r\n") + NEXT], BAD),
    ("not found, then found", [get(b"/nothing"), get()], ["404 200"]),
    ("COMP-CONNECTION-CLOSE", [get(extra=b"Connection: close\r\n") + NEXT], ["200 close"]),
    ("COMP-HTTP10-DEFAULT-CLOSE", [get(version=b"HTTP/1.0") + NEXT], ["200 close"]),
    ("HTTP/1.0 keep-alive", [get(version=b"HTTP/1.0", extra=b"Connection: keep-alive\r\n")],
     SERVED),
    ("COMP-HTTP10-NO-HOST", [b"GET /livez HTTP/1.0\r\n\r\n"], ["200 close"]),
    ("SMUG-EXPECT-100-CL", [post(b"Content-Length: 21\r\nExpect: 100-continue\r\n"), AWAIT,
                            BODY], ["100 200"]),
    ("Expect with the body at once", [post(b"Content-Length: 21\r\nExpect: 100-continue\r\n",
                                           BODY)], ["100 200", "200"]),
    ("Expect without a body", [get(extra=b"Expect: 100-continue\r\n")], ["100 200", "200"]),
    ("COMP-EXPECT-UNKNOWN", [post(b"Content-Length: 21\r\nExpect: 200-magic\r\n", BODY)],
     ["417 close"]),
    ("Expect twice", [post(b"Content-Length: 21\r\nExpect: 100-continue\r\n"
                           b"Expect: 100-continue\r\n", BODY)], ["417 close"]),
    ("COMP-NO-1XX-HTTP10", [post(b"Content-Length: 21\r\nExpect: 100-continue\r\n", BODY,
                                 version=b"HTTP/1.0")], ["200 close"]),
    ("Upgrade: websocket", [get(extra=b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
                                b"Sec-WebSocket-Key: a\r\n") + NEXT], TWICE),
    ("Upgrade: h2c", [get(extra=b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                          b"HTTP2-Settings: AAA\r\n") + NEXT], TWICE),
    ("COMP-ACCEPT-NONSENSE", [get(extra=b"Accept: application/x-nonsense\r\n")],
     ["200", "406"]),
]

# The framings most of which libmicrohttpd alone runs as requests, or hangs on.
SMUGGLING = """SMUG-CL-TRAILING-SPACE; SMUG-DUPLICATE-CL; SMUG-DUPLICATE-CL-SMUGGLED-GET; CL NUL;
RFC9110-5.6.2-SP-BEFORE-COLON; CL tab before colon; COMP-WHITESPACE-BEFORE-HEADERS;
CL by obs-fold of its name; SMUG-CL-TE-BOTH; TE gzip, chunked; SMUG-TE-TRAILING-SPACE;
SMUG-TE-XCHUNKED; SMUG-TE-IDENTITY; TE identity, half-closed; SMUG-TE-DUPLICATE-HEADERS;
SMUG-TE-SP-BEFORE-COLON; SMUG-TE-OBS-FOLD; SMUG-TE-NULL; SMUG-TE-HTTP10; bare LF everywhere;
SMUG-BARE-CR-HEADER-VALUE; RFC9112-5-INVALID-HEADER-NAME; MAL-NUL-IN-HEADER-VALUE;
NUL as first byte of a line; MAL-CONTROL-CHARS-HEADER; RFC9112-5.1-OBS-FOLD; obs-fold of a name;
RFC9110-5.4-DUPLICATE-HOST; RFC9112-5-EMPTY-HEADER-NAME; CL 2^64-1; CL 2^63;
MAL-URL-PERCENT-NULL; MAL-NUL-IN-URL; RFC9112-7.1-MISSING-HOST; COMP-HOST-WITH-PATH;
method with a control character"""
SMUGGLING = [" ".join(name.split()) for name in SMUGGLING.split(";")]
