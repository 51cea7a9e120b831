# SPDX-License-Identifier: Apache-2.0
"""adapter.py - the rules of deploy/prometheus/adapter.yml, by which prometheus-adapter gives
Kubernetes the metrics of pods that an autoscaler follows."""

import functools
import os

import yaml

from support.posencd import ROOT

PATH = os.path.join(ROOT, "deploy", "prometheus", "adapter.yml")


@functools.cache
def rules():
    with open(PATH, encoding="utf-8") as file:
        return yaml.safe_load(file)["rules"]


def names():
    """The metrics that Kubernetes has by the rules."""
    return [rule["name"]["as"] for rule in rules()]
