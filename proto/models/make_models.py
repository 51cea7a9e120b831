#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes core/models/*.json as C, for proto/models:

    make_models.py [--settings] [--downloads=FILE] FILE... >model_rows.h

With --settings what only documents of models say is left out: notes, parts of models, the names
of tensors in checkpoints, and the sources of facts.
docs/models.md describes the files; that of --downloads has lines of a model's id and its number
of downloads. A file that breaks a rule fails the build; the message names the file, the model
and the member."""

import sys

sys.dont_write_bytecode = True

import model_files  # noqa: E402


def quote(text):
    if text is None:
        return "NULL"
    plain = "".join(c if " " <= c <= "~" and c not in '"\\?' else
                    "".join(f"\\{b:03o}" for b in c.encode()) for c in text)
    return f'"{plain}"'


def spell(value):
    """A value as the text that a query has."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, list) and isinstance(value[0], list):
        return ";".join(map(spell, value))
    if isinstance(value, list):
        return ",".join(map(spell, value))
    return value if isinstance(value, str) else repr(value)


class Writer:
    """Prints arrays, each with a name of its own; equal arrays are printed once."""

    def __init__(self, has_documents):
        self.names = {}
        self.has_documents = has_documents

    def array(self, kind, rows):
        """Returns the name of an array of such rows, and NULL if there are none."""
        if not rows:
            return "NULL"
        text = f"{kind}[] = {{{', '.join(rows)}}};"
        if text not in self.names:
            self.names[text] = f"rows_{len(self.names)}"
            print(f"static const {text}".replace("[]", f" {self.names[text]}[]", 1))
        return self.names[text]

    def words(self, words):
        return self.array("char *const", [quote(word) for word in words + [None]] if words else [])

    def source(self, source):
        if not source or not self.has_documents:
            return "NULL"
        return self.array("struct model_source", ["{" + ", ".join(map(quote, source)) + "}"])

    def sources(self, sources):
        """The sources of single facts: an array and its length."""
        rows = [f"{{{quote(name)}, {self.source(source)}}}" for name, source in sources
                if self.has_documents]
        return f"{self.array('struct model_fact_source', rows)}, {len(rows)}"

    def note(self, text):
        return quote(text if self.has_documents else None)

    def settings(self, parameters):
        """Parameters: an array and its length."""
        rows = [f"{{{quote(name)}, {quote(spell(value))}}}" for name, value in parameters.items()]
        return f"{self.array('struct model_setting', rows)}, {len(rows)}"

    def layout(self, library, layout):
        return (f"{{{quote(library)}, {self.settings(layout['parameters'])}, "
                f"{self.source(layout['source'])}}}")

    def use(self, use):
        tensors = [f"{{{quote(name)}, {self.note(tensor['name'])}, "
                   f"{self.note(spell(tensor['shape']) if tensor.get('shape') else None)}, "
                   f"{self.note(tensor.get('layout'))}}}" for name, tensor in use["tensors"].items()]
        layouts = [self.layout(library, layout) for library, layout in use["layouts"].items()]
        return (f"{{{quote(use['encoding'])}, {quote(use['layer_type'])}, "
                f"{self.settings(use['parameters'])}, "
                f"{self.array('struct model_tensor', tensors)}, {len(tensors)}, "
                f"{self.note(use['note'])}, {self.note(use['left_out'])}, {self.source(use['source'])}, "
                f"{self.sources(use['sources'])}, "
                f"{self.array('struct model_layout', layouts)}, {len(layouts)}}}")

    def stack(self, name, stack):
        return (f"{{{quote(name)}, {stack['layers']}, {self.words(stack['layer_types'])}, "
                f"{len(stack['layer_types'])}}}")

    def model(self, model):
        """Prints the arrays that the model's row points to; returns the row."""
        stacks = [self.stack(name, stack) for name, stack in model["stacks"].items()]
        parts = [f"{{{quote(name)}, NULL, {quote(left_out)}, {'true' if name == 'text' else 'false'}}}"
                 for name, left_out in model["components"] if self.has_documents]
        texts = quote(model["id"]) + ", " + ", ".join(self.note(model[name])
                          for name in ("name", "organisation", "family"))
        uses = [self.use(use) for use in model["uses"]]
        return (f"    {{{texts}, {self.note(model['notes'])}, {self.words(model['aliases'])}, "
                f"{model['max_position_embeddings']}, {model['layers']}, "
                f"{self.words(model['layer_types'])}, {len(model['layer_types'])}, "
                f"{self.array('struct model_stack', stacks)}, {len(stacks)}, "
                f"{self.array('struct model_use', uses)}, {len(uses)}, "
                f"{self.source(model['source'])}, {self.sources(model['sources'])}, NULL, 0, "
                f"{self.array('struct model_component', parts)}, {len(parts)}, "
                f"{model['downloads']}}},")


def main(arguments):
    paths = [path for path in arguments if not path.startswith("--")]
    lists = [word.split("=", 1)[1] for word in arguments if word.startswith("--downloads=")]
    try:
        models = model_files.read(paths)
        for path in lists:
            model_files.add_downloads(models, path)
    except model_files.Wrong as error:
        sys.exit(str(error))
    print("/* Made by proto/models/make_models.py from core/models. */")
    writer = Writer("--settings" not in arguments)
    rows = [writer.model(model) for model in models]
    print("static const struct model embedded[] = {")
    print("\n".join(rows))
    print("};\nstatic const struct model_name embedded_names[] = {")
    names = sorted((name, place) for place, model in enumerate(models)
                   for name in model_files.names_of(model))
    print("\n".join(f"    {{{quote(name)}, &embedded[{place}]}}," for name, place in names))
    print("};")


if __name__ == "__main__":
    main(sys.argv[1:])
