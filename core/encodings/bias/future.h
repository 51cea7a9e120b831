/* SPDX-License-Identifier: Apache-2.0
 * future.h - keys after their query: whether a bias counts them, and what it holds there. */
#ifndef PE_ENCODINGS_FUTURE_H
#define PE_ENCODINGS_FUTURE_H

#include <float.h>

#include "core/encodings/mask/masks.h"

enum { FUTURE_MASKED, FUTURE_ZERO };

struct future {
    bool causal;
    int future;
    double mask_value;
};

extern const struct pe_choice future_choices[];

/* AT: where in TYPE the mask_value is. */
#define FUTURE_MASK_ROW(TYPE, AT)                                                              \
    {                                                                                          \
        .name = "mask_value", .offset = offsetof(TYPE, AT), .type = PE_REAL, .min = -DBL_MAX,  \
        .max = DBL_MAX, .preset = -DBL_MAX, .words = masks_values,                             \
        .summary = "value of masked entries; min is the "                                      \
                   "lowest finite one of the dtype"                                            \
    }

/* Rows of parameters for a struct TYPE with a member `struct future PART`. */
#define FUTURE_ROWS(TYPE, PART)                                                                \
    {PE_FIELD_OF(TYPE, PART, causal), .type = PE_BOOL, .summary = "the future is no key"},     \
        {PE_FIELD_OF(TYPE, PART, future), .type = PE_CHOICE, .choices = future_choices,        \
         .summary = "what future entries hold when causal"},                                   \
        FUTURE_MASK_ROW(TYPE, PART.mask_value)

/* For resolve: what decides nothing is absent. */
void future_resolve(struct future *future);
/* For check: nothing was given without effect, and the dtype of the output has the value.
 * at: offset of the struct future. */
enum pe_status future_check(const struct pe_args *args, size_t at, size_t output,
                            struct pe_errors *errors);
/* For check: the output's dtype has the value. */
enum pe_status future_check_value(const struct pe_args *args, double mask_value, size_t output,
                                  struct pe_errors *errors);
/* What masked entries of the output hold. */
double future_mask(const struct pe_args *args, double mask_value, size_t output);

#endif
