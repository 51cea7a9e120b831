# SPDX-License-Identifier: Apache-2.0
"""schema_sample.py - random values of a JSON schema: right ones, and ones that are wrong in one way.

Numbers and arrays are small, so that answers are small too."""

SMALL = 12  # the largest number that is chosen where a schema allows more


class Sampler:
    """Values of the schemas of one OpenAPI document."""

    def __init__(self, document, random):
        self.document, self.random = document, random

    def resolve(self, schema):
        """The schema itself, in place of a reference to it; members beside the reference stay."""
        while "$ref" in schema:
            found = self.document
            for name in schema["$ref"][2:].split("/"):
                found = found[name.replace("~1", "/").replace("~0", "~")]
            schema = {**found, **{k: v for k, v in schema.items() if k != "$ref"}}
        return schema

    def number(self, schema, whole):
        low = schema.get("minimum", schema.get("exclusiveMinimum", -SMALL))
        high = schema.get("maximum", low + SMALL)
        step = schema.get("multipleOf", 1)
        first = -(-low // step) * step
        if "exclusiveMinimum" in schema and first <= low:
            first += step
        if first > high:
            return low if whole else (low + high) / 2
        value = first + step * self.random.randrange(int(min(high - first, SMALL) // step) + 1)
        if not whole and self.random.random() < 0.3:
            value = min(high, value + self.random.random())
        return int(value) if whole else value

    def text(self, name):
        if name == "#/components/schemas/PositionText":
            first = self.random.randrange(9)
            return self.random.choice(["%d:%d" % (first, first + 3), "%d" % first, "1,5,2"])
        return self.random.choice(["1", "1,2", "0.5,2", "1,2;3,4"])

    def right(self, schema):
        """A value that the schema allows."""
        name = schema.get("$ref")
        schema = self.resolve(schema)
        for word in ("oneOf", "anyOf"):
            if word in schema:
                return self.right(self.random.choice(schema[word]))
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        kind = schema.get("type")
        if kind in ("integer", "number"):
            return self.number(schema, kind == "integer")
        if kind == "boolean":
            return self.random.random() < 0.5
        if kind == "array":
            count = self.random.randrange(schema.get("minItems", 0), 4)
            items = [self.right(schema["items"] or {"type": "number"}) for _ in range(count)]
            return list(dict.fromkeys(items)) if schema.get("uniqueItems") else items
        if kind == "object":
            return {key: self.right(member) for key, member in schema.get("properties", {}).items()
                    if key in schema.get("required", ()) or self.random.random() < 0.3}
        if schema.get("pattern") == "^[0-9]+x[0-9]+$":
            return "%dx%d" % (self.random.randrange(1, 4), self.random.randrange(1, 4))
        return self.text(name)

    def wrong(self, schema):
        """A value that every reader of the schema must refuse; None where this finds none."""
        schema = self.resolve(schema)
        if "oneOf" in schema and all("enum" in self.resolve(one) or
                                     "enum" in self.resolve(one).get("items", {})
                                     for one in schema["oneOf"]):
            return "no-such-word"
        if "enum" in schema:
            return "no-such-word"
        if schema.get("type") in ("integer", "number"):
            if "maximum" in schema and self.random.random() < 0.5:
                return schema["maximum"] * 2 + 1
            return "many"
        if schema.get("type") == "boolean":
            return "perhaps"
        return None
