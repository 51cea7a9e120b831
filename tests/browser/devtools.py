# SPDX-License-Identifier: Apache-2.0
"""devtools.py - a headless Chromium whose tabs work side by side, over the pipe of its DevTools
protocol: a tab opens pages, runs a script in them, and has what went wrong in them."""

import contextlib
import itertools
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading

from chromium import ARGUMENTS

PATIENCE = 300  # seconds that only a hang takes
ENDED = {"error": "Chromium has ended"}  # the answer to all that it did not answer
LOUD = ("error", "warning")  # what a page must not write to its console


class Browser:
    """The program, and the thread that hands out what it says."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="posencd-walk-")
        (theirs_in, self.to_browser), (self.from_browser, theirs_out) = os.pipe(), os.pipe()
        command = 'exec "$@" 3<&%d 4>&%d' % (theirs_in, theirs_out)
        self.process = subprocess.Popen(
            ["bash", "-c", command, "bash", "/usr/bin/chromium", *ARGUMENTS, "--remote-debugging-pipe",
             "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
             "--user-data-dir=" + self.folder, "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.numbers, self.lock = itertools.count(1), threading.Lock()
        self.answers, self.tabs, self.ended = {}, {}, False
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        rest = b""
        while chunk := os.read(self.from_browser, 1 << 20):
            *whole, rest = (rest + chunk).split(b"\0")
            for text in whole:
                message = json.loads(text)
                if "id" in message:
                    self.answers.pop(message["id"]).put(message)
                elif message.get("sessionId") in self.tabs:
                    self.tabs[message["sessionId"]].hear(message["method"], message["params"])
        self.ended = True
        for answer in list(self.answers.values()):
            answer.put(ENDED)

    def call(self, method, session=None, **params):
        """The result of a method."""
        number, answer = next(self.numbers), queue.Queue()
        self.answers[number] = answer
        if self.ended:
            answer.put(ENDED)
        message = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        with self.lock:
            left = json.dumps(message).encode() + b"\0"
            try:
                while left:
                    left = left[os.write(self.to_browser, left):]
            except BrokenPipeError:
                pass  # the reader notices that it has ended, and answers
        try:
            found = answer.get(timeout=PATIENCE)
        except queue.Empty:
            raise RuntimeError("%s: no answer in %d s" % (method, PATIENCE)) from None
        if "error" in found:
            raise RuntimeError("%s: %s" % (method, found["error"]))
        return found["result"]

    def tab(self):
        return Tab(self)

    def close(self):
        try:
            with contextlib.suppress(RuntimeError):  # it has ended
                self.call("Browser.close")
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.wait()
            self._release()

    def _release(self):
        self.reader.join(PATIENCE)
        os.close(self.to_browser)
        os.close(self.from_browser)
        shutil.rmtree(self.folder, ignore_errors=True)


class Tab:
    """A window of its own, so that it is painted while others are."""

    def __init__(self, browser):
        self.browser, self.wrong, self.urls = browser, [], {}
        self.target = browser.call("Target.createTarget", url="about:blank", newWindow=True)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target,
                                    flatten=True)["sessionId"]
        browser.tabs[self.session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.call("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1,
                  mobile=False)

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def hear(self, event, params):
        """Notes what must not be: an exception, a loud line of the console, a failed request."""
        if event == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.wrong.append("page error: %s" % details.get("exception", details).get("description"))
        elif event == "Runtime.consoleAPICalled" and params["type"] in LOUD:
            self.wrong.append("console: %s" % [one.get("value") for one in params["args"]])
        elif event == "Log.entryAdded" and params["entry"]["level"] in LOUD:
            entry = params["entry"]
            self.wrong.append("console: %s %s" % (entry["text"], entry.get("url", "")))
        elif event == "Network.requestWillBeSent":
            self.urls[params["requestId"]] = params["request"]["url"]
        elif event == "Network.responseReceived":
            status = params["response"]["status"]
            if status // 100 != 2 and status != 304 and params["response"]["url"].startswith("http"):
                self.wrong.append("status %d: %s" % (status, params["response"]["url"]))
        elif event == "Network.loadingFailed" and not params.get("canceled"):
            self.wrong.append("%s: %s" % (params["errorText"], self.urls.get(params["requestId"])))

    def run(self, script):
        """The value of a JavaScript expression, or that of its promise."""
        found = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"]["exception"].get("description"))
        return found["result"].get("value")

    def open(self, url, script):
        """Opens a page and runs the script in it. Returns its value and what went wrong."""
        self.wrong, self.urls = [], {}
        self.call("Page.navigate", url=url)
        value = self.run(script)
        return value, self.wrong

    def close(self):
        """Closes the window; the browser goes on."""
        self.browser.call("Target.closeTarget", targetId=self.target)
        del self.browser.tabs[self.session]
