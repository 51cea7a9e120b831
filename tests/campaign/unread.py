# SPDX-License-Identifier: Apache-2.0
"""unread.py - clients ask for answers and read nothing of them: the bytes that posencd says it has
reserved, beside the bytes that neither the clients nor the kernel have, and beside its memory."""

import re
import socket
import time

from support.posencd import samples_of
from support.wire import request_bytes

import crowd

PATIENCE = 60      # seconds that only a hang takes
HEAD = 4096        # bytes of a head and of libmicrohttpd's buffers, at most
LATE = 12          # seconds after which a client that never reads is cut in any case
FREED = 10         # seconds within which freed memory is the system's again
MIB = 1 << 20
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)", re.IGNORECASE)


def queues():
    """{(local port, remote port): (bytes to send, bytes received)} of all TCP sockets, as the
    kernel has them."""
    found = {}
    with open("/proc/net/tcp", encoding="ascii") as file:
        next(file)
        for line in file:
            _, local, remote, _, both = line.split()[:5]
            sent, received = both.split(":")
            found[int(local[-4:], 16), int(remote[-4:], 16)] = int(sent, 16), int(received, 16)
    return found


class Reserved:
    """What the metrics say at one time, in bytes, and the memory of the process."""

    def __init__(self, ground):
        samples = samples_of(ground.get("/metrics"))
        self.inflight = sum(value for name, value in samples.items()
                            if name.startswith("posencd_inflight_bytes"))
        self.cached = samples["posencd_cache_bytes"]
        self.bytes = self.inflight + self.cached + samples["posencd_cache_lent_bytes"] + \
            samples["posencd_shared_table_bytes"]
        status = ground.server.status
        self.memory = 1024 * (status("VmRSS") - status("RssShmem")) + \
            samples["posencd_cache_file_bytes"]


class Unread:
    """`count` clients that each sent the next request of the row and read nothing."""

    def __init__(self, ground, row, count):
        self.port = ground.server.port
        number = ground.numbers.take()
        self.sockets, self.requests = [], []
        for i in range(count):
            method, target, body, headers = row.requests[i % len(row.requests)]
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.bind((crowd.FLOOD, 0))
            one.connect(("127.0.0.1", self.port))
            one.settimeout(PATIENCE)
            self.requests.append(request_bytes(
                method, crowd.fill(target, number + 10000 * i), body, headers))
            one.sendall(self.requests[-1])
            self.sockets.append(one)

    def await_answers(self):
        """Waits until every client was answered and nothing moves any more."""
        for one in self.sockets:
            try:
                one.recv(1, socket.MSG_PEEK)
            except OSError:
                pass  # it was refused, and its connection was reset
        before, deadline = None, time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            now = self._moving()
            if now == before:
                return
            before = now
            time.sleep(0.03)  # the kernel moves what it can at once

    def _moving(self):
        return {pair: counts for pair, counts in queues().items() if self.port in pair}

    def bytes(self):
        """(bytes of answers that are neither sent nor in the kernel, statuses of the answers). Equal
        requests share an answer, and the one of which most is left counts."""
        kernel, left, statuses = queues(), {}, {}
        for one, request in zip(self.sockets, self.requests):
            try:
                head = one.recv(HEAD, socket.MSG_PEEK)
            except OSError:
                head = b""
            status = int(head[9:12]) if head else 0
            statuses[status] = statuses.get(status, 0) + 1
            length = LENGTH.search(head)
            if status != 200 or not length:
                continue
            mine = one.getsockname()[1]
            there = kernel.get((mine, self.port), (0, 0))[1] + \
                kernel.get((self.port, mine), (0, 0))[0]
            left[request] = max(left.get(request, 0), head.find(b"\r\n\r\n") + 4 +
                                int(length.group(1)) - there)
        return sum(left.values()), statuses

    def ends(self, length):
        """Reads every answer late: {how it ended: number}. One that was cut must end by a reset,
        or its client takes a part for the whole. `length` is that of a body in chunks."""
        found = {}
        for one in self.sockets:
            how = end_of(one, length)
            found[how] = found.get(how, 0) + 1
        return found

    def close(self):
        for one in self.sockets:
            one.close()


def end_of(one, length):
    """How an answer ends that is read now."""
    data = bytearray()
    try:
        while True:
            got = one.recv(1 << 20)
            if not got:
                return "empty" if not data else "a part, ended as if whole"
            data += got
            head, _, body = bytes(data[:HEAD]).partition(b"\r\n\r\n")
            sized = LENGTH.search(head)
            whole = int(sized.group(1)) + len(head) + 4 if sized else None
            if whole == len(data):
                return "whole" if head.startswith(b"HTTP/1.1 200") else "refused"
            if body and not sized and data.endswith(b"\r\n0\r\n\r\n"):
                return "whole" if length_in_chunks(data[len(head) + 4:]) == length else \
                    "a part, with a last chunk"
    except ConnectionResetError:
        return "reset"


def length_in_chunks(data):
    """The bytes of a body in chunks, without the lines between them."""
    total = at = 0
    while True:
        end = data.index(b"\r\n", at)
        size = int(data[at:end], 16)
        if size == 0:
            return total
        total += size
        at = end + 2 + size + 2


def least_memory(ground, wanted):
    """The memory, once it is as wanted, or the least within the time in which freed memory must be
    the system's again."""
    deadline, least = time.monotonic() + FREED, None
    while least is None or (least > wanted and time.monotonic() < deadline):
        memory = Reserved(ground).memory
        least = memory if least is None else min(least, memory)
        time.sleep(0.05)
    return least


def warm(ground, row):
    """Asks for one answer and reads it: the code that makes it, and the stacks and heaps of the
    threads, are in memory from then on, and belong to no answer."""
    method, target, body, headers = row.requests[0]
    ground.ask(method, crowd.fill(target, 1 << 44), body, headers)
    ground.settle()


def look(page, ground, row, count, judges_memory):
    """Promises of a row: as many bytes are reserved as are unread, and memory is what is
    reserved."""
    if judges_memory:
        warm(ground, row)
    before = Reserved(ground)
    clients = Unread(ground, row, count)
    try:
        clients.await_answers()
        during = Reserved(ground)
        left, statuses = clients.bytes()
        # An answer may be cut, or begin, while the kernel's queues are read.
        reserved = max(during.bytes, Reserved(ground).bytes) - before.bytes
        if row.kept:
            page.promise("%d clients that do not read: %s" % (count, row.name),
                         "%s, %.1f MB unread, %.1f MB reserved" % (statuses, left / 1e6,
                                                                   reserved / 1e6),
                         "all that is unread is reserved", left <= reserved + HEAD * count)
        if judges_memory:
            most = before.memory + 1.1 * reserved + 4 * MIB
            memory = least_memory(ground, most)
            page.timed("%s: memory with %d clients that do not read" % (row.name, count),
                       "%.1f MiB more, %.1f MiB reserved, %s" % (
                           (memory - before.memory) / MIB, reserved / MIB, statuses),
                       "<= what is reserved + 10 % + 4 MiB", memory <= most)
    finally:
        clients.close()


def look_late(page, ground, rows, count):
    """Clients begin to read when posencd has cut some of them, because others wanted the memory."""
    def cuts():
        return samples_of(ground.get("/metrics"))['posencd_rejected_total{reason="slow_reader"}']
    before, lengths = cuts(), [crowd.lengths_of(row, ground.ask)[0] for row in rows]
    clients = [Unread(ground, row, count) for row in rows]
    try:
        others = [Unread(ground, rows[-1], 1) for _ in range(4)]
        deadline = time.monotonic() + LATE
        while cuts() == before and time.monotonic() < deadline:
            for one in others:
                one.close()
            others = [Unread(ground, rows[-1], 1) for _ in range(4)]
            time.sleep(0.1)
        for one in others:
            one.close()
        for row, one, length in zip(rows, clients, lengths):
            ends = one.ends(length)
            page.promise("%d clients that read late: %s" % (count, row.name),
                         "%s; %d cut" % (ends, cuts() - before), "whole, refused or reset",
                         not set(ends) - {"whole", "refused", "reset"})
    finally:
        for one in clients:
            one.close()
