# SPDX-License-Identifier: Apache-2.0
"""rows.py - our claims about speed, a row each: its name, the function that measures it, which
figure is compared with which, the goal, and the reason where our figure may miss the goal. A
contest is run once for all its rows. A goal is for CPU time, in turns within one run, wherever a
program computes and does not wait: other programs of the machine take none of it."""

from collections import namedtuple

import asking
import batch
import biases
import cache_line
import cost_by_size
import gzip_answers
import number_text
import pictures
import planned_answers
import posted_vectors
import process
import receiving
import rotation
import small_answers
import streaming
import tables
import verdicts
from goals import at_least, at_most, at_most_more, no_more_than, printed

Row = namedtuple("Row", "name contest ours theirs goal limit", defaults=[""])

FINE_ROWS = ("exact rows are float64: for 64 KiB written 128 KiB are read from the L2 cache and "
             "multiplied, which takes longer than the goal even when nothing is stored")
SHORT = ("twice the elements a byte of float32, each within 0.501 ULP: arithmetic, as memory is not "
         "waited for (stores past the caches are no faster)")
WIDE_ROWS = ("a block of 256 pairs has 32 rows to share one of exact angles, and its fine rows "
             "are as large as the L2 cache")
SOME_VECTORS = ("the few vectors have the bits that they have among all: the QL steps end at the "
                "smallest eigenvalues, so that all rotations are done, which is half of the time, "
                "at the pace of multiplications")
BY_ROWS = "memory takes rows no faster: see memset rows"
# Shares of instructions, counted by callgrind.
NEW_NPY = ("a third of ours makes the numbers, a quarter reads, checks and names what is asked, a "
           "seventh makes the head in libmicrohttpd: the floor does none of this")
NEW_JSON = ("half of ours makes the numbers and their text, a fifth reads, checks and names what is "
            "asked: the floor does none of this")
KEPT = ("a tenth of ours reads the request, finds the response by its target and counts it, which the "
        "floor does not; and h2o is no slower than that floor")
DROPPED = ("the floor, which copies the same bytes and computes nothing, gets no further; nginx passes the "
           "pages of its file in one call. For clients that read see the rows -read")
TORCH = "PyTorch's own figure varies by a third from turn to turn: see the spread"
CLOCK = "a time of one machine: compare it with `fill` beside it, the time to make the tables"
PROGRAM = "three fifths of it are pages of the program's and libraries' files, which other processes share"
BARE = "a bare libmicrohttpd that computes nothing gets no further: see the floor"
LOADED = "the second shares its core with the load: see the floor's two, which share nothing"
FEW_CORES = ("on two cores it shows the cost of a lock and of two threads in turns; a line that many "
             "cores write to bears some millions of operations a second in all")
KERNEL = ("four fifths of the CPU time are the kernel's, for the floor alike, which computes "
          "nothing: see posencd/user and floor/cpu / nginx/cpu")
BY_COPY = ("a body up to 1 MiB is copied from the heap, as a file of it takes up to twice the CPU time over "
           "TCP; over a unix socket the floor, which sends the file, shows what the copy costs")
COPIED = ("blocks that were computed are copied into the socket, new to the reader's cache each time: see "
          "floor/cpu, which computes nothing; sendfile passes the same pages of a file again")
TURN = ("a request waits for one turn of the loop, 0.15 ms with a block for each stream (alone: "
        "0.05); what is more than 0.4 ms is waiting for the core that the clients share: see nginx")


def matrix(name, contest, array, torch, block=None):
    """Rows of a matrix of scores, of shares of memset and times torch: into a block that stays
    in the caches (without a goal: printed), into memory that is there, and fresh."""
    return [
        Row(name, contest, "posenc block", "memset block",
            at_least(block) if block else printed()),
        Row(name, contest, "posenc array", "memset array", at_least(array), BY_ROWS),
        Row(name, contest, "posenc array", "memset rows", printed()),
        Row(name, contest, "posenc array", "zeros array", printed()),
        Row(name, contest, "posenc fresh", "memset fresh", printed()),
        Row(name, contest, "posenc array", "torch", at_least(torch), TORCH),
    ]


def against(name, contest, limit="", **goals):
    """Rows of posencd and other servers, by answers (or bytes) for each second of the server's own
    CPU time, which is what the goal is for; and by the clock, which other programs and a client that
    is the busier one decide."""
    return [row for theirs, goal in goals.items()
            for row in (Row(name, contest, "posencd/cpu", theirs + "/cpu", goal, limit),
                        Row(name, contest, "posencd", theirs, printed()))]


def reading(size, goal, connections=32):
    """Rows of a cached answer that the client reads, over loopback and over a unix socket."""
    rows = []
    for way, unix in (("", False), ("-unix", True)):
        name = "get-%s-read%s%s" % (size, "-one" if connections == 1 else "", way)
        contest = small_answers.reading(size, unix, connections)
        rows += against(name, contest, BY_COPY, nginx=goal)
        rows += [Row(name, contest, "posencd/cpu", "floor/cpu", printed()),
                 Row(name, contest, "floor/cpu", "nginx/cpu", printed())]
    return rows


def lists(name, contest):
    """Rows of a bias of lists of positions, of which fresh memory may take longer than all else."""
    return [
        Row(name, contest, "posenc array", "torch", at_least(1)),
        Row(name, contest, "posenc planned", "torch", printed()),
        Row(name, contest, "posenc planned", "memset fresh", printed()),
    ]


def verdict_rows(**most):
    """Rows of the verdicts on tables: at most so many ms, and as multiples of filling them."""
    limited = [Row("verify", verdicts.tables, case, None, no_more_than(limit, "ms", 1e-3), CLOCK)
               for case, limit in most.items() if limit]
    return limited + [Row("verify", verdicts.tables, case, "fill", printed()) for case in most]


ROWS = [
    *against("get-1.5k", small_answers.small, KEPT, floor=at_least(0.92), nginx=at_least(1.2),
             h2o=at_least(0.9)),
    *against("get-64k-dropped", small_answers.middle, DROPPED, floor=at_least(0.92), nginx=at_least(1.3),
             h2o=at_least(1)),
    *against("get-1m-dropped", small_answers.large, DROPPED, floor=at_least(0.92), nginx=at_least(1.7),
             h2o=at_least(1)),
    *reading("1.5k", at_least(1.3)),
    *reading("64k", at_least(1)),
    *reading("256k", at_least(1)),
    *reading("1m", at_least(1)),
    *reading("1.5k", at_least(1), connections=1),
    *reading("64k", at_least(1), connections=1),
    *reading("256k", at_least(0.8), connections=1),
    *reading("1m", at_least(0.8), connections=1),
    Row("get-304", small_answers.unchanged, "304/cpu", "1.5 KB/cpu", at_least(0.75)),
    Row("get-304", small_answers.unchanged, "304/cpu", "64 KB/cpu", at_least(1.5)),
    Row("get-304", small_answers.unchanged, "304", "1.5 KB", printed()),
    *against("new-json", small_answers.fresh_json, NEW_JSON, floor=at_least(0.4)),
    *against("new-json", small_answers.fresh_json, BARE, fastapi=at_least(40)),
    Row("new-json", small_answers.fresh_json, "floor/cpu", "fastapi/cpu", printed()),
    *against("new-npy", small_answers.fresh_npy, NEW_NPY, floor=at_least(0.6)),
    *against("new-npy", small_answers.fresh_npy, BARE, fastapi=at_least(40)),
    Row("new-npy", small_answers.fresh_npy, "floor/cpu", "fastapi/cpu", printed()),
    Row("batch", batch.rows, "batch/cpu", "gets/cpu", at_most(0.7)),
    Row("batch", batch.rows, "batch", "gets", printed()),
    Row("gzip", gzip_answers.cached, "posencd", "nginx", printed()),
    Row("gzip", gzip_answers.cached, "posencd", "nginx kept", printed()),
    Row("gzip", gzip_answers.cached, "posencd", "plain", printed()),
    Row("gzip-new", gzip_answers.fresh, "posencd", "nginx", printed()),
    Row("gzip-new", gzip_answers.fresh, "posencd", "plain", printed()),
    Row("gzip-mask", gzip_answers.mask, "posencd", "plain", printed()),
    Row("gzip-size", gzip_answers.sizes, "posencd", "plain", printed()),
    Row("gzip-size", gzip_answers.sizes, "posencd", "nginx", printed()),
    *against("png", pictures.cached, KEPT, floor=at_least(0.92)),
    Row("png-new", pictures.fresh, "png", "npy", printed()),
    Row("png-new", pictures.fresh, "png/cpu", "npy/cpu", printed()),
    Row("png-mask", pictures.largest, "png", "raw", at_most(3)),
    *against("stream-dropped", streaming.dropped, KERNEL, floor=printed(), nginx=printed(),
             h2o=at_least(1.3)),
    Row("stream-dropped", streaming.dropped, "floor/cpu", "nginx/cpu", printed()),
    Row("stream-dropped", streaming.dropped, "posencd/user", "posencd/system", printed()),
    Row("stream-dropped", streaming.dropped, "posencd/system", "floor/system", printed()),
    *against("stream-read", streaming.read, COPIED, nginx=at_least(1)),
    Row("stream-read", streaming.read, "floor/cpu", "nginx/cpu", printed()),
    *against("stream-read-unix", streaming.read_unix, COPIED, nginx=at_least(0.6)),
    Row("table", tables.table, "posenc block", "memset block", at_least(0.45), FINE_ROWS),
    Row("table", tables.table, "interleaved", "memset block", printed()),
    Row("table", tables.table, "posenc fresh", "memset fresh", at_least(0.60)),
    Row("table", tables.table, "posenc array", "memset array", printed()),
    Row("table", tables.table, "posenc block", "torch", at_least(15)),
    Row("table", tables.table, "posenc array", "torch", printed()),
    Row("table", tables.table, "posenc fresh", "torch", printed()),
    Row("table", tables.table, "posenc block", "numpy-f64", printed()),
    Row("table", tables.table, "posenc block", "numpy-f32", printed()),
    *matrix("alibi-f32", biases.alibi_float32, array=0.6, torch=5, block=0.6),
    *matrix("alibi-bf16", biases.alibi_bfloat16, array=0.6, torch=5, block=0.6),
    *matrix("t5-f32", biases.t5_float32, array=0.5, torch=10),
    *matrix("t5-bf16", biases.t5_bfloat16, array=0.5, torch=10),
    *matrix("causal-f32", biases.causal_float32, array=0.5, torch=10),
    *matrix("causal-bf16", biases.causal_bfloat16, array=0.5, torch=10),
    *matrix("causal-bool", biases.causal_bool, array=0.5, torch=10),
    *matrix("window-mask", biases.window, array=0.5, torch=10),
    *lists("alibi-lists", biases.alibi_lists),
    *lists("t5-lists", biases.t5_lists),
    Row("table-strided", tables.strided, "rope", "torch rope", at_least(1)),
    Row("table-strided", tables.strided, "sinusoidal", "torch sinusoidal", at_least(1)),
    Row("swin-bias", biases.swin, "posenc array", "memset array", printed()),
    Row("swin-bias", biases.swin, "posenc array", "torch", printed()),
    Row("swin-bias", biases.swin, "posenc fresh", "torch", printed()),
    Row("laplacian-pe", planned_answers.eigenvectors, "posenc", "scipy", at_least(2)),
    Row("laplacian-pe", planned_answers.eigenvectors, "posenc", "scipy-some", at_least(1),
        SOME_VECTORS),
    Row("resize-table", planned_answers.resize, "posenc", "torch", at_least(1)),
    Row("rotate-f32", rotation.float32, "posenc", "memcpy", at_least(0.5)),
    Row("rotate-f32", rotation.float32, "posenc", "torch", at_least(5)),
    Row("rotate-f32", rotation.float32, "in-place", "memcpy", printed()),
    Row("rotate-bf16", rotation.bfloat16, "posenc", "memcpy", at_least(0.5), SHORT),
    Row("rotate-bf16", rotation.bfloat16, "posenc", "torch", at_least(5)),
    Row("rotate-bf16", rotation.bfloat16, "in-place", "memcpy", printed()),
    Row("rotate-adj-f32", rotation.float32_adjacent, "posenc", "memcpy", at_least(0.5)),
    Row("rotate-adj-bf16", rotation.bfloat16_adjacent, "posenc", "memcpy", at_least(0.5), SHORT),
    Row("post-f32", posted_vectors.float32, "posencd/cpu", "echo/cpu", at_least(0.8)),
    Row("post-f32", posted_vectors.float32, "posencd", "echo", printed()),
    Row("post-bf16", posted_vectors.bfloat16, "posencd/cpu", "echo/cpu", at_least(0.8)),
    Row("post-bf16", posted_vectors.bfloat16, "posencd", "echo", printed()),
    Row("receive-python", receiving.python_time, "array", "http.client", at_most(1.2)),
    Row("receive-python", receiving.python_time, "file", "http.client", at_most(1.2)),
    Row("receive-python", receiving.python_memory, "array", None, no_more_than(2, "MiB", 1 << 20)),
    Row("receive-python", receiving.python_memory, "file", None, no_more_than(2, "MiB", 1 << 20)),
    Row("receive-node", receiving.node_memory, "whole", None, no_more_than(1.3 * 1024, "MiB", 1 << 20)),
    Row("receive-node", receiving.node_memory, "stream", None, no_more_than(95, "MiB", 1 << 20)),
    Row("receive-node", receiving.node_memory, "fetch", None, printed()),
    Row("receive-node", receiving.node_time, "whole", "fetch", printed()),
    Row("receive-node", receiving.node_time, "stream", "fetch", printed()),
    Row("to-json", number_text.writing, "posenc", "to_chars", at_least(4)),
    Row("to-json", number_text.writing, "posenc", "jansson", at_least(20)),
    Row("to-json", number_text.writing, "posenc", "python", at_least(40)),
    Row("to-json", number_text.writing, "posenc", "%.9g", printed()),
    Row("from-json", number_text.reading, "posenc", "jansson", at_least(5)),
    Row("from-json", number_text.reading, "posenc", "python", printed()),
    *verdict_rows(right=50, rounded=50, base=150, scaling=150, two=None),
    Row("first-byte", process.cold, "cold", "warm", at_most_more(1, "ms", 1e-3)),
    Row("table-threads", tables.threads, "posenc block 2", "posenc block 1", at_least(1.8),
        "see what a second core adds to memset"),
    Row("table-threads", tables.threads, "memset block 2", "memset block 1", printed()),
    Row("table-threads", tables.threads, "posenc array 2", "posenc array 1", printed()),
    Row("table-threads", tables.threads, "memset array 2", "memset array 1", printed()),
    Row("get-loops", process.loops, "two loops", "one loop", at_most(1.10), LOADED),
    Row("get-loops", process.loops, "floor, two", "floor", printed()),
    Row("get-loops", process.loops, "two loops/clock", "one loop/clock", printed()),
    Row("cache-line", cache_line.threads, "one key", "a key each", printed(), FEW_CORES),
    Row("get-beside-streams", streaming.neighbours, "beside streams", "alone", at_most(5), TURN),
    Row("get-beside-streams", streaming.neighbours, "beside streams", None,
        no_more_than(3, "ms", 1e3), TURN),
    Row("get-beside-streams", streaming.neighbours, "nginx beside streams", "nginx alone", printed()),
    Row("memory", process.memory, "idle", None, no_more_than(10, "MiB", 1 << 20), PROGRAM),
    Row("memory", process.memory, "a connection", None, no_more_than(18, "KiB", 1 << 10)),
    Row("start", process.start, "start", None, no_more_than(30, "ms", 1e-3)),
    Row("cost-positions", cost_by_size.positions, "most expensive", "cheapest", at_most(1.10)),
    Row("cost-pairs", cost_by_size.pairs, "most expensive", "cheapest", at_most(1.10), WIDE_ROWS),
    Row("cost-heads", cost_by_size.heads, "most expensive", "cheapest", at_most(1.10)),
    Row("cost-connections", cost_by_size.connections, "most expensive", "cheapest", at_most(1.20)),
    Row("stream-quarters", streaming.ranges, "quarters", "whole", at_least(1.5)),
    Row("stream-quarters", streaming.ranges, "h2o quarters", "h2o whole", printed()),
    Row("stream-quarters", streaming.ranges, "quarters", "h2o quarters", printed()),
    *[Row("asking", asking.times, "%s %s" % (way, size.name), "%s %s" % (other, size.name), printed())
      for size in asking.SIZES for way, other in (("get", "module"), ("unix", "file"))],
]
