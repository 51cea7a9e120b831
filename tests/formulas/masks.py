# SPDX-License-Identifier: Apache-2.0
"""masks.py - which keys a query sees: a rule for each mask of positions, of the parameters as
requests name them. Queries and keys are whole numbers, or arrays of them that NumPy broadcasts."""

import numpy as np

RULES = {
    "causal-mask": lambda q, k: k <= q,
    "bidirectional-mask": lambda q, k: abs(q - k) >= 0,
    # Beltagy et al. 2020, Jiang et al. 2023 (Mistral): `window` keys, the query's own among them
    "sliding-window-mask": lambda q, k, window=0, convention="exclusive", left=0, right=0: (
        ((left < 0) | (k >= q - left)) & ((right < 0) | (k <= q + right))
        if convention == "flash" else
        (k <= q) & (q - k < window + (convention == "inclusive"))),
    "sliding-window-bidirectional-mask": lambda q, k, window, convention="hf": (
        abs(q - k) <= (window if convention == "hf" else window // 2)),
    "chunked-mask": lambda q, k, chunk, left_padding=0: (
        (k <= q) & ((q - left_padding) // chunk == (k - left_padding) // chunk)),
    "chunk-left-context-mask": lambda q, k, chunk, left_chunks: (
        (q // chunk >= k // chunk) &
        ((left_chunks < 0) | (q // chunk - k // chunk <= left_chunks))),
    "prefix-lm-mask": lambda q, k, prefix_len: (k < prefix_len) | (k <= q),
    "document-mask": lambda q, k, document_ids, causal=True: (
        same(document_ids, q, k) & ((k <= q) | (not causal))),
    "blockwise-or-causal-mask": lambda q, k, block_ids, window=0: (
        ((k <= q) | same(block_ids, q, k)) & ((q - k < window) | (window <= 0))),
    "dilated-mask": lambda q, k, half_window, dilation, causal=False: (
        (abs(q - k) <= half_window * dilation) & ((q - k) % dilation == 0) &
        ((k <= q) | (not causal))),
    # Longformer (Beltagy et al. 2020): tokens that see all and that all see
    "global-local-mask": lambda q, k, half_window, global_tokens=(), causal=False: (
        ((abs(q - k) <= half_window) | np.isin(k, global_tokens) | np.isin(q, global_tokens)) &
        ((k <= q) | (not causal))),
    # Child et al. 2019: the last keys, and every stride-th before them
    "sparse-strided-mask": lambda q, k, stride: (
        (k <= q) & ((q - k < stride) | ((q - k) % stride == 0))),
    "sparse-fixed-mask": lambda q, k, block, summary_keys=1: (
        (k <= q) & ((q // block == k // block) | (k % block >= block - summary_keys))),
    # Xiao et al. 2023: the first keys and the last ones
    "attention-sink-window-mask": lambda q, k, sink_tokens, window: (
        (k <= q) & ((k < sink_tokens) | (q - k < window))),
    "causal-with-blocks-mask": lambda q, k, block: k // block <= q // block,
}


def compressed(q, w, rate):
    """DeepSeek-V4: compressed entry w stands for `rate` tokens, the last of which sees it."""
    return (w >= 0) & (w < (q + 1) // rate)


def same(ids, q, k):
    """Whether query and key have one id, which is not negative."""
    ids = np.asarray(ids)
    return (ids[q] == ids[k]) & (ids[q] >= 0)


def square(count, rule, **parameters):
    """The matrix of a rule for as many queries as keys."""
    return rule(np.arange(count)[:, None], np.arange(count)[None], **parameters)


def neighbours(q, k, length, kernel_size, dilation=1):
    """Hassani et al. 2023, along one axis: as many keys at a border as elsewhere."""
    member, residue = q // dilation, q % dilation
    members = -(-(length - residue) // dilation)
    start = np.clip(member - kernel_size // 2, 0, members - kernel_size)
    return (k % dilation == residue) & (start <= k // dilation) & (
        k // dilation < start + kernel_size)


def tree(parents, prefix_len=0):
    """Drafted tokens that see their ancestors, themselves, and the keys before the tree."""
    mask = np.eye(len(parents), dtype=bool)
    for node, parent in enumerate(parents):
        if parent >= 0:
            mask[node] |= mask[parent]
    return np.concatenate([np.ones((len(parents), prefix_len), bool), mask], -1)


def shifted_windows(grid, size, shift):
    """Liu et al. 2021: cells of a shifted window that were not neighbours do not see each other;
    a matrix a window, true where the key is seen."""
    (h, w), at = grid, [np.arange(length) - length for length in grid]
    rows, columns = ((x >= -size) * (shift > 0) + (x >= -shift).astype(int) for x in at)
    cells = (3 * rows[:, None] + columns).reshape(h // size, size, w // size, size)
    cells = cells.transpose(0, 2, 1, 3).reshape(-1, size * size)
    return cells[:, :, None] == cells[:, None, :]
