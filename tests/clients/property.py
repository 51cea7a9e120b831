# SPDX-License-Identifier: Apache-2.0
"""property.py - requests made from /openapi.json, and what the document says of their answers.

A request begins with the operation's example and has some members replaced or added, right ones by
their schemas, or one wrong one; some have a twist: another method, a body cut short, Range, Accept,
If-None-Match. Every answer must have a status, a media type and a JSON body that the document
describes for the operation; a wrong request must be refused; none may be answered with a 5xx."""

import json
import random
import urllib.parse
from dataclasses import dataclass

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


@dataclass
class Request:
    """A request of an operation; allowed: the statuses that it may get, None: any documented one."""

    operation: dict
    method: str
    target: str
    body: object  # text, bytes or None
    headers: dict
    allowed: object


class Requests:
    """Random requests of a document, and the judge of their answers."""

    def __init__(self, document, seed):
        self.document, self.random = document, random.Random(seed)
        self.sampler = Sampler(document, self.random)
        self.resolver = jsonschema.RefResolver.from_schema(document)
        self.validators = {}
        self.operations = [(path, verb, {**operation, "parameters": self.merged(item, operation)})
                           for path, item in sorted(document["paths"].items())
                           for verb, operation in sorted(item.items())
                           if verb in ("get", "post")]

    # ---- making ------------------------------------------------------------------------------

    def merged(self, item, operation):
        """The parameters of a path, with those of an operation in place of theirs of the same name."""
        found = {}
        for one in [*item.get("parameters", ()), *operation.get("parameters", ())]:
            parameter = self.sampler.resolve(one)
            found[parameter["in"], parameter["name"]] = parameter
        return list(found.values())

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
        for parameter in operation["parameters"]:
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
        return path + self.moved(operation, members), json.dumps(members), bad

    def moved(self, operation, members):
        """Moves a few members of a body, numbers and words, to the query of its target."""
        names = [parameter["name"] for parameter in operation["parameters"]
                 if isinstance(members.get(parameter["name"]), (bool, int, float, str))]
        chosen = self.random.sample(names, min(len(names), self.random.choice((0, 0, 1, 2))))
        query = {name: text_of(members.pop(name)) for name in chosen}
        return "?" + urllib.parse.urlencode(query, safe=",;:") if query else ""

    def plain(self, path, verb, operation):
        """A request that is right, or wrong in one value."""
        make = self.get if verb == "get" else self.post
        target, body, bad = make(path, operation, self.random.random() < 0.3)
        method = self.random.choice(("GET", "HEAD") if verb == "get" else ("POST", "QUERY"))
        return Request(operation, method, target, body, {"Content-Type": JSON} if body else {},
                       (400,) if bad else None)

    def next(self):
        """A request; one of six has a twist that its operation allows."""
        path, verb, operation = self.random.choice(self.operations)
        request = self.plain(path, verb, operation)
        if self.random.random() < 1 / 6:
            self.random.choice(TWISTS)(self, request, path)
        return request

    def as_text(self, request, _):
        if request.body is not None:
            request.headers["Content-Type"], request.allowed = "text/plain", (415,)

    def cut_short(self, request, _):
        if request.body is not None:
            request.body, request.allowed = request.body[:-1], (400,)

    def as_bytes(self, request, _):
        """Bytes in place of tensors, with the parameters in the query."""
        kinds = [kind for kind in request.operation.get("requestBody", {}).get("content", ())
                 if kind != JSON]
        if kinds:
            request.headers["Content-Type"] = self.random.choice(kinds)
            request.body = self.random.randbytes(self.random.randrange(1, 64))
            request.allowed = None

    def no_such_name(self, request, path):
        if "{" in path:
            request.method, request.body, request.headers = "GET", None, {}
            request.target, request.allowed = path.split("{")[0] + "no-such-name", (404,)

    def no_such_media_type(self, request, _):
        if "406" in request.operation["responses"]:
            request.headers["Accept"] = "application/x-no-such-type"
            request.allowed = (200, 400, 406)  # 200 where format= says what is wanted

    def other_method(self, request, path):
        if not set(self.document["paths"][path]) & {"put", "delete"}:
            request.method = self.random.choice(("DELETE", "PUT", "PATCH"))
            request.body, request.headers, request.allowed = None, {}, (405,)

    def some_bytes(self, request, _):
        if request.method == "GET":
            request.headers["Accept"] = "application/x-safetensors, */*;q=0.1"
            request.headers["Range"] = self.random.choice(("bytes=0-9", "bytes=-5", "bytes=9000000-"))

    def known_answer(self, request, _):
        if request.method in ("GET", "HEAD"):
            request.headers["If-None-Match"] = self.random.choice(("*", '"no-such-tag"'))

    # ---- judging -----------------------------------------------------------------------------

    def described(self, operation, answer):
        responses = operation["responses"]
        response = responses.get(str(answer.status))
        if response is None:
            raise Wrong("the status %d is not documented" % answer.status)
        if answer.status >= 500:
            raise Wrong("the service failed with %d" % answer.status)
        return self.sampler.resolve(response)

    def judge(self, operation, answer, statuses):
        """Raises Wrong where the answer is not what the document says."""
        response = self.described(operation, answer)
        # Another revision, which another server may have, outranks what is wrong.
        other_revision = answer.status == 404 and answer.header("cache-control") == "no-store"
        if statuses and answer.status not in statuses and not other_revision:
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


TWISTS = (Requests.as_text, Requests.cut_short, Requests.as_bytes, Requests.no_such_name,
          Requests.no_such_media_type, Requests.other_method, Requests.some_bytes,
          Requests.known_answer)


def run(server, count, seed):
    """Sends the requests; returns sentences about what is wrong, and how many of each status."""
    requests = Requests(server.get("/openapi.json").json(), seed)
    findings, statuses = [], {}
    for _ in range(count):
        one = requests.next()
        body = one.body.encode() if isinstance(one.body, str) else one.body
        answer = server.ask(one.method, one.target, body, list(one.headers.items()))
        statuses[answer.status] = statuses.get(answer.status, 0) + 1
        try:
            requests.judge(one.operation, answer, one.allowed)
        except Wrong as wrong:
            findings.append("%s %s %s %.300r: %s" % (one.method, one.target[:300], one.headers,
                                                     one.body, wrong))
    return findings, statuses
