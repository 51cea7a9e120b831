# SPDX-License-Identifier: Apache-2.0
"""test_runbook.py - deploy/RUNBOOK.md, tried: a replica is brought into the state of an alert, Prometheus
with the rules as they stand, but for sixty times shorter times, raises it, what the section says is
done, and the alert ends."""

import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request

from support.certificate import Certificate
from support.wire import Client, Closed

from front import DEPLOY, free_port
from replica import Replica

PATIENCE = 60
SMALL = "/v1/sinusoidal?dim=4&pos=%d:%d"
SECONDS = {"s": 1 / 60, "m": 1, "h": 60, "d": 1440}


def shorter(rules):
    """The rules with all times sixty times shorter: a minute becomes a second."""
    def scale(match):
        return "%s%ds" % (match.group(1), max(1, round(int(match.group(2)) * SECONDS[match.group(3)])))
    return re.sub(r"(for: |\[)(\d+)([smhd])\b", scale, rules)


class Watcher:
    """A Prometheus that scrapes the replica."""

    def __init__(self, port):
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-runbook-")
        self.port = free_port()
        with open(os.path.join(DEPLOY, "prometheus", "posencd.rules.yml"), encoding="utf-8") as file:
            self.put("rules.yml", shorter(file.read()))
        self.put("prometheus.yml", json.dumps({
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": ["rules.yml"],
            "scrape_configs": [{"job_name": "posencd", "scrape_timeout": "1s", "static_configs": [
                {"targets": ["127.0.0.1:%d" % port]}]}]}))
        self.process = subprocess.Popen(
            ["prometheus", "--config.file=" + self.path("prometheus.yml"), "--storage.tsdb.path=" +
             self.path("data"), "--web.listen-address=127.0.0.1:%d" % self.port,
             "--log.level=error"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def put(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def firing(self):
        try:
            with urllib.request.urlopen("http://127.0.0.1:%d/api/v1/alerts" % self.port) as answer:
                alerts = json.load(answer)["data"]["alerts"]
        except OSError:
            return set()
        return {one["labels"]["alertname"] for one in alerts if one["state"] == "firing"}

    def wait(self, alert, fires):
        deadline = time.monotonic() + PATIENCE
        while (alert in self.firing()) != fires:
            assert time.monotonic() < deadline, "%s does not %s; firing are %s" % (
                alert, "fire" if fires else "end", self.firing())
            time.sleep(0.2)

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


class Asking(threading.Thread):
    """Asks again and again, until it is stopped."""

    def __init__(self, port, ask):
        super().__init__(daemon=True)
        self.address, self.ask, self.over = ("127.0.0.1", port), ask, False
        self.start()

    def run(self):
        k = 0
        while not self.over:
            with contextlib.suppress(OSError, Closed), Client(self.address) as one:
                while not self.over:
                    k += 1
                    self.ask(one, k)

    def stop(self):
        self.over = True
        self.join()


class Runbook(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-runbook-")
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.rename(path + ".new", path)
        return path

    def replica(self, *flags, delay=0):
        """A replica and its watcher; health and metrics are at its own port."""
        one = Replica(flags=flags, delay=delay)
        self.addCleanup(lambda: one.server.code is None and one.stop())
        watcher = Watcher(one.port)
        self.addCleanup(watcher.close)
        return one, watcher

    def test_down(self):
        one, watcher = self.replica()
        one.end()
        watcher.wait("PosencdDown", True)
        one.start()
        watcher.wait("PosencdDown", False)

    def test_errors(self):
        one, watcher = self.replica("--max-inflight", "1MiB", "--max-body", "1MiB")
        body = b'{"dim":8,"pos":[%s]}' % b",".join(b"%d" % i for i in range(60000))
        held = []
        for _ in range(4):  # bodies that never end take what bodies may have
            client = Client(("127.0.0.1", one.port))
            self.addCleanup(client.close)
            client.send(b"POST /v1/sinusoidal HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                        b"Content-Length: %d\r\n\r\n" % (len(body) + 1) + body)
            held.append(client)
        asking = Asking(one.port, lambda client, k: client.ask(
            "POST", "/v1/batch", json.dumps({"requests": [
                {"path": "/v1/rope?dim=512&pos=%d:%d&out=cos" % (k, k + 400)}] * 4}).encode(),
            [("Content-Type", "application/json")]))
        try:
            watcher.wait("PosencdErrors", True)
            watcher.wait("PosencdBudgetBurnsFast", True)
        finally:
            asking.stop()
        asking = Asking(one.port, lambda client, k: client.get(SMALL % (k, k + 4)))
        try:
            watcher.wait("PosencdErrors", False)
        finally:
            asking.stop()

    def test_rejecting(self):
        keys = self.write("keys", "a-key-of-sixteen-or-more\n")
        one, watcher = self.replica("--api-keys-file", keys, "--admin-listen",
                                    "127.0.0.1:%d" % free_port())
        del watcher
        admin = one.server.events()
        port = next(int(event["on"].rpartition(":")[2]) for event in admin
                    if event["event"] == "listening" and event["listener"] == "admin")
        watcher = Watcher(port)
        self.addCleanup(watcher.close)
        asking = Asking(one.port, lambda client, k: client.get(SMALL % (k, k + 4)))
        watcher.wait("PosencdRejecting", True)
        asking.stop()
        watcher.wait("PosencdRejecting", False)

    def test_secrets(self):
        token = self.write("token", "the-token-of-the-admin\n")
        one, watcher = self.replica("--admin-token-file", token)
        self.write("token", "short\n")
        one.server.signal(signal.SIGHUP)
        watcher.wait("PosencdSecrets", True)
        with Client(("127.0.0.1", one.port)) as client:
            self.assertIn("[-] secrets", client.get("/readyz?verbose").text())
        self.write("token", "the-token-of-the-admin-2\n")
        watcher.wait("PosencdSecrets", False)

    def test_certificate(self):
        certificate = Certificate()
        self.addCleanup(certificate.folder.cleanup)
        port = free_port()
        one = Replica(flags=(*certificate.flags, "--admin-listen", "127.0.0.1:%d" % port))
        self.addCleanup(one.stop)
        watcher = Watcher(port)
        self.addCleanup(watcher.close)
        watcher.wait("PosencdCertificate", True)  # it has two days
        subprocess.run(["openssl", "req", "-x509", "-key", certificate.key, "-days", "90", "-subj",
                        "/CN=newer", "-out", certificate.cert + ".new"], check=True,
                       capture_output=True)
        os.rename(certificate.cert + ".new", certificate.cert)
        watcher.wait("PosencdCertificate", False)

    def test_bad_files(self):
        self.write("models/a.json", '{"model_type": "llama", "head_dim": 128, "rope_theta": 1e4}')
        one, watcher = self.replica("--models-dir", os.path.join(self.folder.name, "models"))
        self.write("models/b.json", "{")
        watcher.wait("PosencdBadFiles", True)
        with Client(("127.0.0.1", one.port)) as client:
            self.assertIn("b.json", client.get("/readyz?verbose").text())
        os.remove(os.path.join(self.folder.name, "models", "b.json"))
        watcher.wait("PosencdBadFiles", False)

    def test_draining(self):
        one, watcher = self.replica(delay=300)
        one.server.signal(signal.SIGTERM)
        watcher.wait("PosencdDraining", True)
        one.server.signal(signal.SIGTERM)  # at once
        one.server.process.wait(PATIENCE)
        one.server.code = one.server.process.returncode
        one.server.process.stderr.close()
        watcher.wait("PosencdDraining", False)

    def test_overloaded(self):
        one, watcher = self.replica("--max-connections", "20")
        held = [Client(("127.0.0.1", one.port)) for _ in range(20)]
        for client in held:
            client.send(b"GET")
        watcher.wait("PosencdOverloaded", True)
        for client in held:
            client.close()
        watcher.wait("PosencdOverloaded", False)

    def test_descriptors(self):
        one, watcher = self.replica("--max-connections", "200")
        pid = one.server.process.pid
        used = len(os.listdir("/proc/%d/fd" % pid))
        soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (used + 3, hard))
        watcher.wait("PosencdDescriptors", True)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
        watcher.wait("PosencdDescriptors", False)

    def test_every_alert_has_a_section_that_says_how_it_was_tried(self):
        with open(os.path.join(DEPLOY, "RUNBOOK.md"), encoding="utf-8") as file:
            sections = re.split(r"^## ", file.read(), flags=re.M)[1:]
        with open(os.path.join(DEPLOY, "prometheus", "posencd.rules.yml"), encoding="utf-8") as file:
            rules = file.read()
        alerts = re.findall(r"- alert: (\w+)", rules)
        self.assertEqual(sorted(alerts), sorted(one.split("\n")[0] for one in sections))
        for name in alerts:
            self.assertIn("RUNBOOK.md#" + name.lower() + "\n", rules)
        for one in sections:
            for word in ("Symptom", "Look at", "Do", "Tried"):
                self.assertRegex(one, r"(?m)^\*\*%s\*\*: \S" % word)
            for state in re.findall(r"state `([\w ]+)`", one):
                self.assertTrue(hasattr(self, "test_" + state.replace(" ", "_")), state)


if __name__ == "__main__":
    unittest.main()
