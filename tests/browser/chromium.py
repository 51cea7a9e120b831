# SPDX-License-Identifier: Apache-2.0
"""chromium.py - one headless Chromium for all tests: a window of any size, in either theme, with
what it wrote to its console and what it asked of the network."""

import atexit
import json

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

# A test's font and pixels must not depend on the machine.
ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--force-device-scale-factor=1", "--font-render-hinting=none",
             "--disable-background-networking", "--disable-component-update",
             "--force-color-profile=srgb", "--lang=en")
_drivers = []


def driver():
    """The browser, started at the first call."""
    if not _drivers:
        options = Options()
        for argument in ARGUMENTS:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        _drivers.append(webdriver.Chrome(service=Service("/usr/bin/chromedriver"),
                                         options=options))
        _drivers[0].set_script_timeout(30)
        atexit.register(close)
    return _drivers[0]


def close():
    while _drivers:
        _drivers.pop().quit()


def resize(width, height, theme, ratio=1):
    """Gives the window a size in CSS pixels and the system a theme, "light" or "dark"."""
    driver().execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False})
    driver().execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": theme}]})


def console():
    """Errors and warnings written since the last call."""
    return [entry["message"] for entry in driver().get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING")]


def asked():
    """(method, URL) of what was asked for since the last call."""
    events = [json.loads(entry["message"])["message"] for entry in driver().get_log("performance")]
    sent = [event["params"]["request"] for event in events
            if event["method"] == "Network.requestWillBeSent"]
    return [(request["method"], request["url"]) for request in sent]


def requests():
    """The URLs asked for since the last call."""
    return [url for _, url in asked()]
