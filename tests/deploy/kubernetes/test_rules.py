# SPDX-License-Identifier: Apache-2.0
"""test_rules.py - deploy/prometheus: promtool takes the rules, each alert is raised by a fleet of its
test file and has a paragraph in deploy/README.md."""

import os
import re
import subprocess
import tempfile
import unittest

import yaml

from support.posencd import ROOT

FOLDER = os.path.join(ROOT, "deploy", "prometheus")


def promtool(*words, folder=FOLDER):
    return subprocess.run(["promtool", *words], cwd=folder, capture_output=True, text=True,
                          check=False)


def yaml_of(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return yaml.safe_load(file)


class Rules(unittest.TestCase):
    def setUp(self):
        rules = [rule for group in yaml_of("posencd.rules.yml")["groups"]
                 for rule in group["rules"]]
        self.alerts = {rule["alert"] for rule in rules if "alert" in rule}

    def test_promtool_takes_the_rules(self):
        done = promtool("check", "rules", "posencd.rules.yml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_alert_is_raised_by_its_fleet_and_by_no_quiet_one(self):
        done = promtool("test", "rules", "posencd.tests.yml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        raised = {case["alertname"] for test in yaml_of("posencd.tests.yml")["tests"]
                  for case in test["alert_rule_test"] if case.get("exp_alerts")}
        self.assertEqual(raised, self.alerts)

    def test_another_threshold_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("posencd.rules.yml", "posencd.tests.yml"):
                with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
                    text = file.read().replace("limit_bytes > 0.9", "limit_bytes > 0.99")
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            done = promtool("test", "rules", "posencd.tests.yml", folder=folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("PosencdMemory", done.stdout + done.stderr)

    def test_every_alert_has_a_paragraph(self):
        with open(os.path.join(ROOT, "deploy", "README.md"), encoding="utf-8") as file:
            told = re.findall(r"^\| `(Posencd\w+)` \|", file.read(), re.M)
        self.assertEqual(sorted(told), sorted(self.alerts))
