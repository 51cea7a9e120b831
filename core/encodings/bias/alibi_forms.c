/* SPDX-License-Identifier: Apache-2.0
 * alibi_forms.c - one function of slope and positions for each form of the bias, and the
 * outputs computed with these functions. Values are -slope * distance rounded once. */
#include <math.h>
#include <string.h>

#include "core/encodings/bias/alibi.h"
#include "core/math/relative/toeplitz.h"

/* ---- values by difference d = query - key position --------------------------------------- */

/* One of the forms. */
typedef double alibi_value(const struct alibi_forms *forms, size_t head, double d);

static double symmetric(const struct alibi_forms *forms, size_t head, double d)
{
    return -slopes_times(forms->slopes[head], fabs(d));
}

static double signed_distance(const struct alibi_forms *forms, size_t head, double d)
{
    return -slopes_times(forms->slopes[head], d);
}

static double tril(const struct alibi_forms *forms, size_t head, double d)
{
    return d < 0 ? 0 : -slopes_times(forms->slopes[head], d);
}

static double root(const struct alibi_forms *forms, size_t head, double d)
{
    return d == 0 ? 0 : -slopes_times_dd(forms->slopes[head], slopes_root(fabs(d)));
}

/* The first half of the heads sees the past, the second half the future, with equal slopes. */
static double asymmetric(const struct alibi_forms *forms, size_t head, double d)
{
    size_t half = (size_t)forms->alibi->heads / 2;
    bool sees = head < half ? d >= 0 : d <= 0;

    return sees ? -slopes_times(forms->slopes[head], fabs(d)) : forms->mask;
}

static double two_sided(const struct alibi_forms *forms, size_t head, double d)
{
    return -slopes_times(d >= 0 ? forms->slopes[head] : forms->right[head], fabs(d));
}

static alibi_value *const by_difference[] = {
    [FORM_SYMMETRIC] = symmetric,
    [FORM_DISTANCE] = signed_distance,
    [FORM_SIGNED] = signed_distance,
    [FORM_TRIL] = tril,
    [FORM_SQRT] = root,
    [FORM_ASYMMETRIC] = asymmetric,
    [FORM_TWO_SIDED] = two_sided,
    [FORM_EUCLIDEAN] = NULL, /* the last form: the array has an element for every form */
};

/* Applies the rules that all forms share: heads without a bias, and future keys. */
static double value_at(const void *context, size_t head, double d)
{
    const struct alibi_forms *forms = context;
    const struct alibi *a = forms->alibi;
    bool future = a->future.causal && d < 0;

    if (future && a->future.future == CAUSAL_MASKED)
        return forms->mask;
    if (head >= (size_t)a->heads)
        return 0;
    return by_difference[a->distance_kind](forms, head, future ? 0 : d);
}

static bool is_line(const struct alibi *a)
{
    return by_difference[a->distance_kind] == symmetric ||
           by_difference[a->distance_kind] == signed_distance;
}

/* Fills a diagonal of the symmetric or a signed form, whose values are one product each. */
static void line(const void *context, size_t head, double first, double step, size_t count,
                 double *out)
{
    const struct alibi_forms *forms = context;
    const struct alibi *a = forms->alibi;
    double future = a->future.future == CAUSAL_MASKED ? forms->mask : 0;

    if (head < (size_t)a->heads)
        slopes_line((struct slope){-forms->slopes[head].hi, -forms->slopes[head].lo},
                    a->distance_kind == FORM_SYMMETRIC, first, step, count, out);
    else
        memset(out, 0, count * sizeof *out);
    for (size_t t = 0; a->future.causal && t < count; t++)
        out[t] = first + step * (double)t < 0 ? future : out[t];
}

/* Fills a row of the symmetric or a signed form for keys at any positions. */
static void line_row(const void *context, size_t head, double query, const double *keys,
                     size_t count, double *out)
{
    const struct alibi_forms *forms = context;
    const struct alibi *a = forms->alibi;
    const double future = a->future.future == CAUSAL_MASKED ? forms->mask : 0;

    if (head < (size_t)a->heads)
        slopes_between((struct slope){-forms->slopes[head].hi, -forms->slopes[head].lo},
                       a->distance_kind == FORM_SYMMETRIC, query, keys, count, forms->narrow,
                       out);
    else
        memset(out, 0, count * sizeof *out);
    for (size_t t = 0; a->future.causal && t < count; t++)
        out[t] = query - keys[t] < 0 ? future : out[t];
}

/* ---- values by the key's position alone, or by patches of a grid ------------------------- */

static void row_by_key(const void *context, size_t head, double query, const double *keys,
                       size_t count, double *out)
{
    const struct alibi_forms *forms = context;
    const struct alibi *a = forms->alibi;

    for (size_t j = 0; j < count; j++) {
        bool future = a->future.causal && keys[j] > query;
        double index = future ? query : keys[j];

        if (future && a->future.future == CAUSAL_MASKED)
            out[j] = forms->mask;
        else if (head >= (size_t)a->heads)
            out[j] = 0;
        else
            out[j] = slopes_times(forms->slopes[head], index - forms->last_key);
    }
}

static void row_on_grid(const void *context, size_t head, double query, const double *keys,
                        size_t count, double *out)
{
    const struct alibi_forms *forms = context;
    const struct alibi *a = forms->alibi;
    int64_t width = a->grid.width, q = (int64_t)query;

    for (size_t j = 0; j < count; j++) {
        int64_t k = (int64_t)keys[j];
        double dy = (double)(q / width - k / width), dx = (double)(q % width - k % width);

        if (head >= (size_t)a->heads)
            out[j] = 0;
        else if (a->distance_kind == FORM_MANHATTAN)
            out[j] = -slopes_times(forms->slopes[head], fabs(dy) + fabs(dx));
        else
            out[j] = root(forms, head, dy * dy + dx * dx);
    }
}

/* ---- outputs ----------------------------------------------------------------------------- */

static bool make_slopes(struct pe_build *build, struct slope **out, const struct alibi *a,
                        const struct pe_reals *given)
{
    size_t heads = (size_t)a->heads;
    /* The asymmetric form has slopes for half of the heads and uses them twice. */
    size_t count = a->distance_kind == FORM_ASYMMETRIC ? heads / 2 : heads;

    *out = pe_build_alloc(build, heads * sizeof **out);
    if (!*out)
        return false;
    if (given->rows > 0) {
        for (size_t h = 0; h < heads; h++)
            (*out)[h] = (struct slope){given->values[h], 0};
    } else {
        slopes_fill(*out, count, a->bias_max, (enum slopes_rule)a->non_pow2);
        if (a->slope_order == 1)
            slopes_sort(*out, count);
    }
    for (size_t h = count; h < heads && given->rows == 0; h++)
        (*out)[h] = (*out)[h - count];
    for (size_t h = 0; h < heads; h++) {
        (*out)[h] = slopes_scale((*out)[h], a->length_scale);
        if (a->applies == APPLIES_BEFORE)
            (*out)[h] = slopes_divide((*out)[h], a->softmax_scale);
    }
    return true;
}

static struct toeplitz matrix_of(const struct alibi *a, const struct alibi_forms *forms)
{
    const bool differences = by_difference[a->distance_kind] != NULL;
    toeplitz_row *const row = a->grid.height > 0 ? row_on_grid : row_by_key;

    return (struct toeplitz){.context = forms,
                             .value = differences ? value_at : NULL,
                             .diagonal = is_line(a) ? line : NULL,
                             .row = !differences ? row
                                    : is_line(a) ? line_row
                                                 : NULL,
                             .heads = (size_t)a->partial_heads,
                             .q = a->pairs.q,
                             .k = a->pairs.k,
                             .ns = is_line(a) ? 0 : 10};
}

struct alibi_forms *alibi_forms_new(struct pe_build *build, const struct alibi *alibi)
{
    struct alibi_forms *forms = pe_build_alloc(build, sizeof *forms);
    bool two_sided_form = alibi->distance_kind == FORM_TWO_SIDED;
    uint64_t keys = alibi->pairs.k ? pe_positions_count(alibi->pairs.k) : 0;

    if (!forms ||
        !make_slopes(build, &forms->slopes, alibi,
                     two_sided_form ? &alibi->slopes_left : &alibi->slopes) ||
        (two_sided_form && !make_slopes(build, &forms->right, alibi, &alibi->slopes_right)))
        return NULL;
    forms->alibi = alibi;
    forms->mask = causal_mask(pe_build_args(build), alibi->future.mask_value, ALIBI_BIAS);
    if (alibi->distance_kind == FORM_LAST_QUERY && keys > 0)
        forms->last_key = pe_positions_at(alibi->pairs.k, keys - 1);
    forms->narrow = pe_wants(pe_build_args(build), ALIBI_BIAS) &&
                    pe_build_dtype(build, ALIBI_BIAS) != PE_F64;
    forms->matrix = matrix_of(alibi, forms);
    return forms;
}

double alibi_forms_plan_ns(const struct alibi *alibi)
{
    const struct toeplitz matrix = matrix_of(alibi, NULL);

    return toeplitz_plan_ns(&matrix);
}

/* ---- padded batches: m j with j = (cumsum(mask) - 1) * mask ------------------------------ */

struct padded {
    const struct alibi_forms *forms;
    const double *index; /* [batch][keys] */
};

static void fill_padded(const void *state, const struct pe_rect *rect, double *const out[],
                        const void *const input[], void *scratch)
{
    const struct padded *p = state;
    const struct alibi *a = p->forms->alibi;
    uint64_t heads = (uint64_t)a->partial_heads;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        uint64_t batch = (rect->row + row) / heads, head = (rect->row + row) % heads;
        const double *index = p->index + batch * a->attention_mask.cols + rect->col;

        for (uint64_t col = 0; col < rect->cols; col++)
            out[0][row * rect->cols + col] =
                head < (uint64_t)a->heads ? slopes_times(p->forms->slopes[head], index[col])
                                          : 0;
    }
}

static const struct pe_filler padded_filler = {.reference = fill_padded, .ns_per_element = 4};

void alibi_forms_fill_padded(struct pe_build *build, size_t group,
                             const struct alibi_forms *forms)
{
    const struct pe_reals *mask = &forms->alibi->attention_mask;
    struct padded *p = pe_build_alloc(build, sizeof *p);
    double *index = pe_build_alloc(build, mask->rows * mask->cols * sizeof *index);

    if (!p || !index)
        return;
    for (size_t row = 0; row < mask->rows; row++) {
        double seen = 0;

        for (size_t col = row * mask->cols; col < (row + 1) * mask->cols; col++) {
            seen += mask->values[col];
            index[col] = (seen - 1) * mask->values[col];
        }
    }
    *p = (struct padded){forms, index};
    pe_build_fill(build, group, &padded_filler, p);
}
