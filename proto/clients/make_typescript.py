#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the TypeScript package posenc: make_typescript.py POSENCD FOLDER

The runtime is copied from proto/clients/typescript; the methods of encodings are written from what the
program says of itself. FOLDER is replaced, but for its node_modules."""

import json
import os
import shutil
import sys
import textwrap

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import described  # noqa: E402, found by the line above
import modules  # noqa: E402

HEAD = "// SPDX-License-Identifier: Apache-2.0\n// Made by make_typescript.py; changes here are lost.\n"
WIDTH = 100
TYPES = {"integer": "number", "number": "number", "boolean": "boolean", "word": "string",
         "numbers": "Numbers", "positions": "Positions", "grid": "Grid", "tensor": "string | Vectors",
         "segments": "string"}


def pascal(name):
    return "".join(part[:1].upper() + part[1:] for part in name.replace("/", "-").split("-"))


def camel(name):
    found = pascal(name)
    return found[:1].lower() + found[1:]


def union(names):
    return " | ".join(json.dumps(name) for name in names)


def type_of(param):
    if described.is_truth(param):
        return "boolean"
    if param.get("choices"):
        return union(choice["name"] for choice in param["choices"])
    kind = TYPES["word" if param["type"] == "choice" else param["type"]]
    return "%s | %s" % (kind, union(param["words"])) if param.get("words") else kind


def comment(text, indent):
    """A TSDoc comment."""
    text = text.replace("*/", "* /")
    lines = textwrap.wrap(text, WIDTH - len(indent) - 3, break_long_words=False, break_on_hyphens=False)
    if len(lines) == 1:
        return "%s/** %s */\n" % (indent, lines[0])
    return "%s/**\n%s%s */\n" % (indent, "".join("%s * %s\n" % (indent, line) for line in lines), indent)


def member(param, needed):
    text = param.get("doc", "")
    if "default" in param:
        text += "; default %s" % json.dumps(param["default"])
    name = param["name"] if param["name"].isidentifier() else json.dumps(param["name"])
    return comment(text, "  ") + "  readonly %s%s: %s;\n" % (name, "" if needed else "?", type_of(param))


def write_encoding(file, one):
    outputs = union(one.outputs)
    file.write("\n/** The outputs of %s. */\nexport type %sOutput = %s;\n" % (
        one.name, pascal(one.name), outputs))
    file.write("\n/** The parameters of %s. */\nexport interface %sParameters {\n" % (
        one.name, pascal(one.name)))
    for param in one.params + one.options:
        file.write(member(param, param["name"] in one.needed))
    default = ", ".join(output["name"] for output in one.entry["outputs"] if output["default"])
    file.write(comment("which tensors; by default " + default, "  "))
    file.write("  readonly out?: %sOutput | readonly %sOutput[];\n}\n" % (
        pascal(one.name), pascal(one.name)))


def write_method(file, one):
    entry = one.entry
    file.write("\n" + comment("%s: %s. %s As in %s." % (
        entry["title"], entry["summary"], entry["formula"], entry["example"]), "  "))
    optional = "" if one.needed else " = {}"
    file.write("  %s(given: %sParameters%s, options?: CallOptions): Promise<Answer<%sOutput>> {\n"
               "    return this.call<%sOutput>(%s, given, options);\n  }\n" % (
                   camel(one.name), pascal(one.name), optional, pascal(one.name), pascal(one.name),
                   json.dumps(one.name)))


def write_map(file, name, suffix, text, encodings):
    """Writes an interface from the names of encodings to one of their types."""
    file.write("\n/** %s. */\nexport interface %s {\n%s}\n" % (text, name, "".join(
        "  %s: %s%s;\n" % (json.dumps(one.name), pascal(one.name), suffix) for one in encodings)))


def write_encodings(path, encodings):
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + '// encodings.ts - every encoding as a method.\n'
                   'import type { Answer } from "./client.js";\n'
                   'import type { Vectors } from "./tensor.js";\n'
                   'import type { CallOptions } from "./transport.js";\n'
                   'import type { Grid, Numbers, Positions } from "./values.js";\n'
                   "\n/** The types of the parameters of each encoding. */\n"
                   "export const KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {\n")
        for one in encodings:
            file.write("  %s: %s,\n" % (json.dumps(one.name), json.dumps(one.kinds())))
        file.write("};\n")
        for one in encodings:
            write_encoding(file, one)
        write_map(file, "ParametersOf", "Parameters", "The parameters of each encoding", encodings)
        write_map(file, "OutputsOf", "Output", "The names of the outputs of each encoding", encodings)
        file.write("\n/** The names of encodings. */\nexport type EncodingName = keyof ParametersOf;\n")
        file.write("\n/** Every encoding of a service. */\nexport abstract class Encodings {\n"
                   "  protected abstract call<Outputs extends string>(\n    encoding: string,\n"
                   "    given: object,\n    options?: CallOptions,\n  ): Promise<Answer<Outputs>>;\n")
        for one in encodings:
            write_method(file, one)
        file.write("}\n")


def write_modules(path):
    """The modules for WebAssembly, the shortest first: what each answers."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + "// modules.ts - what the WebAssembly modules answer, the shortest first; posenc.wasm answers\n"
                   "// all else.\n\n"
                   "export interface ModuleRow {\n  readonly file: string;\n  readonly paths: readonly string[];\n"
                   "  readonly encodings: readonly string[];\n  readonly formats: readonly string[];\n"
                   "  readonly models: boolean;\n  /** The types of bodies; null: all. */\n"
                   "  readonly bodies: readonly string[] | null;\n}\n\n"
                   "export const MODULES: readonly ModuleRow[] = %s;\n" % json.dumps(modules.read(), indent=2))


def main(program, folder):
    version, encodings = described.read(program)
    for name in ("src", "dist"):
        shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
    shutil.copytree(os.path.join(HERE, "typescript"), folder, dirs_exist_ok=True)
    write_encodings(os.path.join(folder, "src", "encodings.ts"), encodings)
    write_modules(os.path.join(folder, "src", "modules.ts"))
    path = os.path.join(folder, "package.json")
    with open(path, encoding="utf-8") as file:
        package = json.load(file)
    package["version"] = version
    places = described.urls()
    if places:
        package.update(homepage=places["Documentation"], bugs=places["Issues"],
                       repository={"type": "git", "url": "git+%s.git" % places["Homepage"]})
    described.write_texts(folder, "TypeScript", "typed arrays", "npm install posenc")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(package, file, indent=2)


main(*sys.argv[1:])
