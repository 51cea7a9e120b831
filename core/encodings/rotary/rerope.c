/* SPDX-License-Identifier: Apache-2.0
 * rerope.c - rectified rotary positions: beyond a window all keys are equally far.
 *
 *     distance = min(i - j, window)
 *
 * The matrix of scores is made twice: with positions as they are where i - j < window, else
 * with queries at `window` and keys at 0. Su, kexue.fm 9708; bojone/rerope, whose patch also
 * multiplies queries by max(1, ln(i + 1) / ln(train_len)).
 */
#include <math.h>

#include "core/encodings/rotary/remap.h"

struct rerope {
    struct remap remap;
    int64_t window;
};

static const struct pe_param params[] = {
    REMAP_ROWS(struct rerope, remap),
    {PE_FIELD(struct rerope, window), .type = PE_INT, .min = 1, .max = 0x1p40, .preset = 512,
     .summary = "distance from which on all keys count as equally far"},
};

static const struct pe_output outputs[] = {
    [REMAP_DISTANCE] = {PE_OUTPUT("distance", PE_I64, "q", "k"), .label = "Distance",
                        .one_of = QUERY_KEY_ONE_OF,
                        .summary =
                            "distance by which a query and a key are turned against each "
                            "other",
                        .by_default = true, .uses = PE_WORDS("len", "q", "k", "window"),
                        .bound = "exact"},
    [REMAP_Q] = {PE_OUTPUT("q_positions", PE_I64, "q"), .label = "Query positions",
                 .one_of = "len|q", .sign = PE_NOT_NEGATIVE,
                 .summary = "positions of the queries in the matrix of far keys",
                 .uses = PE_WORDS("len", "q", "window"), .bound = "exact"},
    [REMAP_K] = {PE_OUTPUT("k_positions", PE_I64, "k"), .label = "Key positions",
                 .one_of = "len|k", .sign = PE_NOT_NEGATIVE,
                 .summary = "positions of the keys in the matrix of far keys: 0",
                 .uses = PE_WORDS("len", "k", "window"), .bound = "exact"},
    REMAP_LOGN_ROW,
};

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct rerope *r = values;
    double low = 0, high = (double)r->window, farthest;

    if (output == REMAP_DISTANCE) {
        query_key_range(&r->remap.pairs, &low, &farthest);
        high = fmin(high, farthest);
    }
    return (struct pe_interval){low, high};
}

static double distance_of(const void *context, double query, double key)
{
    return fmin(query - key, (double)((const struct rerope *)context)->window);
}

static double query_at(const void *context, double position)
{
    return (double)((const struct rerope *)context)->window;
}

static double key_at(const void *context, double position)
{
    return 0;
}

static const struct remap_rule rule = {distance_of, query_at, key_at};

const struct pe_encoding pe_encoding_rerope = {
    .name = "rerope",
    .title = "ReRoPE",
    .formula = "distance = min(q - k, window)",
    .when_to_use =
        "ReRoPE extends a model without training: beyond the window all keys are equally "
        "far. self-extend counts far distances in groups instead.",
    .what_goes_wrong =
        "Attention is computed twice, and each pair of a query and a key takes one of the "
        "two scores. Distances below 0, of keys after the query, are not clipped.",
    .picture = "len=48&window=12&train_len=16",
    .summary = "rotary distances that stop growing at a window",
    .source = "Su 2023, kexue.fm 9708; bojone/rerope on GitHub",
    .examples =
        PE_WORDS("q=7:8&k=0:8&window=4", "len=6&window=2", "q=0:4&out=q_positions&window=4",
                 "k=0:4&out=k_positions", "q=2047:2050&out=logn_factor&train_len=2048"),
    .family = PE_ROTARY,
    PE_TABLES_OF(struct rerope, remap, params, outputs),
    .detail = &rule,
    .resolve = remap_resolve,
    .check = remap_check,
    .range = range,
    .prepare = remap_prepare,
};
