/* SPDX-License-Identifier: Apache-2.0
 * column_sample.c - see column_sample.h. The rows are those on which hypotheses are tested. */
#include "core/verify/solve/column_sample.h"

#include <math.h>
#include <stdlib.h>

#include "core/verify/expected.h"
#include "core/verify/fit.h"

enum { ELEMENTS_MOST = 1 << 19, VECTOR_MOST = 1024 };
static const double operations_most = 2e8; /* about 0.2 s */

/* Finds the first subject that is made from angles and that a mistake may be about; all of a
 * table have the same columns. */
static bool find_subject(struct column_sample *sample)
{
    const struct candidate *base = sample->base;

    for (size_t i = base->claim->subject_count; i-- > 0;) {
        const struct wave *wave = &base->wave[i];

        if (base->spared >> i & 1 || (wave->kind != WAVE_COLUMNS && wave->kind != WAVE_TURN))
            continue;
        if (sample->wave &&
            (wave->kind != sample->wave->kind ||
             (wave->kind == WAVE_COLUMNS &&
              (candidate_cols(base, i) != sample->cols ||
               candidate_rows(base, i) != candidate_rows(base, sample->subject)))))
            return false;
        sample->wave = wave;
        sample->subject = i;
        sample->cols = (size_t)candidate_cols(base, i);
    }
    return sample->wave != NULL;
}

/* Reads one row of a subject. */
static void read_row(struct column_sample *sample, size_t subject, size_t number, uint64_t row,
                     struct row_buffer memory)
{
    const struct candidate *base = sample->base;
    const size_t widest = base->widest;
    const struct row_buffer expected = row_buffer_part(memory, 0, widest),
                            bound = row_buffer_part(memory, widest, widest),
                            data = row_buffer_part(memory, 2 * widest, widest);

    expected_row(base, subject, row, expected, bound);
    view_row(&base->view[subject], row, data);
    for (size_t col = 0; col < sample->cols; col++) {
        const size_t at = subject * sample->cols + col;

        sample->data[at * sample->rows + number] = data.at[col];
        sample->slack[number] =
            fmax(sample->slack[number], bound.at[col] / fabs(sample->wave->amplitude));
        if (!(fabs(expected.at[col] - data.at[col]) <= bound.at[col]))
            sample->wrong[at] = true;
        sample->right = sample->right && !sample->wrong[at];
    }
    if (sample->wave->kind != WAVE_TURN)
        return;
    view_row(&sample->wave->vectors, row, data);
    for (size_t col = 0; col < sample->cols; col++)
        sample->vector[col * sample->rows + number] = data.at[col];
}

static bool allocate(struct column_sample *sample)
{
    const size_t subjects = sample->base->claim->subject_count, rows = sample->rows;
    const size_t all = subjects * sample->cols;
    struct claim *claim = sample->base->claim;

    sample->memory = claim_memory(claim, (all + sample->cols + 4) * rows, sizeof(double));
    sample->wrong = claim_memory(claim, all, sizeof *sample->wrong);
    sample->places = claim_memory(claim, rows, sizeof *sample->places);
    if (!sample->memory || !sample->wrong || !sample->places)
        return false;
    sample->data = sample->memory;
    sample->vector = sample->data + all * rows;
    sample->slack = sample->vector + sample->cols * rows;
    sample->cosine = sample->slack + rows;
    sample->sine = sample->cosine + rows;
    sample->noise = sample->sine + rows;
    return true;
}

static bool read_rows(struct column_sample *sample)
{
    const struct candidate *base = sample->base;
    const struct row_buffer memory = row_buffer_new(3 * base->widest, &base->claim->failed);
    const uint64_t all = candidate_rows(base, sample->subject);
    const bool turns = sample->wave->kind == WAVE_TURN;

    for (size_t i = 0; memory.at && i < sample->rows; i++) {
        const uint64_t row = fit_sample_row(all, i);

        sample->places[i] = candidate_place(base, sample->subject, row);
        for (size_t subject = 0; subject < base->claim->subject_count; subject++)
            if (turns ? subject == sample->subject : base->wave[subject].kind == WAVE_COLUMNS)
                read_row(sample, subject, i, row, memory);
    }
    free(memory.at);
    return memory.at != NULL;
}

bool column_sample_init(struct column_sample *sample, const struct candidate *base)
{
    *sample =
        (struct column_sample){.base = base, .right = true, .begun = base->claim->operations};
    if (!base->angles || !candidate_all_fitted(base) || base->enc != base->claim->enc ||
        base->map != MAP_NONE || base->columns || base->rows || base->grid_width > 0 ||
        !find_subject(sample))
        return false;
    sample->rows = fit_sample_count(candidate_rows(base, sample->subject));
    if (sample->rows * sample->cols * base->claim->subject_count > ELEMENTS_MOST ||
        (sample->wave->kind == WAVE_TURN && sample->cols > VECTOR_MOST))
        return false;
    if (allocate(sample) && read_rows(sample))
        return true;
    column_sample_fini(sample);
    return false;
}

void column_sample_fini(struct column_sample *sample)
{
    free(sample->memory);
    free(sample->wrong);
    free(sample->places);
}

const double *column_sample_at(const struct column_sample *sample, size_t subject, size_t col)
{
    return sample->data + (subject * sample->cols + col) * sample->rows;
}

bool column_sample_is_spent(const struct column_sample *sample)
{
    const struct claim *claim = sample->base->claim;

    return claim->operations - sample->begun > operations_most ||
           pe_stop_is_set(claim->limits->stop);
}
