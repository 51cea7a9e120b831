# SPDX-License-Identifier: Apache-2.0
"""test_cache.py - the cache tier: the configuration that its pods make for themselves, and a real
nginx with it in front of processes started as the pods of posencd. The addresses that DNS would give
are written into it, since Debian's nginx (1.22) cannot ask for SRV records."""

import contextlib
import os
import re
import signal
import subprocess
import tempfile
import unittest

import renderings
from container import Container
from fleet.front import DEPLOY, Front, replaced
from support.wire import Client

EVERYTHING = "base with everything"
RESOLV = "nameserver 10.96.0.10\nsearch work.svc.cluster.local svc.cluster.local cluster.local\n"
PODS = (r"zone posencd 1m; resolver 10\.96\.0\.10 valid=5s; "
        r"server posencd-pods\.work\.svc\.cluster\.local service=http resolve max_fails=0;")
URLS = ["/v1/sinusoidal?dim=8&pos=%d:%d" % (i, i + 4) for i in range(48)]


def pod():
    documents = renderings.all_of_them()[EVERYTHING]
    return renderings.one(documents, "Deployment", "posencd-cache")["spec"]["template"]["spec"]


def configure(resolv=RESOLV, conf=None):
    """Runs the command of the init container on the files of its ConfigMaps; returns the process and
    the configuration."""
    documents = renderings.all_of_them()[EVERYTHING]
    container = pod()["initContainers"][0]
    maps = {volume["name"]: volume["configMap"]["name"] for volume in pod()["volumes"]
            if "configMap" in volume}
    with tempfile.TemporaryDirectory() as folder:
        command = list(container["command"])
        for mount in container["volumeMounts"]:
            here = folder + mount["mountPath"]
            os.makedirs(here)
            command = [word.replace(mount["mountPath"] + "/", here + "/") for word in command]
            data = (renderings.one(documents, "ConfigMap", maps[mount["name"]])["data"]
                    if mount["name"] in maps else {})
            for name, text in data.items():
                path = os.path.join(here, name)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(conf if conf is not None and name == "posencd.conf" else text)
                os.chmod(path, 0o555)
        with open(folder + "/resolv.conf", "w", encoding="ascii") as file:
            file.write(resolv)
        variables = {one["name"]: one["value"] for one in container["env"]}
        done = subprocess.run(command, env={"PATH": os.environ["PATH"], **variables,
                                            "RESOLV_CONF": folder + "/resolv.conf"},
                              capture_output=True, text=True, check=False)
        with open(folder + "/etc/nginx/conf.d/posencd.conf", encoding="utf-8") as file:
            return done, file.read()


class PodNginx(Front):
    """nginx as in a pod of the cache tier, but for addresses and folders."""

    def write(self, upstreams):
        done, text = configure()
        assert done.returncode == 0, done.stderr
        text = replaced(text, PODS, "".join("server %s max_fails=0; " % one for one in upstreams))
        text = replaced(text, "listen 8080;", "listen 127.0.0.1:%d;" % self.port)
        text = replaced(text, "/var/cache/nginx/posencd", self.path("cache"))
        self.put("posencd.conf", text)
        self.put("nginx.conf", """daemon off; user root; worker_processes 1; pid %s;
events { worker_connections 1024; }
http {
    log_format replicas "$upstream_addr $request_uri"; access_log %s replicas;
    client_body_temp_path %s; proxy_temp_path %s;
    include %s;
}
""" % tuple(map(self.path, ("pid", "access", "bodies", "temporary", "posencd.conf"))))

    def command(self):
        return ["nginx", "-e", "stderr", "-c", self.path("nginx.conf")]

    def replicas(self):
        """{URL: addresses that were asked for it}, once nginx has written its log."""
        asked = {}
        with open(self.path("access"), encoding="ascii") as lines:
            for line in lines:
                addresses, _, url = line.rstrip().rpartition(" ")
                asked.setdefault(url, []).extend(re.findall(r"[\d.]+:\d+", addresses))
        return asked


class Configuration(unittest.TestCase):
    def test_it_is_the_file_of_deploy_nginx_for_the_pods_behind_the_headless_service(self):
        done, text = configure()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(text, PODS)
        service = renderings.one(renderings.all_of_them()[EVERYTHING], "Service", "posencd-pods")
        self.assertEqual(service["spec"]["clusterIP"], "None")
        self.assertEqual([port["name"] for port in service["spec"]["ports"]], ["http"])
        ports = [port["containerPort"] for port in pod()["containers"][0]["ports"]]
        self.assertEqual(re.findall(r"^ *listen ([^;]*);", text, re.M), [str(ports[0])])
        # Nothing else is changed.
        with open(os.path.join(DEPLOY, "nginx", "posencd.conf"), encoding="utf-8") as file:
            was = file.read().splitlines()
        changed = [line for line, other in zip(was, text.splitlines()) if line != other]
        self.assertEqual((len(was), len(changed)), (len(text.splitlines()), 3), changed)

    def test_the_resolver_may_have_an_ipv6_address(self):
        done, text = configure(RESOLV.replace("10.96.0.10", "fd00::a"))
        self.assertEqual(done.returncode, 0)
        self.assertIn("resolver [fd00::a] valid=5s;", text)

    def test_a_pod_without_a_name_server_or_a_search_domain_is_told_so(self):
        for resolv, says in (("nameserver 10.96.0.10\n", "a search domain"),
                             ("search x\n", "a nameserver"), ("", "a nameserver")):
            done, _ = configure(resolv)
            self.assertEqual(done.returncode, 1)
            self.assertIn(says, done.stderr)

    def test_a_file_that_has_other_lines_is_refused(self):
        for wrong in ("", "server 127.0.0.1:8080;\nlisten 127.0.0.1:8082;\nserver_name x;\n"):
            done, _ = configure(conf=wrong)
            self.assertEqual(done.returncode, 1)
            self.assertIn("FILE must have one server", done.stderr)

    def test_the_cache_fits_into_its_volume(self):
        most = int(re.search(r"max_size=(\d+)g", configure()[1]).group(1))
        volume = next(one for one in pod()["volumes"] if one["name"] == "cache")
        self.assertEqual(volume["emptyDir"]["sizeLimit"], "%dGi" % (most + 2))
        mounts = {mount["name"]: mount["mountPath"] for mount in pod()["containers"][0]["volumeMounts"]}
        self.assertIn("proxy_cache_path %s/" % mounts["cache"], configure()[1])


class Serving(unittest.TestCase):
    def asked(self, addresses):
        """The replica of each URL, by a cache that has nothing yet; each is asked for twice."""
        with PodNginx(addresses) as front:
            with Client(("127.0.0.1", front.port)) as one:
                for url in URLS:
                    for status in ("MISS", "HIT"):
                        answer = one.get(url)
                        self.assertEqual((answer.status, answer.header("x-cache-status")),
                                         (200, status), url)
            front.process.send_signal(signal.SIGQUIT)
            front.process.wait(30)
            replicas = front.replicas()
        self.assertEqual({url: len(found) for url, found in replicas.items()},
                         {url: 1 for url in URLS})
        return {url: found[0] for url, found in replicas.items()}

    def test_one_url_always_meets_one_pod_and_few_move_when_a_pod_goes(self):
        documents = renderings.all_of_them()[EVERYTHING]
        container = renderings.one(documents, "Deployment")["spec"]["template"]["spec"]["containers"][0]
        container = {**container, "env": [], "volumeMounts": []}
        with contextlib.ExitStack() as stack:
            pods = [stack.enter_context(Container(container, env={"POSENCD_DRAIN_DELAY": "0"}))
                    for _ in range(3)]
            addresses = ["127.0.0.1:%d" % one.port for one in pods]
            first = self.asked(addresses)
            self.assertEqual(set(first.values()), set(addresses))
            self.assertEqual(self.asked(addresses[::-1]), first)
            gone = self.asked(addresses[1:])
            moved = [url for url in URLS if gone[url] != first[url]]
            self.assertEqual({first[url] for url in moved}, {addresses[0]})
        print("%d URLs of 3 pods: each at one pod; %d moved when a pod went" % (len(URLS), len(moved)))
