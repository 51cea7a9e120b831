/* SPDX-License-Identifier: Apache-2.0
 * solve_columns.c - see solve_columns.h. Columns that are the claim's are not read further. */
#include "core/verify/solve/solve_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/bound.h"
#include "core/verify/solve/column_pairs.h"
#include "core/verify/solve/column_sample.h"

/* Returns the slots of a table: its columns, or its pairs where each has two columns. */
static size_t slots_of(const struct column_sample *sample)
{
    return sample->wave->order <= WAVE_SIN_TWICE ? sample->cols : sample->wave->pairs;
}

/* Gathers the cosines and sines of a slot from the subjects; returns its pair. */
static size_t gather(struct column_sample *sample, size_t slot, bool *right, bool *zero)
{
    const struct candidate *base = sample->base;
    size_t pair = 0;

    *right = *zero = true;
    for (size_t i = 0; i < sample->rows; i++)
        sample->cosine[i] = sample->sine[i] = NAN;
    for (size_t subject = 0; subject < base->claim->subject_count; subject++) {
        const struct wave *wave = &base->wave[subject];

        for (size_t col = 0; wave->kind == WAVE_COLUMNS && col < sample->cols; col++) {
            bool sine;
            const size_t of = wave_pair(wave, col, &sine);
            const double *data = column_sample_at(sample, subject, col);

            if (slot != (wave->order <= WAVE_SIN_TWICE ? col : of))
                continue;
            pair = of;
            for (size_t i = 0; i < sample->rows; i++)
                sample->noise[i] = bound_step(base->view[subject].precision, 1);
            *right = *right && !sample->wrong[subject * sample->cols + col];
            for (size_t i = 0; i < sample->rows; i++) {
                (sine ? sample->sine : sample->cosine)[i] = data[i] / wave->amplitude;
                *zero = *zero && data[i] == 0;
            }
        }
    }
    return pair;
}

static struct column_item item_of(const struct turn_reader *reader, size_t pair)
{
    const double rate = reader->rates ? reader->rates[pair] : NAN;

    return (struct column_item){.turn = {TURN_KNOWN, pair, rate},
                                .right = true,
                                .claimed = rate,
                                .own = pair,
                                .same_axis = true};
}

static void set_turn(struct column_item *item, const struct turn_reader *reader,
                     struct turn turn)
{
    item->turn = turn;
    item->right = turn.kind == TURN_KNOWN && turn.like == item->own;
    item->same_axis =
        turn.kind > TURN_FREE || reader->axis[turn.like] == reader->axis[item->own];
}

static bool is_same(const struct column_item *one, const struct column_item *other)
{
    return one->turn.kind == other->turn.kind && one->turn.like == other->turn.like &&
           (one->turn.kind != TURN_FREE || fabs(one->turn.frequency - other->turn.frequency) <=
                                               1e-6 * fabs(other->turn.frequency));
}

/* Keeps one item of each pair where all its columns are the same. */
static void join_copies(struct column_list *list, const struct column_sample *sample)
{
    const size_t pairs = sample->wave->pairs;
    const size_t next = sample->wave->order <= WAVE_SIN ? 1 : list->count / pairs;

    for (size_t i = 0; i < list->count; i++)
        if (!is_same(&list->at[i], &list->at[list->at[i].own * next]))
            return;
    for (size_t i = 0; i < pairs; i++)
        list->at[i] = list->at[i * next];
    list->count = pairs;
    list->word = "pair";
}

static void read_table(struct column_list *list, struct column_sample *sample,
                       struct turn_reader *reader)
{
    list->word = "column";
    list->count = slots_of(sample);
    for (size_t i = 0; i < list->count && !column_sample_is_spent(sample); i++) {
        struct column_item *item = &list->at[i];
        bool right, zero;
        const size_t pair = gather(sample, i, &right, &zero);

        *item = item_of(reader, pair);
        if (zero && !right)
            set_turn(item, reader, (struct turn){.kind = TURN_ZERO});
        else if (!right)
            set_turn(
                item, reader,
                turn_reader_read(reader, sample->cosine, sample->sine, sample->noise, pair));
    }
    join_copies(list, sample);
}

/* ---- vectors --------------------------------------------------------------------------- */

/* Returns the pair of the claim that a pair of columns is held against: that of its first
 * column, or the first one that has no columns yet. */
static size_t expected_pair(const struct column_list *list, size_t one)
{
    size_t first = list->count;

    for (size_t i = 0; i < list->count; i++) {
        if (list->at[i].mine != SIZE_MAX)
            continue;
        if (list->at[i].one == one)
            return i;
        first = first < list->count ? first : i;
    }
    return first;
}

/* Reads the turns of columns that were found to be pairs, and gives them to pairs of the
 * claim. */
static void read_pairs(struct column_list *list, struct column_sample *sample,
                       struct turn_reader *reader, const struct column_pairs *pairs)
{
    for (size_t one = 0; one < sample->cols && !column_sample_is_spent(sample); one++) {
        const size_t other = pairs->partner[one];
        size_t pair =
            other > one && other < sample->cols ? expected_pair(list, one) : list->count;

        if (pair == list->count)
            continue;
        column_pairs_turn(sample, one, other);
        const struct turn turn =
            turn_reader_read(reader, sample->cosine, sample->sine, sample->noise, pair);
        const bool claimed = list->at[pair].one == one && list->at[pair].other == other;
        if (turn.kind == TURN_KNOWN && !claimed && list->at[turn.like].mine == SIZE_MAX)
            pair = turn.like;
        list->at[pair].mine = one;
        list->at[pair].yours = other;
        set_turn(&list->at[pair], reader, turn);
    }
}

/* Says of pairs whose columns turn with none what these are. */
static void read_rest(struct column_list *list, const struct turn_reader *reader,
                      const struct column_pairs *pairs)
{
    for (size_t i = 0; i < list->count; i++) {
        struct column_item *item = &list->at[i];
        const size_t a = pairs->partner[item->one], b = pairs->partner[item->other];

        if (item->mine != SIZE_MAX)
            continue;
        set_turn(item, reader,
                 (struct turn){.kind = a == COLUMN_ZERO && b == COLUMN_ZERO   ? TURN_ZERO
                                       : a == COLUMN_SAME && b == COLUMN_SAME ? TURN_STILL
                                                                              : TURN_OTHER});
        if (item->turn.kind == TURN_ZERO)
            list->zero[item->one] = list->zero[item->other] = false;
    }
}

static void read_vectors(struct column_list *list, struct column_sample *sample,
                         struct turn_reader *reader)
{
    struct column_pairs pairs;

    list->word = "pair";
    list->vectors = true;
    list->count = reader->pairs;
    for (size_t i = 0; i < list->count; i++) {
        struct column_item *item = &list->at[i];

        *item = item_of(reader, i);
        wave_turned(sample->wave, i, &item->one, &item->other);
        item->mine = item->yours = SIZE_MAX;
        item->vague = column_pairs_is_vague(sample, reader, i);
    }
    if (!column_pairs_find(&pairs, sample, list))
        return;
    for (size_t i = 0; i < sample->cols; i++)
        list->zero[i] = pairs.partner[i] == COLUMN_ZERO;
    read_pairs(list, sample, reader, &pairs);
    read_rest(list, reader, &pairs);
    column_pairs_fini(&pairs);
}

/* Returns whether the list says something: a pair is not right, and most are told. */
static bool is_telling(const struct column_list *list)
{
    struct column_form form;
    bool wrong = column_list_is_moved(list, &form) || column_list_right(list) < list->count;

    for (size_t i = 0; i < list->cols; i++)
        wrong = wrong || list->zero[i];
    return wrong && 2 * column_list_count(list, TURN_OTHER) <= list->count;
}

bool solve_columns(struct column_list *list, const struct candidate *base)
{
    struct column_sample sample;
    struct turn_reader reader;

    *list = (struct column_list){.count = 0};
    if (!column_sample_init(&sample, base))
        return false;
    list->cols = sample.cols;
    list->at = claim_memory(base->claim, sample.cols + base->angles->pairs, sizeof *list->at);
    list->zero = claim_memory(base->claim, sample.cols, sizeof *list->zero);
    bool read = list->at && list->zero && !sample.right &&
                turn_reader_init(&reader, base, sample.places, sample.rows);
    if (read) {
        if (sample.wave->kind == WAVE_TURN)
            read_vectors(list, &sample, &reader);
        else
            read_table(list, &sample, &reader);
        read = !column_sample_is_spent(&sample) && !base->claim->failed && is_telling(list);
        turn_reader_fini(&reader);
    }
    if (!read)
        solve_columns_fini(list);
    column_sample_fini(&sample);
    return read;
}

void solve_columns_fini(struct column_list *list)
{
    free(list->at);
    free(list->zero);
    *list = (struct column_list){.count = 0};
}
