# SPDX-License-Identifier: Apache-2.0
"""test_schemas.py - every object of deploy/kustomize, and of the chart with other values than the
defaults, is one that Kubernetes, prometheus-operator and
KServe take, and wrong copies of them are refused."""

import os
import unittest

import chart
import kustomization
import mutants
import renderings
import schemas
import test_chart

FULL = bool(os.environ.get("FULL"))
# Without FULL each of these fields is misspelt in one object that has it.
SOME = ("replicas", "enableServiceLinks", "topologySpreadConstraints", "whenUnsatisfiable",
        "startupProbe", "httpGet", "path", "port", "readOnlyRootFilesystem", "containerPort",
        "volumeMounts", "restartPolicy", "claimName", "optional", "scaleTargetRef", "behavior",
        "averageUtilization", "averageValue", "priorityClassName", "preemptionPolicy", "policyTypes", "podSelector", "namespaceSelector", "podMetricsEndpoints",
        "jobLabel", "clusterIP", "maxUnavailable", "accessModes",
        "protocolVersions", "supportedModelFormats", "runtime", "predictor", "lifecycle", "emptyDir",
        "defaultMode", "data")
# Without these an object has no schema that could judge it.
IDENTITY = ("apiVersion", "kind")
# Values of the wrong type or outside of what a schema lists: kind, path, value.
WRONG = (("Deployment", ("spec", "replicas"), "two"),
         ("Deployment", ("spec", "template", "spec", "containers"), {}),
         ("Deployment", ("spec", "template", "spec", "enableServiceLinks"), "false"),
         ("Service", ("spec", "ports", 0, "port"), "http"),
         ("NetworkPolicy", ("spec", "policyTypes"), "Ingress"),
         ("HorizontalPodAutoscaler", ("spec", "maxReplicas"), None),
         ("HorizontalPodAutoscaler", ("apiVersion",), "autoscaling/v1"),
         ("PodMonitor", ("spec", "podMetricsEndpoints", 0, "interval"), "15 seconds"),
         ("PodMonitor", ("spec", "selector"), None),
         ("PriorityClass", ("value",), "high"),
         ("PersistentVolumeClaim", ("spec", "accessModes"), "ReadWriteMany"),
         ("ServingRuntime", ("spec", "protocolVersions"), ["v3"]),
         ("ServingRuntime", ("spec", "containers", 0, "name"), "posencd"),
         ("InferenceService", ("spec", "predictor", "model", "modelFormat", "name"), 1))


def objects():
    """Each different object once."""
    found = []
    for documents in [*renderings.all_of_them().values(), chart.render(("posencd", test_chart.sampled()))[0]]:
        found += [document for document in documents if document not in found]
    return found


def every_mutant(documents):
    """(what, object): every field of every object misspelt; without FULL, of SOME fields one each."""
    done = set()
    for document in documents:
        for path in mutants.fields(document):
            if path[0] in IDENTITY:
                continue
            if FULL or path[-1] in SOME and path[-1] not in done:
                done.add(path[-1])
                yield ("%s: %s" % (kustomization.name_of(document), "/".join(map(str, path))),
                       mutants.misspelt(document, path))
    assert FULL or done == set(SOME), set(SOME) - done
    for kind, path, value in WRONG:
        document = next(document for document in documents if document["kind"] == kind)
        yield "%s: %s is %r" % (kind, path, value), mutants.changed(document, path, value)


class Schemas(unittest.TestCase):
    def test_every_object_is_taken_and_every_mutant_is_refused(self):
        right = objects()
        wrong = list(every_mutant(right))
        findings = schemas.judge(right + [document for _, document in wrong])
        for document, sentences in zip(right, findings):
            self.assertEqual(sentences, [], kustomization.name_of(document))
        missed = [what for (what, _), sentences in zip(wrong, findings[len(right):])
                  if not sentences]
        self.assertEqual(missed, [])
        print("%d objects of %d kinds taken, %d mutants refused" % (
            len(right), len({document["kind"] for document in right}), len(wrong)))
