/* SPDX-License-Identifier: Apache-2.0
 * mask_empty.c - which rows of a mask see no key. Patterns move by little from row to row, so a
 * search begins where the search of the row before ended. A rule that names a key which decides
 * a row (its witness) answers without a search, and keys that nobody sees are skipped. */
#include <stdint.h>

#include "core/args/positions.h"
#include "core/math/mask/mask_run.h"

#define ROW_NS 30         /* operations of a row that is decided at once */
#define LOOK_NS 6         /* operations of a look at a key, for a rule of a few comparisons */
enum { LOOKS = 1 << 20 }; /* keys after which the stop is read again */

/* ---- keys -------------------------------------------------------------------------------- */

/* Returns the column of the key at a position, or mask->keys if there is none. */
static uint64_t column_of(const struct mask *mask, int64_t at)
{
    for (uint64_t col = 0; col < mask->keys;) {
        const struct mask_run run = mask_run_at(mask, col);
        const int64_t steps = (at - run.first) / run.step;

        if ((at - run.first) % run.step == 0 && steps >= 0 && (uint64_t)steps < run.left)
            return col + (uint64_t)steps;
        col += run.left;
    }
    return mask->keys;
}

static uint64_t runs_of(const struct pe_positions *list)
{
    const void *bits;
    size_t bits_len;

    return list ? positions_runs(list, &bits, &bits_len) : 1;
}

bool mask_index_keys(struct pe_build *build, struct mask *mask)
{
    const uint64_t keys = mask->keys;
    uint32_t *next;

    if (!mask->keep || mask->queries == 0 || keys == 0 || keys >= UINT32_MAX)
        return true;
    next = pe_build_alloc(build, mask->keep->rows * keys * sizeof *next);
    for (uint64_t batch = 0; next && batch < mask->keep->rows; batch++)
        for (uint64_t col = keys; col-- > 0;)
            next[batch * keys + col] = mask_run_kept(mask, batch, col) ? (uint32_t)col
                                       : col + 1 < keys ? next[batch * keys + col + 1]
                                                        : (uint32_t)keys;
    mask->next = next;
    return next != NULL;
}

/* Returns the first column from col < mask->keys on that `keep` keeps, or mask->keys. */
static uint64_t next_kept(const struct mask *mask, uint64_t batch, uint64_t col)
{
    if (mask->next)
        return mask->next[batch * mask->keys + col];
    while (col < mask->keys && !mask_run_kept(mask, batch, col))
        col++;
    return col;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Returns the first column of [col, end) that the row sees, or end. */
static uint64_t search(const struct mask *mask, uint64_t row, uint64_t col, uint64_t end)
{
    const uint64_t batch = row / mask->queries;
    const int64_t query = mask_run_query(mask, row);

    while (col < end) {
        col = next_kept(mask, batch, col);
        if (col < end && mask->rule->sees(mask->context, batch, query, mask_run_key(mask, col)))
            return col;
        if (++col % LOOKS == 0 && pe_stop_is_set(mask->stop))
            break;
    }
    return end;
}

/* Returns a column of the run from `col` on that the row sees by the rule's spans, or
 * MASK_NOTHING. */
static uint64_t search_spans(const struct mask *mask, uint64_t row, uint64_t col,
                             struct mask_run run)
{
    const uint64_t batch = row / mask->queries;
    const bool descends = run.step < 0;
    struct mask_span spans[MASK_MOST_SPANS];
    const size_t count =
        mask->rule->spans(mask->context, batch, mask_run_query(mask, row), spans);

    if (descends) /* negated, the run and its spans ascend */
        run = (struct mask_run){-run.first, -run.step, run.left};
    for (size_t i = 0; i < count; i++) {
        struct mask_span span = spans[i];
        uint64_t first, end, found;

        if (descends)
            span = (struct mask_span){-span.last, -span.first};
        mask_run_cover(&run, run.left, span, &first, &end);
        if (first >= end)
            continue;
        found = next_kept(mask, batch, col + first);
        if (found < col + end)
            return found;
    }
    return MASK_NOTHING;
}

static uint64_t look_by_spans(const struct mask *mask, uint64_t row)
{
    for (uint64_t col = 0; col < mask->keys;) {
        const struct mask_run run = mask_run_at(mask, col);
        const uint64_t found = search_spans(mask, row, col, run);

        if (found != MASK_NOTHING)
            return found;
        col += run.left;
    }
    return MASK_NOTHING;
}

uint64_t mask_look(const struct mask *mask, uint64_t row, uint64_t from)
{
    const struct mask_rule *rule = mask->rule;
    uint64_t found;

    if (from >= mask->keys)
        from = 0;
    if (rule->spans)
        return look_by_spans(mask, row);
    if (rule->witness) {
        const uint64_t batch = row / mask->queries;
        const int64_t query = mask_run_query(mask, row);
        const int64_t key = rule->witness(mask->context, query);

        if (!rule->sees(mask->context, batch, query, key))
            return MASK_NOTHING;
        found = runs_of(mask->k) == 1 ? column_of(mask, key) : mask->keys;
        if (found < mask->keys && mask_run_kept(mask, batch, found))
            return found;
    }
    found = search(mask, row, from, mask->keys);
    if (found < mask->keys)
        return found;
    found = search(mask, row, 0, from);
    return found < from ? found : MASK_NOTHING;
}

bool mask_is_empty(const struct mask *mask, uint64_t row)
{
    return mask_look(mask, row, 0) == MASK_NOTHING;
}

int64_t mask_own_key(const void *context, int64_t query)
{
    return query;
}

enum mask_policy mask_policy_of(const struct mask *mask, uint64_t row, enum mask_policy policy)
{
    return policy == MASK_KEEP_SELF && column_of(mask, mask_run_query(mask, row)) == mask->keys
               ? MASK_UNMASK_ALL
               : policy;
}

/* ---- cost -------------------------------------------------------------------------------- */

/* True when the position of each query is also the position of a key that is found without a
 * search. */
static bool queries_are_keys(const struct mask *mask)
{
    struct mask_run run;
    double low = 0, high = (double)mask->queries - 1;

    if (mask->keys == 0 || runs_of(mask->k) != 1)
        return false;
    run = mask_run_at(mask, 0);
    if (mask->q)
        pe_positions_range(mask->q, &low, &high);
    return run.step == 1 && low >= (double)run.first &&
           high < (double)run.first + (double)mask->keys;
}

/* Returns the pairs of a query and a key that are looked at where `keep` decides. A search
 * looks at kept keys only. With `own`, only rows whose own key is not kept are searched: one
 * row for each such key where queries do not repeat. */
static double kept_pairs(const struct mask *mask, bool own)
{
    const struct pe_reals *keep = mask->keep;
    const bool repeat = mask->q && runs_of(mask->q) != 1;
    double pairs = 0;

    for (size_t batch = 0; batch < keep->rows; batch++) {
        double kept = 0;

        for (size_t col = 0; col < keep->cols; col++)
            kept += keep->values[batch * keep->cols + col] != 0;
        pairs += kept * (own && !repeat ? (double)keep->cols - kept : (double)mask->queries);
    }
    return pairs;
}

double mask_look_ns(const struct mask *mask, uint64_t batches)
{
    const double rows = (double)batches * (double)mask->queries;
    const bool decided = mask->rule->witness && queries_are_keys(mask);
    double pairs = decided ? 0 : rows * (double)mask->keys;

    if (mask->rule->spans)
        return ROW_NS * rows * (double)runs_of(mask->k) +
               (mask->keep ? (double)batches * (double)mask->keys : 0);
    if (mask->keep)
        pairs = kept_pairs(mask, decided && mask->rule->witness == mask_own_key);
    return 2 * ROW_NS * rows + (mask->look_ns > 0 ? mask->look_ns : LOOK_NS) * pairs;
}

/* ---- an output --------------------------------------------------------------------------- */

/* Columns are queries, rows are batches. */
static double element(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct mask *mask = state;

    return mask_is_empty(mask, row * mask->queries + col);
}

static double fill_cost(const void *state, enum pe_dtype dtype)
{
    const struct mask *mask = state;

    return mask->row_ns;
}

const struct pe_filler mask_empty_filler = {.element = element, .cost = fill_cost};
