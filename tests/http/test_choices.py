# SPDX-License-Identifier: Apache-2.0
"""test_choices.py - each choice of each parameter of each encoding works with the start values that
the schema gives it: those of a picture, over which the choice's own `start` lies."""

import re
import urllib.parse

from support.suite import ServerCase

TERM = re.compile(r"(!?)([^=]+)(?:=(.*))?$")


def query_of(text):
    return dict(urllib.parse.parse_qsl(text or "", keep_blank_values=True))


def picture_of(output):
    return query_of(output["picture"].partition("?")[2])


def holds(condition, values):
    """Whether a condition of the schema holds: "a&b=c|d,!e"."""
    def is_met(term):
        negated, name, wanted = TERM.match(term).groups()
        value = str(values.get(name, ""))
        met = value not in ("", "0", "false") if wanted is None else value in wanted.split("|")
        return met != bool(negated)
    return not condition or any(all(map(is_met, every.split("&"))) for every in condition.split(","))


class Choice:
    """A choice of a parameter, for an output of an encoding."""

    def __init__(self, schema, param, choice):
        self.schema, self.param, self.choice = schema, param, choice
        self.params = {one["name"]: one for one in schema["params"]}
        self.defaults = {name: str(one["default"]).lower() for name, one in self.params.items()
                         if "default" in one}
        self.start = query_of(choice.get("start"))
        self.outs = self.start.pop("out", "").split("|")

    def outputs(self):
        """The outputs that have it."""
        return [one for one in self.schema["outputs"]
                if self.param["name"] in (*one["uses"], "preset") and (self.outs == [""] or one["name"] in self.outs)]

    def _meet(self, values):
        """Makes the condition of the parameter hold by the first choice that it names."""
        condition = self.param.get("when")
        if holds(condition, {**self.defaults, **values}):
            return values
        for term in condition.split(",")[0].split("&"):
            negated, name, wanted = TERM.match(term).groups()
            if negated or name not in self.params:
                continue
            value = wanted.split("|")[0] if wanted else "1"
            values = {**values, name: value}
            for other in self.params[name].get("choices", ()):
                if other["name"] == value:
                    values.update(query_of(other.get("start")))
        return values

    def requests(self):
        """The queries of which one must work: that of the first picture beside which a form shows
        the parameter; where none shows it, those of all pictures and examples that can have it."""
        shown = [one for one in self.outputs()
                 if holds(self.param.get("when"), {**self.defaults, **picture_of(one)})]
        for output in shown[:1] or self.outputs():
            yield self._over(picture_of(output), output["name"])
        for example in () if shown else self.schema["examples"]:
            query = query_of(example.partition("?")[2])
            if holds(self.param.get("when"), {**self.defaults, **query}):
                yield self._over(query, query.get("out"))

    def _over(self, values, out):
        """The query with the choice; it has what the output uses and what has an effect."""
        for name in query_of(self.choice.get("stands_for")):
            values.pop(name, None)
        values = {**self._meet(values), **self.start, self.param["name"]: self.choice["name"]}
        uses = {name for one in self.schema["outputs"] for name in one["uses"]
                if out in (None, one["name"])} | {"preset", "dtype"}
        known = {**self.defaults, **query_of(self.choice.get("stands_for")), **values}
        values = {name: value for name, value in values.items() if value and name in uses
                  and holds(self.params[name].get("when"), known)}
        return {**values, "out": out} if out else values


class Choices(ServerCase):

    def faults(self, schema):
        """(how many choices, those that work nowhere with the sentence of the first refusal)."""
        count, wrong = 0, []
        for param in schema["params"]:
            switch = [{"name": "1", "start": param["start"]}] if "start" in param else []
            for choice in param.get("choices", switch):
                count += 1
                refused = None
                for values in Choice(schema, param, choice).requests():
                    query = urllib.parse.urlencode(values, safe=":,;")
                    answer = self.server.get("/v1/%s?%s&format=npy" % (schema["name"], query))
                    if answer.status == 200:
                        break
                    refused = refused or (query[:120], answer.json().get("detail"))
                else:
                    wrong.append((schema["name"], param["name"], choice["name"], refused))
        return count, wrong

    def test_every_choice_of_every_encoding_works_with_its_start_values(self):
        total, wrong = 0, []
        for one in self.get("/v1/encodings?fields=name").json()["encodings"]:
            count, more = self.faults(self.get("/v1/encodings/" + one["name"]).json())
            total, wrong = total + count, wrong + more
        self.assertGreater(total, 1000)
        self.assertEqual(wrong, [], "%d of %d" % (len(wrong), total))
