# SPDX-License-Identifier: Apache-2.0
"""test_kustomize.py - deploy/kustomize as it would be applied: every selector is compared with the
labels of the pods; the base's ports, probes, flags and limits with the program. What needs npm's
packages or a running service is in kubernetes/."""

import os
import shutil
import subprocess
import tempfile
import unittest

import yaml

import config_maps
import kustomization
import renderings
import selection
from program import configuration, seconds, size, version

HEAD = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
POD = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
spec:
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}}
    spec: {containers: [{name: a, image: "a:1", args: [x]}]}
"""


def rendered(text, **files):
    """A kustomization of a.yaml (a Deployment) and other files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {"a": POD, "kustomization": HEAD + text, **files}.items():
            with open(os.path.join(folder, name + ".yaml"), "w", encoding="utf-8") as file:
                file.write(content)
        return kustomization.render(folder)


class Renderer(unittest.TestCase):
    def refused(self, text, says, **files):
        with self.assertRaisesRegex(kustomization.Refused, says):
            rendered(text, **files)

    def test_what_is_not_rendered_is_refused(self):
        for key in ("namePrefix: x-", "commonLabels: {a: b}", "secretGenerator: []",
                    "patchesStrategicMerge: [x]"):
            self.refused("resources: [a.yaml]\n" + key, "is not rendered")
        self.refused("resources: [a.yaml]\nlabels: [{pairs: {a: b}, includeSelectors: true}]",
                     "includeSelectors is not rendered")
        self.refused("resources: [https://example.org/x]", "no file")
        self.refused("resources: [a.yaml]\ncomponents: [.]", "must be a Component")
        self.refused("resources: [a.yaml, /etc/hosts]", "another folder")
        self.refused("configMapGenerator: [{name: x, literals: [a=b]}]", "literals is not rendered")
        self.refused("configMapGenerator: [{name: x, files: [../a.yaml]}]", "own folder")
        for patch, says in (("{op: remove, path: /x/-}", "only `add` at the end"),
                            ("{op: add, path: /spec/x, value: 1}", "only `add` at the end"),
                            ("{op: add, path: /spec/x/-, value: 1}", "there is no list at /spec/x/-"),
                            ("{op: add, path: /x/-, from: /y}", "from is not rendered")):
            self.refused("resources: [a.yaml]\npatches: [{patch: '[%s]', target: {kind: Deployment}}]"
                         % patch, says)
        self.refused("resources: [a.yaml]\npatches: [{patch: '[{op: add, path: /x/-, value: 1}]'}]",
                     "wants a target")
        self.refused("resources: [a.yaml]\npatches: [{patch: '{spec: {x: {$patch: delete}}}', target: "
                     "{kind: Deployment}}]", "directive .patch is not rendered")
        self.refused("resources: [a.yaml]\npatches: [{patch: 'x: 1', target: {labelSelector: x=y}}]",
                     "nothing is")
        self.refused("resources: [a.yaml]\nimages: [{name: b, newTag: '2'}]", "no container")
        self.refused("resources: [a.yaml]", "does not name b.yaml", b=POD)
        self.refused("resources: [a.yaml, b.yaml]", "twice", b=POD)

    def test_labels_go_to_the_metadata_alone(self):
        document = rendered("resources: [a.yaml]\nlabels: [{pairs: {x: y}}]")[0]
        self.assertEqual(document["metadata"]["labels"], {"x": "y"})
        self.assertEqual(document["spec"]["template"]["metadata"]["labels"], {"app": "a"})

    def test_images_and_patches_are_applied(self):
        document = rendered("resources: [a.yaml]\nimages: [{name: a, newTag: '2'}]\npatches: "
                            "[{path: b.yaml}]",
                            b="kind: Deployment\nmetadata: {name: a}\nspec: {replicas: 3, template:"
                              " {spec: {containers: [{name: a, args: [z]}]}}}")[0]
        self.assertEqual(document["spec"]["replicas"], 3)
        self.assertEqual(document["spec"]["template"]["spec"]["containers"],
                         [{"name": "a", "image": "a:2", "args": ["z"]}])

    def test_values_are_added_to_the_end_of_a_list(self):
        patch = "'[{op: add, path: /spec/y/-, value: {b: 2}}]'"
        document = rendered("resources: [a.yaml, b.yaml]\npatches: [{patch: %s, target: {kind: B}}]" % patch,
                            b="kind: B\nmetadata: {name: b}\nspec: {y: [1]}")[1]
        self.assertEqual(document["spec"]["y"], [1, {"b": 2}])

    def test_a_changed_file_gives_its_config_map_another_name(self):
        names = []
        for text in ("a: 1", "a: 2", "a: 1"):
            documents = rendered(
                "resources: [a.yaml, b.yaml]\nconfigMapGenerator: [{name: c, files: [b.yaml]}]",
                b=POD.replace("name: a}", "name: b}").replace("a:1", text.replace(": ", ":"))
                .replace("args: [x]}]", "args: [x]}], volumes: [{name: v, configMap: {name: c}}]"))
            volume = documents[1]["spec"]["template"]["spec"]["volumes"][0]
            self.assertEqual(volume["configMap"]["name"], documents[2]["metadata"]["name"])
            names.append(documents[2]["metadata"]["name"])
        self.assertEqual([len(set(names)), names[0]], [2, names[2]])

    def theirs(self, folder):
        """What kubectl renders, by names."""
        done = subprocess.run(["kubectl", "kustomize", folder], capture_output=True, check=True)
        return {kustomization.name_of(document): document
                for document in yaml.safe_load_all(done.stdout)}

    def test_what_is_rendered_is_what_kubectl_renders(self):
        """Where there is a kubectl; the hash of this ConfigMap was made by its 1.32."""
        self.assertEqual(config_maps.hash_of({"data": {"k": "<v>\n"}}), "kt249c825c")
        for name, documents in renderings.all_of_them().items() if shutil.which("kubectl") else ():
            with tempfile.TemporaryDirectory() as folder:
                base, components = renderings.sources_of(name)
                text = HEAD + yaml.dump({
                    "resources": [os.path.relpath(base, os.path.realpath(folder))],
                    "components": [os.path.relpath(one, os.path.realpath(folder))
                                   for one in components]})
                with open(os.path.join(folder, "kustomization.yaml"), "w", encoding="utf-8") as file:
                    file.write(text)
                self.assertEqual({kustomization.name_of(document): document
                                  for document in documents}, self.theirs(folder), name)


class Selectors(unittest.TestCase):
    def wrong(self, text, says):
        documents = rendered("resources: [a.yaml, b.yaml]", b=text)
        findings = selection.check(documents)
        self.assertEqual(len(findings), 1, findings)
        self.assertIn(says, findings[0])

    def test_a_selector_of_everything_is_found(self):
        for kind, spec in (("PodDisruptionBudget", "{selector: {}}"),
                           ("PodDisruptionBudget", "{selector: {matchLabels: {}}}"),
                           ("PodDisruptionBudget", "{selector: null}"),
                           ("NetworkPolicy", "{podSelector: {}}"), ("Service", "{selector: {}}"),
                           ("PodMonitor", "{selector: {}}")):
            self.wrong("kind: %s\nmetadata: {name: b}\nspec: %s" % (kind, spec), kind + "/b.")

    def test_a_selector_that_is_missing_is_found(self):
        for kind in ("PodDisruptionBudget", "NetworkPolicy", "Service", "PodMonitor"):
            self.wrong("kind: %s\nmetadata: {name: b}\nspec: {x: 1}" % kind, "has no selector")

    def test_a_selector_of_others_is_found(self):
        for kind, spec in (("PodDisruptionBudget", "{selector: {matchLabels: {app: b}}}"),
                           ("Service", "{selector: {app: a, tier: x}}"),
                           ("NetworkPolicy", "{podSelector: {matchLabels: {application: a}}}")):
            self.wrong("kind: %s\nmetadata: {name: b}\nspec: %s" % (kind, spec),
                       "which nothing of ours has")
        spread = POD.replace("name: a}", "name: b}").replace(
            "spec: {containers", "spec: {topologySpreadConstraints: [{labelSelector: {matchLabels: "
            "{app: z}}}], containers")
        self.wrong(spread, "topologySpreadConstraints[0].labelSelector selects")

    def test_a_selector_of_ours_is_right(self):
        documents = rendered("resources: [a.yaml, b.yaml, c.yaml]",
                             b="kind: NetworkPolicy\nmetadata: {name: b}\nspec: {podSelector: "
                               "{matchLabels: {app: a}}, ingress: [{from: [{podSelector: {}}]}]}",
                             c="kind: Service\nmetadata: {name: c}\nspec: {selector: {app: a}}")
        self.assertEqual(selection.check(documents), [])


class Deployed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.documents = renderings.all_of_them()["base"]
        cls.workload = cls.one("Deployment")
        cls.pod = cls.workload["spec"]["template"]["spec"]
        cls.container = cls.pod["containers"][0]
        assert cls.container["args"][0] == "serve", cls.container["args"]
        cls.flags = cls.container["args"][1:]
        cls.config = configuration(cls.flags)
        cls.ports = {port["name"]: port["containerPort"] for port in cls.container["ports"]}

    @classmethod
    def one(cls, kind):
        return next(document for document in cls.documents if document["kind"] == kind)

    def test_every_selector_selects_our_pods_and_nothing_else(self):
        for name, documents in renderings.all_of_them().items():
            self.assertEqual(selection.check(documents), [], name)
        kinds = [document["kind"] for document in self.documents]
        self.assertEqual(sorted(kinds), ["Deployment", "PodDisruptionBudget", "Service"])

    def test_a_drain_of_a_node_can_go_on(self):
        budget = self.one("PodDisruptionBudget")["spec"]
        self.assertLess(0, budget["maxUnavailable"])
        self.assertLess(budget["maxUnavailable"], self.workload["spec"]["replicas"])

    def test_the_image_is_of_this_version(self):
        self.assertEqual(self.container["image"], "posencd:" + version())

    def test_ports_are_those_that_it_listens_at(self):
        said = {self.config[flag].rpartition(":")[2] for flag in ("listen", "admin-listen")}
        self.assertEqual({str(port) for port in self.ports.values()}, said)
        for port in self.one("Service")["spec"]["ports"]:
            self.assertIn(port["targetPort"], self.ports)
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            self.assertIn(self.container[probe]["httpGet"]["port"], self.ports)
        scrape = self.workload["spec"]["template"]["metadata"]["annotations"]
        self.assertEqual(int(scrape["prometheus.io/port"]), self.ports["admin"])

    def test_it_may_take_as_long_as_it_takes_to_drain(self):
        drain = seconds(self.config["drain-delay"]) + seconds(self.config["drain-timeout"])
        self.assertGreater(self.pod["terminationGracePeriodSeconds"], drain)

    def test_its_memory_is_enough(self):
        limit = size(self.container["resources"]["limits"]["memory"])
        configuration([*self.flags, "--max-memory", str(limit)])
        self.assertLessEqual(size(self.container["resources"]["requests"]["memory"]), limit)
