/* SPDX-License-Identifier: Apache-2.0
 * mistake_turn.c - the two numbers of a pair are computed by a wrong formula: signs, terms or
 * results that are missing, or read after they were written. */
#include <stdio.h>

#include "core/verify/mistake/mistakes.h"

/* Formulas of (a, b), and what is said of each. */
static const struct {
    struct wave_formula formula;
    enum wave_again again;
    const char *says;
} formulas[] = {
    {{{TERM_COS, TERM_SIN}, {TERM_SIN, TERM_COS}, false, false},
     TURNED_ONCE,
     "rotate_half lacks its minus: a pair (a, b) becomes a cos + b sin, b cos + a sin"},
    {{{TERM_COS, TERM_MINUS}, {TERM_MINUS, TERM_COS}, false, false},
     TURNED_ONCE,
     "both sines have a minus: a pair (a, b) becomes a cos - b sin, b cos - a sin"},
    {{{TERM_COS, TERM_MINUS}, {TERM_SIN, TERM_COS}, true, false},
     TURNED_ONCE,
     "the pairs are turned in place: b is computed from the a that was already written over"},
    {{{TERM_COS, TERM_MINUS}, {TERM_SIN, TERM_COS}, false, true},
     TURNED_ONCE,
     "the pairs are turned in place: a is computed from the b that was already written over"},
    {{{TERM_COS, TERM_MINUS}, {TERM_NONE, TERM_ONE}, false, false},
     TURNED_ONCE,
     "only the first column of each pair is written, the second stays as it was"},
    {{{TERM_ONE, TERM_NONE}, {TERM_SIN, TERM_COS}, false, false},
     TURNED_ONCE,
     "only the second column of each pair is written, the first stays as it was"},
    {{{TERM_COS, TERM_NONE}, {TERM_NONE, TERM_COS}, false, false},
     TURNED_ONCE,
     "the term of the sines is left out: a pair (a, b) becomes a cos, b cos"},
    {{{TERM_ONE, TERM_MINUS}, {TERM_SIN, TERM_ONE}, false, false},
     TURNED_ONCE,
     "the cosines are left out: a pair (a, b) becomes a - b sin, b + a sin"},
    {{{TERM_MINUS, TERM_COS}, {TERM_COS, TERM_SIN}, false, false},
     TURNED_ONCE,
     "the columns of a pair are exchanged before they turn: each has the other's place"},
    {{{TERM_LESS, TERM_NONE}, {TERM_NONE, TERM_PLUS}, false, false},
     TURNED_ONCE,
     "each column is its own partner: a pair (a, b) becomes a cos - a sin, b cos + b sin"},
    {{{TERM_COS, TERM_MINUS}, {TERM_SIN, TERM_COS}, false, false}, TURNED_AFTER, ""},
    {{{TERM_COS, TERM_MINUS}, {TERM_SIN, TERM_COS}, false, false}, TURNED_BEFORE, ""},
};

static void say(struct candidate *made, size_t variant, const struct wave *wave)
{
    static const char *const pairs[] = {"halves (i and i + d/2)",
                                        "adjacent columns (2i, 2i + 1)"};
    const size_t first = wave->adjacent ^ (wave->again == TURNED_BEFORE);

    if (wave->again == TURNED_ONCE)
        snprintf(made->says, sizeof made->says, "%s", formulas[variant].says);
    else
        snprintf(made->says, sizeof made->says,
                 "the vectors are turned twice: by pairs of %s and then by pairs of %s",
                 pairs[first], pairs[!first]);
}

struct candidate *mistake_turn_formula(const struct candidate *base, size_t variant)
{
    const bool turns = base->wave[0].kind == WAVE_TURN && base->angles;
    struct candidate *made = turns && variant < PE_LEN(formulas) ? candidate_copy(base) : NULL;

    for (size_t i = 0; made && i < made->claim->subject_count; i++) {
        struct wave *wave = &made->wave[i];

        if (made->spared >> i & 1)
            continue;
        wave->formula = &formulas[variant].formula;
        wave->again = formulas[variant].again;
        say(made, variant, wave);
    }
    if (made)
        made->warped = true;
    return made;
}
