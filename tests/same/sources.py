# SPDX-License-Identifier: Apache-2.0
"""sources.py - where the requests come from. A source yields (flags, forms) for each pair of
programs that it needs; a form is (name, play), and `play` says to a seat (witness.py) what is to be
said. Row files are read by build/tests/print_rows, the others by the readers of their own tests."""

import glob
import json
import os
import re
import subprocess
import tempfile
import urllib.parse

import check
import golden
import inference_streams
import script
import test_tables
import test_wire
from forms import FORMS
from support.posencd import ROOT
from witness import SILENCE, Witness

# A connection waits for its turn while the other program is asked.
PATIENT = ("--threads", "2", "--header-timeout", "600", "--idle-timeout", "600")
# No case waits long for the end of a request that never ends.
QUICK = ("--threads", "2", "--header-timeout", "3", "--idle-timeout", "3", "--body-timeout", "3")
JSON = [("Content-Type", "application/json")]


def rows(folder, ending):
    """The rows of the files below tests/FOLDER, as print_rows.c describes them."""
    build = os.environ.get("POSENC_BUILD", os.path.join(ROOT, "build"))
    done = subprocess.run([os.path.join(build, "tests", "print_rows"), "tests/" + folder, ending],
                          cwd=ROOT, check=True, stdout=subprocess.PIPE)
    return [json.loads(line) for line in done.stdout.splitlines()]


def fields(lines):
    return [tuple(line.split(": ", 1)) if ": " in line else (line.rstrip(":"), "")
            for line in lines]


def once(forms):
    """The forms, each name once."""
    return list(dict(forms).items())


def asking(method, target, body=None, headers=(), times=1):
    """Plays one request; the second answer may be of a cache, the third ready-made."""
    def play(seat):
        for _ in range(times):
            seat.ask(method, target, body, headers)
    return play


def every_way(target):
    """Plays a target by every method of delivery."""
    def play(seat):
        for _ in range(3):
            seat.get(target)
        seat.ask("HEAD", target)
        for field in (("Accept-Encoding", "gzip"), ("Accept-Encoding", "gzip"),
                      ("If-None-Match", "*"), ("Range", "bytes=1-9"), ("Accept", "text/html")):
            seat.get(target, [field])
    return play


# ---- rows ---------------------------------------------------------------------------------

def core():
    """The requests of tests/core."""
    yield PATIENT, once((row["input"], asking("GET", "/v1/" + row["input"].replace(" ", "%20"),
                                              times=2)) for row in rows("core", ".txt"))


def in_json(path):
    return lambda rest: asking("POST", path, rest.encode(), JSON)


def at_path(path):
    return lambda rest: asking("GET", path % urllib.parse.quote(rest, safe="/?&=:,;%"))


def in_field(name, target):
    return lambda rest: asking("GET", target, None, [(name, urllib.parse.unquote(rest))])


def infer(rest):
    model, _, body = rest.partition(" ")
    model, _, query = model.partition("?")
    return asking("POST", "/v2/models/%s/infer?%s" % (model, query), body.encode())


ROPE = "/v1/rope?dim=8&pos=0:64"
PROTO = {"config": in_json("/v1/models/resolve"), "batch": in_json("/v1/batch"),
         "body": lambda rest: asking("POST", "/v1/rope", urllib.parse.unquote_to_bytes(rest), JSON),
         "python": in_json("/v1/rope"), "infer": infer, "accept": in_field("Accept", ROPE),
         "accept-encoding": in_field("Accept-Encoding", ROPE), "endpoint": at_path("%s"),
         "suggestion": at_path("%s"), "query": at_path("/v1/rope?%s"),
         "inference-model": at_path("/v2/models/%s/config"),
         "inference-metadata": at_path("/v2/models/%s"), "family": at_path("/v1/models?family=%s")}
REQUEST = re.compile(r"[a-z0-9-]+(/apply)?(\?\S*)?( \{.*)?")


def proto():
    """The inputs of tests/proto that a service is sent in some request."""
    forms = []
    for row in rows("proto", ".txt"):
        word, _, rest = row["input"].partition(" ")
        if word in PROTO:
            forms.append((row["input"], PROTO[word](rest)))
        elif REQUEST.fullmatch(row["input"]) and rest:
            forms.append((row["input"], asking("POST", "/v1/" + word, rest.encode(), JSON)))
        elif REQUEST.fullmatch(row["input"]):
            forms.append((row["input"], asking("GET", "/v1/" + word, times=2)))
    yield PATIENT, once(forms)


# ---- scenarios ----------------------------------------------------------------------------

def step(seat, row, times=1):
    """Does a step, and asks as often as said. What asks for a view into the process, or holds its
    memory, is left out."""
    claim = row["claim"].split()[0]
    if claim in ("ask", "send") and " admin" in row["claim"]:
        seat.connect(1)
    if claim in ("ask", "copy"):
        kept = {"method": "GET", "target": row["text"], "headers": [], "body": None}  # "{place}"
        asks = filled(row.get("text_asks", kept), seat.values)
        asking(asks["method"], asks["target"], asks["body"] and asks["body"].encode(),
               fields(asks["headers"]), times)(seat)
    elif claim == "send":
        request = filled(row["word"], seat.values).encode()
        seat.send(request, request.split(b" ")[0].decode())
    elif claim == "connect":
        seat.connect()
    elif claim == "restart":
        seat.restart()
    elif claim == "reload":
        seat.reload()
    elif claim == "keep":
        heads = [head for head, _ in seat.heard + seat.client.heard if head]
        found = [re.search(rb"(?m)^%s: ([^\r]*)" % row["text"].encode(), head) for head in heads]
        name = row["claim"].partition(" ")[2]
        seat.values[name] = [one.group(1) for one in found if one][-1].decode()


def filled(value, values):
    """The value, a text or lists and objects of texts, with what was kept in place of names."""
    if isinstance(value, str):
        for name, text in values.items():
            value = value.replace("{%s}" % name, text)
    elif isinstance(value, list):
        value = [filled(one, values) for one in value]
    elif isinstance(value, dict):
        value = {name: filled(one, values) for name, one in value.items()}
    return value


def playing(folder, times=1):
    """The scenarios of the files below tests/FOLDER: (name, flags, play)."""
    found = {}
    for row in rows(folder, ".scenarios"):
        found.setdefault(row["input"], []).append(row)
    for name, steps in found.items():
        def play(seat, steps=steps):
            for row in steps:
                step(seat, row, times)
        yield name, steps[0]["text"].split() if steps[0]["claim"] == "flags" else (), play


def http():
    """The scenarios of tests/http, which need no flags."""
    yield PATIENT, [(name, play) for name, _, play in playing("http", times=3)]


def scenarios():
    for name, flags, play in playing("server"):
        threads = () if any("--threads" in flag for flag in flags) else ("--threads", "2")
        yield (*threads, *flags), [(name, play)]


# ---- bytes --------------------------------------------------------------------------------

def wire():
    """Every case of tests/http/wire_*.py, whose names are those of Http11Probe or sentences."""
    def case(parts, allowed):
        def play(seat):
            talk = test_wire.Talk(seat.server.address, parts, Witness)
            outcome = talk.outcome(allowed)
            seat.note(talk.client)
            talk.client.close()
            seat.say("closed" if outcome.endswith("close") else "open")
        return play
    yield QUICK, [(name, case(parts, allowed)) for name, parts, allowed in test_wire.CASES]


PROBE = b"GET /livez HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n"


def malformed():
    """The forms of forms.py, each alone and behind another request; a last request stands behind
    them, and all that comes up to the end of the connection is compared."""
    def form(data):
        def play(seat):
            for before in (b"", b"GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n"):
                with Witness(seat.server.address) as client:
                    try:
                        client.send(before + data + PROBE)
                    except OSError:
                        pass  # what was answered can still be read
                    client.rest()
                    seat.note(client)
        return play
    yield QUICK, [(name, form(data)) for name, data in FORMS]


def inference():
    """What clients of the Open Inference Protocol send, byte for byte."""
    yield PATIENT, [(stream.name, lambda seat, data=stream.bytes: seat.send(
        data, data.split(b" ")[0].decode())) for stream in inference_streams.streams()]


# ---- what the program and its documents say of themselves ---------------------------------

def catalogue(seat):
    return json.loads(seat.get("/v1/encodings").body)["encodings"]


def pages():
    """Every example of every encoding in every way, and every page."""
    def play_all(seat):
        entries = catalogue(seat)
        for entry in entries:
            for target in entry["examples"]:
                every_way(target)(seat)
    targets = ["/", "/v1/encodings", "/v1/models", "/openapi.json", "/docs", "/models", "/compare", "/verify", "/learn",
               "/explore", "/v2", "/v2/models", "/problems", "/version", "/livez", "/readyz",
               "/readyz?verbose", "/healthz", "/metrics", "/favicon.ico", "/robots.txt", "/v1/tables"]
    yield PATIENT, [("the examples", play_all)] + [(one, every_way(one)) for one in targets]

    def of_each(pattern, names):
        def play(seat):
            for name in names(seat):
                for _ in range(2):
                    seat.get(pattern % name)
                seat.get(pattern % name, [("Accept-Encoding", "gzip")])
        return pattern, play

    def encodings(seat):
        return [entry["name"] for entry in catalogue(seat)]

    def models(seat):
        return [entry["name"] for entry in json.loads(seat.get("/v1/models").body)["models"]]

    def problems(seat):
        return sorted(set(re.findall(rb"/problems/([a-z-]+)", seat.get("/openapi.json").body)))
    yield PATIENT, [of_each(pattern, encodings) for pattern in (
        "/v1/encodings/%s", "/docs/%s", "/explore/%s", "/openapi.json?encoding=%s", "/v2/models/%s",
        "/v1/%s", "/v1/%s?a=1")]
    yield PATIENT, [of_each(pattern, models) for pattern in ("/v1/models/%s", "/models/%s")]
    yield PATIENT, [of_each("/problems/%s", lambda seat: [name.decode() for name in problems(seat)])]


def campaign():
    """The requests of tests/campaign/script.py, which use every path of the service."""
    def play(seat, request):
        for _ in range(3):
            seat.ask(*request)
    requests = [*script.tables(), *script.bodies(), *script.pages(), *script.refusals(),
                *script.coded()]
    yield PATIENT, [("%d: %s %s" % (i, request[0], request[1][:100]),
                lambda seat, request=request: play(seat, request))
               for i, request in enumerate(requests)]


def digests():
    """The questions of tests/golden/digests."""
    def question(text):
        def play(seat):
            for _ in range(2):
                try:
                    golden.ask(seat, text)
                except (AssertionError, AttributeError) as error:
                    seat.say("no 200: %s" % type(error).__name__)
        return play
    yield PATIENT, [(text, question(text)) for _, text in golden.questions()]


TARGET = re.compile(r"(?:localhost:8080|[\s(\"'`])(/(?:v1|v2|docs|explore|compare|models|problems)"
                    r"[!-~]*?)[\s)\"'`<>\\…]")


def documents():
    """The targets in README and the guides, and what their commands print."""
    paths = ["README.md", *sorted(glob.glob("docs/**/*.md", root_dir=ROOT, recursive=True))]
    for path in paths:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text = file.read()
        commands = [command for block in check.BLOCK.findall(text)
                    for command, _ in check.steps(block) if "localhost:8080" in command]
        yield PATIENT, [("%s: %s" % (path, one), every_way(one))
                   for one in dict.fromkeys(TARGET.findall(text))] + [
                       ("%s: $ %s" % (path, one), printing(one)) for one in commands]


def printing(command):
    def play(seat):
        with tempfile.TemporaryDirectory() as folder:
            seat.say(check.run(command, folder, seat.server.port))
    return play


# ---- tables -------------------------------------------------------------------------------

class Folder(test_tables.TableFolder):
    """A folder for tables of each program's own."""

    def __init__(self):
        super().__init__()
        self.flags += PATIENT


def tables():
    """Tables that an administrator puts, replaces and removes, and reloads between."""
    def play(seat):
        body = test_tables.version(1)
        for name, data, token in (("a", body, "wrong"), ("a", body, test_tables.TOKEN),
                                  ("a", body, test_tables.TOKEN), ("b", body[:99], test_tables.TOKEN),
                                  ("../c", body, test_tables.TOKEN), ("a", test_tables.version(2),
                                                                      test_tables.TOKEN)):
            test_tables.put(seat, name, data, token)
            for target in ("/v1/tables", "/v1/tables/" + name, "/v1/learned?pos=0:3&table=" + name,
                           "/v1/learned?pos=0:3&format=npy&table=" + name):
                every_way(target)(seat)
        seat.reload()
        every_way("/v1/learned?pos=0:3&table=a")(seat)
        for token in ("wrong", test_tables.TOKEN, test_tables.TOKEN):
            seat.ask("DELETE", "/v1/tables/a", None, [("Authorization", "Bearer " + token)])
            every_way("/v1/learned?pos=0:3&table=a")(seat)
    yield Folder, [("tables", play)]


SOURCES = (http, core, proto, scenarios, wire, malformed, inference, pages, campaign, digests,
           documents, tables)
