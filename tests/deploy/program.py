# SPDX-License-Identifier: Apache-2.0
"""program.py - asks the program of this tree about the flags and variables of a deployment."""

import re

from support.posencd import run


def configuration(flags=(), env=None):
    """The values that serve would run with, {flag: value}; fails with the program's own
    sentence."""
    done = run("check-config", *flags, env=env)
    assert done.returncode == 0 and b"old name" not in done.stderr, done.stderr.decode()
    rows = re.findall(r"^(\S+) = (.*) \((?:default|environment|flag)\)$", done.stdout.decode(),
                      re.M)
    return dict(rows)


def seconds(text):
    """A time as check-config prints it."""
    number, unit = re.fullmatch(r"(\d+)(ms|s|m|h)?", text).groups()
    return int(number) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600, None: 1}[unit]


def size(text):
    """Bytes, written as 128MiB, 1Gi, 1g or 128m."""
    number, unit = re.fullmatch(r"(\d+)([kmgt]?)(?:i?b?)", text.lower()).groups()
    return int(number) << {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}[unit]


def version():
    return run("version").stdout.decode().split()[1]
