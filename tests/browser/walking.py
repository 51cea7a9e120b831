# SPDX-License-Identifier: Apache-2.0
"""walking.py - opens pages in tabs that work side by side, and does in each what walk.js does."""

import contextlib
import os
import queue
import threading
import time

TABS = 3  # pages at work: two cores, and one that waits for answers
HERE = os.path.dirname(os.path.abspath(__file__))
TOLD = 40  # faults that a failure lists


def _found(browser, pages):
    """{page: (steps, links, faults)} of all pages."""
    with open(os.path.join(HERE, "walk.js"), encoding="utf-8") as file:
        script = file.read() + "\nwalk()"
    waiting, found = queue.SimpleQueue(), {}
    for page in pages:
        waiting.put(page)

    def work():
        with contextlib.closing(browser.tab()) as tab, contextlib.suppress(queue.Empty):
            while True:
                page = waiting.get_nowait()
                done, wrong = tab.open(page, script)
                faults = ["%s: %s" % tuple(one) for one in done["wrong"]] + wrong
                found[page] = (done["steps"], done["links"], faults)

    threads = [threading.Thread(target=work) for _ in range(TABS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def walk_pages(test, browser, origin, pages):
    """Walks the pages of the origin; fails the test with their faults. Returns {link: a page that has
    it} of the links that stand on them."""
    began = time.monotonic()
    found = _found(browser, [origin + page for page in pages])
    test.assertEqual(len(found), len(pages))
    faults = {page: wrong for page, (_, _, wrong) in found.items() if wrong}
    print("walk: %d pages, %d steps, %d pages with faults, %.0f s" % (
        len(pages), sum(steps for steps, _, _ in found.values()), len(faults),
        time.monotonic() - began), flush=True)
    lines = ["%s: %s" % (page[len(origin):], one)
             for page, wrong in sorted(faults.items()) for one in wrong]
    if lines:
        test.fail("%d faults on %d pages:\n%s" % (len(lines), len(faults), "\n".join(lines[:TOLD])))
    return {link: page for page, (_, links, _) in found.items() for link in links}
