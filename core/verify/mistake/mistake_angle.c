/* SPDX-License-Identifier: Apache-2.0
 * mistake_angle.c - mistakes of frequencies and angles: rounded too early, of another
 * exponent, in another unit. */
#include <math.h>
#include <stdlib.h>

#include "core/verify/mistake/mistakes.h"

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

static struct candidate *round_positions(const struct candidate *base,
                                         enum angles_rounding rounding)
{
    static const enum candidate_map maps[] =
        {[ANGLES_F32] = MAP_F32, [ANGLES_F16] = MAP_F16, [ANGLES_BF16] = MAP_BF16};
    const bool ids = base->enc->family == PE_INDEX && base->map == MAP_NONE;
    struct candidate *made;

    if (ids) { /* the numbers are positions themselves */
        made = candidate_copy(base);
        if (made)
            made->map = maps[rounding];
        return made;
    }
    made = base->angles && base->angles->pos ? warp(base) : NULL;
    if (made)
        made->angles->position_rounding = rounding;
    return made;
}

struct candidate *mistake_angle_positions_bf16(const struct candidate *base, size_t variant)
{
    return round_positions(base, ANGLES_BF16);
}

struct candidate *mistake_angle_positions_f16(const struct candidate *base, size_t variant)
{
    return round_positions(base, ANGLES_F16);
}

struct candidate *mistake_angle_positions_f32(const struct candidate *base, size_t variant)
{
    return round_positions(base, ANGLES_F32);
}

static struct candidate *round_frequencies(const struct candidate *base,
                                           enum angles_rounding rounding)
{
    struct candidate *made = base->angles && base->angles->w[0] ? warp(base) : NULL;

    for (size_t i = 0; made && i < 2 * made->angles->pairs; i++)
        made->angles->w[0][i] = angles_round(rounding, made->angles->w[0][i]);
    return made;
}

struct candidate *mistake_angle_inv_freq_bf16(const struct candidate *base, size_t variant)
{
    return round_frequencies(base, ANGLES_BF16);
}

struct candidate *mistake_angle_inv_freq_f16(const struct candidate *base, size_t variant)
{
    return round_frequencies(base, ANGLES_F16);
}

static struct candidate *round_angles(const struct candidate *base,
                                      enum angles_rounding rounding)
{
    struct candidate *made = warp(base);

    if (made)
        made->angles->angle_rounding = rounding;
    return made;
}

/* The second variant rounds the frequencies too: all of the product is done in that dtype. */
static struct candidate *round_product(const struct candidate *base, size_t variant,
                                       enum angles_rounding rounding)
{
    struct candidate *frequencies, *positions, *made = NULL;

    if (variant == 0)
        return round_angles(base, rounding);
    frequencies = round_frequencies(base, rounding);
    positions = frequencies ? round_positions(frequencies, rounding) : NULL;
    if (positions)
        made = round_angles(positions, rounding);
    candidate_free(frequencies);
    candidate_free(positions);
    return made;
}

struct candidate *mistake_angle_angles_bf16(const struct candidate *base, size_t variant)
{
    return round_product(base, variant, ANGLES_BF16);
}

struct candidate *mistake_angle_angles_f16(const struct candidate *base, size_t variant)
{
    return round_product(base, variant, ANGLES_F16);
}

struct candidate *mistake_angle_f32_angle(const struct candidate *base, size_t variant)
{
    return round_product(base, 1, ANGLES_F32);
}

/* Returns the ratio of adjoining frequencies, which an unscaled ladder has; NAN if it
 * varies. */
static double ratio_of(const struct angles *angles)
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

/* Exponents over the width of the head where only a part turns, or over another multiple. */
struct candidate *mistake_angle_exponent_dim(const struct candidate *base, size_t variant)
{
    const double dim = number_of(base, "dim");
    struct candidate *made;
    double by;

    if (!base->angles || isnan(ratio_of(base->angles)))
        return NULL;
    const double width = 2 * (double)base->angles->pairs;
    const double divisors[] = {dim, 2 * width, 4 * width, width / 2};
    by = width / divisors[variant];
    if (!(by > 0) || by == 1 || (variant > 0 && divisors[variant] == dim))
        return NULL;
    made = warp(base);
    for (size_t i = 0; made && i < 2 * made->angles->pairs; i++)
        made->angles->w[0][i] = pow(made->angles->w[0][i], by);
    return made;
}

/* Exponents i / (m - 1) in place of i / m for m pairs, and the reverse; a ladder that is a
 * parameter is one of the schema. */
struct candidate *mistake_angle_closed_ladder(const struct candidate *base, size_t variant)
{
    struct candidate *made;

    if (!base->angles || isnan(ratio_of(base->angles)) || claim_text(base->claim, "ladder"))
        return NULL;
    const double pairs = (double)base->angles->pairs;
    made = warp(base);
    for (size_t i = 0; made && i < 2 * made->angles->pairs; i++)
        made->angles->w[0][i] = pow(made->angles->w[0][i],
                                    variant == 0 ? pairs / (pairs - 1) : (pairs - 1) / pairs);
    return made;
}

/* Index + 1, index - 1, and index + 1/2: exponents that begin at an odd column. */
struct candidate *mistake_angle_exponent_offset(const struct candidate *base, size_t variant)
{
    static const double steps[] = {1, -1, 0.5};
    double ratio = base->angles ? ratio_of(base->angles) : NAN;
    struct candidate *made = isnan(ratio) ? NULL : warp(base);

    for (size_t i = 0; made && i < 2 * made->angles->pairs; i++)
        made->angles->w[0][i] *= pow(ratio, steps[variant]);
    return made;
}

/* Each column has an exponent of its own: cosines half a step after their sines, or as if
 * columns were counted as pairs. */
struct candidate *mistake_angle_cos_frequency(const struct candidate *base, size_t variant)
{
    double ratio = base->angles ? ratio_of(base->angles) : NAN;
    struct candidate *made = isnan(ratio) ? NULL : warp(base);

    for (size_t i = 0; made && i < made->angles->pairs; i++)
        made->angles->w[0][i] *= variant == 0 ? sqrt(ratio) : ratio;
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

/* w = kept + divided - w, with the frequencies of scaling=none and their factor-th part. */
struct candidate *mistake_angle_ramp_inverted(const struct candidate *base, size_t variant)
{
    const double factor = number_of(base, "factor");
    struct candidate *plain =
        base->angles && factor > 0 ? mistakes_change(base, "scaling", "none") : NULL;
    struct candidate *made = NULL;

    if (plain && plain->angles && plain->angles->pairs == base->angles->pairs &&
        plain->angles->w[0] && base->angles->w[0])
        made = warp(base);
    for (size_t i = 0; made && i < 2 * made->angles->pairs; i++) {
        const double kept = plain->angles->w[0][i];

        made->angles->w[0][i] = kept + kept / factor - base->angles->w[0][i];
    }
    candidate_free(plain);
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

    return scale_angles(base, variant == 0 ? pi / 180 : 180 / pi);
}

struct candidate *mistake_angle_inverse(const struct candidate *base, size_t variant)
{
    return scale_angles(base, -1);
}

struct candidate *mistake_angle_rotated_twice(const struct candidate *base, size_t variant)
{
    struct candidate *made = scale_angles(base, 2);

    for (size_t i = 0; made && turns(base) && i < made->claim->subject_count; i++)
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
