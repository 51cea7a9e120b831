/* SPDX-License-Identifier: Apache-2.0
 * angles.c - finds the angles of a claim by the outputs `angles`, or `inv_freq` and the
 * parameter `pos`, of its encoding or of the one that its vectors are turned by. */
#include "core/verify/angles.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS = 4 }; /* errors of a frequency and of a product of float32 */
static const double two_pi = 6.28318530717958647692;

double angles_round(enum angles_rounding rounding, double value)
{
    static const enum pe_dtype dtypes[] = {PE_F64, PE_F32, PE_F16, PE_BF16};
    unsigned char narrow[8];
    double rounded;

    if (rounding == ANGLES_REAL)
        return value;
    pe_dtype_from_f64(dtypes[rounding], narrow, &value, 1);
    pe_dtype_to_f64(dtypes[rounding], &rounded, narrow, 1);
    return rounded;
}

/* The encoding itself, or for rope/apply rope, whose angles it turns by. */
static const struct pe_encoding *source_of(const struct pe_encoding *enc)
{
    const char *slash = strchr(enc->name, '/');

    return slash ? pe_find(enc->name, (size_t)(slash - enc->name)) : enc;
}

static bool has_waves(struct claim *claim)
{
    if (strchr(claim->enc->name, '/'))
        return true;
    for (size_t i = 0; i < claim->subject_count; i++) {
        const struct pe_output *output = &claim->enc->outputs[claim->subject[i].output];

        if (output->columns >= PE_COLUMN_PAIRED || strcmp(output->name, "table") == 0 ||
            strcmp(output->name, "inv_freq") == 0)
            return true;
    }
    return false;
}

static const struct pe_tensor_info *find_tensor(const struct pe_plan *plan,
                                                const struct pe_output *output)
{
    size_t i = 0;

    while (pe_plan_tensor(plan, i)->output != output)
        i++;
    return pe_plan_tensor(plan, i);
}

bool angles_fill(const struct pe_plan *plan, const struct pe_tensor_info *tensor, uint64_t row,
                 uint64_t rows, const void *const *input, struct row_buffer out)
{
    const struct pe_rect rect = {row, rows, 0, tensor->cols};
    void *slots[PE_MAX_OUTPUTS] = {NULL};
    size_t bytes = pe_plan_scratch(plan, rows * tensor->cols);
    void *scratch = bytes > 0 ? aligned_alloc(64, (bytes + 63) / 64 * 64) : NULL;

    assert(rows * tensor->cols <= out.capacity);
    slots[tensor->slot] = out.at;
    if (bytes == 0 || scratch)
        pe_fill(plan, tensor->group, &rect, slots, input, scratch);
    else
        memset(out.at, 0, rows * tensor->cols * sizeof *out.at);
    free(scratch);
    return bytes == 0 || scratch;
}

static bool read_frequencies(struct angles *angles, const struct pe_plan *plan,
                             const struct pe_output *output)
{
    const struct pe_tensor_info *tensor = find_tensor(plan, output);

    angles->pairs = tensor->cols;
    angles->w[0] = calloc(2 * tensor->cols + 1, sizeof(double));
    if (!angles->w[0])
        return false;
    angles->w[1] = angles->w[0] + tensor->cols;
    bool ok =
        angles_fill(plan, tensor, 0, 1, NULL, (struct row_buffer){angles->w[0], angles->pairs});
    memcpy(angles->w[1], angles->w[0], tensor->cols * sizeof(double));
    return ok;
}

/* Positions may be missing: frequencies alone have none. */
static void read_positions(struct angles *angles)
{
    const struct pe_encoding *enc = angles->args->enc;
    const size_t param = args_find(enc, "pos", 3);

    if (param == SIZE_MAX || enc->params[param].type != PE_POSITIONS)
        return;
    angles->pos =
        *(struct pe_positions *const *)(angles->args->data + enc->params[param].offset);
    if (angles->pos)
        angles->rows = pe_positions_count(angles->pos);
}

/* Reads the frequencies beside angles, where the plan has them, one a pair. */
static bool read_rates(struct angles *angles, const struct pe_plan *plan)
{
    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(plan, i);

        if (strcmp(tensor->output->name, "inv_freq") != 0 || tensor->cols != angles->pairs)
            continue;
        angles->rates = calloc(angles->pairs + 1, sizeof(double));
        return angles->rates && angles_fill(plan, tensor, 0, 1, NULL,
                                            (struct row_buffer){angles->rates, angles->pairs});
    }
    return true;
}

/* Returns the index of the output that tells angles, or frequencies; SIZE_MAX: none does. The
 * frequencies tell more than angles where each pair turns by the position of its row: then the
 * encoding has no coordinates of its own. */
static size_t telling_output(const struct pe_encoding *enc)
{
    const size_t angles = args_find_output(enc, "angles"),
                 rates = args_find_output(enc, "inv_freq");

    if (angles != SIZE_MAX && args_find_output(enc, "coordinates") != SIZE_MAX)
        return angles;
    return rates != SIZE_MAX ? rates : angles;
}

uint32_t angles_outputs(struct claim *claim)
{
    const size_t output = telling_output(claim->enc);
    const size_t rates = args_find_output(claim->enc, "inv_freq");

    if (output == SIZE_MAX || !has_waves(claim))
        return 0;
    return UINT32_C(1) << output | (rates != SIZE_MAX ? UINT32_C(1) << rates : 0);
}

struct angles *angles_of(struct pe_args *args, struct pe_plan *plan)
{
    const struct pe_output *output = &args->enc->outputs[telling_output(args->enc)];
    struct angles *angles = calloc(1, sizeof *angles);
    bool ok = angles != NULL;

    if (!ok)
        return NULL;
    angles->scale = angles->angle_scale = 1;
    angles->args = pe_args_ref(args);
    if (strcmp(output->name, "angles") == 0) {
        angles->plan = pe_plan_ref(plan);
        angles->tensor = find_tensor(plan, output);
        angles->pairs = angles->tensor->cols;
        angles->rows = angles->tensor->rows;
        ok = read_rates(angles, plan);
    } else {
        read_positions(angles);
        ok = read_frequencies(angles, plan, output);
    }
    if (ok)
        return angles;
    angles_free(angles);
    return NULL;
}

struct angles *angles_new(struct claim *claim, const struct changes *changes)
{
    const struct pe_encoding *enc = source_of(claim->enc);
    const size_t output = enc ? telling_output(enc) : SIZE_MAX;
    uint32_t outputs = enc == claim->enc ? claim->outputs : 1; /* a scaling may look at
                                                                * positions */
    struct angles *angles = NULL;

    if (output == SIZE_MAX || !has_waves(claim))
        return NULL;
    if (args_find_output(enc, "inv_freq") != SIZE_MAX)
        outputs |= UINT32_C(1) << args_find_output(enc, "inv_freq");
    const struct planned planned =
        claim_planned(claim, enc, changes, outputs | UINT32_C(1) << output, PE_F64);
    if (planned.plan)
        angles = angles_of(planned.args, planned.plan);
    claim->failed = claim->failed || (planned.plan && !angles);
    pe_plan_free(planned.plan);
    pe_args_free(planned.args);
    return angles;
}

struct angles *angles_copy(const struct angles *angles)
{
    bool failed = false;
    struct angles *copy = claim_copy(angles, sizeof *copy, &failed);

    if (!copy)
        return NULL;
    copy->args = angles->args ? pe_args_ref(angles->args) : NULL;
    copy->plan = angles->plan ? pe_plan_ref(angles->plan) : NULL;
    copy->w[0] = claim_copy(angles->w[0], 2 * angles->pairs * sizeof(double), &failed);
    copy->w[1] = copy->w[0] ? copy->w[0] + angles->pairs : NULL;
    copy->rates = claim_copy(angles->rates, angles->pairs * sizeof(double), &failed);
    copy->listed = claim_copy(angles->listed, angles->rows * sizeof(double), &failed);
    copy->like = claim_copy(angles->like, angles->pairs * sizeof *angles->like, &failed);
    copy->by = claim_copy(angles->by, angles->pairs * sizeof *angles->by, &failed);
    if (!failed)
        return copy;
    angles_free(copy);
    return NULL;
}

void angles_free(struct angles *angles)
{
    if (!angles)
        return;
    free(angles->w[0]);
    free(angles->listed);
    free(angles->rates);
    free(angles->like);
    free(angles->by);
    pe_args_free(angles->args);
    pe_plan_free(angles->plan);
    free(angles);
}

double angles_position(const struct angles *angles, uint64_t row)
{
    double position;

    assert(row < angles->rows);
    if (angles->listed)
        position = angles->listed[row];
    else
        position =
            pe_positions_at(angles->pos, angles->reversed ? angles->rows - 1 - row : row);
    return angles_round(angles->position_rounding, position * angles->scale + angles->offset);
}

struct angle_row angles_row_of(struct row_buffer both)
{
    const size_t half = both.capacity / 2;

    return (struct angle_row){{both.at, both.at + half}, half};
}

void angles_row(const struct angles *angles, uint64_t row, struct angle_row theta)
{
    const double position = angles->pos ? angles_position(angles, row) : 0;
    const uint64_t width = angles->grid_width, height = width > 0 ? angles->rows / width : 0;

    assert(angles->pairs <= theta.capacity);
    if (width > 0 && row < width * height)
        row = row % height * width + row / height;
    if (angles->plan) {
        (void)angles_fill(angles->plan, angles->tensor, row, 1, NULL,
                          (struct row_buffer){theta.at[0], theta.capacity});
        memcpy(theta.at[1], theta.at[0], angles->pairs * sizeof(double));
    }
    for (size_t i = 0; i < angles->width; i++) {
        for (size_t part = 0; part < 2; part++) {
            double kept = theta.at[part][angles->one + i];

            theta.at[part][angles->one + i] = theta.at[part][angles->other + i];
            theta.at[part][angles->other + i] = kept;
        }
    }
    for (size_t i = 0; angles->by && i < angles->pairs; i++)
        theta.at[0][i] = theta.at[1][angles->like[i]] * angles->by[i];
    if (angles->by)
        memcpy(theta.at[1], theta.at[0], angles->pairs * sizeof(double));
    for (size_t part = 0; part < 2; part++) {
        for (size_t i = 0; i < angles->pairs; i++) {
            double angle = angles->plan ? theta.at[part][i] : position * angles->w[part][i];

            if (angles->rates && angles->counted && row >= angles->counted_from)
                angle = (double)row * angles->rates[i];
            if (angles->rates)
                angle += angles->shift * angles->rates[i];

            angle = angles->still
                        ? 0
                        : angles_round(angles->angle_rounding,
                                       angle * angles->angle_scale + angles->angle_offset);
            if (angles->period > 0) /* what a turn lacks, of which the angle has so many */
                angle += floor(angle / angles->period) * (two_pi - angles->period);
            theta.at[part][i] = angle;
        }
    }
}

void angles_slack(const struct angles *angles, uint64_t row, struct angle_row slack)
{
    const enum angles_rounding to = angles->angle_rounding;
    struct angles real = *angles;

    memset(slack.at[0], 0, angles->pairs * sizeof(double));
    memset(slack.at[1], 0, angles->pairs * sizeof(double));
    if (to == ANGLES_REAL || to == ANGLES_F32)
        return; /* float32's own step is no more than its error */
    real.angle_rounding = ANGLES_REAL;
    real.period = 0;
    angles_row(&real, row, slack);
    for (size_t part = 0; part < 2; part++) {
        for (size_t i = 0; i < angles->pairs; i++) {
            const double angle = slack.at[part][i], error = UNITS * 0x1p-24 * fabs(angle);

            slack.at[part][i] =
                angles_round(to, angle + error) - angles_round(to, angle - error);
        }
    }
}
