# SPDX-License-Identifier: Apache-2.0
"""wire_codings.py - compressed bodies and requests for compressed answers, broken in every way, in
the form of wire_cases.py. A body with a sound framing leaves the connection open, whatever it
contains."""

import gzip
import zlib

from wire_cases import BAD, BODY, LAST, NEXT, OK, TWICE, get, post

COMPRESSED = gzip.compress(BODY, 9, mtime=0)
OTHER = ["415"]  # a coding that is not supported
# 8 MiB of blanks; a limit stops it before the server looks for its end.
BOMB = gzip.compress(b" " * (8 << 20), 9, mtime=0)
TEXT = b"/v1/sinusoidal?dim=64&pos=0:64"
BYTES = b"/v1/rope?dim=64&pos=0:64&out=cos&format=raw"  # answers that are never compressed


def compressed(body, coding=b"gzip"):
    """A complete body in that coding."""
    return post(b"Content-Encoding: %s\r\nContent-Length: %d\r\n" % (coding, len(body)), body)


def chunks(body, coding=b"gzip", size=5):
    pieces = [body[i:i + size] for i in range(0, len(body), size)]
    return post(b"Content-Encoding: %s\r\nTransfer-Encoding: chunked\r\n" % coding,
                b"".join(b"%x\r\n%s\r\n" % (len(one), one) for one in pieces) + b"0\r\n\r\n")


def member(flags=0, method=8, fields=b""):
    """The gzip body with another header (RFC 1952, 2.3): optional fields stand behind the fixed ten
    bytes."""
    return COMPRESSED[:2] + bytes([method, flags]) + COMPRESSED[4:10] + fields + COMPRESSED[10:]


def flipped(index):
    body = bytearray(COMPRESSED)
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
    ("coding gzip", [compressed(COMPRESSED)], OK),
    ("coding x-gzip", [compressed(COMPRESSED, b"x-gzip")], OK),
    ("coding in capitals", [compressed(COMPRESSED, b"GZip")], OK),
    ("coding deflate", [compressed(zlib.compress(BODY), b"deflate")], OK),
    ("coding identity", [compressed(BODY, b"identity")], OK),
    ("coding br", [compressed(COMPRESSED, b"br")], OTHER),
    ("coding zstd", [compressed(COMPRESSED, b"zstd")], OTHER),
    ("coding compress", [compressed(COMPRESSED, b"compress")], OTHER),
    ("coding aws-chunked", [compressed(COMPRESSED, b"aws-chunked")], OTHER),
    ("coding *", [compressed(COMPRESSED, b"*")], OTHER),
    ("an empty coding", [compressed(BODY, b"")], OTHER),
    ("a coding with a parameter", [compressed(COMPRESSED, b"gzip;q=1")], OTHER),
    ("a coding in quotes", [compressed(COMPRESSED, b'"gzip"')], OTHER),
    ("a coding with a comma behind it", [compressed(COMPRESSED, b"gzip,")], OTHER),
    ("two codings in a line", [compressed(gzip.compress(COMPRESSED), b"gzip, gzip")], OTHER),
    ("a coding and identity", [compressed(COMPRESSED, b"gzip, identity")], OTHER),
    ("two codings in two lines", [post(b"Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n"
                                       b"Content-Length: %d\r\n" % len(COMPRESSED), COMPRESSED + NEXT)],
     BAD),
    ("a coding of 7,000 bytes", [compressed(COMPRESSED, b"g" * 7000)], OTHER),
    ("NUL in a coding", [compressed(COMPRESSED, b"gzip\0x")], BAD),
    ("a chunked body in an unknown coding", [chunks(COMPRESSED, b"br") + NEXT], ["415 close"]),
    ("a long body in an unknown coding", [post(b"Content-Encoding: br\r\nContent-Length: 100000"
                                               b"\r\n", b"x" * 1000)], ["415 close"]),
    ("a coding without a body", [get(extra=b"Content-Encoding: br\r\n")], OK),
    ("an unknown coding, then the next", [compressed(COMPRESSED, b"br") + NEXT], ["415 200"]),

    # ---- what is not as its coding says ------------------------------------------------
    ("a compressed body in single bytes",
     [compressed(COMPRESSED)[i:i + 1] for i in range(len(compressed(COMPRESSED)))], OK),
    ("a compressed body in chunks", [chunks(COMPRESSED)], LAST),
    ("a compressed body in chunks of one byte", [chunks(COMPRESSED, size=1)], LAST),
    ("a compressed body, then the next", [compressed(COMPRESSED) + NEXT], TWICE),
    ("a compressed body of two members",
     [compressed(gzip.compress(BODY[:9]) + gzip.compress(BODY[9:]))],
     OK),
    ("a member of every field", [compressed(member(0x1f, fields=EVERY))], OK),
    ("gzip cut in its header", [compressed(COMPRESSED[:7])], ["400"]),
    ("gzip cut in its bytes", [compressed(COMPRESSED[:20])], ["400"]),
    ("gzip cut in its trailer", [compressed(COMPRESSED[:-1])], ["400"]),
    ("gzip cut, then the next", [compressed(COMPRESSED[:-8]) + NEXT], ["400 200"]),
    ("gzip cut in its last chunk", [chunks(COMPRESSED[:-3]) + NEXT], BAD),
    ("gzip of no bytes", [compressed(b"")], ["400"]),
    ("gzip of no bytes, in chunks", [chunks(b"") + NEXT], BAD),
    ("gzip of an empty body", [compressed(gzip.compress(b""))], ["400"]),
    ("bytes behind gzip", [compressed(COMPRESSED + b"more")], ["400"]),
    ("zeros behind gzip", [compressed(COMPRESSED + bytes(512))], ["400"]),
    ("a request behind gzip, in its length", [compressed(COMPRESSED + NEXT)], ["400"]),
    ("half a member behind gzip", [compressed(COMPRESSED + COMPRESSED[:12])], ["400"]),
    ("gzip with a wrong CRC", [compressed(flipped(-8))], ["400"]),
    ("gzip with a wrong length", [compressed(flipped(-1))], ["400"]),
    ("gzip of another method", [compressed(member(method=7))], ["400"]),
    ("gzip with a reserved flag", [compressed(member(0x20))], ["400"]),
    ("gzip with a wrong CRC of its header", [compressed(member(0x02, fields=b"\0\0"))], ["400"]),
    ("gzip with a name without end",
     [compressed(member(0x08, fields=b"n" * 5000)[:4000])], ["400"]),
    ("gzip with a flipped bit", [compressed(flipped(14))], ["400"]),
    ("gzip of gzip", [compressed(gzip.compress(COMPRESSED))], ["400"]),
    ("plain text as gzip", [compressed(BODY)], ["400"]),
    ("gzip as plain text",
     [post(b"Content-Length: %d\r\n" % len(COMPRESSED), COMPRESSED)], ["400"]),
    ("gzip as deflate", [compressed(COMPRESSED, b"deflate")], ["400"]),
    ("deflate as gzip", [compressed(zlib.compress(BODY))], ["400"]),
    ("deflate without its frame", [compressed(raw_deflate(BODY), b"deflate")], ["400"]),
    ("deflate with a wrong sum",
     [compressed(zlib.compress(BODY)[:-1] + b"\0", b"deflate")], ["400"]),
    ("deflate with bytes behind it", [compressed(zlib.compress(BODY) + b"x", b"deflate")], ["400"]),
    ("deflate that wants a dictionary", [compressed(b"\x78\xbb\0\0\0\1" + raw_deflate(BODY),
                                                b"deflate")], ["400"]),
    ("a bomb", [compressed(BOMB)], ["413", "413 close"]),
    ("a bomb in chunks", [chunks(BOMB, size=1000)], ["413", "413 close"]),
    ("a bomb whose end does not come", [compressed(BOMB)[:-1000]], ["413 close"]),

    # ---- Accept-Encoding ---------------------------------------------------------------
    ("gzip is welcome", [wish(b"gzip")], OK),
    ("gzip is not", [wish(b"gzip;q=0")], OK),
    ("nothing but identity", [wish(b"identity, *;q=0")], OK),
    ("gzip and nothing plain", [wish(b"gzip, identity;q=0")], OK),
    ("nothing plain", [wish(b"identity;q=0") + NEXT], ["406 200"]),
    ("nothing at all", [wish(b"*;q=0") + NEXT], ["406 200"]),
    ("nothing at all, by name", [wish(b"gzip;q=0, identity;q=0")], ["406"]),
    ("anything but plain", [wish(b"*, identity;q=0")], OK),
    ("nothing plain of what is never compressed", [wish(b"gzip, identity;q=0", BYTES)], ["406"]),
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
