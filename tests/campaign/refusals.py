# SPDX-License-Identifier: Apache-2.0
"""refusals.py - refusals of long bodies: how many of the clients that send 32 MiB before they read
get the reason, and the cost of clients that never end a refused body."""

import http.client
import tempfile
import time

from support.certificate import Certificate
from support.posencd import Posencd
from support.uploads import (BODY, JSON, KINDS, PATIENCE, UnixConnection, flags_of, open_url, post,
                             wanted)
from support.wire import Client

QUIET = ("--threads", "1", "--access-log", "off")


def tell(page, what, expected, came):
    read = came.count(expected)
    page.promise("%s, 32 MiB" % what, "%d of %d read%s" % (
        read, len(came), "" if read == len(came) else ", else " + ", ".join(
            sorted({str(one) for one in came if one != expected}))), "all", read == len(came))


def kinds(page, rounds):
    with tempfile.TemporaryDirectory() as folder:
        for name, (_, target, headers, body, *_) in KINDS.items():
            with Posencd(*QUIET, *flags_of(name, folder)) as server:
                tell(page, name, wanted(name), [
                    post(http.client.HTTPConnection(*server.address, timeout=PATIENCE), target,
                         headers, body) for _ in range(rounds)])


def surplus(page, rounds):
    with Posencd(*QUIET, "--max-connections", "1") as server:
        with Client(server.address):
            tell(page, "503 for want of a place", 503, [
                post(http.client.HTTPConnection(*server.address, timeout=PATIENCE), "/v1/rope",
                     JSON, BODY) for _ in range(rounds)])


def ways(page, rounds):
    """The answer through urllib, a unix socket and TLS."""
    with Posencd(*QUIET, unix=True) as server:
        tell(page, "404 by urllib", 404, [open_url(server.url + "/v1/nothing")
                                          for _ in range(rounds)])
        tell(page, "404 through a unix socket", 404, [
            post(UnixConnection(server.unix), "/v1/nothing", JSON, BODY) for _ in range(rounds)])
    certificate = Certificate()
    with Posencd(*QUIET, *certificate.flags) as server:
        tell(page, "404 through TLS", 404, [
            post(http.client.HTTPSConnection(*server.address, context=certificate.context(),
                                             timeout=PATIENCE), "/v1/nothing", JSON, BODY)
            for _ in range(rounds)])
    certificate.folder.cleanup()


def places(server):
    """Open connections, without the one that asks."""
    return int(server.metrics()['posencd_connections{loop="0"}']) - 1


def bounds(page):
    """Clients that never end a refused body: the server waits for few of them, and for none of them
    long."""
    with Posencd(*QUIET, "--max-connections", "64") as server:
        clients, start = [], time.monotonic()
        for _ in range(40):
            one = Client(server.address)
            one.send(b"POST /v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n")
            one.reply()
            clients.append(one)
        held = places(server)
        ended = sum(one.at_end() for one in clients)
        took = time.monotonic() - start
        while places(server) > 0 and time.monotonic() < start + PATIENCE:
            time.sleep(0.05)
        waited = time.monotonic() - start
        for one in clients:
            one.close()
    page.promise("40 refused clients that stay, of 64 places",
                 "%d places held, %d told the end in %.2f s" % (held, ended, took),
                 "at most 4 held, all told", held <= 4 and ended == 40)
    page.promise("until their places are free", "%.1f s" % waited, "an end", waited < PATIENCE)
    page.timed("of which the 5 s that they may linger are the most", "%.1f s" % waited, "<= 7 s",
               waited <= 7)


def run(page, quick):
    rounds = 3 if quick else 10
    kinds(page, rounds)
    surplus(page, rounds)
    ways(page, rounds)
    bounds(page)
