# SPDX-License-Identifier: Apache-2.0
"""renderings.py - all that deploy/kustomize can be applied as: the base, the base with each
component, with all of them, and the overlays."""

import functools
import os

import kustomization
from support.posencd import ROOT

FOLDER = os.path.join(ROOT, "deploy", "kustomize")
# These components add to the Deployment of the base; the sidecar adds to Deployments of others.
COMPONENTS = ("autoscaling", "cache", "files", "load", "monitoring", "network", "priority")
# What a component adds to another one.
NEEDS = {"load": ["autoscaling"]}
OVERLAYS = ("kserve", "production", "sidecar")


NAMES = ("base", *("base with " + name for name in COMPONENTS), "base with everything", *OVERLAYS)


def sources_of(name):
    """The folder of a rendering and those of the components that are added to it."""
    if name in OVERLAYS:
        return os.path.join(FOLDER, "overlays", name), []
    chosen = name.removeprefix("base").removeprefix(" with ")
    chosen = COMPONENTS if chosen == "everything" else [chosen] if chosen else []
    return os.path.join(FOLDER, "base"), folders_of(chosen)


def folders_of(chosen):
    """The folders of components and of those that they add to, in their order."""
    wanted = {*chosen, *(one for name in chosen for one in NEEDS.get(name, []))}
    return [os.path.join(FOLDER, "components", one) for one in COMPONENTS if one in wanted]


def base_with(chosen):
    """The documents of the base and these components."""
    return kustomization.render(os.path.join(FOLDER, "base"), folders_of(chosen))


@functools.cache
def all_of_them():
    """{name: documents}."""
    return {name: kustomization.render(*sources_of(name)) for name in NAMES}


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
