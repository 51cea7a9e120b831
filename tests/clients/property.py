# SPDX-License-Identifier: Apache-2.0
"""property.py - requests made from /openapi.json, and what the document says of their answers.

A request begins with the operation's example and has some members replaced or added, right ones by
their schemas, or one wrong one. Every answer must have a status, a media type and a JSON body that
the document describes for the operation; a wrong request must be refused with 400; none may be
answered with a 5xx that is not documented."""

import json
import random
import urllib.parse

import jsonschema

from schema_sample import Sampler

JSON = "application/json"
LENGTHS = {"len", "seq_len", "nodes", "window", "max_distance"}  # their squares are answers' sizes


class Wrong(Exception):
    """An answer that the document does not describe."""


def text_of(value):
    """A value as a query with style=form and explode=false has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(text_of(item) for item in value)
    return value if isinstance(value, str) else json.dumps(value)


class Requests:
    """Random requests of a document, and the judge of their answers."""

    def __init__(self, document, seed):
        self.document, self.random = document, random.Random(seed)
        self.sampler = Sampler(document, self.random)
        self.resolver = jsonschema.RefResolver.from_schema(document)
        self.validators = {}
        self.operations = [(path, verb, operation)
                           for path, item in sorted(document["paths"].items())
                           for verb, operation in sorted(item.items())
                           if verb in ("get", "post")]

    # ---- making ------------------------------------------------------------------------------

    def parameters(self, operation):
        return [self.sampler.resolve(one) for one in operation.get("parameters", ())]

    def members(self, schemas, example, wrong):
        """{name: value}: the example with members added; one of them wrong, where that is asked for
        and possible. Returns the members and whether one is wrong."""
        members = dict(example)
        for name in self.random.sample(sorted(schemas), min(len(schemas), self.random.randrange(3))):
            value = self.sampler.right(schemas[name])
            if not (name in LENGTHS and isinstance(value, int) and value > 64):
                members[name] = value
        if not wrong:
            return members, False
        if self.random.random() < 0.2:
            members["no_such_name"] = 1
            return members, True
        for name in self.random.sample(sorted(schemas), len(schemas)):
            value = self.sampler.wrong(schemas[name])
            if value is not None:
                members[name] = value
                return members, True
        return members, False

    def get(self, path, operation, wrong):
        schemas, example = {}, {}
        for parameter in self.parameters(operation):
            schema = self.sampler.resolve(parameter["schema"])
            if parameter["in"] == "path":
                value = "llama-3.1-8b" if "enum" not in schema else self.random.choice(schema["enum"])
                path = path.replace("{%s}" % parameter["name"], urllib.parse.quote(value, safe="/"))
            elif schema.get("type") != "object":
                schemas[parameter["name"]] = parameter["schema"]
                if "example" in parameter:
                    example[parameter["name"]] = parameter["example"]
        members, bad = self.members(schemas, example, wrong)
        query = urllib.parse.urlencode({k: text_of(v) for k, v in members.items()}, safe=",;:")
        return path + ("?" + query if query else ""), None, bad and bool(schemas)

    def post(self, path, operation, wrong):
        content = operation["requestBody"]["content"]["application/json"]
        schema = self.sampler.resolve(content["schema"])
        if schema.get("additionalProperties") is not False:  # a config has members of its own
            return path, json.dumps(content["example"]), False
        members, bad = self.members(schema["properties"], content["example"], wrong)
        return path, json.dumps(members), bad

    def next(self):
        """A request: its operation, method, target, body, media type, and the statuses that it may
        get; None: any that is documented."""
        path, verb, operation = self.random.choice(self.operations)
        kind = self.random.random()
        make = self.get if verb == "get" else self.post
        target, body, bad = make(path, operation, kind < 0.3)
        method = self.random.choice(("GET", "HEAD") if verb == "get" else ("POST", "QUERY"))
        if verb == "post" and kind > 0.98:
            return operation, method, target, body, "text/plain", (415,)
        if verb == "post" and kind > 0.96:
            return operation, method, target, body[:-1], JSON, (400,)
        if "{" in path and kind > 0.9:
            return operation, method, path.split("{")[0] + "no-such-name", None, None, (404,)
        return operation, method, target, body, JSON if body else None, (400,) if bad else None

    # ---- judging -----------------------------------------------------------------------------

    def described(self, operation, answer):
        responses = operation["responses"]
        response = responses.get(str(answer.status))
        if response is None:
            raise Wrong("the status %d is not documented" % answer.status)
        return self.sampler.resolve(response)

    def judge(self, operation, answer, statuses):
        """Raises Wrong where the answer is not what the document says."""
        response = self.described(operation, answer)
        if statuses and answer.status not in statuses:
            raise Wrong("a wrong request got %d" % answer.status)
        content = response.get("content", {})
        kind = (answer.header("content-type") or "").split(";")[0]
        if answer.body and kind not in content:
            raise Wrong("the media type %s is not documented for %d" % (kind, answer.status))
        if kind.endswith("json") and answer.body:
            self.conforms(content[kind]["schema"], answer.json())

    def conforms(self, schema, value):
        key = json.dumps(schema)
        if key not in self.validators:
            self.validators[key] = jsonschema.Draft202012Validator(schema, resolver=self.resolver)
        for error in self.validators[key].iter_errors(value):
            raise Wrong("%s: %.300s" % (error.json_path, error.message))


def run(server, count, seed):
    """Sends the requests; returns sentences about what is wrong, and how many of each status."""
    requests = Requests(server.get("/openapi.json").json(), seed)
    findings, statuses = [], {}
    for _ in range(count):
        operation, method, target, body, kind, allowed = requests.next()
        headers = [("Content-Type", kind)] if kind else []
        answer = server.ask(method, target, body.encode() if body is not None else None, headers)
        statuses[answer.status] = statuses.get(answer.status, 0) + 1
        try:
            requests.judge(operation, answer, allowed)
        except Wrong as wrong:
            findings.append("%s %s %s: %s" % (method, target[:300], (body or "")[:300], wrong))
    return findings, statuses
