# SPDX-License-Identifier: Apache-2.0
"""rows.py - the right frequencies at wrong positions: what caches, batches and packing do."""

import numpy as np

import rope
from case import Case, MISTAKE, case

F = np.float32
KIND = "rows"
# Words that say which rows are those of which positions.
ROWS = r"row|position|pos\b|offset"


def of_positions(draw, made, meant, say=(), numbers=(), models=rope.PLAIN, more=()):
    """Tables whose rows are those of `made`, claimed to be those of `meant`."""
    model = draw.choice(list(models))
    width = draw.choice([None, "half", "half"])
    cos, sin = rope.tables(model.w(), made, model.attention,
                           rope.half if width else lambda a: a)
    words = draw.choice([["encoding=rope", "model=" + model.name], model.claim()])
    if list(meant) == list(range(meant[0], meant[0] + len(meant))):
        words.append(rope.pos(meant))
    else:
        words.append("pos=" + ",".join(map(str, meant)))
    return Case(draw.tables(cos, sin), words + list(more), MISTAKE, [ROWS, *say], numbers)


@case(KIND)
def restarts_at_a_chunk(draw):
    """Chunked prefill: positions begin at 0 in each chunk."""
    chunk, n = draw.choice([8, 16, 24]), draw.choice([48, 64])
    return of_positions(draw, np.arange(n) % chunk, np.arange(n), [r"restart|chunk|begin|0:"],
                        [chunk])


@case(KIND)
def runs_on_in_packed_documents(draw):
    lengths = [draw.integer(6, 20) for _ in range(3)]
    meant = np.concatenate([np.arange(n) for n in lengths])
    return of_positions(draw, np.arange(len(meant)), meant, [r"pack|document|restart|run|0:"])


@case(KIND)
def restarts_at_documents_unasked(draw):
    lengths = [draw.integer(6, 20) for _ in range(3)]
    made = np.concatenate([np.arange(n) for n in lengths])
    return of_positions(draw, made, np.arange(len(made)), [r"restart|document|pack|0:"],
                        [lengths[0]])


@case(KIND)
def decode_rows_of_position_zero(draw):
    """The step of generation does not see the cache's length: mlx-vlm#1983."""
    prefill, steps = draw.integer(16, 40), draw.integer(6, 14)
    made = np.concatenate([np.arange(prefill), np.zeros(steps, int)])
    return of_positions(draw, made, np.arange(prefill + steps), [r"position 0|0,0|\b0\b"],
                        [prefill])


@case(KIND)
def decode_off_by_one(draw):
    prefill, steps = draw.integer(16, 40), draw.integer(6, 14)
    made = np.concatenate([np.arange(prefill), np.arange(prefill, prefill + steps) + 1])
    return of_positions(draw, made, np.arange(prefill + steps), [], [prefill, prefill + 1])


@case(KIND)
def decode_one_behind(draw):
    prefill, steps = draw.integer(16, 40), draw.integer(6, 14)
    made = np.concatenate([np.arange(prefill), np.arange(prefill, prefill + steps) - 1])
    return of_positions(draw, made, np.arange(prefill + steps), [], [prefill - 1])


@case(KIND)
def offset_that_grows_with_each_step(draw):
    """The offset is added to a length that holds it already: +1, +2, +3 ..."""
    prefill, steps = draw.integer(16, 32), draw.integer(8, 16)
    made = np.concatenate([np.arange(prefill), prefill + 2 * np.arange(steps)])
    return of_positions(draw, made, np.arange(prefill + steps), [r"grow|step|:2|twice|every"],
                        [prefill])


@case(KIND)
def offset_grows_by_the_block(draw):
    """Speculative windows: each accepted block of g tokens is counted twice."""
    g, blocks = draw.choice([3, 4, 5]), draw.integer(4, 8)
    made = np.concatenate([np.arange(g) + 2 * g * b for b in range(blocks)])
    return of_positions(draw, made, np.arange(g * blocks), [], [2 * g])


@case(KIND)
def window_of_one_position(draw):
    """Every row of a window of speculation is that of its first: omlx#2363."""
    first, n = draw.integer(10, 60), draw.integer(4, 8)
    return of_positions(draw, np.full(n, first), np.arange(first, first + n),
                        [r"every|all|constant|same|each"], [first])


@case(KIND)
def left_padding_counted(draw):
    """arange in place of cumsum(mask) - 1 of a left-padded sequence."""
    pad, n = draw.integer(3, 8), draw.integer(16, 32)
    meant = np.concatenate([np.zeros(pad, int), np.arange(n)])
    return of_positions(draw, np.arange(pad + n), meant, [r"pad|0:|offset"])


@case(KIND)
def left_padding_of_one_everywhere(draw):
    """position_ids.masked_fill_(mask == 0, 1), where zeros are claimed."""
    pad, n = draw.integer(3, 8), draw.integer(16, 32)
    meant = np.concatenate([np.zeros(pad, int), np.arange(n)])
    made = np.concatenate([np.ones(pad, int), np.arange(n)])
    return of_positions(draw, made, meant, [r"pad|position 1|\b1\b"], [])


@case(KIND, "minus", "plus", "cache")
def one_offset_everywhere(draw, way):
    n = draw.choice([32, 48])
    shift = {"minus": -1, "plus": 1, "cache": draw.integer(5, 60)}[way]
    meant = np.arange(100, 100 + n)
    return of_positions(draw, meant + shift, meant, [], [100 + shift])


@case(KIND)
def ring_of_a_sliding_cache(draw):
    """The position is taken modulo the window."""
    window, n = draw.choice([16, 24, 32]), draw.choice([64, 80])
    first = draw.choice([0, 8])
    meant = np.arange(first, first + n)
    return of_positions(draw, meant % window, meant, [r"modul|wrap|restart|0:"], [window])


@case(KIND)
def clamped_at_the_last_position(draw):
    most, n = draw.choice([32, 40]), draw.choice([56, 64])
    return of_positions(draw, np.minimum(np.arange(n), most - 1), np.arange(n), [], [most - 1])


@case(KIND)
def zigzag_of_context_parallelism(draw):
    """Rank r of n holds chunks r and 2n - 1 - r, and takes positions of one run."""
    chunk, ranks = draw.choice([8, 12]), draw.choice([2, 4])
    rank = draw.integer(0, ranks - 1)
    a, b = rank * chunk, (2 * ranks - 1 - rank) * chunk
    meant = np.concatenate([np.arange(a, a + chunk), np.arange(b, b + chunk)])
    made = np.arange(a, a + 2 * chunk)
    if list(made) == list(meant):
        meant = meant + np.repeat([0, chunk], chunk)
    return of_positions(draw, made, meant, [], [a + chunk])


@case(KIND)
def rows_of_a_parallel_rank_from_zero(draw):
    n, rank = draw.choice([16, 24, 32]), draw.integer(1, 3)
    return of_positions(draw, np.arange(n), np.arange(n * rank, n * rank + n), [], [n * rank])


@case(KIND)
def lower_half_never_written(draw):
    """A cache that was allocated for twice the rows: the rest is zeros."""
    model = draw.choice(rope.PLAIN[:5])
    n = draw.choice([32, 64])
    cos, sin = rope.tables(model.w(), np.arange(n), 1.0, rope.half)
    cos[n // 2:], sin[n // 2:] = 0, 0
    return Case(draw.tables(cos, sin, True), model.claim() + ["pos=0:%d" % n], MISTAKE,
                [r"never|unfilled|zero|fill|written"], [n // 2])


@case(KIND)
def some_rows_are_garbage(draw):
    """A buffer that was read before it was written: a block is those of other rows."""
    n = 64
    first, count = draw.integer(10, 30), draw.integer(5, 12)
    made = np.arange(n)
    made[first:first + count] = np.arange(count)
    return of_positions(draw, made, np.arange(n), [r"0:"], [first, first + count])


@case(KIND)
def two_rows_exchanged(draw):
    made = np.arange(48)
    a = draw.integer(3, 20)
    b = draw.integer(25, 44)
    made[[a, b]] = b, a
    return of_positions(draw, made, np.arange(48), [], [a, b])


@case(KIND)
def every_second_position(draw):
    n, step = draw.choice([32, 48]), draw.choice([2, 4])
    return of_positions(draw, np.arange(n) * step, np.arange(n),
                        [r"step|stride|every|scale|factor"], [step])


@case(KIND)
def wrapped_in_int8(draw):
    first = draw.integer(90, 110)
    meant = np.arange(first, first + 64)
    made = meant.astype(np.int8).astype(int)
    return of_positions(draw, made, meant, [r"wrap|int8|overflow|-128"], [-128])


@case(KIND)
def wrapped_in_int16(draw):
    first = 32768 - draw.integer(10, 40)
    meant = np.arange(first, first + 64)
    return of_positions(draw, meant.astype(np.int16).astype(int), meant,
                        [r"wrap|int16|overflow|-32768"], [-32768], rope.PLAIN[:3])


@case(KIND)
def two_sequences_of_a_batch(draw):
    """The second sequence goes on where the first ended: its own positions were meant."""
    n = draw.choice([16, 24])
    model = draw.choice(rope.PLAIN[:5])
    tables = [np.stack(x) for x in zip(*(rope.tables(model.w(), p, 1.0, rope.half)
                                         for p in (np.arange(n), np.arange(n, 2 * n))))]
    return Case(dict(zip(("cos", "sin"), tables)), model.claim() + ["pos=0:%d" % n], MISTAKE,
                [ROWS, r"sequence|batch|second|\[1"], [n])


@case(KIND)
def position_ids_beside_are_not_used(draw):
    """position_ids of packed documents stand in the file; the tables run on."""
    model = draw.choice(rope.PLAIN[:5])
    lengths = [draw.integer(6, 16) for _ in range(3)]
    ids = np.concatenate([np.arange(n) for n in lengths])
    cos, sin = rope.tables(model.w(), np.arange(len(ids)), 1.0, rope.half)
    return Case({**draw.tables(cos, sin, True), "position_ids": ids},
                ["encoding=rope", "model=" + model.name], MISTAKE, [ROWS, r"pack|document|run"],
                [lengths[0]])


@case(KIND, "learned", "sinusoidal")
def offset_of_other_rows(draw, name):
    n, dim = draw.integer(12, 24), 32
    shift = draw.choice([1, 2])
    if name == "sinusoidal":
        w = np.exp(np.arange(0, dim, 2) * -(np.log(1e4) / dim)).astype(F)
        a = (np.arange(n) + shift)[:, None].astype(F) * w
        rows = np.stack([np.sin(a), np.cos(a)], -1).reshape(n, dim)
        return Case(draw.named("rows", rows), ["encoding=sinusoidal", "dim=32", "pos=0:%d" % n],
                    MISTAKE, [ROWS], [shift])
    table = draw.normal(n + 4, dim)
    return Case({"table": table, "rows": table[shift:n + shift]},
                ["encoding=learned", "pos=0:%d" % n], MISTAKE, [ROWS + "|fairseq|opt"])


@case(KIND)
def learned_rows_count_the_padding(draw):
    """TransformerLens#1609."""
    pad, n = draw.integer(2, 5), draw.integer(6, 12)
    table = draw.normal(pad + n + 4, 16)
    meant = [0] * pad + list(range(n))
    return Case({"table": table, "rows": table[:pad + n]},
                ["encoding=learned", "pos=" + ",".join(map(str, meant))], MISTAKE,
                [ROWS, r"pad|0:%d" % (pad + n)], [])


@case(KIND)
def vectors_of_decode_steps(draw):
    """Keys of generated tokens are turned by the position before."""
    model = draw.choice(rope.PLAIN[:5])
    prefill, steps = 16, draw.integer(6, 10)
    made = np.concatenate([np.arange(prefill), np.arange(prefill, prefill + steps) - 1])
    cos, sin = rope.tables(model.w(), made, 1.0, rope.half)
    k = draw.normal(prefill + steps, model.dim)
    return Case(draw.vectors(k, rope.turn_half(k, cos, sin)),
                ["encoding=rope/apply"] + model.claim()[1:] + ["pos=0:%d" % (prefill + steps)],
                MISTAKE, [ROWS], [prefill - 1])
