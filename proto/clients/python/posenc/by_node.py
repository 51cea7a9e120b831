# SPDX-License-Identifier: Apache-2.0
"""Node as a child process that runs the WebAssembly module: one for each process of Python, with which it
ends. wasm/child.mjs is its program, and says how a request and an answer are framed."""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import weakref
from typing import IO, Any, Dict, List, Optional, Tuple

from .errors import PosencError
from .messages import Answer, Sent
from .module import FOLDER, Asked, module_path

NEEDED = 18  # the version of Node whose WebAssembly has SIMD, and that has all else that is used
PATIENCE = 30.0  # seconds in which Node must say its version, and must have loaded the module
BODY_MAX = 1 << 31  # bytes of a request, beside which the module has memory for its answer
SAID_MAX = 2000  # bytes of what Node said on its way out


class _Child(subprocess.Popen[bytes]):
    """A process with pipes. What it says besides goes into a file: nobody reads a pipe of it meanwhile, where
    it would wait once that is full."""

    def __init__(self, command: List[str], **options: Any) -> None:
        self.said: IO[bytes] = tempfile.TemporaryFile()
        try:
            super().__init__(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said,
                             bufsize=0, **options)
        except BaseException:
            self.said.close()
            raise


class Node:
    """A child process, begun by the first request. Threads may share it: one request is computed at a time.
    program: its file. PosencError: it is no Node, or one that is too old."""

    def __init__(self, program: str) -> None:
        self._child: Optional[_Child] = None
        self._module, self._program = module_path(), program
        _check(program)
        self._lock = threading.Lock()
        _ALL.add(self)

    def ask(self, sent: Sent) -> Answer:
        """The module's answer. PosencError: Node ended, or the module failed; the next request begins
        another one."""
        asked = Asked.of(sent)
        if len(asked.body or b"") > BODY_MAX:
            raise PosencError("a request of %d bytes is too long: the module takes %d" % (
                sent.length(), BODY_MAX))
        with self._lock:
            if self._child is None or self._child.poll() is not None:
                self.close()
                self._child = self._begin()
            try:
                _send(self._child, asked)
                answer, is_last = _receive(self._child)
            except BaseException:  # KeyboardInterrupt too: half an answer is left in the pipe
                self.close()
                raise
            if is_last:
                self.close()
            return answer

    def _begin(self) -> _Child:
        """A child that has loaded the module. It has a session of its own: what the terminal interrupts is
        this process, which ends the child."""
        apart: Dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        environment = {name: value for name, value in os.environ.items() if name != "NODE_OPTIONS"}
        child = _Child([self._program, os.path.join(FOLDER, "child.mjs"), self._module],
                       env=environment, **apart)
        late = threading.Timer(PATIENCE, child.kill)
        late.daemon = True
        late.start()
        try:
            _receive(child)
        except BaseException:
            _end(child)
            raise
        finally:
            late.cancel()
        return child

    def close(self) -> None:
        """Ends the child; a later request begins another one."""
        child, self._child = self._child, None
        if child is not None:
            _end(child)

    __del__ = close

    def forget(self) -> None:
        """In a process that was forked: the child is the other process's, and a thread of that may have held
        the lock."""
        child, self._child, self._lock = self._child, None, threading.Lock()
        if child is not None:
            child.returncode = 0  # it is not ours to wait for
            _close(child)


def found() -> str:
    """The file of POSENC_NODE, or of `node` as the shell finds it. PosencError: there is none."""
    name = os.environ.get("POSENC_NODE") or "node"
    path = shutil.which(name)
    if path is None:
        raise PosencError("%s is not found: POSENC_NODE may name the file of a Node" % name)
    return path


def _check(path: str) -> None:
    """Refuses what is no Node, or too old."""
    try:
        done = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as why:
        raise PosencError("%s cannot be run: %s" % (path, why)) from why
    said = done.stdout.decode("utf-8", "replace").strip()
    version = re.match(r"v(\d+)\.", said)
    if version is None:
        raise PosencError("%s is no Node: as its version it says %r" % (path, said[:99]))
    if int(version.group(1)) < NEEDED:
        raise PosencError("%s is Node %s, which is too old: %d or newer is needed" % (path, said, NEEDED))


# ---- frames: the lengths of a head and a content, a head of JSON, the content -------------------------------

def _send(child: _Child, asked: Asked) -> None:
    head = json.dumps({"method": asked.method, "path": asked.path, "query": asked.query,
                       "accept": asked.accept, "type": asked.type}).encode()
    assert child.stdin is not None
    body = asked.body or b""
    for piece in (struct.pack("<II", len(head), len(body)) + head, body):
        left = memoryview(piece)
        try:
            while left:
                left = left[child.stdin.write(left):]
        except OSError as why:
            raise _ended(child) from why


def _receive(child: _Child) -> Tuple[Answer, bool]:
    """An answer, and whether the child took so much memory for it that another one goes on."""
    head_length, length = struct.unpack("<II", _read(child, 8))
    head = json.loads(_read(child, head_length))
    if "error" in head:
        raise PosencError(head["error"])
    headers = {name.lower(): value for name, value in head["headers"].items()}
    return Answer(head["status"], headers, _read(child, length)), head["last"]


def _read(child: _Child, count: int) -> bytearray:
    content, at = bytearray(count), 0
    assert child.stdout is not None
    with memoryview(content) as view:
        while at < count:
            got = child.stdout.readinto(view[at:])  # type: ignore[attr-defined]
            if not got:
                raise _ended(child)
            at += got
    return content


def _ended(child: _Child) -> PosencError:
    """What is to be said of a child that ended by itself."""
    child.kill()  # where it closed its pipes alone
    code = child.wait()
    child.said.seek(max(0, child.said.seek(0, os.SEEK_END) - SAID_MAX))
    said = child.said.read().decode("utf-8", "replace").strip()
    return PosencError("Node ended before it answered, with %d%s" % (code, ": " + said if said else ""))


def _close(child: _Child) -> None:
    for pipe in (child.stdin, child.stdout, child.said):
        if pipe is not None:
            pipe.close()


def _end(child: _Child) -> None:
    """Ends a child, which holds nothing that could be lost."""
    child.kill()
    _close(child)
    child.wait()


# ---- the end of this process, and processes that it forks ---------------------------------------------------

_ALL: "weakref.WeakSet[Node]" = weakref.WeakSet()


def _for_all(what: str) -> Tuple[None, ...]:
    return tuple(getattr(node, what)() for node in list(_ALL))


atexit.register(_for_all, "close")
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _for_all("forget"))
