# SPDX-License-Identifier: Apache-2.0
"""uploads.py - long bodies that are refused, sent by clients that send all of a body before they
read: Python's http.client and urllib do. A server that closes on unread bytes destroys the answer
on its way, and such a client sees a broken pipe."""

import functools
import gzip
import http.client
import os
import socket
import urllib.error
import urllib.request

from support.posencd import library
from support.wire import PATIENCE

LENGTH = 32 << 20
BODY = b'{"dim":4,"pos":[' + b"1," * ((LENGTH - 20) // 2) + b"1]}"
JSON = {"Content-Type": "application/json"}
KEYS = "FILE OF KEYS"  # stands for the path of one in the flags below


def pieces():
    """An object that is not bytes, which http.client sends in chunks."""
    return (BODY[at:at + 65536] for at in range(0, len(BODY), 65536))


@functools.lru_cache
def compressed():
    """40 MiB of blanks in a few bytes, then 32 MiB that gzip does not make smaller."""
    return gzip.compress(b" " * (40 << 20) + os.urandom(LENGTH), 1)


# The library's own refusal, which is not a problem document.
BY_LIBRARY = "400 without a detail"
# name -> flags of the server, target, headers, body, and what the client reads: status of the refusal
# with libmicrohttpd 0.9.75, where posencd reads the lines of a head, and with 1.0.0 and later, where the
# library reads them first.
KINDS = {
    "404 at once": ((), "/v1/nothing", JSON, BODY, 404, 404),
    "405 at once": ((), "/version", JSON, BODY, 405, 405),
    "415 at once": ((), "/v1/rope", {"Content-Type": "text/plain"}, BODY, 415, 415),
    "413 at once": (("--max-body", "1MiB"), "/v1/rope", JSON, BODY, 413, 413),
    "401 at once": (("--api-keys-file", KEYS), "/v1/rope", JSON, BODY, 401, 401),
    "400 of the request check": ((), "/v1/rope", dict(JSON, **{"Bad Name": "x"}), BODY, 400,
                                 BY_LIBRARY),
    "400 of two hosts": ((), "/v1/rope", dict(JSON, Host="b"), BODY, 400, 400),
    "413 amid chunks": (("--max-body", "1MiB"), "/v1/rope", JSON, pieces, 413, 413),
    "404 before chunks": ((), "/v1/nothing", JSON, pieces, 404, 404),
    "413 amid a body": (("--max-body", "33MiB"), "/v1/rope",
                        dict(JSON, **{"Content-Encoding": "gzip"}), compressed, 413, 413),
}


class UnixConnection(http.client.HTTPConnection):
    """http.client over a unix socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=PATIENCE)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def wanted(kind):
    """What the client reads with the library in use."""
    return KINDS[kind][5 if library() >= (1, 0, 0) else 4]


def flags_of(kind, folder):
    """The kind's flags, with a file of keys in that folder where they need one."""
    path = os.path.join(folder, "keys")
    if KEYS in KINDS[kind][0]:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
            file.write("key-of-somebody-else-0123456789abcdef\n")
    return [path if flag == KEYS else flag for flag in KINDS[kind][0]]


def post(connection, target, headers, body):
    """The status that the client reads, or the name of the exception that it gets instead."""
    try:
        connection.putrequest("POST", target)
        for name, value in headers.items():
            connection.putheader(name, value)
        body = body() if callable(body) else body
        if isinstance(body, bytes):
            connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
        else:
            connection.putheader("Transfer-Encoding", "chunked")
            connection.endheaders(body, encode_chunked=True)
        with connection.getresponse() as answer:
            whole = b'"detail"' in answer.read()
            return answer.status if whole else "%d without a detail" % answer.status
    except (OSError, http.client.HTTPException) as error:
        return type(error).__name__
    finally:
        connection.close()


def open_url(url):
    """The upload through urllib, whose users see an HTTPError, or else why the body was not
    sent."""
    try:
        urllib.request.urlopen(urllib.request.Request(url, BODY, JSON), timeout=PATIENCE).close()
    except urllib.error.HTTPError as error:
        error.read()
        return error.code
    except urllib.error.URLError as error:
        return type(error.reason).__name__
    return 200
