# SPDX-License-Identifier: Apache-2.0
"""matching.py - checks that the objects of one rendering agree: names, labels and ports that one
object has and another refers to. Selectors of nothing and of everything are found by
selection.py."""

import adapter
import renderings
import selection
from program import size

NAME = "app.kubernetes.io/name"
INSTANCE = "app.kubernetes.io/instance"

def find(documents, *kinds):
    return [document for document in documents if document["kind"] in kinds]


def name_of(document):
    return "%s/%s" % (document["kind"], document["metadata"]["name"])


def matches(pairs, labels):
    return bool(pairs) and pairs.items() <= labels.items()


def labels_of_pods(workload):
    return workload["spec"]["template"]["metadata"].get("labels", {})


def selected(documents, pairs):
    """The workloads whose pods have these labels."""
    return [workload for workload in find(documents, *selection.WORKLOADS)
            if matches(pairs, labels_of_pods(workload))]


def ports_of(pod):
    """{name: number} of the ports that a pod declares."""
    return {port.get("name", str(port["containerPort"])): port["containerPort"]
            for container in renderings.containers_of(pod)
            for port in container.get("ports", [])}


def has_port(workload, port):
    ports = ports_of(workload["spec"]["template"]["spec"])
    return port in ports or port in ports.values()


# ---- each yields sentences ---------------------------------------------------------------------

def of_another(document, selector):
    """Whether the name in an object's labels is another than that of the pods that it selects."""
    return document["metadata"]["labels"].get(NAME) != (selector or {}).get(NAME)


def services(documents):
    for service in find(documents, "Service"):
        if of_another(service, service["spec"].get("selector")):
            yield "%s selects pods of another name than its own" % name_of(service)
        for port in service["spec"]["ports"]:
            for workload in selected(documents, service["spec"].get("selector")):
                if not has_port(workload, port["targetPort"]):
                    yield "%s: %s has no port %s" % (name_of(service), name_of(workload),
                                                     port["targetPort"])
        if len(selected(documents, service["spec"].get("selector"))) != 1:
            yield "%s must select the pods of one workload" % name_of(service)


def workloads(documents):
    found = find(documents, *selection.WORKLOADS)
    for workload in found:
        pairs = workload["spec"]["selector"].get("matchLabels")
        hit = [name_of(one) for one in selected(documents, pairs)]
        if hit != [name_of(workload)]:
            yield "%s selects the pods of %s" % (name_of(workload), " and ".join(hit) or "none")
        for spread in workload["spec"]["template"]["spec"].get("topologySpreadConstraints", []):
            if spread["labelSelector"]["matchLabels"] != pairs:
                yield "%s spreads %r, which are not its pods" % (name_of(workload),
                                                                 spread["labelSelector"])


def budgets(documents):
    for budget in find(documents, "PodDisruptionBudget"):
        if of_another(budget, budget["spec"]["selector"].get("matchLabels")):
            yield "%s selects pods of another name than its own" % name_of(budget)
        hit = selected(documents, budget["spec"]["selector"].get("matchLabels"))
        if len(hit) != 1:
            yield "%s must select the pods of one workload" % name_of(budget)
            continue
        scaled = [one["spec"]["minReplicas"] for one in find(documents, "HorizontalPodAutoscaler")
                  if one["spec"]["scaleTargetRef"]["name"] == hit[0]["metadata"]["name"]]
        replicas = hit[0]["spec"].get("replicas", scaled[0] if scaled else 1)
        if not 0 < budget["spec"]["maxUnavailable"] < replicas:
            yield "%s: maxUnavailable must be 1 or more, and below %d replicas" % (
                name_of(budget), replicas)


def autoscalers(documents):
    for scaler in find(documents, "HorizontalPodAutoscaler"):
        target, spec = scaler["spec"]["scaleTargetRef"], scaler["spec"]
        hit = [one for one in documents if one["metadata"]["name"] == target["name"] and
               (one["apiVersion"], one["kind"]) == (target["apiVersion"], target["kind"])]
        if not hit:
            yield "%s scales %s/%s, which is not there" % (name_of(scaler), target["kind"],
                                                           target["name"])
            continue
        pod = hit[0]["spec"]["template"]["spec"]
        if "replicas" in hit[0]["spec"]:
            yield "%s and %s both say how many replicas there are" % (name_of(scaler),
                                                                      name_of(hit[0]))
        if not all("cpu" in one["resources"]["requests"] for one in pod["containers"]):
            yield "%s: a container requests no CPU time to be compared with" % name_of(scaler)
        if not 1 < spec["minReplicas"] < spec["maxReplicas"]:
            yield "%s: minReplicas must be above 1 and below maxReplicas" % name_of(scaler)
        for metric in spec["metrics"]:
            name = metric["pods"]["metric"]["name"] if metric["type"] == "Pods" else None
            if name and name not in adapter.names():
                yield "%s: deploy/prometheus/adapter.yml has no metric %s" % (name_of(scaler), name)
        for policy in spec["behavior"]["scaleDown"]["policies"]:
            if policy["type"] != "Pods" or \
                    policy["periodSeconds"] / policy["value"] < pod["terminationGracePeriodSeconds"]:
                yield "%s takes pods away faster than they drain" % name_of(scaler)


def policies(documents):
    for policy in find(documents, "NetworkPolicy"):
        hit = selected(documents, policy["spec"]["podSelector"].get("matchLabels"))
        sources = {}
        for rule in policy["spec"].get("ingress", []):
            for port in rule.get("ports", [{"port": None}]):
                sources.setdefault(port["port"], []).extend(rule.get("from", [{}]))
                if not all(has_port(workload, port["port"]) for workload in hit):
                    yield "%s: its pods have no port %s" % (name_of(policy), port["port"])
        for source in sources.get("admin", []):
            if not source.get("namespaceSelector", {}).get("matchLabels") or \
                    not source.get("podSelector", {}).get("matchLabels"):
                yield "%s: the admin port is open to more than the monitoring" % name_of(policy)
        if policy["spec"].get("egress") != [] or "Egress" not in policy["spec"]["policyTypes"]:
            yield "%s lets its pods open connections" % name_of(policy)
        for cache in find(documents, "Deployment"):
            client = any(matches(source.get("podSelector", {}).get("matchLabels"),
                                 labels_of_pods(cache)) for source in sources.get("http", []))
            same = labels_of_pods(cache).get(INSTANCE) == policy["metadata"]["labels"].get(INSTANCE)
            if cache not in hit and same and not client:
                yield "%s keeps %s out" % (name_of(policy), name_of(cache))


def monitors(documents):
    for monitor in find(documents, "PodMonitor"):
        hit = selected(documents, monitor["spec"]["selector"].get("matchLabels"))
        if len(hit) != 1:
            yield "%s must select the pods of one workload" % name_of(monitor)
        for workload in hit:
            for endpoint in monitor["spec"]["podMetricsEndpoints"]:
                if endpoint["port"] not in ports_of(workload["spec"]["template"]["spec"]):
                    yield "%s: %s has no port %s" % (name_of(monitor), name_of(workload),
                                                     endpoint["port"])
            if monitor["spec"]["jobLabel"] not in labels_of_pods(workload):
                yield "%s: pods of %s have no label %s" % (name_of(monitor), name_of(workload),
                                                           monitor["spec"]["jobLabel"])
            if "prometheus.io/scrape" in workload["spec"]["template"]["metadata"].get(
                    "annotations", {}):
                yield "%s: %s is scraped by its annotations too" % (name_of(monitor),
                                                                    name_of(workload))


def priorities(documents):
    classes = {one["metadata"]["name"] for one in find(documents, "PriorityClass")}
    for name, pod in renderings.pods_of(documents):
        if pod.get("priorityClassName", None) not in {None, *classes}:
            yield "%s: there is no PriorityClass %s" % (name, pod["priorityClassName"])


def instances(documents):
    """Of several installations in one namespace none selects the pods of another."""
    for document in documents:
        for path, selector in selection.find(document.get("spec", {})):
            pairs, _ = selection.pairs_of(document["kind"], selector)
            if pairs and INSTANCE not in pairs and document["metadata"]["name"] != "application":
                yield "%s%s names no instance" % (name_of(document), path)


def volumes(documents):
    names = {kind: {one["metadata"]["name"] for one in find(documents, kind)}
             for kind in ("ConfigMap", "PersistentVolumeClaim")}
    for name, pod in renderings.pods_of(documents):
        said = {volume["name"] for volume in pod.get("volumes", [])}
        used = {mount["name"] for container in renderings.containers_of(pod)
                for mount in container.get("volumeMounts", [])}
        for missing in said ^ used:
            yield "%s: the volume %s is not both there and mounted" % (name, missing)
        for volume in pod.get("volumes", []):
            source = volume.get("configMap", {})
            if source and not source.get("optional") and source["name"] not in names["ConfigMap"]:
                yield "%s: there is no ConfigMap %s" % (name, source["name"])
            claim = volume.get("persistentVolumeClaim", {}).get("claimName")
            if claim and claim not in names["PersistentVolumeClaim"]:
                yield "%s: there is no PersistentVolumeClaim %s" % (name, claim)


def containers(documents):
    for name, pod in renderings.pods_of(documents):
        for container in renderings.containers_of(pod):
            ports = {port.get("name"): port["containerPort"] for port in container.get("ports", [])}
            where = "%s/%s" % (name, container["name"])
            for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                for how in ("httpGet", "tcpSocket"):
                    port = container.get(probe, {}).get(how, {}).get("port")
                    if port is not None and port not in ports and port not in ports.values():
                        yield "%s: %s asks at port %s, which it has not" % (where, probe, port)
            if not container["image"].partition(":")[2] or container["image"].endswith(":latest"):
                yield "%s: the image %s has no version" % (where, container["image"])
            limits = container["resources"]
            if size(limits["requests"]["memory"]) > size(limits["limits"]["memory"]):
                yield "%s requests more memory than its limit" % where
            context = {**pod.get("securityContext", {}), **container["securityContext"]}
            if not (context.get("runAsNonRoot") and context.get("readOnlyRootFilesystem")
                    and context.get("allowPrivilegeEscalation") is False
                    and context.get("capabilities") == {"drop": ["ALL"]}
                    and context.get("seccompProfile") == {"type": "RuntimeDefault"}):
                yield "%s: its securityContext is not restricted" % where


RULES = (services, workloads, budgets, autoscalers, policies, monitors, priorities, instances,
         volumes, containers)


def check(documents):
    """The faults, a sentence each."""
    return selection.check(documents) + [sentence for rule in RULES for sentence in rule(documents)]
