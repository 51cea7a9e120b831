# SPDX-License-Identifier: Apache-2.0
"""containers_cases.py - files and folders as users have them beside npz: torch.save, GGUF, a
folder, tensors whose role the user tells."""

import json

import numpy as np

import containers
import files
import rope
from case import Case, MISTAKE, REFUSED, RIGHT, case
from support.tensor_file import gguf

F = np.float32
KIND = "files"


def made(draw, rows=48, base=None):
    model = draw.choice(rope.PLAIN[:5])
    w = model.w() if base is None else rope.inv_freq(model.dim, base)
    return model, rope.tables(w, np.arange(rows), 1.0, rope.half)


def plain(model, rows=48):
    return ["encoding=rope", "model=" + model.name, "pos=0:%d" % rows]


@case(KIND, "right", "wrong")
def torch_save(draw, way):
    model, (cos, sin) = made(draw, base=None if way == "right" else 150000.0)
    data = containers.torch_save({"cos": cos, "sin": sin})
    return Case({}, ["tables.pt", *plain(model)], RIGHT if way == "right" else MISTAKE,
                [] if way == "right" else [r"base|theta"], [] if way == "right" else [150000],
                more={"tables.pt": data})


@case(KIND)
def torch_save_with_numbers_beside(draw):
    model, (cos, sin) = made(draw)
    data = containers.torch_save({"rotary.cos_cached": cos.astype(np.float16),
                                  "rotary.sin_cached": sin.astype(np.float16)}, {"step": 7})
    return Case({}, ["checkpoint.pth", *plain(model)], RIGHT, more={"checkpoint.pth": data})


@case(KIND)
def pickle_that_calls_a_function(draw):
    _, (cos, _) = made(draw)
    data = containers.torch_save({"cos": cos}, {"x": containers.Harmful()})
    return Case({}, ["bad.pt", "encoding=rope", "dim=128", "pos=0:48"], REFUSED,
                [r"pickle|print|builtins|opcode|GLOBAL"], more={"bad.pt": data})


@case(KIND, "right", "none")
def gguf_with_rope_freqs(draw, way):
    """The divisors of Llama 3.1 that llama.cpp's converter writes."""
    w = rope.inv_freq(128, 5e5)
    right = (w / rope.llama3(w, 8)).astype(F)
    metadata = {"general.architecture": "llama", "llama.embedding_length": 4096,
                "llama.attention.head_count": 32, "llama.rope.freq_base": 500000.0,
                "llama.rope.dimension_count": 128, "llama.context_length": 131072}
    freqs = right if way == "right" else np.ones(64, F)
    return Case({}, ["model.gguf", "model=llama-3.1-8b"], RIGHT if way == "right" else MISTAKE,
                [] if way == "right" else [r"rope_freqs|factor|scaling"],
                more={"model.gguf": gguf(metadata, {"rope_freqs.weight": freqs})})


@case(KIND)
def folder_of_files(draw):
    model, (cos, sin) = made(draw)
    return Case({}, [".", *plain(model)], RIGHT,
                more={"cos.npy": files.npy({"cos": cos}), "sin.npy": files.npy({"sin": sin})})


@case(KIND)
def two_files(draw):
    model, (cos, sin) = made(draw)
    return Case({}, ["cos.npy", "sin.npy", *plain(model)], RIGHT,
                more={"cos.npy": files.npy({"cos": cos}), "sin.npy": files.npy({"sin": sin})})


@case(KIND)
def role_told_by_the_user(draw):
    """One tensor of a file, under a name that says nothing."""
    model, (_, sin) = made(draw)
    data = files.npz({"a": sin, "b": draw.normal(5, 3)})
    return Case({}, ["dump.npz:a=sin", *plain(model)], RIGHT, more={"dump.npz": data})


@case(KIND)
def other_tensors_beside(draw):
    """A checkpoint's weights stand beside the buffer: they are no part of the question."""
    model, _ = made(draw)
    return Case({"model.embed_tokens.weight": draw.normal(16, 8),
                 "rotary_emb.inv_freq": model.w(), "lm_head.bias": draw.normal(16)},
                ["encoding=rope", "model=" + model.name], RIGHT)


@case(KIND)
def config_and_tables_of_a_folder(draw):
    model = rope.LLAMA3[0]
    cos, sin = rope.tables(model.w(), np.arange(48), 1.0, rope.half)
    config = {"model_type": "llama", "head_dim": 128, "hidden_size": 4096,
              "num_attention_heads": 32, "rope_theta": 500000.0,
              "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                               "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}}
    return Case({}, ["."], RIGHT, more={"config.json": json.dumps(config).encode(),
                                        "rope.npz": files.npz({"cos": cos, "sin": sin})})


@case(KIND)
def truncated_file(draw):
    _, (cos, sin) = made(draw)
    data = files.safetensors({"cos": cos, "sin": sin})
    return Case({}, ["cut.safetensors", "encoding=rope", "dim=128", "pos=0:48"], REFUSED,
                [r"cut\.safetensors"], more={"cut.safetensors": data[:len(data) // 2]})


@case(KIND)
def text_in_place_of_numbers(draw):
    return Case({"names": np.array(["cos", "sin"])}, ["encoding=rope", "dim=128", "pos=0:2"],
                REFUSED, [r"names|text|dtype|string|U3"], form="npz")
