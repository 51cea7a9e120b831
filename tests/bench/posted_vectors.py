# SPDX-License-Identifier: Apache-2.0
"""posted_vectors.py - vectors of 4096 x 32 x 128 are sent by POST as npy and rotated, against the echo
(echo.c), which is our server sending the body back. One thread of the server has core 0, a plain
socket core 1. The time is from the request's first byte to the answer's last."""

import io
import os
import socket
import sys
import time

import contest
import load
from rotation import BASE, HEADS, POSITIONS, WIDTH

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from support.posencd import Posencd  # noqa: E402

TURNS, REQUESTS = 7, 3


def body_of(dtype):
    """Normal numbers as an npy file; as octets for bfloat16, which NumPy does not have."""
    import numpy as np
    values = np.random.default_rng(1).standard_normal((POSITIONS, HEADS, WIDTH), np.float32)
    if dtype == "bf16":
        return bytearray((values.view(np.uint32) >> 16).astype("<u2").tobytes())
    file = io.BytesIO()
    np.save(file, values)
    return bytearray(file.getvalue())


class Client:
    """One connection to a server; each answer is read into one buffer."""

    def __init__(self, port, target, media_type, body):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.head = ("POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: %s\r\n"
                     "Content-Length: %d\r\n\r\n" % (target, media_type, len(body))).encode()
        self.body, self.answer = body, bytearray(len(body) + (1 << 16))

    def ask(self):
        """Sends the body, reads head and body of the answer; returns the body's bytes."""
        self.socket.sendall(self.head)
        self.socket.sendall(self.body)
        view, got, end = memoryview(self.answer), 0, -1
        while end < 0:
            got += self._read(view[got:])
            end = self.answer.find(b"\r\n\r\n", 0, got)
        head = bytes(self.answer[:end]).decode("latin-1")
        assert head.startswith("HTTP/1.1 200"), head + str(bytes(self.answer[end:got]))
        length = next(int(line.partition(":")[2]) for line in head.split("\r\n")
                      if line.lower().startswith("content-length:"))
        while got < end + 4 + length:
            got += self._read(view[got:])
        return view[end + 4:end + 4 + length]

    def _read(self, space):
        got = self.socket.recv_into(space)
        assert got > 0, "the server closed the connection"
        return got


def turn_of(name, client, pid):
    """Bytes a second by the clock, and a second of the server's own CPU time."""
    def turn():
        start, spent = time.perf_counter(), load.cpu_seconds(pid)
        for _ in range(REQUESTS):
            client.ask()
        size = REQUESTS * len(client.body)
        return {name: size / (time.perf_counter() - start),
                name + "/cpu": size / (load.cpu_seconds(pid) - spent)}
    return turn


def start(program):
    """A server from build/ or build/bench/echo/, with one thread on the server's core."""
    build = os.environ.get("POSENC_BUILD", "build")
    os.environ["POSENC_BUILD"] = os.path.join(build, program)
    try:
        with contest.on_core(contest.SERVER_CORE):
            return Posencd("--threads", "1")
    finally:
        os.environ["POSENC_BUILD"] = build


def measure_dtype(dtype):
    result = contest.Result("GB/s", 1e9)
    body = body_of(dtype)
    target = "/v1/rope/apply?pos=0:%d&seq_axis=0&format=" % POSITIONS
    media_type = "application/x-npy" if dtype == "f32" else "application/octet-stream"
    target += "npy" if dtype == "f32" else "raw&in_dtype=bf16&shape=%d,%d,%d" % (
        POSITIONS, HEADS, WIDTH)
    with start("") as ours, start("bench/echo") as echo, contest.on_core(contest.LOAD_CORE):
        client = Client(ours.port, target + "&base=%d" % BASE, media_type, body)
        other = Client(echo.port, target, media_type, body)
        assert other.ask() == body, "the echo changes what came"
        assert len(client.ask()) == len(body)
        result.commands["posencd"] = "POST %s&base=%d (%s)" % (target, BASE, media_type)
        result.commands["echo"] = "the same to build/bench/echo/posencd"
        turns = {"posencd": turn_of("posencd", client, ours.pid),
                 "echo": turn_of("echo", other, echo.pid)}
        return contest.take_turns(result, turns, TURNS)


def float32():
    """POST of 4096 x 32 x 128 float32 as npy: bytes/s"""
    return measure_dtype("f32")


def bfloat16():
    """POST of 4096 x 32 x 128 bfloat16 as octets: bytes/s"""
    return measure_dtype("bf16")
