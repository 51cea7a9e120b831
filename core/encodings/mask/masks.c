/* SPDX-License-Identifier: Apache-2.0
 * masks.c - queries, keys and shapes, and checks of the parameters that masks share. */
#include "core/encodings/mask/masks.h"

#include <math.h>

/* most elements that are searched for an output smaller than a matrix */
#define PAIRS_MOST 0x1p32
enum { ROWS_MOST = 1 << 24 };

const struct pe_choice masks_alignments[] = {
    PE_ONE_WITH("bottom-right",
                "the last query stands at the last key: caches, FlashAttention from 2.1",
                "len=&q_len=8&k_len=32"),
    PE_ONE_WITH("top-left",
                "the first query stands at the first key: is_causal of PyTorch, ONNX",
                "len=&q_len=8&k_len=32"),
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_choice masks_polarities[] = {
    PE_ONE("attend", "true attends to the key: PyTorch SDPA, FlexAttention"),
    PE_ONE("masked", "true masks the key: key_padding_mask of MultiheadAttention"),
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_choice masks_policies[] = {
    [MASK_NONE] = {"none", PE_WORDS("zero"),
                   "the row stays fully masked, and the facts count such rows", NULL, NULL},
    PE_ONE_AT(MASK_KEEP_SELF, "keep_self",
              "the query attends to its own key, or to all keys where it has none"),
    PE_ONE_AT(MASK_UNMASK_ALL, "unmask_all", "the query attends to all keys"),
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_word masks_values[] = {{"min", -DBL_MAX}, {"-inf", -INFINITY}, {NULL, 0}};

int64_t masks_floor(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* ---- which queries and keys -------------------------------------------------------------- */

static bool has_lengths(const struct masks *m)
{
    return m->q_len != PE_ABSENT_INT || m->k_len != PE_ABSENT_INT;
}

static enum pe_status put_pairs(struct pe_args *args, int64_t q, int64_t queries, int64_t k,
                                int64_t keys, struct pe_errors *errors)
{
    enum pe_status status =
        pe_args_put_slice(args, offsetof(struct masks, q), q, q + queries, errors);

    return status ? status
                  : pe_args_put_slice(args, offsetof(struct masks, k), k, k + keys, errors);
}

static enum pe_status align(struct pe_args *args, struct masks *m, struct pe_errors *errors)
{
    int64_t k = m->k_offset == PE_ABSENT_INT ? 0 : m->k_offset;
    int64_t q = k;

    if (m->q_len == PE_ABSENT_INT || m->k_len == PE_ABSENT_INT)
        return pe_fail(errors, PE_MISSING_PARAMETER,
                       m->q_len == PE_ABSENT_INT ? "q_len" : "k_len",
                       "is required with its sibling, or give q and k, or len");
    if (m->alignment == 0)
        q = k + m->k_len - m->q_len;
    if (m->q_offset != PE_ABSENT_INT)
        q = m->q_offset;
    return put_pairs(args, q, m->q_len, k, m->k_len, errors);
}

enum pe_status masks_resolve(struct pe_args *args, struct masks *m,
                             const struct mask_rule *rule, int64_t assumed,
                             struct pe_errors *errors)
{
    int ways = (m->len != PE_ABSENT_INT) + (m->q || m->k) + has_lengths(m);
    enum pe_status status = PE_OK;

    if (ways > 1)
        return pe_fail(errors, PE_CONFLICT, m->len != PE_ABSENT_INT ? "len" : "q_len",
                       "is one way to say which queries and keys; give len, or q and k, or "
                       "q_len and k_len");
    if (has_lengths(m))
        status = align(args, m, errors);
    if (m->len != PE_ABSENT_INT)
        status = put_pairs(args, 0, m->len, 0, m->len, errors);
    else if (ways == 0 && assumed >= 0)
        status = put_pairs(args, 0, assumed, 0, assumed, errors);
    if (errors->count == 0 && !m->k)
        pe_fail(errors, PE_MISSING_PARAMETER, "k",
                "is required, or len: positions of the keys");
    if (errors->count <= 1 && !status && !m->q && !has_lengths(m))
        pe_fail(errors, PE_MISSING_PARAMETER, "q",
                "is required, or len: positions of the queries");
    if (errors->count > 0)
        return errors->at[0].status;
    masks_resolve_sizes(m, rule, pe_positions_count(m->q), pe_positions_count(m->k));
    return PE_OK;
}

void masks_resolve_pairs(struct pe_args *args, void *values, struct pe_errors *errors)
{
    masks_resolve(args, values, pe_args_encoding(args)->detail, -1, errors);
}

void masks_resolve_sizes(struct masks *m, const struct mask_rule *rule, uint64_t queries,
                         uint64_t keys)
{
    m->rule = rule;
    m->queries = queries;
    m->keys = keys;
    if (isnan(m->mask_value))
        m->mask_value = -DBL_MAX;
    if (!m->keep && m->attention_mask.rows > 0)
        m->keep = &m->attention_mask;
    if (m->keep)
        m->batches = m->keep->rows;
}

enum pe_status masks_resolve_list(struct pe_args *args, struct masks *m,
                                  const struct mask_rule *rule, const char *name,
                                  const struct pe_positions *list, struct pe_errors *errors)
{
    uint64_t count = list ? pe_positions_count(list) : 0;
    double low = 0, high;

    if (list)
        pe_positions_range(list, &low, &high);
    if (low < 0)
        return pe_fail(errors, PE_OUT_OF_RANGE, name, "must be 0 or more; got %.0f", low);
    if (count > 1 && m->attention_mask.rows > 0 && m->attention_mask.rows != count)
        return pe_fail(
            errors, PE_CONFLICT, name,
            "must be one number, or one for each row of attention_mask, %zu; got %llu",
            m->attention_mask.rows, (unsigned long long)count);
    m->batches = count > 1 ? count : 0;
    return masks_resolve(args, m, rule, -1, errors);
}

/* ---- rules ------------------------------------------------------------------------------- */

static void check_keep(const struct masks *m, struct pe_errors *errors)
{
    const char *name = "attention_mask";
    const size_t before = errors->count;

    masks_check_bits(m->keep, name, errors);
    if (errors->count > before)
        return;
    if (m->keep->cols != m->keys && m->queries > 0 && m->keys > 0)
        pe_fail(errors, PE_CONFLICT, name,
                "must have a number for each key in a row, %llu; got %zu",
                (unsigned long long)m->keys, m->keep->cols);
}

static void check_value(const struct pe_args *args, const struct masks *m,
                        struct pe_errors *errors)
{
    double lowest = pe_dtype_lowest(pe_args_dtype(args, MASKS_ADDITIVE));

    if (pe_wants(args, MASKS_ADDITIVE) && isfinite(m->mask_value) &&
        m->mask_value != -DBL_MAX && fabs(m->mask_value) > -lowest)
        pe_fail(errors, PE_CONFLICT, "mask_value",
                "must be within +-%.9g, the range of the dtype; got %.9g", -lowest,
                m->mask_value);
}

static double pairs(const struct masks *m)
{
    return (double)(m->batches ? m->batches : 1) * (double)m->queries * (double)m->keys;
}

static struct mask mask_of(const struct masks *m, const void *context)
{
    return (struct mask){.rule = m->rule,
                         .context = context,
                         .q = m->q,
                         .k = m->k,
                         .queries = m->queries,
                         .keys = m->keys,
                         .keep = m->keep,
                         .look_ns = m->look_ns};
}

/* True when all pairs must be looked at for the output, which is smaller than the mask. */
static bool reads_pairs(const struct masks *m, size_t output)
{
    const struct mask mask = mask_of(m, m);

    return output != MASKS_RUNS || m->fully_masked != MASK_NONE || !mask_has_spans(&mask);
}

void masks_check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct masks *m = values;
    bool small = false;

    if (m->keep)
        check_keep(m, errors);
    check_value(args, m, errors);
    for (size_t output = MASKS_BITS; output < MASKS_OUTPUT_COUNT; output++)
        small = small || (pe_wants(args, output) && reads_pairs(m, output));
    if (small && pairs(m) > PAIRS_MOST) {
        pe_fail(errors, PE_TOO_LARGE, NULL,
                "the mask has %.0f pairs of a query and a key; at most %.0f where an "
                "answer is "
                "smaller than it",
                pairs(m), PAIRS_MOST);
        pe_note_limit(errors, (uint64_t)PAIRS_MOST, (uint64_t)fmin(pairs(m), 0x1p63));
    }
    if (m->fully_masked != MASK_NONE &&
        (m->batches ? m->batches : 1) > ROWS_MOST / (m->queries + 1)) {
        pe_fail(errors, PE_TOO_LARGE, NULL,
                "the mask has %llu queries; at most %d where fully_masked changes rows",
                (unsigned long long)m->queries, ROWS_MOST);
        pe_note_limit(errors, ROWS_MOST, m->queries);
    }
}

/* ---- sizes ------------------------------------------------------------------------------- */

static uint64_t blocks_of(uint64_t count, const struct masks *m)
{
    uint64_t side = (uint64_t)m->block_size;

    return count / side + (count % side > 0);
}

static uint64_t most_runs(const struct masks *m)
{
    struct mask mask = mask_of(m, m);

    return mask_most_runs(&mask);
}

struct pe_interval masks_range(const struct pe_args *args, const void *values, size_t output)
{
    const struct masks *m = values;

    return (struct pe_interval){output == MASKS_RUNS || output == MASKS_INDICES ? -1 : 0,
                                output == MASKS_RUNS      ? (double)m->keys
                                : output == MASKS_INDICES ? (double)blocks_of(m->keys, m)
                                : output == MASKS_BITS    ? 255
                                : output == MASKS_BLOCKS  ? 2
                                                          : 1};
}

size_t masks_shape(const struct pe_args *args, const void *values, size_t output,
                   uint64_t dims[PE_MAX_RANK])
{
    const struct masks *m = values;
    bool dense = output == MASKS_MASK || output == MASKS_ADDITIVE;
    size_t rank = 0;

    if (m->batches > 0)
        dims[rank++] = m->batches;
    if (dense && (m->heads != PE_ABSENT_INT || m->keep))
        dims[rank++] = m->heads == PE_ABSENT_INT ? 1 : (uint64_t)m->heads;
    if (output == MASKS_BLOCKS || output == MASKS_INDICES) {
        dims[rank++] = blocks_of(m->queries, m);
        dims[rank++] = blocks_of(m->keys, m);
        return rank;
    }
    dims[rank++] = m->queries;
    if (dense)
        dims[rank++] = m->keys;
    if (output == MASKS_BITS)
        dims[rank++] = m->keys / 8 + (m->keys % 8 > 0);
    if (output == MASKS_RUNS) {
        dims[rank++] = most_runs(m);
        dims[rank++] = 2;
    }
    return rank;
}

double masks_plan_ns(const struct pe_args *args, const void *values)
{
    const struct masks *m = values;
    const struct mask mask = mask_of(m, m);

    return mask_look_ns(&mask, m->batches ? m->batches : 1);
}

/* ---- filling ----------------------------------------------------------------------------- */

/* Counts the rows without a key, reports their count as a fact, and records their policy. */
static bool find_empty(struct pe_build *build, const struct masks *m, struct mask *mask)
{
    uint64_t rows = (m->batches ? m->batches : 1) * m->queries, count = 0, at = 0, look;
    enum mask_policy policy = (enum mask_policy)m->fully_masked, *empty = NULL;

    if (policy != MASK_NONE) {
        empty = pe_build_alloc(build, rows * sizeof *empty);
        if (!empty)
            return false;
    }
    if (!mask_index_keys(build, mask))
        return false;
    mask->stop = pe_build_stop(build);
    for (uint64_t row = 0; row < rows; row++) {
        if (pe_build_stopped(build))
            return false;
        look = mask_look(mask, row, at);
        if (look != MASK_NOTHING) {
            at = look;
            continue;
        }
        count++;
        if (empty)
            empty[row] = mask_policy_of(mask, row, policy);
    }
    mask->stop = NULL; /* the plan outlives the flag of the build */
    mask->row_ns = rows ? mask_look_ns(mask, rows / m->queries) / (double)rows : 0;
    mask->empty = empty;
    pe_build_fact(build, "fully_masked_rows", (double)count);
    return true;
}

static bool fill_dense(struct pe_build *build, const struct masks *m, const struct mask *mask,
                       size_t output)
{
    struct mask_dense *dense = pe_build_alloc(build, sizeof *dense);
    double value = m->mask_value == -DBL_MAX
                       ? pe_dtype_lowest(pe_args_dtype(pe_build_args(build), output))
                       : m->mask_value;

    if (!dense)
        return false;
    *dense = (struct mask_dense){mask,
                                 m->heads == PE_ABSENT_INT ? 1 : (uint64_t)m->heads,
                                 {m->true_means, !m->true_means}};
    if (output == MASKS_ADDITIVE) {
        dense->values[0] = value;
        dense->values[1] = 0;
    }
    pe_build_fill(build, output, &mask_dense_filler, dense);
    return true;
}

static bool fill_compact(struct pe_build *build, const struct masks *m, const struct mask *mask)
{
    static const struct pe_filler *const fillers[] = {[MASKS_BITS] = &mask_bits_filler,
                                                      [MASKS_RUNS] = &mask_runs_filler,
                                                      [MASKS_BLOCKS] = &mask_blocks_filler,
                                                      [MASKS_INDICES] = &mask_indices_filler};
    struct mask_compact *compact = pe_build_alloc(build, sizeof *compact);

    if (!compact)
        return false;
    *compact = (struct mask_compact){mask, mask_most_runs(mask), (uint64_t)m->block_size,
                                     m->true_means == 1};
    for (size_t output = MASKS_BITS; output < MASKS_EMPTY; output++)
        pe_build_fill(build, output, fillers[output], compact);
    pe_build_fill(build, MASKS_EMPTY, &mask_empty_filler, mask);
    return true;
}

void masks_prepare_rule(struct pe_build *build, const struct masks *m, const void *context)
{
    const struct pe_args *args = pe_build_args(build);
    struct mask *mask = pe_build_alloc(build, sizeof *mask);

    if (!mask || !context)
        goto no_memory;
    *mask = mask_of(m, context);
    if (!find_empty(build, m, mask) || !fill_compact(build, m, mask))
        goto no_memory;
    for (size_t output = MASKS_MASK; output <= MASKS_ADDITIVE; output++)
        if (pe_wants(args, output) && !fill_dense(build, m, mask, output))
            goto no_memory;
    if (pe_wants(args, MASKS_MASK) || pe_wants(args, MASKS_BITS))
        pe_build_fact_text(build, "true_means", masks_polarities[m->true_means].name);
    return;
no_memory:
    pe_build_no_memory(build);
}

void masks_prepare(struct pe_build *build, const void *values)
{
    masks_prepare_rule(build, values, values);
}
