# SPDX-License-Identifier: Apache-2.0
"""mistakes.py - mistakes of positions, frequencies and tables that a rotary Port can make.

Each returns the slugs of which any names what it did: all that give the same numbers."""

import numpy as np

from frequencies import exponents, kept, turned_by, width


def stretched(p, *slugs):
    """Slugs of what multiplies all angles by one number, or None where A or w say otherwise."""
    kind = p.get("scaling", "none")
    if kind not in ("none", "linear", "llama3"):
        return None
    plain = set() if kind == "llama3" else {"factor", "scaling"}
    return {"position-scale", "pos"} | plain | set(slugs)


def unscaled(p):
    return p.get("scaling", "none") == "none"


# ---- mistakes of positions -------------------------------------------------------------------


def position_offset(random, port):
    port.positions = port.positions + random.choice([1, -1, 1, -1, 2, 7, 64])
    return {"position-offset", "pos"}


def positions_reversed(random, port):
    port.positions = port.positions[::-1]
    return {"positions-reversed", "pos"}


def position_scale(random, port):
    """Positions that run in other steps; for a claim without scaling the same as factor."""
    by, first = random.choice([2, 0.5, 4, 0.25, 0.125]), port.positions[0]
    port.positions = port.positions * by
    return stretched(port.p, *(["rotated-twice"] if by == 2 else []),
                     *(["stride"] if by > 1 and first == 0 else []))


def stride(random, port):
    """Every n-th row: of positions from 0 the same as positions times n."""
    by, first = random.choice([2, 3, 4, 8]), port.positions[0]
    port.positions = first + by * (port.positions - first)
    also = (stretched(port.p) or {"position-scale"}) if first == 0 else set()
    return {"stride", "pos"} | also | ({"rotated-twice"} if first == 0 and by == 2 else set())


def left_padding(random, port):
    """Ids of a sequence with padding on its left, where the claim has none."""
    pads, value = random.choice([2, 3, 5, 8]), random.choice([0, 1])
    if port.positions[0] != 0:
        return None
    port.positions = np.concatenate([[value] * pads, port.positions[:-pads]])
    return {"left-padding", "pos"} | ({"packing-ignored"} if value == 0 else set())


def packed(random, port):
    """Positions begin anew with each document, where the claim has one that runs on."""
    first, count = port.positions[0], len(port.positions)
    if first != 0:
        return None
    ends = np.sort(random.random.choice(np.arange(8, count - 4), random.choice([1, 2]), False))
    port.positions -= np.concatenate([[0], ends])[np.searchsorted(ends, port.positions, "right")]
    return {"packing-ignored", "pos"}


def other_positions(random, port):
    """Steps of generation at positions of their own: of 0, one too far, or in steps of two."""
    count = len(port.positions)
    first = int(random.choice([count // 2, count - 6]))
    if first < 4 or count - first < 3:
        return None
    steps, offset = np.arange(count - first), port.positions[0]
    made = random.choice([0 * steps, offset + first + 1 + steps, offset + first + 3 + 2 * steps])
    port.positions = np.concatenate([port.positions[:first], made])
    return {"other-positions"}


def rows_shuffled(random, port):
    port.positions = random.random.permutation(port.positions)
    return {"rows-shuffled", "pos"}


# ---- mistakes of frequencies -----------------------------------------------------------------


def frequencies_reversed(random, port):
    if port.p.get("scaling") == "proportional":
        return None
    port.on_frequencies.append(lambda w: w[::-1])
    return {"frequencies-reversed"}


def exponent_offset(random, port):
    """Exponents that count pairs from 1: the same as all positions over base^(1/m)."""
    if not unscaled(port.p):
        return None
    ratio = port.p["base"] ** (-2 / width(port.p))
    port.on_frequencies.append(lambda w: w * ratio)
    return stretched(port.p, "exponent-offset")


def exponent_closed(random, port):
    """i / (m - 1): the ladder of tensor2tensor, which is a larger base."""
    if not unscaled(port.p):
        return None
    m, base = width(port.p) // 2, float(port.p["base"])
    port.on_frequencies.append(lambda w: base ** -(np.arange(m) / (m - 1)))
    return {"ladder", "base", "exponent-dim"}


def exponent_halved_or_doubled(random, port):
    """i/d in place of 2i/d, or 2i taken twice: the root and the square of the base."""
    if not unscaled(port.p):
        return None
    power = random.choice([0.5, 2])
    port.on_frequencies.append(lambda w: w ** power)
    return {"base", "exponent-dim"}


def exponent_log10(random, port):
    """exp(-2i/d log10(base)): base e^(log10 base)."""
    if not unscaled(port.p):
        return None
    r, base = width(port.p), port.p["base"]
    port.on_frequencies.append(lambda w: np.exp(-exponents(r) * np.log10(base)))
    return {"base"}


def exponent_dim(random, port):
    """The exponent over the head's width where only a part of it turns."""
    r, p = width(port.p), port.p
    if not unscaled(p) or r == p["dim"]:
        return None
    port.on_frequencies.append(lambda w: p["base"] ** -(np.arange(0, r, 2) / p["dim"]))
    return {"exponent-dim", "base"}


def cos_frequency(random, port):
    """Cosines whose exponents are those of the odd columns, (2i+1)/d."""
    if not unscaled(port.p):
        return None
    r, base, positions = width(port.p), float(port.p["base"]), port.positions
    w = base ** -(exponents(r) + 1 / r)
    port.on_tables.append(lambda cos, sin: (turned_by(positions, w)[0], sin))
    return {"cos-frequency"}


def ramp_inverted(random, port):
    """The share that is kept and the share that is interpolated change places."""
    p = port.p
    if p.get("scaling") not in ("yarn", "ntk-by-parts", "llama3"):
        return None
    own = float(p["base"]) ** -exponents(width(p))
    share = kept(own, p)
    port.on_frequencies.append(lambda w: share * own / p["factor"] + (1 - share) * own)
    return {"ramp-inverted"}


def betas_exchanged(random, port):
    """The ramp from the pair of beta_slow to that of beta_fast, each end rounded as its place is."""
    p, r = port.p, width(port.p)
    if p.get("scaling") != "yarn" or p.get("truncate") == 0:
        return None
    ends = [r * np.log(p["original_max_position_embeddings"] / (beta * 2 * np.pi)) / (
        2 * np.log(p["base"])) for beta in (p.get("beta_slow", 1), p.get("beta_fast", 32))]
    low, high = max(np.floor(ends[0]), 0), min(np.ceil(ends[1]), r - 1)
    if low == high:
        return None
    own = float(p["base"]) ** -exponents(r)
    share = np.clip((np.arange(r // 2) - low) / (high - low), 0, 1)
    port.on_frequencies.append(lambda w: own / p["factor"] * share + own * (1 - share))
    return {"betas-exchanged"}


def scaling_multiplied(random, port):
    """The factors of each pair multiply the frequencies that they should divide."""
    p = port.p
    if p.get("scaling") not in ("longrope", "factors"):
        return None
    own = float(p["base"]) ** -exponents(width(p))
    port.on_frequencies.append(lambda w: own * own / w)
    return {"scaling-multiplied"}


def not_inverted(random, port):
    """base ** (2i / d), without the one over it."""
    port.on_frequencies.append(lambda w: np.divide(1, w, out=np.zeros(len(w)), where=w != 0))
    return {"not-inverted"}


def degrees(random, port):
    """Radians that go to a function of degrees, or degrees to one of radians."""
    by = random.choice([np.pi / 180, 180 / np.pi])
    port.on_angles.append(lambda angles: angles * by)
    return stretched(port.p, "degrees")


def rotated_twice(random, port):
    """The rotation is in the table and again in the kernel: doubled angles."""
    port.on_angles.append(lambda angles: 2 * angles)
    return stretched(port.p, "rotated-twice")


def other_columns(random, port):
    """Some pairs keep another divisor, have the frequency of the pair before, or do not turn."""
    if not unscaled(port.p):
        return None
    pairs = width(port.p) // 2
    first = pairs - random.choice([pairs // 4, pairs // 3, 3])
    way = random.choice(["times", "before", "still"])

    def change(w):
        w = np.array(w)
        w[first:] = w[first:] * 16 if way == "times" else \
            w[first - 1:-1] if way == "before" else 0
        return w
    port.on_frequencies.append(change)
    return {"other-columns"}


# ---- mistakes of tables ----------------------------------------------------------------------


def sin_cos_swapped(random, port):
    port.on_tables.append(lambda cos, sin: (sin, cos))
    return {"sin-cos-swapped"}


def sign(random, port):
    """sin with the other sign: the rotation turns back, as for negative positions."""
    port.on_tables.append(lambda cos, sin: (cos, -sin))
    return {"sign", "inverse", "transposed", "position-scale", "pos"}


def columns_shuffled(random, port):
    order = random.random.permutation(width(port.p) // 2)
    port.on_tables.append(lambda cos, sin: (cos[:, order], sin[:, order]))
    return {"columns-shuffled"}


def unfilled_rows(random, port):
    """A cache whose last rows were never written."""
    filled = len(port.positions) * random.choice([0.5, 0.75])

    def cleared(values):
        return np.where(np.arange(len(values))[:, None] < filled, values, 0.0)

    port.on_tables.append(lambda cos, sin: (cleared(cos), cleared(sin)))
    return {"unfilled-rows"}
