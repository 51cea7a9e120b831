/* SPDX-License-Identifier: Apache-2.0
 * causal.h - keys after their query: whether a bias counts them, and what it holds there. */
#ifndef PE_ENCODINGS_CAUSAL_H
#define PE_ENCODINGS_CAUSAL_H

#include <float.h>

#include "core/encodings/mask/masks.h"

enum { CAUSAL_MASKED, CAUSAL_ZERO };

struct causal {
    bool causal;
    int future;
    double mask_value;
};

extern const struct pe_choice causal_choices[];

/* AT names the member of TYPE that holds the mask_value. */
#define CAUSAL_MASK_ROW(TYPE, AT)                                                              \
    {                                                                                          \
        .name = "mask_value", .offset = offsetof(TYPE, AT), .type = PE_REAL, .min = -DBL_MAX,  \
        .max = DBL_MAX, .preset = -DBL_MAX, .words = masks_values,                             \
        .summary = "value of masked entries; min is the "                                      \
                   "lowest finite one of the dtype"                                            \
    }

/* Rows of parameters for a struct TYPE with a member `struct causal PART`. */
#define CAUSAL_ROWS(TYPE, PART)                                                                \
    {PE_FIELD_OF(TYPE, PART, causal), .type = PE_BOOL, .summary = "the future is no key"},     \
        {PE_FIELD_OF(TYPE, PART, future), .type = PE_CHOICE, .choices = causal_choices,        \
         .summary = "what future entries hold when causal"},                                   \
        CAUSAL_MASK_ROW(TYPE, PART.mask_value)

/* For resolve: parameters that decide nothing become absent. */
void causal_resolve(struct causal *future);
/* For check: nothing was given without effect, and the dtype of the output can hold the value.
 * at: offset of the struct causal. */
void causal_check(const struct pe_args *args, size_t at, size_t output,
                  struct pe_errors *errors);
/* For check: the dtype of the output can hold the value. */
void causal_check_value(const struct pe_args *args, double mask_value, size_t output,
                        struct pe_errors *errors);
/* The value that masked entries of the output hold. */
double causal_mask(const struct pe_args *args, double mask_value, size_t output);

#endif
