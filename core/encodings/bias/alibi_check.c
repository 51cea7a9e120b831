/* SPDX-License-Identifier: Apache-2.0
 * alibi_check.c - rules between ALiBi's parameters, and what would be right. */
#include <float.h>
#include <math.h>

#include "core/encodings/bias/alibi.h"

bool alibi_check_matrix(const struct pe_args *args)
{
    return pe_wants(args, ALIBI_BIAS) || pe_wants(args, ALIBI_TOEPLITZ);
}

bool alibi_check_hides(const struct alibi *a)
{
    return (a->causal && a->future == CAUSAL_MASKED) || a->form == FORM_ASYMMETRIC;
}

static void check_list(const struct alibi *a, const char *name, const struct pe_reals *list,
                       struct pe_errors *errors)
{
    if (list->rows > 0 && list->cols != (size_t)a->heads)
        pe_fail(errors, PE_CONFLICT, name, "must have one slope a head, %lld; got %zu",
                (long long)a->heads, list->cols);
}

static void check_slopes(const struct pe_args *args, const struct alibi *a,
                         struct pe_errors *errors)
{
    bool two_sided = a->form == FORM_TWO_SIDED && alibi_check_matrix(args);
    bool by_rule = PE_GIVEN(args, struct alibi, bias_max) ||
                   PE_GIVEN(args, struct alibi, non_pow2) ||
                   PE_GIVEN(args, struct alibi, order);

    check_list(a, "slopes", &a->slopes, errors);
    check_list(a, "slopes_left", &a->slopes_left, errors);
    check_list(a, "slopes_right", &a->slopes_right, errors);
    if ((a->slopes.rows > 0 || two_sided) && by_rule)
        pe_fail(
            errors, PE_CONFLICT, a->slopes.rows ? "slopes" : "form",
            "takes slopes as given: bias_max, non_pow2 and order have no effect; leave them "
            "out");
    if (two_sided && a->slopes.rows > 0)
        pe_fail(errors, PE_CONFLICT, "slopes",
                "has no effect with form=two-sided, which takes slopes_left and slopes_right");
    if (two_sided && (a->slopes_left.rows == 0 || a->slopes_right.rows == 0))
        pe_fail(errors, PE_MISSING_PARAMETER,
                a->slopes_left.rows ? "slopes_right" : "slopes_left",
                "is required with form=two-sided");
    if (!two_sided && (a->slopes_left.rows > 0 || a->slopes_right.rows > 0))
        pe_fail(errors, PE_CONFLICT, a->slopes_left.rows ? "slopes_left" : "slopes_right",
                "has no effect without form=two-sided");
    if (a->partial_heads < a->heads)
        pe_fail(errors, PE_CONFLICT, "partial_heads", "must be at least heads, %lld; got %lld",
                (long long)a->heads, (long long)a->partial_heads);
    if (a->applies == APPLIES_BEFORE && isnan(a->softmax_scale))
        pe_fail(errors, PE_MISSING_PARAMETER, "softmax_scale",
                "is required with applies=before_scale");
    if (a->applies == APPLIES_AFTER && !isnan(a->softmax_scale))
        pe_fail(errors, PE_CONFLICT, "softmax_scale",
                "has no effect without applies=before_scale");
}

static bool on_grid(const struct alibi *a)
{
    return a->form == FORM_MANHATTAN || a->form == FORM_EUCLIDEAN;
}

static void check_grid(const struct alibi *a, struct pe_errors *errors)
{
    double low, high, patches = (double)(a->grid.height * a->grid.width);

    if (!on_grid(a)) {
        if (a->grid.height > 0)
            pe_fail(errors, PE_CONFLICT, "grid",
                    "has no effect without form=manhattan or form=euclidean");
        return;
    }
    if (a->grid.height == 0) {
        pe_fail(errors, PE_MISSING_PARAMETER, "grid", "is required with this form, as 14x14");
        return;
    }
    if (a->causal)
        pe_fail(errors, PE_CONFLICT, "causal", "must be 0 on a grid, which has no future");
    for (int i = 0; i < 2; i++) {
        pe_positions_range(i ? a->pairs.k : a->pairs.q, &low, &high);
        if (low < 0 || high >= patches)
            pe_fail(errors, PE_CONFLICT, i ? "k" : "q",
                    "must number the patches of the grid, 0..%.0f", patches - 1);
    }
}

/* The compact form needs a function of the difference, at steps of 1. */
static void check_toeplitz(const struct alibi *a, struct pe_errors *errors)
{
    if (a->form == FORM_KEY_INDEX || a->form == FORM_LAST_QUERY || on_grid(a))
        pe_fail(errors, PE_CONFLICT, "out",
                "cannot be toeplitz: this form is no function of the difference; use out=bias");
    query_key_check_slices(&a->pairs, errors);
}

static void check_mask(const struct pe_args *args, const struct alibi *a,
                       struct pe_errors *errors)
{
    if (PE_GIVEN(args, struct alibi, mask_value) && !alibi_check_hides(a))
        pe_fail(errors, PE_CONFLICT, "mask_value",
                "has no effect: nothing is masked without causal=1");
    if (PE_GIVEN(args, struct alibi, future) && !a->causal)
        pe_fail(errors, PE_CONFLICT, "future", "has no effect without causal=1");
    causal_check_value(args, a->mask_value, ALIBI_BIAS, errors);
    if (a->form == FORM_ASYMMETRIC && a->heads % 2 == 1)
        pe_fail(errors, PE_CONFLICT, "heads", "must be even with form=asymmetric; got %lld",
                (long long)a->heads);
    if (a->form == FORM_ASYMMETRIC && a->causal)
        pe_fail(errors, PE_CONFLICT, "causal",
                "must be 0 with form=asymmetric, which masks itself");
}

void alibi_check_all(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct alibi *a = values;

    check_slopes(args, a, errors);
    if (pe_wants(args, ALIBI_PADDED_BIAS)) {
        for (size_t i = 0; i < a->attention_mask.rows * a->attention_mask.cols; i++) {
            if (a->attention_mask.values[i] != 0 && a->attention_mask.values[i] != 1) {
                pe_fail(errors, PE_BAD_VALUE, "attention_mask",
                        "must hold 0 and 1 only; got %g", a->attention_mask.values[i]);
                return;
            }
        }
    }
    if (alibi_check_matrix(args)) {
        check_mask(args, a, errors);
        check_grid(a, errors);
    }
    if (pe_wants(args, ALIBI_TOEPLITZ))
        check_toeplitz(a, errors);
}
