# SPDX-License-Identifier: Apache-2.0
"""test_scrape.py - a Prometheus with the configuration of deploy/prometheus scrapes a posencd, and
every query of the dashboard and every rule that is recorded has an answer."""

import json
import os
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.parse
import urllib.request

import yaml

from support.certificate import Certificate
from support.posencd import Posencd, ROOT

DEPLOY = os.path.join(ROOT, "deploy")
PATIENCE = 60
TARGETS = ["/v1/rope?dim=64&pos=%d:%d", "/v1/alibi?heads=8&len=%d&q=%d", "/v1/nothing?%d=%d",
           "/v1/rope?dim=64&pos=%d000:%d000"]  # a thread compresses the answer to the last
KEY, LIMITED = "a-key-without-a-limit-000", "a-key-that-is-refused-000"


def queries():
    """Every query of the dashboard, with its variables set."""
    with open(os.path.join(DEPLOY, "grafana", "posencd.json"), encoding="utf-8") as file:
        panels = json.load(file)["panels"]
    found = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    return [expr.replace("$instance", ".*").replace("$__rate_interval", "10s") for expr in found]


class Prometheus:
    """Debian's Prometheus with deploy's files, but for the target and the interval."""

    def __init__(self, folder, target):
        with open(os.path.join(DEPLOY, "prometheus", "prometheus.yml"), encoding="utf-8") as file:
            text = file.read()
        assert "127.0.0.1:8080" in text and "scrape_interval: 15s" in text
        text = text.replace("127.0.0.1:8080", target)
        text = text.replace("scrape_interval: 15s", "scrape_interval: 1s\n  evaluation_interval: 1s")
        with open(os.path.join(folder, "prometheus.yml"), "w", encoding="utf-8") as file:
            file.write(text)
        with open(os.path.join(DEPLOY, "prometheus", "posencd.rules.yml"), encoding="utf-8") as one, \
                open(os.path.join(folder, "posencd.rules.yml"), "w", encoding="utf-8") as other:
            other.write(one.read().replace("[5m]", "[10s]"))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.log = open(os.path.join(folder, "log"), "wb")
        self.process = subprocess.Popen(
            ["prometheus", "--config.file=" + os.path.join(folder, "prometheus.yml"),
             "--storage.tsdb.path=" + os.path.join(folder, "data"),
             "--web.listen-address=127.0.0.1:%d" % self.port], stdin=subprocess.DEVNULL,
            stdout=self.log, stderr=self.log)

    def ask(self, path, **query):
        url = "http://127.0.0.1:%d/api/v1/%s?%s" % (self.port, path, urllib.parse.urlencode(query))
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return json.load(answer)["data"]

    def values(self, query):
        return [float(one["value"][1]) for one in self.ask("query", query=query)["result"]]

    def close(self):
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.log.close()


class Scrape(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="posencd-scrape-")
        cls.certificate = Certificate(days=30)
        keys = os.path.join(cls.folder.name, "keys")
        with open(keys, "w", encoding="ascii") as file:
            file.write("%s name=free\n%s name=limited requests=1\n" % (KEY, LIMITED))
        cls.server = Posencd("--threads", "2", "--max-memory", "512MiB", "--access-log", "off",
                             "--api-keys-file", keys, "--admin-listen", "127.0.0.1:0",
                             *cls.certificate.flags, tcp=False, unix=True)
        admin = next(event["on"] for event in cls.server.events()
                     if event["event"] == "listening" and event["listener"] == "admin")
        cls.prometheus = Prometheus(cls.folder.name, admin)

    @classmethod
    def tearDownClass(cls):
        cls.prometheus.close()
        cls.server.stop()
        cls.certificate.folder.cleanup()
        cls.folder.cleanup()

    def traffic(self, i):
        for target in TARGETS:
            for key in (KEY, LIMITED):
                self.server.get(target % (i, i + 1), [("Authorization", "Bearer " + key),
                                                      ("Accept-Encoding", "gzip")])

    def answered(self, expressions):
        """Waits, with traffic, until every query has an answer; the ones that have none."""
        deadline, i, missing = time.monotonic() + PATIENCE, 0, list(expressions)
        while missing and time.monotonic() < deadline:
            i += 1
            self.traffic(i)
            try:
                missing = [one for one in missing
                           if not [v for v in self.prometheus.values(one) if v == v]]
            except OSError:  # it has not begun to listen
                assert self.prometheus.process.poll() is None
        return missing

    def test_every_query_of_the_dashboard_has_an_answer(self):
        expressions = queries()
        self.assertGreater(len(expressions), 12)
        self.assertEqual(self.answered(expressions), [])

    def test_every_recorded_rule_has_an_answer(self):
        with open(os.path.join(DEPLOY, "prometheus", "posencd.rules.yml"), encoding="utf-8") as file:
            rules = [rule for group in yaml.safe_load(file)["groups"] for rule in group["rules"]]
        recorded = [rule["record"] for rule in rules if "record" in rule]
        self.assertEqual(self.answered(recorded), [])

    def test_a_fine_server_raises_no_alert(self):
        self.assertEqual(self.answered(["up"]), [])
        firing = {one["labels"]["alertname"] for one in self.prometheus.ask("alerts")["alerts"]
                  if one["state"] == "firing"}
        self.assertEqual(firing, set())

    def test_a_query_of_what_is_not_there_has_no_answer(self):
        self.assertEqual(self.answered(["up"]), [])
        self.assertEqual(self.prometheus.values("posencd_no_such_thing"), [])
