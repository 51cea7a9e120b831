# SPDX-License-Identifier: Apache-2.0
"""test_running.py - processes that are started as the containers of deploy/kustomize answer at the
ports and paths that its objects name, and read what its volumes hold."""

import json
import os
import signal
import struct
import tempfile
import unittest

import numpy

import renderings
from container import Container
from support.tensor_file import safetensors
from support.wire import Client

ROPE = "/v1/rope?dim=8&pos=0:16"
MODEL = {"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8, "rope_theta": 20000.0,
         "num_hidden_layers": 2, "max_position_embeddings": 128}
PROBES = ("startupProbe", "livenessProbe", "readinessProbe")


def pod_of(rendering, name="posencd"):
    documents = renderings.all_of_them()[rendering]
    return renderings.one(documents, "Deployment", name)["spec"]["template"]["spec"]


class ConfigMapFolder:
    """A folder as the kubelet mounts a ConfigMap: files are links into a folder ..data, which is a
    link too and is replaced as a whole."""

    def __init__(self, path):
        self.path, self.count = path, 0

    def write(self, files):
        self.count += 1
        made = "..2026_%d" % self.count
        os.mkdir(os.path.join(self.path, made))
        for name, text in files.items():
            with open(os.path.join(self.path, made, name), "w", encoding="utf-8") as file:
                file.write(text)
        os.symlink(made, os.path.join(self.path, "..data_tmp"))
        os.rename(os.path.join(self.path, "..data_tmp"), os.path.join(self.path, "..data"))
        for name in files:
            link = os.path.join(self.path, name)
            if not os.path.islink(link):
                os.symlink(os.path.join("..data", name), link)


class Base(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Container(pod_of("base")["containers"][0])

    @classmethod
    def tearDownClass(cls):
        # The delay is tried in test_end.py; a second signal ends it.
        cls.server.signal(signal.SIGTERM)
        cls.server.wait_line(lambda event: event["event"] == "draining", "line on draining")
        assert cls.server.stop() == 0

    def test_every_probe_succeeds(self):
        for name in PROBES:
            self.assertTrue(self.server.probe(name), name)

    def test_a_service_leads_to_a_port_that_answers(self):
        service = renderings.one(renderings.all_of_them()["base"], "Service")
        for port in service["spec"]["ports"]:
            self.assertEqual(self.server.ask_port(port["targetPort"], ROPE).status, 200)

    def test_metrics_are_where_annotations_and_the_monitor_say(self):
        documents = renderings.all_of_them()["base"]
        said = renderings.one(documents, "Deployment")["spec"]["template"]["metadata"]["annotations"]
        places = [(int(said["prometheus.io/port"]), said["prometheus.io/path"])]
        documents = renderings.all_of_them()["production"]
        for endpoint in renderings.one(documents, "PodMonitor")["spec"]["podMetricsEndpoints"]:
            places.append((endpoint["port"], endpoint["path"]))
        for port, path in places:
            answer = self.server.ask_port(port, path)
            self.assertEqual(answer.status, 200)
            self.assertIn("posencd_build_info", answer.text())
        self.assertEqual(self.server.ask_port("http", "/metrics").status, 404)

    def test_a_probe_of_a_path_that_is_not_there_fails(self):
        container = {**self.server.container, "livenessProbe": {
            "httpGet": {"path": "/no-such-path", "port": "admin"}}}
        kept, self.server.container = self.server.container, container
        try:
            self.assertFalse(self.server.probe("livenessProbe"))
        finally:
            self.server.container = kept


class Files(unittest.TestCase):
    def test_models_and_tables_are_read_from_the_volumes_and_again_when_they_change(self):
        pod = pod_of("base with files")
        mounts = {mount["name"]: mount["mountPath"]
                  for mount in pod["containers"][0]["volumeMounts"]}
        with tempfile.TemporaryDirectory() as models, tempfile.TemporaryDirectory() as tables:
            folder = ConfigMapFolder(models)
            folder.write({"mine.json": json.dumps(MODEL)})
            with open(os.path.join(tables, "wpe.safetensors"), "wb") as file:
                file.write(safetensors({"w": numpy.array([[1, 2, 3]], "<f4")}))
            server = Container(pod["containers"][0],
                               {mounts["models"]: models, mounts["tables"]: tables},
                               env={"POSENCD_DRAIN_DELAY": "0"})
            with server:
                self.assertTrue(server.probe("startupProbe"))
                before = server.get("/v1/rope?model=mine&pos=5:6&out=cos&format=raw")
                self.assertEqual(before.status, 200, before)
                self.assertEqual(server.get("/v1/rope?model=other&pos=5:6").status, 400)
                table = server.get("/v1/learned?table=wpe.w&pos=0:1&format=raw")
                self.assertEqual((table.status, table.body), (200, struct.pack("<3f", 1, 2, 3)))
                folder.write({"mine.json": json.dumps({**MODEL, "rope_theta": 7.0})})
                first = next(event for event in server.events() if event["event"] == "models read")
                server.wait_line(lambda event: event["event"] == "models read" and event != first,
                                 "second line on models")
                self.assertNotEqual(server.get("/v1/rope?model=mine&pos=5:6&out=cos&format=raw").body,
                                    before.body)


class Sidecar(unittest.TestCase):
    def test_it_serves_at_a_socket_of_the_pod_alone(self):
        pod = pod_of("sidecar", "application")
        sidecar, application = pod["initContainers"][0], pod["containers"][0]
        socket = {mount["name"]: mount["mountPath"] for mount in sidecar["volumeMounts"]}
        asked = [mount["mountPath"] for mount in application["volumeMounts"]
                 if mount["name"] in socket]
        self.assertEqual(len(asked), 1)
        script = application["args"][0]
        target = script.split("'http://posencd")[1].split("'")[0]
        with Container(sidecar) as server:
            self.assertEqual(server.unix, os.path.join(server.folder.name, "posencd.sock"))
            self.assertIn("--unix-socket %s/posencd.sock" % asked[0], script)
            self.assertEqual(os.stat(server.unix).st_mode & 0o777, 0o660)
            self.assertEqual({event["on"] for event in server.events()
                              if event["event"] == "listening"}, {"unix:" + server.unix})
            for name in PROBES[:2]:
                self.assertTrue(server.probe(name), name)
            with Client(server.unix) as one:
                self.assertEqual(one.get(target).status, 200)
            # The container is killed and started again in the same pod, whose volume is kept.
            os.kill(server.pid, signal.SIGKILL)
            server.process.wait()
            self.assertFalse(server.probe("livenessProbe"))
            with Container(sidecar, {"/run/posencd": server.folder.name}) as again:
                self.assertTrue(again.probe("startupProbe"))
                again_unix = again.unix
            self.assertEqual(again_unix, server.unix)
            server.code = 0  # it has been killed on purpose


class Inference(unittest.TestCase):
    def test_kserve_finds_the_protocol_that_the_runtime_states(self):
        documents = renderings.all_of_them()["kserve"]
        runtime = renderings.one(documents, "ServingRuntime")["spec"]
        model = renderings.one(documents, "InferenceService")["spec"]["predictor"]["model"]
        self.assertEqual(model["runtime"], "posencd")
        self.assertIn(model["protocolVersion"], runtime["protocolVersions"])
        self.assertIn(model["modelFormat"]["name"],
                      [known["name"] for known in runtime["supportedModelFormats"]])
        container = runtime["containers"][0]
        merged = {**container, "args": container["args"] + model["args"]}
        with tempfile.TemporaryDirectory() as models:
            with open(os.path.join(models, "mine.json"), "w", encoding="utf-8") as file:
                json.dump(MODEL, file)
            with Container(merged, {"/mnt/models": models},
                           env={"POSENCD_DRAIN_DELAY": "0"}) as server:
                for name in PROBES:
                    self.assertTrue(server.probe(name), name)
                for name, parameters, target in (("rope", {"dim": 64}, "dim=64"),
                                                 ("rope.mine", {}, "model=mine")):
                    body = {"inputs": [{"name": "pos", "datatype": "INT64", "shape": [2],
                                        "data": [3, 4]}], "parameters": parameters}
                    answer = server.ask("POST", "/v2/models/%s/infer" % name, json.dumps(body).encode())
                    self.assertEqual(answer.status, 200, answer)
                    for output in answer.json()["outputs"]:
                        numbers = server.get("/v1/rope?%s&pos=3:5&out=%s&format=raw" % (
                            target, output["name"])).body
                        self.assertEqual(struct.pack("<%df" % len(output["data"]), *output["data"]),
                                         numbers, (name, output["name"]))
                metrics = runtime["annotations"]
                answer = server.ask_port(int(metrics["prometheus.kserve.io/port"]),
                                         metrics["prometheus.kserve.io/path"])
                self.assertIn("posencd_build_info", answer.text())
