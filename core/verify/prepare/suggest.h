/* SPDX-License-Identifier: Apache-2.0
 * suggest.h - the values that a claim leaves out and the shapes of its tensors may say. */
#pragma once

#include "core/verify/view.h"

enum { SUGGEST_TEXT = 2048 }; /* the positions of a padded batch are a long list */

/* Tensors with their roles. */
struct judged {
    const struct view *views;
    const struct pe_verify_role *roles;
    size_t count;
};

/* Returns whether a shape says the value of the parameter. */
bool suggest_is_for(const struct pe_param *param);
/* Writes value number `i` that the parameter may have, the likeliest first; false: there are no
 * more. */
bool suggest(const struct judged *judged, const struct pe_param *param, size_t i,
             char text[SUGGEST_TEXT]);
/* Tells beside a missing window how many keys the last query of a mask sees, where it does not
 * see all. */
void suggest_window(const struct judged *judged, struct pe_errors *errors);
/* Returns the number of sequences of a batch, which have *length rows each; 1: it is none. */
uint64_t suggest_batch_of(const struct judged *judged, const struct pe_param *param,
                          uint64_t *length);
