# SPDX-License-Identifier: Apache-2.0
"""algebra.py - masks of several terms, (causal or pictures) and window and padding and documents,
of which one is missing, added, shifted or transposed."""

import numpy as np

import mask_code as m
from case import Case, MISTAKE, case

KIND = "algebra"
COMPOSITIONS = 100
WORDS = {"causal": r"causal|future|after|own|next|strict|transpos|before",
         "window": r"window", "padding": r"padding|hidden|quer(y|ies)|rows?\b",
         "documents": r"document|chunk|packed", "pictures": r"picture|image|block"}


class Terms:
    """The terms of a mask of n tokens; what is None is no term."""

    def __init__(self, draw, n):
        self.n = n
        self.ahead = 0                      # keys after its own that a query sees
        self.window = self.flags = self.labels = self.blocks = None
        self.turned = set()                 # terms that are transposed
        self.draw = draw

    def add(self, name):
        draw, n = self.draw, self.n
        if name == "window":
            self.window = draw.integer(4, n // 3)
        elif name == "padding":
            pad = draw.integer(2, 4)
            flags = np.ones(n, int)
            if draw.coin():
                flags[:pad] = 0
            else:
                flags[n - pad:] = 0
            self.flags = flags
        elif name == "documents":
            first, second = draw.integer(6, n // 3), draw.integer(6, n // 3)
            self.labels = np.repeat(np.arange(3), [first, second, n - first - second])
        elif name == "pictures":
            first, size = draw.integer(4, 7), draw.integer(6, 9)
            self.blocks = np.full(n, -1)
            self.blocks[first:first + size] = 0

    def remove(self, name):
        if name == "causal":
            self.ahead = self.n
        for own, term in (("window", "window"), ("flags", "padding"), ("labels", "documents"),
                          ("blocks", "pictures")):
            if term == name:
                setattr(self, own, None)

    def shift(self, name):
        """By one key, one way or the other."""
        by = self.draw.choice([-1, 1])
        if name == "causal":
            self.ahead += by
        elif name == "window":
            self.window += by
        elif name == "padding":
            edge = self.flags[0] if by > 0 else self.flags[-1]
            self.flags = np.roll(self.flags, by)
            self.flags[0 if by > 0 else -1] = edge
        else:
            own = "labels" if name == "documents" else "blocks"
            moved = np.roll(getattr(self, own), by)
            moved[0 if by > 0 else -1] = getattr(self, own)[0 if by > 0 else -1]
            setattr(self, own, moved)

    def has(self, name):
        return name == "causal" or getattr(self, {"padding": "flags", "documents": "labels",
                                                  "pictures": "blocks"}.get(name, name)) is not None

    def seen(self):
        i, j = m.grid(self.n)
        seen = (i <= j + self.ahead) if "causal" in self.turned else (j <= i + self.ahead)
        if self.blocks is not None:
            seen = seen | m.blocks(self.blocks)
        if self.window is not None:
            seen = seen & ((j - i if "window" in self.turned else i - j) < self.window)
        if self.flags is not None:
            keys = m.keys_of(self.flags)
            seen = seen & (keys.T if "padding" in self.turned else keys)
        return seen & m.same(self.labels) if self.labels is not None else seen

    def words(self):
        """The claim; documents with a window or pictures have none."""
        words = ["encoding=causal-mask"]
        if self.labels is not None:
            words = ["encoding=document-mask", "document_ids=" + m.commas(self.labels)]
        elif self.blocks is not None:
            words = ["encoding=blockwise-or-causal-mask", "block_ids=" + m.commas(self.blocks)]
            words += ["window=%d" % self.window] if self.window is not None else []
        elif self.window is not None:
            words = ["encoding=sliding-window-mask", "window=%d" % self.window]
        words += ["len=%d" % self.n] if self.labels is None else []
        return words + (["attention_mask=" + m.commas(self.flags)] if self.flags is not None else [])


CLAIMS = [("window",), ("documents",), ("pictures",), ("pictures", "window"), ()]


def composed(draw):
    """A claim's terms; padding is one of every second."""
    terms = Terms(draw, draw.integer(24, 36))
    for name in draw.choice(CLAIMS):
        terms.add(name)
    if draw.coin():
        terms.add("padding")
    return terms


def drawn(draw):
    """A mask that differs from its claim in one term: (claim's words, mask, term, what is done)."""
    while True:
        terms = composed(draw)
        words, right = terms.words(), terms.seen()
        way = draw.choice(["missing", "added", "shifted", "transposed"])
        names = [name for name in WORDS if terms.has(name) == (way != "added")]
        if way == "transposed":
            names = [name for name in names if name in ("causal", "window", "padding")]
        if terms.labels is not None and way == "added":
            names = [name for name in names if name != "pictures"]
        name = draw.choice(names) if names else None
        if name is None:
            continue
        {"missing": terms.remove, "added": terms.add, "shifted": terms.shift,
         "transposed": terms.turned.add}[way](name)
        made = terms.seen()
        # A row of pictures within the window changes nothing; nor may the mask become another
        # term's: what is left of a window behind padding.
        if (made != right).any():
            return words, made, name, way


def wrong(draw, _):
    words, made, name, way = drawn(draw)
    return Case(draw.named("mask", m.form(draw, made)), words, MISTAKE, [WORDS[name]])


case(KIND, *("%02d" % i for i in range(COMPOSITIONS)))(wrong)
