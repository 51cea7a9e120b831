/* SPDX-License-Identifier: Apache-2.0
 * alibi.h - arguments of ALiBi, and how its forms fill outputs. */
#pragma once

#include "core/encodings/bias/causal.h"
#include "core/encodings/bias/query_key.h"
#include "core/math/relative/slopes.h"

enum alibi_output { ALIBI_BIAS, ALIBI_TOEPLITZ, ALIBI_SLOPES, ALIBI_PADDED_BIAS };

enum alibi_form {
    FORM_SYMMETRIC,
    FORM_DISTANCE,
    FORM_SIGNED,
    FORM_KEY_INDEX,
    FORM_LAST_QUERY,
    FORM_TRIL,
    FORM_SQRT,
    FORM_ASYMMETRIC,
    FORM_TWO_SIDED,
    FORM_MANHATTAN,
    FORM_EUCLIDEAN,
};
enum { APPLIES_AFTER, APPLIES_BEFORE };

struct alibi {
    struct query_key pairs;
    int64_t heads, partial_heads;
    struct causal future;
    double bias_max, length_scale, softmax_scale;
    struct pe_reals slopes, slopes_left, slopes_right, attention_mask;
    struct pe_grid grid;
    int distance_kind, non_pow2, slope_order, applies;
};

struct alibi_forms { /* the state that a plan's fillers read */
    const struct alibi *alibi;
    struct slope *slopes, *right; /* [heads]; right is used by the form two-sided alone */
    double mask;                  /* value of masked entries, in the plan's dtype */
    bool narrow;                  /* values will be rounded to float32 or a narrower type */
    double last_key;              /* position of the last key, for the form last-query */
    struct toeplitz matrix;       /* the outputs bias and toeplitz */
};

/* Returns NULL when out of memory. */
struct alibi_forms *alibi_forms_new(struct pe_build *build, const struct alibi *alibi);
/* Returns the operations that toeplitz_fill takes for the matrix. */
double alibi_forms_plan_ns(const struct alibi *alibi);
void alibi_forms_fill_padded(struct pe_build *build, size_t group,
                             const struct alibi_forms *forms);
