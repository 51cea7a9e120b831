# SPDX-License-Identifier: Apache-2.0
"""test_files.py - the other files of deploy/ (compose/ is in kubernetes/test_compose.py): the
program accepts the flags and variables that they give, has the metrics that they ask for, and keeps
the times and sizes that they rely on."""

import json
import os
import re
import subprocess
import tempfile
import unittest

import yaml

from program import configuration, seconds, size
from support.posencd import ROOT, Posencd

DEPLOY = os.path.join(ROOT, "deploy")
# The parts of an expression that name labels, not metrics.
LABELS = re.compile(r"by \(([^)]*)\)|(\w+)\s*(?:=~|!~|!=|=)\s*\"")


def text_of(*path):
    with open(os.path.join(DEPLOY, *path), encoding="utf-8") as file:
        return file.read()


def yaml_of(*path):
    return yaml.safe_load(text_of(*path))


def variables(lines):
    """{name: value} of NAME=value lines, including lines that are commented out."""
    return dict(re.findall(r"^#?(POSENCD_\w+)=(.*)$", lines, re.M))


def flag_of(variable):
    return variable.removeprefix("POSENCD_").lower().replace("_", "-")


class Systemd(unittest.TestCase):
    def setUp(self):
        self.unit = text_of("systemd", "posencd.service")

    def setting(self, name):
        return re.search(r"^%s=(.*)$" % name, self.unit, re.M).group(1)

    def test_variables_are_those_of_flags(self):
        flags = configuration()
        given = variables(text_of("systemd", "posencd.default"))
        unit = variables(re.sub(r"^(#?)Environment=", r"\1", self.unit, flags=re.M))
        self.assertTrue(given and unit)
        for name in [*given, *unit]:
            self.assertIn(flag_of(name), flags)
        files = {flag_of(name) for name, value in given.items() if value.startswith("/")}
        values = {name: value for name, value in given.items() if flag_of(name) not in files}
        values["POSENCD_SECCOMP"] = unit["POSENCD_SECCOMP"]
        configuration(env=values)

    def test_it_may_take_as_long_as_it_takes_to_drain(self):
        config = configuration()
        drain = seconds(config["drain-delay"]) + seconds(config["drain-timeout"])
        self.assertGreater(seconds(self.setting("TimeoutStopSec")), drain)

    def test_its_limits_are_enough(self):
        config = configuration(["--max-memory", str(size(self.setting("MemoryMax")))])
        self.assertGreaterEqual(int(self.setting("LimitNOFILE")), int(config["max-connections"]))

    def test_exit_codes_that_a_restart_does_not_mend_are_those_of_the_program(self):
        self.assertEqual(self.setting("RestartPreventExitStatus"), "64 78")


class Nginx(unittest.TestCase):
    def setUp(self):
        self.text = re.sub(r"#.*", "", text_of("nginx", "posencd.conf"))
        self.config = configuration()

    def value(self, name):
        return re.search(r"^\s*%s\s+([^;]*);" % name, self.text, re.M).group(1)

    def test_it_lets_through_what_is_taken(self):
        self.assertEqual(size(self.value("client_max_body_size")), size(self.config["max-body"]))
        self.assertIn("server " + self.config["listen"] + " max_fails=0;", self.text)

    def test_it_waits_for_as_long_as_an_answer_may_take(self):
        self.assertGreater(seconds(self.value("proxy_read_timeout")),
                           seconds(self.config["work-timeout"]))

    def test_its_idle_connections_end_before_ours(self):
        self.assertLess(seconds(self.value("keepalive_timeout")),
                        seconds(self.config["idle-timeout"]))


class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cert, key = os.path.join(folder, "cert"), os.path.join(folder, "key")
            subprocess.run(["openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey", "rsa:2048",
                            "-keyout", key, "-out", cert, "-subj", "/CN=x"], check=True,
                           capture_output=True)
            keys = os.path.join(folder, "keys")
            with open(keys, "w", encoding="ascii") as file:
                file.write("a-key-for-the-metrics name=a endpoints=/metrics,/v1/{encoding}\n")
            headers = [("Authorization", "Bearer a-key-for-the-metrics")]
            with Posencd("--threads", "1", "--max-memory", "512MiB", "--tls-cert", cert,
                         "--tls-key", key, "--api-keys-file", keys, unix=True,
                         tcp=False) as server, server.client() as one:
                one.ask("GET", "/v1/sinusoidal?dim=4&pos=0:4", None, headers)
                one.ask("GET", "/v1/encodings", None, headers)  # refused by a limit of the key
                cls.page = one.ask("GET", "/metrics", None, headers).text()  # shows them counted
        old = re.findall(r"^# HELP (\S+) Deprecated", cls.page, re.M)
        cls.families = set(re.findall(r"^# TYPE (\S+)", cls.page, re.M)) - set(old)
        cls.labels = set(re.findall(r"[{,](\w+)=\"", cls.page))

    def known(self, expression, recorded=()):
        """Every metric and label of an expression is one of the page, or of Prometheus itself."""
        for name in re.findall(r"\b(?:posencd|process)[\w:]*", re.sub(r"\"[^\"]*\"", "",
                                                                      expression)):
            family = re.sub(r"_(bucket|sum|count)$", "", name)
            self.assertTrue(name in recorded or family in self.families,
                            "%s of %s" % (name, expression))
        for listed, single in LABELS.findall(expression):
            for label in re.findall(r"\w+", listed or single):
                self.assertIn(label, self.labels | {"instance", "job"}, expression)

    def test_rules_ask_for_what_there_is(self):
        groups = yaml_of("prometheus", "posencd.rules.yml")["groups"]
        rules = [rule for group in groups for rule in group["rules"]]
        recorded = {rule["record"] for rule in rules if "record" in rule}
        self.assertTrue(recorded and len(rules) > len(recorded))
        self.labels |= {label for rule in rules if "record" in rule
                        for label in rule.get("labels", {})}
        for rule in rules:
            self.known(rule["expr"], recorded)
            for label in re.findall(r"\$labels\.(\w+)", json.dumps(rule.get("annotations", {}))):
                self.assertIn(label, self.labels | {"instance", "job"})

    def test_the_dashboard_asks_for_what_there_is(self):
        expressions = re.findall(r"\"expr\": \"((?:[^\"\\]|\\.)*)\"",
                                 json.dumps(json.loads(text_of("grafana", "posencd.json"))))
        self.assertGreater(len(expressions), 5)
        for expression in expressions:
            self.known(json.loads('"%s"' % expression))

    def test_the_dashboard_draws_every_family_or_says_why_not(self):
        dashboard = json.loads(text_of("grafana", "posencd.json"))
        drawn = "\n".join(target["expr"] for panel in dashboard["panels"]
                          for target in panel.get("targets", []))
        told = "\n".join(panel["options"]["content"] for panel in dashboard["panels"]
                         if panel["type"] == "text")
        table = text_of("..", "server", "sys", "metrics.def")
        families = {"posencd_" + name for name in re.findall(r'^FAMILY\(\w+, "(\w+)"', table, re.M)}
        for family in sorted(families | self.families):
            is_drawn = re.search(r"\b%s(_bucket)?\b" % family, drawn) is not None
            is_told = re.search(r"\| `%s` \| \S" % family, told) is not None
            self.assertNotEqual(is_drawn, is_told, family)

    def test_what_is_scraped_is_where_it_listens(self):
        scrape = yaml_of("prometheus", "prometheus.yml")
        self.assertEqual(scrape["scrape_configs"][0]["static_configs"][0]["targets"],
                         [configuration()["listen"]])
        for name in scrape["rule_files"]:
            self.assertTrue(os.path.isfile(os.path.join(DEPLOY, "prometheus", name)))
        jobs = {job["job_name"] for job in scrape["scrape_configs"]}
        for job in re.findall(r"job=\"(\w+)\"", text_of("prometheus", "posencd.rules.yml")):
            self.assertIn(job, jobs)
