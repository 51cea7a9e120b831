#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the Python package posenc: make_python.py POSENCD FOLDER

The runtime is copied from proto/clients/python; the methods of encodings are written from what the
program says of itself, `posencd encodings --json` and `posencd openapi`, so that they are never older than
it. FOLDER is replaced."""

import json
import keyword
import os
import shutil
import sys
import textwrap

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import described  # noqa: E402, found by the line above

RUNTIME = os.path.join(HERE, "python")
HEAD = "# SPDX-License-Identifier: Apache-2.0\n# Made by make_python.py; changes here are lost.\n"
WIDTH = 100
TYPES = {"integer": "int", "number": "float", "boolean": "bool", "word": "str", "numbers": "Numbers",
         "positions": "Positions", "grid": "Grid", "tensor": "Vectors", "segments": "str"}
CLIENT_CALLS = ("batch", "picture", "figure", "stream", "models", "model", "resolve", "tables", "verify",
                "encodings", "version")

LOCAL = '''"""The functions of posenc without a service: computed by libposenc where it is found, else by a
WebAssembly module of this package, with Node or wasmtime. engine() says which.

    from posenc import local
    cos, sin = local.rope(dim=128, pos=range(4096))

help(local.rope) tells the parameters.
%s
"""

from .engines import Local

_it = Local()

'''

AIO = '''"""The functions of posenc as coroutines, for programs of asyncio.

    from posenc import aio
    cos, sin = await aio.rope(dim=128, pos=range(4096))

Requests are sent by httpx where that package is installed, else by threads. AsyncClient is another service.
help(posenc.rope) tells the parameters.
%s
"""

from .async_client import AsyncClient

_it = AsyncClient()

'''

PACKAGE = '''"""Positional encodings and attention biases, from the service at $POSENC_URL.

    cos, sin = posenc.rope(dim=128, pos=range(4096))     two arrays
    q = posenc.rope_apply(x=q, pos=range(4096)).x        vectors, rotated
    png = posenc.picture("alibi", heads=8, len=64)       a picture
    tables = posenc.tables(config, pos=range(4096))      what a config.json means
    posenc.assert_matches({"cos": cos}, model="llama-3-8b", pos=range(4096))   numbers of your own

Client is another service; posenc.aio has coroutines; posenc.local needs no service. A request that is refused raises
RequestError with all that is wrong with it. help(posenc.rope) tells the parameters.
%s
"""

from typing import TYPE_CHECKING

from .arrays import bfloat16_to_float32, float32_to_bfloat16
from .capturing import Capture, capture
from .client import Client
from .errors import PosencError, Problem, RequestError, ServiceError
from .matching import Mismatch, assert_matches
from .tensors import Tensors
from .version import VERSION as __version__

if TYPE_CHECKING:
    from . import aio as aio, local as local
else:
    def __getattr__(name):
        """posenc.aio and posenc.local, imported when they are first used."""
        import importlib
        if name in ("aio", "local"):
            return importlib.import_module("." + name, __name__)
        raise AttributeError("module %%r has no attribute %%r" %% (__name__, name))

_it = Client()

'''
EXPORTS = ("Capture", "Client", "Mismatch", "PosencError", "Problem", "RequestError", "ServiceError",
           "Tensors", "assert_matches", "capture",
           "bfloat16_to_float32", "float32_to_bfloat16", "__version__")


def identifier(name):
    """The name in Python of a parameter or an encoding: pos_t of pos.t, from_ of from."""
    name = name.replace(".", "_").replace("-", "_").replace("/", "_")
    return name + "_" if keyword.iskeyword(name) else name


def class_name(encoding):
    return "".join(part.capitalize() for part in encoding.replace("/", "-").split("-")) + "Tensors"


def literal(names):
    return "Literal[%s]" % ", ".join('"%s"' % name for name in names)


def type_of(param):
    if described.is_truth(param):
        return "bool"
    if param.get("choices"):
        return literal(choice["name"] for choice in param["choices"])
    kind = TYPES["word" if param["type"] == "choice" else param["type"]]
    return "Union[%s, %s]" % (kind, literal(param["words"])) if param.get("words") else kind


class Encoding(described.Encoding):
    """What is written of one encoding."""

    def answer(self):
        """The class of its answer."""
        lines = ["class %s(Tensors):" % class_name(self.name),
                 '    """Tensors of %s."""\n' % self.name]
        lines += ["    %s: Array" % identifier(output) for output in self.outputs]
        lines.append("    _order = (%s,)" % ", ".join(json.dumps(output) for output in self.outputs))
        return "\n".join(lines) + "\n"

    def signature(self):
        lines = []
        for param in self.params:
            name = identifier(param["name"])
            lines.append("%s: %s" % (name, type_of(param)) if param["name"] in self.needed
                         else "%s: Optional[%s] = None" % (name, type_of(param)))
        out = literal(self.outputs)
        lines.append("out: Optional[Union[%s, Sequence[%s]]] = None" % (out, out))
        lines += ["%s: Optional[%s] = None" % (option["name"], type_of(option))
                  for option in self.options]
        return "".join("        %s,\n" % line for line in lines)

    def document(self):
        """The docstring: what it is, its parameters, its outputs."""
        entry = self.entry
        lines = ["%s: %s." % (entry["title"], entry["summary"]), "", "    %s" % entry["formula"], ""]
        for param in self.params + self.options:
            text = "%s: %s" % (identifier(param["name"]), param.get("doc", ""))
            if "default" in param:
                text += "; default %s" % json.dumps(param["default"])
            lines.append(text)
        lines += ["out: which tensors; by default " + ", ".join(
            output["name"] for output in entry["outputs"] if output["default"]), "", "Tensors:"]
        lines += ["    %s [%s]: %s" % (output["name"], output["shape"], output.get("doc", ""))
                  for output in entry["outputs"]]
        lines += ["", "As in %s. Source: %s." % (entry["example"], entry["source"])]
        wrapped = []
        for line in lines:
            indent = " " * (len(line) - len(line.lstrip()))
            wrapped += textwrap.wrap(line, WIDTH - 8, subsequent_indent=indent + "    ",
                                     break_long_words=False, break_on_hyphens=False) or [""]
        text = "\n".join("        " + line if line else "" for line in wrapped).strip()
        return text.replace("\\", "\\\\").replace('"""', "'''")

    def coroutine(self):
        """The method that awaits the answer."""
        text = '"""As `posenc.%s`."""' % identifier(self.name)
        return self.method("async def", text).replace("return self._call(", "return await self._call(")

    def method(self, verb="def", text=None):
        given = ["%s=%s" % (json.dumps(one["name"]), identifier(one["name"]))
                 for one in self.params + self.options]
        given.append('"out"=out')
        members = "".join("            %s,\n" % one.replace("=", ": ", 1) for one in given)
        return ('    %s %s(\n        self,\n        *,\n%s    ) -> %s:\n        %s\n'
                '        return self._call("%s", _KINDS["%s"], _given({\n%s        }), %s)\n' % (
                    verb, identifier(self.name), self.signature(), class_name(self.name),
                    text or '"""%s"""' % self.document(), self.name, self.name, members,
                    class_name(self.name)))


def write_encodings(path, encodings):
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + '"""Every encoding as a method."""\n\nfrom __future__ import annotations\n\n'
                   'from typing import Any, Dict, Literal, Mapping, Optional, Sequence, Type, TypeVar, '
                   'Union\n\nfrom .arrays import Array\nfrom .tensors import Tensors\n'
                   'from .values import Grid, Numbers, Positions, Vectors\n\n'
                   'T = TypeVar("T", bound=Tensors)\n\n_KINDS: Dict[str, Dict[str, str]] = {\n')
        for one in encodings:
            file.write("    %s: %s,\n" % (json.dumps(one.name), json.dumps(one.kinds())))
        file.write('}\n\n\ndef _given(values: Mapping[str, Any]) -> Dict[str, Any]:\n'
                   '    return {name: value for name, value in values.items() if value is not None}\n')
        for one in encodings:
            file.write("\n\n" + one.answer())
        file.write("\n\n_ANSWERS: Dict[str, Type[Tensors]] = {\n")
        for one in encodings:
            file.write("    %s: %s,\n" % (json.dumps(one.name), class_name(one.name)))
        file.write('}\n\n\nclass Encodings:\n    """What a service and the library have in common."""\n\n'
                   '    _kinds = _KINDS\n    _answers = _ANSWERS\n\n'
                   '    def _call(self, encoding: str, kinds: Mapping[str, str], '
                   'given: Mapping[str, Any],\n              answer: Type[T]) -> T:\n'
                   '        raise NotImplementedError\n')
        for one in encodings:
            file.write("\n" + one.method())


def write_coroutines(path, encodings):
    """Writes the methods of encodings as coroutines, with the types and texts of the others."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + '"""Every encoding as a coroutine."""\n\nfrom __future__ import annotations\n\n'
                   'from typing import Any, Literal, Mapping, Optional, Sequence, Type, TypeVar, Union\n\n'
                   'from .encodings import _KINDS, Encodings, _given\n'
                   'from .encodings import (\n%s)\n' % "".join(
                       "    %s,\n" % class_name(one.name) for one in encodings))
        file.write('from .tensors import Tensors\nfrom .values import Grid, Numbers, Positions, Vectors\n\n'
                   'T = TypeVar("T", bound=Tensors)\n\n\nclass AsyncEncodings:\n'
                   '    """The encodings of a service."""\n\n'
                   '    async def _call(self, encoding: str, kinds: Mapping[str, str],\n'
                   '                    given: Mapping[str, Any], answer: Type[T]) -> T:\n'
                   '        raise NotImplementedError\n')
        for one in encodings:
            file.write("\n" + one.coroutine())
        file.write("\n\nfor _name in (\n%s):\n    getattr(AsyncEncodings, _name).__doc__ = "
                   "getattr(Encodings, _name).__doc__\n" % "".join(
                       "    %s,\n" % json.dumps(identifier(one.name)) for one in encodings))


def index(encodings):
    """The encodings of a module's docstring: a line each, by families."""
    lines = []
    for family in dict.fromkeys(one.entry["family"] for one in encodings):
        lines += ["", family + ":"]
        lines += ["    %-31s %s" % (identifier(one.name), one.entry["summary"])
                  for one in encodings if one.entry["family"] == family]
    return "\n".join(lines)


def write_functions(path, encodings, module, calls, others):
    """Writes a module with a function for each method of the object `_it`, which `module` makes; in
    `module`, %s stands for the index of encodings. `others` are names that `module` has."""
    names = [identifier(one.name) for one in encodings] + list(calls)
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + module % index(encodings))
        for name in names:
            file.write("%s = _it.%s\n" % (name, name))
        file.write("\n__all__ = [\n%s]\n" % "".join(
            "    %s,\n" % json.dumps(name) for name in [*names, *others]))


def write_package(folder, encodings, version):
    with open(os.path.join(folder, "version.py"), "w", encoding="utf-8") as file:
        file.write(HEAD + '"""The version of the program that this package was made by."""\n\n'
                   'VERSION = "%s"\n' % version)
    write_encodings(os.path.join(folder, "encodings.py"), encodings)
    write_coroutines(os.path.join(folder, "async_encodings.py"), encodings)
    write_functions(os.path.join(folder, "aio.py"), encodings, AIO, CLIENT_CALLS, ("AsyncClient",))
    write_functions(os.path.join(folder, "local.py"), encodings, LOCAL, ("batch", "engine", "version"), ())
    write_functions(os.path.join(folder, "__init__.py"), encodings, PACKAGE, CLIENT_CALLS, EXPORTS)


def main(program, folder):
    version, encodings = described.read(program, Encoding)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(RUNTIME, folder)
    described.write_texts(folder, "Python", "NumPy arrays", "pip install posenc")
    with open(os.path.join(folder, "pyproject.toml"), "a", encoding="utf-8") as file:
        places = described.urls()
        file.write("".join(["\n[project.urls]\n"] * bool(places) + [
            "%s = %s\n" % (name, json.dumps(url)) for name, url in places.items()]))
    write_package(os.path.join(folder, "posenc"), encodings, version)


main(*sys.argv[1:])
