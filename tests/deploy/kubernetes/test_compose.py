# SPDX-License-Identifier: Apache-2.0
"""test_compose.py - deploy/compose: docker-compose parses it, its images, mounts, networks and ports
agree, Prometheus takes its configuration, and a process with its args answers where it is asked.
Containers are not started: there is no daemon and no registry."""

import json
import os
import re
import subprocess
import tempfile
import unittest

import yaml

from container import Container
from program import configuration, seconds, size, version
from support.posencd import ROOT, binary, child_environment

FOLDER = os.path.join(ROOT, "deploy", "compose")


def parsed(path):
    """What docker-compose makes of a file: the process, and the document or None."""
    done = subprocess.run(["docker-compose", "-f", path, "config"], capture_output=True, text=True,
                          check=False)
    return done, yaml.safe_load(done.stdout) if done.returncode == 0 else None


def yaml_of(*path):
    with open(os.path.join(FOLDER, *path), encoding="utf-8") as file:
        return yaml.safe_load(file)


class Compose(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done, cls.document = parsed(os.path.join(FOLDER, "compose.yaml"))
        assert cls.document, done.stderr
        cls.services = cls.document["services"]
        cls.replicas = {name: service for name, service in cls.services.items()
                        if service["image"].startswith("posencd:")}
        cls.one = cls.replicas["posencd-1"]
        cls.flags = cls.one["command"][1:]
        cls.config = configuration([*cls.flags, "--max-memory", str(size(cls.one["mem_limit"]))])

    def mounts(self, service):
        """{path in the container: path here} of the files of the repository."""
        found = {}
        for text in self.services[service].get("volumes", []):
            source, target, *mode = text.split(":")
            if source.startswith("/"):
                self.assertEqual(mode, ["ro"], text)
                found[target] = source
        return found

    def port(self, flag):
        return int(self.config[flag].rpartition(":")[2])

    def test_a_field_that_compose_has_not_is_refused(self):
        with open(os.path.join(FOLDER, "compose.yaml"), encoding="utf-8") as file:
            text = file.read()
        for right, wrong, says in (("mem_limit:", "mem_limits:", "mem_limits"),
                                   ("internal:", "internals:", "internals"),
                                   ("depends_on: [prom", "depends_on: [prem", "undefined"),
                                   ("- prometheus:/", "- prometheuz:/", "prometheuz")):
            self.assertIn(right, text)
            with tempfile.NamedTemporaryFile("w", dir=FOLDER, suffix=".yaml") as file:
                file.write(text.replace(right, wrong))
                file.flush()
                done, document = parsed(file.name)
            self.assertIsNone(document, wrong)
            self.assertIn(says, done.stderr)

    def test_replicas_are_of_this_version_and_alike(self):
        self.assertEqual(sorted(self.replicas), ["posencd-1", "posencd-2", "posencd-3"])
        for service in self.replicas.values():
            self.assertEqual(service, self.one)
        self.assertEqual(self.one["image"], "posencd:" + version())
        for name, service in self.services.items():
            self.assertRegex(service["image"], r":v?\d", name)

    def test_limits_are_enough(self):
        self.assertGreaterEqual(self.one["ulimits"]["nofile"], int(self.config["max-connections"]))
        drain = seconds(self.config["drain-delay"]) + seconds(self.config["drain-timeout"])
        self.assertGreater(seconds(self.one["stop_grace_period"]), drain)

    def test_every_mounted_file_is_one_of_the_repository(self):
        mounted = [path for name in self.services for path in self.mounts(name).values()]
        self.assertEqual(len(mounted), 7)
        for path in mounted:  # Docker would make a folder in the place of a missing one
            self.assertTrue(path.startswith(os.path.join(ROOT, "deploy", "")), path)
            self.assertTrue(os.path.isfile(path), path)

    def test_what_posencd_is_connected_to_leads_nowhere(self):
        self.assertEqual(list(self.one["networks"]), ["replicas"])
        self.assertIs(self.document["networks"]["replicas"]["internal"], True)
        self.assertNotIn("ports", self.one)
        for name, service in self.services.items():
            for port in service.get("ports", []):
                self.assertTrue(port.startswith("127.0.0.1:"), name)

    def test_nginx_has_every_replica_and_its_port(self):
        nginx, files = self.services["nginx"], self.mounts("nginx")
        script = nginx["command"][2].replace("'daemon off;'", "")
        command, target = re.fullmatch(r"(.*?) >(\S+) && exec nginx -g ", script).groups()
        words = [files.get(word, word) for word in command.split()]
        self.assertIn(os.path.dirname(target), [one.partition(":")[0] for one in nginx["tmpfs"]])
        with tempfile.NamedTemporaryFile("w") as resolv:
            resolv.write("nameserver 127.0.0.11\n")
            resolv.flush()
            done = subprocess.run(words, capture_output=True, text=True, check=True,
                                  env={"PATH": os.environ["PATH"], "RESOLV_CONF": resolv.name})
        self.assertEqual(re.findall(r"server (\S+) resolve", done.stdout),
                         ["%s:%d" % (name, self.port("listen")) for name in sorted(self.replicas)])
        self.assertIn("resolver 127.0.0.11 valid=5s;", done.stdout)
        self.assertEqual(re.findall(r"^ *listen (\S+);", done.stdout, re.M), ["8080"])
        self.assertEqual(nginx["ports"], ["127.0.0.1:8080:8080/tcp"])

    def test_prometheus_takes_its_configuration_and_finds_the_replicas(self):
        files = self.mounts("prometheus")
        with tempfile.TemporaryDirectory() as folder:
            for target, source in files.items():
                os.symlink(source, os.path.join(folder, os.path.basename(target)))
            path = os.path.join(folder, "prometheus.yml")
            done = subprocess.run(["promtool", "check", "config", path], capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({os.path.dirname(target) for target in files}, {"/etc/prometheus"})
        self.assertIn("--config.file=/etc/prometheus/prometheus.yml",
                      self.services["prometheus"]["command"])
        scrape = yaml_of("prometheus.yml")["scrape_configs"]
        self.assertEqual(len(scrape), 1)
        found = scrape[0]["dns_sd_configs"][0]
        self.assertEqual(found["names"], self.one["networks"]["replicas"]["aliases"])
        self.assertEqual(found["port"], self.port("admin-listen"))
        self.assertIn("replicas", self.services["prometheus"]["networks"])
        with open(os.path.join(ROOT, "deploy", "prometheus", "prometheus.yml"),
                  encoding="utf-8") as file:
            alone = yaml.safe_load(file)
        for key in ("global", "rule_files"):
            self.assertEqual(yaml_of("prometheus.yml")[key], alone[key], key)
        self.assertEqual(scrape[0]["job_name"], alone["scrape_configs"][0]["job_name"])

    def test_grafana_has_the_dashboard_and_the_source_of_its_numbers(self):
        files = self.mounts("grafana")
        provider = yaml_of("grafana", "dashboards.yml")["providers"][0]
        boards = [source for target, source in files.items()
                  if os.path.dirname(target) == provider["options"]["path"]]
        self.assertEqual(len(boards), 1)
        with open(boards[0], encoding="utf-8") as file:
            board = json.load(file)
        source = yaml_of("grafana", "datasources.yml")["datasources"][0]
        kinds = {one["query"] for one in board["templating"]["list"] if one["type"] == "datasource"}
        self.assertEqual(kinds, {source["type"]})
        host, port = re.fullmatch(r"http://(\w+):(\d+)", source["url"]).groups()
        self.assertIn("127.0.0.1:%s:%s/tcp" % (port, port), self.services[host]["ports"])
        self.assertEqual(set(self.services["grafana"]["networks"])
                         & set(self.services[host]["networks"]), {"front"})
        home = self.services["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
        self.assertIn(home, files)
        for kind in ("datasources", "dashboards"):
            self.assertIn("/etc/grafana/provisioning/%s/posencd.yml" % kind, files)

    def test_a_process_with_its_args_is_healthy_and_has_metrics(self):
        container = {"args": self.one["command"],
                     "resources": {"limits": {"memory": self.one["mem_limit"]}}}
        with Container(container, env={"POSENCD_DRAIN_DELAY": "0"}) as server:
            word, *test = self.one["healthcheck"]["test"]
            self.assertEqual((word, test[0]), ("CMD", "/usr/bin/posencd"))
            said = "http://127.0.0.1:%d" % self.port("admin-listen")
            self.assertIn(said, test)
            command = [binary(), *test[1:]]
            for port, code in ((server.admin[1], 0), (1, 1)):
                done = subprocess.run([word.replace(said, "http://127.0.0.1:%d" % port)
                                       for word in command], env=child_environment(),
                                      capture_output=True, check=False)
                self.assertEqual(done.returncode, code, done.stderr)
            answer = server.ask_port(self.port("admin-listen"), "/metrics")
            self.assertIn("posencd_build_info", answer.text())
            self.assertEqual(server.ask_port(self.port("listen"), "/v1/encodings").status, 200)
