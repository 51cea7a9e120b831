# SPDX-License-Identifier: Apache-2.0
"""files.py - disks that fail while posencd serves: each system call on a file fails once, one by
one, while tables are uploaded, removed and read again, keys and certificates are read again, and
lines are logged. The answers and the files on the disk are old or new, and whole."""

import errno
import json
import os
import signal
import ssl
import struct
import tempfile
import time

from support.certificate import Certificate
from support.posencd import Posencd
from support.wire import Client, Closed
from test_keys import KEY, SecretFiles, bearer
from test_tables import TOKEN, TableFolder, put, safetensors
from test_tls import Secure

from torture import SHORT, STUCK, Control

UPLOADING = [("open", errno.EMFILE), ("open", errno.EACCES), ("open", errno.ENOSPC),
             ("write", errno.ENOSPC), ("write", errno.EIO), ("write", errno.EINTR),
             ("write", SHORT), ("sync", errno.EIO), ("sync", errno.ENOSPC), ("close", errno.EIO),
             ("rename", errno.EIO), ("rename", errno.ENOSPC), ("unlink", errno.EIO),
             ("stat", errno.EIO), ("read", errno.EIO), ("read", errno.EINTR), ("read", SHORT),
             ("mmap", errno.ENOMEM), ("allocate", errno.ENOMEM)]
READING = [("open", errno.EMFILE), ("open", errno.ENOENT), ("read", errno.EIO),
           ("read", errno.EINTR), ("read", SHORT), ("stat", errno.EIO)]
TELLING = [errno.EIO, errno.ENOSPC, errno.EAGAIN, errno.EINTR, errno.EPIPE, SHORT]
FILE, TARGET = "t.safetensors", "/v1/learned?table=t.wpe&pos=0:16&format=raw"
SMALL = "/v1/sinusoidal?dim=4&pos=0:4"
UNKNOWN = b"unknown-table"


def version(number):
    """A table whose numbers are all this one."""
    return safetensors({"wpe.weight": ([16, 8], [float(number)] * 128)})


def name_of(kind, error, n):
    return "%s %s number %d" % (kind, os.strerror(error) if error > 0 else "short", n)


class Disk:
    """A server with a table whose numbers are its version, and the shim."""

    def __init__(self):
        self.files = TableFolder()
        self.control = Control(self.files.folder.name)
        self.server = Posencd("--threads", "1", "--access-log", "off", *self.files.flags,
                              env=self.control.environment())
        self.faults, self.statuses, self.wrong = 0, {}, []

    def served(self):
        """The version that the server answers with; None: the table is unknown."""
        answer = self.server.get(TARGET)
        if answer.status == 400 and UNKNOWN in answer.body:
            return None
        numbers = set(struct.unpack("<128f", answer.body)) if answer.status == 200 else ()
        return numbers.pop() if len(numbers) == 1 else "%r" % answer

    def stored(self):
        """The version on the disk; None: there is no file."""
        try:
            body = self.files.read(FILE)
        except FileNotFoundError:
            return None
        number = struct.unpack("<f", body[-4:])[0]
        return number if body == version(number) else "%d bytes" % len(body)

    def change(self, number):
        """The status of an upload of this version, or of a removal if the version is None; 0: the
        connection was cut."""
        try:
            if number is not None:
                return put(self.server, "t", version(number)).status
            return self.server.ask("DELETE", "/v1/tables/t", None,
                                   [("Authorization", "Bearer " + TOKEN)]).status
        except (Closed, ConnectionError):
            return 0

    def fault(self, kind, error, n, before, number):
        """The change from one version to another while the n-th call fails; False once that call
        does not happen."""
        self.control.arm(kind, error, n)
        status = self.change(number)
        if not self.control.disarm():
            return False
        self.faults += 1
        self.statuses[status] = self.statuses.get(status, 0) + 1
        done = status in (200, 201, 204)
        served, stored, names = self.served(), self.stored(), os.listdir(self.files.tables)
        if not done and status not in (0, 500, 503) or status == 0 and kind != "allocate":
            self._wrong(kind, error, n, "answered %d" % status)
        if served not in ((number,) if done else (before, number)):
            self._wrong(kind, error, n, "%d, and served is %s" % (status, served))
        if stored not in ((number,) if done else (before, number)):
            self._wrong(kind, error, n, "%d, and stored is %s" % (status, stored))
        if kind != "unlink" and set(names) - {FILE}:
            self._wrong(kind, error, n, "left %s" % names)
        return True

    def _wrong(self, *what):
        self.wrong.append("%s: %s" % (name_of(*what[:3]), what[3]))

    def settle(self, number, *what):
        """Without faults the next upload is carried out, and leaves nothing behind."""
        status = self.change(number)
        came = (status in (200, 201), self.served(), self.stored(), os.listdir(self.files.tables))
        if came != (True, number, number, [FILE]):
            self._wrong(*what, "then %r" % (came,))

    def stop(self):
        code = self.server.stop()
        if code != 0:
            self.wrong.append("exit code %s\n%s" % (code, self.server.log()[-2000:]))
        self.files.folder.cleanup()


def changing(page, what, quick):
    """Every fault of an upload, or of a removal."""
    disk, number = Disk(), 1
    disk.change(number)
    for kind, error in UPLOADING:
        n, stride = 1, (7 if quick and kind == "allocate" else 1)
        while disk.fault(kind, error, n, number, number + 1 if what == "uploads" else None):
            number += 2
            disk.settle(number, kind, error, n)
            n += stride
        number += 2
        disk.settle(number, kind, error, n)
    disk.stop()
    page.promise("faults of %s" % what, "%d, answered %s" % (disk.faults, disk.statuses),
                 "200, 201, 204, 500 or 503; old or new, whole; no file left over; then it works",
                 not disk.wrong and disk.faults > 0, disk.wrong)


def reloads(server):
    return sum(event.get("event") == "reloaded" for event in server.events())


def read_again(server):
    """Sends HUP and waits until the files were read, or could not be. The log line may have been
    dropped: then HUP is sent again."""
    seen, deadline, again = reloads(server), time.monotonic() + STUCK, 0
    while reloads(server) == seen:
        now = time.monotonic()
        assert now < deadline, "no reload\n" + server.log()[-2000:]
        if now >= again:
            server.signal(signal.SIGHUP)
            again = now + 2
        time.sleep(0.001)
    time.sleep(0.03)  # the log drops more than 200 lines a second


def reading_tables(page, quick):
    """Replaces the file as an operator does; it is read with faults."""
    disk, number = Disk(), 1
    disk.change(number)
    for kind, error in READING + [("allocate", errno.ENOMEM), ("mmap", errno.ENOMEM)]:
        n, fired = 1, 1
        while fired:
            with open(disk.files.path(".new"), "wb") as file:
                file.write(version(number + 1))
            disk.control.arm(kind, error, n)
            os.rename(disk.files.path(".new"), disk.files.path(FILE))
            read_again(disk.server)
            fired = disk.control.disarm()
            disk.faults += fired
            if disk.served() not in (number, number + 1):
                disk.wrong.append("%s: served is %s" % (name_of(kind, error, n), disk.served()))
            deadline, number = time.monotonic() + STUCK, number + 1
            while disk.served() != number and time.monotonic() < deadline:
                read_again(disk.server)
            if disk.served() != number:
                disk.wrong.append("%s: then %s" % (name_of(kind, error, n), disk.served()))
            n += 5 if quick else 1
    disk.stop()
    page.promise("faults of reading tables again", str(disk.faults),
                 "the old or the new is served, whole; then the new", not disk.wrong and
                 disk.faults > 0, disk.wrong)


class Secrets:
    """A server with keys and a certificate, and the shim; its unix socket is plain."""

    def __init__(self):
        self.files, self.certificate = SecretFiles(), Certificate()
        self.context = self.certificate.context()
        self.control = Control(self.files.folder.name)
        self.server = Posencd("--threads", "1", "--access-log", "off", "--api-keys-file",
                              self.files.path("keys"), "--admin-token-file",
                              self.files.path("admin"), *self.certificate.flags, unix=True,
                              env=self.control.environment())
        self.wrong = []

    def check(self, what):
        """The keys of the start are accepted and no others, and the certificate is the first."""
        with Client(self.server.unix) as one:
            came = [one.get(SMALL, bearer(KEY)).status, one.get(SMALL, bearer("x" + KEY)).status,
                    "[-] secrets" in one.get("/readyz?verbose", bearer(KEY)).text()]
        try:
            with Secure(self.server.address, self.context) as one:
                came.append(one.name)
        except (ssl.SSLError, ConnectionError) as fault:
            came.append(str(fault))
        if came[:2] + came[3:] != [200, 401, "first"]:
            self.wrong.append("%s: %s" % (what, came))
        return came[2]

    def stop(self):
        code = self.server.stop()
        if code != 0:
            self.wrong.append("exit code %s\n%s" % (code, self.server.log()[-2000:]))
        log = self.server.log()
        self.wrong += ["a key in the log" for _ in range(KEY in log)]
        self.files.folder.cleanup()
        self.certificate.folder.cleanup()


def reading_secrets(page):
    """Faults of the files, then files that operators spoil."""
    secrets, faults, told = Secrets(), 0, 0
    for kind, error in READING:
        n, fired = 1, 1
        while fired:
            secrets.control.arm(kind, error, n)
            read_again(secrets.server)
            fired = secrets.control.disarm()
            faults += fired
            told += secrets.check(name_of(kind, error, n))
            n += 1
    read_again(secrets.server)
    if secrets.check("without faults"):
        secrets.wrong.append("what was wrong is still told")
    spoilt = 0
    for path in (secrets.files.path("keys"), secrets.files.path("admin"),
                 secrets.certificate.cert, secrets.certificate.key):
        for how, spoil in SPOILT.items():
            os.rename(path, path + ".kept")
            spoil(path, path + ".kept")
            read_again(secrets.server)
            if not secrets.check("%s %s" % (os.path.basename(path), how)):
                secrets.wrong.append("%s %s: not told" % (os.path.basename(path), how))
            (os.rmdir if os.path.isdir(path) else os.remove)(path) if os.path.lexists(path) else 0
            os.rename(path + ".kept", path)
            read_again(secrets.server)
            spoilt += 1
    secrets.check("after all")
    secrets.stop()
    page.promise("faults of reading keys and a certificate again",
                 "%d, %d told of, and %d spoilt files" % (faults, told, spoilt),
                 "the old ones stay, the operator is told", not secrets.wrong and told > 0,
                 secrets.wrong)


def write_bytes(path, data):
    with open(path, "wb") as file:
        file.write(data)


def write_half(path, kept):
    with open(kept, "rb") as file:
        write_bytes(path, file.read()[:12])


SPOILT = {
    "gone": lambda path, kept: None,
    "empty": lambda path, kept: write_bytes(path, b""),
    "cut": write_half,
    "too long": lambda path, kept: write_bytes(path, b"k" * (2 << 20)),
    "of zeros": lambda path, kept: write_bytes(path, bytes(200)),
    "a folder": lambda path, kept: os.mkdir(path),
    "a pipe": lambda path, kept: os.mkfifo(path),
    "a link to nothing": lambda path, kept: os.symlink(path + ".none", path),
}


def logging(page, quick):
    """Log lines that cannot be written: one by one, then for a long time."""
    folder = tempfile.TemporaryDirectory(prefix="posencd-campaign-")
    control = Control(folder.name)
    server = Posencd("--threads", "1", "--access-log", "all", env=control.environment())
    body, wrong, faults, halves = server.get(SMALL).body, [], 0, 0
    for error in TELLING:
        for n in (1, 2):
            control.arm("log", error, n)
            for _ in range(3):
                answer = server.get(SMALL)
                if (answer.status, answer.body) != (200, body):
                    wrong.append("%s: %r" % (name_of("log", error, n), answer))
            deadline = time.monotonic() + STUCK
            while not control.fired and time.monotonic() < deadline:
                server.get(SMALL)
                time.sleep(0.01)
            faults += control.disarm()
            halves += error == SHORT
    many = 60 if quick else 300
    control.arm("log", errno.ENOSPC, 1, sticky=True)
    with server.client() as one:
        wrong += ["%d" % status for status in (one.get(SMALL).status for _ in range(many))
                  if status != 200]
    faults += control.disarm()
    lost = server.metrics()["posencd_log_dropped_total"]
    told = tell(server)
    code = server.stop()
    broken = [line for line in server.lines if line is not None and not whole(line)]
    folder.cleanup()
    if code != 0 or told < lost or broken != ["{"] * halves:
        wrong.append("exit code %d, %d lost, %d told of, broken by %d halves: %s" %
                     (code, lost, told, halves, broken))
    page.promise("lines that could not be logged", "%d faults, %d lines lost, %d told of" %
                 (faults, lost, told), "everything is served; what is lost is counted and told, "
                 "and no other line is broken", not wrong, wrong)


def whole(line):
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def tell(server):
    """How many lines the log reports as missing, once it can."""
    deadline = time.monotonic() + STUCK
    while time.monotonic() < deadline:
        server.get(SMALL)
        events = [event for event in server.events() if event.get("event") == "lines dropped"]
        if events and server.metrics()["posencd_log_dropped_total"] <= sum(
                event["count"] for event in events):
            break
        time.sleep(0.05)
    return sum(event["count"] for event in server.events()
               if event.get("event") == "lines dropped")


def run(page, quick):
    changing(page, "uploads", quick)
    changing(page, "removals", quick)
    reading_tables(page, quick)
    reading_secrets(page)
    logging(page, quick)
