# SPDX-License-Identifier: Apache-2.0
"""in_page.py - the comparison in a page of Chromium, in the page itself and in workers (page.mjs)."""

import os
import shutil

import chromium
from file_server import FileServer

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS_MAX = 1800  # that the comparison may take
PAGE = """<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"
content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"><title>modules</title>
"""
# What cannot be imported, or fails before it compares, is said at once.
ASK = """const done = arguments[arguments.length - 1];
import(new URL("page.mjs", location.href)).then((page) => page.run()).then(done, (why) => done([String(why)]));"""


def compare(folder, dist):
    """The answers of the package in `dist` that differ from questions.json in the folder, which is served."""
    with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
        file.write(PAGE)
    for name in ("compare.mjs", "page.mjs", "page_worker.mjs"):
        shutil.copy(os.path.join(HERE, name), folder)
    shutil.copytree(dist, os.path.join(folder, "dist"))
    with FileServer(folder) as server:
        driver = chromium.driver()
        driver.set_script_timeout(SECONDS_MAX)
        driver.get(server.url + "/index.html")
        return driver.execute_async_script(ASK)
