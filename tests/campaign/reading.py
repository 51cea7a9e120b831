# SPDX-License-Identifier: Apache-2.0
"""reading.py - single bodies that are expensive to read: long lists of numbers in JSON, compressed,
as text, as tables. While one is read and answered, the same event loop must answer health, and TERM
must work."""

import gzip
import json
import random
import signal
import threading
import time

from support.posencd import Posencd, cpu_seconds
from support.wire import Client, Closed

PATIENCE = 600  # seconds until a body is given up, far more than any should take
LIVE = 0.05     # seconds in which health must be answered beside any body
LARGE = ("--threads", "1", "--workers", "1", "--access-log", "off", "--work-timeout", "2",
         "--body-timeout", "600", "--send-timeout", "600")
JSON = ("Content-Type", "application/json")
PACKED = (JSON, ("Content-Encoding", "gzip"))


def packed(text, level=1):
    return gzip.compress(text.encode(), level)


def reals(count, seed=1):
    """`count` numbers of 16 or 17 digits."""
    chance = random.Random(seed)
    return ",".join(repr(chance.uniform(0, 1e6)) for _ in range(count))


def rows(text, count, name):
    """The numbers as a matrix of `count` columns."""
    numbers = text.split(",")
    return '"%s":[%s]' % (name, ",".join("[%s]" % ",".join(numbers[i:i + count])
                                         for i in range(0, len(numbers), count)))


def many_members(count):
    return "{%s}" % ",".join('"k%d":%d' % (i, i) for i in range(count))


def attacks():
    """(description, target, body, headers, status of the answer) of every body."""
    tiny = "2.2250738585072011e-308"
    many = reals(300000)
    some = ",".join(many.split(",")[:100000])
    whole = ",".join(str(i * i % 1000003) for i in range(1000000))
    documents = ",".join(str(i // 7) for i in range(1000000))
    yield ("4,194,304 x %s, packed" % tiny, "/v1/sinusoidal",
           packed('{"dim":2,"format":"npy","pos":[%s]}' % ",".join([tiny] * 4194304)), PACKED, 200)
    yield ("300,000 positions of 16 digits", "/v1/sinusoidal",
           ('{"dim":2,"format":"npy","pos":[%s]}' % many).encode(), (JSON,), 200)
    yield ("the same, answered in JSON", "/v1/sinusoidal",
           ('{"dim":2,"pos":[%s]}' % many).encode(), (JSON,), 200)
    yield ("softcap of 100,000 logits", "/v1/softcap",
           ('{"cap":30,"format":"npy",%s}' % rows(some, 1000, "scores")).encode(), (JSON,), 200)
    yield ("gaussian-fourier, 32,768 weights", "/v1/gaussian-fourier",
           ('{"pos":"0:1","format":"npy","weights":[%s]}' %
            ",".join(some.split(",")[:32768])).encode(), (JSON,), 200)
    yield ("a mask of 1,000,000 numbers", "/v1/sink-softmax",
           ('{"format":"npy","sink_logit":0,%s,%s}' % (
               rows(",".join(["1.5"] * 1000000), 1000, "scores"),
               rows(",".join(["1"] * 1000000), 1000, "attention_mask"))).encode(), (JSON,), 200)
    yield ("a learned table of 300,000 numbers", "/v1/learned",
           ('{"pos":"0:4","format":"npy",%s}' % rows(many, 1000, "table")).encode(), (JSON,), 200)
    yield ("q of 300,000 numbers in JSON", "/v1/rope/apply",
           ('{"format":"npy","pos":"0:300",%s}' % rows(many, 1000, "q")).encode(), (JSON,), 200)
    yield ("documents of 1,000,000 tokens", "/v1/ids-packed",
           ('{"format":"npy","out":"positions","documents":[%s]}' % documents).encode(),
           (JSON,), 200)
    yield ("1,000,000 whole positions", "/v1/rope",
           ('{"format":"npy","out":"cos","dim":2,"pos":[%s]}' % whole).encode(), (JSON,), 200)
    yield ("pos of 14,000 numbers as text", "/v1/sinusoidal",
           ('{"dim":2,"format":"npy","pos":"%s"}' % ",".join(many.split(",")[:14000])).encode(),
           (JSON,), 200)
    yield ("table of 14,000 numbers as text", "/v1/learned",
           ('{"pos":"0:1","format":"npy","table":"%s"}' %
            ";".join(many.split(",")[:14000])).encode(), (JSON,), 200)
    yield ("an error beside 4,194,304 numbers, packed", "/v1/sinusoidal",
           packed('{"dim":2,"nonsense":1,"pos":[%s,1e300]}' % ",".join([tiny] * 4194303)),
           PACKED, 400)
    yield ("a config of 250 KB", "/v1/models/resolve",
           ('{"model_type":"llama","extra":%s}' % many_members(15000)).encode(), (JSON,), 200)
    yield ("a config of 250 KB of unknown members", "/v1/models/resolve",
           ('{"model_type":"llama",' + many_members(15000)[1:]).encode(), (JSON,), 200)
    yield ("a config with 3 MB of quantisation", "/v1/models/resolve",
           ('{"model_type":"llama","hidden_size":4096,"num_attention_heads":32,'
            '"quantization_config":%s}' % many_members(200000)).encode(), (JSON,), 200)
    yield ("60 MB of blanks, packed", "/v1/sinusoidal",
           packed('{"dim":2,"format":"npy","pos":[0]' + " " * 60000000 + "}"), PACKED, 413)
    yield ("100,000 numbers of 900 digits, packed", "/v1/sinusoidal",
           packed('{"dim":2,"format":"npy","pos":[%s]}' %
                  ",".join(["1" + "0" * 15 + "." + "5" * 900] * 100000)), PACKED, 200)


class Sender(threading.Thread):
    """Sends the body and waits for its answer."""

    def __init__(self, server, target, body, headers):
        super().__init__(daemon=True)
        self.server, self.request = server, (target, body, headers)
        self.status = "no answer"
        self.seconds = 0.0

    def run(self):
        target, body, headers = self.request
        start = time.monotonic()
        try:
            with Client(self.server.address, timeout=PATIENCE) as one:
                self.status = one.ask("POST", target, body, headers).status
        except (Closed, OSError) as fault:
            self.status = type(fault).__name__
        self.seconds = time.monotonic() - start


def beside(server, attack):
    """The answer's status, its seconds, and how long health took meanwhile: the longest time, and
    the number of requests."""
    _, target, body, headers, _ = attack
    waits = []
    one = server.client(timeout=PATIENCE)
    one.get("/livez")
    sender = Sender(server, target, body, headers)
    sender.start()
    while True:
        over = not sender.is_alive()
        start = time.monotonic()
        try:
            assert one.get("/livez").status == 200
        except (Closed, OSError):  # its deadline passed while the loop was busy
            one = server.client(timeout=PATIENCE)
        waits.append(time.monotonic() - start)
        if over:
            return sender, waits
        time.sleep(0.001)  # the loop is measured, not this client


def once(attack):
    """The longest time of health, the figures, the status. The least of several tries is the
    server's, the others are the machine's, which has other work."""
    with Posencd(*LARGE) as server:
        before = cpu_seconds(server)
        sender, waits = beside(server, attack)
        waits.sort()
        return waits[-1], "%.2f s, %.2f CPU s, /livez %.1f ms at most, %.1f ms for 99 %% of %d" % (
            sender.seconds, cpu_seconds(server) - before, 1000 * waits[-1],
            1000 * waits[len(waits) * 99 // 100], len(waits)), sender.status


def health(page, quick):
    for number, attack in enumerate(attacks()):
        if quick and number % 4 != 1:
            continue
        longest, figure, status = min(once(attack) for _ in range(1 if quick else 3))
        what = "%s, %d bytes" % (attack[0], len(attack[2]))
        page.timed(what, "%s; %s" % (status, figure), "/livez within %d ms" % (1000 * LIVE),
                   longest <= LIVE)
        page.promise("... its status", status, attack[4], status == attack[4])


def termination(page):
    """TERM while the most expensive body is being read."""
    attack = next(attacks())
    with Posencd(*LARGE, "--drain-timeout", "1") as server:
        sender = Sender(server, attack[1], attack[2], attack[3])
        sender.start()
        time.sleep(0.1)  # the body is on its way
        start = time.monotonic()
        server.signal(signal.SIGTERM)
        server.wait_line(lambda event: event.get("event") == "draining", "draining", PATIENCE)
        heeded = time.monotonic() - start
        code = server.wait(PATIENCE)
        page.timed("TERM beside it", "heeded after %.3f s, ended with %d after %.2f s" % (
            heeded, code, time.monotonic() - start), "ends within 5 s",
            time.monotonic() - start <= 5)
        sender.join()


def run(page, quick):
    health(page, quick)
    termination(page)
