# SPDX-License-Identifier: Apache-2.0
"""cost.py - CPU time of the server and bytes of an answer, by kind. The server has core 0 and one loop,
the client core 1. Kinds take turns, so that other work of the machine slows all of them down alike."""

import contextlib
import os
import tempfile

import contest
import load
from capacity.kinds import SIZED, SMALL, WIDTH, kinds
from fleet.load import Connection, get
from support.certificate import Certificate
from support.posencd import Posencd

ROUNDS, SECONDS = 9, 0.3
KEY = "a-key-of-the-measurement"
LEAST, MOST = 1, 1 << 18  # rows between which the largest kept answer is looked for
QUIET = ("--access-log", "off")


@contextlib.contextmanager
def servers():
    """{over: (server, address)}, each on the server's core."""
    certificate = Certificate()
    with tempfile.NamedTemporaryFile("w", suffix=".keys") as keys, contextlib.ExitStack() as stack:
        keys.write(KEY + "\n")
        keys.flush()
        with contest.on_core(contest.SERVER_CORE):
            plain, keyed, secure = (
                stack.enter_context(Posencd("--threads", "1", *QUIET, *flags, unix=unix))
                for flags, unix in (((), True), (("--api-keys-file", keys.name), False),
                                    (certificate.flags, False)))
        yield {"tcp": (plain, str(plain.port)), "unix": (plain, plain.unix),
               "keys": (keyed, str(keyed.port)), "tls": (secure, "tls:%d" % secure.port)}


def entity_tag(server):
    return server.get(SMALL).header("etag")


def is_kept(connection, rows):
    """Whether the second answer of this many rows comes out of the cache."""
    request = get(SIZED % rows)
    connection.ask(request)
    return "desc=hit" in connection.ask(request).header("Server-Timing")


def most_rows_kept(server):
    """Rows of the largest answer that is kept, which has 4 * WIDTH bytes a row."""
    one = Connection(server.port)
    least, most = LEAST, MOST
    assert is_kept(one, least) and not is_kept(one, most)
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if is_kept(one, middle) else (least, middle)
    one.close()
    return least


def turn(kind, server, address):
    request = load.request_of(kind.target, kind.headers, kind.method, kind.body)

    def call():
        before = load.cpu_seconds(server.pid)
        answers, _, size, status = load.ask(address, request, kind.connections, SECONDS)()
        spent = load.cpu_seconds(server.pid) - before
        expected = {"unchanged": 304, "refused": 400}.get(kind.name, 200)
        assert status == expected and answers > 0, (kind.name, status, answers)
        return {kind.name: spent / answers, kind.name + " bytes": size / answers}
    return call


def scaling():
    """CPU time of an answer with two loops, as a multiple of that with one."""
    result, started = contest.Result("us", 1e-6), {}
    with contextlib.ExitStack() as stack:
        for name, loops in (("one", "1"), ("two", "2")):
            server = stack.enter_context(Posencd("--threads", loops, *QUIET))
            request = load.request_of(SMALL)

            def call(name=name, server=server, request=request):
                before = load.cpu_seconds(server.pid)
                answers = load.ask(server.port, request, 32, SECONDS, pinned=False)()[0]
                return {name: (load.cpu_seconds(server.pid) - before) / answers}
            started[name] = call
        contest.take_turns(result, started, ROUNDS)
    return contest.median([two / one for one, two in zip(result.values["one"],
                                                         result.values["two"])])


def measure():
    """{kind: [seconds of CPU], "KIND bytes": [bytes]}, rows of the largest kept answer, and the
    multiple of scaling()."""
    with servers() as started:
        plain = started["tcp"][0]
        rows = most_rows_kept(plain)
        turns = {one.name: turn(one, *started[one.over])
                 for one in kinds(KEY, entity_tag(plain), rows)}
        result = contest.take_turns(contest.Result("us", 1e-6), turns, ROUNDS)
    return result.values, rows * 4 * WIDTH, scaling()


assert os.path.exists("build/bench/ask"), "build/bench/ask is missing: run `make capacity`"
