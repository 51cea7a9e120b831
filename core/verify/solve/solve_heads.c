/* SPDX-License-Identifier: Apache-2.0
 * solve_heads.c - see solve_heads.h. */
#include "core/verify/solve/solve_heads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/bound.h"
#include "core/verify/cost.h"
#include "core/verify/estimate.h"
#include "core/verify/expected.h"

/* Numbers are not equal that are farther apart than a bound and so much of the number. */
#define APART_SHARE 0.1

enum { HEADS_MOST = 256, ROWS_MOST = 48, PROBED = 4 };
static const double operations_most = 2e8; /* about 0.2 s */

/* Rows of the first subject that a head has: `outer` times, runs of `inner` rows. */
struct heads {
    size_t axis;
    uint64_t count, outer, inner, cols;
    uint64_t sample; /* rows of a head that are read */
    double begun;    /* operations of the claim before */
    struct row_buffer memory, expected, bound, data;
};

static const struct row_words words = {"head", "head", "none of the claim's"};

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
    if (heads->count < 2 || heads->count > HEADS_MOST || heads->outer * heads->inner == 0)
        return false;
    heads->sample =
        heads->outer * heads->inner < ROWS_MOST ? heads->outer * heads->inner : ROWS_MOST;
    heads->begun = base->claim->operations;
    heads->memory = row_buffer_new(3 * base->widest, &base->claim->failed);
    if (!heads->memory.at)
        return false;
    heads->expected = row_buffer_part(heads->memory, 0, base->widest);
    heads->bound = row_buffer_part(heads->memory, base->widest, base->widest);
    heads->data = row_buffer_part(heads->memory, 2 * base->widest, base->widest);
    return true;
}

/* Returns whether the work is more than heads are worth, or the caller wants it to end. */
static bool is_spent(const struct heads *heads, const struct candidate *base)
{
    return base->claim->operations - heads->begun > operations_most ||
           pe_stop_is_set(base->claim->limits->stop);
}

/* Returns the row of a head that is number `i` of its sample, which has the first and the last
 * one. */
static uint64_t row_of(const struct heads *heads, uint64_t head, uint64_t i)
{
    const uint64_t all = heads->outer * heads->inner;
    const uint64_t number = heads->sample > 1 ? i * (all - 1) / (heads->sample - 1) : all - 1;

    return (number / heads->inner * heads->count + head) * heads->inner + number % heads->inner;
}

/* Returns false where a few numbers of the last row, which is the farthest from the first, are
 * so far apart that it is not that of a head. */
static bool may_be_head(struct heads *heads, const struct candidate *base, uint64_t head,
                        uint64_t other)
{
    const uint64_t cols = heads->cols < PROBED ? heads->cols : PROBED;
    const uint64_t row = row_of(heads, other, heads->sample - 1);

    if (base->warped || !isfinite(base->claim->bound[0]))
        return true;
    base->claim->operations += cost_of_row(base, 0) * (double)cols / (double)heads->cols;
    candidate_fill_part(base, 0, row, 0, cols, heads->expected);
    for (uint64_t col = 0; col < cols; col++) {
        const double expected = heads->expected.at[col];
        const double data =
            view_element(&base->view[0], row_of(heads, head, heads->sample - 1), col);

        if (expected != data &&
            !(fabs(expected - data) <= base->claim->bound[0] + APART_SHARE * fabs(expected)))
            return false;
    }
    return true;
}

/* Returns whether the numbers of a head are those of a head of the claim. */
static bool is_head(struct heads *heads, const struct candidate *base, uint64_t head,
                    uint64_t other)
{
    if (!may_be_head(heads, base, head, other))
        return false;
    for (uint64_t i = heads->sample; i-- > 0;) {
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
    const bool listed = row_list_init(list, heads.count);
    base->claim->failed = base->claim->failed || !listed;
    for (uint64_t i = 0; listed && i < heads.count && !is_spent(&heads, base); i++) {
        uint64_t step = 0;

        while (step < heads.count && !is_head(&heads, base, i, (i + step) % heads.count))
            step++;
        list->claimed[i] = (double)i;
        list->found[i] = (double)((i + step) % heads.count);
        list->kind[i] = step == heads.count ? ROW_OTHER : ROW_MADE;
    }
    const bool read =
        listed && !is_spent(&heads, base) && 2 * row_list_count(list, ROW_OTHER) <= heads.count;
    if (listed && !read)
        row_list_fini(list);
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

/* Returns the roundest number between two, which are no limits where the first is larger. */
static double roundest(double low, double high)
{
    for (int digits = 1; low < high && digits < 17; digits++) {
        const double round = estimate_round((low + high) / 2, digits);

        if (round >= low && round <= high)
            return round;
    }
    return (low + high) / 2;
}

/* Returns the slope by which the numbers of a head are made, each of which may be half a step
 * of its dtype off: that of the claim, which is `slope`, if it is one, or that of the largest
 * number; NAN where all are 0. */
static double read_slope(struct heads *heads, const struct candidate *base, uint64_t head,
                         double slope)
{
    double most = 0, found = NAN, low = -INFINITY, high = INFINITY;

    for (uint64_t i = 0; i < heads->sample; i++) {
        expected_row(base, 0, row_of(heads, head, i), heads->expected,
                     (struct row_buffer){.at = NULL});
        view_row(&base->view[0], row_of(heads, head, i), heads->data);
        for (uint64_t col = 0; col < heads->cols; col++) {
            const double expected = heads->expected.at[col] / slope, data = heads->data.at[col];
            const double off = bound_step(base->view[0].precision, data) / fabs(expected);

            if (!isfinite(expected) || expected == 0 || fabs(heads->expected.at[col]) > 1e30)
                continue;
            low = fmax(low, data / expected - off);
            high = fmin(high, data / expected + off);
            if (fabs(expected) <= most)
                continue;
            most = fabs(expected);
            found = data / expected;
        }
    }
    if (slope >= low && slope <= high)
        return slope;
    return (found >= low && found <= high) || low > high || isnan(found) ? found
                                                                         : roundest(low, high);
}

/* Reads slopes of biases: the claim's times a ratio. */
static bool read_ratios(struct row_list *list, const struct candidate *base)
{
    struct heads heads;

    if (!heads_init(&heads, base))
        return false;
    bool read = heads.count == list->count;
    for (uint64_t i = 0; read && i < list->count; i++) {
        list->found[i] = read_slope(&heads, base, i, list->claimed[i]);
        read = isfinite(list->found[i]) && !is_spent(&heads, base);
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

    if (read && alone && view_cols(view) == list->count) {
        view_row(view, 0, found);
        for (uint64_t i = 0; i < list->count; i++) /* the claim's, rounded once */
            if (fabs(list->found[i] - list->claimed[i]) <=
                bound_step(view->precision, list->claimed[i]))
                list->found[i] = list->claimed[i];
    } else if (read)
        read = !alone && read_ratios(list, base);
    if (!read)
        row_list_fini(list);
    return read;
}
