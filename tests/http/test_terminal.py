# SPDX-License-Identifier: Apache-2.0
"""test_terminal.py - what commands print where a person reads, at a terminal, and where a program does,
in a pipe."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import unittest
import urllib.request

from support.posencd import Posencd, binary, child_environment, run

LLAMA = json.dumps({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
                    "num_hidden_layers": 32, "max_position_embeddings": 8192, "rope_theta": 500000.0})


def at_terminal(*arguments, columns=80, stdin=b""):
    """What a command prints to a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([binary(), *arguments], stdin=subprocess.PIPE, stdout=theirs,
                          env=child_environment()) as process:
        os.close(theirs)
        process.stdin.write(stdin)
        process.stdin.close()
        text = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # nobody writes any more
                piece = b""
            if not piece:
                break
            text += piece
        os.close(ours)
        if process.wait():
            raise AssertionError("%s ended with %d" % (arguments, process.returncode))
    return text.decode().replace("\r\n", "\n")


class Json(unittest.TestCase):

    def check(self, *arguments, stdin=b""):
        """The same document on lines at a terminal, and on one line in a pipe. Returns the former."""
        piped = run(*arguments, stdin=stdin)
        self.assertEqual(piped.returncode, 0, piped.stderr)
        text = at_terminal(*arguments, stdin=stdin)
        self.assertEqual(piped.stdout.count(b"\n"), 1, arguments)
        self.assertGreater(text.count("\n"), 5, arguments)
        self.assertEqual(json.loads(text), json.loads(piped.stdout))
        self.assertIn('\n  "', text)
        return text

    def test_documents_have_lines_at_a_terminal_and_one_line_in_a_pipe(self):
        self.check("resolve", "-", stdin=LLAMA.encode())
        self.check("encodings", "alibi", "--json")
        self.check("encodings", "--fields", "name,title")
        self.check("models", "phi-2", "--json")
        self.check("openapi")

    def test_a_row_of_numbers_is_one_line(self):
        text = self.check("compute", "sinusoidal", "pos=0:3", "dim=4")
        rows = re.findall(r"^ +\[[-0-9., e]+\],?$", text, re.MULTILINE)
        self.assertEqual(len(rows), 3, text)

    def test_other_formats_are_as_they_are(self):
        csv = run("compute", "sinusoidal", "pos=0:3", "dim=4", "format=csv").stdout.decode()
        self.assertEqual(at_terminal("compute", "sinusoidal", "pos=0:3", "dim=4", "format=csv"),
                         csv.replace("\r\n", "\n"))


class Models(unittest.TestCase):

    def test_lines_fit_the_terminal_and_lose_nothing(self):
        piped = run("models").stdout.decode()
        self.assertGreater(max(map(len, piped.splitlines())), 200)
        longest = max(map(len, piped.split()))  # a name has no place for the end of a line
        for columns in (40, 80, 132):
            text = at_terminal("models", columns=columns)
            self.assertLessEqual(max(map(len, text.splitlines())), max(columns, longest + 2))
            self.assertEqual(text.split(), piped.split())
            self.assertEqual([line for line in text.splitlines() if line.endswith(" ")], [])


class Serve(unittest.TestCase):

    def test_the_log_has_an_address_that_a_browser_opens(self):
        with Posencd("--path-prefix", "/pe") as server:
            url = next(event["url"] for event in server.events() if event["event"] == "listening")
            self.assertEqual(url, "http://127.0.0.1:%d/pe/" % server.port)
            with urllib.request.urlopen(url) as answer:
                self.assertEqual(answer.status, 200)
        with Posencd("--listen", "0.0.0.0:0") as server:
            urls = [event["url"] for event in server.events() if "url" in event]
            self.assertTrue(any(url.startswith("http://localhost:") for url in urls), urls)
