# SPDX-License-Identifier: Apache-2.0
"""test_end.py - faults of a pod's life: it is ended while it sends an answer, and it is started
among thousands of Services."""

import errno
import os
import resource
import signal
import subprocess
import time
import unittest

import renderings
from container import Container
from program import configuration, seconds
from support.posencd import binary, child_environment, run
from support.wire import Client

FULL = bool(os.environ.get("FULL"))
# 64 MB: more than the buffers of a connection hold.
LARGE = "/v1/sinusoidal?dim=1024&pos=0:16384&format=raw"
SERVICES = 6000


def pod():
    documents = renderings.all_of_them()["base"]
    return renderings.one(documents, "Deployment")["spec"]["template"]["spec"]


def links(services):
    """The variables that the kubelet sets for services with a port 80 called http, unless
    enableServiceLinks is false."""
    variables = {}
    for i, name in enumerate(services):
        name = name.upper().replace("-", "_")
        address = "10.%d.%d.%d" % (i >> 16, i >> 8 & 255, i & 255)
        url, port = "tcp://%s:80" % address, name + "_PORT_80_TCP"
        variables.update({name + "_SERVICE_HOST": address, name + "_SERVICE_PORT": "80",
                          name + "_SERVICE_PORT_HTTP": "80", name + "_PORT": url, port: url,
                          port + "_PROTO": "tcp", port + "_PORT": "80", port + "_ADDR": address})
    return variables


class End(unittest.TestCase):
    def test_an_answer_on_its_way_is_finished_within_the_grace_period(self):
        """The pod's whole end, with the delay and time-outs of its own args."""
        server, grace = Container(pod()["containers"][0]), pod()["terminationGracePeriodSeconds"]
        config = configuration(server.container["args"][1:])
        with Client(server.address, receive_buffer=65536) as reader:
            reader.request("GET", LARGE)
            left = int(reader.head().header("content-length"))
            begin = time.monotonic()
            server.signal(signal.SIGTERM)
            server.wait_line(lambda event: event["event"] == "draining", "line on draining")
            self.assertFalse(server.probe("readinessProbe"))
            self.assertTrue(server.probe("livenessProbe"))
            with Client(server.address) as late:  # from a node that has not heard of it
                self.assertEqual(late.get("/v1/sinusoidal?dim=4&pos=0:4").status, 200)
            with Client(server.address) as idle:  # is closed when the delay is over
                self.assertTrue(idle.at_end())
            self.assertGreaterEqual(time.monotonic() - begin,
                                    seconds(config["drain-delay"]) - 1)
            with self.assertRaises(ConnectionRefusedError):
                Client(server.address)
            while left > 0:
                got = len(reader.file.read(min(left, 1 << 20)))
                self.assertGreater(got, 0, "cut with %d bytes left" % left)
                left -= got
            self.assertEqual(server.wait(grace), 0)
        took = time.monotonic() - begin
        self.assertEqual(server.stop(), 0)
        self.assertLess(took, grace)
        print("TERM with an answer in flight: exit 0 after %.1f s of %d s" % (took, grace))

    if FULL:  # it takes --drain-delay and --drain-timeout, 25 s
        def test_a_reader_that_stops_does_not_outlast_the_grace_period(self):
            server, grace = Container(pod()["containers"][0]), pod()["terminationGracePeriodSeconds"]
            with Client(server.address, receive_buffer=4096) as reader:
                reader.request("GET", LARGE)
                reader.head()
                begin = time.monotonic()
                server.signal(signal.SIGTERM)
                self.assertEqual(server.wait(grace), 0)
            print("TERM with a reader that stopped: exit 0 after %.1f s of %d s" % (
                time.monotonic() - begin, grace))
            server.stop()


class Links(unittest.TestCase):
    def start(self, variables):
        """check-config with variables besides our own, and the usual limit of a stack, of which a
        quarter is the limit of arguments and variables."""
        def limit():
            resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, resource.RLIM_INFINITY))
        return subprocess.run([binary(), "check-config"], env=child_environment(variables),
                              capture_output=True, preexec_fn=limit, check=False)

    def test_the_variables_of_our_own_services_are_ignored(self):
        names = [document["metadata"]["name"]
                 for document in renderings.all_of_them()["base with everything"]
                 if document["kind"] == "Service"]
        self.assertIn("posencd", names)
        done = self.start(links(names))
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_no_flag_has_a_variable_that_a_service_could_set(self):
        flags = {"POSENCD_" + name.upper().replace("-", "_") for name in configuration()}
        for flag in flags:
            for ending in links([""]):
                self.assertFalse(flag.endswith(ending), flag)

    def test_a_variable_that_is_neither_is_refused(self):
        done = run("check-config", env={"POSENCD_SERVICE_HOSTS": "10.0.0.1"})
        self.assertEqual(done.returncode, 78)
        self.assertIn(b"unknown environment variable POSENCD_SERVICE_HOSTS", done.stderr)

    def test_thousands_of_services_keep_a_pod_with_links_from_its_start(self):
        many = links("team-%d-backend-service" % i for i in range(SERVICES))
        with self.assertRaises(OSError) as caught:
            self.start(many)
        self.assertEqual(caught.exception.errno, errno.E2BIG)
        self.assertIs(pod()["enableServiceLinks"], False)
        self.assertEqual(self.start({}).returncode, 0)  # as the kubelet starts it without links
        print("%d Services: no start with their variables, a start without" % SERVICES)
