/* SPDX-License-Identifier: Apache-2.0
 * solve_heads.c - see solve_heads.h. */
#include "core/verify/solve/solve_heads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/expected.h"

enum { HEADS_MOST = 256, ELEMENTS_MOST = 1 << 22 };

/* Rows of the first subject that a head has: `outer` times, runs of `inner` rows. */
struct heads {
    size_t axis;
    uint64_t count, outer, inner, cols;
    struct row_buffer memory, expected, bound, data;
};

static const struct row_words words = {"head", "head"};

/* Finds the axis of heads, before the last. */
static bool heads_init(struct heads *heads, const struct candidate *base)
{
    const char *const *axes = base->tensor[0]->output->axes;
    const struct view *view = &base->view[0];

    *heads = (struct heads){.outer = 1, .inner = 1, .cols = view_cols(view)};
    if (base->claim->subject_count != 1 || base->enc != base->claim->enc || base->rows ||
        base->map != MAP_NONE || base->columns || base->grid_width > 0)
        return false;
    while (heads->axis + 1 < view->rank && axes[heads->axis] &&
           strcmp(axes[heads->axis], "heads") != 0)
        heads->outer *= view->dims[heads->axis++];
    if (heads->axis + 1 >= view->rank || !axes[heads->axis])
        return false;
    heads->count = view->dims[heads->axis];
    for (size_t i = heads->axis + 1; i + 1 < view->rank; i++)
        heads->inner *= view->dims[i];
    if (heads->count < 2 || heads->count > HEADS_MOST ||
        heads->count * heads->outer * heads->inner * heads->cols > ELEMENTS_MOST)
        return false;
    heads->memory = row_buffer_new(3 * base->widest, &base->claim->failed);
    if (!heads->memory.at)
        return false;
    heads->expected = row_buffer_part(heads->memory, 0, base->widest);
    heads->bound = row_buffer_part(heads->memory, base->widest, base->widest);
    heads->data = row_buffer_part(heads->memory, 2 * base->widest, base->widest);
    return true;
}

static uint64_t row_of(const struct heads *heads, uint64_t head, uint64_t number)
{
    return (number / heads->inner * heads->count + head) * heads->inner + number % heads->inner;
}

/* Returns whether the numbers of a head are those of a head of the claim. The last rows are the
 * farthest apart. */
static bool is_head(struct heads *heads, const struct candidate *base, uint64_t head,
                    uint64_t other)
{
    for (uint64_t i = heads->outer * heads->inner; i-- > 0;) {
        expected_row(base, 0, row_of(heads, other, i), heads->expected, heads->bound);
        view_row(&base->view[0], row_of(heads, head, i), heads->data);
        for (uint64_t col = 0; col < heads->cols; col++) {
            const double expected = heads->expected.at[col], data = heads->data.at[col];

            if (expected != data && !(fabs(expected - data) <= heads->bound.at[col]))
                return false;
        }
    }
    return true;
}

bool solve_heads(struct row_list *list, size_t *axis, const struct candidate *base)
{
    struct heads heads;

    if (!heads_init(&heads, base))
        return false;
    bool read = row_list_init(list, heads.count);
    base->claim->failed = base->claim->failed || !read;
    for (uint64_t i = 0; read && i < heads.count; i++) {
        uint64_t step = 0;

        while (step < heads.count && !is_head(&heads, base, i, (i + step) % heads.count))
            step++;
        list->claimed[i] = (double)i;
        list->found[i] = (double)((i + step) % heads.count);
        if (step == heads.count) {
            row_list_fini(list);
            read = false;
        }
    }
    if (read)
        list->words = &words;
    *axis = heads.axis;
    free(heads.memory.at);
    return read;
}

/* ---- slopes ---------------------------------------------------------------------------- */

/* Returns the number of the output of slopes; SIZE_MAX: the encoding has none. */
static size_t slopes_output(const struct candidate *base)
{
    const size_t output = args_find_output(base->enc, "slopes");

    return base->enc == base->claim->enc && args_find(base->enc, "heads", 5) != SIZE_MAX &&
                   args_find(base->enc, "slopes", 6) != SIZE_MAX
               ? output
               : SIZE_MAX;
}

bool solve_heads_rule(const struct candidate *base, uint64_t heads, double *slopes)
{
    static const char *const names[] = {"heads", "partial_heads"}; /* which is all of them */
    const size_t output = slopes_output(base);
    struct changes changes = {.count = 0};
    bool filled = false;

    if (output == SIZE_MAX)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t param = args_find(base->enc, names[i], strlen(names[i]));
        struct change *change = &changes.at[changes.count];

        if (param == SIZE_MAX || !base->claim->text[param])
            continue;
        change->param = &base->enc->params[param];
        snprintf(change->text, CHANGE_TEXT, "%llu", (unsigned long long)heads);
        changes.count++;
    }
    /* The claim's own outputs too, without which its lengths would have no effect. */
    const struct planned planned = claim_planned(
        base->claim, base->enc, &changes, base->claim->outputs | UINT32_C(1) << output, PE_F64);
    for (size_t i = 0; planned.plan && i < pe_plan_tensor_count(planned.plan); i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(planned.plan, i);

        if (tensor->output != &base->enc->outputs[output] || tensor->cols != heads)
            continue;
        filled =
            angles_fill(planned.plan, tensor, 0, 1, NULL, (struct row_buffer){slopes, heads});
        base->claim->failed = base->claim->failed || !filled;
    }
    pe_plan_free(planned.plan);
    pe_args_free(planned.args);
    return filled;
}

/* Returns what the largest number of a head is divided by the claim's; NAN where that is 0. */
static double ratio_of(struct heads *heads, const struct candidate *base, uint64_t head)
{
    double most = 0, ratio = NAN;

    for (uint64_t i = 0; i < heads->outer * heads->inner; i++) {
        expected_row(base, 0, row_of(heads, head, i), heads->expected,
                     (struct row_buffer){.at = NULL});
        view_row(&base->view[0], row_of(heads, head, i), heads->data);
        for (uint64_t col = 0; col < heads->cols; col++) {
            const double expected = heads->expected.at[col];

            if (!isfinite(expected) || fabs(expected) <= most || fabs(expected) > 1e30)
                continue;
            most = fabs(expected);
            ratio = heads->data.at[col] / expected;
        }
    }
    return ratio;
}

/* Reads slopes of biases: the claim's times a ratio. */
static bool read_ratios(struct row_list *list, const struct candidate *base)
{
    struct heads heads;

    if (!heads_init(&heads, base))
        return false;
    bool read = heads.count == list->count;
    for (uint64_t i = 0; read && i < list->count; i++) {
        list->found[i] = list->claimed[i] * ratio_of(&heads, base, i);
        read = isfinite(list->found[i]);
    }
    free(heads.memory.at);
    return read;
}

bool solve_heads_slopes(struct row_list *list, const struct candidate *base)
{
    const struct view *view = &base->view[0];
    double heads = 0;

    if (base->claim->subject_count != 1 || slopes_output(base) == SIZE_MAX ||
        !claim_number(base->claim, args_find(base->enc, "heads", 5), &heads) || heads < 2 ||
        heads > HEADS_MOST)
        return false;
    if (!row_list_init(list, (uint64_t)heads)) {
        base->claim->failed = true;
        return false;
    }
    const bool alone = strcmp(base->tensor[0]->output->name, "slopes") == 0;
    const struct row_buffer found = {list->found, (size_t)heads};
    bool read = solve_heads_rule(base, (uint64_t)heads, list->claimed);

    if (read && alone && view_cols(view) == list->count)
        view_row(view, 0, found);
    else if (read)
        read = !alone && read_ratios(list, base);
    if (!read)
        row_list_fini(list);
    return read;
}
