# SPDX-License-Identifier: Apache-2.0
"""renderings.py - all that deploy/kustomize can be applied as: the base, the base with each
component, with all of them, and the overlays."""

import functools
import os

import kustomization
from support.posencd import ROOT

FOLDER = os.path.join(ROOT, "deploy", "kustomize")
# These components add to the Deployment of the base; the sidecar adds to Deployments of others.
COMPONENTS = ("autoscaling", "cache", "files", "monitoring", "network")
OVERLAYS = ("kserve", "production", "sidecar")


@functools.cache
def all_of_them():
    """{name: documents}."""
    base = os.path.join(FOLDER, "base")
    folders = {name: os.path.join(FOLDER, "components", name) for name in COMPONENTS}
    found = {"base": kustomization.render(base)}
    for name, folder in folders.items():
        found["base with " + name] = kustomization.render(base, [folder])
    found["base with everything"] = kustomization.render(base, folders.values())
    for name in OVERLAYS:
        found[name] = kustomization.render(os.path.join(FOLDER, "overlays", name))
    return found


def one(documents, kind, name="posencd"):
    """The document of a kind and name."""
    found = [document for document in documents
             if (document["kind"], document["metadata"]["name"]) == (kind, name)]
    assert len(found) == 1, "%d documents are %s/%s" % (len(found), kind, name)
    return found[0]


def containers_of(pod):
    """Every container of a pod's spec."""
    return pod.get("initContainers", []) + pod["containers"]


def pods_of(documents):
    """(name, spec) of the pods of every workload and of every KServe runtime."""
    for document in documents:
        if "template" in document.get("spec", {}):
            yield document["metadata"]["name"], document["spec"]["template"]["spec"]
        elif document["kind"] == "ServingRuntime":
            yield document["metadata"]["name"], document["spec"]
