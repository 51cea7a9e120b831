# SPDX-License-Identifier: Apache-2.0
"""reports.py - small inputs from public bug reports, each a folder with wrong.npz and a README
whose line `claim:` is the claim; score.py --reports=DIR adds them."""

import os
import re

from case import MISTAKE, RIGHT

KIND = "reports"
# What must be heard: the want, patterns, numbers.
TRUTH = {
    "alibi-local-heads-gathered": (MISTAKE, [r"slope|head"], [16, 32]),
    "decode-off-by-one": (MISTAKE, [r"row|position|pos\b"], [20, 21]),
    "decode-position-zero": (MISTAKE, [r"row|position", r"position 0|0,0"], [20]),
    "gemma-image-block-in-window": (RIGHT, [], []),
    "image-time-times-tokens-per-second": (MISTAKE, [r"time|tokens_per_second"], [2]),
    "learned-left-pad-ignored": (MISTAKE, [r"pad|row|position", r"0:8"], []),
    "left-pad-columns-under-causal-claim": (MISTAKE, [r"padding|hidden|keys? 0"], [1]),
    "padding-sees-padding": (MISTAKE, [r"padding", r"see|attend|equal"], []),
    "partial-half-ignored": (MISTAKE, [r"partial_rotary_factor|rotary_dim"], [1]),
    "partial-pairs-half-a-head-apart": (MISTAKE, [r"partner|pair|i ?\+"], [128, 32]),
    "proportional-contiguous-pairs": (MISTAKE, [r"partner|pair|i ?\+"], [64, 256]),
    "relative-sign-lost": (MISTAKE, [r"sign|negative|absolute|\|"], []),
    "resize-sliced": (MISTAKE, [r"slice|top|part|cut|crop|not (resized|interpolated)|nothing"], []),
    "twice-half-then-adjacent": (MISTAKE, [r"half|halves", r"adjacent"], []),
    "vaswani-for-whisper": (MISTAKE, [r"vaswani|interleaved", r"vaswani|open"], []),
    "window-constant-position": (MISTAKE, [r"every|all|constant|same|each"], [20])}
MORE = {"gemma-image-block-in-window": ["window=16"]}


def made(folder):
    pairs = []
    for name, (want, say, numbers) in sorted(TRUTH.items()):
        path = os.path.join(os.path.abspath(folder), name)
        with open(os.path.join(path, "README"), encoding="utf-8") as file:
            claim = re.search(r"^claim: (.*)$", file.read(), re.MULTILINE)[1]
        claim = claim.partition(" (")[0].split()
        pairs.append((path, {"name": "%s/%s.0" % (KIND, name), "kind": KIND,
                             "arguments": ["wrong.npz", *claim, *MORE.get(name, [])], "want": want,
                             "say": say, "numbers": numbers}))
    return pairs
