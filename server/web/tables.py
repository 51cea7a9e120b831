# SPDX-License-Identifier: Apache-2.0
"""tables.py - tables of the program that the pages' script has too, as names that esbuild defines."""

import json
import os
import re

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../proto/tensors/tensor_files.def")
FILE = re.compile(r'^TENSOR_FILE\("(\w+)", "([\w/.+-]+)", (NAMED|NAMELESS), (ANYWHERE|ALONE)\)$', re.M)


def tensor_files():
    """End of a name -> what such a file is: its media type, and what is true of it."""
    with open(FILES, encoding="utf-8") as file:
        rows = FILE.findall(file.read())
    return {end: {"type": kind, **({"nameless": True} if names == "NAMELESS" else {}),
                  **({"alone": True} if where == "ALONE" else {})} for end, kind, names, where in rows}


def defined():
    """The options of esbuild."""
    return ["--define:TENSOR_FILES=" + json.dumps(tensor_files())]
