# SPDX-License-Identifier: Apache-2.0
"""derived.py - what follows from the cost of an answer: a core, a node, a fleet, a million answers
a second, and how many replicas a load needs."""

import math
from collections import namedtuple

BUSY = 0.6  # share of a core that is planned with: beyond it a burst waits
CORES, GBIT, NODES = 8, 10, 100  # of a node, and of a fleet
REPLICA = 2  # cores of a replica of the sizing table
FRAMES = 1538 / 1448  # bytes on the wire for a byte of TCP, with frames of 1,500 bytes
MILLION = 1e6
BASE = 30 << 20  # bytes of a process besides what flags bound
SHARED_TABLES, INFLIGHT, CONNECTIONS = 64 << 20, 256 << 20, 1024  # defaults of the flags

# What the table of nodes has, and the table of a million answers a second.
NODE_ROWS = ["small", "middle", "kept", "unchanged", "row", "text", "table", "bias", "stream",
             "apply", "tls-small", "tls-middle"]
MILLION_ROWS = [("small", "1.5 KB"), ("middle", "64 KB"), ("tls-small", "1.5 KB over TLS"),
                ("opened", "1.5 KB, a new connection each"),
                ("tls-opened", "1.5 KB over TLS, a new connection each")]

# rates: [(kind, answers a second)]. keys: how many answers are to be kept, of size bytes each.
Load = namedtuple("Load", "name text rates keys size")
LOADS = [
    Load("start", "1,000 processes that each fetch 100 tables of 64 KB within 10 s",
         [("middle", 1e4)], 100, 65536),
    Load("popular", "20,000 answers of 1.5 KB a second, of 100,000 keys that stay",
         [("small", 2e4)], 1e5, 1536),
    Load("fresh", "5,000 rows a second that nobody asked for before", [("row", 5e3)], 0, 0),
    Load("vectors", "5,000 vectors a second, rotated by POST", [("apply", 5e3)], 0, 0),
    Load("matrices", "1,000 matrices of 512 KB a second, each new", [("bias", 1e3)], 0, 0),
    Load("streams", "20 tables of 64 MB a second", [("stream", 20)], 0, 0),
    Load("mixed", "10,000 kept answers and 2,000 new rows a second over TLS, of 20,000 keys",
         [("tls-small", 1e4), ("tls-row", 2e3)], 2e4, 1536),
    Load("million", "1,000,000 kept answers of 1.5 KB a second, of 1,000,000 keys",
         [("small", 1e6)], 1e6, 1536),
]


def gbit(answers, size):
    """Gbit a second on the wire."""
    return answers * size * FRAMES * 8 / 1e9


def node(cpu, size):
    """(answers a second of a core, Gbit/s of a core, answers of a node, what limits it)"""
    core = BUSY / cpu
    by_cores, by_network = CORES * core, GBIT * 1e9 / 8 / FRAMES / size
    return core, gbit(core, size), min(by_cores, by_network), \
        "cores" if by_cores <= by_network else "network"


def million(cpu, size):
    """(cores that are busy all the time, Gbit/s, nodes for their cores, nodes for their network)"""
    cores, bits = MILLION * cpu, gbit(MILLION, size)
    return cores, bits, math.ceil(cores / BUSY / CORES), math.ceil(bits / GBIT)


def sized(load, cpu, size, entry, connection):
    """(cores, Gbit/s, nodes for their network, replicas, bytes of --cache-size of each, bytes of
    memory of each). cpu and size are by kind; entry is what an entry has beside its body, and
    resident memory as a multiple of what is counted; connection is the memory of one."""
    overhead, resident = entry
    cores = sum(rate * cpu[kind] for kind, rate in load.rates) / BUSY
    bits = sum(gbit(rate, size[kind]) for kind, rate in load.rates)
    replicas = max(2, math.ceil(cores / REPLICA) + 1)
    # A replica may be away, and consistent hashing does not deal keys out evenly.
    cache = 1.25 * load.keys * (load.size + overhead) / (replicas - 1)
    cache = max(64, 2 ** math.ceil(math.log2(max(cache, 1) / (1 << 20)))) * (1 << 20)
    memory = BASE + resident * cache + SHARED_TABLES + INFLIGHT + CONNECTIONS * connection
    return cores, bits, math.ceil(bits / GBIT), replicas, cache, memory
