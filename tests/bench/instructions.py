#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""instructions.py [--record] [NAME...] - instructions of the most frequent paths, counted by
valgrind, so that a busy machine does not change them. Each path runs at two lengths, so that start
and end cancel out; the difference for each unit (request, block, number) is compared with the file
`instructions` beside this one and may grow by 5 %. --record writes that file anew.

There are two columns. `generic` takes the generic code path and glibc's plainest string functions,
`avx2` the AVX2 path and glibc's functions for it. Neither has `rep movsb` (ERMS, FSRM), of which
valgrind counts each byte as an instruction. So the figures are the same on every x86-64 machine
with Debian 12's compiler and libraries; without AVX2 the second column is left out.

RATIOS says which path may take how many times the instructions of another, in the column avx2."""

import array
import concurrent.futures
import http.client
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import namedtuple

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(1, os.path.dirname(HERE))
from support.posencd import Posencd  # noqa: E402

RECORDED = os.path.join("tests", "bench", "instructions")
MAY_GROW = 1.05

# name of the CPU path, features of the CPU that glibc does not use
Column = namedtuple("Column", "name without")
COLUMNS = [
    Column("generic", "-AVX2,-AVX,-AVX512F,-AVX512VL,-AVX512BW,-SSE4_2,-ERMS,-FSRM,-BMI2"),
    Column("avx2", "-AVX512F,-AVX512VL,-AVX512BW,-ERMS,-FSRM,-RTM"),
]

# name, the unit counted, two lengths, pieces a unit of length, run(column, folder, length)
Path = namedtuple("Path", "name unit lengths pieces run")


def environment(column):
    return {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + column.without}


def valgrind(folder):
    return ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
            "--log-file=%s/count" % folder]


def collected(folder):
    with open(folder + "/count", encoding="utf-8") as file:
        return int(re.search(r"Collected : (\d+)", file.read()).group(1))


# ---- programs that are given their length -----------------------------------------------

def program(*words):
    """A command; LENGTH and PATH in it stand for the length and the CPU path."""
    def run(column, folder, length):
        subprocess.run(valgrind(folder) + [
            word.replace("LENGTH", str(length)).replace("PATH", column.name) for word in words],
            check=True, stdout=subprocess.DEVNULL, env={**os.environ, **environment(column)})
    return run


def fill(pieces, *words, place="block", lengths=(1, 5)):
    """What build/bench/fill takes for 1000 of an answer's elements, of which there are `pieces`
    thousands; the plan is made once."""
    return ("1000 elements", lengths, pieces,
            program("build/bench/fill", "posenc", place, "LENGTH", "1", "PATH", *words))


def text(way):
    """build/bench/number_text over numbers of a rope table."""
    def run(column, folder, length):
        path = folder + "/numbers"
        subprocess.run(["build/posencd", "compute", "rope", "pos=0:256", "dim=64", "out=cos",
                        "format=raw", "-o", path], check=True)
        if way == "read":
            with open(path, "rb") as file:
                numbers = array.array("f", file.read())
            with open(path, "w", encoding="ascii") as file:
                file.write("[%s]" % ",".join("%.7g" % number for number in numbers))
        program("build/bench/number_text", way, path, "LENGTH")(column, folder, length)
    return run


# ---- the server, asked over one connection ------------------------------------------------

class Counted(Posencd):
    """A posencd that runs under valgrind."""

    def __init__(self, column, folder, *flags):
        path = os.path.join(folder, "posencd")
        with open(path, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\nexec %s '%s' \"$@\"\n" % (
                " ".join(valgrind(folder)), os.path.abspath("build/posencd")))
        os.chmod(path, 0o755)
        super().__init__("--threads", "1", "--cpu-path", column.name, *flags, program=path,
                         env=environment(column))


def requests(target, headers=None, status=200, flags=()):
    """Sends `length` requests; a %d in the target is a number that is not repeated."""
    def run(column, folder, length):
        with Counted(column, folder, *flags) as server:
            ask(server, length, target, headers or {}, status)
    return run


def posted(target, body, kind="application/json"):
    """Sends `length` requests with bodies; body: function of a number that is not repeated."""
    def run(column, folder, length):
        with Counted(column, folder) as server:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            for i in range(length):
                connection.request("POST", target, body(i), {"Content-Type": kind})
                answer = connection.getresponse()
                said = answer.read()
                assert answer.status == 200, (target, answer.status, said[:300])
            connection.close()
    return run


def unchanged(target):
    """Another server gives the tag, so that this one never computes the answer."""
    def run(column, folder, length):
        with Posencd("--threads", "1") as other:
            tag = other.get(target).header("etag")
        requests(target, {"If-None-Match": tag}, 304)(column, folder, length)
    return run


def ask(server, length, target, headers, status):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    for i in range(length):
        path = target.replace("%d", str(1_000_000 + i))
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == status, (path, answer.status)
    connection.close()


def stream(target):
    """One request whose answer has `length` blocks of 64 KiB."""
    def run(column, folder, length):
        requests(target % (length * 256))(column, folder, 1)
    return run


def scattered(seed, count=1024):
    """Positions in no order."""
    return ",".join(map(str, random.Random(seed).sample(range(1_000_000), count)))


def rows(count, dim):
    """Rows of a table of sinusoids whose positions begin at 0."""
    return fill(count * dim / 1000, "sinusoidal", "pos=0:%d" % count, "dim=%d" % dim,
                lengths=(10, 50))


# ---- bodies -----------------------------------------------------------------------------

def batch_of_rows(number):
    """A hundred rows that were never asked for."""
    return json.dumps({"requests": [{"path": "/v1/sinusoidal?pos=%d&dim=512" % (100 * number + row)}
                                    for row in range(100)]})


def config_of_llama(number):
    """A config.json of Llama 3.1's shape."""
    return json.dumps({
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096,
        "num_attention_heads": 32, "num_key_value_heads": 8, "num_hidden_layers": 32,
        "max_position_embeddings": 131072 + number, "rope_theta": 500000.0, "rope_scaling": {
            "factor": 8.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0,
            "original_max_position_embeddings": 8192, "rope_type": "llama3"}})


def tables(number):
    """256 rows of cos and sin, as safetensors, whose first position is `number`."""
    angles = [(number + row) * 10000.0 ** (-pair / 32) for row in range(256) for pair in range(32)]
    size = 4 * len(angles)
    head = json.dumps({name: {"dtype": "F32", "shape": [256, 32], "data_offsets": [at, at + size]}
                       for name, at in (("cos", 0), ("sin", size))}).encode()
    return len(head).to_bytes(8, "little") + head + b"".join(
        array.array("f", map(part, angles)).tobytes() for part in (math.cos, math.sin))


SAFETENSORS = "application/vnd.safetensors"
ORIGIN = "https://page.example"
ROW = "/v1/sinusoidal?pos=%d&dim=512&format="
SMALL = "/v1/sinusoidal?pos=0:6&dim=64&format=raw"
PATHS = [
    Path("get-cached", "request", (100, 500), 1, requests(SMALL)),
    Path("get-cached-id", "request", (100, 500), 1,
         requests(SMALL, {"X-Request-Id": "3f0e5b7c-1c1c-4a57-9d0e-6f5f0a9d2c11"})),
    Path("get-private", "request", (100, 500), 1,
         requests(SMALL, {"Origin": ORIGIN}, flags=("--cors-origin", ORIGIN))),
    Path("get-304", "request", (100, 500), 1, unchanged(SMALL)),
    Path("row-json", "request", (100, 400), 1, requests(ROW + "json")),
    Path("row-npy", "request", (100, 400), 1, requests(ROW + "npy")),
    Path("row-png", "request", (20, 80), 1, requests(ROW + "png")),
    Path("row-svg", "request", (20, 80), 1, requests(ROW + "svg")),
    Path("batch-100", "request", (2, 8), 1, posted("/v1/batch", batch_of_rows)),
    Path("resolve", "request", (20, 80), 1, posted("/v1/models/resolve", config_of_llama)),
    Path("model-tables", "request", (4, 16), 1,
         requests("/v1/models/llama-3.1-8b/tables?pos=%d")),
    Path("verify-claim", "request", (2, 6), 1,
         posted("/v1/verify?encoding=rope&dim=64", tables, SAFETENSORS)),
    Path("verify-search", "request", (2, 6), 1, posted("/v1/verify", tables, SAFETENSORS)),
    Path("stream", "block", (32, 160), 1,
         stream("/v1/rope?pos=0:%d&dim=128&out=cos&format=npy")),
    Path("table-fill", *fill(262.144, "rope", "pos=0:2048", "dim=128", "out=cos,sin")),
    Path("rows-64", *rows(64, 128)),
    Path("rows-511", *rows(511, 128)),
    Path("rows-512", *rows(512, 128)),
    Path("wide-128", *fill(524.288, "sinusoidal", "pos=0:4096", "dim=128")),
    Path("wide-1024", *fill(4194.304, "sinusoidal", "pos=0:4096", "dim=1024", lengths=(1, 3))),
    Path("strided", *fill(524.288, "sinusoidal", "pos=0:4096000000:1000000", "dim=128")),
    Path("bias-fill", *fill(1048.576, "alibi", "heads=4", "q=0:512", "k=0:512", "out=bias")),
    Path("bias-1024", *fill(4194.304, "alibi", "heads=4", "q=0:1024", "k=0:1024", "out=bias")),
    Path("scattered", *fill(4194.304, "alibi", "heads=4", "q=" + scattered(1),
                            "k=" + scattered(2), "out=bias", lengths=(1, 2))),
    Path("bias-12", *fill(12582.912, "alibi", "heads=12", "q=0:1024", "k=0:1024", "out=bias")),
    Path("scattered-12", *fill(12582.912, "alibi", "heads=12", "q=" + scattered(1),
                               "k=" + scattered(2), "out=bias", lengths=(1, 2))),
    Path("t5-fill", *fill(4194.304, "t5", "q=0:1024", "k=0:1024", "out=bias", "table=@f32:32,4")),
    Path("t5-scattered", *fill(4194.304, "t5", "q=" + scattered(1), "k=" + scattered(2),
                               "out=bias", "table=@f32:32,4", lengths=(1, 2))),
    Path("t5-1536", *fill(9437.184, "t5", "q=0:1536", "k=0:1536", "out=bias", "table=@f32:32,4")),
    Path("t5-far", *fill(9437.184, "t5", "q=" + scattered(1, 1536), "k=" + scattered(2, 1536),
                         "out=bias", "table=@f32:32,4", lengths=(1, 2))),
    Path("rotate-f32", *fill(524.288, "rope/apply", "pos=0:128", "seq_axis=0",
                             "x=@f32:128,32,128", place="array")),
    Path("rotate-bf16", *fill(524.288, "rope/apply", "pos=0:128", "seq_axis=0",
                              "x=@bf16:128,32,128", place="array")),
    Path("text-write", "number", (2, 10), 8192, text("write")),
    Path("text-read", "number", (2, 10), 8192, text("read")),
]


# A path of the first name takes at most so many times the instructions of one of the second.
RATIOS = [
    ("rows-511", "rows-512", 1.1),
    ("rows-64", "rows-512", 1.3),
    ("strided", "wide-128", 10),
    ("wide-1024", "wide-128", 1.15),
    ("t5-fill", "bias-1024", 1.1),
    ("scattered", "bias-1024", 10),
    ("scattered-12", "bias-12", 10),
    ("t5-scattered", "t5-fill", 10),
    ("t5-far", "t5-1536", 10),
]


# ---- steps from one number of rows to the next ----------------------------------------------

STEP_MOST = 1.3
STEP_ROWS = sorted({n + more for n in [*range(1, 600), *range(640, 4096, 64)]
                    for more in (-1, 0, 1) if n + more > 0})


def steps(encoding, query, dtype):
    """Instructions of filling tables of STEP_ROWS rows, by the number of rows. The first table
    has the most rows, so that all others find the rows of angles that it needs."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["valgrind", "--tool=callgrind", "--collect-atstart=no",
             "--toggle-collect=counted_fill", "--dump-after=counted_fill",
             "--callgrind-out-file=%s/out" % folder, "--log-file=/dev/null",
             "build/bench/steps", "avx2", encoding, query + "&dtype=" + dtype,
             *map(str, [4096] + STEP_ROWS)], check=True, stdout=subprocess.DEVNULL,
            env={**os.environ, **environment(COLUMNS[1])})
        counts = {}
        for number, rows in enumerate(STEP_ROWS):
            with open("%s/out.%d" % (folder, number + 2), encoding="ascii") as file:
                counts[rows] = int(re.search(r"^totals: (\d+)", file.read(), re.M).group(1))
        return counts


def compare_steps(verdicts, encoding, query, dtype):
    counts = steps(encoding, query, dtype)
    worst = max(((max(counts[n] / counts[n + 1],
                      # a row more may cost a row more
                      counts[n + 1] / counts[n] if n >= 4 else 0)), n)
                for n in counts if n + 1 in counts)
    verdicts.add(worst[0] <= STEP_MOST, "steps %s %s %s: at most %.3f, from %d rows to %d" % (
        encoding, query, dtype, worst[0], worst[1], worst[1] + 1), "above %g" % STEP_MOST)


STEPS = [("sinusoidal", "dim=64", "f32"), ("sinusoidal", "dim=64", "bf16"),
         ("rope", "dim=64", "f32")]


def count(path, column):
    """Instructions for each unit."""
    totals = []
    for length in path.lengths:
        with tempfile.TemporaryDirectory() as folder:
            path.run(column, folder, length)
            totals.append(collected(folder))
    pieces = (path.lengths[1] - path.lengths[0]) * path.pieces
    return (totals[1] - totals[0]) / pieces


def recorded():
    """The figures of the file, by name and column."""
    known = {}
    try:
        with open(RECORDED, encoding="ascii") as file:
            for name, *figures in map(str.split, file):
                known.update(((name, column.name), float(figure))
                             for column, figure in zip(COLUMNS, figures))
    except FileNotFoundError:
        pass
    return known


def write(known):
    with open(RECORDED, "w", encoding="ascii") as file:
        for path in PATHS:
            figures = [known.get((path.name, column.name)) for column in COLUMNS]
            if None not in figures:
                file.write("%s %s a %s\n" % (
                    path.name, " ".join("%.1f" % figure for figure in figures), path.unit))


def columns_here():
    with open("/proc/cpuinfo", encoding="ascii") as file:
        flags = file.read().split()
    return [column for column in COLUMNS if column.name == "generic" or column.name in flags]


class Verdicts:
    """Counts and prints what passed and what failed."""

    def __init__(self):
        self.passed = self.failed = 0

    def add(self, good, text, complaint):
        self.passed, self.failed = self.passed + good, self.failed + (not good)
        print(text + ("" if good else ": " + complaint), flush=True)


def compare(verdicts, path, column, now, before, record):
    verdicts.add(record or before is not None and now <= before * MAY_GROW,
                 "%-14s %-8s %10.1f a %-14s %s" % (
                     path.name, column.name, now, path.unit,
                     "%+.1f %%" % (100 * (now / before - 1)) if before else "not recorded"),
                 "grown by more than 5 %, or unknown; see `make instructions`")


def compare_ratios(verdicts, counted):
    for more, less, most in RATIOS:
        figures = [counted.get((name, "avx2")) for name in (more, less)]
        if None not in figures:
            ratio = figures[0] / figures[1]
            verdicts.add(ratio <= most, "%s / %s %.3f" % (more, less, ratio),
                         "above %g" % most)


def main():
    known, record = recorded(), "--record" in sys.argv
    chosen = [word for word in sys.argv[1:] if word != "--record"]
    work = [(path, column) for column in columns_here() for path in PATHS
            if not chosen or path.name in chosen]
    verdicts, counted = Verdicts(), {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (path, column), now in zip(work, pool.map(count, *zip(*work))):
            key = path.name, column.name
            compare(verdicts, path, column, now, known.get(key), record)
            known[key] = counted[key] = now
    compare_ratios(verdicts, counted)
    if len(columns_here()) == len(COLUMNS) and (not chosen or "steps" in chosen):
        for step in STEPS:
            compare_steps(verdicts, *step)
    if record:
        write(known)
    print("instructions: %d passed, %d failed" % (verdicts.passed, verdicts.failed))
    return 1 if verdicts.failed else 0


if __name__ == "__main__":
    sys.exit(main())
