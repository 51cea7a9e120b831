# SPDX-License-Identifier: Apache-2.0
"""kustomization.py - renders what `kubectl apply -k FOLDER` would send, for the part of kustomize
that deploy/ uses: resources, components, configMapGenerator (files), patches (strategic
merge, and additions to a list),
labels (of metadata only) and images. Anything else in a kustomization is refused, since it would
not be rendered."""

import copy
import os

import yaml

import config_maps
from strategic_merge import Refused, merge

KEYS = {"apiVersion", "kind", "resources", "components", "configMapGenerator", "patches", "labels",
        "images"}
API = "kustomize.config.k8s.io/"
IDENTITIES = ({"apiVersion": API + "v1beta1", "kind": "Kustomization"},
              {"apiVersion": API + "v1alpha1", "kind": "Component"})


def must(true, sentence, *values):
    if not true:
        raise Refused(sentence % values)


def only(entry, keys, where):
    must(isinstance(entry, dict), "%s must be a mapping; got %r", where, entry)
    unknown = set(entry) - keys
    must(not unknown, "%s: %s is not rendered", where, ", ".join(sorted(unknown)))


def read(path):
    """The documents of a YAML file."""
    with open(path, encoding="utf-8") as file:
        return [document for document in yaml.safe_load_all(file) if document is not None]


def name_of(document):
    return "%s/%s" % (document["kind"], document["metadata"]["name"])


# ---- patches ---------------------------------------------------------------------------------

def selected(document, target):
    """Whether a patch's target, which has kind, name and labelSelector, is this document."""
    labels = document["metadata"].get("labels", {})
    pairs = [pair.partition("=") for pair in target.get("labelSelector", "").split(",") if pair]
    return (target.get("kind", document["kind"]) == document["kind"]
            and target.get("name", document["metadata"]["name"]) == document["metadata"]["name"]
            and all(labels.get(key) == value for key, _, value in pairs))


def add_operations(document, operations):
    """The document with values added to the ends of its lists, as JSON 6902 says it."""
    made = copy.deepcopy(document)
    for one in operations:
        only(one, {"op", "path", "value"}, "patches: JSON 6902")
        path = str(one.get("path"))
        must(one.get("op") == "add" and path.endswith("/-"),
             "patches: of JSON 6902, only `add` at the end of a list is rendered; got %s %s",
             one.get("op"), path)
        place = made
        for step in path.split("/")[1:-1]:
            place = place.get(step) if isinstance(place, dict) else None
        must(isinstance(place, list), "patches: there is no list at %s", path)
        place.append(one["value"])
    return made


def apply_patch(documents, entry, folder):
    only(entry, {"path", "patch", "target"}, "patches")
    must(("path" in entry) != ("patch" in entry), "patches: one of path and patch is wanted")
    found = (read(os.path.join(folder, entry["path"])) if "path" in entry
             else [yaml.safe_load(entry["patch"])])
    for patch in found:
        must(isinstance(patch, dict) or "target" in entry, "patches: a list of operations wants a target")
        target = entry.get("target") or {"kind": patch.get("kind"),
                                         "name": patch.get("metadata", {}).get("name")}
        only(target, {"kind", "name", "labelSelector"}, "patches: target")
        hit = [i for i, document in enumerate(documents) if selected(document, target)]
        must(hit, "patches: nothing is %s", target)
        for i in hit:
            if isinstance(patch, list):
                documents[i] = add_operations(documents[i], patch)
                continue
            kept = {key: documents[i][key] for key in ("apiVersion", "kind")}
            name = documents[i]["metadata"]["name"]
            documents[i] = {**merge(documents[i], patch), **kept}
            documents[i]["metadata"]["name"] = name


# ---- labels and images -----------------------------------------------------------------------

def apply_labels(documents, entry):
    only(entry, {"pairs"}, "labels (selectors and templates have theirs written out)")
    must(entry.get("pairs"), "labels: pairs is empty")
    for document in documents:
        document["metadata"].setdefault("labels", {}).update(entry["pairs"])


def images_of(node):
    """Every mapping that has the key image."""
    if isinstance(node, dict):
        if isinstance(node.get("image"), str):
            yield node
        for value in node.values():
            yield from images_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from images_of(value)


def apply_image(documents, entry):
    only(entry, {"name", "newTag"}, "images")
    used = [container for container in images_of(documents)
            if container["image"].partition(":")[0] == entry["name"]]
    must(used, "images: no container has the image %s", entry["name"])
    for container in used:
        container["image"] = "%s:%s" % (entry["name"], entry["newTag"])


# ---- folders ---------------------------------------------------------------------------------

def check_generator(entry):
    only(entry, {"name", "files"}, "configMapGenerator")
    must(entry.get("name") and entry.get("files"), "configMapGenerator: name and files are wanted")
    for file in entry["files"]:
        must("/" not in file and "=" not in file,
             "configMapGenerator: %s must be a file of the kustomization's own folder", file)


def resources_of(kustomization, folder):
    """The documents of files and folders, and the generated ones."""
    documents = []
    for resource in kustomization.get("resources", []):
        path = os.path.join(folder, resource)
        must(os.path.exists(path), "resources: there is no file %s (URLs are not rendered)",
             resource)
        if os.path.isdir(path):
            documents += accumulate(path, "Kustomization", [])
        else:
            must("/" not in resource, "resources: %s is a file of another folder", resource)
            documents += read(path)
    for entry in kustomization.get("configMapGenerator", []):
        check_generator(entry)
        documents.append(config_maps.generate(entry, folder))
    return documents


def check_unread(kustomization, folder):
    """A YAML file that no entry names would never be applied."""
    named = {"kustomization.yaml", *kustomization.get("resources", []),
             *(entry.get("path") for entry in kustomization.get("patches", []))}
    unread = {name for name in os.listdir(folder) if name.endswith(".yaml")} - named
    must(not unread, "the kustomization does not name %s", ", ".join(sorted(unread)))


def accumulate(folder, kind, documents):
    """The documents with those of a folder added and its changes made, in kustomize's order."""
    found = read(os.path.join(folder, "kustomization.yaml"))
    must(len(found) == 1, "one kustomization is wanted; got %d", len(found))
    kustomization = found[0]
    only(kustomization, KEYS, "kustomization")
    identity = {key: kustomization.get(key) for key in ("apiVersion", "kind")}
    must(identity in IDENTITIES and identity["kind"] == kind, "%s must be a %s; got %s", folder, kind,
         identity)
    documents = documents + resources_of(kustomization, folder)
    names = [name_of(document) for document in documents]
    must(len(set(names)) == len(names), "resources: one stands twice in %s", names)
    for component in kustomization.get("components", []):
        documents = accumulate(os.path.join(folder, component), "Component", documents)
    for entry in kustomization.get("patches", []):
        apply_patch(documents, entry, folder)
    for entry in kustomization.get("labels", []):
        apply_labels(documents, entry)
    for entry in kustomization.get("images", []):
        apply_image(documents, entry)
    check_unread(kustomization, folder)
    return documents


def render(folder, components=()):
    """The documents, in the order of the kustomization; components are those of a folder that names
    them last."""
    documents = accumulate(folder, "Kustomization", [])
    for component in components:
        documents = accumulate(component, "Component", documents)
    documents = copy.deepcopy(documents)  # what YAML's aliases share is told apart
    config_maps.finish(documents)
    return documents
