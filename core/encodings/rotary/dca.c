/* SPDX-License-Identifier: Apache-2.0
 * dca.c - dual chunk attention: keys are counted within their chunk, queries by the number of
 * chunks between query and key.
 *
 *     c = chunk - local_size, chunk of x = floor(x / c), key at j mod c
 *     query: same chunk i mod c; the chunk before min(i mod c + c, chunk);
 *            any earlier one min(2c - 1, chunk)
 *
 * An et al. 2024, Training-Free Long-Context Scaling (ChunkLlama: chunk 3/4 of the trained
 * length, local_size 1/8); Qwen2.5-1M. Mask keys after the query, which count as of its chunk.
 */
#include <math.h>

#include "core/encodings/rotary/remap.h"
#include "core/math/precomputed.h"

enum {
    DISTANCE,
    SCALED_DISTANCE,
    Q_SAME,
    Q_BEFORE,
    Q_EARLIER,
    K_POSITIONS,
    TABLES,
    ATTENTION_FACTOR,
};

struct dca {
    struct query_key pairs;
    int64_t chunk, local_size;
    double factor, seq_len, train_len;
};

static const struct pe_param params[] = {
    QUERY_KEY_ROWS(struct dca, pairs),
    {PE_FIELD(struct dca, chunk), .type = PE_INT, .required = true, .min = 2, .max = 0x1p40,
     .summary = "tokens of a chunk: the largest distance that vectors are turned by"},
    {PE_FIELD(struct dca, local_size), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p40, PE_OWN("vLLM", DISTANCE, BASIC),
     .summary = "number of neighbours that keep their distance across the border of a chunk"},
    {PE_FIELD(struct dca, factor), .type = PE_REAL, .min = 1e-18, .max = 1e18, .preset = 1,
     .summary = "factor by which all positions are divided (linear scaling of ChunkLlama)"},
    {PE_FIELD(struct dca, seq_len), .type = PE_REAL, .required = true, .min = 1, .max = 0x1p53,
     .summary = "length of the context now, in tokens"},
    {PE_FIELD(struct dca, train_len), .type = PE_REAL, .required = true, .min = 1,
     .max = 0x1p53, .summary = "length of the context in training, in tokens"},
};

#define CHUNKS "chunk", "local_size"

static const struct pe_output outputs[] = {
    [DISTANCE] = {PE_OUTPUT("distance", PE_I64, "q", "k"), .label = "Distance",
                  .one_of = QUERY_KEY_ONE_OF,
                  .summary =
                      "distance by which a query and a key are turned against each other",
                  .by_default = true, .uses = PE_WORDS("len", "q", "k", CHUNKS),
                  .bound = "exact"},
    [SCALED_DISTANCE] = {PE_OUTPUT("scaled_distance", PE_F32, "q", "k"),
                         .label = "Scaled distance", .one_of = QUERY_KEY_ONE_OF,
                         .summary =
                             "distance by which a query and a key are turned, divided by "
                             "factor",
                         .uses = PE_WORDS("len", "q", "k", CHUNKS, "factor"),
                         .bound = "0.501 ULP; f64 0.5 ULP"},
    [Q_SAME] = {PE_OUTPUT("q_same", PE_I64, "q"), .label = "Queries, same chunk",
                .one_of = "len|q", .sign = PE_NOT_NEGATIVE,
                .summary = "positions by which queries are turned for keys of their own chunk",
                .uses = PE_WORDS("len", "q", CHUNKS), .bound = "exact"},
    [Q_BEFORE] = {PE_OUTPUT("q_before", PE_I64, "q"), .label = "Queries, chunk before",
                  .one_of = "len|q", .sign = PE_NOT_NEGATIVE,
                  .summary =
                      "positions by which queries are turned for keys of the chunk before",
                  .uses = PE_WORDS("len", "q", CHUNKS), .bound = "exact"},
    [Q_EARLIER] = {PE_OUTPUT("q_earlier", PE_I64, NULL), .label = "Queries, earlier chunks",
                   .sign = PE_NOT_NEGATIVE,
                   .summary =
                       "position by which every query is turned for keys of earlier chunks",
                   .uses = PE_WORDS(CHUNKS), .bound = "exact"},
    [K_POSITIONS] = {PE_OUTPUT("k_positions", PE_I64, "k"), .label = "Keys", .one_of = "len|k",
                     .sign = PE_NOT_NEGATIVE, .summary = "positions by which keys are turned",
                     .uses = PE_WORDS("len", "k", CHUNKS), .bound = "exact"},
    [TABLES] = {PE_OUTPUT("tables", PE_I64, "table", "pos"), .label = "Tables of vLLM",
                .sign = PE_NOT_NEGATIVE,
                .summary =
                    "five rows of positions that vLLM keeps: q, qc, k, qc_no_clamp, q_inter",
                .uses = PE_WORDS(CHUNKS), .bound = "exact"},
    [ATTENTION_FACTOR] = {PE_OUTPUT("attention_factor", PE_F32, NULL),
                          .label = "Attention factor", .sign = PE_NOT_NEGATIVE,
                          .summary = "factor on cos and sin in ChunkLlama: 0.05 "
                                     "ln(seq_len/train_len) + 1",
                          .uses = PE_WORDS("seq_len", "train_len"),
                          .bound = "0.501 ULP; f64 2 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static bool wants_matrix(const struct pe_args *args)
{
    return pe_wants(args, DISTANCE) || pe_wants(args, SCALED_DISTANCE);
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    bool matrix = wants_matrix(args);

    query_key_resolve(args, offsetof(struct dca, pairs),
                      matrix || pe_wants(args, Q_SAME) || pe_wants(args, Q_BEFORE),
                      matrix || pe_wants(args, K_POSITIONS), errors);
}

static void check_positions(const struct pe_positions *list, const char *name,
                            struct pe_errors *errors)
{
    double low = 0, high;

    if (list)
        pe_positions_range(list, &low, &high);
    if (low < 0)
        pe_fail(errors, PE_OUT_OF_RANGE, name, "must be 0 or more; got %.0f", low);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct dca *d = values;

    if (d->chunk != PE_ABSENT_INT && d->local_size >= d->chunk)
        pe_fail(errors, PE_CONFLICT, "local_size", "must be below chunk, %lld; got %lld",
                (long long)d->chunk, (long long)d->local_size);
    if (!pe_wants(args, TABLES)) {
        check_positions(d->pairs.q, "q", errors);
        check_positions(d->pairs.k, "k", errors);
    }
}

static double step_of(const struct dca *d)
{
    return (double)(d->chunk - d->local_size);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct dca *d = values;

    return (struct pe_interval){output == DISTANCE ? 1 - step_of(d) : 0,
                                (double)d->chunk + step_of(d)};
}

/* ---- positions --------------------------------------------------------------------------- */

static double within(const void *rule, double position)
{
    return fmod(position, step_of(rule));
}

static double before(const void *rule, double position)
{
    const struct dca *d = rule;

    return fmin(within(d, position) + step_of(d), (double)d->chunk);
}

static double earlier(const struct dca *d)
{
    return fmin(2 * step_of(d) - 1, (double)d->chunk);
}

static double distance_of(const void *rule, double query, double key)
{
    const struct dca *d = rule;
    int64_t step = d->chunk - d->local_size;
    int64_t chunks = (int64_t)query / step - (int64_t)key / step;
    double at = chunks <= 0 ? within(d, query) : chunks == 1 ? before(d, query) : earlier(d);

    return at - within(d, key);
}

static double scaled_distance(const void *rule, double query, double key)
{
    return distance_of(rule, query, key) / ((const struct dca *)rule)->factor;
}

static double table_at(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct dca *d = state;
    double at = (double)col, next = at + step_of(d), size = (double)d->chunk;
    const double values[5] = {at, fmin(next, size), at, next, size + at};

    return values[row];
}

static const struct pe_filler tables_filler = {.element = table_at, .ns_per_element = 4};

static double attention_factor(const struct dca *d)
{
    struct dd ratio =
        elementary_divide((struct dd){d->seq_len, 0}, (struct dd){d->train_len, 0});

    return d->seq_len > d->train_len ? 0.05 * elementary_log_dd(ratio).hi + 1 : 1;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct dca *d = values;
    const struct pe_args *args = pe_build_args(build);

    if (pe_wants(args, Q_EARLIER))
        precomputed_scalar(build, Q_EARLIER, earlier(d));
    if (pe_wants(args, ATTENTION_FACTOR))
        precomputed_scalar(build, ATTENTION_FACTOR, attention_factor(d));
    if (pe_wants(args, DISTANCE))
        query_key_fill_matrix(build, DISTANCE, distance_of, d, &d->pairs);
    if (pe_wants(args, SCALED_DISTANCE))
        query_key_fill_matrix(build, SCALED_DISTANCE, scaled_distance, d, &d->pairs);
    remap_fill_list(build, Q_SAME, within, d, d->pairs.q);
    remap_fill_list(build, Q_BEFORE, before, d, d->pairs.q);
    remap_fill_list(build, K_POSITIONS, within, d, d->pairs.k);
    pe_build_fill(build, TABLES, &tables_filler, d);
}

const struct pe_encoding pe_encoding_dca = {
    .name = "dca",
    .title = "Dual chunk attention",
    .formula =
        "distance = q - k within a chunk; to the chunk before and to earlier chunks queries "
        "have positions that keep the distance below chunk",
    .when_to_use =
        "Qwen2.5-1M and ChunkLlama read contexts far beyond training without new weights, "
        "since no rotary distance exceeds a chunk. self-extend and rerope do the same in "
        "other ways.",
    .what_goes_wrong =
        "A query has three positions, one for each kind of chunk, so one call of RoPE cannot "
        "serve it. The last chunk before the query keeps exact distances only for local_size "
        "neighbours.",
    .picture = "len=40&chunk=12&local_size=3&factor=2&seq_len=8192&train_len=4096",
    .summary = "dual chunk attention: rotary distances that never exceed a chunk",
    .source = "An et al. 2024, Training-Free Long-Context Scaling; ChunkLlama; vLLM "
              "dual_chunk_rope.py",
    .examples = PE_WORDS("q=11:12&k=0:12&chunk=8&local_size=2", "len=6&chunk=4&local_size=1",
                         "out=tables&chunk=8&local_size=2",
                         "q=0:14&out=q_same,q_before&chunk=8&local_size=2",
                         "len=4&out=scaled_distance&chunk=8&local_size=2&factor=4",
                         "out=attention_factor&seq_len=8192&train_len=4096"),
    .family = PE_ROTARY,
    PE_TABLES(struct dca, params, outputs),
    .resolve = resolve,
    .check = check,
    .range = range,
    .lengths = PE_WORDS("table=5", "pos=chunk-local_size"),
    .prepare = prepare,
};
