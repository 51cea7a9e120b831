#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes schemas of OpenAPI as C, for proto/describe/openapi_components.c:
make_schemas.py proto/describe/schemas/*.json >schema_rows.h

A file is an object of schemas by name. A name that two files have, and an array without items,
fail the build."""

import json
import sys

PART = 4000  # characters of a string literal, of which C11 promises 4,095


def check(path, schema):
    """Ends the build where a schema says that a value is an array, but not of what."""
    if isinstance(schema, dict):
        if schema.get("type") == "array" and "items" not in schema:
            sys.exit("%s: an array without items: %s" % (path, json.dumps(schema)[:80]))
        for member in schema.values():
            check(path, member)
    elif isinstance(schema, list):
        for member in schema:
            check(path, member)


def literal(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def main(paths):
    schemas = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for name, schema in json.load(file).items():
                if name in schemas:
                    sys.exit("%s: the schema %s has another file too" % (path, name))
                check(path, schema)
                schemas[name] = json.dumps(schema, separators=(",", ":"), ensure_ascii=True)
    print("static const struct openapi_schema schema_rows[] = {")
    for name in sorted(schemas):
        if len(schemas[name]) > PART:
            sys.exit("the schema %s has %d characters; move parts of it to schemas of their own"
                     % (name, len(schemas[name])))
        print("    {%s,\n     %s}," % (literal(name), literal(schemas[name])))
    print("};")


main(sys.argv[1:])
