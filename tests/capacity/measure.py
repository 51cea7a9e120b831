#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py [--words] - measures what deploy/CAPACITY.md says, and writes it from template.md: `make
capacity`. The figures themselves are left in build/capacity.json; with --words those of the last
measurement are used."""

import datetime
import json
import os
import statistics
import sys
import time

sys.dont_write_bytecode = True
TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[0] = TESTS
os.chdir(os.path.dirname(TESTS))

from capacity import balance, cost, derived, document, keeping  # noqa: E402, found by the line above
from support import measured_page  # noqa: E402, found by the line above

import contest  # noqa: E402, found by the line above

MEBI = 1 << 20
FIGURES = "build/capacity.json"


def short(value):
    """A number with three digits that count, and commas."""
    if value >= 1000:
        digits = len("%d" % value) - 3
        return "{:,}".format(int(round(value, -digits)))
    return "%.*f" % (0 if value >= 99.95 else 1 if value >= 9.995 else 2, value)


def whole(value):
    return "{:,}".format(round(value))


def percent(share):
    return "%.0f %%" % (100 * share)


def mebi(size):
    return "{:,.0f} MiB".format(size / MEBI)


def named(prefix, **figures):
    """{"PREFIX.NAME": figure}"""
    return {prefix + "." + name.replace("_", "-"): figure for name, figure in figures.items()}


def of_kinds(values):
    """Figures of the kinds, and medians by kind: (figures, seconds of CPU, bytes)."""
    figures, cpu, size = {}, {}, {}
    for kind in document.TEXTS:
        times = [1e6 * one for one in values[kind]]
        cpu[kind] = statistics.median(values[kind])
        size[kind] = statistics.median(values[kind + " bytes"])
        figures |= named("kind." + kind, cpu=short(1e6 * cpu[kind]), bytes=whole(size[kind]),
                         spread="%s .. %s" % (short(min(times)), short(max(times))))
    return figures, cpu, size


def of_nodes(cpu, size):
    figures = {}
    for kind in derived.NODE_ROWS:
        core, bits, node, limit = derived.node(cpu[kind], size[kind])
        figures |= named("node." + kind, core=short(core), gbit=short(bits), node=short(node),
                         limit=limit, fleet=short(node * derived.NODES))
    for kind, _ in derived.MILLION_ROWS:
        cores, bits, by_cores, by_network = derived.million(cpu[kind], size[kind])
        figures |= named("million." + kind, cores=short(cores), gbit=short(bits),
                         by_cores=whole(by_cores), by_network=whole(by_network))
    return figures


def of_memory():
    """Figures of memory: (figures, the bytes of an entry beside its body with the multiple of them
    that is resident, bytes of a connection)."""
    figures = {"idle": mebi(keeping.idle()),
               "churn": mebi(statistics.median(keeping.churn() for _ in range(5)))}
    overheads, multiples = [], []
    for size, target in keeping.ENTRIES.items():
        counted, resident = keeping.entry(target)
        overheads.append(counted - size)
        multiples.append(resident / counted)
        figures |= named("entry.%d" % size, counted=whole(counted), resident=short(resident))
    plain, secure = keeping.connection()
    figures |= {"overhead": whole(max(overheads)), "resident": "%.2f" % max(multiples),
                "connection": "%.0f KiB" % (plain / 1024),
                "connection.tls": "%.0f KiB" % (secure / 1024)}
    return figures, (max(overheads), max(multiples)), plain


def of_hits():
    figures = {}
    for share, (size, found, best) in keeping.hit_ratios().items():
        figures |= named("hits.%d" % share, size="%.1f" % (size / MEBI), found=percent(found),
                         best=percent(best))
    return figures


def of_balance():
    fronts, (popular, equal) = balance.measure()
    figures = {"keys": whole(popular), "keys.equal": whole(equal)}
    for name, (popular, equal, busiest, cpu) in fronts.items():
        figures |= named("front." + name, popular=whole(popular), equal=whole(equal),
                         busiest=percent(busiest), cpu=short(1e6 * cpu))
    return figures


def of_sizes(cpu, size, entry, connection):
    figures = {}
    for load in derived.LOADS:
        cores, bits, nodes, replicas, cache, memory = derived.sized(load, cpu, size, entry, connection)
        figures |= named("size." + load.name, cores=short(cores), gbit=short(bits),
                         nodes=whole(nodes), replicas=whole(replicas), cache=mebi(cache),
                         memory=mebi(memory))
    return figures


def measured():
    """{name: figure as text} of everything that the document shows."""
    today = datetime.datetime.now(datetime.timezone.utc)
    figures = {"machine": contest.machine().removeprefix("machine: "),
               "date": today.strftime("%Y-%m-%d")}
    values, kept, scaling = cost.measure()
    kinds, cpu, size = of_kinds(values)
    memory, entry, connection = of_memory()
    figures |= kinds | memory | of_nodes(cpu, size) | of_hits() | of_balance()
    figures |= of_sizes(cpu, size, entry, connection)
    handshake = 1e6 * (cpu["tls-opened"] - cpu["tls-small"])
    return figures | {"kept": mebi(kept) if kept % MEBI == 0 else "%s bytes" % whole(kept),
                      "beyond": "%.1f" % (cpu["beyond"] / cpu["kept"]),
                      "scaling": "%.2f" % scaling, "tls-handshake": short(handshake)}


def main():
    begin = time.monotonic()
    document.PAGE.expanded()  # before minutes are spent
    if "--words" in sys.argv:
        figures = json.loads(measured_page.read(FIGURES))
    else:
        figures = measured()
        with open(FIGURES, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1, ensure_ascii=False, sort_keys=True)
    document.PAGE.write(figures)
    print("deploy/CAPACITY.md: %d figures in %.0f s" % (len(figures), time.monotonic() - begin))
    return 0


if __name__ == "__main__":
    sys.exit(main())
