# SPDX-License-Identifier: Apache-2.0
"""wire_codings.py - packed bodies and the wish for packed answers, broken in every way, in the
form of wire_cases.py. A body whose framing is sound leaves the connection open, whatever is in
it."""

import gzip
import zlib

from wire_cases import BAD, BODY, LAST, NEXT, OK, TWICE, get, post

PACKED = gzip.compress(BODY, 9, mtime=0)
OTHER = ["415"]  # a coding that is not taken
# 8 MiB of blanks; a limit stops it before its end is looked for.
BOMB = gzip.compress(b" " * (8 << 20), 9, mtime=0)
TEXT = b"/v1/sinusoidal?dim=64&pos=0:64"
BYTES = b"/v1/rope?dim=64&pos=0:64&out=cos&format=raw"  # never packed


def packed(body, coding=b"gzip"):
    """A body of that coding, whole."""
    return post(b"Content-Encoding: %s\r\nContent-Length: %d\r\n" % (coding, len(body)), body)


def chunks(body, coding=b"gzip", size=5):
    pieces = [body[i:i + size] for i in range(0, len(body), size)]
    return post(b"Content-Encoding: %s\r\nTransfer-Encoding: chunked\r\n" % coding,
                b"".join(b"%x\r\n%s\r\n" % (len(one), one) for one in pieces) + b"0\r\n\r\n")


def member(flags=0, method=8, fields=b""):
    """PACKED with another header (RFC 1952, 2.3): its fields stand behind the fixed ten bytes."""
    return PACKED[:2] + bytes([method, flags]) + PACKED[4:10] + fields + PACKED[10:]


def flipped(index):
    body = bytearray(PACKED)
    body[index] ^= 1
    return bytes(body)


def raw_deflate(body):
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    return stream.compress(body) + stream.flush()


def wish(value, target=TEXT):
    return get(target, b"Accept-Encoding: " + value + b"\r\n")


EVERY = b"\x04\x00ab\x00\x00name\0words\0"  # FEXTRA, FNAME, FCOMMENT, before FHCRC
EVERY += (zlib.crc32(member(0x1f)[:10] + EVERY) & 0xFFFF).to_bytes(2, "little")

CASES = [
    # ---- Content-Encoding --------------------------------------------------------------
    ("coding gzip", [packed(PACKED)], OK),
    ("coding x-gzip", [packed(PACKED, b"x-gzip")], OK),
    ("coding in capitals", [packed(PACKED, b"GZip")], OK),
    ("coding deflate", [packed(zlib.compress(BODY), b"deflate")], OK),
    ("coding identity", [packed(BODY, b"identity")], OK),
    ("coding br", [packed(PACKED, b"br")], OTHER),
    ("coding zstd", [packed(PACKED, b"zstd")], OTHER),
    ("coding compress", [packed(PACKED, b"compress")], OTHER),
    ("coding aws-chunked", [packed(PACKED, b"aws-chunked")], OTHER),
    ("coding *", [packed(PACKED, b"*")], OTHER),
    ("an empty coding", [packed(BODY, b"")], OTHER),
    ("a coding with a parameter", [packed(PACKED, b"gzip;q=1")], OTHER),
    ("a coding in quotes", [packed(PACKED, b'"gzip"')], OTHER),
    ("a coding with a comma behind it", [packed(PACKED, b"gzip,")], OTHER),
    ("two codings in a line", [packed(gzip.compress(PACKED), b"gzip, gzip")], OTHER),
    ("a coding and identity", [packed(PACKED, b"gzip, identity")], OTHER),
    ("two codings in two lines", [post(b"Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n"
                                       b"Content-Length: %d\r\n" % len(PACKED), PACKED + NEXT)],
     BAD),
    ("a coding of 7,000 bytes", [packed(PACKED, b"g" * 7000)], OTHER),
    ("NUL in a coding", [packed(PACKED, b"gzip\0x")], BAD),
    ("a chunked body in an unknown coding", [chunks(PACKED, b"br") + NEXT], ["415 close"]),
    ("a long body in an unknown coding", [post(b"Content-Encoding: br\r\nContent-Length: 100000"
                                               b"\r\n", b"x" * 1000)], ["415 close"]),
    ("a coding without a body", [get(extra=b"Content-Encoding: br\r\n")], OK),
    ("an unknown coding, then the next", [packed(PACKED, b"br") + NEXT], ["415 200"]),

    # ---- what is not as its coding says ------------------------------------------------
    ("a packed body in single bytes", [packed(PACKED)[i:i + 1] for i in
                                       range(len(packed(PACKED)))], OK),
    ("a packed body in chunks", [chunks(PACKED)], LAST),
    ("a packed body in chunks of one byte", [chunks(PACKED, size=1)], LAST),
    ("a packed body, then the next", [packed(PACKED) + NEXT], TWICE),
    ("a packed body of two members", [packed(gzip.compress(BODY[:9]) + gzip.compress(BODY[9:]))],
     OK),
    ("a member of every field", [packed(member(0x1f, fields=EVERY))], OK),
    ("gzip cut in its header", [packed(PACKED[:7])], ["400"]),
    ("gzip cut in its bytes", [packed(PACKED[:20])], ["400"]),
    ("gzip cut in its trailer", [packed(PACKED[:-1])], ["400"]),
    ("gzip cut, then the next", [packed(PACKED[:-8]) + NEXT], ["400 200"]),
    ("gzip cut in its last chunk", [chunks(PACKED[:-3]) + NEXT], BAD),
    ("gzip of no bytes", [packed(b"")], ["400"]),
    ("gzip of no bytes, in chunks", [chunks(b"") + NEXT], BAD),
    ("gzip of an empty body", [packed(gzip.compress(b""))], ["400"]),
    ("bytes behind gzip", [packed(PACKED + b"more")], ["400"]),
    ("zeros behind gzip", [packed(PACKED + bytes(512))], ["400"]),
    ("a request behind gzip, in its length", [packed(PACKED + NEXT)], ["400"]),
    ("half a member behind gzip", [packed(PACKED + PACKED[:12])], ["400"]),
    ("gzip with a wrong CRC", [packed(flipped(-8))], ["400"]),
    ("gzip with a wrong length", [packed(flipped(-1))], ["400"]),
    ("gzip of another method", [packed(member(method=7))], ["400"]),
    ("gzip with a reserved flag", [packed(member(0x20))], ["400"]),
    ("gzip with a wrong CRC of its header", [packed(member(0x02, fields=b"\0\0"))], ["400"]),
    ("gzip with a name without end", [packed(member(0x08, fields=b"n" * 5000)[:4000])], ["400"]),
    ("gzip with a flipped bit", [packed(flipped(14))], ["400"]),
    ("gzip of gzip", [packed(gzip.compress(PACKED))], ["400"]),
    ("plain text as gzip", [packed(BODY)], ["400"]),
    ("gzip as plain text", [post(b"Content-Length: %d\r\n" % len(PACKED), PACKED)], ["400"]),
    ("gzip as deflate", [packed(PACKED, b"deflate")], ["400"]),
    ("deflate as gzip", [packed(zlib.compress(BODY))], ["400"]),
    ("deflate without its frame", [packed(raw_deflate(BODY), b"deflate")], ["400"]),
    ("deflate with a wrong sum", [packed(zlib.compress(BODY)[:-1] + b"\0", b"deflate")], ["400"]),
    ("deflate with bytes behind it", [packed(zlib.compress(BODY) + b"x", b"deflate")], ["400"]),
    ("deflate that wants a dictionary", [packed(b"\x78\xbb\0\0\0\1" + raw_deflate(BODY),
                                                b"deflate")], ["400"]),
    ("a bomb", [packed(BOMB)], ["413", "413 close"]),
    ("a bomb in chunks", [chunks(BOMB, size=1000)], ["413", "413 close"]),
    ("a bomb whose end does not come", [packed(BOMB)[:-1000]], ["413 close"]),

    # ---- Accept-Encoding ---------------------------------------------------------------
    ("gzip is welcome", [wish(b"gzip")], OK),
    ("gzip is not", [wish(b"gzip;q=0")], OK),
    ("nothing but identity", [wish(b"identity, *;q=0")], OK),
    ("gzip and nothing plain", [wish(b"gzip, identity;q=0")], OK),
    ("nothing plain", [wish(b"identity;q=0") + NEXT], ["406 200"]),
    ("nothing at all", [wish(b"*;q=0") + NEXT], ["406 200"]),
    ("nothing at all, by name", [wish(b"gzip;q=0, identity;q=0")], ["406"]),
    ("anything but plain", [wish(b"*, identity;q=0")], OK),
    ("nothing plain of what is never packed", [wish(b"gzip, identity;q=0", BYTES)], ["406"]),
    ("nothing plain, of health", [wish(b"identity;q=0", b"/livez")], OK),
    ("codings that nobody has", [wish(b"br, zstd, foo;q=0.5")], OK),
    ("no wish", [wish(b"")], OK),
    ("a wish of commas", [wish(b", ,,;,;q=0,\t,")], OK),
    ("a quoted wish", [wish(b'"gzip", "identity;q=0"')], OK),
    ("a quote without end", [wish(b'"gzip;q=1, identity;q=0')], OK),
    ("a quoted weight", [wish(b'identity;q="0"')], OK),
    ("weights that are none", [wish(b"identity;q=-0, identity;q=0x0, gzip;q=nan, *;q=1e9")], OK),
    ("weights beyond their range", [wish(b"identity;q=1.001, *;q=2")], OK),
    ("weights too fine", [wish(b"identity;q=0.0000, *;q=0.00000001")], OK),
    ("a wish of 8,000 bytes", [wish(b"a," * 4000)], OK),
    ("a wish of 9,000 bytes", [wish(b"a," * 4500) + NEXT], ["431 close"]),
    ("a wish of 1,000 weights", [wish(b"gzip;q=1" + b";q=0" * 1000)], OK),
    ("a wish in many lines", [get(TEXT, b"Accept-Encoding: gzip\r\n" * 90)], OK),
    ("NUL in a wish", [wish(b"gzip\0, identity;q=0") + NEXT], BAD),
    ("8-bit bytes in a wish", [wish(b"\xff\xfe;q=0")], OK),
]
