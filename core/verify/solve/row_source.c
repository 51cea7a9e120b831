/* SPDX-License-Identifier: Apache-2.0
 * row_source.c - makes a row of any position, and compares it with a row of the tensors. */
#include "core/verify/solve/row_source.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/bound.h"
#include "core/verify/cost.h"
#include "core/verify/decode.h"
#include "core/verify/expected.h"

enum { KNOWN_MOST = 1 << 13, BEYOND = 64, PROBED = 8 };
/* Numbers are not equal that are farther apart than so many bounds of the claim and so much of
 * the number itself. */
#define APART_BOUNDS 4.0
#define APART_SHARE 0.1
#define OF_PAIR 80.0 /* operations to read the angle of a pair */
#define OF_ROW 200.0 /* and to hold a row against another, besides its columns */

static bool is_spared(const struct candidate *base, size_t subject)
{
    return base->spared >> subject & 1;
}

/* ---- rows of angles -------------------------------------------------------------------- */

static bool init_waves(struct row_source *source)
{
    const struct candidate *base = source->base;

    for (size_t i = 0; i < base->claim->subject_count; i++) {
        const struct wave *wave = &base->wave[i];

        if (wave->kind != WAVE_COLUMNS && wave->kind != WAVE_TURN)
            return false;
        if (base->view[i].rank < 2)
            return false;
        const struct view *rows = wave->kind == WAVE_TURN ? &wave->vectors : &base->view[i];
        source->axis[i] = wave->kind == WAVE_TURN ? wave->seq_axis : rows->rank - 2;
        if (rows->dims[source->axis[i]] != base->angles->rows)
            return false;
    }
    source->places = base->angles->rows;
    source->made = candidate_copy(base);
    if (!source->made)
        return false;
    struct angles *angles = source->made->angles;
    double *listed = claim_memory(base->claim, angles->rows + 1, sizeof *listed);

    for (uint64_t i = 0; listed && i < angles->rows; i++)
        listed[i] = angles_position(base->angles, i);
    free(angles->listed);
    angles->listed = listed;
    angles->scale = 1;
    angles->offset = 0;
    angles->reversed = false;
    angles->position_rounding = ANGLES_REAL;
    source->made->warped = true;
    if (listed && observe_init(&source->seen, base))
        return true;
    source->seen = (struct observed){.pairs = 0};
    return false;
}

/* ---- rows of the encoding -------------------------------------------------------------- */

/* Finds the axis of the first subject that has a position each: pos, or q of biases. */
static const struct pe_param *find_axis(struct row_source *source)
{
    static const char *const names[] = {"pos", "q"};
    const struct candidate *base = source->base;
    const char *const *axes = base->tensor[0]->output->axes;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct pe_positions *pos = candidate_positions(base, names[i]);

        for (size_t axis = 0; pos && axis + 1 < base->view[0].rank && axes[axis]; axis++) {
            const bool named = strcmp(axes[axis], names[i]) == 0 ||
                               (strcmp(axes[axis], "...") == 0 && base->view[0].rank == 2);

            if (!named || base->view[0].dims[axis] != pe_positions_count(pos))
                continue;
            source->axis[0] = axis;
            source->places = pe_positions_count(pos);
            return &base->enc->params[args_find(base->enc, names[i], strlen(names[i]))];
        }
    }
    return NULL;
}

/* Makes the claim with positions from `low` up to `high`. */
static bool make_rows(struct row_source *source, double low, double high)
{
    const struct candidate *base = source->base;
    struct changes changes = base->changes;

    if (!(high - low <= KNOWN_MOST) || changes.count == PE_VERIFY_CHANGES)
        return false;
    struct change *change = &changes.at[changes.count++];
    change->param = source->param;
    snprintf(change->text, sizeof change->text, "%.17g:%.17g", low, high);
    source->made = candidate_new(base->claim, &changes, NULL);
    const struct pe_tensor_info *tensor = source->made ? source->made->tensor[0] : NULL;
    bool same = tensor && tensor->rank == base->view[0].rank && base->view[0].rank > 0;
    for (size_t i = 0; same && i < tensor->rank; i++)
        same = i == source->axis[0] ? (double)tensor->dims[i] == high - low
                                    : tensor->dims[i] == base->view[0].dims[i];
    if (same) {
        source->first = low;
        source->known = (uint64_t)(high - low);
        return true;
    }
    candidate_free(source->made);
    source->made = NULL;
    return false;
}

/* Returns the number of rows of the table that the claim looks up; 0 if it has none. */
static double table_rows(const struct candidate *base)
{
    size_t number = 0;

    for (size_t i = 0; i < base->enc->param_count; i++) {
        const struct pe_param *param = &base->enc->params[i];

        if (param->type != PE_TENSOR)
            continue;
        if (param->table && base->claim->input_view[number])
            return (double)base->claim->input_view[number]->dims[0];
        number++;
    }
    return 0;
}

static bool init_rows(struct row_source *source)
{
    const struct candidate *base = source->base;
    double low = INFINITY, high = -INFINITY;

    source->param = base->claim->subject_count == 1 && base->enc == base->claim->enc &&
                            base->wave[0].kind == WAVE_NONE && base->map == MAP_NONE &&
                            !base->columns && !base->rows && base->grid_width == 0 &&
                            base->tensor[0]->output->natural <= PE_BF16
                        ? find_axis(source)
                        : NULL;
    for (size_t i = 0; source->param && i < base->changes.count; i++)
        if (base->changes.at[i].param == source->param)
            return false;
    if (!source->param || source->places < 2)
        return false;
    for (uint64_t i = 0; i < source->places; i++) {
        low = fmin(low, row_source_claimed(source, i));
        high = fmax(high, row_source_claimed(source, i) + 1);
    }
    const double beyond = fmin(BEYOND, (double)source->places), table = table_rows(base);
    if (low != floor(low) || high != floor(high))
        return false;
    return (table > 0 && make_rows(source, fmin(low, 0), table)) ||
           make_rows(source, low - beyond, high + beyond) ||
           make_rows(source, fmin(low, 0), high + beyond) ||
           make_rows(source, fmin(low, 0), high);
}

/* ---- both ------------------------------------------------------------------------------ */

bool row_source_init(struct row_source *source, const struct candidate *base)
{
    *source = (struct row_source){.base = base};
    const bool ready = observe_applies(base) ? init_waves(source) : init_rows(source);
    const size_t widest = source->made && source->made->widest > base->widest
                              ? source->made->widest
                              : base->widest;

    if (ready)
        source->memory = row_buffer_new(3 * widest, &base->claim->failed);
    if (!source->memory.at) {
        row_source_fini(source);
        return false;
    }
    source->expected = row_buffer_part(source->memory, 0, widest);
    source->bound = row_buffer_part(source->memory, widest, widest);
    source->data = row_buffer_part(source->memory, 2 * widest, widest);
    return true;
}

void row_source_fini(struct row_source *source)
{
    candidate_free(source->made);
    free(source->memory.at);
    observe_fini(&source->seen);
    *source = (struct row_source){.base = source->base};
}

void row_source_look(struct row_source *source, uint64_t place)
{
    source->base->claim->operations += OF_PAIR * (double)source->seen.pairs;
    observe(&source->seen, source->base, place);
}

double row_source_near(struct row_source *source, double near)
{
    return decode_observed(&source->seen, source->base, near);
}

double row_source_claimed(const struct row_source *source, uint64_t place)
{
    if (!source->param)
        return angles_position(source->base->angles, place);
    return pe_positions_at(candidate_positions(source->base, source->param->name), place);
}

/* How the rows of a place lie: `outer` times, runs of `inner` rows. */
struct lying {
    uint64_t outer, length, inner;
};

static struct lying lying_of(const struct row_source *source, size_t subject)
{
    const struct view *view = source->base->wave[subject].kind == WAVE_TURN
                                  ? &source->base->wave[subject].vectors
                                  : &source->base->view[subject];
    struct lying lying = {1, view->dims[source->axis[subject]], 1};

    for (size_t i = 0; i < source->axis[subject]; i++)
        lying.outer *= view->dims[i];
    for (size_t i = source->axis[subject] + 1; i + 1 < view->rank; i++)
        lying.inner *= view->dims[i];
    return lying;
}

/* Makes the row that stands where row `row` of the tensor does, and its bounds. */
static void make_row(struct row_source *source, size_t subject, uint64_t row, uint64_t other)
{
    if (source->known == 0) {
        expected_row(source->made, subject, row, source->expected, source->bound);
        return;
    }
    source->base->claim->operations += cost_of_row(source->base, subject);
    candidate_fill(source->made, subject, other, source->expected);
    bound_row(source->base, subject, source->expected, source->bound);
}

/* Returns false where a few columns are so far apart that no bound makes the rows equal. */
static bool may_be_row(struct row_source *source, size_t subject, uint64_t row, uint64_t other)
{
    const struct candidate *base = source->base;
    const struct pe_tensor_info *tensor =
        source->known > 0 ? source->made->tensor[subject] : NULL;
    const uint64_t cols = candidate_cols(base, subject);
    const double bound = APART_BOUNDS * base->claim->bound[subject];

    if (!tensor || cols < 2 * PROBED || !isfinite(bound))
        return true;
    const uint64_t first = (cols - PROBED) / 2;
    candidate_fill_part(source->made, subject, other, first, PROBED, source->expected);
    base->claim->operations += cost_of_row(base, subject) * PROBED / (double)cols;
    for (uint64_t i = 0; i < PROBED; i++) {
        const double expected = source->expected.at[i];
        const double data = view_element(&base->view[subject], row, first + i);

        if (expected != data && (isinf(expected) || !(fabs(expected - data) <=
                                                      bound + APART_SHARE * fabs(expected))))
            return false;
    }
    return true;
}

static bool is_row(struct row_source *source, size_t subject, uint64_t row, uint64_t other)
{
    const struct candidate *base = source->base;
    const uint64_t cols = candidate_cols(base, subject);

    base->claim->operations += OF_ROW;
    if (!may_be_row(source, subject, row, other))
        return false;
    make_row(source, subject, row, other);
    view_row(&base->view[subject], row, source->data);
    for (uint64_t col = 0; col < cols; col++) {
        const double expected = source->expected.at[col], data = source->data.at[col];

        if (expected != data && !(fabs(expected - data) <= source->bound.at[col]))
            return false;
    }
    return true;
}

/* Returns whether all rows of a place satisfy a condition. */
bool row_source_is(struct row_source *source, uint64_t place, double position)
{
    const struct candidate *base = source->base;
    uint64_t known = 0;

    if (source->known > 0) {
        if (!(position >= source->first && position < source->first + (double)source->known))
            return false;
        known = (uint64_t)(position - source->first);
    } else {
        source->made->angles->listed[place] = position;
    }
    for (size_t i = 0; i < base->claim->subject_count; i++) {
        const struct lying lying = lying_of(source, i);

        if (is_spared(base, i) || place >= lying.length)
            continue;
        for (uint64_t at = 0; at < lying.outer * lying.inner; at++) {
            const uint64_t outer = at / lying.inner, inner = at % lying.inner;

            if (!is_row(source, i, (outer * lying.length + place) * lying.inner + inner,
                        (outer * source->known + known) * lying.inner + inner))
                return false;
        }
    }
    return true;
}

bool row_source_is_empty(struct row_source *source, uint64_t place)
{
    const struct candidate *base = source->base;

    for (size_t i = 0; i < base->claim->subject_count; i++) {
        const struct lying lying = lying_of(source, i);

        for (uint64_t at = 0; place < lying.length && at < lying.outer * lying.inner; at++) {
            const uint64_t outer = at / lying.inner, inner = at % lying.inner;

            view_row(&base->view[i], (outer * lying.length + place) * lying.inner + inner,
                     source->data);
            for (uint64_t col = 0; col < candidate_cols(base, i); col++)
                if (source->data.at[col] != 0)
                    return false;
        }
    }
    return true;
}
