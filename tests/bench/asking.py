# SPDX-License-Identifier: Apache-2.0
"""asking.py - a Python program that wants a table as an array: it computes it by PyTorch or NumPy,
asks a posencd by GET, or loads a file; beside them libposenc in a C program. One thread of the server
has core 0, the program core 1; each is timed by the clock, since who asks waits."""

import itertools
import math
import time
from collections import namedtuple

import contest
import load
from peers import Peers, connect
from tables import fill

DIM, BASE, HEADS, LENGTH = 128, 10000, 16, 4096
TURNS, LEAST_SECONDS = 7, 0.05

# rows: None for the bias; path: of the answer, "FROM:TO" in it where the rows may be others
Size = namedtuple("Size", "name text rows path shape")
TABLE = "/v1/sinusoidal?pos=FROM:TO&dim=%d&format=raw" % DIM
BIAS = "/v1/alibi?heads=%d&q=0:%d&k=0:%d&out=bias&format=raw" % (HEADS, LENGTH, LENGTH)
SIZES = [Size("%d" % rows, "{:,}".format(rows), rows, TABLE, (rows, DIM))
         for rows in (1, 16, 128, 512, 1024, 4096, 16384, 131072)]
SIZES.append(Size("bias", "1 GiB of bias", None, BIAS, (HEADS, LENGTH, LENGTH)))

WAYS = {
    "get": "GET, kept, loopback", "unix": "GET, kept, unix socket", "new": "GET, new, loopback",
    "module": "PyTorch's module", "numpy": "NumPy", "file": "`numpy.load`",
    "library": "libposenc in C",
}


def target(size, first=0):
    if size.rows is None:
        return size.path
    return size.path.replace("FROM:TO", "%d:%d" % (first, first + size.rows))


def array_of(connection, path, shape):
    """What a GET answers, in a new array."""
    import numpy as np
    connection.request("GET", path)
    answer, array, got = connection.getresponse(), np.empty(shape, np.float32), 0
    assert answer.status == 200, (path, answer.read())
    view = memoryview(array).cast("B")
    while got < len(view):
        read = answer.readinto(view[got:])
        assert read > 0, path
        got += read
    answer.read()
    return array


# ---- programs that compute, as models do it ----------------------------------------------

def numpy_call(size):
    import numpy as np
    if size.rows is None:
        def bias():
            slopes = (2.0 ** (-8 / HEADS * np.arange(1, HEADS + 1))).astype(np.float32)
            position = np.arange(LENGTH, dtype=np.float32)
            return slopes[:, None, None] * -abs(position[None, :] - position[:, None])
        return bias

    def table():
        position = np.arange(size.rows, dtype=np.float32)[:, None]
        step = np.exp(np.arange(0, DIM, 2, dtype=np.float32) * np.float32(-math.log(BASE) / DIM))
        made = np.empty(size.shape, np.float32)
        made[:, 0::2], made[:, 1::2] = np.sin(position * step), np.cos(position * step)
        return made
    return table


def torch_call(size):
    """A module whose buffer was made before, as that of PyTorch's tutorial and of models."""
    import torch
    torch.set_num_threads(1)

    class Table(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("step", torch.exp(
                torch.arange(0, DIM, 2).float() * (-math.log(BASE) / DIM)))

        def forward(self):
            position = torch.arange(size.rows).float()[:, None]
            made = torch.empty(size.shape)
            made[:, 0::2], made[:, 1::2] = torch.sin(position * self.step), torch.cos(
                position * self.step)
            return made

    class Bias(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("slopes", 2.0 ** (-8 / HEADS * torch.arange(1, HEADS + 1)))

        def forward(self):
            position = torch.arange(LENGTH).float()
            distance = -(position[None, :] - position[:, None]).abs()
            return self.slopes[:, None, None] * distance
    module = Bias() if size.rows is None else Table()

    def call():
        with torch.no_grad():
            return module()
    return call


# ---- the contest ---------------------------------------------------------------------------

def clocked(name, call):
    """A contestant: the median of calls, each with its memory given back before the next."""
    def turn():
        calls = []
        while sum(calls) < LEAST_SECONDS:
            begin = time.perf_counter()
            kept = call()
            calls.append(time.perf_counter() - begin)
            del kept
        return {name: contest.median(calls)}
    return turn


def library(name, size):
    """build/bench/fill, whose plan is made and whose array is there."""
    words = BIAS if size.rows is None else target(size)
    encoding, _, query = words.removeprefix("/v1/").partition("?")
    pairs = [pair for pair in query.split("&") if not pair.startswith("format=")]
    run, command = fill(name, "posenc", "array", " ".join([encoding, *pairs]))
    octets = 4 * math.prod(size.shape)

    def turn():
        return {name: octets / run()[name]}
    return turn, command


def in_c(name, address):
    """A row by a client in C, which reads it (ask.c)."""
    asked = load.asker(address, target(SIZES[0]), connections=1, seconds=0.2, reads=True)

    def turn():
        answers, passed, _ = asked()()
        return {name: passed / answers}
    return turn


def contestants(result, peers, size, servers):
    """{way: turn} of a size; the arrays are compared first."""
    import numpy as np
    connections = {way: connect(address) for way, address in servers.items()}
    path, first = target(size), itertools.count(1_000_000, size.rows or 1)
    calls = {way: lambda way=way: array_of(connections[way], path, size.shape)
             for way in ("get", "unix")}
    calls["new"] = lambda: array_of(connections["new"], target(size, next(first)), size.shape)
    calls["module"], calls["numpy"] = torch_call(size), numpy_call(size)
    answer = calls["get"]()
    np.save(peers.folder.name + "/table.npy", answer)
    calls["file"] = lambda: np.load(peers.folder.name + "/table.npy")
    for way in ("unix", "file"):
        assert (calls[way]() == answer).all(), way
    for way in ("module", "numpy"):  # float32 angles, of which the last have no digit left
        assert np.allclose(np.asarray(calls[way]())[..., :16, :], answer[..., :16, :], atol=1e-4), way
    del answer
    turns = {way: clocked("%s %s" % (way, size.name), call) for way, call in calls.items()}
    turns["library"], command = library("library " + size.name, size)
    result.commands["library " + size.name] = command
    result.commands["get " + size.name] = "GET " + path
    return turns


def times():
    """a table of 128 columns, and a bias, as an array in a Python program: the time until it is
    there"""
    result = contest.Result("ms", 1e-3, 3)
    try:
        import torch  # noqa: F401, pylint: disable=unused-import
    except ImportError as reason:
        result.missing["module " + SIZES[0].name] = "%s (make deps-bench)" % reason
        return result
    with Peers() as peers:
        loopback, unix = peers.posencd()[1], peers.posencd(unix=True)[1]
        servers = {"get": loopback, "unix": unix, "new": loopback}
        for size in SIZES:
            with contest.on_core(contest.LOAD_CORE):
                contest.take_turns(result, contestants(result, peers, size, servers), TURNS)
        return contest.take_turns(result, {"wire " + way: in_c("wire " + way, servers[way])
                                           for way in ("get", "unix")}, TURNS)
