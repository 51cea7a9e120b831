# SPDX-License-Identifier: Apache-2.0
"""kustomization.py - renders what `kubectl apply -k FOLDER` would send, for the part of kustomize
that deploy/ uses: resources, patches (strategic merge), labels (of metadata only) and images.
Anything else in a kustomization is refused, since it would not be rendered."""

import copy
import os

import yaml

KEYS = {"apiVersion", "kind", "resources", "patches", "labels", "images"}
IDENTITY = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}


class Refused(Exception):
    """The kustomization has an entry that is not rendered here, or that means nothing."""


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

def merge_lists(base, patch):
    """Items with a name are merged with the item of that name; other lists are replaced."""
    if not all(isinstance(item, dict) and "name" in item for item in base + patch):
        return copy.deepcopy(patch)
    merged = list(base)
    for item in patch:
        at = [i for i, old in enumerate(merged) if old["name"] == item["name"]]
        if at:
            merged[at[0]] = merge(merged[at[0]], item)
        else:
            merged.append(copy.deepcopy(item))
    return merged


def merge(base, patch):
    """Strategic merge: mappings are merged by key, and null removes a key."""
    if isinstance(base, list) and isinstance(patch, list):
        return merge_lists(base, patch)
    if not isinstance(base, dict) or not isinstance(patch, dict):
        return copy.deepcopy(patch)
    merged = dict(base)
    for key, value in patch.items():
        must(not str(key).startswith("$"), "patches: the directive %s is not rendered", key)
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(base.get(key), value)
    return merged


def apply_patch(documents, entry, folder):
    only(entry, {"path", "patch", "target"}, "patches")
    must(("path" in entry) != ("patch" in entry), "patches: one of path and patch is wanted")
    found = (read(os.path.join(folder, entry["path"])) if "path" in entry
             else [yaml.safe_load(entry["patch"])])
    for patch in found:
        must(isinstance(patch, dict), "patches: lists of operations (JSON 6902) are not rendered")
        target = entry.get("target", {"kind": patch.get("kind"),
                                      "name": patch.get("metadata", {}).get("name")})
        only(target, {"kind", "name"}, "patches: target")
        hit = [i for i, document in enumerate(documents)
               if target.get("kind", document["kind"]) == document["kind"]
               and target.get("name", document["metadata"]["name"]) ==
               document["metadata"]["name"]]
        must(hit, "patches: nothing is %s %s", target.get("kind"), target.get("name"))
        for i in hit:
            kept = name_of(documents[i])
            documents[i] = merge(documents[i], patch)
            must("target" in entry or name_of(documents[i]) == kept, "patches: %s is renamed", kept)


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
    only(entry, {"name", "newName", "newTag", "digest"}, "images")
    used = [container for container in images_of(documents)
            if container["image"].partition(":")[0] == entry["name"]]
    must(used, "images: no container has the image %s", entry["name"])
    for container in used:
        name, _, tag = container["image"].partition(":")
        name, tag = entry.get("newName", name), entry.get("newTag", tag)
        container["image"] = (name + "@" + entry["digest"] if "digest" in entry
                              else name + ":" + str(tag) if tag else name)


def render(folder):
    """The documents, in the order of the kustomization."""
    found = read(os.path.join(folder, "kustomization.yaml"))
    must(len(found) == 1, "one kustomization is wanted; got %d", len(found))
    kustomization = found[0]
    only(kustomization, KEYS, "kustomization")
    for key, value in IDENTITY.items():
        must(kustomization.get(key) == value, "kustomization: %s must be %s", key, value)
    documents = []
    for resource in kustomization.get("resources", []):
        path = os.path.join(folder, resource)
        must(os.path.isfile(path), "resources: %s is no file (folders, URLs are not rendered)",
             resource)
        documents += read(path)
    names = [name_of(document) for document in documents]
    must(len(set(names)) == len(names), "resources: one stands twice in %s", names)
    for entry in kustomization.get("patches", []):
        apply_patch(documents, entry, folder)
    for entry in kustomization.get("labels", []):
        apply_labels(documents, entry)
    for entry in kustomization.get("images", []):
        apply_image(documents, entry)
    unread = {name for name in os.listdir(folder)} - {"kustomization.yaml"} - {
        entry for entry in kustomization.get("resources", [])} - {
        entry.get("path") for entry in kustomization.get("patches", [])}
    must(not unread, "the kustomization does not name %s", ", ".join(sorted(unread)))
    return documents
