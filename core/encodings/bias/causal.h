/* SPDX-License-Identifier: Apache-2.0
 * causal.h - future keys: whether a bias masks them, and the value that it holds there. */
#pragma once

#include <float.h>

#include "core/encodings/mask/masks.h"

enum { CAUSAL_MASKED, CAUSAL_ZERO };

struct causal {
    bool causal;
    int future;
    double mask_value;
};

extern const struct pe_choice causal_choices[];

/* AT names the member of TYPE that holds the mask_value, WHEN the condition of the row. */
#define CAUSAL_MASK_ROW(TYPE, AT, WHEN)                                                        \
    {                                                                                          \
        .name = "mask_value", .offset = offsetof(TYPE, AT), .type = PE_REAL, .min = -DBL_MAX,  \
        .max = DBL_MAX, .preset = -DBL_MAX, .words = masks_values, .when = (WHEN),             \
        .summary = "value of masked entries, -inf or a number; min is "                        \
                   "the lowest finite one of the dtype"                                        \
    }

/* Rows of parameters for a struct TYPE with a member `struct causal PART`. MASKED: when entries
 * are masked. */
#define CAUSAL_ROWS(TYPE, PART, MASKED)                                                        \
    {PE_FIELD_OF(TYPE, PART, causal), .type = PE_BOOL},                                        \
        {PE_FIELD_OF(TYPE, PART, future), .type = PE_CHOICE, .choices = causal_choices,        \
         .when = "causal", .summary = "what the entries of keys after the query hold"},        \
        CAUSAL_MASK_ROW(TYPE, PART.mask_value, MASKED)
#define CAUSAL_WHEN "causal&future=masked"

/* An encoding's resolve calls this: parameters that have no effect become absent. */
void causal_resolve(struct causal *future);
/* An encoding's check calls this. It fails if a parameter was given without effect, or if the
 * dtype of the output cannot hold mask_value. at: offset of the struct causal. */
void causal_check(const struct pe_args *args, size_t at, size_t output,
                  struct pe_errors *errors);
/* Fails if the dtype of the output cannot hold mask_value. */
void causal_check_value(const struct pe_args *args, double mask_value, size_t output,
                        struct pe_errors *errors);
/* Returns the value that masked entries of the output hold. */
double causal_mask(const struct pe_args *args, double mask_value, size_t output);
