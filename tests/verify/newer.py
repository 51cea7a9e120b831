# SPDX-License-Identifier: Apache-2.0
"""newer.py - cases of encodings that came after the corpus: Inkling's log scale, compressed
entries, orders by windows, Zipformer's rows."""

import numpy as np

from case import Case, RIGHT
from formulas import biases
from formulas.ids import window_order
from formulas.masks import compressed
from formulas.numbers import DOUBLE
from formulas.sinusoids import zipformer
from kinds import Kind, said, single
from masks import SHIFTED, case

LOG_SCALE = Kind("kernels", "factor", lambda p: biases.log_scale(DOUBLE, p), single)
SCALE = {"encoding": "inkling-log-scale", "pos": ["127990:128010", "127000:512000:1000"]}


def entries(claim, late=0):
    """Compressed entries of a claim, as many tokens late."""
    rate, count = claim["rate"], claim["len"]
    return compressed(np.arange(count)[:, None] - late, np.arange(count // rate)[None], rate)


def right_entries(random):
    claim = said(random, encoding="compressed-block-mask", len=[24, 40], rate=[4, 8])
    return case(random, "right-entries", claim, entries(claim), RIGHT)


def entries_wrong(random):
    """Another rate, of as many entries; or floor(q / rate), a token late, as where a query does
    not see its own block."""
    if random.choice([False, True]):
        claim = said(random, encoding="compressed-block-mask", len=[48, 96], rate=4)
        return case(random, "entries-late", claim, entries(claim, 1), SHIFTED | {"strict"})
    claim = {"encoding": "compressed-block-mask", "q": "0:96", "k": "0:12", "rate": 4}
    return case(random, "entries-rate", claim, entries({"rate": 8, "len": 96}), "rate",
                {"rate": (8, 4)})


def windows(name, found, **other):
    """The order of Qwen2.5-VL's tokens, of windows as claimed or of others."""
    def make(random):
        height, width = random.choice([(8, 12), (12, 20), (16, 16)])
        claim = {"encoding": "ids-window-order", "grid_thw": "1,%d,%d" % (height, width)}
        order, bounds = window_order([(1, height, width)], **other)
        return Case("ids/" + name, claim, {"index": order, "cu_window_seqlens": bounds}, found)
    return make


ZIPFORMER = Kind("additive", "rows", lambda p: zipformer(DOUBLE, p), single)
ROWS = [ZIPFORMER.right("zipformer", encoding="zipformer-relative", pos="-20:21", dim=[16, 48]),
        ZIPFORMER.wrong("zipformer-", ("factor", {"length_factor"}, {"length_factor": 2}),
                        encoding="zipformer-relative", pos="-20:21", dim=[16, 48]),
        windows("right-windows", RIGHT), windows("windows-size", "window_size", size=(2, 2)),
        LOG_SCALE.right("log-scale", **SCALE),
        LOG_SCALE.wrong("log-scale-", ("alpha", {"log_scaling_alpha"}, {"log_scaling_alpha": 1}),
                        ("floor", {"log_scaling_n_floor"}, {"log_scaling_n_floor": 64000}),
                        encoding="inkling-log-scale", pos="100000:300000:5000"),
        right_entries, entries_wrong]
