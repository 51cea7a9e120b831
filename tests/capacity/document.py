# SPDX-License-Identifier: Apache-2.0
"""document.py - deploy/CAPACITY.md from template.md: "{{table NAME}}" becomes a table whose cells are
named figures, "{{fixed NAME}}" a number of the sources, and "{{NAME}}" a figure. All else stands in
the document word for word."""

import os
import re

from capacity import balance, derived, keeping
from capacity.kinds import OVER, ROWS

HERE = os.path.dirname(os.path.abspath(__file__))
TEMPLATE = os.path.join(HERE, "template.md")
DOCUMENT = os.path.join(os.path.dirname(os.path.dirname(HERE)), "deploy", "CAPACITY.md")
MINUTES = 5  # that a measurement may take
FIGURE = re.compile(r"\{\{([^}]+)\}\}")
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


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def table(name):
    """The table with {{figures}} as cells."""
    heads, rows, columns = TABLES[name]
    lines = [heads, ["---"] * len(heads)]
    lines += [[text, *("{{%s.%s}}" % (figures, column) for column in columns)]
              for text, figures in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def expanded(template):
    """The template with its tables, of which every one is there."""
    named = [name[6:] for name in FIGURE.findall(template) if name.startswith("table ")]
    assert sorted(named) == sorted(TABLES), "the template has other tables: %s" % sorted(named)

    def expand(found):
        kind, _, name = found.group(1).rpartition(" ")
        return {"table": table, "fixed": FIXED.get}.get(kind, lambda _: found.group())(name)
    return FIGURE.sub(expand, template)


def filled(template, figures):
    """The document. A figure that is missing, or that nothing shows, is a mistake."""
    text = expanded(template)
    shown = set(FIGURE.findall(text))
    assert shown == set(figures), "missing: %s; not shown: %s" % (
        sorted(shown - set(figures)), sorted(set(figures) - shown))
    return FIGURE.sub(lambda found: figures[found.group(1)], text)


def pattern(template):
    """What a document that is made from the template matches, whatever the figures are."""
    pieces = FIGURE.split(expanded(template))
    return re.compile("".join(re.escape(piece) if number % 2 == 0 else r"[^\n|{}]+?"
                              for number, piece in enumerate(pieces)))


def is_in_step(document, template):
    return pattern(template).fullmatch(document) is not None
