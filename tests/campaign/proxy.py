# SPDX-License-Identifier: Apache-2.0
"""proxy.py - a TCP proxy that cuts what passes into pieces of a few bytes, delays them, and may
reset the connection after some bytes."""

import random
import select
import socket
import struct
import threading
import time


class Proxy:
    """Between a client and `upstream`, on a port of its own. Kinds: "fragment" (pieces of 1 to 7
    bytes to the server, 1 to 700 to the client), "delay" (a piece waits up to a millisecond),
    "reset" (after reset_after bytes of the answer the client's connection is reset)."""

    def __init__(self, upstream, kinds, seed=1, reset_after=0):
        self.upstream, self.kinds, self.reset_after = upstream, kinds, reset_after
        self.random = random.Random(seed)
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.address = self.socket.getsockname()
        self.over = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            with client, socket.create_connection(self.upstream) as server:
                for one in (client, server):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._pass(client, server)
        except OSError:
            pass

    def _pass(self, client, server):
        """Copies both ways until both have ended."""
        open_sides, answered = {client, server}, 0
        while open_sides:
            for source in select.select(list(open_sides), [], [])[0]:
                target = server if source is client else client
                data = source.recv(65536)
                if not data:
                    open_sides.discard(source)
                    target.shutdown(socket.SHUT_WR)
                    continue
                if source is server and self.reset_after:
                    if answered + len(data) >= self.reset_after:
                        client.sendall(data[:max(self.reset_after - answered, 0)])
                        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                          struct.pack("ii", 1, 0))
                        return
                    answered += len(data)
                self._send(target, data, 7 if source is client else 700)

    def _send(self, target, data, most):
        at = 0
        while at < len(data):
            size = self.random.randint(1, most) if "fragment" in self.kinds else len(data)
            if "delay" in self.kinds and self.random.random() < 0.05:
                time.sleep(self.random.random() / 1000)
            target.sendall(data[at:at + size])
            at += size

    def close(self):
        self.socket.close()
