# SPDX-License-Identifier: Apache-2.0
"""heads.py - biases whose heads have wrong slopes, buckets or tables."""

import math

import numpy as np

from case import Case, MISTAKE, TOLD, case

F = np.float32
KIND = "heads"
SLOPES = r"slope|head"


def slopes(heads, bias_max=8.0):
    """get_slopes of the paper's code."""
    def power(n):
        return [2 ** (-bias_max * (h + 1) / n) for h in range(n)]
    if heads & (heads - 1) == 0:
        return np.array(power(heads), F)
    below = 2 ** int(math.floor(math.log2(heads)))
    return np.array(power(below) + power(2 * below)[0::2][:heads - below], F)


def biases(slope, n):
    i, j = np.indices((n, n))
    return (-slope[:, None, None] * abs(i - j).astype(F)).astype(F)


def words(heads, n=None, *more):
    return ["encoding=alibi", "heads=%d" % heads] + (["len=%d" % n] if n else []) + list(more)


def wrong(draw, slope, heads, say, numbers=(), slopes_alone=None):
    n = draw.integer(8, 24)
    if slopes_alone if slopes_alone is not None else draw.coin(0.3):
        return Case({"slopes": np.asarray(slope, F)}, words(heads), MISTAKE, say, numbers)
    return Case(draw.named("bias", biases(np.asarray(slope, F), n)), words(heads, n), MISTAKE, say,
                numbers)


@case(KIND)
def slopes_of_local_heads_gathered(draw):
    """Each of two ranks made the slopes of its own number of heads: flashinfer#1606."""
    heads = draw.choice([16, 32])
    return wrong(draw, np.tile(slopes(heads // 2), 2), heads,
                 [SLOPES, r"rank|shard|part|repeat|twice"], [heads // 2, heads])


@case(KIND)
def slopes_of_twice_the_heads(draw):
    heads = draw.choice([8, 16])
    return wrong(draw, slopes(2 * heads)[:heads], heads, [r"slope|head|bias_max"],
                 ())


@case(KIND)
def slopes_of_half_the_model(draw):
    """The second rank's slopes are the first's."""
    heads = draw.choice([8, 16])
    return Case({"slopes": slopes(2 * heads)[:heads]}, words(
        heads, None, "slopes=" + ",".join("%.9g" % s for s in slopes(2 * heads)[heads:])), MISTAKE,
        [SLOPES])


@case(KIND, "12", "24", "20")
def geometric_slopes_of_no_power_of_two(draw, heads):
    heads = int(heads)
    made = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    return wrong(draw, made, heads, [SLOPES + r"|non_pow2", r"geometric|power of two"])


@case(KIND)
def slopes_without_the_stride_of_two(draw):
    heads = 12
    made = np.concatenate([slopes(8), slopes(16)[:4]])
    return wrong(draw, made, heads, [SLOPES + r"|non_pow2", r"naive|stride|every second"])


@case(KIND)
def slopes_in_reverse(draw):
    heads = draw.choice([8, 16])
    return wrong(draw, slopes(heads)[::-1], heads, [SLOPES, r"revers"])


@case(KIND)
def slopes_sorted(draw):
    return wrong(draw, np.sort(slopes(12))[::-1], 12, [SLOPES, r"sort|order"])


@case(KIND)
def exponents_from_zero(draw):
    heads = draw.choice([8, 16])
    return wrong(draw, 2.0 ** (-8 * np.arange(heads) / heads), heads, [r"expon|head|slope",
                                                                      r"0|zero|from|index"])


@case(KIND, "4", "16")
def bias_max_of_another_value(draw, value):
    return wrong(draw, slopes(8, float(value)), 8, [r"bias_max|slope"], [float(value), 8])


@case(KIND)
def same_slope_for_all(draw):
    return wrong(draw, np.full(8, 0.5), 8, [SLOPES, r"same|all|equal|every"], [0.5])


@case(KIND)
def bias_with_a_plus(draw):
    n = 12
    return Case(draw.named("bias", -biases(slopes(8), n)), words(8, n), MISTAKE,
                [r"sign|negat|minus"])


@case(KIND)
def scaled_by_the_root_of_the_width(draw):
    """Added before the scores are scaled (Falcon), where after is meant."""
    width = draw.choice([64, 128])
    n = 12
    return Case(draw.named("bias", biases(slopes(8), n) * F(width ** -0.5)), words(8, n), MISTAKE,
                [r"scale|applies|factor|head_dim|slope"], [])


@case(KIND)
def key_index_where_distance_is_meant(draw):
    n = 16
    bias = slopes(8)[:, None, None] * np.arange(n, dtype=F)[None, None, :]
    return Case(draw.named("bias", np.broadcast_to(bias, (8, n, n)).astype(F)),
                words(8, n, "distance_kind=distance"), MISTAKE, [r"key-index|key|distance_kind"])


@case(KIND)
def past_and_future_alike(draw):
    n = 16
    return Case(draw.named("bias", biases(slopes(8), n)), words(8, n, "distance_kind=tril"),
                MISTAKE, [r"symmetric|future|distance_kind"])


@case(KIND)
def distances_off_by_one(draw):
    """A decode step whose query is counted as the key before it."""
    n = 24
    bias = -slopes(8)[:, None, None] * (n - 2 - np.arange(n, dtype=F))[None, None, :]
    return Case(draw.named("bias", np.abs(bias) * -1), ["encoding=alibi", "heads=8",
                                                        "q=%d" % (n - 1), "k=0:%d" % n], MISTAKE,
                [r"position|offset|q\b|pos"], [n - 2])


@case(KIND)
def transposed_heads_last(draw):
    n = 16
    i, j = np.indices((n, n))
    bias = -slopes(8)[:, None, None] * (i - j).astype(F)
    return Case({"attn_bias" if not draw.is_plain else "bias": bias.transpose(0, 2, 1).copy()},
                words(8, n, "distance_kind=distance"), MISTAKE, [r"transpos|sign"])


def bucket(relative, bidirectional=True, count=32, most=128, strict=False):
    """_relative_position_bucket of T5."""
    out, short = np.zeros(relative.shape, np.int64), 1e-5 * strict
    if bidirectional:
        count //= 2
        out += (relative > 0) * count
        n = abs(relative)
    else:
        n = np.maximum(-relative, 0)
    exact = count // 2
    with np.errstate(divide="ignore"):
        far = exact + (np.log(n.astype(F) / F(exact)) / F(math.log(most / exact)) *
                       F(count - exact)).astype(F)
    far = np.minimum(np.where(n > 0, far - short, 0).astype(np.int64), count - 1)
    return out + np.where(n < exact + strict, n, far)


def relative(n, keys=None):
    i, j = np.indices((n, keys or n))
    return j - i


def t5_case(draw, made, say, numbers=(), claim=("encoding=t5",), n=80):
    if draw.coin():
        return Case(draw.named("buckets", made.astype(draw.choice([np.int64, np.int32]))),
                    [*claim, "len=%d" % n], MISTAKE, say, numbers)
    table = draw.normal(32, 4)
    return Case({"table": table, **draw.named("bias", table[made].transpose(2, 0, 1).copy())},
                [*claim, "len=%d" % n], MISTAKE, say, numbers)


@case(KIND, "64", "100", "256", "517")
def t5_max_distance(draw, value):
    return t5_case(draw, bucket(relative(80) if int(value) < 200 else relative(300), True, 32,
                                int(value)), [r"max_distance"], [128] if int(value) > 200 else (),
                   n=80 if int(value) < 200 else 300)


@case(KIND)
def t5_decoder_buckets_for_an_encoder(draw):
    return t5_case(draw, bucket(relative(60), False), [r"bidirectional|decoder|one direction"],
                   n=60)


@case(KIND)
def t5_encoder_buckets_for_a_decoder(draw):
    return t5_case(draw, bucket(relative(60), True), [r"bidirectional|encoder|both"], (),
                   ("encoding=t5", "bidirectional=0"), 60)


@case(KIND)
def t5_sign_of_the_distance(draw):
    return t5_case(draw, bucket(-relative(60)), [r"sign|transpos|query.*key|exchang"], n=60)


@case(KIND)
def t5_boundary_one_late(draw):
    """A logarithm that comes out just below a whole number: distances 16, 32 and 64."""
    return t5_case(draw, bucket(relative(60), strict=True),
                   [r"bound|one (distance|late)|<=|max_distance"], n=60)


@case(KIND)
def t5_number_of_buckets(draw):
    return Case(draw.named("buckets", bucket(relative(100), True, 16)), ["encoding=t5", "len=100"],
                MISTAKE, [r"num_buckets"], [16, 32])


@case(KIND)
def t5_heads_of_the_table_shuffled(draw):
    """Tensor parallelism: two ranks exchanged their columns of the table."""
    table = draw.normal(32, 4)
    made = bucket(relative(40))
    return Case({"table": table, "bias": table[:, [2, 3, 0, 1]][made].transpose(2, 0, 1).copy()},
                ["encoding=t5", "len=40"], MISTAKE, [r"head", r"2|order|exchang|shuffl"])


@case(KIND)
def swin_index_of_columns_first(draw):
    size = draw.choice([4, 7])
    y, x = (a.reshape(-1) for a in np.indices((size, size)))
    made = (x[:, None] - x[None] + size - 1) * (2 * size - 1) + y[:, None] - y[None] + size - 1
    return Case(draw.named("index", made), ["encoding=swin", "window_size=%dx%d" % (size, size)],
                MISTAKE, [r"axes|axis|row|column|order|transpos"])


@case(KIND)
def kerple_heads_exchanged(draw):
    n = 16
    a, p = np.array([0.5, 1.0, 2.0, 0.25]), np.array([1.0, 0.5, 2.0, 3.0])
    i, j = np.indices((n, n))
    made = -p[::-1, None, None] * np.log1p(a[::-1, None, None] * abs(i - j))
    return Case(draw.named("bias", made.astype(F)),
                ["encoding=kerple", "len=16", "a=0.5,1,2,0.25", "p=1,0.5,2,3"], MISTAKE,
                [r"head|order|revers"])


@case(KIND, "slopes", "bias", "f16")
def one_slope_is_wrong(draw, form):
    """A table of slopes in a kernel with a slip of the pen."""
    heads = draw.choice([8, 16, 32])
    made, at = slopes(heads), draw.integer(2, heads - 2)
    meant = float(made[at])
    made[at] = draw.choice([0.25, 0.3, 1.0]) if form != "f16" else 0.75
    said = [float(made[at]), meant]
    if form == "f16":
        return Case(draw.named("bias", biases(made, 40).astype(np.float16)), words(heads, 40),
                    MISTAKE, [r"head %d\b" % at, r"slope"], said)
    return wrong(draw, made, heads, [r"head %d\b" % at, r"slope"], said, form == "slopes")


@case(KIND)
def heads_of_a_large_bias_exchanged(draw):
    """Five million elements: the heads of two ranks were gathered in the wrong order."""
    heads, n = 32, 400
    order = np.r_[heads // 2:heads, 0:heads // 2]
    return Case(draw.named("bias", biases(slopes(heads)[order], n).astype(np.float16)),
                words(heads, n), MISTAKE, [r"head", r"order|exchang|are those of"], (), "npy")


@case(KIND)
def one_head_of_t5_has_another_table(draw):
    """One column of the table was loaded from another checkpoint."""
    table = draw.normal(32, 6)
    made, at = table.copy(), draw.integer(1, 4)
    made[:, at] = draw.normal(32)
    n = 40
    return Case({"table": table, "bias": made[bucket(relative(n))].transpose(2, 0, 1).copy()},
                ["encoding=t5", "len=%d" % n], TOLD, [r"head %d\b" % at, r"other heads are right"])
