# SPDX-License-Identifier: Apache-2.0
"""strategic_merge.py - merges a patch into a Kubernetes object as `kubectl` does: mappings by key,
lists of the fields below by the key of their items, other lists as a whole."""

import copy

# Fields that are merged item by item, and the key that tells the items apart.
KEYS = {"containers": "name", "initContainers": "name", "volumes": "name", "env": "name",
        "volumeMounts": "mountPath", "ports": "containerPort"}


class Refused(Exception):
    """The kustomization has an entry that is not rendered here, or that means nothing."""


def merge_items(key, base, patch):
    """New items stand before the old ones."""
    merged, new = list(base), []
    for item in patch:
        if "$patch" in item or key not in item:
            raise Refused("patches: every item must have the key %s; got %r" % (key, item))
        at = [i for i, old in enumerate(merged) if old[key] == item[key]]
        if at:
            merged[at[0]] = merge(merged[at[0]], item)
        else:
            new.append(merge({}, item))
    return new + merged


def merge(base, patch):
    """Mappings are merged by key, and null removes a key."""
    if not isinstance(base, dict) or not isinstance(patch, dict):
        return copy.deepcopy(patch)
    merged = dict(base)
    for key, value in patch.items():
        if str(key).startswith("$"):
            raise Refused("patches: the directive %s is not rendered" % key)
        if value is None:
            merged.pop(key, None)
        elif key in KEYS and isinstance(value, list):
            merged[key] = merge_items(KEYS[key], base.get(key, []), value)
        elif isinstance(value, dict):
            merged[key] = merge(base.get(key, {}), value)
        else:
            merged[key] = copy.deepcopy(value)
    return merged
