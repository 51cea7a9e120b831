# SPDX-License-Identifier: Apache-2.0
"""selection.py - checks that each selector of rendered Kubernetes documents selects what it is
meant for: the pods of the workload, and no object of another application. An empty selector selects everything of its namespace."""

WORKLOADS = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job")
# The keys under which a selector may stand; below ingress and egress it selects other pods than
# ours.
FIELDS = ("selector", "podSelector", "labelSelector")
OF_OTHERS = ("ingress", "egress", "namespaceSelector")
# The kinds whose selectors are plain pairs; all other kinds have matchLabels.
PLAIN = ("Service",)
# The kinds that do nothing without a selector, or harm.
NEED_ONE = WORKLOADS[:4] + PLAIN + ("PodDisruptionBudget", "NetworkPolicy", "PodMonitor")


def find(node, path=""):
    """(path, selector) of every selector below a node."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in FIELDS:
                yield path + "." + key, value
            elif key not in OF_OTHERS:
                yield from find(value, path + "." + key)
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from find(value, "%s[%d]" % (path, i))


def pods_of(documents):
    """The labels of each workload's pods."""
    return [document["spec"]["template"]["metadata"].get("labels", {})
            for document in documents if document["kind"] in WORKLOADS]


def pairs_of(kind, selector):
    """The pairs that a selector requires, or a sentence on what is wrong with it."""
    if kind not in PLAIN:
        if not isinstance(selector, dict) or set(selector) - {"matchLabels"}:
            return None, "must have matchLabels and nothing else; got %r" % (selector,)
        selector = selector.get("matchLabels")
    if not selector:
        return None, "is empty: it selects everything of the namespace"
    return selector, None


def check(documents):
    """The faults, a sentence each."""
    findings, pods = [], pods_of(documents)
    for document in documents:
        name = "%s/%s" % (document["kind"], document["metadata"]["name"])
        found = list(find(document.get("spec", {})))
        own = document["kind"] in WORKLOADS and document["spec"]["template"]["metadata"].get(
            "labels", {})
        if document["kind"] in NEED_ONE and not [at for at, _ in found if at.count(".") == 1]:
            findings.append("%s has no selector" % name)
        for path, selector in found:
            pairs, wrong = pairs_of(document["kind"], selector)
            if wrong:
                findings.append("%s%s %s" % (name, path, wrong))
                continue
            meant = [own] if own is not False else pods
            if not any(pairs.items() <= labels.items() for labels in meant):
                findings.append("%s%s selects %r, which nothing of ours has" % (name, path, pairs))
    return findings
