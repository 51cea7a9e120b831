# SPDX-License-Identifier: Apache-2.0
"""test_sharing.py - equal requests are computed once; connections are distributed evenly over the
loops."""

import threading
import unittest
from random import Random

from support.posencd import Posencd, samples_of
from support.wire import Client

COLD = "/v1/sinusoidal?dim=256&pos=7:1031&format=raw"  # 1 MiB, the most that is cached


LONG = "/v1/sinusoidal?dim=1024&pos=3:4099&format=npy"  # a little above 16 MiB


def ask_at_once(address, targets):
    """Sends each target on a connection of its own once all are connected; returns the answers."""
    clients = [Client(address) for _ in targets]
    start = threading.Barrier(len(targets))
    answers = [None] * len(targets)

    def ask(i):
        start.wait()
        answers[i] = clients[i].get(targets[i])

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(len(targets))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in clients:
        one.close()
    return answers


def computations(server):
    """How many answers were computed, by encoding."""
    return {name: value for name, value in server.metrics().items()
            if name.startswith("posencd_compute_seconds_count")}


class Sharing(unittest.TestCase):
    def check(self, targets):
        with Posencd("--threads", "4") as server:
            before = sum(computations(server).values())
            answers = ask_at_once(server.address, targets)
            self.assertEqual({answer.status for answer in answers}, {200})
            self.assertEqual(len({answer.body for answer in answers}), 1)
            self.assertEqual(len({answer.header("etag") for answer in answers}), 1)
            self.assertEqual(sum(computations(server).values()) - before, 1,
                             computations(server))

    def test_200_clients_with_the_same_cold_question_cause_one_computation(self):
        self.check([COLD] * 200)

    def test_spellings_share_the_computation(self):
        self.check([COLD, "/v1/sinusoidal?format=raw&pos=7:1031:1&dim=256&base=1e4",
                    "/v1/sinusoidal?format=raw&dtype=float32&pos=7,8:1031&dim=256"] * 40)


class Documents(unittest.TestCase):
    """A document is written once, on the pool, for all clients that ask for it."""

    def test_100_clients_of_a_cold_document_have_it_written_once(self):
        targets = ["/openapi.json?encoding=rope,alibi", "/openapi.json?encoding=alibi,rope",
                   "/openapi.json?encoding=alibi,rope,rope", "/openapi.json?encoding=alibi%2Crope"]
        with Posencd("--threads", "4") as server:
            answers = ask_at_once(server.address, targets * 25)
            self.assertEqual({answer.status for answer in answers}, {200})
            self.assertEqual(len({answer.body for answer in answers}), 1)
            self.assertEqual(len({answer.header("etag") for answer in answers}), 1)
            metrics = server.metrics()
            self.assertEqual(metrics['posencd_cache_requests_total{result="miss"}'], 1)
            self.assertEqual(metrics["posencd_cache_entries"], 1)

    def test_a_document_that_is_not_kept_is_shared_while_it_is_asked_for(self):
        with Posencd("--threads", "2", "--cache-size", "0") as server:
            answers = ask_at_once(server.address, ["/openapi.json"] * 20)
            self.assertEqual({answer.status for answer in answers}, {200})
            self.assertEqual(len({answer.body for answer in answers}), 1)
            metrics = server.metrics()
            self.assertEqual(metrics["posencd_cache_entries"], 0)
            self.assertLess(metrics['posencd_cache_requests_total{result="miss"}'], 20)

    def test_a_document_is_the_same_whichever_request_made_it(self):
        gzip = [("Accept-Encoding", "gzip")]
        for target in ("/v1/models", "/docs/rope", "/v2/models", "/openapi.json?encoding=rope"):
            with Posencd("--threads", "1") as server, server.client() as one:
                packed = [one.get(target, gzip) for _ in range(4)]
                plain = [one.get(target) for _ in range(4)]
                for same in (packed, plain):
                    for answer in same[1:]:
                        self.assertEqual(answer.body, same[0].body, target)
                        self.assertEqual(Cache.told(answer), Cache.told(same[0]), target)
                tag = packed[0].header("etag")
                if tag:
                    self.assertEqual(one.get(target, gzip + [("If-None-Match", tag)]).status, 304)
                    self.assertEqual(one.get(target, [("If-None-Match", tag)]).status, 200)


class LongAnswers(unittest.TestCase):
    """An answer above 1 MiB is a stream at first; asked for again, it is computed once as a whole."""

    def test_100_clients_of_one_answer_of_16_mib_cause_two_computations_at_most(self):
        with Posencd("--threads", "4") as server:
            answers = ask_at_once(server.address, [LONG] * 100)
            self.assertEqual({answer.status for answer in answers}, {200})
            self.assertEqual({len(answer.body) for answer in answers}, {(16 << 20) + 128})
            self.assertEqual(len({answer.body for answer in answers}), 1)
            self.assertEqual(len({answer.header("etag") for answer in answers}), 1)
            self.assertLessEqual(sum(computations(server).values()), 2, computations(server))
            self.assertIn("desc=hit", server.get(LONG).header("server-timing"))
            self.assertLessEqual(sum(computations(server).values()), 2, computations(server))

    def test_the_second_request_is_kept_with_the_same_bytes_head_and_parts(self):
        with Posencd("--threads", "1") as server, server.client() as one:
            answers = [one.get(LONG) for _ in range(4)]
            timings = [answer.header("server-timing") for answer in answers]
            for timing, result in zip(timings, ("stream", "miss", "hit", "hit")):
                self.assertIn("desc=" + result, timing, timings)
            for answer in answers[1:]:
                self.assertEqual(answer.body, answers[0].body)
                self.assertEqual(Cache.told(answer), Cache.told(answers[0]))
            tag, last = answers[0].header("etag"), len(answers[0].body) - 1
            part = one.get(LONG, [("Range", "bytes=%d-%d" % (last - 9, last)), ("If-Range", tag)])
            self.assertEqual((part.status, part.body), (206, answers[0].body[-10:]))
            head = one.ask("HEAD", LONG)
            self.assertEqual((head.status, head.header("content-length")), (200, str(last + 1)))
            self.assertEqual(one.get(LONG, [("If-None-Match", tag)]).status, 304)
            self.assertEqual(sum(computations(server).values()), 2)

    def test_parts_heads_and_conditions_are_no_reason_to_compute_the_whole(self):
        with Posencd("--threads", "1") as server, server.client() as one:
            for _ in range(3):
                self.assertEqual(one.get(LONG, [("Range", "bytes=0-9")]).status, 206)
                self.assertEqual(one.ask("HEAD", LONG).status, 200)
                self.assertEqual(one.get(LONG, [("If-None-Match", "*")]).status, 304)
            self.assertEqual(server.metrics()["posencd_cache_entries"], 0)
            self.assertIn("desc=stream", one.get(LONG).header("server-timing"))

    def test_long_answers_leave_the_short_ones_in_the_cache(self):
        short = "/v1/sinusoidal?dim=64&pos=%d:%d&format=raw"
        with Posencd("--threads", "1", "--cache-size", "64MiB") as server, server.client() as one:
            for start in range(0, 40000, 1000):  # 10 MB
                self.assertEqual(one.get(short % (start, start + 1000)).status, 200)
            for start in range(40):  # 160 MB, asked for once, then a few asked for again and again
                one.get("/v1/sinusoidal?dim=1024&pos=%d:%d&format=raw" % (start, start + 1000))
            for start in list(range(8)) * 3:
                one.get("/v1/sinusoidal?dim=1024&pos=%d:%d&format=raw" % (start, start + 1000))
            for start in range(0, 40000, 1000):
                timing = one.get(short % (start, start + 1000)).header("server-timing")
                self.assertIn("desc=hit", timing, start)
            self.assertLessEqual(server.metrics()["posencd_cache_bytes"], 64 << 20)

    def test_an_answer_longer_than_its_share_stays_a_stream(self):
        for flags in (("--cache-size", "32MiB"), ("--max-inflight", "32MiB"), ("--cache-size", "0")):
            with Posencd("--threads", "1", *flags) as server, server.client() as one:
                for _ in range(3):
                    self.assertIn("desc=stream", one.get(LONG).header("server-timing"), flags)
                self.assertEqual(server.metrics()["posencd_cache_entries"], 0)

    def test_a_long_mask_is_compressed_up_to_16_mib_and_not_beyond(self):
        short, long = ("/v1/causal-mask?len=%d&format=raw&dtype=f32" % length for length in (2000, 2100))
        gzip, only = [("Accept-Encoding", "gzip")], [("Accept-Encoding", "gzip, identity;q=0")]
        with Posencd("--threads", "1") as server, server.client() as one:
            for _ in range(3):  # the identity variant is kept
                self.assertEqual((one.get(short).status, one.get(long).status), (200, 200))
            self.assertEqual(one.get(short, gzip).header("content-encoding"), "gzip")
            self.assertIsNone(one.get(long, gzip).header("content-encoding"))
            self.assertEqual((one.get(short, only).status, one.get(long, only).status), (200, 406))


def random_target(random):
    """A small legal request."""
    form = random.choice(("json", "npy", "raw", "csv", "safetensors"))
    dtype = random.choice(("f32", "f64", "f16"))
    start = random.randrange(-1000, 1000000)
    rows = "pos=%d:%d:%d" % (start, start + random.randrange(40), random.choice((1, 2, 5)))
    which = random.randrange(3)
    if which == 0:
        text = "rope?dim=%d&out=%s&%s" % (2 * random.randrange(1, 40),
                                          random.choice(("cos", "sin")), rows)
    elif which == 1:
        text = "sinusoidal?dim=%d&base=%d&%s" % (2 * random.randrange(1, 40),
                                                 random.randrange(2, 10 ** 6), rows)
    else:
        text = "alibi?heads=%d&len=%d&causal=%d" % (random.randrange(1, 9), random.randrange(20),
                                                    random.randrange(2))
    return "/v1/%s&format=%s&dtype=%s" % (text, form, dtype)


class Cache(unittest.TestCase):
    def test_answers_do_not_depend_on_cache_or_threads(self):
        random = Random(20261121)
        targets = [random_target(random) for _ in range(300)]
        asked = targets * 3
        random.shuffle(asked)
        with Posencd("--cache-size", "0", "--shared-table-cache", "0", "--threads", "1") as plain, \
                Posencd("--cache-size", "64KiB", "--threads", "3") as small, \
                Posencd("--threads", "3") as large:
            expected = {target: plain.get(target) for target in targets}
            self.assertEqual({answer.status for answer in expected.values()}, {200})
            for server in (small, large):
                for i in range(0, len(asked), 30):
                    for target, answer in zip(asked[i:i + 30],
                                              ask_at_once(server.address, asked[i:i + 30])):
                        self.assertEqual(answer.body, expected[target].body, target)
                        self.assertEqual(answer.header("etag"), expected[target].header("etag"))
            self.assertEqual(plain.metrics()["posencd_cache_entries"], 0)
            self.assertLessEqual(small.metrics()["posencd_cache_bytes"], 64 << 10)
            self.assertGreater(large.metrics()['posencd_cache_requests_total{result="hit"}'], 0)

    def test_miss_hit_and_response_cache_hit_differ_in_nothing_but_the_timing(self):
        target = "/v1/rope?dim=8&pos=0:4&out=sin"
        with Posencd("--threads", "1") as server, server.client() as one:
            answers = [one.get(target) for _ in range(4)]
            marked = one.get(target, [("X-Request-Id", "abc")])
            metrics = server.metrics()
        for answer in answers[1:] + [marked]:
            self.assertEqual(answer.body, answers[0].body)
            self.assertEqual(self.told(answer), self.told(answers[0]))
        self.assertEqual(metrics['posencd_cache_requests_total{result="miss"}'], 1)
        self.assertGreater(metrics['posencd_cache_requests_total{result="response_cache_hit"}'], 0)

    def test_no_header_that_is_not_in_vary_changes_an_answer(self):
        target = "/v1/rope?dim=8&pos=0:4&out=sin&format=raw"
        strange = [("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "gopher"),
                   ("Forwarded", "host=evil.example"), ("X-Original-URL", "/v1/alibi?heads=8"),
                   ("X-Rewrite-URL", "/livez"), ("X-HTTP-Method-Override", "PUT"),
                   ("Cookie", "dim=4"), ("Accept-Language", "xx"), ("User-Agent", "\"><script>"),
                   ("Referer", "http://evil.example/"), ("Origin", "http://evil.example"),
                   ("Accept", "text/html"), ("Cache-Control", "no-cache"), ("Pragma", "no-cache"),
                   ("X-Api-Key", "k"), ("Authorization", "Bearer k"), ("Via", "1.0 evil"),
                   ("If-Modified-Since", "Thu, 01 Jan 2099 00:00:00 GMT"), ("TE", "trailers")]
        with Posencd("--threads", "1") as clean, Posencd("--threads", "1") as dirty:
            expected = clean.get(target)
            for name, value in strange:  # any of them may be the request that fills the caches
                for way in (target, target + "&base=%d" % (10000 + len(name))):
                    answer = dirty.get(way, [(name, value)])
                    self.assertEqual((answer.status, self.told(answer)),
                                     (200, self.told(clean.get(way))), name)
            self.assertEqual(dirty.get(target).body, expected.body)
            for name, value in strange:
                refused = dirty.get(target + "&dim=9", [(name, value)])
                self.assertEqual((refused.status, refused.header("cache-control")),
                                 (400, "no-store"), name)

    @staticmethod
    def told(answer):
        return {name: value for name, value in answer.headers
                if name not in ("date", "server-timing", "x-request-id")}


class Loops(unittest.TestCase):
    def test_8_connections_on_4_loops_are_2_each(self):
        with Posencd("--threads", "4") as server:
            held = [Client(server.address) for _ in range(8)]
            for one in held:
                self.assertEqual(one.get("/livez").status, 200)
            samples = held[0].get("/metrics").text().splitlines()
            loops = sorted(line for line in samples
                           if line.startswith("posencd_connections{loop="))
            counts = [float(line.rsplit(" ", 1)[1]) for line in loops]
            self.assertEqual(counts, [2, 2, 2, 2], loops)
            for one in held:
                one.close()


class Metrics(unittest.TestCase):
    def test_requests_are_counted_by_route_method_and_code(self):
        # On one connection, whose next request is read after its last answer was counted.
        with Posencd("--threads", "2") as server, server.client() as one:
            for target in ["/v1/sinusoidal?dim=4&pos=0:4"] * 3 + \
                    ["/v1/sinusoidal?dim=3&pos=0:4", "/nothing/here"]:
                one.get(target)
            samples = samples_of(one.get("/metrics"))
            family = 'posencd_http_requests_total{route="%s",method="GET",code="%d"}'
            self.assertEqual(samples.get(family % ("/v1/{encoding}", 200)), 3)
            self.assertEqual(samples.get(family % ("/v1/{encoding}", 400)), 1)
            self.assertEqual(samples.get(family % ("none", 404)), 1)
            self.assertFalse([name for name in samples if "nothing" in name])

    def test_the_text_is_well_formed(self):
        with Posencd() as server:
            server.get("/v1/sinusoidal?dim=4&pos=0:4")
            lines = server.get("/metrics").text().splitlines()
        typed, seen = {}, []
        for line in lines:
            if line.startswith("# TYPE "):
                _, _, name, kind = line.split(" ")
                self.assertNotIn(name, typed)
                typed[name] = kind
            elif not line.startswith("#"):
                name = line.split("{")[0].split(" ")[0]
                seen.append(line.rsplit(" ", 1)[0])
                float(line.rsplit(" ", 1)[1])
                family = name
                for suffix in ("_bucket", "_sum", "_count"):
                    if name.endswith(suffix) and name[:-len(suffix)] in typed:
                        family = name[:-len(suffix)]
                self.assertIn(family, typed, line)
        self.assertEqual(len(seen), len(set(seen)), "a sample twice")
        for name in ("posencd_http_requests_total", "posencd_connections",
                     "posencd_cache_requests_total", "posencd_build_info",
                     "posencd_compute_seconds", "process_resident_memory_bytes"):
            self.assertIn(name, typed)


if __name__ == "__main__":
    unittest.main()
