# SPDX-License-Identifier: Apache-2.0
"""life.py - ends and accidents: drains under load, sudden death, a stopped process, logs that
cannot be written, full disks, cgroups without memory or threads."""

import os
import signal
import subprocess
import tempfile
import threading
import time

from support.posencd import Posencd, binary, child_environment, run as run_posencd
from support.wire import Client, Closed

import cgroup
import pids
import script
import torture
from clients import cpu_seconds
from load import Load

SMALL = "/v1/sinusoidal?dim=4&pos=0:4"
MIDDLE = "/v1/rope?dim=64&pos=0:3000&out=cos&format=raw"
STREAM = "/v1/rope?dim=128&pos=0:9000&out=sin&format=raw"


class Behind(threading.Thread):
    """A client that reads its answer to the end, then asks again."""

    def __init__(self, client, head):
        super().__init__(daemon=True)
        self.client, self.head, self.answered = client, head, False

    def run(self):
        try:
            self.client._body(self.head, "GET")
            answer = self.client.get(SMALL)
            self.answered = (answer.status, answer.header("connection")) == (200, "close")
        except (Closed, OSError):
            pass
        self.client.close()


def drains(page, quick):
    done, cut, codes = 0, [], []
    for _ in range(5 if quick else 20):
        server = Posencd("--threads", "2", "--access-log", "off")
        load = Load(server, [SMALL, MIDDLE, STREAM, script.EXPENSIVE], count=6)
        load.reach(150)
        server.signal(signal.SIGTERM)
        codes.append(server.wait())
        load.stop()
        server.stop()
        done += load.done
        cut += load.cut + load.wrong
    page.promise("drains under load", "%d drains, %d answers, %d truncated" % (
        len(codes), done, len(cut)), "0 truncated, exit 0", not cut and set(codes) == {0}, cut)


def requests_behind(page):
    """Each client reads a long answer when TERM comes, and asks again once it has read it."""
    with Posencd("--threads", "2", "--access-log", "off") as server:
        clients = [Client(server.address) for _ in range(50)]
        for number, one in enumerate(clients):
            one.request("GET", STREAM.replace("9000", str(9000 + number)))
        heads = [one.head() for one in clients]
        server.signal(signal.SIGTERM)
        server.wait_line(lambda event: event.get("event") == "draining", "draining")
        threads = [Behind(*pair) for pair in zip(clients, heads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        answered = sum(thread.answered for thread in threads)
    page.promise("requests behind an answer that TERM met in flight", "%d of 50 answered, with "
                 "Connection: close" % answered, "50", answered == 50)


def second_term(page):
    server = Posencd("--threads", "1", "--drain-timeout", "60")
    with Client(server.address, receive_buffer=4096) as one:
        one.request("GET", STREAM.replace("9000", "90000"))
        one.head()
        server.signal(signal.SIGTERM)
        server.wait_line(lambda event: event.get("event") == "draining", "draining")
        start = time.monotonic()
        server.signal(signal.SIGTERM)
        code = server.wait()
    page.promise("a second TERM", "%.0f ms, exit %d" % (1000 * (time.monotonic() - start), code),
                 "stops at once", code == 0)
    server.stop()


def connect(path, child):
    """A connection to the unix socket that a child will make soon."""
    while True:
        try:
            return Client(path)
        except (FileNotFoundError, ConnectionRefusedError):
            assert child.poll() is None, "exit %s" % child.returncode
            time.sleep(0.001)


def first_answer(path):
    """Milliseconds from the start of a process to its first 200 on a unix socket."""
    start = time.monotonic()
    child = subprocess.Popen([binary(), "serve", "--listen", "unix:" + path, "--log-level",
                              "error"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             env=child_environment())
    while True:
        try:
            with Client(path) as one:
                if one.get(SMALL).status == 200:
                    return child, 1000 * (time.monotonic() - start)
        except (OSError, Closed):
            if child.poll() is not None:
                raise AssertionError("exit %d" % child.returncode)
            time.sleep(0.0005)


def sudden_death(page, quick):
    with tempfile.TemporaryDirectory(prefix="posencd-campaign-") as folder:
        path, times = os.path.join(folder, "sock"), []
        for _ in range(5 if quick else 20):
            child, took = first_answer(path)  # over the socket file of the dead process
            times.append(took)
            child.kill()
            child.wait()
    times.sort()
    page.timed("kill -9 to the first 200", "%.0f ms at best, %.0f half the time, %.0f at worst" %
               (times[0], times[len(times) // 2], times[-1]), "< 100 ms", times[0] < 100)


def stopped(page):
    with Posencd("--threads", "2") as server:
        with Client(server.address) as one:
            one.get(SMALL)
            server.signal(signal.SIGSTOP)
            one.request("GET", SMALL)
            time.sleep(1)  # for this time it is stopped
            server.signal(signal.SIGCONT)
            start = time.monotonic()
            status = one.reply().status
        page.promise("STOP and CONT", "%d after %.0f ms" % (status, 1000 * (time.monotonic() -
                                                                           start)),
                     "the request that waited is served", status == 200)


def other_library(page):
    """The request check depends on what libmicrohttpd 0.9.75 leaves in its buffers; one that says it is
    another is asked for lines, and reads leniently."""
    came = {}
    for what in ("version", "habits"):
        done = run_posencd("serve", "--listen", "127.0.0.1:0",
                   env={"LD_PRELOAD": torture.SHIM, "POSENC_LIBRARY": what})
        came[what] = (done.returncode, done.stderr.decode().strip().split("\n")[-1])
    page.promise("a libmicrohttpd of another version, and of other habits", "; ".join(
        "exit %d: %s" % pair for pair in came.values()), "neither is served with: exit 70, which "
        "says why", [code for code, _ in came.values()] == [70, 70] and
        "self-test" in came["version"][1] and "a plain request" in came["habits"][1], came.items())


def first_process(page):
    """As in a container: the kernel ignores signals without a handler for the first process of a
    namespace."""
    with tempfile.TemporaryDirectory(prefix="posencd-campaign-") as folder:
        path, counts = os.path.join(folder, "sock"), {}
        for signals in ((signal.SIGTERM,), (signal.SIGINT,), (signal.SIGHUP, signal.SIGTERM)):
            parent = subprocess.Popen(
                ["unshare", "--pid", "--fork", "--kill-child", binary(), "serve", "--listen",
                 "unix:" + path, "--drain-delay", "0", "--log-level", "error"],
                stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=child_environment())
            try:
                with connect(path, parent) as one:
                    one.get(SMALL)
            except AssertionError:
                page.figure("the first process of a namespace", "no right to make one: not tried")
                return
            with open("/proc/%d/task/%d/children" % (parent.pid, parent.pid),
                      encoding="ascii") as file:
                child = int(file.read())
            for number in signals:
                os.kill(child, number)
            code = parent.wait(60)
            counts[code] = counts.get(code, 0) + 1
    page.promise("TERM, INT and HUP as the first process of a namespace", "exits %s" % counts,
                 "it drains, exit 0", set(counts) == {0})


def logs(page):
    """Logs that no process reads: /dev/full, a full pipe, a closed descriptor."""
    wrong = []
    for name, opened in (("/dev/full", lambda: os.open("/dev/full", os.O_WRONLY)),
                         ("a full pipe", full_pipe), ("none", None)):
        with tempfile.TemporaryDirectory(prefix="posencd-campaign-") as folder:
            path = os.path.join(folder, "sock")
            error = opened() if opened else None
            child = subprocess.Popen(
                [binary(), "serve", "--listen", "unix:" + path, "--access-log", "all",
                 "--log-format", "json", "--drain-delay", "0"], stdin=subprocess.DEVNULL,
                stderr=error, env=child_environment(),
                preexec_fn=None if opened else lambda: os.close(2))
            if error is not None:
                os.close(error)
            with connect(path, child) as one:
                for _ in range(500):
                    if one.get(SMALL).status != 200:
                        wrong.append("%s: not served" % name)
            child.send_signal(signal.SIGTERM)
            if child.wait(60) != 0:
                wrong.append("%s: exit %d" % (name, child.returncode))
    page.promise("logs to /dev/full, a full pipe, nowhere", "500 requests each", "all served, "
                 "exit 0", not wrong, wrong)


def full_pipe():
    """The writing end of a pipe that no process reads."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, bytes(4096))
    except BlockingIOError:
        pass
    os.set_inheritable(reading, True)
    full_pipe.kept = reading  # open as long as this process: no EPIPE
    return writing


def full_disk(page):
    """A socket and models on a full disk; an upload needs no space there."""
    folder = tempfile.mkdtemp(prefix="posencd-campaign-")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", folder],
                      capture_output=True, check=False).returncode != 0:
        page.figure("a full disk", "no right to mount one: not tried")
        os.rmdir(folder)
        return
    try:
        with open(os.path.join(folder, "a.json"), "wb") as file:
            file.write(b'{"model_type":"llama","hidden_size":64,"num_attention_heads":8}')
        try:
            with open(os.path.join(folder, "fill"), "wb") as file:
                file.write(bytes(1 << 20))
        except OSError:
            pass
        with Posencd("--models-dir", folder, env={"TMPDIR": folder}) as server:
            body = b'{"dim":2,"pos":[' + b",".join(b"%d" % i for i in range(100000)) + b"]}"
            answer = server.ask("POST", "/v1/rope?format=raw&out=cos", body,
                                [("Content-Type", "application/json")])
            server.signal(signal.SIGHUP)
            name = server.get("/v1/models/a").status
        page.promise("an upload and a reload while the disk is full", "%d, %d" % (
            answer.status, name), "200, 200", (answer.status, name) == (200, 200))
    finally:
        subprocess.run(["umount", "--lazy", folder], check=False)
        os.rmdir(folder)


def idle_cost(page):
    with Posencd("--threads", "2") as server:
        server.get(SMALL)
        before = cpu_seconds(server)
        time.sleep(2)  # for this time it does nothing
        page.figure("CPU of an idle server", "%.3f s a second" % ((cpu_seconds(server) - before)
                                                                  / 2))


def run(page, quick):
    drains(page, quick)
    requests_behind(page)
    second_term(page)
    sudden_death(page, quick)
    stopped(page)
    first_process(page)
    other_library(page)
    logs(page)
    full_disk(page)
    cgroup.run(page, quick)
    pids.run(page, quick)
    idle_cost(page)
