/* SPDX-License-Identifier: Apache-2.0
 * rounding.c - fills rows in the dtype of the tensor and counts the elements that differ. */
#include "core/verify/rounding.h"

#include <assert.h>
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
    struct row_buffer memory, expected, data;
    uint64_t block;         /* rows that `elements` holds at most */
    size_t bytes;           /* of `elements` */
    uint64_t first, filled; /* the rows that `elements` holds */
};

static void typed_fini(struct typed *typed)
{
    pe_plan_free(typed->plan);
    free(typed->elements);
    free(typed->scratch);
    free(typed->memory.at);
}

static struct pe_plan *plan_of(struct claim *claim, const struct changes *changes,
                               uint32_t outputs, int dtype)
{
    const struct planned planned = claim_planned(claim, claim->enc, changes, outputs, dtype);

    pe_args_free(planned.args);
    return planned.plan;
}

/* Returns a plan that has the subject, if it can be in the dtype. float64 is for truth
 * values as numbers, and a dtype that the output has not; all outputs are for one whose
 * sizes another's tensor tells. */
static struct pe_plan *plan_subject(struct claim *claim, const struct subject *subject,
                                    const struct changes *changes, enum pe_dtype dtype)
{
    const uint32_t own = UINT32_C(1) << subject->output;
    const struct {
        uint32_t outputs;
        int dtype;
    } tries[] = {{own, (int)dtype},
                 {own, PE_F64},
                 {claim->outputs, PE_F64},
                 {claim->outputs, CLAIM_NATURAL}};
    struct pe_plan *plan = NULL;

    for (size_t i = 0; !plan && i < sizeof tries / sizeof *tries; i++)
        plan = plan_of(claim, changes, tries[i].outputs, tries[i].dtype);
    return plan;
}

static const struct pe_tensor_info *tensor_of(const struct pe_plan *plan,
                                              const struct pe_output *output)
{
    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++)
        if (pe_plan_tensor(plan, i)->output == output)
            return pe_plan_tensor(plan, i);
    return NULL;
}

/* Returns how many rows of so many columns are filled at once, at least one. */
static uint64_t rows_of_block(uint64_t cols)
{
    const uint64_t rows = BLOCK_BYTES / ((cols ? cols : 1) * sizeof(double));

    return rows < 1 ? 1 : rows > BLOCK_ROWS ? BLOCK_ROWS : rows;
}

static bool typed_init(struct typed *typed, const struct candidate *candidate, size_t subject,
                       const struct changes *changes)
{
    struct claim *claim = candidate->claim;
    const struct subject *judged = &claim->subject[subject];
    const struct view *view = &candidate->view[subject];
    const uint64_t cols = view_cols(view);

    *typed = (struct typed){.claim = claim, .view = view};
    typed->plan = plan_subject(claim, judged, changes, view->precision);
    if (!typed->plan)
        return false;
    typed->tensor = tensor_of(typed->plan, &claim->enc->outputs[judged->output]);
    assert(typed->tensor);
    typed->block = rows_of_block(cols);
    size_t bytes = pe_plan_scratch(typed->plan, typed->block * cols);
    if (typed->tensor->cols != cols || typed->tensor->rows != view_rows(view))
        return false;
    typed->bytes = (typed->block * cols * 8 + 64) / 64 * 64;
    typed->elements = aligned_alloc(64, typed->bytes);
    typed->scratch = aligned_alloc(64, (bytes + 64) / 64 * 64);
    typed->memory = row_buffer_new(2 * cols, &typed->claim->failed);
    typed->claim->failed = typed->claim->failed || !typed->elements || !typed->scratch;
    if (!typed->elements || !typed->scratch || !typed->memory.at)
        return false;
    typed->expected = row_buffer_part(typed->memory, 0, cols);
    typed->data = row_buffer_part(typed->memory, cols, cols);
    return true;
}

/* Fills the rows from this one on, at most `rows`, as far as they fit into a block. */
static void typed_fill(struct typed *typed, uint64_t row, uint64_t rows)
{
    const struct pe_tensor_info *tensor = typed->tensor;
    const uint64_t count = rows < typed->block ? rows : typed->block;
    const struct pe_rect rect = {row, count, 0, tensor->cols};
    void *slots[PE_MAX_OUTPUTS] = {NULL};

    assert(count * tensor->cols * pe_dtype_size(tensor->dtype) <= typed->bytes);
    slots[tensor->slot] = typed->elements;
    pe_fill(typed->plan, tensor->group, &rect, slots, typed->claim->input, typed->scratch);
    typed->first = row;
    typed->filled = count;
}

/* Reads a row, expected and of the tensor. `rows` from it on are wanted: they are filled with
 * it. */
static void typed_row(struct typed *typed, uint64_t row, uint64_t rows)
{
    const struct pe_tensor_info *tensor = typed->tensor;
    const enum pe_dtype dtype = typed->view->precision;
    const double lowest = pe_dtype_lowest(tensor->dtype);
    const size_t row_bytes = (size_t)tensor->cols * pe_dtype_size(tensor->dtype);
    double *expected = typed->expected.at;

    assert(tensor->cols <= typed->expected.capacity && tensor->cols <= typed->data.capacity);
    if (row < typed->first || row - typed->first >= typed->filled)
        typed_fill(typed, row, rows);
    pe_dtype_to_f64(tensor->dtype, expected,
                    (const char *)typed->elements + (row - typed->first) * row_bytes,
                    tensor->cols);
    for (uint64_t i = 0; i < tensor->cols; i++)
        if (expected[i] == lowest)
            expected[i] = typed->view->lowest;
    if (tensor->dtype != dtype && dtype <= PE_BF16) { /* rounded once from float64 */
        pe_dtype_from_f64(dtype, typed->data.at, expected, tensor->cols);
        pe_dtype_to_f64(dtype, expected, typed->data.at, tensor->cols);
    }
    view_row(typed->view, row, typed->data);
}

/* Returns the distance of two numbers of a dtype in steps of its numbers near the first. */
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
    const double *expected = typed->expected.at, *data = typed->data.at;
    double largest = 0;

    for (uint64_t i = 0; i < typed->tensor->cols; i++)
        largest = fmax(largest, fabs(expected[i]));
    for (uint64_t i = 0; i < typed->tensor->cols; i++) {
        if (expected[i] == data[i])
            continue;
        double steps = steps_between(typed->view->precision, expected[i], data[i]);

        if (rounding->differs++ == 0) {
            rounding->first_row = row;
            rounding->first_col = i;
        }
        double apart = fabs(expected[i] - data[i]);
        double of_row = steps_between(typed->view->precision, largest, largest + apart);

        if (!(of_row <= rounding->row_ulp))
            rounding->row_ulp = isnan(of_row) ? INFINITY : of_row;
        if (!(steps <= rounding->max_ulp))
            rounding->max_ulp = isnan(steps) ? INFINITY : steps;
    }
    rounding->of += typed->tensor->cols;
}

/* Returns false when stopped. */
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
            look(context, subject, row, typed->expected.at, typed->data.at,
                 typed->tensor->cols);
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
