/* SPDX-License-Identifier: Apache-2.0
 * rounding.c - fills rows in the dtype of the tensor and counts the elements that differ. */
#include "core/verify/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/fit.h"

enum { BLOCK_ROWS = 64, BLOCK_BYTES = 65536 }; /* most that is filled at once */

/* A plan of one subject in the tensor's dtype. */
struct typed {
    struct claim *claim;
    struct pe_plan *plan;
    const struct pe_tensor_info *tensor;
    const struct view *view;
    void *elements, *scratch;
    double *expected, *data;
    uint64_t block;         /* rows that `elements` has room for */
    uint64_t first, filled; /* the rows that `elements` holds */
};

static void typed_fini(struct typed *typed)
{
    pe_plan_free(typed->plan);
    free(typed->elements);
    free(typed->scratch);
    free(typed->expected);
}

static struct pe_plan *plan_of(const struct candidate *candidate, size_t subject,
                               const struct changes *changes, enum pe_dtype dtype)
{
    struct claim *claim = candidate->claim;
    const uint32_t output = UINT32_C(1) << claim->subject[subject].output;
    struct pe_args *args = claim_args(claim, claim->enc, changes, output, (int)dtype, NULL);
    struct pe_plan *plan = args ? claim_plan(claim, args) : NULL;

    pe_args_free(args);
    return plan;
}

/* Return how many rows of so many columns are filled at once, at least one. */
static uint64_t rows_of_block(uint64_t cols)
{
    const uint64_t rows = BLOCK_BYTES / ((cols ? cols : 1) * sizeof(double));

    return rows < 1 ? 1 : rows > BLOCK_ROWS ? BLOCK_ROWS : rows;
}

static bool typed_init(struct typed *typed, const struct candidate *candidate, size_t subject,
                       const struct changes *changes)
{
    const struct view *view = &candidate->view[subject];
    const uint64_t cols = view_cols(view);

    *typed = (struct typed){.claim = candidate->claim, .view = view};
    typed->plan = plan_of(candidate, subject, changes, view->precision);
    if (!typed->plan) /* truth values as numbers, or a dtype that the output has not */
        typed->plan = plan_of(candidate, subject, changes, PE_F64);
    if (!typed->plan)
        return false;
    typed->tensor = pe_plan_tensor(typed->plan, 0);
    typed->block = rows_of_block(cols);
    size_t bytes = pe_plan_scratch(typed->plan, typed->block * cols);
    typed->elements = aligned_alloc(64, (typed->block * cols * 8 + 64) / 64 * 64);
    typed->scratch = aligned_alloc(64, (bytes + 64) / 64 * 64);
    typed->expected = claim_room(typed->claim, 2 * cols + 1, sizeof(double));
    typed->claim->failed = typed->claim->failed || !typed->elements || !typed->scratch;
    typed->data = typed->expected ? typed->expected + cols : NULL;
    if (typed->elements && typed->scratch && typed->expected && typed->tensor->cols == cols &&
        typed->tensor->rows == view_rows(view))
        return true;
    return false;
}

/* Fill the rows from this one on, at most `rows`, as far as a block has room. */
static void typed_fill(struct typed *typed, uint64_t row, uint64_t rows)
{
    const struct pe_tensor_info *tensor = typed->tensor;
    const uint64_t count = rows < typed->block ? rows : typed->block;
    const struct pe_rect rect = {row, count, 0, tensor->cols};
    void *slots[PE_MAX_OUTPUTS] = {NULL};

    slots[tensor->slot] = typed->elements;
    pe_fill(typed->plan, tensor->group, &rect, slots, typed->claim->input, typed->scratch);
    typed->first = row;
    typed->filled = count;
}

/* Read a row, expected and of the tensor. `rows` from it on are wanted: they are filled with
 * it. */
static void typed_row(struct typed *typed, uint64_t row, uint64_t rows)
{
    const struct pe_tensor_info *tensor = typed->tensor;
    const enum pe_dtype dtype = typed->view->precision;
    const double lowest = pe_dtype_lowest(tensor->dtype);
    const size_t row_bytes = (size_t)tensor->cols * pe_dtype_size(tensor->dtype);

    if (row < typed->first || row - typed->first >= typed->filled)
        typed_fill(typed, row, rows);
    pe_dtype_to_f64(tensor->dtype, typed->expected,
                    (const char *)typed->elements + (row - typed->first) * row_bytes,
                    tensor->cols);
    for (uint64_t i = 0; i < tensor->cols; i++)
        if (typed->expected[i] == lowest)
            typed->expected[i] = typed->view->lowest;
    if (tensor->dtype != dtype && dtype <= PE_BF16) { /* rounded once from float64 */
        pe_dtype_from_f64(dtype, typed->data, typed->expected, tensor->cols);
        pe_dtype_to_f64(dtype, typed->expected, typed->data, tensor->cols);
    }
    view_row(typed->view, row, typed->data);
}

/* Return the distance of two numbers of a dtype in steps of its numbers near the first. */
static double steps_between(enum pe_dtype dtype, double a, double b)
{
    static const int digits[] = {[PE_F64] = 53, [PE_F32] = 24, [PE_F16] = 11, [PE_BF16] = 8};
    static const int least[] =
        {[PE_F64] = -1074, [PE_F32] = -149, [PE_F16] = -24, [PE_BF16] = -133};
    int exponent;

    if (dtype > PE_BF16)
        return fabs(a - b);
    if (!isfinite(a) || !isfinite(b))
        return INFINITY;
    frexp(a, &exponent);
    exponent -= digits[dtype];
    return fabs(a - b) / ldexp(1, a == 0 || exponent < least[dtype] ? least[dtype] : exponent);
}

static void count_row(struct rounding *rounding, const struct typed *typed, uint64_t row)
{
    double largest = 0;

    for (uint64_t i = 0; i < typed->tensor->cols; i++)
        largest = fmax(largest, fabs(typed->expected[i]));
    for (uint64_t i = 0; i < typed->tensor->cols; i++) {
        if (typed->expected[i] == typed->data[i])
            continue;
        double steps =
            steps_between(typed->view->precision, typed->expected[i], typed->data[i]);

        if (rounding->differs++ == 0) {
            rounding->first_row = row;
            rounding->first_col = i;
        }
        double apart = fabs(typed->expected[i] - typed->data[i]);
        double of_row = steps_between(typed->view->precision, largest, largest + apart);

        if (!(of_row <= rounding->row_ulp))
            rounding->row_ulp = isnan(of_row) ? INFINITY : of_row;
        if (!(steps <= rounding->max_ulp))
            rounding->max_ulp = isnan(steps) ? INFINITY : steps;
    }
    rounding->of += typed->tensor->cols;
}

/* Return false when stopped. */
static bool compare_subject(struct rounding *rounding, struct typed *typed, size_t subject,
                            bool sample, rounding_look *look, void *context)
{
    const struct pe_stop *stop = typed->claim->limits->stop;
    const uint64_t rows = view_rows(typed->view);
    const uint64_t count = sample ? fit_sample_count(rows) : rows;

    for (uint64_t i = 0; i < count; i++) {
        uint64_t row = sample ? fit_sample_row(rows, (size_t)i) : i;

        typed_row(typed, row, sample ? 1 : rows - row);
        count_row(rounding, typed, row);
        if (look)
            look(context, subject, row, typed->expected, typed->data, typed->tensor->cols);
        if (i % 64 == 0 && pe_stop_is_set(stop))
            return false;
    }
    return true;
}

bool rounding_compare(struct rounding *rounding, const struct candidate *candidate,
                      const struct changes *profile, bool sample, rounding_look *look,
                      void *context)
{
    struct changes changes = candidate->changes;
    bool ok = true;

    for (size_t i = 0; profile && i < profile->count && changes.count < PE_VERIFY_CHANGES; i++)
        changes.at[changes.count++] = profile->at[i];
    for (size_t i = 0; ok && i < candidate->claim->subject_count; i++) {
        struct typed typed;

        rounding[i] = (struct rounding){.differs = 0};
        ok = typed_init(&typed, candidate, i, &changes) &&
             compare_subject(&rounding[i], &typed, i, sample, look, context);
        typed_fini(&typed);
    }
    return ok;
}
