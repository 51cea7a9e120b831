/* SPDX-License-Identifier: Apache-2.0
 * leaky_rerope.c - rectified rotary positions that leak: beyond a window distances grow, but
 * leaky_k times as slowly.
 *
 *     distance = d = i - j where d < window, else window + (d - window) / leaky_k
 *
 * The matrix of scores is made twice: with positions as they are where i - j < window, else
 * with queries at (i + window (leaky_k - 1)) / leaky_k and keys at j / leaky_k. Su, kexue.fm
 * 9708; bojone/rerope, whose patch also
 * multiplies queries by max(1, ln(i + 1) / ln(training_length)).
 */
#include <math.h>

#include "core/encodings/rotary/remap.h"

enum { DISTANCE, Q_POSITIONS, K_POSITIONS, LOGN };

struct leaky_rerope {
    struct pairs pairs;
    int64_t window, leaky_k;
    double training_length;
};

static const struct pe_param params[] = {
    PAIRS_ROWS(struct leaky_rerope, pairs),
    {PE_FIELD(struct leaky_rerope, window), .type = PE_INT, .min = 1, .max = 0x1p40,
     .preset = 512, .summary = "distance from which on distances grow slowly"},
    {PE_FIELD(struct leaky_rerope, leaky_k), .type = PE_INT, .min = 1, .max = 65536,
     .preset = 8, .summary = "how many times as slowly"},
    {PE_FIELD(struct leaky_rerope, training_length), .type = PE_REAL, .optional = true,
     .above_min = true, .min = 1, .max = 0x1p53, .summary = "length the model was trained at"},
};

static const struct pe_output outputs[] = {
    [DISTANCE] = {"distance",
                  "distance of query and key that is rotated by",
                  {"q", "k"},
                  DISTANCE,
                  PE_F32,
                  true,
                  PE_WORDS("len", "q", "k", "window", "leaky_k"),
                  "0.501 ULP; f64 1 ULP"},
    [Q_POSITIONS] = {"q_positions",
                     "positions of the queries in the second matrix",
                     {"q"},
                     Q_POSITIONS,
                     PE_F32,
                     false,
                     PE_WORDS("len", "q", "window", "leaky_k"),
                     "0.501 ULP; f64 1 ULP"},
    [K_POSITIONS] = {"k_positions",
                     "positions of the keys in the second matrix",
                     {"k"},
                     K_POSITIONS,
                     PE_F32,
                     false,
                     PE_WORDS("len", "k", "window", "leaky_k"),
                     "0.501 ULP; f64 1 ULP"},
    [LOGN] = {"logn_factor",
              "what queries are multiplied by",
              {"q"},
              LOGN,
              PE_F32,
              false,
              PE_WORDS("len", "q", "training_length"),
              "0.501 ULP; f64 0.52 ULP"},
};

static enum pe_status resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    bool matrix = pe_wants(args, DISTANCE);

    (void)values;
    return pairs_resolve(args, offsetof(struct leaky_rerope, pairs),
                         matrix || pe_wants(args, Q_POSITIONS) || pe_wants(args, LOGN),
                         matrix || pe_wants(args, K_POSITIONS), errors);
}

static enum pe_status check(const struct pe_args *args, const void *values,
                            struct pe_errors *errors)
{
    const struct leaky_rerope *r = values;

    return pe_wants(args, LOGN) ? remap_check_logn(r->training_length, r->pairs.q, errors)
                                : PE_OK;
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct leaky_rerope *r = values;

    (void)args;
    if (output == K_POSITIONS) {
        dims[0] = pe_positions_count(r->pairs.k);
        return 1;
    }
    dims[0] = pe_positions_count(r->pairs.q);
    if (output == DISTANCE)
        dims[1] = pe_positions_count(r->pairs.k);
    return output == DISTANCE ? 2 : 1;
}

static double distance_of(const void *rule, double query, double key)
{
    const struct leaky_rerope *r = rule;
    double distance = query - key, window = (double)r->window, slower = (double)r->leaky_k;

    return distance < window ? distance : (window * (slower - 1) + distance) / slower;
}

static double query_at(const void *rule, double position)
{
    const struct leaky_rerope *r = rule;

    return (position + (double)(r->window * (r->leaky_k - 1))) / (double)r->leaky_k;
}

static double key_at(const void *rule, double position)
{
    return position / (double)((const struct leaky_rerope *)rule)->leaky_k;
}

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct leaky_rerope *r = values;
    const struct pe_args *args = pe_build_args(build);
    bool ok = true;

    if (pe_wants(args, DISTANCE))
        ok = pairs_fill_matrix(build, DISTANCE, distance_of, r, &r->pairs);
    if (ok && pe_wants(args, Q_POSITIONS))
        ok = remap_fill_list(build, Q_POSITIONS, query_at, r, r->pairs.q);
    if (ok && pe_wants(args, K_POSITIONS))
        ok = remap_fill_list(build, K_POSITIONS, key_at, r, r->pairs.k);
    if (ok && pe_wants(args, LOGN))
        ok = remap_fill_logn(build, LOGN, r->training_length, r->pairs.q);
    return ok ? PE_OK : pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
}

const struct pe_encoding pe_encoding_leaky_rerope = {
    .name = "leaky-rerope",
    .summary = "rotary distances that grow more slowly beyond a window",
    .source = "Su 2023, kexue.fm 9708; bojone/rerope on GitHub",
    .examples = PE_WORDS("q=7:8&k=0:8&window=4", "len=6&window=2&leaky_k=16",
                         "q=0:4&out=q_positions&window=4", "k=0:4&out=k_positions",
                         "q=2047:2050&out=logn_factor&training_length=2048"),
    .family = PE_ROTARY,
    .revision = 1,
    .kind = PE_POINTWISE,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct leaky_rerope),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .prepare = prepare,
};
