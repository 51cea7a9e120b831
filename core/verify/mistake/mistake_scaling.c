/* SPDX-License-Identifier: Apache-2.0
 * mistake_scaling.c - mistakes of the rules that stretch a context: the blend of kept and
 * divided frequencies turned over, and factors that multiply where they divide. */
#include <math.h>
#include <stdlib.h>

#include "core/verify/mistake/mistakes.h"

/* The claim's frequencies and those of scaling=none, of as many pairs. */
struct scaled {
    struct candidate *plain, *made; /* made: what the mistake changes */
    double factor;                  /* NAN: the claim has none */
    size_t count;                   /* frequencies of cosines and of sines */
};

/* Makes both; false where a scaling has not changed the claim's frequencies. */
static bool scaled_init(struct scaled *scaled, const struct candidate *base)
{
    const char *factor = claim_text(base->claim, "factor");

    *scaled = (struct scaled){.factor = factor ? strtod(factor, NULL) : NAN};
    scaled->plain =
        base->angles && base->angles->w[0] ? mistakes_change(base, "scaling", "none") : NULL;
    if (scaled->plain && scaled->plain->angles && scaled->plain->angles->w[0] &&
        scaled->plain->angles->pairs == base->angles->pairs)
        scaled->made = candidate_copy(base);
    if (!scaled->made)
        return false;
    scaled->made->warped = true;
    scaled->count = 2 * base->angles->pairs;
    return true;
}

/* Returns what was made if it was changed; frees the rest. */
static struct candidate *scaled_end(struct scaled *scaled, bool changed)
{
    candidate_free(scaled->plain);
    if (changed)
        return scaled->made;
    candidate_free(scaled->made);
    return NULL;
}

/* Exchanges the blend of a frequency: kept + divided - w, with the one of scaling=none and its
 * factor-th part. Where only blended ones are exchanged, the others stay. Returns whether it
 * was exchanged and was not divided: a scaling that divides all has no blend. */
static bool exchange_blend(double *w, double kept, double factor, bool blended_only)
{
    const double divided = kept / factor, near = 1e-9 * kept;

    const bool is_divided = fabs(*w - divided) <= near;

    if (blended_only && (fabs(*w - kept) <= near || is_divided))
        return false;
    *w = kept + divided - *w;
    return !is_divided;
}

/* The whole blend is exchanged, or the part of it between both ends. */
struct candidate *mistake_scaling_ramp_inverted(const struct candidate *base, size_t variant)
{
    struct scaled scaled;
    bool exchanged = false;

    if (scaled_init(&scaled, base) && scaled.factor > 0)
        for (size_t i = 0; i < scaled.count; i++)
            if (exchange_blend(&scaled.made->angles->w[0][i], scaled.plain->angles->w[0][i],
                               scaled.factor, variant == 1))
                exchanged = true;
    return scaled_end(&scaled, exchanged);
}

/* Finds the pairs between which a ramp rises from 0 to 1 on a line, from two of its shares;
 * false if it is none. */
static bool find_ramp(const struct scaled *scaled, const double *w, double *low, double *high)
{
    double before = 0, slope = 0;

    *low = 0;
    for (size_t i = 0; i < scaled->count / 2; i++) {
        const double kept = scaled->plain->angles->w[0][i];
        const double share = (kept - w[i]) / (kept - kept / scaled->factor);

        if (share > 1e-9 && share < 1 - 1e-9 && before > 1e-9) {
            slope = share - before;
            *low = (double)i - share / slope;
        }
        before = share;
    }
    *high = slope > 0 ? *low + 1 / slope : 0;
    return slope > 0;
}

/* The ramp begins where it should end. Both ends are whole where they are rounded outwards: one
 * pair lies between each of them and the one that is rounded the other way. */
struct candidate *mistake_scaling_betas_exchanged(const struct candidate *base, size_t variant)
{
    struct scaled scaled;
    double low = 0, high = 0;
    const bool ramped = scaled_init(&scaled, base) && scaled.factor > 1 &&
                        find_ramp(&scaled, base->angles->w[0], &low, &high);
    const bool rounded =
        ramped && fabs(low - nearbyint(low)) < 1e-6 && fabs(high - nearbyint(high)) < 1e-6;
    const double first = rounded ? high - 1 : high, last = rounded ? low + 1 : low;

    for (size_t i = 0; ramped && i < scaled.count; i++) {
        const double pair = (double)(i % (scaled.count / 2));
        const double kept = scaled.plain->angles->w[0][i];
        const double share = fmin(fmax((pair - first) / (last - first), 0), 1);

        scaled.made->angles->w[0][i] = kept / scaled.factor * share + kept * (1 - share);
    }
    return scaled_end(&scaled, ramped && first != last);
}

/* Frequencies are multiplied by what they should be divided by. */
struct candidate *mistake_scaling_multiplied(const struct candidate *base, size_t variant)
{
    struct scaled scaled;
    bool changed = false;

    if (scaled_init(&scaled, base))
        for (size_t i = 0; i < scaled.count; i++) {
            const double kept = scaled.plain->angles->w[0][i], w = base->angles->w[0][i];

            scaled.made->angles->w[0][i] = w > 0 ? kept * kept / w : w;
            changed = changed || fabs(w - kept) > 1e-9 * kept;
        }
    return scaled_end(&scaled, changed);
}
