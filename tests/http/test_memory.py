# SPDX-License-Identifier: Apache-2.0
"""test_memory.py - what answers hold is reserved: every row of proto/http/endpoints.def is asked for by
clients that do not read, and the metrics are compared with what posencd has not sent. Memory that was
freed is with the system again; how soon is measured elsewhere (HEAP_TRIM_MS).

libmicrohttpd has a buffer of 32 KiB a connection, and the kernel takes 208 KiB a unix socket; neither
is in the metrics."""

import json
import os
import re
import tempfile
import threading
import time
import unittest

import numpy

from support.posencd import PATIENCE, ROOT, Posencd, is_sanitized
from support.tensor_file import npy, safetensors
from support.wire import Client, Closed, request_bytes, time_for_others

MIB = 1 << 20
READERS = 4  # clients of each route that do not read
UNSENT = 300 << 10  # bytes of answers that each asks for: more than a unix socket takes
OVERHEAD = 500  # bytes that the kernel counts for an answer besides, at least
ALLOWANCE = 16 << 10  # RESERVATION_ALLOWANCE
METRICS_BEYOND = MIB  # RESERVATION_METRICS_BEYOND
OF_PROGRAM = ("ASSET", "LIVEZ", "HEALTHZ")  # their bytes are a part of the program
FULL = os.environ.get("FULL")
CONNECTION = 40 << 10  # libmicrohttpd's buffer, and the records of a connection and its request
BLOCK = 64 << 10  # of an answer that is made as the socket takes it
TYPE = ("Content-Type", "application/json")
CONFIG = json.dumps({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
                     "rope_theta": 10000.0, "max_position_embeddings": 4096}).encode()
PARTS = json.dumps({"requests": [{"path": "/v1/sinusoidal?dim=64&pos=%d:%d" % (i, i + 100)}
                                 for i in range(10)]}).encode()
NPY = npy(numpy.arange(16, dtype="<f4").reshape(4, 4))


def get(target):
    return ("GET", target, None, ())


# A request for each row of endpoints.def.
REQUESTS = {
    "ENCODING": get("/v1/rope?dim=64&pos=0:3000&out=cos"),
    "APPLY": ("POST", "/v1/rope/apply?pos=0:4&format=raw", NPY, (("Content-Type", "application/x-npy"),)),
    "BATCH": ("POST", "/v1/batch", PARTS, (TYPE,)),
    "ENCODINGS": get("/v1/encodings?fields=name,params"),
    "ENCODING_SCHEMA": get("/v1/encodings/rope"),
    "MODELS": get("/v1/models"),
    "MODELS_RESOLVE": ("POST", "/v1/models/resolve", CONFIG, (TYPE,)),
    "MODEL_TABLES": get("/v1/models/llama-3.1-8b/tables?pos=0:4096"),
    "MODEL": get("/v1/models/llama-3.1-8b"),
    "VERIFY": ("POST", "/v1/verify?encoding=sinusoidal&dim=4&pos=0:4", NPY,
               (("Content-Type", "application/x-npy"),)),
    "TABLES": get("/v1/tables"),
    "TABLE": get("/v1/tables/gpt2.wpe"),
    "OPENAPI": get("/openapi.json?encoding=rope,alibi"),
    "DOCS": get("/docs"),
    "DOCS_PAGE": get("/docs/rope"),
    "DOCS_VERIFY": get("/docs/verify/ladder"),
    "MODELS_PAGE": get("/models"),
    "MODEL_PAGE": get("/models/phi-2"),
    "PROBLEM": get("/problems/overloaded"),
    "ROOT": get("/"),
    "COMPARE": get("/compare"),
    "VERIFY_PAGE": get("/verify"),
    "LEARN": get("/learn"),
    "LEARN_ZH": get("/learn/zh"),
    "LEARN_ZH_PAGE": get("/learn/zh/order"),
    "LEARN_PAGE": get("/learn/order"),
    "EXPLORE": get("/explore/rope"),
    "ASSET": get("{asset}"),
    "LIVEZ": get("/livez"),
    "HEALTHZ": get("/healthz"),
    "READYZ": get("/readyz?verbose"),
    "METRICS": get("/metrics"),
    "VERSION": get("/version"),
    "INFERENCE": get("/v2"),
    "INFERENCE_SLASH": get("/v2/"),
    "INFERENCE_LIVE": get("/v2/health/live"),
    "INFERENCE_READY": get("/v2/health/ready"),
    "INFERENCE_MODELS": get("/v2/models"),
    "INFERENCE_INDEX": ("POST", "/v2/repository/index", b"{}", (TYPE,)),
    "INFERENCE_MODEL": get("/v2/models/rope"),
    "INFERENCE_MODEL_READY": get("/v2/models/rope/ready"),
    "INFERENCE_MODEL_CONFIG": get("/v2/models/rope/config"),
    "INFERENCE_INFER": ("POST", "/v2/models/rope/infer?dim=64&pos=0:100", b"{}", (TYPE,)),
    "INFERENCE_VERSION": get("/v2/models/rope/versions/{rev}"),
    "INFERENCE_VERSION_READY": get("/v2/models/rope/versions/{rev}/ready"),
    "INFERENCE_VERSION_CONFIG": get("/v2/models/rope/versions/{rev}/config"),
    "INFERENCE_VERSION_INFER": ("POST", "/v2/models/rope/versions/{rev}/infer?dim=64&pos=0:100",
                                b"{}", (TYPE,)),
}


def rows():
    """{id: class of work} of endpoints.def."""
    with open(os.path.join(ROOT, "proto", "http", "endpoints.def"), encoding="utf-8") as file:
        return dict(re.findall(r'^ENDPOINT\((\w+), "[^"]+", [A-Z |]+, (\w+), "', file.read(), re.M))


def reserved(samples):
    """Bytes of answers in flight, with those of entries that the cache has given up."""
    return sum(value for name, value in samples.items()
               if name.startswith("posencd_inflight_bytes{") and "bodies" not in name)


class Service(Posencd):
    """A posencd with a learned table, reached by a unix socket, whose metrics are asked for by TCP."""

    def __init__(self, *flags):
        self.tables = tempfile.TemporaryDirectory(prefix="posenc-memory-")
        with open(os.path.join(self.tables.name, "gpt2.safetensors"), "wb") as file:
            file.write(safetensors({"wpe.weight": numpy.zeros((2, 2), "<f4")}))
        super().__init__("--threads", "1", "--learned-tables-dir", self.tables.name, *flags,
                         unix=True)
        page = self.get("/explore/rope", (("Accept", "text/html"),)).text()
        self.words = {"{asset}": re.search(r'"(/assets/[^"]+\.js)"', page).group(1),
                      "{rev}": self.get("/v2/models/rope").json()["versions"][0]}
        self.exact = self.get("/v1/sinusoidal?dim=4&pos=0:4&format=npy").body

    def client_of_unix(self):
        return Client(self.unix)

    def request(self, name, head=False):
        """The bytes of the request for the row, and the length of its answer with and without head."""
        method, target, body, headers = REQUESTS[name]
        body = self.exact if name == "VERIFY" else body
        for word, value in self.words.items():
            target = target.replace(word, value)
        data = request_bytes("HEAD" if head else method, target, body, headers)
        with self.client_of_unix() as one:
            one.send(data)
            answer = one.reply("HEAD" if head else method)
        assert answer.status == 200, (name, answer)
        return data, len(answer.body), sum(len(a) + len(b) + 4 for a, b in answer.headers)

    def __exit__(self, kind, value, trace):
        super().__exit__(kind, value, trace)
        self.tables.cleanup()


class Crowd:
    """Clients that ask again and again without reading, until posencd can send no more."""

    def __init__(self, service, request, count, answer_size):
        self.service = service
        self.clients = [service.client_of_unix() for _ in range(count)]
        depth = UNSENT // (answer_size + OVERHEAD) + 3
        self.threads = [threading.Thread(target=self.ask, args=(one, request * depth))
                        for one in self.clients]
        for thread in self.threads:
            thread.start()

    @staticmethod
    def ask(client, data):
        try:
            client.send(data)
        except OSError:
            pass  # posencd has closed the connection

    def wait(self, least=0):
        """Waits until nothing changes any more, and so many bytes are reserved; returns the samples
        of metrics."""
        before, same, end = None, 0, time.monotonic() + PATIENCE
        while same < 3:
            samples = self.service.metrics()
            if reserved(samples) < least and time.monotonic() < end:
                time_for_others()
                continue
            now = [samples["posencd_http_inflight_requests"], reserved(samples),
                   sum(value for name, value in samples.items()
                       if name.startswith("posencd_http_requests_total") and "/metrics" not in name)]
            same = same + 1 if now == before else 0
            before = now
            time_for_others()
        return samples

    def close(self):
        for one in self.clients:
            one.close()
        for thread in self.threads:
            thread.join()


class Routes(unittest.TestCase):
    def test_every_endpoint_has_a_request_here(self):
        self.assertEqual(sorted(REQUESTS), sorted(rows()))

    def held(self, service, name, head=False, every=False):
        """Asks without reading: the samples then, and the bytes of one answer. every: each client
        is known to hold an answer of its own."""
        request, body, fields = service.request(name, head)
        crowd = Crowd(service, request, READERS, fields + (0 if head else body))
        try:
            return crowd.wait(READERS * body if every else 0), body
        finally:
            crowd.close()

    def test_what_an_answer_holds_is_in_the_metrics(self):
        with Service() as service:
            for name, work in rows().items():
                alone = work in ("BRIEF", "ALONE") and name not in OF_PROGRAM
                samples, body = self.held(service, name, every=alone)
                with self.subTest(name, body=body):
                    held, most = reserved(samples), READERS * body
                    if name in OF_PROGRAM:
                        self.assertEqual(held, 0, "its bytes are the program's")
                    elif work == "DOCUMENT":
                        self.assertLessEqual(held, body + (4 << 10), "one copy, until it is a file")
                    elif alone:
                        self.assertGreaterEqual(held, most, "each client has one answer of these bytes")
                        self.assertLessEqual(held, most * 1.1 + 4 * MIB)
                    else:
                        self.assertLessEqual(held, max(most, READERS * 4 * BLOCK) * 1.1 + 4 * MIB)
                self.empty(service)

    def test_resident_memory_grows_by_what_the_metrics_say(self):
        """The clients' own: libmicrohttpd's buffer and posencd's records of connection and request."""
        for flags in ((), ("--cache-size", "0")):
            for name, work in rows().items():
                if not FULL and name not in ("OPENAPI", "MODELS_PAGE", "BATCH", "MODEL_TABLES"):
                    continue
                with Service(*flags) as service, self.subTest(name, flags=flags):
                    request, body, fields = service.request(name)
                    readers = max(READERS, min(100, 16 * MIB // (body + 1)))
                    idle = [service.client_of_unix() for _ in range(readers)]
                    for one in idle:
                        one.ask("GET", "/livez")
                    before, resident = service.metrics(), self.resident(service)
                    crowd = Crowd(service, request, readers, fields + body)
                    samples = crowd.wait()
                    end = time.monotonic() + PATIENCE
                    while True:  # what is free is not the system's yet
                        grown = self.held_bytes(samples) - self.held_bytes(before)
                        most = resident + readers * CONNECTION + grown * 1.1 + 4 * MIB
                        real = self.resident(service)
                        if real <= most or time.monotonic() > end:
                            break
                        time_for_others()
                        samples = service.metrics()
                    for one in idle:
                        one.close()
                    crowd.close()
                    self.assertLessEqual(real, most, "body of %d, grown by %d" % (body, grown))

    @staticmethod
    def resident(service):
        return service.status("RssAnon") * 1024

    @staticmethod
    def held_bytes(samples):
        return reserved(samples) + samples["posencd_cache_bytes"] - \
            samples["posencd_cache_file_bytes"] + samples["posencd_shared_table_bytes"]

    def test_heads_hold_nothing(self):
        with Service() as service:
            for name in ("ENCODINGS", "MODELS", "INFERENCE_MODELS", "OPENAPI", "MODEL_TABLES", "METRICS"):
                samples, _ = self.held(service, name, head=True)
                with self.subTest(name):
                    self.assertLessEqual(reserved(samples), READERS * 4 * BLOCK)
                self.empty(service)

    def empty(self, service):
        """Waits until posencd has noticed that the clients have left: then it holds nothing."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            samples = service.metrics()
            if samples["posencd_http_inflight_requests"] == 1 and reserved(samples) == 0:
                return
            time_for_others()
        self.fail("the clients have left, and bytes are reserved: %s" % samples)

    def test_a_small_budget_is_kept_by_every_route(self):
        """Without a cache each answer is held by its readers alone. What finds no bytes is 503."""
        budget = MIB
        flags = ("--max-inflight", "1MiB", "--cache-size", "0", "--max-body", "64KiB")
        with Service(*flags) as service:
            for name, work in rows().items():
                request, body, fields = self.request_of(service, name)
                if request is None:
                    continue
                crowd = Crowd(service, request, 12, body + fields)
                samples = crowd.wait()
                with self.subTest(name, body=body, work=work):
                    self.assertLessEqual(reserved(samples),
                                         budget + 12 * ALLOWANCE + METRICS_BEYOND)
                    for one in crowd.clients:
                        self.assertIn(self.first_status(one), (200, 503, None))
                crowd.close()
                self.empty(service)

    @staticmethod
    def request_of(service, name):
        """service.request, or None for what this budget never admits."""
        try:
            return service.request(name)
        except AssertionError as refused:
            assert ", 503 " in str(refused), refused
            return None, 0, 0

    @staticmethod
    def first_status(client):
        """The status of the first answer; None: posencd has closed the connection for others."""
        try:
            return client.head().status
        except (Closed, OSError):
            return None


class Freed(unittest.TestCase):
    """Memory that is free is the system's again soon after."""

    def resident(self, service):
        return service.status("VmRSS") / 1024

    def expect_at_most(self, service, most):
        end = time.monotonic() + PATIENCE
        while self.resident(service) > most:
            self.assertLess(time.monotonic(), end, "%d MiB" % self.resident(service))
            time_for_others()

    def test_what_many_answers_held_is_given_back(self):
        with Service("--cache-size", "0") as service:
            before = self.resident(service)
            many = [service.client_of_unix() for _ in range(40)]
            for i, one in enumerate(many):  # 40 answers of 1 MB, none of them kept
                one.request("GET", "/v1/sinusoidal?dim=256&pos=%d:%d&format=raw" % (i, i + 1000))
            end = time.monotonic() + PATIENCE
            while self.resident(service) <= before + 25:
                self.assertLess(time.monotonic(), end, "%d MiB" % self.resident(service))
                time_for_others()
            for one in many[::-1]:
                one.close()
            self.expect_at_most(service, before + 12)

    def test_a_full_cache_takes_little_more_than_its_size(self):
        with Service("--cache-size", "32MiB") as service, service.client_of_unix() as one:
            before = self.resident(service)
            for i in range(1200):  # 120 MB of answers of all lengths
                one.get("/v1/sinusoidal?dim=64&pos=%d:%d&format=json" % (i, i + 50 + 37 * i % 300))
            self.assertGreater(service.metrics()["posencd_cache_bytes"], 28 * MIB)
            self.expect_at_most(service, before + 32 * 1.1 + 12)


if is_sanitized():  # it keeps what is freed, and has memory of its own
    del Freed, Routes.test_resident_memory_grows_by_what_the_metrics_say

if __name__ == "__main__":
    unittest.main()
