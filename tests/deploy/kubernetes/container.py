# SPDX-License-Identifier: Apache-2.0
"""container.py - a posencd that is started as a container of a rendered object would be: with its
args and variables, its limit of memory, and the image's variables. Only what names the pod is replaced:
addresses by free ports of loopback, and folders that are mounted by temporary ones."""

import os
import re
import subprocess
import tempfile

from program import size
from support.posencd import ROOT, Posencd, binary, child_environment
from support.wire import Client


def image_variables():
    """{name: value} of the image's ENV."""
    with open(os.path.join(ROOT, "Dockerfile"), encoding="utf-8") as file:
        line = re.search(r"^ENV (.*)$", file.read(), re.M).group(1)
    return dict(pair.split("=", 1) for pair in line.split())


class Container(Posencd):
    """Attributes besides those of a Posencd: paths ({folder in the pod: folder here})."""

    def __init__(self, container, paths=(), env=None):
        self.folder = tempfile.TemporaryDirectory(prefix="posencd-test-")
        self.container, self.paths = container, dict(paths)
        for mount in container.get("volumeMounts", []):
            self.paths.setdefault(mount["mountPath"], self.folder.name)
        assert container["args"][0] == "serve", container["args"]
        args = [self._here(text) for text in container["args"]]
        self._public = self._port_of(container["args"], "--listen")
        self._admin = self._port_of(container["args"], "--admin-listen")
        args = ["127.0.0.1:0" if re.fullmatch(r"0\.0\.0\.0:\d+", text) else text for text in args]
        unix = [text for text in args if text.startswith("unix:")]
        self.unix = unix[0].removeprefix("unix:").partition(",")[0] if unix else None
        variables = {**image_variables(),
                     "POSENCD_MAX_MEMORY": str(size(container["resources"]["limits"]["memory"])),
                     **{one["name"]: self._here(one["value"]) for one in container.get("env", [])},
                     **(env or {})}
        self._launch([binary(), *args], variables, self._public is not None)

    @staticmethod
    def _port_of(args, flag):
        """The port that a flag of the container names, or None for a socket's path."""
        if flag not in args:
            return None
        address = args[args.index(flag) + 1]
        return None if address.startswith("unix:") else int(address.rpartition(":")[2])

    def _here(self, text):
        """A path of the pod, as it is called here."""
        for mounted, folder in self.paths.items():
            text = re.sub("(^|:)%s(?=/|,|$)" % re.escape(mounted), r"\1" + folder, text)
        return text

    @property
    def admin(self):
        """The address of the admin listener."""
        event = next(event for event in self.events()
                     if event["event"] == "listening" and event["listener"] == "admin")
        return ("127.0.0.1", int(event["on"].rpartition(":")[2]))

    def at(self, port):
        """Where a port of the pod, given by its number or name, is here."""
        numbers = {one.get("name"): one["containerPort"] for one in self.container.get("ports", [])}
        number = numbers.get(port, port)
        assert number in (self._public, self._admin), "nobody listens at port %s" % port
        return self.admin if number == self._admin else self.address

    def ask_port(self, port, path):
        with Client(self.at(port)) as one:
            return one.get(path)

    def probe(self, name):
        """Whether a probe of the container succeeds; the kubelet takes 200 to 399 as success."""
        probe = self.container[name]
        if "httpGet" in probe:
            status = self.ask_port(probe["httpGet"]["port"], probe["httpGet"]["path"]).status
            return 200 <= status < 400
        command = [self._here(word) for word in probe["exec"]["command"]]
        assert command[0] == "/usr/bin/posencd", command  # where the image has the program
        done = subprocess.run([binary(), *command[1:]], env=child_environment(), check=False,
                              capture_output=True, timeout=probe["timeoutSeconds"])
        return done.returncode == 0
