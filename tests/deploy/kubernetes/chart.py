# SPDX-License-Identifier: Apache-2.0
"""chart.py - renders deploy/helm/posencd as `helm template` would: values are merged into the defaults and
judged by values.schema.json, then tests/deploy/chart/render.go executes the templates."""

import copy
import functools
import json
import os
import subprocess

import jsonschema
import yaml

from support.posencd import ROOT

FOLDER = os.path.join(ROOT, "deploy", "helm", "posencd")
RENDER = os.path.join(ROOT, "build", "kubernetes", "render")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Refused(Exception):
    """The values do not fit the schema, or a template has an error."""


def yaml_of(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return yaml.load(file, Loader=LOADER)


@functools.cache
def validator():
    with open(os.path.join(FOLDER, "values.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def merged(defaults, given):
    """Mappings are merged by key, and null removes a key."""
    if not isinstance(defaults, dict) or not isinstance(given, dict):
        return copy.deepcopy(given)
    made = {**copy.deepcopy(defaults), **{key: merged(defaults.get(key), value) for key, value in given.items()}}
    return {key: value for key, value in made.items() if value is not None}


def values_with(given):
    """The values of a release; refuses what the schema refuses."""
    values = merged(yaml_of("values.yaml"), given)
    wrong = jsonschema.exceptions.best_match(validator().iter_errors(values))
    if wrong is not None:
        raise Refused("%s: %s" % (".".join(map(str, wrong.absolute_path)), wrong.message))
    return values


def execute(mode, cases):
    done = subprocess.run([RENDER, *mode], input=json.dumps(cases), capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(done.stderr.strip())
    return json.loads(done.stdout)


def texts(cases, folder=FOLDER):
    """What each template writes, for each case (release, values)."""
    about = yaml_of("Chart.yaml")
    about = {"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]}
    return execute(["chart", folder], [
        {"Values": values_with(values), "Chart": about, "Release": {"Name": name, "Namespace": "work"}}
        for name, values in cases])


def documents_of(made):
    """The objects of what the templates write."""
    return [document for name, text in sorted(made.items()) if name.endswith(".yaml")
            for document in yaml.load_all(text, Loader=LOADER) if document is not None]


def render(*cases):
    """The objects of each case (release, values)."""
    return [documents_of(made) for made in texts(cases)]


def queries(rules, matchers, group_by):
    """The queries of prometheus-adapter for pods."""
    return execute(["query"], [
        {"Template": rule["metricsQuery"], "Series": rule["seriesQuery"].partition("{")[0],
         "LabelMatchers": matchers, "GroupBy": group_by} for rule in rules])


# ---- other values --------------------------------------------------------------------------------

# For each value that has no other one by its type alone.
SAMPLES = {
    "image.repository": "registry.example/posencd", "image.tag": "9.9", "image.digest": "sha256:" + "a" * 64,
    "image.pullPolicy": "Always", "imagePullSecrets": [{"name": "registry"}],
    "flags": {"cache-size": "64MiB", "max-connections": 1000000, "ui": False, "access-log": "all"},
    "resources": {"requests": {"cpu": "2", "memory": "1Gi"}, "limits": {"memory": "2Gi"}},
    "topologySpread": "DoNotSchedule", "podAnnotations": {"example.org/a": "yes"}, "podLabels": {"team": "a"},
    "nodeSelector": {"kubernetes.io/arch": "arm64"}, "tolerations": [{"key": "spot", "operator": "Exists"}],
    "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
        {"weight": 1, "preference": {"matchExpressions": [{"key": "disk", "operator": "Exists"}]}}]}},
    "volumes": [{"name": "keys", "secret": {"secretName": "keys"}}],
    "volumeMounts": [{"name": "keys", "mountPath": "/etc/posencd", "readOnly": True}],
    "service.type": "LoadBalancer", "service.annotations": {"example.org/lb": "internal"},
    "autoscaling.load.waitingWork": "500m", "autoscaling.load.overloadLevel": "2",
    "cache.image": "registry.example/nginx:1.29",
    "cache.resources": {"requests": {"cpu": "1", "memory": "512Mi"}, "limits": {"memory": "2Gi"}},
    "files.models": "models", "files.tables.size": "5Gi", "files.tables.storageClass": "fast",
    "monitoring.interval": "10s", "monitoring.labels": {"release": "prometheus"},
    "network.monitoringNamespace": "observability"}


def other(row, value):
    """A value of a row other than its default."""
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else SAMPLES[row["name"]]


def value_at(values, name):
    for step in name.split("."):
        values = values[step]
    return values
