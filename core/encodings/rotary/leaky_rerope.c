/* SPDX-License-Identifier: Apache-2.0
 * leaky_rerope.c - rectified rotary positions that leak: beyond a window distances grow, but
 * leaky_k times as slowly.
 *
 *     distance = d = i - j where d < window, else window + (d - window) / leaky_k
 *
 * The matrix of scores is made twice: with positions as they are where i - j < window, else
 * with queries at (i + window (leaky_k - 1)) / leaky_k and keys at j / leaky_k. Su, kexue.fm
 * 9708; bojone/rerope, whose patch also multiplies queries by
 * max(1, ln(i + 1) / ln(train_len)).
 */
#include "core/encodings/rotary/remap.h"

struct leaky_rerope {
    struct remap remap;
    int64_t window, leaky_k;
};

static const struct pe_param params[] = {
    REMAP_ROWS(struct leaky_rerope, remap),
    {PE_FIELD(struct leaky_rerope, window), .type = PE_INT, .min = 1, .max = 0x1p40,
     .preset = 512, .summary = "distance from which on distances grow more slowly"},
    {PE_FIELD(struct leaky_rerope, leaky_k), .type = PE_INT, .min = 1, .max = 65536,
     .preset = 8, PE_OWN("Su 2023", DISTANCE, BASIC),
     .summary = "factor by which distances beyond the window grow more slowly"},
};

static const struct pe_output outputs[] = {
    [REMAP_DISTANCE] = {PE_OUTPUT("distance", PE_F32, "q", "k"), .label = "Distance",
                        .one_of = QUERY_KEY_ONE_OF,
                        .summary =
                            "distance by which a query and a key are turned against each "
                            "other",
                        .by_default = true,
                        .uses = PE_WORDS("len", "q", "k", "window", "leaky_k"),
                        .bound = "0.501 ULP; f64 1 ULP"},
    [REMAP_Q] = {PE_OUTPUT("q_positions", PE_F32, "q"), .label = "Query positions",
                 .one_of = "len|q", .sign = PE_NOT_NEGATIVE,
                 .summary = "positions of the queries in the matrix of far keys",
                 .uses = PE_WORDS("len", "q", "window", "leaky_k"),
                 .bound = "0.501 ULP; f64 1 ULP"},
    [REMAP_K] = {PE_OUTPUT("k_positions", PE_F32, "k"), .label = "Key positions",
                 .one_of = "len|k", .sign = PE_NOT_NEGATIVE,
                 .summary = "positions of the keys in the matrix of far keys",
                 .uses = PE_WORDS("len", "k", "window", "leaky_k"),
                 .bound = "0.501 ULP; f64 1 ULP"},
    REMAP_LOGN_ROW,
};

static double distance_of(const void *context, double query, double key)
{
    const struct leaky_rerope *r = context;
    double distance = query - key, window = (double)r->window, slower = (double)r->leaky_k;

    return distance < window ? distance : (window * (slower - 1) + distance) / slower;
}

static double query_at(const void *context, double position)
{
    const struct leaky_rerope *r = context;

    return (position + (double)(r->window * (r->leaky_k - 1))) / (double)r->leaky_k;
}

static double key_at(const void *context, double position)
{
    return position / (double)((const struct leaky_rerope *)context)->leaky_k;
}

static const struct remap_rule rule = {distance_of, query_at, key_at};

const struct pe_encoding pe_encoding_leaky_rerope = {
    .name = "leaky-rerope",
    .title = "Leaky ReRoPE",
    .formula = "distance = q - k below window, else window + (q - k - window) / leaky_k",
    .when_to_use =
        "Leaky ReRoPE extends a model without training: near keys keep their distance, far "
        "ones are squeezed. rerope is its limit where distances stop growing.",
    .what_goes_wrong =
        "Attention is computed twice, with two sets of rotated queries and keys, and each "
        "pair takes one of the two scores. Queries need the log-n factor too, where the "
        "model was trained with it.",
    .picture = "len=48&window=12&leaky_k=4&train_len=16",
    .summary = "rotary distances that grow more slowly beyond a window",
    .source = "Su 2023, kexue.fm 9708; bojone/rerope on GitHub",
    .examples = PE_WORDS("q=7:8&k=0:8&window=4", "len=6&window=2&leaky_k=16",
                         "q=0:4&out=q_positions&window=4", "k=0:4&out=k_positions",
                         "q=2047:2050&out=logn_factor&train_len=2048"),
    .family = PE_ROTARY,
    PE_TABLES_OF(struct leaky_rerope, remap, params, outputs),
    .detail = &rule,
    .resolve = remap_resolve,
    .check = remap_check,
    .prepare = remap_prepare,
};
