# SPDX-License-Identifier: Apache-2.0
"""torture.py - everything that can fail, fails once: each allocation and each system call of
each request of the script, one by one, in a server that lives through all of it; then those of
starting. Between two faults the same request must be answered with the same bytes as ever."""

import errno
import gzip
import mmap
import os
import signal
import ssl
import struct
import subprocess
import tempfile
import threading
import time

from support.certificate import Certificate
from support.posencd import ROOT, Posencd, binary, child_environment
from support.wire import Client, Closed, request_bytes
from test_tls import Secure

import script

SHIM = os.path.join(ROOT, "build", "campaign", "fail.so")
SHORT = -1
STUCK = 60  # seconds until what neither serves nor ends is given up
KINDS = ("allocate", "accept", "recv", "send", "read", "write", "open", "mmap", "epoll_ctl",
         "epoll_wait", "poll", "thread", "random", "socketpair", "stat", "log", "sync", "rename",
         "unlink", "close")  # as in fail.h
# What the kernel says of each, as accept(2), recv(2) ... list them.
SERVING = [("accept", errno.EINTR), ("accept", errno.ECONNABORTED), ("accept", errno.EMFILE),
           ("accept", errno.ENOMEM), ("recv", errno.EINTR), ("recv", errno.EAGAIN),
           ("recv", errno.ECONNRESET), ("recv", errno.ENOMEM), ("recv", SHORT),
           ("send", errno.EINTR), ("send", errno.EAGAIN), ("send", errno.EPIPE),
           ("send", errno.ECONNRESET), ("send", errno.ENOBUFS), ("send", SHORT),
           ("write", errno.EINTR), ("read", errno.EINTR),
           ("epoll_ctl", errno.ENOMEM), ("epoll_ctl", errno.ENOSPC),
           ("epoll_wait", errno.EINTR)]
STARTING = [("allocate", errno.ENOMEM), ("read", errno.EINTR), ("read", errno.EIO),
            ("open", errno.EMFILE), ("open", errno.ENOENT), ("mmap", errno.ENOMEM),
            ("thread", errno.EAGAIN), ("random", errno.EAGAIN), ("random", errno.ENOSYS),
            ("socketpair", errno.EMFILE), ("stat", errno.EIO), ("send", SHORT),
            ("recv", errno.EINTR)]
RELOADING = [("allocate", errno.ENOMEM), ("open", errno.EMFILE), ("read", errno.EIO),
             ("read", SHORT), ("stat", errno.EIO)]


class Control:
    """The page that the shim reads: what fails next, what has failed."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "fail")
        with open(self.path, "wb") as file:
            file.write(bytes(4096))
        with open(self.path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), 4096)

    def _get(self, index):
        return struct.unpack_from("<q", self.map, 8 * index)[0]

    def _set(self, index, value):
        struct.pack_into("<q", self.map, 8 * index, value)

    def arm(self, kind, error, n, sticky=False):
        self._set(1, 0)
        self._set(0, KINDS.index(kind))
        self._set(2, error)
        self._set(3, int(sticky))
        self._set(4, 0)
        self._set(1, n)

    def disarm(self):
        """How many faults there were since it was armed."""
        self._set(1, 0)
        return self._get(4)

    @property
    def fired(self):
        return self._get(4)

    @property
    def live(self):
        return self._get(5)

    def calls(self, kind):
        return self._get(6 + KINDS.index(kind))

    def environment(self):
        return {"LD_PRELOAD": SHIM, "POSENC_FAIL": self.path}


def ask(server, request, context=None, arm=None):
    """(status, body) on a connection of its own, encrypted with a context, or None if it was cut
    or never accepted. arm() is called once it is connected."""
    method, target, body, headers = request
    data = request_bytes(method, target, body, [*headers, ("Connection", "close")])
    try:
        with Secure(server.address, context) if context else Client(server.address) as one:
            if arm:
                arm()
            if ("Expect", "100-continue") in headers:
                head = data.index(b"\r\n\r\n") + 4
                one.send(data[:head])
                reply = one.head(method)  # from then on the server waits for the body
                if reply.status != 100:
                    return reply.status, one._body(reply, method)
                data = data[head:]
            one.send(data)
            reply = one.reply(method)
            return reply.status, reply.body
    except (Closed, ConnectionError, ssl.SSLError):
        return None


def comparable(request, answer):
    """The answer, with what differs from one time to another left out: a packed one is sent as
    it is when there is no memory to pack it."""
    status, body = answer
    if body[:2] == b"\x1f\x8b":
        body = gzip.decompress(body)
    volatile = request[1].split("?")[0] in script.VOLATILE or status >= 400
    return status, (None if volatile else body)


class Torture:
    """One server with the shim, and what came of its faults."""

    def __init__(self, folder, *flags, context=None):
        self.context = context
        self.control = Control(folder)
        self.server = Posencd("--threads", "1", "--access-log", "off", *flags,
                              env=self.control.environment())
        self.faults, self.outcomes = 0, {}
        self.leaks, self.wrong, self.slow = [], [], []

    def ask(self, request, arm=None):
        return ask(self.server, request, self.context, arm)

    def settle(self, base, patience):
        """Blocks that are alive beyond `base` once everything of a connection is freed."""
        deadline = time.monotonic() + patience
        while self.control.live > base and time.monotonic() < deadline:
            time.sleep(0.001)
        return self.control.live - base

    def fault(self, request, expected, kind, error, n, sticky=False):
        """False once the n-th call does not happen any more."""
        def arm():
            self.control.arm(kind, error, n, sticky)

        start = time.monotonic()
        if self.context and kind == "allocate":  # libtasn1 dies without memory in a handshake
            answer = self.ask(request, arm)
        else:
            arm()
            answer = self.ask(request)
        took = time.monotonic() - start
        fired = self.control.disarm()
        if not fired:
            return False
        self.faults += fired
        outcome = str(answer[0]) if answer else "cut"
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1
        where = "%s %s: %s %s number %d" % (*request[:2], kind, os.strerror(error)
                                            if error > 0 else "short", n)
        if took > 1:
            self.slow.append("%s took %.1f s" % (where, took))
        if answer and answer[0] == expected[0] and comparable(request, answer) != expected:
            self.wrong.append(where + ": another body")
        if answer and answer[0] not in (expected[0], 500, 503):
            self.wrong.append("%s: answered %d" % (where, answer[0]))
        again = self.ask(request)
        if kind == "accept" and again and again[0] == 503:
            again = self.ask(request)  # the first one came while the listener refused for the fault
        if again is None or comparable(request, again) != expected:
            self.wrong.append("%s: the next is %r" % (where, again and again[0]))
        return True

    def every(self, request, kind, error, stride=1, sticky=False):
        """Every call of this kind that the request makes fails once (every stride-th)."""
        expected = comparable(request, self.ask(request) or (0, b""))
        assert expected[0], "%s %s is not answered" % request[:2]
        # What grows once and stays (a free list, a table) does not grow the second time.
        for patience in (1, STUCK):
            self.ask(request)
            base, n = self.control.live, 1
            while self.fault(request, expected, kind, error, n, sticky):
                n += stride
            left = self.settle(base, patience)
            if left <= 0:
                return
        self.leaks.append("%s %s: %s: %d blocks" % (*request[:2], kind, left))

    def stop(self):
        code = self.server.stop()
        if code != 0:
            self.wrong.append("exit code %s\n%s" % (code, self.server.log()[-2000:]))


def start_once(control, kind, error, n, folder):
    """Starts with the n-th call failing: what came of it, None if that call did not happen."""
    control.arm(kind, error, n)
    child = subprocess.Popen(
        [binary(), "serve", "--listen", "unix:" + os.path.join(folder, "start"), "--threads", "1",
         "--log-format", "json", "--drain-delay", "0", "--models-dir", folder, "--learned-tables-dir",
         folder, "--api-keys-file", os.path.join(folder, "keys")],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env=child_environment(control.environment()))
    lines = []
    alarm = threading.Timer(STUCK, child.kill)
    alarm.start()
    for line in child.stderr:
        lines.append(line)
        if b'"event":"ready"' in line:
            child.send_signal(signal.SIGTERM)
    code = child.wait(60)
    alarm.cancel()
    child.stderr.close()
    if not control.disarm():
        return None
    return code, b"".join(lines)


def starting(page, quick):
    """Every fault while starting: it serves, or says why not and ends with a code of ours."""
    runs, bad, codes, aborts = 0, [], {}, 0
    with tempfile.TemporaryDirectory(prefix="posencd-campaign-") as folder:
        with open(os.path.join(folder, "a.json"), "w", encoding="ascii") as file:
            file.write('{"model_type":"llama","hidden_size":64,"num_attention_heads":8}')
        with open(os.path.join(folder, "t.safetensors"), "wb") as file:
            file.write(script.safetensors({"x": script.vectors()}))
        with open(os.path.join(folder, "keys"), "w", encoding="ascii") as file:
            file.write("k3y-of-a-client-00\n")
        control = Control(folder)
        for kind, error in STARTING:
            n, stride = 1, 1
            while True:
                came = start_once(control, kind, error, n, folder)
                if came is None:
                    break
                runs += 1
                codes[came[0]] = codes.get(came[0], 0) + 1
                # 127: the loader itself could not get memory. libuv aborts if it cannot start a
                # thread of its pool, or find the memory for one.
                if came[0] == -6 and kind in ("thread", "allocate"):
                    aborts += 1
                elif came[0] not in (0, 69, 70, 78, 127):
                    bad.append("%s %d number %d: exit %d %s" % (kind, error, n, came[0],
                                                                came[1][-300:]))
                if kind == "allocate":
                    stride = 37 if quick else 1
                n += stride
    page.promise("faults while starting", "%d, exits %s" % (runs, codes),
                 "0 crashes but libuv's own, of its pool", not bad and aborts <= 8, bad)


def reloading(page, quick):
    """Every fault of a reload: the old stands or the new does, the service serves."""
    with tempfile.TemporaryDirectory(prefix="posencd-campaign-") as folder:
        with open(os.path.join(folder, "a.json"), "w", encoding="ascii") as file:
            file.write('{"model_type":"llama","hidden_size":64,"num_attention_heads":8}')
        torture = Torture(folder, "--models-dir", folder)
        request = script.get("/v1/models/a")
        expected = comparable(request, torture.ask(request))
        for kind, error in RELOADING:
            n, stride = 1, (11 if quick else 1)
            while True:
                seen = len(torture.server.events())
                torture.control.arm(kind, error, n)
                torture.server.signal(signal.SIGHUP)
                reload_over(torture.server, seen)
                if not torture.control.disarm():
                    break
                torture.faults += 1
                came = torture.ask(request)
                if came is None or comparable(request, came) != expected:
                    torture.wrong.append("%s %d number %d: %r" % (kind, error, n, came))
                n += stride
        torture.stop()
    page.promise("faults while reloading", str(torture.faults), "0 crashes, 0 names lost",
                 not torture.wrong and torture.faults > 0, torture.wrong)


def reload_over(server, seen):
    """Waits until the folder was read, or could not be."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if any(event.get("event") == "reloaded" for event in server.events()[seen:]):
            time.sleep(0.02)  # the log drops what is more than 200 lines a second
            return
        time.sleep(0.001)
    raise AssertionError("no reload\n" + server.log()[-2000:])


def allocations(page, quick):
    with tempfile.TemporaryDirectory(prefix="posencd-campaign-") as folder:
        torture = Torture(folder, "--cache-size", "0", "--shared-table-cache", "0")
        requests = [*script.coded(), *script.script(torture.server)]
        for request in requests:
            torture.every(request, "allocate", errno.ENOMEM, 5 if quick else 1)
        once = torture.faults
        for request in requests[::10 if quick else 3]:
            torture.every(request, "allocate", errno.ENOMEM, 7, sticky=True)
        torture.stop()
    page.figure("requests of the script", len(requests))
    page.promise("allocations failed, one by one",
                 "%d, answered %s" % (once, torture.outcomes),
                 "0 crashes, the next request served", not torture.wrong, torture.wrong)
    page.figure("allocations failed when memory stays away", torture.faults - once)
    page.promise("blocks leaked by them", len(torture.leaks), "0", not torture.leaks,
                 torture.leaks)


def calls(page, quick):
    with tempfile.TemporaryDirectory(prefix="posencd-campaign-") as folder:
        torture = Torture(folder)
        requests = [*script.coded(), *script.script(torture.server)]
        for kind, error in SERVING:
            for request in [script.PAUSING, *requests[::9 if quick else 1]]:
                torture.every(request, kind, error)
        torture.stop()
    page.promise("system calls failed, one by one",
                 "%d of %d kinds, answered %s" % (torture.faults, len(SERVING),
                                                  torture.outcomes),
                 "0 crashes, bytes exact, the next request served", not torture.wrong,
                 torture.wrong)


def encrypted(page):
    """The same of TLS: system calls from the handshake on, memory after it."""
    certificate = Certificate()
    requests = [script.get("/livez"), *script.tables(), *script.bodies()]
    with tempfile.TemporaryDirectory(prefix="posencd-campaign-") as folder:
        torture = Torture(folder, "--cache-size", "0", *certificate.flags,
                          context=certificate.context())
        for request in requests[::8]:
            torture.every(request, "allocate", errno.ENOMEM)
        once = torture.faults
        for kind, error in SERVING:
            for request in [script.PAUSING, *requests[::8]]:
                torture.every(request, kind, error)
        torture.stop()
    certificate.folder.cleanup()
    page.promise("faults under TLS, one by one", "%d allocations, %d system calls, answered %s" % (
        once, torture.faults - once, torture.outcomes),
        "0 crashes, bytes exact, the next request served", not torture.wrong, torture.wrong)
    page.figure("blocks that live on after them", torture.leaks)  # GnuTLS keeps some


def run(page, quick):
    allocations(page, quick)
    calls(page, quick)
    if not quick:
        encrypted(page)
    reloading(page, quick)
    starting(page, quick)
