#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""faults.py UPSTREAM... - a proxy of TCP for each HOST:PORT, in one process: the answer to each
request comes DELAY later; of a hundred, RESETS meet a connection that is reset and STALLS one that
says nothing for STALL seconds before the first byte of the answer. Prints the ports on one line, and at
the end of its input how often each fault came."""

import asyncio
import contextlib
import random
import socket
import struct
import sys

DELAY, RESETS, STALLS, STALL = 0.2, 1, 1, 1.0


class Proxy:
    def __init__(self, upstream, counts):
        self.host, port = upstream.split(":")
        self.port, self.counts = int(port), counts
        self.random = random.Random(self.port)

    async def serve(self, client, to_client):
        try:
            server, to_server = await asyncio.open_connection(self.host, self.port)
        except OSError:
            self.reset(to_client)
            return
        asked = asyncio.Event()
        with contextlib.suppress(asyncio.CancelledError):  # the end of the program
            await asyncio.gather(self.up(client, to_server, asked),
                                 self.down(server, to_client, to_server, asked),
                                 return_exceptions=True)

    async def up(self, client, to_server, asked):
        while data := await client.read(65536):
            asked.set()
            to_server.write(data)
            await to_server.drain()
        to_server.close()

    async def down(self, server, to_client, to_server, asked):
        while data := await server.read(1 << 20):
            if asked.is_set():  # the first bytes of an answer
                asked.clear()
                self.counts["answers"] += 1
                await asyncio.sleep(DELAY)
                drawn = self.random.randrange(100)
                if drawn < RESETS:
                    self.counts["resets"] += 1
                    to_server.close()
                    self.reset(to_client)
                    return
                if drawn < RESETS + STALLS:
                    self.counts["stalls"] += 1
                    await asyncio.sleep(STALL)
            to_client.write(data)
            await to_client.drain()
        to_client.close()

    @staticmethod
    def reset(writer):
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                                   struct.pack("ii", 1, 0))
        writer.transport.abort()


async def main(upstreams):
    counts = {"answers": 0, "resets": 0, "stalls": 0}
    servers = [await asyncio.start_server(Proxy(one, counts).serve, "127.0.0.1", 0)
               for one in upstreams]
    print(*(one.sockets[0].getsockname()[1] for one in servers), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print(*("%s=%d" % pair for pair in counts.items()), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
