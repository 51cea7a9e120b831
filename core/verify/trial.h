/* SPDX-License-Identifier: Apache-2.0
 * trial.h - tests hypotheses one after the other, and keeps what explains and what comes
 * near. */
#pragma once

#include "core/verify/suspect.h"

enum { SEARCH_FOUND = 1 + PE_VERIFY_OTHERS, SEARCH_BEAM = 10 };
/* An explanation brings the tensors nearer by this factor at least: numbers that are as far
 * from it as from the claim are not explained, however wide its bound is. */
#define TRIAL_NEARER 8.0
/* A hypothesis is the first of two only where it leaves at most this share of the claim's mean
 * distance, if that is the mean of so many elements: of numbers that no arithmetic has made,
 * each leaves about all of it. */
#define TRIAL_LEFT 0.97
enum { TRIAL_TELLING = 256 };

struct search {
    struct claim *claim;
    struct suspect found[SEARCH_FOUND]; /* explanations, the first the simplest */
    size_t found_count;
    struct suspect beam[SEARCH_BEAM]; /* single hypotheses that come nearest */
    size_t beam_count;
    struct suspect nearest; /* the nearest of all */
    /* Distances of the tensors from the claim, infinite where it has another shape: the largest
     * of all, the mean of the sample, and the mean of the rows by which hypotheses are ranked,
     * which is infinite also where they have fewer than TRIAL_TELLING elements. */
    double without, without_mean, near_mean;
    uint64_t tested;
    bool reading;  /* mistakes that are read from the numbers are tried, and no others */
    bool measured; /* how near single hypotheses come is measured, not only whether they
                    * explain */
    bool spent;    /* it was stopped, or has taken its operations or hypotheses */
};

/* Tests a suspect, of whose last hypothesis a parameter that it needs besides is tried with the
 * values of a short list (depth 0; 2: it is not). Returns whether it explains. */
bool trial_test(struct search *search, const struct suspect *suspect, int depth);
/* Tests all values of a list, or all mistakes, beside the first hypothesis, which may be
 * NULL; base is its candidate, or NULL. Returns whether one explains. */
bool trial_values(struct search *search, const struct hypotheses *list,
                  const struct suspect *first);
bool trial_mistakes(struct search *search, const struct suspect *first,
                    const struct candidate *base);
/* Returns whether the search must end: it was stopped, or has tested too many hypotheses. */
bool trial_is_spent(struct search *search);
