#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""soak.py - the campaign's loads for hours: a steady mix of good, bad and slow clients with a
reload every ten minutes, then accidents, then the fuzzers, again and again.

    tests/campaign/soak.py HOURS

Writes build/soak.md; the last line is "N passed, N failed"."""

import os
import random
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "http")]

import clients  # noqa: E402
import differential  # noqa: E402
import files  # noqa: E402
import script  # noqa: E402
import test_wire  # noqa: E402
import torture  # noqa: E402
import wirefuzz  # noqa: E402
from keys import attempt  # noqa: E402
from load import Load  # noqa: E402
from page import Page  # noqa: E402
from support.posencd import Posencd  # noqa: E402
from support.wire import Client, Closed  # noqa: E402

RELOAD_S = 600


def steady(page, seconds):
    """Good clients all the time, with every byte compared; among the requests 5 % malformed ones, 2
    % whose client leaves and 1 % slow ones."""
    chance = random.Random(1)
    drawn = [differential.target_of(*differential.draw(chance)) for _ in range(500)]
    drawn.append(script.EXPENSIVE)
    bad = [b"".join(part for part in parts if isinstance(part, bytes))
           for _, parts, _ in test_wire.CASES]
    folder = tempfile.TemporaryDirectory(prefix="posencd-soak-")
    with open(os.path.join(folder.name, "a.json"), "w", encoding="ascii") as file:
        file.write('{"model_type":"llama","hidden_size":64,"num_attention_heads":8}')
    with Posencd("--threads", "2", "--access-log", "off", "--cache-size", "16MiB", "--models-dir",
                 folder.name, "--header-timeout", "2", "--body-timeout", "2") as server:
        load = Load(server, drawn, count=4)
        slow = clients.Slow(server.address, "head", 8)
        slow.start()
        start = reloaded = measured = time.monotonic()
        sizes, opened = [], []
        while time.monotonic() - start < seconds:
            attempt(server, chance.choice(bad))
            leave(server, chance.choice(drawn))
            time.sleep(0.02)  # the share of bad requests
            if time.monotonic() - reloaded > RELOAD_S:
                server.signal(signal.SIGHUP)
                reloaded = time.monotonic()
            if time.monotonic() - measured > min(60, seconds / 10):
                sizes.append(server.status("VmRSS"))
                opened.append(clients.descriptors(server))
                measured = time.monotonic()
        slow.over = True
        load.stop()
        slow.join()
    later = sizes[len(sizes) // 3:]
    hours = seconds * 2 / 3 / 3600
    slope = (later[-1] - later[0]) / 1024 / hours if len(later) > 1 else 0
    page.promise("answers of a steady mix", "%d, %d wrong, %d cut" % (
        load.done, len(load.wrong), len(load.cut)), "0 wrong, 0 cut",
        not load.wrong and not load.cut, load.wrong[:5] + load.cut[:5])
    page.timed("slope of resident memory", "%+.2f MB an hour, %d to %d KiB" % (
        slope, min(sizes), max(sizes)), "< 1 MB an hour after the first third", slope < 1)
    page.figure("descriptors", "%d to %d" % (min(opened), max(opened)))
    folder.cleanup()


def leave(server, target):
    """Asks and leaves."""
    try:
        with Client(server.address) as one:
            one.request("GET", target)
    except OSError:
        pass


def accidents(page, seconds):
    """STOP, CONT, TERM, kill -9 and fewer descriptors, one every few seconds, under a client that
    tries again: each answer is whole and right, and it always gets one."""
    chance, events, wrong, start = random.Random(2), 0, [], time.monotonic()
    server = Posencd("--threads", "2", "--access-log", "off")
    expected = {one[1]: server.get(one[1]).body for one in list(script.tables())[:8]}
    while time.monotonic() - start < seconds:
        event = chance.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP))
        server.signal(event)
        if event == signal.SIGSTOP:
            time.sleep(0.2)  # for this time it is stopped
            server.signal(signal.SIGCONT)
        else:
            server.process.wait(60)
            server.code = server.process.returncode
            server = Posencd("--threads", "2", "--access-log", "off")
        events += 1
        for target, body in expected.items():
            try:
                if server.get(target).body != body:
                    wrong.append(target)
            except (Closed, OSError) as fault:
                wrong.append("%s after %s: %s" % (target, event, fault))
    server.stop()
    page.promise("accidents", "%d" % events, "every answer whole and right", not wrong, wrong[:5])


def main():
    hours = float(sys.argv[1]) if len(sys.argv) > 1 else 1
    quick = hours < 0.5
    page, end = Page(quick), time.monotonic() + hours * 3600
    page.begin("steady")
    steady(page, hours * 3600 * 0.5)
    page.end()
    page.begin("accidents")
    accidents(page, hours * 3600 * 0.1)
    page.end()
    for number in range(1, 1000):
        page.begin("round %d" % number)
        clients.run(page, quick)
        files.run(page, quick)
        torture.run(page, quick)
        wirefuzz.run(page, quick)
        page.end()
        if time.monotonic() > end:
            break
    with open(os.path.join(ROOT, "build", "soak.md"), "w", encoding="utf-8") as file:
        file.write(page.text("Soak of %g hours" % hours, "make soak HOURS=%g" % hours))
    page.say_broken()
    print("%d passed, %d failed" % (page.passed, page.failed))
    return 0 if page.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
