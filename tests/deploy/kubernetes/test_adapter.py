# SPDX-License-Identifier: Apache-2.0
"""test_adapter.py - deploy/prometheus/adapter.yml: its queries are written as prometheus-adapter does and give
the figures of a fleet's pods, and posencd has the series that they ask for. The adapter itself is not run."""

import os
import re
import subprocess
import tempfile
import unittest

import yaml

import adapter
import chart
from support.posencd import Posencd

# What the adapter asks for when an autoscaler wants the metric of two pods.
MATCHERS, GROUP_BY = 'namespace="work",pod=~"a|b"', "pod"
POD = 'namespace="%s", pod="%s"'
# Series of one sample in 15 s, and the figures at the fifth minute.
SERIES = {'posencd_queue_seconds_sum{lane="quick", %s}' % POD % ("work", "a"): "0+45x40",
          'posencd_queue_seconds_sum{lane="expensive", %s}' % POD % ("work", "a"): "0+9000x40",
          'posencd_queue_seconds_sum{lane="quick", %s}' % POD % ("work", "b"): "0x40",
          'posencd_queue_seconds_sum{lane="quick", %s}' % POD % ("other", "a"): "0+9000x40",
          'posencd_overload_level{%s}' % POD % ("work", "a"): "0x17 2x2 0x20",
          'posencd_overload_level{%s}' % POD % ("work", "b"): "1x40",
          'posencd_overload_level{%s}' % POD % ("work", "c"): "4x40"}
FIGURES = {"posencd_waiting_work": {"a": 3, "b": 0}, "posencd_overload_level": {"a": 2, "b": 1}}


class Adapter(unittest.TestCase):
    def asked(self, figures):
        """What promtool says of the queries' figures."""
        queries = chart.queries(adapter.rules(), MATCHERS, GROUP_BY)
        cases = [{"expr": query, "eval_time": "5m", "exp_samples": [
            {"labels": '{pod="%s"}' % pod, "value": value} for pod, value in figures[name].items()]}
                 for name, query in zip(adapter.names(), queries)]
        tests = {"evaluation_interval": "15s", "tests": [
            {"interval": "15s", "promql_expr_test": cases,
             "input_series": [{"series": name, "values": values} for name, values in SERIES.items()]}]}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tests.yml")
            with open(path, "w", encoding="utf-8") as file:
                yaml.safe_dump(tests, file)
            done = subprocess.run(["promtool", "test", "rules", path], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_the_queries_give_the_figures_of_the_pods(self):
        self.assertEqual(set(adapter.names()), set(FIGURES))
        code, said = self.asked(FIGURES)
        self.assertEqual(code, 0, said)

    def test_other_figures_are_noticed(self):
        code, said = self.asked({**FIGURES, "posencd_waiting_work": {"a": 603, "b": 0}})
        self.assertNotEqual(code, 0, said)

    def test_posencd_has_the_series_before_any_request(self):
        with Posencd("--threads", "1") as server:
            page = server.get("/metrics").text()
        for rule in adapter.rules():
            name, labels = re.fullmatch(r"(\w+)\{(.*)\}", rule["seriesQuery"]).groups()
            own = re.findall(r'(\w+)="([^"]*)"', labels)
            label = "".join('{%s="%s"}' % pair for pair in own)
            self.assertRegex(page, r"(?m)^%s%s \d" % (name, re.escape(label)))
            self.assertEqual(set(re.findall(r'(\w+)!=""', labels)), {"namespace", "pod"})
