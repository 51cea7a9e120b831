# SPDX-License-Identifier: Apache-2.0
"""transformers_source.py - runs the configuration classes and rotary embeddings of a commit of
transformers without installing it: the files that compute positions are read from git and
executed, and every other import is a stand-in that computes nothing.

Needs Debian's python3-torch. Powers are rounded correctly to float32 here (PyTorch's own powf
is not, and differs between processors), as the profile f32-pow of posencd does."""

import ast
import importlib
import importlib.abc
import importlib.machinery
import math
import re
import subprocess
import sys
import types

REAL = re.compile(r"transformers\.(configuration_utils|backbone_utils|modeling_rope_utils"
                  r"|models\.auto\.auto_mappings|integrations\.heterogeneity(\.configuration_utils)?"
                  r"|models\.\w+\.configuration_\w+)")
STOOD_IN = ("transformers", "huggingface_hub", "typing_extensions", "packaging")


class StandInType(type):
    """A class whose every attribute is a stand-in, too."""
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn

    def __call__(cls, *args, **kwargs):
        if cls is not StandIn:
            return super().__call__(*args, **kwargs)
        if len(args) == 1 and callable(args[0]) and not kwargs:
            return args[0]  # a decorator without arguments
        return kwargs["default"] if "default" in kwargs else decorate if kwargs else StandIn

    def __iter__(cls):
        return iter(())

    def __contains__(cls, item):
        return False

    def __bool__(cls):
        return False

    def __getitem__(cls, item):
        return StandIn


class StandIn(metaclass=StandInType):
    """What an import that computes nothing becomes: a decorator, a base class, an empty list."""


def decorate(thing=None, **kwargs):
    """A decorator with arguments, or a validated field (`interval(min=0)(default=1)`)."""
    return kwargs["default"] if "default" in kwargs else thing


class Module(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the files of REAL from git; every other module of STOOD_IN is a stand-in."""
    def __init__(self, source):
        self.source = source

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in STOOD_IN:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Module(spec.name)

    def exec_module(self, module):
        name = module.__name__
        if name == "transformers":
            module.__version__ = self.source.commit
        elif name == "transformers.utils":
            module.is_torch_available = lambda: True
        elif name == "transformers.models.auto":
            module.CONFIG_MAPPING = ConfigMapping(self.source)
            module.AutoConfig = StandIn
        elif REAL.fullmatch(name):
            path = "src/" + name.replace(".", "/")
            text = self.source.text(path + ".py") or self.source.text(path + "/__init__.py")
            if "__init__" not in path and self.source.text(path + ".py"):
                module.__package__ = name.rpartition(".")[0]
            exec(compile(text, path, "exec"), module.__dict__)


class ConfigMapping:
    """CONFIG_MAPPING of transformers: the configuration class of a model_type."""
    def __init__(self, source):
        self.source = source

    def __getitem__(self, model_type):
        return self.source.config_class(model_type)


def correct_power(torch):
    """Makes powers of float32 correctly rounded, those of a number and those of a tensor: computed in
    float64, rounded once."""
    def rpow(tensor, base):
        if tensor.dtype != torch.float32:
            return torch.pow(base, tensor)
        base = torch.tensor(base, dtype=torch.float32).double()
        return torch.pow(base, tensor.double()).float()
    torch.Tensor.__rpow__ = rpow
    plain = torch.Tensor.__pow__

    def power(tensor, exponent):
        if tensor.dtype != torch.float32:
            return plain(tensor, exponent)
        exponent = exponent.double() if isinstance(exponent, torch.Tensor) else exponent
        return torch.pow(tensor.double(), exponent).float()
    torch.Tensor.__pow__ = power


class Layer:
    """torch.nn.Module as a rotary embedding uses it."""
    def __init__(self, *args, **kwargs):
        pass

    def register_buffer(self, name, value, persistent=True):
        setattr(self, name, value)


def imported(tree):
    """The names that a module's imports define."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield (alias.asname or alias.name).split(".")[0]


class Source:
    """A commit of transformers in a git directory."""
    def __init__(self, git, commit):
        import torch
        self.git, self.commit, self.files = git, commit, {}
        correct_power(torch)
        self.torch = torch
        sys.meta_path.insert(0, Finder(self))
        mappings = self.load("transformers.models.auto.auto_mappings")
        self.classes = dict(mappings.CONFIG_MAPPING_NAMES)
        self.folders = dict(getattr(mappings, "SPECIAL_MODEL_TYPE_TO_MODULE_NAME", {}))

    def text(self, path):
        """The text of a file; None if there is none."""
        if path not in self.files:
            answer = subprocess.run(["git", "-C", self.git, "show", f"{self.commit}:{path}"],
                                    capture_output=True)
            self.files[path] = answer.stdout.decode() if answer.returncode == 0 else None
        return self.files[path]

    @staticmethod
    def load(name):
        return importlib.import_module(name)

    def folder(self, model_type):
        return self.folders.get(model_type, model_type.replace("-", "_"))

    def config_class(self, model_type):
        """The class of a model_type; KeyError if transformers has none."""
        name, folder = self.classes[model_type], self.folder(model_type)
        module = self.load(f"transformers.models.{folder}.configuration_{folder}")
        return getattr(module, name)

    def rotary_classes(self, folder):
        """(path, classes by name): the rotary embeddings of a model's code."""
        path = f"src/transformers/models/{folder}/modeling_{folder}.py"
        text = self.text(path)
        if text is None:
            return path, {}
        rope = self.load("transformers.modeling_rope_utils")
        nn = types.SimpleNamespace(Module=Layer, Buffer=lambda value, persistent=True: value)
        tree = ast.parse(text)
        world = {name: StandIn for name in imported(tree)}
        world.update(torch=self.torch, nn=nn, ROPE_INIT_FUNCTIONS=rope.ROPE_INIT_FUNCTIONS,
                     dynamic_rope_update=rope.dynamic_rope_update, math=math)
        wanted = [node for node in tree.body if isinstance(node, ast.ClassDef)
                  and re.search("Rotary|RoPE|RopeEmbedding", node.name)
                  and not re.search("Attention|Layer|Block", node.name)]
        for node in wanted:
            exec(compile(ast.Module([node], []), path, "exec"), world)
        return path, {node.name: world[node.name] for node in wanted}
