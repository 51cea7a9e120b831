# SPDX-License-Identifier: Apache-2.0
"""sinusoids.py - one-dimensional sinusoids: sinusoidal, its relatives, timesteps, Time2Vec."""

from mpmath import mp, mpf

from ladders import closed, concat, interleaved, ladder, linspace, power, times
from measure import Case, Loose

SINES_FIRST = {"interleaved": True, "concat": True, "interleaved-cs": False, "concat-cs": False}


def frequencies(width, base, kind):
    return ladder(base, width) if kind == "geometric-open" else closed(base, width // 2)


def laid_out(angles, layout):
    first, second = (mp.sin, mp.cos) if SINES_FIRST[layout] else (mp.cos, mp.sin)
    if layout.startswith("interleaved"):
        return [wave(angle) for angle in angles for wave in (first, second)]
    return [first(angle) for angle in angles] + [second(angle) for angle in angles]


def odd_row(position, width, base, policy):
    """An interleaved open row of odd width."""
    if policy == "zero-pad":
        return interleaved(times(position, ladder(base, width - 1))) + [mpf(0)]
    if policy == "ceil-truncate":
        return interleaved(times(position, ladder(base, width + 1)))[:width]
    full = interleaved([position * power(base, -mpf(2 * i) / width)
                        for i in range((width + 1) // 2)])[:width]
    return full if policy == "extra-sin" else full[:-1] + [mpf(0)]


def shift_block(angle, sines_first):
    c, s = mp.cos(angle), mp.sin(angle)
    return ((c, s), (-s, c)) if sines_first else ((c, -s), (s, c))


def shift_matrix(angles, layout):
    pairs, width = len(angles), 2 * len(angles)
    matrix = [[mpf(0)] * width for _ in range(width)]
    for i, angle in enumerate(angles):
        at = (2 * i, 2 * i + 1) if layout.startswith("interleaved") else (i, i + pairs)
        block = shift_block(angle, SINES_FIRST[layout])
        for row in range(2):
            for column in range(2):
                matrix[at[row]][at[column]] = block[row][column]
    return matrix


def similarity(distance, freq, amplitude, measure):
    total = sum(mp.cos(distance * w) for w in freq)
    slack = mpf(2 * len(freq)) * len(freq) * mpf(2) ** -53
    if measure == "cosine":
        return Loose(total / len(freq), slack / len(freq))
    if measure == "raw":
        return Loose(total * amplitude ** 2, slack * amplitude ** 2)
    square = 2 * (len(freq) - total) * amplitude ** 2
    root = mp.sqrt(square)
    return Loose(root, 2 * slack * amplitude ** 2 / root if root else mp.sqrt(2 * slack) * amplitude)


def sinusoidal(draw):
    width, base, layout = draw.even(2, 16), draw.base(), draw.choice(sorted(SINES_FIRST))
    kind = draw.choice(["geometric-open", "geometric-closed"])
    params = {"dim": width, "base": base, "ladder": kind}
    freq = frequencies(width, base, kind)
    yield Case("inv_freq", params, freq)
    yield Case("wavelengths", params, [2 * mp.pi / w for w in freq])
    context = draw.real(1, 10 ** 5)
    turns = [context * w / (2 * mp.pi) for w in freq]
    yield Case("context_turns", dict(params, context=context), turns)
    yield Case("critical_dim", dict(params, context=context), 2 * sum(t > 1 for t in turns))
    shift = draw.position()
    yield Case("shift", dict(params, shift=shift, layout=layout),
               shift_matrix(times(shift, freq), layout))
    scale, amplitude = draw.choice([1, 0.5, draw.real(0.1, 9)]), draw.choice([1, draw.real(.1, 9)])
    pos, moved = draw.positions(), dict(params, scale=scale)
    asked = dict(moved, amplitude=amplitude, pos=pos)
    yield Case("rows", dict(asked, layout=layout), [
        [amplitude * v for v in laid_out(times(mpf(scale) * p, freq), layout)] for p in pos])
    measure = draw.choice(["raw", "cosine", "euclidean"])
    gain = {} if measure == "cosine" else {"amplitude": amplitude}
    turned = times(scale, freq)
    yield Case("similarity", dict(moved, **gain, measure=measure, distance=pos), [
        similarity(p, turned, mpf(amplitude), measure) for p in pos])
    yield Case("similarity_matrix", dict(moved, **gain, measure=measure, pos=pos), [[
        similarity(mpf(p) - mpf(k), turned, mpf(amplitude), measure) for k in pos] for p in pos])
    yield from sinusoidal_odd(draw, pos)
    yield from sinusoidal_presets(draw)
    yield sinusoidal_timescales(draw, pos)


OPEN, CLOSED = "geometric-open", "geometric-closed"
PRESETS = {"vaswani": (OPEN, "interleaved"), "tensor2tensor": (CLOSED, "concat"),
           "fairseq": (CLOSED, "concat"), "marian": (OPEN, "concat"),
           "distilbert": (OPEN, "interleaved"), "whisper": (CLOSED, "concat"),
           "musicgen": (CLOSED, "concat-cs"), "transformer-xl": (OPEN, "concat"),
           "keras-hub": (OPEN, "interleaved"), "mlx": (CLOSED, "concat"),
           "x-transformers": (OPEN, "concat"), "pyg": (CLOSED, "concat"),
           "zero-first": (OPEN, "interleaved")}


def sinusoidal_presets(draw):
    """Rows as each library computes them: mlx with norm 1, x-transformers times dim^-1/2."""
    width, base = draw.even(2, 12), draw.base()
    gains = {"mlx": 1 / mp.sqrt(width // 2), "x-transformers": 1 / mp.sqrt(width)}
    for name, (kind, layout) in PRESETS.items():
        freq, pos = frequencies(width, base, kind), [0] + draw.positions(2)
        rows = [[gains.get(name, 1) * v for v in laid_out(times(p, freq), layout)] for p in pos]
        if name == "zero-first":
            rows = [row if p else [mpf(0)] * width for p, row in zip(pos, rows)]
        yield Case("rows", {"preset": name, "dim": width, "base": base, "pos": pos}, rows,
                   amplified=name in gains)


def sinusoidal_odd(draw, pos):
    width, base = draw.even(2, 12) + 1, draw.base()
    for policy in ("extra-sin", "zero-pad", "zero-last", "ceil-truncate"):
        rows = [odd_row(mpf(p), width, base, policy) for p in pos]
        params = {"dim": width, "base": base, "odd": policy, "pos": pos}
        yield Case("rows", params, rows)
        if policy != "zero-pad":
            grouped = [row[0::2] + row[1::2] for row in rows]
            yield Case("rows", dict(params, layout="concat"), grouped)


def sinusoidal_timescales(draw, pos):
    pairs, low, high = draw.randint(1, 8), draw.real(0.5, 3), draw.real(10, 1e5)
    freq = [mpf(low) * power(mpf(high) / low, -mpf(i) / max(pairs - 1, 1)) for i in range(pairs)]
    return Case("rows", {"dim": 2 * pairs, "base": high, "min_timescale": low, "pos": pos,
                         "layout": "concat"}, [concat(times(p, freq)) for p in pos])


def clipped(distance, low, high):
    return min(max(distance, low), high)


def sinusoidal_relative(draw):
    width, reach, base = draw.even(2, 8), draw.randint(0, 9), draw.base()
    q, k = draw.positions(2, False), draw.positions(3, False)
    table = [interleaved(times(p, ladder(base, width))) for p in range(2 * reach + 1)]
    index = [[clipped(b - a, -reach, reach) + reach for b in k] for a in q]
    yield Case("index", {"max_distance": reach, "q": q, "k": k}, index)
    params = {"dim": width, "max_distance": reach, "base": base}
    yield Case("table", params, table)
    yield Case("vectors", dict(params, q=q, k=k), [[table[i] for i in row] for row in index])


def properties(draw):
    width, length, base = draw.even(2, 16), draw.randint(2, 40), draw.base()
    freq = ladder(base, width)
    apart = [mp.sqrt(sum((2 * mp.sin(k * w / 2)) ** 2 for w in freq)) for k in range(1, length)]
    params = {"dim": width, "base": base, "len": length}
    yield Case("min_distance", params, min(apart))
    yield Case("closest", params, 1 + apart.index(min(apart)))
    yield Case("row_norm", {"dim": width}, mp.sqrt(mpf(width) / 2))
    yield Case("slowest_period", {"dim": width, "base": base}, 2 * mp.pi / freq[-1])


def timestep_embedding(draw):
    width, base = draw.randint(2, 13), draw.base()
    pairs = width // 2
    shift = draw.choice([0, 1, 0.5]) if pairs > 1 else 0
    flip, scale = draw.chance(), draw.choice([1, 1000, draw.real(0.1, 10)])
    freq = [power(base, -mpf(i) / (pairs - mpf(shift))) for i in range(pairs)]
    pos, rows = draw.positions(), []
    for p in pos:
        row = concat(times(mpf(scale) * p, freq))
        row = row[pairs:] + row[:pairs] if flip else row
        rows.append(row + [mpf(0)] * (width % 2))
    yield Case("rows", {"dim": width, "base": base, "downscale_freq_shift": shift, "pos": pos,
                        "flip_sin_to_cos": flip, draw.choice(["scale", "time_factor"]): scale},
               rows)
    yield from timestep_presets(draw)


def timestep_presets(draw):
    """(whether cosines come first, whether the last frequency is 1/base, factor) of each code."""
    known = {"ddpm": (False, 1, 1), "dit": (True, 0, 1), "flux": (True, 0, 1000),
             "edm-ddpmpp": (True, 1, 1), "ggml": (True, 0, 1), "wan": (True, 0, 1)}
    pairs, base, pos = draw.randint(2, 6), draw.base(), draw.positions()
    for name, (flip, shift, factor) in known.items():
        freq = [power(base, -mpf(i) / (pairs - shift)) for i in range(pairs)]
        rows = [concat(times(mpf(factor) * p, freq)) for p in pos]
        yield Case("rows", {"preset": name, "dim": 2 * pairs, "base": base, "pos": pos},
                   [row[pairs:] + row[:pairs] if flip else row for row in rows])


def temporal_cos(draw):
    width, pos = draw.randint(1, 9), draw.positions()
    steps = linspace(0, mp.sqrt(width), width)
    yield Case("rows", {"dim": width, "pos": pos}, [
        [mp.cos(p * mp.sqrt(width) ** -u) for u in steps] for p in pos])


def time2vec(draw):
    width, pos = draw.randint(2, 6), [draw.position() for _ in range(3)]
    w, phi = draw.singles(width), draw.singles(width)
    wave, last = draw.choice(["sin", "cos"]), draw.choice(["first", "last"])
    line = 0 if last == "first" else width - 1
    rows = []
    for p in pos:
        row = []
        for i in range(width):
            angle, size = mpf(p) * w[i] + phi[i], abs(mpf(p) * w[i]) + abs(phi[i])
            value = angle if i == line else getattr(mp, wave)(angle)
            row.append(Loose(value, size * mpf(2) ** -52))
        rows.append(row)
    yield Case("rows", {"pos": pos, "w": w, "phi": phi, "activation": wave,
                        "linear_column": last}, rows)


ROWS = {
    "properties": properties,
    "sinusoidal": sinusoidal,
    "sinusoidal-relative": sinusoidal_relative,
    "temporal-cos": temporal_cos,
    "time2vec": time2vec,
    "timestep-embedding": timestep_embedding,
}
