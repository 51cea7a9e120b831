/* SPDX-License-Identifier: Apache-2.0
 * wave.c - recognises the order of columns and the pairing of a turn by the numbers themselves,
 * so that every encoding of waves is served without code of its own. */
#include "core/verify/wave.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of a plan and those that are made from its angles differ by float64's rounding. */
static const double same = 1e-7;

size_t wave_pair(const struct wave *wave, size_t col, bool *sine)
{
    switch (wave->order) {
    case WAVE_COS:
    case WAVE_SIN:
        *sine = wave->order == WAVE_SIN;
        return col % wave->pairs;
    case WAVE_COS_TWICE:
    case WAVE_SIN_TWICE:
        *sine = wave->order == WAVE_SIN_TWICE;
        return col / 2;
    case WAVE_SIN_COS_PAIRS:
    case WAVE_COS_SIN_PAIRS:
        *sine = (col % 2 == 0) == (wave->order == WAVE_SIN_COS_PAIRS);
        return col / 2;
    case WAVE_SINES_FIRST:
    case WAVE_COSINES_FIRST:
    case WAVE_ORDERS:
        break;
    }
    *sine = (col < wave->pairs) == (wave->order == WAVE_SINES_FIRST);
    return col % wave->pairs;
}

static bool order_fits(enum wave_order order, size_t cols, size_t pairs)
{
    return cols == 2 * pairs || (order <= WAVE_SIN && cols == pairs);
}

double wave_rounded(const struct wave *wave, double number)
{
    return angles_round(wave->rounding, wave->amplitude * number) / wave->amplitude;
}

size_t wave_turning(const struct wave *wave)
{
    return wave->apart ? wave->turning : wave->pairs;
}

void wave_turned(const struct wave *wave, size_t pair, size_t *a, size_t *b)
{
    if (wave->listed) {
        *a = wave->listed[2 * pair];
        *b = wave->listed[2 * pair + 1];
        return;
    }
    *a = wave->adjacent ? 2 * pair : pair;
    *b = wave->adjacent ? 2 * pair + 1 : pair + (wave->apart ? wave->apart : wave->pairs);
}

static void turn_pair(const struct wave *wave, const double *vector, size_t a, size_t b,
                      double cosine, double sine, double *out)
{
    static const struct wave_formula right = {{TERM_COS, TERM_MINUS},
                                              {TERM_SIN, TERM_COS},
                                              false,
                                              false};
    const struct wave_formula *formula = wave->formula ? wave->formula : &right;
    const double c = wave->amplitude * cosine;
    const double s = wave->amplitude * (wave->inverse ? -sine : sine);
    const double term[TERM_COUNT] = {0, 1, c, s, -s, c - s, c + s};
    const double one = vector[a], other = vector[b];

    if (formula->second_written)
        out[b] = term[formula->second[0]] * one + term[formula->second[1]] * other;
    out[a] = term[formula->first[0]] * one +
             term[formula->first[1]] * (formula->second_written ? out[b] : other);
    if (!formula->second_written)
        out[b] = term[formula->second[0]] * (formula->first_written ? out[a] : one) +
                 term[formula->second[1]] * other;
}

/* Turns the pairs of one pairing by a table of full width that was made for the other. */
static void turn_mismatched(const struct wave *wave, struct angle_row theta,
                            const double *vector, double *out)
{
    for (size_t col = 0; col < 2 * wave->pairs; col++) {
        bool second = wave->adjacent ? col % 2 : col >= wave->pairs;
        size_t other = wave->adjacent ? col ^ 1 : (col + wave->pairs) % (2 * wave->pairs);
        size_t angle = wave->adjacent ? col % wave->pairs : col / 2;
        double s = sin(theta.at[1][angle]) * (wave->inverse ? -1 : 1);

        out[col] = wave->amplitude * (vector[col] * cos(theta.at[0][angle]) +
                                      (second ? 1 : -1) * vector[other] * s);
    }
}

/* Turns the pairs of a vector, which `out` may be. */
static void turn_pairs(const struct wave *wave, struct angle_row theta, const double *vector,
                       double *out)
{
    for (size_t pair = 0; pair < wave_turning(wave); pair++) {
        size_t a, b;

        wave_turned(wave, pair, &a, &b);
        turn_pair(wave, vector, a, b, wave_rounded(wave, cos(theta.at[0][pair])),
                  wave_rounded(wave, sin(theta.at[1][pair])), out);
    }
}

/* Turns the pairs of a vector; the columns after them stay. */
static void turn_row(const struct wave *wave, struct angle_row theta, const double *vector,
                     size_t cols, double *out)
{
    struct wave other = *wave;

    other.adjacent = !wave->adjacent;
    for (size_t col = wave->apart || wave->again || wave->listed ? 0 : 2 * wave->pairs;
         col < cols; col++)
        out[col] = vector[col];
    if (wave->mismatched) {
        turn_mismatched(wave, theta, vector, out);
        return;
    }
    if (wave->again == TURNED_BEFORE)
        turn_pairs(&other, theta, out, out);
    turn_pairs(wave, theta, wave->again ? out : vector, out);
    if (wave->again == TURNED_AFTER)
        turn_pairs(&other, theta, out, out);
}

void wave_row(const struct wave *wave, struct angle_row theta, struct row_buffer vector,
              size_t cols, struct row_buffer out)
{
    bool sine;

    assert(cols <= out.capacity && wave->pairs <= theta.capacity);
    if (wave->kind == WAVE_FREQUENCIES) {
        assert(cols <= theta.capacity);
        memcpy(out.at, theta.at[0], cols * sizeof *out.at);
    } else if (wave->kind == WAVE_COLUMNS) {
        for (size_t col = 0; col < cols; col++) {
            size_t pair = wave_pair(wave, col, &sine);

            assert(pair < wave->pairs);
            out.at[col] =
                wave->amplitude * (sine ? sin(theta.at[1][pair]) : cos(theta.at[0][pair]));
        }
    } else {
        assert(2 * wave->pairs <= cols && cols <= vector.capacity);
        turn_row(wave, theta, vector.at, cols, out.at);
    }
}

/* Memory in which a row is made from its angles, and from the vector that they turn. */
struct scratch {
    struct row_buffer whole, vector, made;
    struct angle_row theta;
};

static bool scratch_init(struct scratch *scratch, size_t pairs, size_t cols)
{
    bool failed = false;

    scratch->whole = row_buffer_new(2 * pairs + 2 * cols, &failed);
    if (failed)
        return false;
    scratch->theta = angles_row_of(row_buffer_part(scratch->whole, 0, 2 * pairs));
    scratch->vector = row_buffer_part(scratch->whole, 2 * pairs, cols);
    scratch->made = row_buffer_part(scratch->whole, 2 * pairs + cols, cols);
    return true;
}

/* Sets the amplitude from the largest number; false if the row is zero. */
static bool fit_amplitude(struct wave *wave, const double *made, const double *expected,
                          size_t cols)
{
    double dot = 0, norm = 0;

    for (size_t col = 0; col < cols; col++) {
        dot += made[col] * expected[col];
        norm += made[col] * made[col];
    }
    wave->amplitude = norm > 0 ? dot / norm : 1;
    return norm > 0 && dot > 0;
}

static bool is_made(const double *made, const double *expected, size_t cols, double size)
{
    for (size_t col = 0; col < cols; col++)
        if (!(fabs(made[col] - expected[col]) <= same * size))
            return false;
    return true;
}

static double largest(const double *values, size_t count)
{
    double most = 1;

    for (size_t i = 0; i < count; i++)
        most = fabs(values[i]) > most ? fabs(values[i]) : most;
    return most;
}

/* Returns whether the wave gives all rows, with one amplitude. A row has the angles of its
 * place. */
static bool gives(struct wave *wave, const struct angles *angles, const struct scratch *scratch,
                  const uint64_t *rows, const uint64_t *places, size_t row_count, size_t cols,
                  struct row_buffer expected)
{
    const bool turns = wave->kind == WAVE_TURN;
    bool known = false;

    wave->amplitude = 1;
    for (size_t i = 0; i < row_count; i++) {
        const double *row = row_buffer_part(expected, i * cols, cols).at;

        angles_row(angles, places[i], scratch->theta);
        if (turns)
            view_row(&wave->vectors, rows[i], scratch->vector);
        wave_row(wave, scratch->theta, scratch->vector, cols, scratch->made);
        if (!known &&
            fit_amplitude(wave, scratch->made.at, row, turns ? 2 * wave->pairs : cols)) {
            known = true;
            wave_row(wave, scratch->theta, scratch->vector, cols, scratch->made);
        }
        if (!is_made(scratch->made.at, row, cols, largest(row, cols)))
            return false;
    }
    return true;
}

bool wave_of_columns(struct wave *wave, const struct angles *angles, const uint64_t *rows,
                     size_t row_count, size_t cols, struct row_buffer expected)
{
    struct scratch scratch;

    *wave = (struct wave){.kind = WAVE_COLUMNS, .pairs = angles->pairs};
    if (!scratch_init(&scratch, angles->pairs, cols)) {
        *wave = (struct wave){.failed = true};
        return false;
    }
    for (wave->order = 0; wave->order < WAVE_ORDERS; wave->order++)
        if (order_fits(wave->order, cols, angles->pairs) &&
            gives(wave, angles, &scratch, rows, rows, row_count, cols, expected))
            break;
    free(scratch.whole.at);
    if (wave->order == WAVE_ORDERS)
        wave->kind = WAVE_NONE;
    return wave->kind != WAVE_NONE;
}

bool wave_of_turn(struct wave *wave, const struct angles *angles, const struct view *vectors,
                  const uint64_t *rows, const uint64_t *places, size_t row_count,
                  struct row_buffer expected)
{
    const size_t cols = view_cols(vectors);
    struct scratch scratch = {.whole = {.at = NULL}};
    bool found = false;

    *wave = (struct wave){.kind = WAVE_TURN, .pairs = angles->pairs, .vectors = *vectors};
    if (2 * angles->pairs <= cols && scratch_init(&scratch, angles->pairs, cols)) {
        for (size_t way = 0; way < 4 && !found; way++) {
            wave->adjacent = way & 1;
            wave->inverse = way & 2;
            found = gives(wave, angles, &scratch, rows, places, row_count, cols, expected);
        }
        free(scratch.whole.at);
    }
    wave->failed = 2 * angles->pairs <= cols && !scratch.whole.at;
    if (!found)
        wave->kind = WAVE_NONE;
    return found;
}
