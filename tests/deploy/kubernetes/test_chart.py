# SPDX-License-Identifier: Apache-2.0
"""test_chart.py - the Helm chart is the one that `make chart` makes of deploy/kustomize, renders the same objects,
and refuses values that it does not know. Helm itself is not run."""

import itertools
import json
import os
import re
import shutil
import sys
import tempfile
import unittest

import chart
import kustomization
import matching
import renderings
from chart import FOLDER, Refused, other, value_at, values_with
from program import configuration, version
from support.posencd import ROOT, binary

sys.path.append(os.path.join(ROOT, "deploy", "helm"))
import make_chart  # noqa: E402, found by the line above
import rows  # noqa: E402
from conditions import SWITCHES, Inexpressible, condition  # noqa: E402

BY_HAND = {"templates/_names.tpl", "templates/NOTES.txt"}
EVERYTHING = rows.nested((name, True) for name in SWITCHES.values())
TABLE = rows.read()["values"]


def by_name(documents):
    return {kustomization.name_of(document): document for document in documents}


def values_of(components):
    return rows.nested((SWITCHES[name], True) for name in components)


def sampled():
    """Values of which each is another than the default, with everything on."""
    defaults = chart.yaml_of("values.yaml")
    pairs = [(row["name"], True if "component" in row else other(row, value_at(defaults, row["name"])))
             for row in TABLE]
    return rows.nested(pairs)


class Made(unittest.TestCase):
    def test_the_chart_is_that_of_the_manifests_and_the_table(self):
        made = make_chart.chart(binary(), version())
        there = {os.path.relpath(os.path.join(folder, name), FOLDER)
                 for folder, _, names in os.walk(FOLDER) for name in names}
        self.assertEqual(there, set(made) | BY_HAND)
        for path, text in made.items():
            with open(os.path.join(FOLDER, path), encoding="utf-8") as file:
                self.assertTrue(file.read() == text, "%s: run `make chart`" % path)

    def test_a_condition_says_where_a_part_stands(self):
        sets = [frozenset(one) for size in range(3) for one in itertools.combinations(
            ("autoscaling", "cache", "files"), size)]
        for wanted, said in ((lambda one: True, None), (lambda one: "cache" in one, ".Values.cache.enabled"),
                             (lambda one: "files" not in one, "not .Values.files.enabled"),
                             (lambda one: one & {"cache", "files"},
                              "or .Values.cache.enabled .Values.files.enabled"),
                             (lambda one: {"cache", "files"} <= one,
                              "and .Values.cache.enabled .Values.files.enabled")):
            self.assertEqual(condition([one for one in sets if wanted(one)], sets), said)
        with self.assertRaisesRegex(Inexpressible, "no condition says where"):
            condition([one for one in sets if len(one) == 1], sets)


class Rendered(unittest.TestCase):
    def test_every_choice_of_components_is_what_kustomize_renders(self):
        choices = sorted(make_chart.combinations(), key=sorted)
        made = chart.render(*(("posencd", values_of(one)) for one in choices))
        for components, documents in zip(choices, made):
            self.assertEqual(by_name(documents), by_name(renderings.base_with(components)), sorted(components))
        print("%d choices of components: chart and kustomize render the same objects" % len(choices))

    def test_the_values_of_production_are_its_overlay(self):
        made, = chart.render(("posencd", chart.yaml_of("production.yaml")))
        self.assertEqual(by_name(made), by_name(renderings.all_of_them()["production"]))

    def test_releases_of_one_namespace_share_nothing(self):
        one, two, digits = chart.render(("one", EVERYTHING), ("two", EVERYTHING), ("1" * 53, EVERYTHING))
        for documents in (one, two, digits, one + two):
            self.assertEqual(matching.check(documents), [])
        # All but the ConfigMaps with the same files have a name of their own.
        self.assertEqual(set(by_name(one)) & set(by_name(two)), set())
        for document in digits:
            limit = 253 if document["kind"] in ("ConfigMap", "Deployment") else 63
            self.assertLessEqual(len(document["metadata"]["name"]), limit)
            self.assertEqual(document["metadata"].get("labels", {}).get(matching.INSTANCE, "1" * 53), "1" * 53)

    def test_a_collision_of_releases_would_be_found(self):
        one, two = chart.render(("one", {}), ("two", {}))
        for document in two:
            text = json.dumps(document).replace('"%s": "two"' % matching.INSTANCE, '"%s": "one"' % matching.INSTANCE)
            document.update(json.loads(text))
        self.assertIn("selects the pods of", "\n".join(matching.check(one + two)))

    def test_the_notes_tell_the_address(self):
        for values, said in (({}, "http://posencd.work.svc:80/v1/rope"), ({"service": {"port": 8000}}, ".svc:8000/v1"),
                             (EVERYTHING, "http://posencd-cache.work.svc/v1/rope")):
            self.assertIn(said, chart.texts([("posencd", values)])[0]["NOTES.txt"])


class Values(unittest.TestCase):
    def test_every_value_takes_its_place(self):
        given = sampled()
        made, = chart.render(("posencd", given))
        documents = {key: [document] for key, document in by_name(made).items()}
        for row in TABLE:
            for document, path in map(rows.place, row.get("at", [])):
                value = value_at(given, row["name"])
                if row["name"] == "replicas":
                    continue  # which the autoscaler decides here
                found = rows.first(documents[document], path)
                form = row.get("form", "value")
                if form in ("value", "key"):
                    self.assertEqual(found, value, row["name"])
                elif form == "entries":
                    self.assertLessEqual(value.items(), found.items(), row["name"])
                elif form == "items":
                    self.assertEqual(found[-len(value):], value, row["name"])
        seven, = chart.render(("posencd", {"replicas": 7}))
        self.assertEqual(by_name(seven)["Deployment/posencd"]["spec"]["replicas"], 7)

    def container(self, values):
        made, = chart.render(("posencd", values))
        return by_name(made)["Deployment/posencd"]["spec"]["template"]["spec"]["containers"][0]

    def test_an_image_has_a_digest_a_tag_or_the_version(self):
        digest = "sha256:" + "0" * 64
        for given, image in (({}, "posencd:" + version()), ({"tag": "2"}, "posencd:2"),
                             ({"tag": "2", "digest": digest, "repository": "r/p"}, "r/p@" + digest)):
            self.assertEqual(self.container({"image": given})["image"], image)

    def test_flags_reach_the_program(self):
        container = self.container({"flags": {"cache-size": "64MiB", "log-rate": 1000000, "ui": False,
                                              "send-timeout": 3, "access-log": "all"}})
        said = configuration(container["args"][1:], {one["name"]: one["value"] for one in container["env"]})
        self.assertEqual([said[name] for name in ("cache-size", "log-rate", "ui", "send-timeout", "access-log")],
                         ["64MiB", "1000000", "off", "3s", "all"])

    def refused(self, values, says):
        with self.assertRaisesRegex(Refused, says):
            values_with(values)

    def test_every_misspelt_value_is_refused(self):
        defaults = chart.yaml_of("values.yaml")
        for row in TABLE:
            *above, last = row["name"].split(".")
            value = value_at(defaults, row["name"])
            self.refused(rows.nested([(".".join([*above, last + "z"]), value)]), re.escape(last + "z"))
            self.refused(rows.nested([(row["name"], None)]), "is a required property")
            self.refused(rows.nested([(row["name"], {"a": 1} if not isinstance(value, dict) else 1)]), "")
        print("%d values: each misspelt, removed or of another type is refused" % len(TABLE))

    def test_values_that_cannot_be_are_refused(self):
        for values, says in (({"flags": {"cache-sizes": "1MiB"}}, "cache-sizes"),
                             ({"flags": {"access-log": "some"}}, "is not one of"),
                             ({"flags": {"send-timeout": 2.5}}, "is not of type"), ({"flags": {"listen": "0.0.0.0:80"}}, "listen"),
                             ({"flags": {"models-dir": "/models"}}, "models-dir"),
                             ({"autoscaling": {"load": {"enabled": True}}}, "True was expected"),
                             ({"replicas": 0}, "less than the minimum"), ({"replicas": "2"}, "is not of type"),
                             ({"image": {"digest": "sha256:1"}}, "does not match"),
                             ({"cache": {"replica": 3}}, "replica"), ({"podLabels": {"a": 1}}, "is not of type")):
            self.refused(values, says)
        values_with({"global": {"anything": 1}})


class Renderer(unittest.TestCase):
    def test_what_only_helm_has_is_refused(self):
        for text, says in (("{{ include \"posencd.name\" . }}", "include"), ("{{ toYaml .Values }}", "toYaml"),
                           ("{{ env \"HOME\" }}", "env"), ("{{ .Values.replica }}", "replica"),
                           ("{{ .Capabilities.KubeVersion }}", "Capabilities")):
            with tempfile.TemporaryDirectory() as folder:
                shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
                with open(os.path.join(folder, "templates", "other.yaml"), "w", encoding="utf-8") as file:
                    file.write(text)
                with self.assertRaisesRegex(Refused, says):
                    chart.texts([("posencd", {})], folder)
