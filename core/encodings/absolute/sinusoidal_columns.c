/* SPDX-License-Identifier: Apache-2.0
 * sinusoidal_columns.c - the frequencies of a row of sines and cosines, and the columns that
 * each has, in every layout and for every policy of an odd width. */
#include <math.h>

#include "core/encodings/absolute/sinusoidal.h"

size_t sinusoidal_pairs(const struct sinusoidal *s)
{
    bool rounds_up = s->odd == ODD_EXTRA_SIN || s->odd == ODD_CEIL_TRUNCATE;

    return (size_t)(s->dim + rounds_up) / 2;
}

struct frequency_ladder sinusoidal_ladder(const struct sinusoidal *s)
{
    size_t pairs = sinusoidal_pairs(s);
    /* extra-sin and zero-last divide by dim itself, the other policies by twice their pairs */
    bool by_dim = s->odd == ODD_EXTRA_SIN || s->odd == ODD_ZERO_LAST;
    double open = by_dim ? (double)s->dim / 2 : (double)pairs;
    double closed = pairs > 1 ? (double)(pairs - 1) : 1;

    return (struct frequency_ladder){
        .base = s->base,
        .denominator = s->ladder == LADDER_CLOSED ? closed
                       : open > 0                 ? open
                                                  : 1,
        .count = pairs,
        .multiplier = s->scale,
        .divisor = s->granularity,
        .min_scale = isnan(s->min_timescale) ? 0 : s->min_timescale,
    };
}

/* The leading wave (sines, or cosines in the -cs layouts) has the even columns or the first
 * half, the other wave has the rest; where the width is odd, one of the two waves has a column
 * more or less. */
size_t sinusoidal_bands(const struct sinusoidal *s,
                        struct rotation_band bands[ROTATION_MAX_BANDS])
{
    bool adjoining = s->layout == LAYOUT_CONCAT || s->layout == LAYOUT_CONCAT_CS;
    bool cosine_first = s->layout == LAYOUT_INTERLEAVED_CS || s->layout == LAYOUT_CONCAT_CS;
    enum rotation_wave leading = cosine_first ? ROTATION_COS : ROTATION_SIN;
    enum rotation_wave other = cosine_first ? ROTATION_SIN : ROTATION_COS;
    size_t pairs = sinusoidal_pairs(s), dim = (size_t)s->dim;
    size_t lead = pairs, follow = pairs, step = adjoining ? 1 : 2, count = 0, second;
    bool zero_in_lead = s->odd == ODD_ZERO_LAST && dim % 2 == 1;

    if (dim % 2 == 1 && s->odd == ODD_EXTRA_SIN && cosine_first)
        lead--; /* extra-sin: the unpaired wave is a sine in every layout */
    else if (dim % 2 == 1 && (s->odd == ODD_EXTRA_SIN || s->odd == ODD_CEIL_TRUNCATE))
        follow--;
    second = adjoining ? lead + zero_in_lead : 1;
    if (lead > 0)
        bands[count++] = (struct rotation_band){0, leading, 0, lead, 0, step};
    if (follow > lead && !adjoining) { /* c0 s0 c1 s1 s2: the last sine follows a sine */
        if (lead > 0)
            bands[count++] = (struct rotation_band){0, other, 0, lead, 1, 2};
        bands[count++] = (struct rotation_band){0, other, lead, 1, dim - 1, 1};
    } else if (follow > 0) {
        bands[count++] = (struct rotation_band){0, other, 0, follow, second, step};
    }
    if (zero_in_lead)
        bands[count++] =
            (struct rotation_band){0, ROTATION_ZERO, 0, 1, adjoining ? lead : dim - 1, 1};
    else if (s->odd == ODD_ZERO_PAD && dim % 2 == 1)
        bands[count++] = (struct rotation_band){0, ROTATION_ZERO, 0, 1, dim - 1, 1};
    return count;
}
