# SPDX-License-Identifier: Apache-2.0
"""differential.py - one question asked in every way: with and without a cache, of one thread and of
many, by URL and by body, directly and through a proxy that cuts, delays and resets. The bytes are
those of a server that keeps nothing."""

import json
import os
import random
import re
import subprocess

from support.posencd import ROOT, Posencd
from support.wire import Client, Closed

import script
from proxy import Proxy

JSON = [("Content-Type", "application/json")]


def draw(chance):
    """A small legal request: encoding, parameters."""
    form = chance.choice(("json", "npy", "raw", "csv", "safetensors"))
    dtype = chance.choice(("f32", "f64", "f16"))
    start = chance.randrange(-1000, 1000000)
    pos = "%d:%d:%d" % (start, start + chance.randrange(1, 60), chance.choice((1, 2, 5)))
    parameters = {"format": form, "dtype": dtype}
    which = chance.randrange(4)
    if which == 0:
        name = "rope"
        parameters.update(dim=2 * chance.randrange(1, 40), out=chance.choice(("cos", "sin")),
                          pos=pos, base=chance.choice((1e4, 5e5)))
    elif which == 1:
        name = "sinusoidal"
        parameters.update(dim=2 * chance.randrange(1, 40), pos=pos,
                          base=chance.randrange(2, 10 ** 6))
    elif which == 2:
        name = "alibi"
        parameters.update(heads=chance.randrange(1, 9), len=chance.randrange(30),
                          causal=bool(chance.randrange(2)))
    else:
        name = "rope"
        parameters.update(dim=8, out="cos", pos=pos, scaling="linear",
                          factor=chance.randrange(2, 9))
    return name, parameters


def text_of(value):
    return ("1" if value else "0") if isinstance(value, bool) else str(value)


def target_of(name, parameters, order=None):
    """The URL, its parameters in any order."""
    names = list(parameters)
    if order:
        order.shuffle(names)
    return "/v1/%s?%s" % (name, "&".join("%s=%s" % (one, text_of(parameters[one]))
                                         for one in names))


def spellings(name, parameters, chance):
    """The request in other words: (method, target, body, headers)."""
    yield ("GET", target_of(name, parameters, chance), None, ())
    body = dict(parameters)
    form = body.pop("format")
    yield ("POST", "/v1/%s?format=%s" % (name, form), json.dumps(body).encode(), JSON)
    yield ("QUERY", "/v1/%s" % name, json.dumps(parameters).encode(), JSON)
    text = json.dumps(parameters, indent=1).encode()
    yield ("POST", "/v1/%s" % name, script.chunked(text, chance.randrange(1, 40)),
           [*JSON, ("Transfer-Encoding", "chunked")])


def compare(page, quick):
    """Sends each request to every server, in every spelling, and compares with a server that keeps
    nothing."""
    chance = random.Random(20261121)
    drawn = [draw(chance) for _ in range(200 if quick else 1200)]
    asked, differences = 0, []
    with Posencd("--cache-size", "0", "--shared-table-cache", "0", "--threads", "1",
                 "--cpu-path", "generic") as plain, \
            Posencd("--threads", "1") as one, Posencd("--threads", "4") as many, \
            Posencd("--cache-size", "64KiB", "--threads", "3", "--access-log", "off") as small:
        with Client(plain.address) as reference:
            expected = [reference.get(target_of(*each)).body for each in drawn]
        for server in (one, many, small):
            proxy = Proxy(server.address, ("fragment", "delay"))
            order = list(range(len(drawn))) * 2
            chance.shuffle(order)
            for address, share in ((server.address, 1), (proxy.address, 10)):
                asked += through(address, order[::share], drawn, expected, chance, differences)
            proxy.close()
    page.promise("answers with and without cache, of 1 and N threads, by URL and by body, "
                 "direct and in fragments", "%d compared" % asked, "identical bytes",
                 not differences and asked > 1000, differences)


def through(address, order, drawn, expected, chance, differences):
    """Asks on kept connections; returns how many answers were compared."""
    count, client = 0, Client(address)
    for i in order:
        for request in spellings(*drawn[i], chance):
            answer = client.ask(*request)
            count += 1
            if (answer.status, answer.body) != (200, expected[i]):
                differences.append("%s %s: %d" % (request[0], request[1], answer.status))
            if (answer.header("connection") or "") == "close":
                client.close()
                client = Client(address)
    client.close()
    return count


def resets(page, quick):
    """A connection that is reset anywhere in an answer costs that answer and no other."""
    target = "/v1/rope?dim=64&pos=0:128&out=cos&format=raw"
    whole_answers, wrong, tried = 0, [], 0
    with Posencd("--threads", "2") as server:
        expected = server.get(target).body
        assert len(expected) == 128 * 32 * 4, expected
        for after in range(1, len(expected) + 600, 997 if quick else 97):
            proxy = Proxy(server.address, ("fragment",), seed=after, reset_after=after)
            tried += 1
            try:
                with Client(proxy.address) as client:
                    answer = client.get(target)
                whole_answers += 1
                if answer.body != expected:
                    wrong.append("reset after %d: another body" % after)
            except (Closed, ConnectionError):
                pass
            proxy.close()
            if server.get(target).body != expected:
                wrong.append("after a reset at %d" % after)
        page.promise("connections reset within an answer", "%d, %d answers were whole" %
                     (tried, whole_answers), "visibly cut, the next answer whole", not wrong,
                     wrong)
        page.figure("connections left open, with the one that asks", int(sum(
            value for name, value in server.metrics().items()
            if name.startswith("posencd_connections"))))


def vectors(page):
    """Vectors as JSON, npy, safetensors and base64 are the same vectors."""
    with Posencd("--threads", "2") as server:
        answers = {}
        for request in script.bodies():
            if request[1].startswith("/v1/rope/apply"):
                target = re.sub("format=(npy|png)", "format=raw", request[1])
                answer = server.ask(request[0], target, *request[2:])
                answers[answer.body] = answer.status
    page.promise("vectors as JSON, flat and nested, npy and safetensors", "%d different answers" %
                 len(answers), "1", list(answers.values()) == [200])


def collisions(page, quick):
    """The unit test of a cache whose keys have only two hashes, for longer."""
    pairs = 10000 if quick else 100000
    came = subprocess.run([os.path.join(ROOT, "build", "tests", "run")], capture_output=True,
                          text=True, check=False, env=dict(os.environ, POSENC_PAIRS=str(pairs), CK_FORK="no",
                                   CK_RUN_SUITE="collisions"))
    page.promise("pairs of requests with two hashes for all keys", pairs, "identical bytes",
                 came.returncode == 0 and "1 passed" in came.stdout, [came.stdout[-1000:]])


def run(page, quick):
    compare(page, quick)
    collisions(page, quick)
    vectors(page)
    resets(page, quick)
