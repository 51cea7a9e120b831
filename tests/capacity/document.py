# SPDX-License-Identifier: Apache-2.0
"""document.py - deploy/CAPACITY.md from template.md (support/measured_page.py): its tables, and the
numbers that the sources choose."""

from support.measured_page import MeasuredPage

from capacity import balance, derived, keeping
from capacity.kinds import OVER, ROWS

MINUTES = 5  # that a measurement may take
TEXTS = {kind.name: kind.text for kind in ROWS}

# "{{fixed NAME}}": what the sources choose, not measure.
FIXED = {
    "minutes": "%d" % MINUTES, "busy": "%.0f %%" % (100 * derived.BUSY), "cores": "%d" % derived.CORES,
    "gbit": "%d" % derived.GBIT, "nodes": "%d" % derived.NODES, "replica": "%d" % derived.REPLICA,
    "requests": "{:,}".format(balance.REQUESTS), "keys": "{:,}".format(balance.KEYS),
    "replicas": "%d" % balance.REPLICAS, "asked": "{:,}".format(keeping.ASKED),
    "hit-keys": "{:,}".format(keeping.KEYS),
}

# Tables: heads, and rows of (text, name of its figures); the columns that are figures.
TABLES = {
    "kinds": (["answer", "over", "CPU, µs", "least .. most", "bytes of the answer"],
              [(kind.text + " | " + OVER[kind.over], "kind." + kind.name) for kind in ROWS],
              ["cpu", "spread", "bytes"]),
    "nodes": (["answer", "a core, answers/s", "a core, Gbit/s", "a node, answers/s", "limited by",
               "%d nodes, answers/s" % derived.NODES],
              [(TEXTS[name] + (" (TLS)" if name.startswith("tls-") else ""), "node." + name)
               for name in derived.NODE_ROWS], ["core", "gbit", "node", "limit", "fleet"]),
    "million": (["a million kept answers a second", "cores, busy all the time", "Gbit/s",
                 "nodes for their cores", "nodes for their network"],
                [(text, "million." + name) for name, text in derived.MILLION_ROWS],
                ["cores", "gbit", "by-cores", "by-network"]),
    "entries": (["body, bytes", "counted against `--cache-size`", "resident memory"],
                [("{:,}".format(size), "entry.%d" % size) for size in keeping.ENTRIES],
                ["counted", "resident"]),
    "balance": (["front", "computations, keys by Zipf's law",
                 "computations, all keys equally popular",
                 "the busiest replica's part, by Zipf's law", "CPU of the front, µs an answer"],
                [(text, "front." + name) for name, text, _ in balance.ROWS],
                ["popular", "equal", "busiest", "cpu"]),
    "hits": (["`--cache-size`, of the bytes of all keys", "MiB", "found in the cache", "at best"],
             [("%d %%" % share, "hits.%d" % share) for share in keeping.SHARES],
             ["size", "found", "best"]),
    "sizes": (["you want", "cores", "Gbit/s", "nodes for their network",
               "replicas of %d cores" % derived.REPLICA, "`--cache-size` of each", "memory of each"],
              [(load.text, "size." + load.name) for load in derived.LOADS],
              ["cores", "gbit", "nodes", "replicas", "cache", "memory"]),
}

PAGE = MeasuredPage("tests/capacity/template.md", "deploy/CAPACITY.md", TABLES, FIXED)
