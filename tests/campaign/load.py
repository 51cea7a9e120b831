# SPDX-License-Identifier: Apache-2.0
"""load.py - clients that ask until they are stopped, and compare every byte: answers that came
whole, answers that were cut."""

import threading
import time

from support.wire import Client, Closed

PATIENCE = 300  # seconds until a client gives up on an answer


class Load:
    """`count` threads ask for the targets, or (method, target, body, headers); the expected answers
    are asked for first."""

    def __init__(self, server, targets, count=8, per_connection=50):
        self.address = server.address
        self.targets = [("GET", one, None, ()) if isinstance(one, str) else one
                        for one in targets]
        self.expected = {one[1]: server.ask(*one).body for one in self.targets}
        self.per_connection = per_connection
        self.done, self.cut, self.wrong = 0, [], []
        self.over = False
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self._run, args=(i,), daemon=True)
                        for i in range(count)]
        for thread in self.threads:
            thread.start()

    def _run(self, i):
        while not self.over:
            try:
                with Client(self.address) as one:
                    for k in range(self.per_connection):
                        if self.over or not self._ask(one, self.targets[(i + k) %
                                                                        len(self.targets)]):
                            break
            except ConnectionRefusedError:
                return  # the server has stopped
            except (ConnectionResetError, BrokenPipeError):
                continue
            except (Closed, TimeoutError) as fault:
                with self.lock:
                    self.cut.append(str(fault))

    def _ask(self, one, request):
        """False if the connection ended before a byte of the answer: the request was not begun."""
        target = request[1]
        one.request(*request)
        if not one.file.peek(1):
            return False
        answer = one.reply()
        with self.lock:
            self.done += 1
            if answer.status in (200, 206) and answer.body != self.expected[target]:
                self.wrong.append("%s: another body" % target)
            elif answer.status not in (200, 206, 503):
                self.wrong.append("%s: %r" % (target, answer))
        return answer.header("connection") != "close"

    def reach(self, count):
        """Waits until `count` answers came."""
        deadline = time.monotonic() + PATIENCE
        while self.done < count:
            assert time.monotonic() < deadline, "%d of %d answers; %s" % (
                self.done, count, (self.cut + self.wrong)[:3])
            time.sleep(0.002)

    def stop(self):
        self.over = True
        for thread in self.threads:
            thread.join()
        return self
