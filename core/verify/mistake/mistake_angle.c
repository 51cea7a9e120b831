/* SPDX-License-Identifier: Apache-2.0
 * mistake_angle.c - mistakes of frequencies and angles: rounded too early, of another
 * exponent, in another unit. */
#include <math.h>
#include <stdlib.h>

#include "core/verify/mistake/mistakes.h"
#include "core/verify/observe.h"

/* Copies a candidate whose numbers follow from angles; NULL if they do not. */
static struct candidate *warp(const struct candidate *base)
{
    struct candidate *made = base->angles ? candidate_copy(base) : NULL;

    if (made)
        made->warped = true;
    return made;
}

static bool turns(const struct candidate *base)
{
    return base->claim->subject_count > 0 && base->wave[0].kind == WAVE_TURN;
}

/* The variants of positions and of frequencies are the dtypes of enum angles_rounding. */
struct candidate *mistake_angle_positions(const struct candidate *base, size_t variant)
{
    static const enum candidate_map maps[] =
        {[ANGLES_F32] = MAP_F32, [ANGLES_F16] = MAP_F16, [ANGLES_BF16] = MAP_BF16};
    struct candidate *made;

    if (base->enc->family == PE_INDEX && base->map == MAP_NONE)
        return mistakes_map(base, maps[variant]); /* the numbers are positions themselves */
    if (base->enc->family == PE_BIAS && base->map == MAP_NONE && base->view[0].rank > 1 &&
        base->tensor[0]->output->natural <= PE_BF16 && variant != ANGLES_F32)
        return mistakes_map(base, maps[variant]); /* a number is a slope times a distance */
    made = base->angles && base->angles->pos ? warp(base) : NULL;
    if (made)
        made->angles->position_rounding = (enum angles_rounding)variant;
    return made;
}

struct candidate *mistake_angle_inv_freq(const struct candidate *base, size_t variant)
{
    struct candidate *made = base->angles && base->angles->w[0] ? warp(base) : NULL;

    for (size_t i = 0; made && i < 2 * made->angles->pairs; i++)
        made->angles->w[0][i] =
            angles_round((enum angles_rounding)variant, made->angles->w[0][i]);
    return made;
}

static struct candidate *round_angles(const struct candidate *base,
                                      enum angles_rounding rounding)
{
    struct candidate *made = warp(base);

    if (made)
        made->angles->angle_rounding = rounding;
    return made;
}

/* Two variants for each dtype; the second rounds positions and frequencies too: all of the
 * product is done in that dtype. */
struct candidate *mistake_angle_angles(const struct candidate *base, size_t variant)
{
    const enum angles_rounding rounding = (enum angles_rounding)(variant / 2);
    struct candidate *frequencies, *positions, *made = NULL;

    if (variant % 2 == 0)
        return round_angles(base, rounding);
    frequencies = mistake_angle_inv_freq(base, rounding);
    positions = frequencies ? mistake_angle_positions(frequencies, rounding) : NULL;
    if (positions)
        made = round_angles(positions, rounding);
    candidate_free(frequencies);
    candidate_free(positions);
    return made;
}

/* Cosines and sines are rounded before they turn vectors of more digits. */
struct candidate *mistake_angle_tables(const struct candidate *base, size_t variant)
{
    struct candidate *made =
        turns(base) && base->view[0].precision <= PE_F32 ? warp(base) : NULL;

    for (size_t i = 0; made && i < made->claim->subject_count; i++)
        if (!(made->spared >> i & 1))
            made->wave[i].rounding = (enum angles_rounding)variant;
    return made;
}

double mistake_angle_ratio(const struct angles *angles)
{
    const double *w = angles->w[0];

    if (!w || angles->pairs < 3 || !(w[0] > 0))
        return NAN;
    for (size_t i = 2; i < angles->pairs; i++)
        if (!(fabs(w[i] * w[i - 2] / (w[i - 1] * w[i - 1]) - 1) < 1e-9))
            return NAN;
    return w[1] / w[0];
}

static double number_of(const struct candidate *base, const char *name)
{
    const char *text = claim_text(base->claim, name);

    for (size_t i = 0; i < base->changes.count; i++)
        if (strcmp(base->changes.at[i].param->name, name) == 0)
            text = base->changes.at[i].text;
    return text && text[0] ? strtod(text, NULL) : NAN;
}

/* Returns the frequency of the last pair, as the first tensor shows it; NAN if it does not. */
static double last_frequency(const struct candidate *base)
{
    const size_t pairs = base->angles->pairs;
    double last = NAN;

    if (base->wave[0].kind == WAVE_FREQUENCIES)
        return view_element(&base->view[0], 0, pairs - 1);
    double *w = observe_applies(base) ? claim_memory(base->claim, pairs, sizeof *w) : NULL;
    if (w && observe_frequencies(base, (struct row_buffer){w, pairs}))
        last = w[pairs - 1];
    free(w);
    return last;
}

/* Returns the whole and even number by which exponents are divided, as the tensors show it; 0
 * if it is none. */
static double measured_divisor(const struct candidate *base, double width)
{
    const double ratio = mistake_angle_ratio(base->angles), pairs = (double)base->angles->pairs;
    const double divisor = width * (pairs - 1) * log(ratio) / log(last_frequency(base));
    const double whole = 2 * nearbyint(divisor / 2);

    return fabs(divisor - whole) < 1e-3 * whole ? whole : 0;
}

/* Exponents over the width of the head where only a part turns, over another multiple, or over
 * the number that the tensors show. */
struct candidate *mistake_angle_exponent_dim(const struct candidate *base, size_t variant)
{
    const double dim = number_of(base, "dim");
    struct candidate *made;
    double by;

    if (!base->angles || isnan(mistake_angle_ratio(base->angles)))
        return NULL;
    const double width = 2 * (double)base->angles->pairs;
    const double divisors[] = {dim, 2 * width, 4 * width, width / 2,
                               variant == 4 ? measured_divisor(base, width) : 0};
    by = width / divisors[variant];
    if (!(by > 0) || by == 1 || isinf(by) || (variant > 0 && divisors[variant] == dim))
        return NULL;
    made = warp(base);
    for (size_t i = 0; made && i < 2 * made->angles->pairs; i++)
        made->angles->w[0][i] = pow(made->angles->w[0][i], by);
    mistakes_tell_numbers(made, divisors[variant], width);
    return made;
}

/* Exponents i / (m - 1) in place of i / m for m pairs, and the reverse; a ladder that is a
 * parameter is one of the schema. */
struct candidate *mistake_angle_closed_ladder(const struct candidate *base, size_t variant)
{
    struct candidate *made;

    if (!base->angles || isnan(mistake_angle_ratio(base->angles)) ||
        claim_text(base->claim, "ladder"))
        return NULL;
    const double pairs = (double)base->angles->pairs;
    made = warp(base);
    for (size_t i = 0; made && i < 2 * made->angles->pairs; i++)
        made->angles->w[0][i] = pow(made->angles->w[0][i],
                                    variant == 0 ? pairs / (pairs - 1) : (pairs - 1) / pairs);
    mistakes_tell_numbers(made, pairs - (variant == 0), pairs - (variant != 0));
    return made;
}

/* Index + 1, index - 1, and index + 1/2: exponents that begin at an odd column. */
struct candidate *mistake_angle_exponent_offset(const struct candidate *base, size_t variant)
{
    static const double steps[] = {1, -1, 0.5};
    double ratio = base->angles ? mistake_angle_ratio(base->angles) : NAN;
    struct candidate *made = isnan(ratio) ? NULL : warp(base);

    for (size_t i = 0; made && i < 2 * made->angles->pairs; i++)
        made->angles->w[0][i] *= pow(ratio, steps[variant]);
    mistakes_tell_numbers(made, steps[variant], 0);
    return made;
}

/* Each column has an exponent of its own: cosines half a step after their sines, or as if
 * columns were counted as pairs. */
struct candidate *mistake_angle_cos_frequency(const struct candidate *base, size_t variant)
{
    double ratio = base->angles ? mistake_angle_ratio(base->angles) : NAN;
    struct candidate *made = isnan(ratio) ? NULL : warp(base);

    for (size_t i = 0; made && i < made->angles->pairs; i++)
        made->angles->w[0][i] *= variant == 0 ? sqrt(ratio) : ratio;
    return made;
}

/* A power in float32 may be a step beside the one that is rounded right: takes the step that
 * makes the last row, of a table or of vectors. */
static void choose_steps(struct candidate *made)
{
    const double turn = 2 * 3.14159265358979323846;
    struct angles *angles = made->angles;
    const uint64_t last = angles->rows > 0 ? angles->rows - 1 : 0;
    struct observed seen;

    if (!observe_applies(made) || !observe_init(&seen, made))
        return;
    observe(&seen, made, last);
    for (size_t i = 0; i < angles->pairs; i++) {
        const float w = (float)angles->w[0][i];
        const float steps[] = {w, nextafterf(w, 0), nextafterf(w, INFINITY)};
        double least = INFINITY;

        for (size_t j = 0; j < 3; j++) {
            const double angle =
                angles_round(ANGLES_F32, angles_position(angles, last) * (double)steps[j]);
            const double apart = remainder(atan2(seen.sine[i], seen.cosine[i]) - angle, turn);

            if (!(fabs(apart) < least))
                continue;
            least = fabs(apart);
            angles->w[0][i] = angles->w[1][i] = (double)steps[j];
        }
    }
    observe_fini(&seen);
}

/* The angles are so large that the second variant computes them in float32, as programs do. */
struct candidate *mistake_angle_not_inverted(const struct candidate *base, size_t variant)
{
    struct candidate *made = base->angles && base->angles->w[0] ? warp(base) : NULL;
    const enum angles_rounding rounding = variant == 0 ? ANGLES_REAL : ANGLES_F32;

    for (size_t i = 0; made && i < 2 * made->angles->pairs; i++)
        if (made->angles->w[0][i] != 0)
            made->angles->w[0][i] = angles_round(rounding, 1 / made->angles->w[0][i]);
    if (made && variant > 0) {
        made->angles->angle_rounding = rounding;
        choose_steps(made);
    }
    return made;
}

struct candidate *mistake_angle_frequencies_reversed(const struct candidate *base,
                                                     size_t variant)
{
    struct candidate *made = base->angles && base->angles->w[0] ? warp(base) : NULL;

    for (size_t part = 0; made && part < 2; part++) {
        double *w = made->angles->w[part];

        for (size_t i = 0, j = made->angles->pairs - 1; i < j; i++, j--) {
            double kept = w[i];

            w[i] = w[j];
            w[j] = kept;
        }
    }
    return made;
}

static struct candidate *scale_angles(const struct candidate *base, double by)
{
    struct candidate *made = warp(base);

    if (made)
        made->angles->angle_scale *= by;
    return made;
}

struct candidate *mistake_angle_degrees(const struct candidate *base, size_t variant)
{
    const double pi = 3.14159265358979323846;

    struct candidate *made = scale_angles(base, variant == 0 ? pi / 180 : 180 / pi);

    mistakes_tell(made, variant == 0 ? "degrees" : "radians",
                  variant == 0 ? "radians" : "degrees");
    return made;
}

struct candidate *mistake_angle_inverse(const struct candidate *base, size_t variant)
{
    return scale_angles(base, -1);
}

struct candidate *mistake_angle_rotated_twice(const struct candidate *base, size_t variant)
{
    struct candidate *made = turns(base) ? scale_angles(base, 2) : NULL;

    for (size_t i = 0; made && i < made->claim->subject_count; i++)
        if (!(made->spared >> i & 1))
            made->wave[i].amplitude *= made->wave[i].amplitude;
    return made;
}

struct candidate *mistake_angle_not_rotated(const struct candidate *base, size_t variant)
{
    struct candidate *made = turns(base) ? warp(base) : NULL;

    if (made)
        made->angles->still = true;
    for (size_t i = 0; made && i < made->claim->subject_count; i++)
        if (!(made->spared >> i & 1))
            made->wave[i].amplitude = 1;
    return made;
}

/* Returns how many pairs have a frequency: those of a proportional head that turn not at all
 * come last. */
static size_t count_turning(const struct angles *angles)
{
    size_t count = angles->pairs;

    while (angles->w[0] && count > 0 && angles->w[0][count - 1] == 0)
        count--;
    return count;
}

/* The partner of a column is half a head away, where half of the turned columns is right; or
 * next to all columns that turn. */
struct candidate *mistake_angle_partner(const struct candidate *base, size_t variant)
{
    struct candidate *made = turns(base) ? warp(base) : NULL;
    const size_t turning = made ? count_turning(made->angles) : 0;
    bool changed = false;

    for (size_t i = 0; made && i < made->claim->subject_count; i++) {
        struct wave *wave = &made->wave[i];
        const size_t cols = (size_t)candidate_cols(made, i);
        const size_t apart = variant == 0 ? cols / 2 : turning;

        if (made->spared >> i & 1 || wave->adjacent || apart == wave->pairs ||
            apart < turning || apart + turning > cols)
            continue;
        wave->apart = apart;
        wave->turning = turning;
        changed = true;
        mistakes_tell_numbers(made, (double)apart, (double)wave->pairs);
    }
    if (changed)
        return made;
    candidate_free(made);
    return NULL;
}

/* The table of one pairing, the rotation of the other; the second variant rotates as the claim
 * does not. */
struct candidate *mistake_angle_tiled_mismatch(const struct candidate *base, size_t variant)
{
    struct candidate *made = turns(base) ? warp(base) : NULL;

    for (size_t i = 0; made && i < made->claim->subject_count; i++) {
        if (made->spared >> i & 1)
            continue;
        made->wave[i].mismatched = true;
        made->wave[i].adjacent ^= variant == 1;
    }
    return made;
}
