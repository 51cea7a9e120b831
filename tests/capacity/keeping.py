# SPDX-License-Identifier: Apache-2.0
"""keeping.py - memory of an entry of the cache and of a connection, and how often the cache has
what is asked for, by its size."""

import bisect
import itertools
import random
import socket

import contest
import process
import load
from fleet.load import Connection, get
from support.certificate import Certificate
from support.posencd import Posencd

# Bodies of entries, in bytes, and the request that makes a new one each time.
ENTRIES = {512: "/v1/sinusoidal?pos={n}&dim=128&format=raw",
           4096: "/v1/sinusoidal?pos={n}&dim=1024&format=raw",
           65536: "/v1/sinusoidal?pos={n}:{n+128}&dim=128&format=raw"}
CACHE = ("--threads", "1", "--access-log", "off", "--cache-size", "64MiB")
FULL, FILLING = 0.5, 0.02  # of the cache; seconds of requests until that is looked at again
CONNECTIONS = 500
KEYS, ASKED, EXPONENT = 2000, 20000, 1.0
KEY = "/v1/sinusoidal?pos=%d:%d&dim=128&format=raw"  # 16 rows, 8 KiB
SHARES = (2, 5, 10, 25, 50, 100)  # of the whole, in per cent


def zipf(keys, count, seed=1):
    """Keys 0, 1, ..., the k-th of which is asked for 1/(k+1) times as often as the first; by chance."""
    draw = random.Random(seed)
    sums = list(itertools.accumulate(1 / (k + 1) ** EXPONENT for k in range(keys)))
    return [bisect.bisect_left(sums, draw.random() * sums[-1]) for _ in range(count)]


def entry(target):
    """(bytes that the cache counts, bytes of resident memory) for each entry of a cache that evicts
    none yet."""
    with Posencd(*CACHE) as server:
        server.get("/livez")
        idle = server.status("VmRSS")
        for first in range(10 ** 9, 10 ** 10, 10 ** 7):
            for _ in range(2):  # an answer that is asked for twice is kept longer
                load.ask(server.port, load.request_of(target), 8, FILLING, first=first)()
            samples = server.metrics()
            if samples["posencd_cache_bytes"] > FULL * samples['posencd_limit{flag="cache-size"}']:
                break
        grown, entries = 1024 * (server.status("VmRSS") - idle), samples["posencd_cache_entries"]
    return samples["posencd_cache_bytes"] / entries, grown / entries


def churn():
    """Bytes of resident memory beyond what the idle server has and the cache counts, once answers of
    64 KB have passed through the cache as fast as one loop makes them."""
    with Posencd(*CACHE) as server:
        server.get("/livez")
        idle = server.status("VmRSS")
        load.ask(server.port, load.request_of(ENTRIES[65536]), 8, 1)()
        return 1024 * (server.status("VmRSS") - idle) - server.metrics()["posencd_cache_bytes"]


def connection():
    """Bytes of resident memory of an idle connection, over TCP and over TLS."""
    grown, certificate = [], Certificate()
    for flags in ((), certificate.flags):
        with Posencd("--threads", "1", "--access-log", "off", *flags) as server:
            context = certificate.context() if flags else None
            opened = keep_alive(server.port, 20, context)
            before = server.status("VmRSS")
            opened += keep_alive(server.port, CONNECTIONS, context)
            grown.append(1024 * (server.status("VmRSS") - before) / CONNECTIONS)
            for one in opened:
                one.close()
    return grown


def keep_alive(port, count, context):
    """Open connections, each of which got one answer."""
    if context is None:
        return process.keep_alive(port, count)
    opened = []
    for _ in range(count):
        plain = socket.create_connection(("127.0.0.1", port))
        # Else the request waits for the server's delayed acknowledgement of the handshake.
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        one = context.wrap_socket(plain, server_hostname="localhost")
        one.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert one.recv(4096).startswith(b"HTTP/1.1 200")
        opened.append(one)
    return opened


def idle():
    """Resident memory of a server that has answered one request."""
    with Posencd("--access-log", "off") as server:
        server.get("/livez")
        return 1024 * server.status("VmRSS")


def hits(size):
    """The share of answers that came out of a cache of this size, once it had filled."""
    counted = 0
    with Posencd("--threads", "1", "--access-log", "off", "--cache-size", str(size)) as server:
        one = Connection(server.port)
        for number, key in enumerate(zipf(KEYS, ASKED)):
            if number == ASKED // 4:
                counted = computations(server)
            assert one.ask(get(KEY % (16 * key, 16 * key + 16))).status == 200
        one.close()
        return 1 - (computations(server) - counted) / (ASKED - ASKED // 4)


def computations(server):
    return server.metrics()['posencd_cache_requests_total{result="miss"}']


def whole_size():
    """Bytes that the cache counts for all keys. Each is asked for twice in a row: until its second
    request a short answer has a 64th of the cache at most."""
    with Posencd("--threads", "1", "--access-log", "off") as server:
        one = Connection(server.port)
        for key in range(2 * KEYS):
            one.ask(get(KEY % (key // 2 * 16, key // 2 * 16 + 16)))
        one.close()
        return server.metrics()["posencd_cache_bytes"]


def best(share):
    """The share of the same answers that a cache would have had which kept the keys asked for most
    often from their first request on."""
    seen, found = set(), 0
    for number, key in enumerate(zipf(KEYS, ASKED)):
        found += number >= ASKED // 4 and key in seen
        if key < KEYS * share // 100:
            seen.add(key)
    return found / (ASKED - ASKED // 4)


def hit_ratios():
    """{share of the whole in per cent: (bytes, share of hits, the best there could be)}"""
    size = whole_size()
    with contest.on_core(contest.LOAD_CORE):
        return {share: (size * share / 100, hits(int(size * share / 100)), best(share))
                for share in SHARES}
