# SPDX-License-Identifier: Apache-2.0
"""shells.py - completion in the shells that people use, each with the script that `make install` puts
where the shell looks for it, and the manual pages as groff and mandoc read them."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from support.posencd import PATIENCE, ROOT, binary, child_environment
from support.terminal import Terminal


class Wrong(Exception):
    """What a shell completed, or a reader of pages said, that is wrong."""


# What is typed before TAB, and the words of which the first one must be completed or all be offered.
TYPED = [
    ("posencd comp", ["compute", "completion"]),
    ("posencd compute rope-golden-gate/", ["rope-golden-gate/apply"]),
    ("posencd compute rope pai", ["pairing="]),
    ("posencd compute rope pairing=", ["pairing=half", "pairing=adjacent"]),
    ("posencd compute rope pairing=half out=cos,sin", ["out=cos,sin"]),
    ("posencd compute rope model=llama-3.1-8", ["model=llama-3.1-8b"]),
    ("posencd compute rope/apply x=@qua", ["x=@quantity.npy"]),
    ("posencd compute rope -o qua", ["quantity.npy"]),
    ("posencd verify encoding=alib", ["encoding=alibi"]),
    ("posencd serve --log-level=inf", ["--log-level=info"]),
    ("posencd serve --warm qua", ["quantity.npy"]),
]


class Place:
    """A folder where posencd is installed, with two files to complete."""

    def __enter__(self):
        self.kept = tempfile.TemporaryDirectory(prefix="posenc-shells-")
        self.root = os.path.join(self.kept.name, "root")
        self.work = os.path.join(self.kept.name, "work")
        os.makedirs(self.work)
        os.makedirs(os.path.join(self.root, "bin"))
        shutil.copy(binary(), os.path.join(self.root, "bin", "posencd"))
        subprocess.run([os.path.join(ROOT, "deploy", "install_words.sh"), binary(),
                        os.path.join(self.root, "share")], check=True, env=child_environment())
        os.makedirs(self.share("man", "man3"))
        shutil.copy(os.path.join(os.path.dirname(binary()), "posenc.3"), self.share("man", "man3"))
        for name in ("quantity.npy", "query.npy"):
            with open(os.path.join(self.work, name), "w", encoding="ascii"):
                pass
        return self

    def __exit__(self, *_):
        self.kept.cleanup()

    def share(self, *parts):
        return os.path.join(self.root, "share", *parts)

    def environment(self, **more):
        path = os.path.join(self.root, "bin") + ":" + os.environ["PATH"]
        return child_environment({"PATH": path, "HOME": self.work, "TERM": "dumb", **more})

    def run(self, command, **more):
        done = subprocess.run(command, cwd=self.work, env=self.environment(**more), text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
                              check=False)
        if done.returncode != 0:
            raise Wrong("%s: %s%s" % (command, done.stdout, done.stderr))
        return done.stdout


def compare(typed, found, wanted):
    if sorted(found) != sorted(wanted):
        raise Wrong("%r gives %s, not %s" % (typed, found, wanted))


def fish():
    """Fish tells the candidates of a line."""
    with Place() as place:
        for typed, wanted in TYPED:
            lines = place.run(["fish", "--private", "-c", "complete -C '%s'" % typed],
                              XDG_DATA_DIRS=place.share()).splitlines()
            compare(typed, [line.split("\t")[0] for line in lines], wanted)


def interactive(command, ready):
    """Types each line and TAB at the prompt of a shell, and waits for what it becomes."""
    with Place() as place:
        command = [part.replace("SHARE", place.share()) for part in command]
        with Terminal() as terminal:
            shell = subprocess.Popen(command, cwd=place.work, stdin=terminal.theirs,
                                     stdout=terminal.theirs, stderr=terminal.theirs,
                                     start_new_session=True, env=place.environment())
            try:
                terminal.write(ready.replace("SHARE", place.share()).encode() + b"\n")
                terminal.read_until(b"is-ready")
                for typed, wanted in TYPED:
                    start, word = typed.rsplit(" ", 1)
                    if len(wanted) > 1 or wanted[0] == word:
                        continue  # several candidates are listed, none is completed
                    terminal.seen = b""
                    terminal.write(typed.encode() + b"\t")
                    terminal.read_until_line("%s %s" % (start, wanted[0]))
                    terminal.write(b"\x15")  # drops the line
            except AssertionError as why:
                raise Wrong(str(why)) from why
            finally:
                shell.kill()
                shell.wait()


def bash():
    with Place() as place:
        place.run(["shellcheck", "--shell=bash", place.share(
            "bash-completion", "completions", "posencd")])
    interactive(["bash", "--norc", "--noprofile", "-i"],
                "PS1='ready> '; bind 'set enable-bracketed-paste off'; "
                "source SHARE/bash-completion/completions/posencd; echo is-'ready'")


def zsh():
    interactive(["zsh", "-f", "-i"],
                "fpath=(SHARE/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -D; "
                "PS1='ready> '; unsetopt zle_bracketed_paste 2>/dev/null; echo is-'ready'")


def pages():
    """No warning of groff; of mandoc only that a page of the program has no date."""
    with Place() as place:
        paths = [os.path.join(folder, name) for folder in (place.share("man", "man1"),
                                                           place.share("man", "man3"))
                 for name in sorted(os.listdir(folder))]
        if len(paths) < 11:
            raise Wrong("only %s are installed" % paths)
        for path in paths:
            name, says = os.path.basename(path), "LIBRARY" if path.endswith(".3") else "EXIT STATUS"
            done = subprocess.run(["groff", "-ww", "-man", "-Tutf8", path], capture_output=True,
                                  text=True, check=False)
            if done.returncode != 0 or done.stderr or says not in re.sub(
                    r".\x08|\x1b\[\d*m", "", done.stdout):
                raise Wrong("groff %s: %s" % (name, done.stderr))
            found = subprocess.run(["mandoc", "-Tlint", "-Wwarning", path], capture_output=True, text=True,
                                   check=False).stdout
            said = [line for line in found.splitlines() if "missing date" not in line]
            if said:
                raise Wrong("mandoc %s" % "\n".join(said))


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}

if __name__ == "__main__":
    for part in [*SHELLS.values(), pages]:
        part()
    sys.exit(0)
