/* SPDX-License-Identifier: Apache-2.0
 * sinusoidal_relative.c - functional relative positions: a sinusoid's row for each clipped
 * distance, added to keys and values.
 *
 *     K = max_distance
 *     idx = clamp(k - q, -K, K) + K     vector = PE(idx), columns sin w_0, cos w_0, sin w_1 ...
 *     w_i = base^(-2i/dim)
 *
 * Wei et al. 2019, NEZHA, section 2.2, in place of Shaw et al.'s learned tables.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encodings/bias/query_key.h"
#include "core/math/precomputed.h"
#include "core/math/rotation/rotation.h"
#include "core/math/trig/frequency.h"
#include "core/plan/table_key.h"

enum { VECTORS, TABLE, INDEX };
enum { MAX_TABLE = 1 << 22 };

struct sinusoidal_relative {
    struct query_key pairs;
    int64_t dim, max_distance;
    double base;
};

static const struct pe_param params[] = {
    QUERY_KEY_ROWS(struct sinusoidal_relative, pairs),
    {PE_FIELD(struct sinusoidal_relative, dim), .type = PE_INT, .required = true, .min = 2,
     .max = 65536, .multiple_of = 2,
     .summary = "width of a row, which is the width of a head (head_dim)"},
    {PE_FIELD(struct sinusoidal_relative, max_distance), .type = PE_INT, .min = 0,
     .max = MAX_TABLE, .preset = 64,
     .summary = "distance beyond which all share a row, on either side "
                "(max_relative_position)"},
    PE_ROW_BASE(struct sinusoidal_relative),
};

#define TABLE_NAMES "dim", "max_distance", "base"

static const char bound[] = "0.501 ULP; f64 1 ULP";

static const struct pe_output outputs[] = {
    [VECTORS] = {PE_OUTPUT("vectors", PE_F32, "q", "k", "dim"), .label = "Vectors",
                 .one_of = "len|q&len|k", .columns = PE_COLUMN_WAVE,
                 .picture = "len=16&dim=16&max_distance=6",
                 .summary = "vector of each query and key, added to the key and to the value",
                 .by_default = true, .uses = PE_WORDS(TABLE_NAMES, "len", "q", "k"),
                 .bound = bound},
    [TABLE] = {PE_OUTPUT("table", PE_F32, "distance", "dim"), .label = "Table",
               .columns = PE_COLUMN_WAVE,
               .summary = "the row of each distance key - query, from -max_distance on",
               .uses = PE_WORDS(TABLE_NAMES), .bound = bound},
    [INDEX] = {PE_OUTPUT("index", PE_I64, "q", "k"), .label = "Rows of the table",
               .one_of = "len|q&len|k", .sign = PE_NOT_NEGATIVE,
               .summary = "row of the table for each query and key",
               .uses = PE_WORDS("max_distance", "len", "q", "k"), .bound = "exact"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static bool wants_pairs(const struct pe_args *args)
{
    return pe_wants(args, VECTORS) || pe_wants(args, INDEX);
}

static bool wants_table(const struct pe_args *args)
{
    return pe_wants(args, VECTORS) || pe_wants(args, TABLE);
}

static uint64_t rows_of(const struct sinusoidal_relative *s)
{
    return 2 * (uint64_t)s->max_distance + 1;
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    if (wants_pairs(args))
        query_key_resolve(args, offsetof(struct sinusoidal_relative, pairs), true, true,
                          errors);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct sinusoidal_relative *s = values;

    if (wants_table(args) && rows_of(s) * (uint64_t)s->dim > MAX_TABLE) {
        pe_fail(errors, PE_TOO_LARGE, "max_distance",
                "makes a table of (2 max_distance + 1) dim numbers, which must be at most %d",
                MAX_TABLE);
        pe_note_limit(errors, MAX_TABLE, rows_of(s) * (uint64_t)s->dim);
        return;
    }
}

/* ---- the table --------------------------------------------------------------------------- */

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct sinusoidal_relative *s = values;

    return wants_table(args) ? 1000 * (double)s->dim + 15 * (double)rows_of(s) * (double)s->dim
                             : 0;
}

static size_t table_key(const struct pe_args *args, const void *values, char *text, size_t size)
{
    const struct sinusoidal_relative *s = values;

    struct table_key key = {text, size, 0};

    if (!wants_table(args))
        return 0;
    table_key_add(&key, "dim", (double)s->dim);
    table_key_add(&key, "K", (double)s->max_distance);
    table_key_add(&key, "base", s->base);
    return key.len;
}

/* Makes rows 0 .. 2K of the interleaved sinusoid. */
static void *table_build(const struct pe_args *args, const void *values, size_t *bytes)
{
    const struct sinusoidal_relative *s = values;
    size_t pairs = (size_t)s->dim / 2, rows = (size_t)rows_of(s);
    const struct frequency_ladder ladder = {.base = s->base,
                                            .denominator = (double)pairs,
                                            .count = pairs,
                                            .multiplier = 1,
                                            .divisor = 1};
    struct rotation rotation = {.table = rotation_table_new(&ladder, false),
                                .amplitude = 1,
                                .zero_position = NAN};
    double *table = calloc(rows * 2 * pairs, sizeof *table), *sine, *cosine;

    sine = calloc(2 * pairs, sizeof *sine);
    if (!rotation.table || !table || !sine) {
        free(table);
        table = NULL;
    }
    cosine = sine ? sine + pairs : NULL;
    for (size_t row = 0; table && row < rows; row++) {
        rotation_row(&rotation, 0, pairs, (double)row, sine, cosine);
        for (size_t i = 0; i < pairs; i++) {
            table[(row * pairs + i) * 2] = sine[i];
            table[(row * pairs + i) * 2 + 1] = cosine[i];
        }
    }
    free(sine);
    rotation_table_free((void *)(uintptr_t)rotation.table);
    *bytes = rows * 2 * pairs * sizeof *table;
    return table;
}

/* ---- how each output is filled ----------------------------------------------------------- */

struct relative {
    const struct sinusoidal_relative *s;
    const double *table;
};

static double index_of(const void *rule, double difference)
{
    double most = (double)((const struct sinusoidal_relative *)rule)->max_distance;

    return fmin(fmax(-difference, -most), most) + most;
}

static void fill_vectors(const void *state, const struct pe_rect *rect, double *const out[],
                         const void *const input[], void *scratch)
{
    const struct relative *relative = state;
    const struct sinusoidal_relative *s = relative->s;
    uint64_t keys = pe_positions_count(s->pairs.k);

    for (uint64_t r = 0; r < rect->rows; r++) {
        double query = pe_positions_at(s->pairs.q, (rect->row + r) / keys),
               key = pe_positions_at(s->pairs.k, (rect->row + r) % keys);
        size_t row = (size_t)index_of(s, query - key);

        memcpy(out[0] + r * rect->cols, relative->table + row * (size_t)s->dim + rect->col,
               rect->cols * sizeof(double));
    }
}

static void prepare(struct pe_build *build, const void *values)
{
    static const struct pe_filler vectors = {.reference = fill_vectors, .ns_per_element = 1};
    const struct pe_args *args = pe_build_args(build);
    const struct sinusoidal_relative *s = values;
    struct relative *relative = pe_build_alloc(build, sizeof *relative);

    if (!relative)
        return;
    *relative = (struct relative){s, pe_build_table(build)};
    pe_build_fill(build, VECTORS, &vectors, relative);
    precomputed_show(build, TABLE, relative->table, (uint64_t)s->dim);
    if (pe_wants(args, INDEX))
        query_key_fill_difference(build, INDEX, index_of, s, &s->pairs);
    pe_build_fact_text(build, "sign", "row 0 is key - query = -max_distance and below");
}

const struct pe_encoding pe_encoding_sinusoidal_relative = {
    .name = "sinusoidal-relative",
    .title = "Functional relative positions (NEZHA)",
    .formula =
        "index[q, k] = clamp(k - q, -max_distance, max_distance) + max_distance\n"
        "vectors[q, k] = table[index], table[r, 2i] = sin(r w_i), [r, 2i+1] = cos(r w_i)\n"
        "w_i = base^(-2i/dim)",
    .when_to_use =
        "Relative positions of Shaw et al. without learned tables: NEZHA adds the vectors to "
        "keys and values. For weights that were learned take shaw, for the sinusoids of "
        "Transformer-XL transformer-xl.",
    .what_goes_wrong =
        "The sinusoid is taken at the index, which begins with 0 at the farthest past key, "
        "not at the signed distance: distance 0 has row max_distance. The difference is "
        "key - query, and the vector goes to keys and values both.",
    .picture = "len=48&dim=64&max_distance=16",
    .summary = "sinusoids of the clipped distance, for keys and values (NEZHA)",
    .source = "Wei et al. 2019, NEZHA, section 2.2; bert4keras",
    .examples = PE_WORDS("len=3&dim=4&max_distance=2", "dim=4&max_distance=2&out=table",
                         "q=9:10&k=0:10&max_distance=4&out=index"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct sinusoidal_relative, params, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("distance=2*max_distance+1"),
    .most = PE_WORDS("index=2*max_distance"),
    .plan_ns = plan_ns,
    .table_key = table_key,
    .table_build = table_build,
    .table_free = free,
    .prepare = prepare,
};
