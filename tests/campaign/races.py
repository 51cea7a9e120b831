# SPDX-License-Identifier: Apache-2.0
"""races.py - load, reload, drain and load shedding under ThreadSanitizer: no two threads use one
memory location without order."""

import os
import re
import signal
import tempfile
import threading
import time

from support.posencd import ROOT, Posencd
from support.wire import Client, Closed
from test_tables import TableFolder, safetensors

import script
from load import Load

BUILD = os.path.join(ROOT, "build", "tsan")
SMALL = "/v1/sinusoidal?dim=4&pos=0:4"
TARGETS = [SMALL, "/v1/rope?dim=64&pos=0:3000&out=cos&format=raw", "/v1/alibi?heads=8&len=64",
           "/v1/rope?dim=128&pos=0:9000&out=sin&format=raw", "/v1/models/llama-3.1-8b",
           "/v1/rope?dim=128&pos=0:64&profile=f32-pow&scaling=ntk-by-parts&factor=4&"
           "original_max_position_embeddings=2048&out=cos&format=raw"]
SUPPRESSIONS = os.path.join(ROOT, "tests", "campaign", "tsan.supp")


def start(*flags):
    options = "second_deadlock_stack=1:allocator_may_return_null=1:exitcode=66:suppressions="
    return Posencd("--threads", "4", "--access-log", "off", *flags,
                   env={"TSAN_OPTIONS": options + SUPPRESSIONS})


def loading(quick):
    """Load on every path of the code; the cache is small, so that entries are added and evicted."""
    server = start("--cache-size", "256KiB")
    for request in script.script(server):
        server.ask(*request)
    load = Load(server, TARGETS, count=8)
    return server, load, 300 if quick else 3000


def reloading(quick):
    """Models and a table; the blocks of an expensive answer come from a table that is replaced."""
    folder, files = tempfile.mkdtemp(prefix="posencd-campaign-"), TableFolder()
    with open(os.path.join(folder, "a.json"), "w", encoding="ascii") as file:
        file.write('{"model_type":"llama","hidden_size":64,"num_attention_heads":8}')
    table = safetensors({"w": ([64, 100], [i % 5 - 2.0 for i in range(6400)])})

    def exchange():
        with open(files.path(".new"), "wb") as file:
            file.write(table)
        os.rename(files.path(".new"), files.path("t.safetensors"))

    exchange()
    server = start("--models-dir", folder, *files.flags)
    load = Load(server, TARGETS + ["/v1/models/a", "/v1/rope?model=a&pos=0:9",
                                   script.EXPENSIVE_PART,
                                   script.expensive_of_table("t.w")], count=6)
    load.files = files  # the files exist as long as it
    for _ in range(10 if quick else 60):
        exchange()
        server.signal(signal.SIGHUP)
        time.sleep(0.02)  # as often as that
    return server, load, 100


def leaving(quick):
    """Clients that leave expensive answers: at once, after the head, within a block."""
    server = start("--workers", "2")
    load = Load(server, [SMALL, script.EXPENSIVE], count=3)

    def go(number):
        for i in range(15 if quick else 50):
            try:
                with Client(server.address, receive_buffer=4096) as one:
                    one.request("GET", script.EXPENSIVE)
                    if (i + number) % 3:
                        one.head()
                    if (i + number) % 3 == 2:
                        one.file.read(1000 * i)
            except (Closed, OSError):
                pass

    threads = [threading.Thread(target=go, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return server, load, 100


def shedding(quick):
    """More clients than connections, less memory than answers need."""
    server = start("--max-connections", "6", "--max-inflight", "1MiB")
    load = Load(server, [SMALL], count=3)
    told = 0
    for _ in range(50 if quick else 300):
        try:
            with Client(server.address) as one:
                told += one.get(TARGETS[1]).status == 503
        except (Closed, OSError):
            pass
    return server, load, 100


def run(page, quick):
    os.environ["POSENC_BUILD"], before = BUILD, os.environ.get("POSENC_BUILD")
    try:
        for name, stage in (("load", loading), ("reload", reloading), ("leave", leaving),
                            ("shed", shedding)):
            server, load, goal = stage(quick)
            load.reach(goal)
            server.signal(signal.SIGTERM)  # each round ends with a drain under load
            code = server.process.wait(120)
            load.stop()
            server._reader.join(60)
            log = server.log()
            reports = len(re.findall("WARNING: ThreadSanitizer", log))
            page.promise("%s and drain" % name, "%d answers, %d truncated, %d reports, exit %d" %
                         (load.done, len(load.cut), reports, code),
                         "0 reports, 0 truncated, exit 0",
                         code == 0 and reports == 0 and not load.cut and not load.wrong,
                         load.cut[:3] + load.wrong[:3] + [log[-6000:]])
    finally:
        if before is None:
            del os.environ["POSENC_BUILD"]
        else:
            os.environ["POSENC_BUILD"] = before
