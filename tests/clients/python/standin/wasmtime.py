# SPDX-License-Identifier: Apache-2.0
"""wasmtime.py - stands in for the package wasmtime: the calls of its documentation that posenc uses, with
their types checked. run_module.mjs runs the module, by Node ($POSENC_NODE)."""

import base64
import json
import os
import subprocess
import weakref

HERE = os.path.dirname(os.path.abspath(__file__))


def end(process):
    process.kill()
    process.communicate()


class WasmtimeError(Exception):
    pass


class Trap(Exception):
    pass


class FuncType:
    def __init__(self, results):
        self.params, self.results = [], results


class ImportType:
    def __init__(self, module, name):
        self.module, self.name = module, name
        self.type = FuncType([] if name == "proc_exit" else ["i32"])


class Engine:
    pass


class Store:
    """Has the process in which its one instance runs."""

    def __init__(self, engine):
        assert isinstance(engine, Engine)
        self.process = subprocess.Popen([os.environ["POSENC_NODE"], os.path.join(HERE, "run_module.mjs")],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        weakref.finalize(self, end, self.process)  # or at the end of this process

    def ask(self, *words):
        self.process.stdin.write(json.dumps(words).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "trap" in answer:
            raise Trap(answer["trap"])
        return answer["value"]


class Module:
    def __init__(self, engine, path):
        assert isinstance(engine, Engine)
        self.path = path
        self.imports = [ImportType(*one) for one in Store(engine).ask("imports", path)]

    @classmethod
    def from_file(cls, engine, path):
        return cls(engine, path)


class Func:
    def __init__(self, store, ty, func):
        assert isinstance(store, Store) and isinstance(ty, FuncType)
        self.returns = func(1, 2)
        if (self.returns is None) != (not ty.results):
            raise WasmtimeError("callback produced results when it shouldn't")


class Export:
    def __init__(self, name):
        self.name = name

    def __call__(self, store, *params):
        assert all(isinstance(one, int) for one in params)
        return store.ask("call", self.name, params)


class Memory:
    def read(self, store, start=0, stop=None):
        return bytearray(base64.b64decode(store.ask("read", start, stop)))

    def write(self, store, value, start=None):
        assert isinstance(value, (bytes, bytearray))
        if not store.ask("write", start, base64.b64encode(value).decode()):
            raise IndexError("index out of range")
        return len(value)


class Instance:
    def __init__(self, store, module, imports):
        self.names = store.ask("load", module.path, [one.returns for one in imports])

    def exports(self, store):
        assert isinstance(store, Store)
        return {name: Memory() if name == "memory" else Export(name) for name in self.names}
