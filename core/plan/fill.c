/* SPDX-License-Identifier: Apache-2.0
 * fill.c - fills a rectangle of a plan: by the typed fill of a math topic where there is one,
 * else by the reference kernel, whose doubles are rounded once, a bounded block at a time. */
#include <assert.h>
#include <string.h>

#include "core/plan/plan.h"

/* BLOCK: doubles of one output in scratch at a time */
enum { BLOCK = PE_FILL_BLOCK, ALIGN = 64 };

/* The beginning of the scratch. The scratch of the filler follows, at an address that does not
 * depend on the rectangle, and then doubles for the reference kernel. */
struct memory {
    size_t owner; /* 1 + the group that the filler's scratch remembers; 0: none */
};

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static size_t filler_scratch(const struct plan_group *group, uint64_t elements)
{
    return group->filler->scratch ? aligned(group->filler->scratch(group->state, elements)) : 0;
}

/* Returns the doubles of scratch for one output, rounded up so that the next one is aligned. */
static size_t block_of(uint64_t elements)
{
    return elements < BLOCK ? aligned((size_t)elements * sizeof(double)) / sizeof(double)
                            : BLOCK;
}

static char *filler_place(void *scratch)
{
    return (char *)scratch + aligned(sizeof(struct memory));
}

size_t pe_plan_scratch(const struct pe_plan *plan, uint64_t elements)
{
    size_t most = 0;

    for (size_t i = 0; i < plan->group_count; i++) {
        const struct plan_group *group = &plan->groups[i];
        size_t bytes = filler_scratch(group, elements) +
                       group->slots * block_of(elements) * sizeof(double);

        most = bytes > most ? bytes : most;
    }
    return aligned(sizeof(struct memory)) + most;
}

void pe_fill_doubles(const struct pe_filler *filler, const void *state,
                     const struct pe_rect *rect, double *const out[], const void *const input[],
                     void *scratch)
{
    double *at = out[0];

    if (filler->reference) {
        filler->reference(state, rect, out, input, scratch);
        return;
    }
    for (uint64_t row = rect->row; at && row < rect->row + rect->rows; row++)
        for (uint64_t col = rect->col; col < rect->col + rect->cols; col++)
            *at++ = filler->element(state, row, col, input);
}

/* Fills a block of at most `stride` elements through doubles. Its elements begin at element
 * `at` of the rectangle of the caller. */
static void fill_block(const struct plan_group *group, const struct pe_rect *block, uint64_t at,
                       void *const out[], const void *const input[], double *doubles,
                       size_t stride, void *scratch)
{
    size_t size = pe_dtype_size(group->dtype);
    size_t count = (size_t)(block->rows * block->cols);
    double *wanted[PE_MAX_OUTPUTS];

    for (size_t slot = 0; slot < group->slots; slot++)
        wanted[slot] = out[slot] ? doubles + slot * stride : NULL;
    pe_fill_doubles(group->filler, group->state, block, wanted, input, scratch);
    for (size_t slot = 0; slot < group->slots; slot++)
        if (out[slot])
            pe_dtype_from_f64(group->dtype, (char *)out[slot] + at * size, wanted[slot], count);
}

/* Fills by the reference kernel. */
static void fill_blocks(const struct plan_group *group, const struct pe_rect *rect,
                        void *const out[], const void *const input[], void *scratch)
{
    const size_t stride =
        block_of(rect->cols < BLOCK && rect->rows < BLOCK ? rect->rows * rect->cols : BLOCK);
    char *rest = filler_place(scratch);
    double *doubles = (double *)(void *)(rest + filler_scratch(group, rect->rows * rect->cols));
    uint64_t cols, rows;

    cols = rect->cols < BLOCK ? rect->cols : BLOCK;
    rows = BLOCK / cols;
    if (cols < rect->cols)
        rows = 1; /* a row is longer than a block: blocks are parts of one row */
    for (uint64_t row = 0; row < rect->rows; row += rows) {
        for (uint64_t col = 0; col < rect->cols; col += cols) {
            struct pe_rect block = {rect->row + row, rect->rows - row, rect->col + col,
                                    rect->cols - col};

            block.rows = block.rows < rows ? block.rows : rows;
            block.cols = block.cols < cols ? block.cols : cols;
            fill_block(group, &block, row * rect->cols + col, out, input, doubles, stride,
                       rest);
        }
    }
}

/* Have the filler write the dtype itself; return false if it leaves that to its reference
 * kernel. */
static bool fill_typed(const struct plan_group *group, const struct pe_rect *rect,
                       void *const out[], const void *const input[], void *scratch)
{
    const struct pe_filler *filler = group->filler;

    if (filler->typed && filler->typed(group->state, rect, group->dtype, out, scratch))
        return true;
    return filler->vectors &&
           filler->vectors(group->state, rect, group->dtype, out, input, scratch);
}

void pe_scratch_begin(void *scratch)
{
    ((struct memory *)scratch)->owner = 0;
}

void pe_fill_next(const struct pe_plan *plan, size_t group_number, const struct pe_rect *rect,
                  void *const out[], const void *const input[], void *scratch)
{
    const struct plan_group *group = &plan->groups[group_number];
    struct memory *memory = scratch;

    assert(group_number < plan->group_count);
    assert(rect->row + rect->rows <= group->rows && rect->col + rect->cols <= group->cols);
    if (rect->rows == 0 || rect->cols == 0)
        return;
    if (group->filler->remembers && memory->owner != group_number + 1)
        memset(filler_place(scratch), 0, PE_SCRATCH_MEMORY);
    memory->owner = group_number + 1;
    if (fill_typed(group, rect, out, input, filler_place(scratch)))
        return;
    memory->owner = 0; /* the doubles overwrite what the scratch remembers */
    fill_blocks(group, rect, out, input, scratch);
}

void pe_fill(const struct pe_plan *plan, size_t group, const struct pe_rect *rect,
             void *const out[], const void *const input[], void *scratch)
{
    pe_scratch_begin(scratch);
    pe_fill_next(plan, group, rect, out, input, scratch);
}
