# SPDX-License-Identifier: Apache-2.0
"""test_matching.py - the objects of every rendering agree with each other, and a label, port, name
or number that is changed in one object alone is found."""

import copy
import os
import re
import unittest

import yaml

import matching
import mutants
import renderings
from matching import NAME
from program import version
from support.posencd import ROOT

POD = ("spec", "template", "spec")
# (kind, name, path, wrong value, what the sentence says). None removes the field.
WRONG = (
    ("Service", "posencd", ("spec", "selector", NAME), "posencd-cache", "pods of another name"),
    ("Service", "posencd", ("spec", "selector", NAME), "posenc", "one workload"),
    ("Service", "posencd", ("spec", "ports", 0, "targetPort"), "https", "no port https"),
    ("Service", "posencd-pods", ("spec", "ports", 0, "targetPort"), 8081, "no port 8081"),
    ("PodMonitor", "posencd", ("spec", "podMetricsEndpoints", 0, "port"), "metrics",
     "has no port metrics"),
    ("PodMonitor", "posencd", ("spec", "selector", "matchLabels", NAME), "posenc", "one workload"),
    ("PodMonitor", "posencd", ("spec", "jobLabel"), "app", "have no label app"),
    ("PodMonitor", "posencd", ("spec", "selector", "matchLabels"), {NAME: "posencd"},
     "names no instance"),
    ("Service", "posencd", ("spec", "selector"), {NAME: "posencd"}, "names no instance"),
    ("Deployment", "posencd", (*POD, "priorityClassName"), "posenc", "no PriorityClass posenc"),
    ("HorizontalPodAutoscaler", "posencd", ("spec", "metrics", 1, "pods", "metric", "name"),
     "posencd_waiting", "has no metric posencd_waiting"),
    ("PodDisruptionBudget", "posencd", ("spec", "selector"), {}, "matchLabels|everything"),
    ("PodDisruptionBudget", "posencd", ("spec", "maxUnavailable"), 2, "below 2 replicas"),
    ("PodDisruptionBudget", "posencd-cache", ("spec", "selector", "matchLabels", NAME), "cache",
     "one workload"),
    ("HorizontalPodAutoscaler", "posencd", ("spec", "scaleTargetRef", "name"), "posenc", "not there"),
    ("HorizontalPodAutoscaler", "posencd", ("spec", "scaleTargetRef", "apiVersion"), "apps/v1beta1",
     "not there"),
    ("HorizontalPodAutoscaler", "posencd",
     ("spec", "behavior", "scaleDown", "policies", 0, "periodSeconds"), 15, "faster than they drain"),
    ("HorizontalPodAutoscaler", "posencd", ("spec", "minReplicas"), 1, "above 1"),
    ("NetworkPolicy", "posencd", ("spec", "ingress", 0, "ports", 0, "port"), "web", "no port web"),
    ("NetworkPolicy", "posencd", ("spec", "ingress", 1, "from", 0, "podSelector"), {}, "open to more"),
    ("NetworkPolicy", "posencd", ("spec", "ingress", 0, "ports", 0, "port"), "admin", "open to more"),
    ("NetworkPolicy", "posencd",
     ("spec", "ingress", 0, "from", 0, "podSelector", "matchLabels", "posencd-client"), "yes",
     "keeps Deployment/posencd-cache out"),
    ("NetworkPolicy", "posencd", ("spec", "egress"), [{}], "open connections"),
    ("NetworkPolicy", "posencd", ("spec", "policyTypes"), ["Ingress"], "open connections"),
    ("Deployment", "posencd", ("spec", "replicas"), 2, "both say how many"),
    ("Deployment", "posencd", ("spec", "template", "metadata", "labels", NAME), "posenc", "none"),
    ("Deployment", "posencd-cache", ("spec", "selector", "matchLabels", NAME), "posencd",
     "selects the pods of Deployment/posencd"),
    ("Deployment", "posencd", ("spec", "template", "metadata", "annotations"),
     {"prometheus.io/scrape": "true"}, "by its annotations too"),
    ("Deployment", "posencd", (*POD, "containers", 0, "ports", 1, "name"), "metrics",
     "no port admin|at port admin"),
    ("Deployment", "posencd", (*POD, "containers", 0, "livenessProbe", "httpGet", "port"), 8091,
     "at port 8091"),
    ("Deployment", "posencd", (*POD, "containers", 0, "image"), "posencd", "no version"),
    ("Deployment", "posencd", (*POD, "containers", 0, "resources", "requests", "memory"), "2Gi",
     "more memory"),
    ("Deployment", "posencd", (*POD, "containers", 0, "securityContext", "readOnlyRootFilesystem"),
     False, "not restricted"),
    ("Deployment", "posencd",
     (*POD, "topologySpreadConstraints", 0, "labelSelector", "matchLabels", NAME), "posencd-cache",
     "which are not its pods|which nothing of ours has"),
    ("Deployment", "posencd", (*POD, "volumes", 0, "name"), "other", "not both there and mounted"),
    ("Deployment", "posencd-cache", (*POD, "volumes", 1, "configMap", "name"), "posencd-nginx",
     "no ConfigMap posencd-nginx"),
    ("PersistentVolumeClaim", "posencd-tables", ("metadata", "name"), "tables",
     "no PersistentVolumeClaim posencd-tables"),
)


class Matching(unittest.TestCase):
    def test_the_objects_of_every_rendering_agree(self):
        for name, documents in renderings.all_of_them().items():
            self.assertEqual(matching.check(documents), [], name)

    def test_an_object_that_disagrees_is_found(self):
        everything = renderings.all_of_them()["base with everything"]
        for kind, name, path, value, says in WRONG:
            documents = copy.deepcopy(everything)
            right = renderings.one(documents, kind, name)
            documents[documents.index(right)] = mutants.changed(right, path, value)
            findings = matching.check(documents)
            self.assertRegex("\n".join(findings), says, (kind, name, path, value))
        print("%d renderings agree, %d disagreements found" % (len(renderings.all_of_them()),
                                                               len(WRONG)))

    def test_every_posencd_is_of_this_version_and_every_nginx_of_one(self):
        images = {container["image"] for documents in renderings.all_of_them().values()
                  for _, pod in renderings.pods_of(documents)
                  for container in renderings.containers_of(pod)}
        with open(os.path.join(ROOT, "deploy", "compose", "compose.yaml"), encoding="utf-8") as file:
            images |= {service["image"] for service in yaml.safe_load(file)["services"].values()}
        ours = {image for image in images if image.startswith("posencd:")}
        self.assertEqual(ours, {"posencd:" + version()})
        nginx = [image for image in images if "nginx" in image]
        self.assertEqual(len(nginx), 1)
        self.assertGreaterEqual(float(re.search(r":(\d+\.\d+)", nginx[0]).group(1)), 1.28)

    def test_no_pod_of_ours_has_the_variables_of_services(self):
        for name, documents in renderings.all_of_them().items():
            for document in documents:
                spec = document.get("spec", {})
                pod = (spec["predictor"] if document["kind"] == "InferenceService" else
                       spec["template"]["spec"] if document["kind"] == "Deployment" else None)
                if pod and document["metadata"]["name"] != "application":
                    self.assertIs(pod.get("enableServiceLinks"), False, name)
