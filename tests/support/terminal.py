# SPDX-License-Identifier: Apache-2.0
"""terminal.py - a pseudo-terminal for a test, read until something stands there.

    with Terminal() as terminal:
        subprocess.Popen(command, stderr=terminal.theirs)
        terminal.read_until(b"computing")"""

import fcntl
import os
import select
import struct
import termios
import time

from support.wire import PATIENCE


class Terminal:
    """A pair of descriptors: `ours` and, for the program, `theirs`."""

    def __enter__(self):
        self.ours, self.theirs = os.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
        self.seen = b""
        return self

    def __exit__(self, *_):
        self.hang_up()
        os.close(self.ours)

    def hang_up(self):
        """Closes our copy of the program's side: the end is seen once the program has ended."""
        if self.theirs is not None:
            os.close(self.theirs)
        self.theirs = None

    def write(self, text):
        os.write(self.ours, text)

    def _read(self, deadline):
        """The next bytes; b"" at the end."""
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([self.ours], [], [], left)[0]:
            raise AssertionError("the terminal shows only %r" % self.seen)
        try:
            return os.read(self.ours, 65536)
        except OSError:  # EIO: the other side is closed
            return b""

    def read_until(self, *wanted):
        """All that was shown, once one of the texts is there."""
        deadline = time.monotonic() + PATIENCE
        while not any(text in self.seen for text in wanted):
            more = self._read(deadline)
            if not more:
                raise AssertionError("%r ended without %r" % (self.seen, wanted))
            self.seen += more
        return self.seen

    def lines(self):
        """The lines that stand on the screen after returns, backspaces and overwriting."""
        lines, at = [""], 0
        for char in self.seen.decode("utf-8", "replace"):
            if char == "\n":
                lines.append("")
                at = 0
            elif char in "\r\b":
                at = 0 if char == "\r" else max(at - 1, 0)
            else:
                lines[-1] = lines[-1][:at].ljust(at) + char + lines[-1][at + 1:]
                at += 1
        return lines

    def read_until_line(self, text):
        """Waits until a line on the screen has the text."""
        deadline = time.monotonic() + PATIENCE
        while not any(text in line for line in self.lines()):
            more = self._read(deadline)
            if not more:
                raise AssertionError("%s ended without %r" % (self.lines(), text))
            self.seen += more

    def read_all(self):
        """All that was shown until the program ended."""
        self.hang_up()
        deadline = time.monotonic() + PATIENCE
        while more := self._read(deadline):
            self.seen += more
        return self.seen
