/* SPDX-License-Identifier: Apache-2.0
 * mistakes.h - the rows of mistakes.def: each makes from a candidate the one that made the same
 * mistake besides. The function of a row stands in the file that its name begins with:
 * mistake_angle_inverse in mistake_angle.c. */
#pragma once

#include "core/verify/candidate.h"

struct mistake {
    struct pe_mistake_row row;
    /* Returns a new candidate with a variant of the mistake, from number `first` on; NULL where
     * it does not apply, or without memory. mistakes_make alone calls it. */
    struct candidate *(*make)(const struct candidate *base, size_t variant);
    size_t first, variants;
    double price;
    unsigned flags; /* of enum mistake_flags */
};

/* Flags of the rows, which the head of mistakes.def explains. */
enum mistake_flags { HIDES = 1, RESHAPES = 2, LAST = 4, READ = 8, FINE = 16 };

#define MISTAKE(SLUG, ID, FIRST, VARIANTS, PRICE, FLAGS, SUMMARY)                              \
    struct candidate *mistake_##ID(const struct candidate *base, size_t variant);
#include "core/verify/mistake/mistakes.def"
#undef MISTAKE

extern const struct mistake mistakes[];

/* Makes a candidate with a mistake besides; NULL as `make` of the row says, and where a tensor
 * has not the shape of the candidate's numbers, unless the mistake explains shapes: there are
 * no numbers to compare yet. */
struct candidate *mistakes_make(const struct mistake *mistake, const struct candidate *base,
                                size_t variant);
/* Sets the one parameter whose value `found` says the same as the mistake. */
void mistakes_repair(struct candidate *candidate, const char *parameter, const char *found);
/* Tells the values of the mistake that is made, for its sentence: that of the numbers, and the
 * right one. The candidate may be NULL; a mistake tells them once. */
void mistakes_tell(struct candidate *made, const char *found, const char *expected);
/* Tell the value of the tensors and the right one, which are numbers. */
void mistakes_tell_numbers(struct candidate *made, double found, double expected);
/* Returns the ratio of adjoining frequencies, which an unscaled ladder has; NAN if it
 * varies. */
double mistake_angle_ratio(const struct angles *angles);
/* Parts of mistakes of positions that are about lengths of sequences, and about padding. */
struct candidate *mistake_mask_one_sequence(const struct candidate *base);
struct candidate *mistake_mask_no_padding(const struct candidate *base);
struct candidate *mistake_mask_padding_counted(const struct candidate *base);
/* The part of transposed that is about the order of a grid's tokens. */
struct candidate *mistake_axes_by_columns(const struct candidate *base);
/* The parts of rows-shuffled and of sign-lost that compare rows, where positions cannot be
 * read. */
struct candidate *mistake_rows_moved(const struct candidate *base);
struct candidate *mistake_rows_mirrored(const struct candidate *base);
/* Makes the claim's candidate with one more parameter changed, seen as the candidate sees its
 * tensors: where the parameter gives numbers of another shape, it is not fitted. NULL if it has
 * no such parameter, or if its angles or numbers are changed already. */
struct candidate *mistakes_change(const struct candidate *base, const char *parameter,
                                  const char *text);
/* Returns a copy of the candidate whose numbers are mapped by `what`; NULL if the candidate
 * maps its numbers already, or without memory. */
struct candidate *mistakes_map(const struct candidate *base, enum candidate_map what);
/* Returns whether the claim's first tensor is the output of this name. */
bool mistakes_is_output(const struct candidate *base, const char *name);
