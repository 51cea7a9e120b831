# SPDX-License-Identifier: Apache-2.0
"""right_other.py - right tables of sinusoids, biases, buckets, images and ids."""

import math

import numpy as np

import classics
import heads
import mask_code as m
import pictures as p
import rope
from case import Case, RIGHT, case

F = np.float32
KIND = "right-other"


@case(KIND)
def attention_is_all_you_need(draw):
    """pe[:, 0::2], pe[:, 1::2] with div_term of exp."""
    dim, n = draw.choice([64, 512]), draw.choice([20, 50])
    rows = classics.vaswani(np.arange(n), dim)
    rows = draw.choice([rows, rows[None], rows[:, None]])
    return Case(draw.named("rows", rows), ["encoding=sinusoidal", "dim=%d" % dim] +
                (["pos=0:%d" % n] if draw.is_plain or draw.coin() else []), RIGHT)


@case(KIND, "whisper", "tensor2tensor")
def sinusoids_of_presets(draw, name):
    rows = classics.vaswani(np.arange(60), 128, "concat", True)
    return Case(draw.named("rows", rows), ["encoding=sinusoidal", "preset=" + name, "dim=128",
                                           "pos=0:60"], RIGHT)


@case(KIND, "dit", "ddpm", "flux")
def timesteps(draw, name):
    t = [0.1, 0.5, 1.0] if name == "flux" else [0, 10, 250, 999]
    times = np.array(t) * (1000 if name == "flux" else 1)
    rows = classics.vaswani(times, 64, "concat" if name == "ddpm" else "cs", name == "ddpm")
    return Case({"t_emb" if not draw.is_plain else "rows": rows},
                ["encoding=timestep-embedding", "preset=" + name, "dim=64",
                 "pos=" + ",".join("%g" % x for x in t)], RIGHT)


@case(KIND, "8", "12", "32", "40")
def alibi_bias(draw, count):
    count, n = int(count), draw.integer(8, 20)
    return Case(draw.named("bias", heads.biases(heads.slopes(count), n)), heads.words(count, n),
                RIGHT)


@case(KIND)
def alibi_of_bloom(draw):
    """build_alibi_tensor: slopes times key index, [batch * heads, 1, T]."""
    n = 20
    bias = heads.slopes(16)[:, None, None] * np.arange(n, dtype=F)[None, None, :]
    return Case({"alibi" if not draw.is_plain else "bias": bias},
                ["encoding=alibi", "heads=16", "len=20", "distance_kind=key-index"], RIGHT)


@case(KIND)
def alibi_of_mpt(draw):
    n = 20
    bias = heads.slopes(32)[:, None, None] * (np.arange(n, dtype=F) - (n - 1))[None, None, :]
    return Case(draw.named("bias", bias[None]), ["encoding=alibi", "model=mpt-7b", "len=20"], RIGHT)


@case(KIND)
def alibi_of_a_decode_step(draw):
    n = draw.integer(12, 30)
    bias = -heads.slopes(8)[:, None, None] * (n - 1 - np.arange(n, dtype=F))[None, None, :]
    return Case(draw.named("bias", bias), ["encoding=alibi", "heads=8", "q=%d" % (n - 1),
                                           "k=0:%d" % n], RIGHT)


@case(KIND, "encoder", "decoder")
def t5_buckets(draw, way):
    both = way == "encoder"
    made = heads.bucket(heads.relative(60), both)
    return Case(draw.named("buckets", made), ["encoding=t5", "len=60"] +
                ([] if both else ["bidirectional=0"]), RIGHT)


@case(KIND)
def t5_bias(draw):
    table = draw.normal(32, 8)
    bias = table[heads.bucket(heads.relative(40))].transpose(2, 0, 1)[None]
    return Case({"table": table, **draw.named("bias", bias.copy())},
                ["encoding=t5", "len=40"], RIGHT)


@case(KIND)
def swin_index(draw):
    """relative_position_index of Swin, by its broadcasting."""
    size = draw.choice([4, 7])
    coords = np.stack(np.meshgrid(np.arange(size), np.arange(size), indexing="ij")).reshape(2, -1)
    relative = (coords[:, :, None] - coords[:, None, :]).transpose(1, 2, 0) + size - 1
    relative[:, :, 0] *= 2 * size - 1
    return Case(draw.named("index", relative.sum(-1)),
                ["encoding=swin", "window_size=%dx%d" % (size, size)], RIGHT)


@case(KIND)
def swinv2_coordinates(draw):
    size = 8
    r = np.arange(-(size - 1), size, dtype=F)
    table = np.stack(np.meshgrid(r, r, indexing="ij"), -1) / F(size - 1) * F(8)
    coords = np.sign(table) * np.log2(np.abs(table) + F(1)) / F(np.log2(8))
    name = "coords" if draw.is_plain else "relative_coords_table"
    return Case({name: coords[None].astype(F)},
                ["encoding=swinv2", "window_size=8x8"], RIGHT)


@case(KIND)
def mae_rows(draw):
    grid = draw.choice([(7, 7), (4, 6)])
    return Case(draw.named("rows", p.mae(grid, 64)), ["encoding=sincos2d-mae", "dim=64",
                                                      "grid=%dx%d" % grid], RIGHT)


@case(KIND)
def mae_with_a_class_token(draw):
    rows = np.vstack([np.zeros((1, 64), F), p.mae((7, 7), 64)])
    return Case(draw.named("rows", rows[None]), ["encoding=sincos2d-mae", "dim=64", "grid=7x7",
                                                 "prefix_tokens=1"], RIGHT)


@case(KIND)
def detr_map(draw):
    made = p.detr((6, 8), 32)
    made = made if draw.is_plain else made[None]
    return Case({"pos_embed" if not draw.is_plain else "map": made},
                ["encoding=detr-sine", "grid=6x8", "num_pos_feats=32"], RIGHT)


@case(KIND)
def axial_of_rope_vit(draw):
    cos, sin = p.axial((6, 8), 64)
    return Case(draw.tables(cos, sin), ["encoding=rope2d-axial", "grid=6x8", "dim=64"], RIGHT)


@case(KIND)
def dinov3_tables(draw):
    cos, sin = p.dinov3((5, 7), 64)
    return Case(draw.tables(cos, sin), ["encoding=rope2d-dinov3", "grid=5x7", "dim=64"] +
                (["width=full"] if draw.coin() else []), RIGHT)


@case(KIND)
def qwen_vit_in_merge_blocks(draw):
    """rot_pos_emb of Qwen2-VL: rows and columns of 2 x 2 blocks; two equal halves."""
    h, w, dim = 4, 6, 80
    y, x = np.indices((h, w))
    y, x = (g.reshape(h // 2, 2, w // 2, 2).transpose(0, 2, 1, 3).reshape(-1) for g in (y, x))
    freqs = rope.inv_freq(dim // 2, 1e4)
    a = np.concatenate([y[:, None].astype(F) * freqs, x[:, None].astype(F) * freqs], -1)
    a = rope.half(a)
    return Case(draw.tables(np.cos(a).astype(F), np.sin(a).astype(F)),
                ["encoding=rope2d-qwen-vit", "grid_thw=1,4,6", "dim=80"], RIGHT)


@case(KIND)
def flux_tables(draw):
    h, w = 4, 6
    y, x = (g.reshape(-1) for g in np.indices((h, w)))
    cos, sin = p.flux(np.stack([0 * y, y, x], 1))
    return Case(draw.tables(cos, sin), ["encoding=rope-axes", "preset=flux", "grid_sizes=1,4,6"],
                RIGHT)


@case(KIND)
def wan_tables(draw):
    ids = np.stack([g.reshape(-1) for g in np.indices((2, 3, 4))], 1)
    cos, sin = p.flux(ids, (44, 42, 42))
    return Case(draw.tables(cos, sin), ["encoding=rope-axes", "preset=wan", "dim=128",
                                        "grid_sizes=2,3,4"], RIGHT)


@case(KIND, "qwen2-vl", "qwen2.5-vl")
def mrope_ids(draw, preset):
    parts = p.drawn_parts(draw)
    made = p.mrope_ids(parts)
    name = "ids" if draw.is_plain else "position_ids"
    return Case({name: made if draw.is_plain else made[:, None]},
                ["encoding=ids-mrope", "preset=" + preset, p.segments(parts)], RIGHT)


@case(KIND)
def mrope_tables(draw):
    ids = p.mrope_ids(p.drawn_parts(draw))
    cos, sin = p.mrope_tables(ids)
    return Case(draw.tables(cos, sin), ["encoding=mrope", "dim=128", "base=1000000",
                                        "mrope_section=16,24,24", p.ids_words(ids)], RIGHT)


@case(KIND)
def ids_of_a_left_padded_batch(draw):
    flags = np.ones((2, 12), int)
    flags[1, :4] = 0
    ids = np.where(flags == 1, np.cumsum(flags, 1) - 1, 1)
    return Case(draw.named("ids", ids), ["encoding=ids-from-mask", "attention_mask=" +
                                         ";".join(m.commas(row) for row in flags)], RIGHT)


@case(KIND)
def ids_of_packed_documents(draw):
    lengths, labels = m.documents(draw)
    ids = np.concatenate([np.arange(n) for n in lengths])
    return Case({"positions" if draw.is_plain else "position_ids": ids},
                ["encoding=ids-packed", "lengths=" + m.commas(lengths)], RIGHT)


@case(KIND)
def ids_of_roberta(draw):
    flags = np.array([1] * 8 + [0] * 3)
    return Case(draw.named("ids", (np.cumsum(flags) * flags + 1)[None]),
                ["encoding=ids-from-mask", "convention=roberta",
                 "attention_mask=" + m.commas(flags)], RIGHT)


@case(KIND)
def learned_rows_of_opt(draw):
    table = draw.normal(20, 16)
    return Case({"table": table, **draw.named("rows", table[2:14])},
                ["encoding=learned", "convention=opt", "pos=0:12"], RIGHT)


@case(KIND)
def deberta_buckets(draw):
    """make_log_bucket_position of DeBERTa-v2."""
    n, buckets, most = 40, 16, 32
    relative = np.arange(n)[:, None] - np.arange(n)[None]
    mid = buckets // 2
    a = np.where((relative < mid) & (relative > -mid), mid - 1, np.abs(relative))
    log = np.ceil(np.log(a / mid) / math.log((most - 1) / mid) * (mid - 1)) + mid
    made = np.where(a <= mid, relative, log * np.sign(relative)).astype(np.int64)
    return Case(draw.named("buckets", made), ["encoding=deberta", "len=40", "position_buckets=16",
                                              "max_relative_positions=32"], RIGHT)


@case(KIND)
def shaw_index(draw):
    n, most = 20, draw.choice([4, 8])
    i, j = np.indices((n, n))
    return Case(draw.named("index", np.clip(j - i, -most, most) + most),
                ["encoding=shaw", "len=20", "max_distance=%d" % most], RIGHT)


@case(KIND, "log", "power")
def kerple(draw, kernel):
    n = 16
    i, j = np.indices((n, n))
    d = abs(i - j).astype(F)
    made = [-F(b) * np.log1p(F(a) * d) if kernel == "log" else -F(a) * d ** F(b)
            for a, b in ((0.5, 1.0), (1.0, 0.5))]
    return Case(draw.named("bias", np.stack(made).astype(F)),
                ["encoding=kerple", "len=16", "kernel=" + kernel, "a=0.5,1", "p=1,0.5"], RIGHT)


@case(KIND)
def retention(draw):
    n, count = 16, 4
    i, j = np.indices((n, n))
    gamma = 1 - 2.0 ** (-5 - np.arange(count))
    made = np.where(j <= i, gamma[:, None, None] ** (i - j), 0).astype(F)
    return Case({"decay": made}, ["encoding=retnet-decay", "heads=4", "len=16"], RIGHT)


@case(KIND)
def nerf_rows(draw):
    coords = np.round(draw.random.uniform(-1, 1, (5, 3)), 3)
    x = coords.astype(F)
    parts = [x]
    for k in range(6):
        parts += [np.sin(x * F(2 ** k)), np.cos(x * F(2 ** k))]
    return Case(draw.named("rows", np.concatenate(parts, -1).astype(F)),
                ["encoding=nerf", "num_freqs=6", "coords=" + ";".join(
                    ",".join("%g" % c for c in row) for row in coords)], RIGHT)


@case(KIND)
def transformer_xl_table(draw):
    """RelPositionalEncoding of ESPnet."""
    n, dim = 10, 32
    w = 1 / (1e4 ** (np.arange(0, dim, 2).astype(F) / F(dim)))
    a = np.arange(n - 1, -n, -1).astype(F)[:, None] * w.astype(F)
    table = np.stack([np.sin(a), np.cos(a)], -1).reshape(len(a), dim).astype(F)
    return Case({"table": table}, ["encoding=transformer-xl", "len=10", "dim=32",
                                   "distance_order=conformer"], RIGHT)
