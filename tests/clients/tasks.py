# SPDX-License-Identifier: Apache-2.0
"""tasks.py - compiles and runs the single-file clients of proto/clients, each of which does the same
five tasks, and compares their numbers with those that the program computes without a server."""

import os
import shutil
import struct
import subprocess

from python.stub import BUSY, CUT, ONE, Stub
from support.posencd import ROOT, run as posencd

FOLDER = os.path.join(ROOT, "proto", "clients")
LINES = 100  # a client that people copy is shorter
Q, K = "1,2,3,4;5,6,7,8", "1,0,0,1;0,1,1,0"
TASKS = {
    "row": ("sinusoidal", "dim=8", "pos=3"),
    "table": ("rope", "dim=8", "pos=0:4", "out=cos"),
    "q": ("rope/apply", "pos=0:2", "x=" + Q),
    "k": ("rope/apply", "pos=0:2", "x=" + K),
    "config": ("rope", "dim=8", "base=500000", "pos=0:16", "out=cos"),
}
LANGUAGES = {  # source, the program that judges its style, the program that compiles it
    "c": ("posenc.c", ["true"], ["gcc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2",
                                 "posenc.c", "-lcurl", "-o", "posenc"]),
    "go": ("posenc.go", ["sh", "-c", "gofmt -l posenc.go && go vet posenc.go"],
           ["go", "build", "-o", "posenc", "posenc.go"]),
    "rust": ("posenc.rs", ["true"], ["/usr/bin/rustc", "-D", "warnings", "-o", "posenc", "posenc.rs"]),
    "bash": ("posenc.sh", ["shellcheck", "posenc.sh"], ["cp", "posenc.sh", "posenc"]),
}


class Wrong(Exception):
    """What a client did wrong."""


def computed(arguments):
    """The numbers that `posencd compute` prints: a list of float32."""
    done = posencd("compute", *arguments, "format=raw")
    if done.returncode != 0:
        raise Wrong(done.stderr.decode())
    return list(struct.unpack("<%df" % (len(done.stdout) // 4), done.stdout))


def rounded(text):
    """A printed number as the float32 that it means."""
    return struct.unpack("<f", struct.pack("<f", float(text)))[0]


def said(output):
    """{name: numbers} of the lines that a client prints."""
    lines = [line.split() for line in output.splitlines()]
    return {words[0]: [rounded(word) for word in words[1:]] for words in lines if len(words) > 1}


class Run:
    """A copy of a client in a folder of its own."""

    def __init__(self, language, folder):
        self.source, self.judge, self.compiler = LANGUAGES[language]
        self.work = os.path.join(folder, language)
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(os.path.join(FOLDER, language), self.work)

    def call(self, url, *arguments):
        home = {"POSENC_URL": url, "GOCACHE": os.path.join(self.work, "cache"), "GO111MODULE": "off"}
        return subprocess.run(arguments, cwd=self.work, capture_output=True, text=True, timeout=300,
                              env={**os.environ, **home}, check=False)

    def must(self, url, *arguments):
        """What the program prints; it must succeed."""
        done = self.call(url, *arguments)
        if done.returncode != 0:
            raise Wrong("%s: %s" % (" ".join(arguments), (done.stdout + done.stderr)[-2000:]))
        return done.stdout

    def refused(self, sentence, url, *arguments):
        """The program must fail with the sentence on stderr."""
        done = self.call(url, "./posenc", *arguments)
        if done.returncode == 0 or sentence not in done.stderr:
            raise Wrong("%s: %d, %s" % (" ".join(arguments), done.returncode, done.stderr))

    def compile(self):
        with open(os.path.join(self.work, self.source), encoding="utf-8") as file:
            count = sum(1 for _ in file)
        if count >= LINES:
            raise Wrong("%s has %d lines; a client that people copy has fewer than %d"
                        % (self.source, count, LINES))
        if self.must("", *self.judge):
            raise Wrong("%s changes %s" % (" ".join(self.judge), self.source))
        self.must("", *self.compiler)


def check(language, server, url, folder):
    """Raises Wrong where the client of a language does not do the five tasks."""
    client = Run(language, folder)
    client.compile()
    found = said(client.must(url, "./posenc"))
    for name, arguments in TASKS.items():
        expected = computed(arguments)
        if found.get(name) != expected:
            raise Wrong("%s: %s, expected %s" % (name, found.get(name), expected))
    with open(os.path.join(client.work, "alibi.png"), "rb") as file:
        if file.read() != server.get("/v1/alibi?heads=8&len=64&format=png").body:
            raise Wrong("alibi.png is not the service's picture")
    slopes = said(client.must(url, "./posenc", "/v1/alibi?heads=2&out=slopes"))
    if slopes != {"numbers": computed(("alibi", "heads=2", "out=slopes"))}:
        raise Wrong("the numbers of a URL: %s" % slopes)
    client.refused("must be an even number", url, "/v1/rope?dim=7&pos=0:4&out=cos")
    client.refused("posenc: ", "http://127.0.0.1:1")
    with Stub([BUSY, ONE]) as stub:
        again = said(client.must(stub.url, "./posenc", "/v1/rope?dim=2&pos=0&out=cos"))
        if again != {"numbers": [1]} or len(stub.asked) != 2:
            raise Wrong("an overloaded service was asked %d times: %s" % (len(stub.asked), again))
    with Stub([BUSY, CUT]) as stub:
        client.refused("posenc: ", stub.url, "/v1/rope?dim=2&pos=0&out=cos")
