/* SPDX-License-Identifier: Apache-2.0
 * candidate.c - plans the numbers of a candidate and fits the tensors to their shapes. */
#include "core/verify/candidate.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 5 }; /* rows by which the order of columns is recognised */

uint64_t candidate_rows(const struct candidate *candidate, size_t subject)
{
    return view_rows(&candidate->view[subject]);
}

uint64_t candidate_cols(const struct candidate *candidate, size_t subject)
{
    return view_cols(&candidate->view[subject]);
}

uint64_t candidate_place(const struct candidate *candidate, size_t subject, uint64_t row)
{
    const struct wave *wave = &candidate->wave[subject];
    uint64_t index[PE_MAX_RANK] = {0};

    if (wave->kind != WAVE_TURN)
        return row;
    if (wave->inner)
        return row / wave->inner % wave->vectors.dims[wave->seq_axis];
    view_index(&wave->vectors, row, 0, index);
    return index[wave->seq_axis];
}

const struct pe_positions *candidate_positions(const struct candidate *candidate,
                                               const char *name)
{
    const size_t param = args_find(candidate->enc, name, strlen(name));

    if (param == SIZE_MAX || candidate->enc->params[param].type != PE_POSITIONS)
        return NULL;
    return *(struct pe_positions *const *)(candidate->args->data +
                                           candidate->enc->params[param].offset);
}

bool candidate_is_fitted(const struct candidate *candidate, size_t subject)
{
    const struct pe_tensor_info *tensor = candidate->tensor[subject];
    const struct view *view = &candidate->view[subject];

    return view->rank == tensor->rank &&
           memcmp(view->dims, tensor->dims, view->rank * sizeof *view->dims) == 0;
}

bool candidate_all_fitted(const struct candidate *candidate)
{
    for (size_t i = 0; i < candidate->claim->subject_count; i++)
        if (!candidate_is_fitted(candidate, i))
            return false;
    return true;
}

void candidate_fill_part(const struct candidate *candidate, size_t subject, uint64_t row,
                         uint64_t first, uint64_t cols, struct row_buffer out)
{
    const struct pe_tensor_info *tensor = candidate->tensor[subject];
    const double lowest = candidate->view[subject].lowest;
    const struct pe_rect rect = {row, 1, first, cols};
    void *slots[PE_MAX_OUTPUTS] = {NULL};

    assert(cols <= out.capacity && first + cols <= tensor->cols);
    slots[tensor->slot] = out.at;
    pe_fill(candidate->plan, tensor->group, &rect, slots, candidate->input, candidate->scratch);
    for (uint64_t i = 0; i < cols; i++)
        if (out.at[i] == pe_dtype_lowest(PE_F64))
            out.at[i] = lowest; /* the lowest finite number of the tensor's own dtype */
}

void candidate_fill(const struct candidate *candidate, size_t subject, uint64_t row,
                    struct row_buffer out)
{
    candidate_fill_part(candidate, subject, row, 0, candidate->tensor[subject]->cols, out);
}

void candidate_free(struct candidate *candidate)
{
    if (!candidate)
        return;
    angles_free(candidate->angles);
    angles_free(candidate->plain);
    pe_plan_free(candidate->plan);
    pe_args_free(candidate->args);
    free(candidate->memory.at);
    free(candidate->scratch);
    free(candidate->padding.at);
    free(candidate->numbers.at);
    free(candidate->seen);
    free(candidate->columns);
    free(candidate->blank);
    free(candidate->turned);
    free(candidate->rows);
    free(candidate);
}

/* Sees a subject in the shape of its tensor, if it has that. */
static void fit_subject(struct candidate *candidate, size_t i)
{
    struct claim *claim = candidate->claim;
    const struct pe_tensor_info *tensor = candidate->tensor[i];
    const bool paired = tensor->output->columns >= PE_COLUMN_PAIRED && tensor->rank == 2;
    const bool turned = claim->columns_first && tensor->rows == tensor->cols;

    candidate->view[i] = claim->subject[i].whole;
    if (!(paired && turned) &&
        view_fit_known(&claim->fit[i], &claim->subject[i].whole, tensor->dims, tensor->rank)) {
        candidate->view[i] = claim->fit[i].view;
        memcpy(candidate->fits[i], claim->fit[i].how, sizeof candidate->fits[i]);
    } else if (paired &&
               view_fit_columns_first(&candidate->view[i], tensor->rows, tensor->cols)) {
        snprintf(candidate->fits[i], sizeof candidate->fits[i], "columns first");
    }
}

/* Finds the plan's tensor of each subject and sees the subject in its shape. */
static bool fit_subjects(struct candidate *candidate)
{
    struct claim *claim = candidate->claim;

    for (size_t i = 0; i < claim->subject_count; i++) {
        const struct pe_output *output = &claim->enc->outputs[claim->subject[i].output];
        const struct pe_tensor_info *tensor = NULL;

        for (size_t j = 0; j < pe_plan_tensor_count(candidate->plan); j++)
            if (strcmp(pe_plan_tensor(candidate->plan, j)->output->name, output->name) == 0)
                tensor = pe_plan_tensor(candidate->plan, j);
        candidate->tensor[i] = tensor;
        if (!tensor)
            return false;
        fit_subject(candidate, i);
        if (output->natural > PE_BF16) /* whole numbers are not rounded to few digits */
            candidate->view[i].precision = candidate->view[i].dtype;
        if (tensor->cols > candidate->widest)
            candidate->widest = tensor->cols;
    }
    return true;
}

static bool allocate(struct candidate *candidate)
{
    const size_t pairs = candidate->angles ? candidate->angles->pairs : 0;
    const size_t widest = candidate->widest;
    const size_t bytes = pe_plan_scratch(candidate->plan, widest);

    candidate->memory = row_buffer_new(4 * pairs + 2 * widest, &candidate->claim->failed);
    candidate->scratch = bytes > 0 ? aligned_alloc(64, (bytes + 63) / 64 * 64) : NULL;
    const bool ok = candidate->memory.at && (bytes == 0 || candidate->scratch);
    candidate->claim->failed = candidate->claim->failed || !ok;
    if (!ok)
        return false;
    candidate->theta = angles_row_of(row_buffer_part(candidate->memory, 0, 2 * pairs));
    candidate->slack = angles_row_of(row_buffer_part(candidate->memory, 2 * pairs, 2 * pairs));
    candidate->vector = row_buffer_part(candidate->memory, 4 * pairs, widest);
    candidate->data = row_buffer_part(candidate->memory, 4 * pairs + widest, widest);
    return true;
}

/* Returns the vectors that a subject turns; NULL if it turns none. */
static const struct view *find_vectors(const struct candidate *candidate, size_t subject)
{
    const struct claim *claim = candidate->claim;
    const struct pe_param *param =
        candidate->enc == claim->enc ? args_tensor(claim->args, claim->subject[subject].output)
                                     : NULL;
    size_t number = 0;

    if (!param)
        return NULL;
    for (const struct pe_param *p = claim->enc->params; p < param; p++)
        number += p->type == PE_TENSOR;
    return claim->input_view[number];
}

static size_t seq_axis_of(const struct candidate *candidate)
{
    const size_t param = args_find(candidate->enc, "seq_axis", 8);
    int64_t axis = 0;

    if (param != SIZE_MAX)
        memcpy(&axis, candidate->args->data + candidate->enc->params[param].offset,
               sizeof axis);
    return axis >= 0 && axis < PE_MAX_RANK ? (size_t)axis : 0;
}

/* Chooses rows that are spread over the tensor, from its second on: the first says nothing. */
static size_t choose_probes(uint64_t rows, uint64_t probe[PROBES])
{
    size_t count = rows < PROBES ? (size_t)rows : PROBES;

    for (size_t i = 0; i < count; i++)
        probe[i] = rows <= PROBES ? i : i == 0 ? 1 : (rows - 1) * i / (PROBES - 1);
    return count;
}

/* Returns whether rows of vectors have one of the angles each: as many places along seq_axis as
 * there are rows of angles, or fewer. */
static bool has_places(const struct candidate *candidate, size_t subject,
                       const struct view *vectors, size_t seq_axis)
{
    return seq_axis + 1 < vectors->rank && vectors->dims[seq_axis] <= candidate->angles->rows &&
           view_rows(vectors) == candidate_rows(candidate, subject) &&
           view_cols(vectors) == candidate_cols(candidate, subject);
}

static void find_wave(struct candidate *candidate, size_t subject)
{
    const uint64_t cols = candidate_cols(candidate, subject);
    uint64_t probe[PROBES] = {0}, places[PROBES];
    size_t count = choose_probes(candidate_rows(candidate, subject), probe);
    struct row_buffer expected = row_buffer_new(PROBES * cols, &candidate->claim->failed);
    struct wave *wave = &candidate->wave[subject], found = {.kind = WAVE_NONE};
    const struct view *vectors = find_vectors(candidate, subject);

    if (strcmp(candidate->tensor[subject]->output->name, "inv_freq") == 0) {
        if (candidate->view[subject].dtype <= PE_F32 &&
            candidate->view[subject].precision > PE_F32)
            candidate->view[subject].precision = PE_F32; /* 16 bits are no rounding of these */
        wave->kind = candidate->angles->w[0] && cols == candidate->angles->pairs
                         ? WAVE_FREQUENCIES
                         : WAVE_NONE;
        free(expected.at);
        return;
    }
    for (size_t i = 0; expected.at && i < count; i++)
        candidate_fill(candidate, subject, probe[i], row_buffer_part(expected, i * cols, cols));
    if (expected.at && vectors &&
        has_places(candidate, subject, vectors, seq_axis_of(candidate))) {
        *wave = (struct wave){.kind = WAVE_TURN,
                              .vectors = *vectors,
                              .seq_axis = seq_axis_of(candidate)};
        for (size_t i = 0; i < count; i++)
            places[i] = candidate_place(candidate, subject, probe[i]);
        if (wave_of_turn(&found, candidate->angles, vectors, probe, places, count, expected))
            found.seq_axis = wave->seq_axis;
    } else if (expected.at && !vectors &&
               candidate->angles->rows == candidate_rows(candidate, subject)) {
        wave_of_columns(&found, candidate->angles, probe, count, cols, expected);
    }
    candidate->claim->failed = candidate->claim->failed || found.failed;
    *wave = found;
    free(expected.at);
}

/* Finds the angles: in the candidate's own plan, which has been asked for them, or in that of
 * the encoding whose table turns its vectors. */
static void find_angles(struct candidate *candidate, uint32_t asked)
{
    if (candidate->enc != candidate->claim->enc)
        return;
    if (asked != 0) {
        candidate->angles = angles_of(candidate->args, candidate->plan);
        candidate->claim->failed = candidate->claim->failed || !candidate->angles;
    } else {
        candidate->angles = angles_new(candidate->claim, &candidate->changes);
    }
}

struct candidate *candidate_build(struct claim *claim, const struct pe_encoding *enc,
                                  const struct changes *changes, const struct planned *planned,
                                  uint32_t asked)
{
    struct candidate *candidate =
        planned->plan ? claim_memory(claim, 1, sizeof *candidate) : NULL;

    if (!candidate) {
        pe_plan_free(planned->plan);
        pe_args_free(planned->args);
        return NULL;
    }
    candidate->claim = claim;
    candidate->enc = enc;
    if (changes)
        candidate->changes = *changes;
    candidate->args = planned->args;
    candidate->plan = planned->plan;
    claim_inputs(claim, enc, candidate->input);
    bool ok = fit_subjects(candidate);
    const bool fitted = ok && candidate_all_fitted(candidate);
    if (fitted)
        find_angles(candidate, asked);
    ok = ok && allocate(candidate);
    for (size_t i = 0; ok && fitted && candidate->angles && i < candidate->claim->subject_count;
         i++)
        find_wave(candidate, i);
    if (ok)
        return candidate;
    candidate_free(candidate);
    return NULL;
}

struct candidate *candidate_new(struct claim *claim, const struct changes *changes,
                                const struct pe_param **missing)
{
    uint32_t asked = angles_outputs(claim);
    struct planned planned =
        claim_planned(claim, claim->enc, changes, claim->outputs | asked, PE_F64);

    if (!planned.args && asked != 0) {
        asked = 0; /* an output that is not wanted may refuse what the others take */
        planned = claim_planned(claim, claim->enc, changes, claim->outputs, PE_F64);
    }
    if (missing)
        *missing = planned.missing;
    return candidate_build(claim, claim->enc, changes, &planned, asked);
}

struct candidate *candidate_copy(const struct candidate *candidate)
{
    bool failed = false;
    struct candidate *copy = claim_copy(candidate, sizeof *copy, &failed);

    candidate->claim->failed |= failed;
    if (!copy)
        return NULL;
    copy->memory = (struct row_buffer){.at = NULL};
    copy->scratch = NULL;
    copy->args = pe_args_ref(candidate->args);
    copy->plan = pe_plan_ref(candidate->plan);
    copy->angles = candidate->angles ? angles_copy(candidate->angles) : NULL;
    copy->plain = candidate->plain ? angles_copy(candidate->plain) : NULL;
    copy->padding.at = claim_copy(candidate->padding.at,
                                  candidate->padding.capacity * sizeof(double), &failed);
    copy->numbers.at = claim_copy(candidate->numbers.at,
                                  candidate->numbers.capacity * sizeof(double), &failed);
    copy->seen = claim_copy(
        candidate->seen, candidate->queries * candidate->widest * sizeof *copy->seen, &failed);
    copy->columns =
        claim_copy(candidate->columns, candidate->widest * sizeof *copy->columns, &failed);
    copy->blank =
        claim_copy(candidate->blank, candidate->widest * sizeof *copy->blank, &failed);
    copy->turned = claim_copy(
        candidate->turned,
        candidate->turned ? 2 * candidate->angles->pairs * sizeof *copy->turned : 0, &failed);
    for (size_t i = 0; i < CLAIM_SUBJECTS; i++)
        copy->wave[i].listed = candidate->wave[i].listed ? copy->turned : NULL;
    copy->rows = claim_copy(
        candidate->rows,
        candidate->rows ? candidate_rows(candidate, 0) * sizeof *copy->rows : 0, &failed);
    failed = failed || !candidate->angles != !copy->angles || !candidate->plain != !copy->plain;
    if (!failed && allocate(copy))
        return copy;
    candidate->claim->failed = true;
    candidate_free(copy);
    return NULL;
}
