/* SPDX-License-Identifier: Apache-2.0
 * verify_pair.c - see verify_pair.h. Elements are read as float64, a block at a time;
 * whole numbers of one dtype are compared by their bytes. */
#include "proto/verify/verify_pair.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "proto/text/json_write.h"
#include "proto/verify/verify_mask.h"

enum { BLOCK = 512 };

/* ---- comparing -------------------------------------------------------------------------- */

static bool have_one_shape(const struct tensor *one, const struct tensor *other)
{
    return one->complex == other->complex && one->info.rank == other->info.rank &&
           memcmp(one->info.dims, other->info.dims, one->info.rank * sizeof *one->info.dims) ==
               0;
}

static uint64_t elements_of(const struct tensor *tensor)
{
    return tensor->bytes / pe_dtype_size(tensor->info.dtype);
}

/* Returns half a step of a dtype of 16 bits relative to a number; float32 beside float64. */
static double half_step(enum pe_dtype one, enum pe_dtype other)
{
    const bool f16 = one == PE_F16 || other == PE_F16,
               bf16 = one == PE_BF16 || other == PE_BF16;

    return one == other || one > PE_BF16 || other > PE_BF16 ? 0
           : bf16                                           ? 0x1p-8
           : f16                                            ? 0x1p-11
                                                            : 0x1p-24;
}

static void start(struct pe_verify_where *where, uint64_t count)
{
    where->step = count > 0 ? (count - 1) / PE_VERIFY_BINS + 1 : 1;
    where->bin_count = (size_t)((count + where->step - 1) / where->step);
}

static void keep_most(struct pe_verify_where *where, uint64_t index, double apart)
{
    double *most = &where->most[index / where->step];

    *most = apart > *most ? apart : *most;
}

/* Rounds numbers to the narrower of two real dtypes; others stay. */
static void narrow(enum pe_dtype one, enum pe_dtype other, double *numbers, size_t count)
{
    static const int bits[] = {[PE_F64] = 64, [PE_F32] = 32, [PE_F16] = 16, [PE_BF16] = 8};
    double words[BLOCK];

    if (one == other || one > PE_BF16 || other > PE_BF16)
        return;
    const enum pe_dtype least = bits[one] < bits[other] ? one : other;
    pe_dtype_from_f64(least, words, numbers, count);
    pe_dtype_to_f64(least, numbers, words, count);
}

/* Adds an element that differs. */
static void add_element(struct verify_pair *pair, uint64_t element, uint64_t cols, double apart)
{
    if (pair->differs++ == 0)
        pair->first = element;
    if (apart > pair->max_abs) {
        pair->max_abs = apart;
        pair->most = element;
    }
    keep_most(&pair->rows, element / cols, apart);
    keep_most(&pair->columns, element % cols, apart);
}

static void compare(struct verify_pair *pair, double atol, double rtol)
{
    const struct pe_tensor *one = &pair->one->info, *other = &pair->other->info;
    const double step = half_step(one->dtype, other->dtype);
    const char *from[2] = {pair->one->data, pair->other->data};
    const bool whole = one->dtype == other->dtype && one->dtype > PE_BF16;
    const size_t size = pe_dtype_size(one->dtype);
    double a[BLOCK], b[BLOCK], a_narrow[BLOCK], b_narrow[BLOCK];

    pair->of = elements_of(pair->one);
    const uint64_t cols = pair->of > 0 && one->rank > 0 ? one->dims[one->rank - 1] : 1;
    start(&pair->rows, pair->of / cols);
    start(&pair->columns, cols);
    for (uint64_t at = 0, some; at < pair->of; at += some) {
        some = pair->of - at < BLOCK ? pair->of - at : BLOCK;
        pe_dtype_to_f64(one->dtype, a, from[0] + at * pe_dtype_size(one->dtype), (size_t)some);
        pe_dtype_to_f64(other->dtype, b, from[1] + at * pe_dtype_size(other->dtype),
                        (size_t)some);
        memcpy(a_narrow, a, sizeof a);
        memcpy(b_narrow, b, sizeof b);
        narrow(one->dtype, other->dtype, a_narrow, (size_t)some);
        narrow(one->dtype, other->dtype, b_narrow, (size_t)some);
        for (uint64_t i = 0; i < some; i++) {
            const char *word = from[0] + (at + i) * size, *beside = from[1] + (at + i) * size;

            if (whole ? memcmp(word, beside, size) == 0
                      : a_narrow[i] == b_narrow[i] || (isnan(a[i]) && isnan(b[i])))
                continue;
            double apart = isnan(a[i]) || isnan(b[i]) ? (double)INFINITY : fabs(a[i] - b[i]);
            if (whole && apart < 1)
                apart = 1; /* whole numbers beyond 2^53, which float64 has not */

            if (isfinite(apart) && apart <= atol + (rtol + step) * fabs(b[i]))
                continue;
            add_element(pair, at + i, cols, apart);
        }
    }
}

/* Compares two masks, which hide keys by other numbers, by the keys that they hide. */
static void compare_masks(struct verify_pair *pair)
{
    struct verify_pair seen = {.one = pair->one,
                               .other = pair->other,
                               .fits = true,
                               .hides = true,
                               .of = pair->of};
    const struct pe_tensor *info = &pair->one->info;
    const uint64_t cols = info->rank > 0 ? info->dims[info->rank - 1] : 1;

    if (!verify_mask_is(pair->one, &seen.hidden[0]) ||
        !verify_mask_is(pair->other, &seen.hidden[1]) || seen.hidden[0] == seen.hidden[1])
        return;
    start(&seen.rows, seen.of / cols);
    start(&seen.columns, cols);
    for (uint64_t i = 0; i < seen.of; i++)
        if (verify_mask_hides(pair->one, i) != verify_mask_hides(pair->other, i))
            add_element(&seen, i, cols, 1);
    if (seen.differs == seen.of && (seen.hidden[0] == 0 || seen.hidden[1] == 0)) {
        seen.differs = 0; /* in one of them true hides */
        seen.rows = seen.columns = (struct pe_verify_where){.step = 0};
        start(&seen.rows, seen.of / cols);
        start(&seen.columns, cols);
    }
    *pair = seen;
}

static const struct tensor *find(const struct tensor_set *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->at[i].name, name) == 0)
            return &set->at[i];
    return NULL;
}

static void add(struct verify_pairs *pairs, const struct tensor *one,
                const struct tensor *other, double atol, double rtol)
{
    struct verify_pair *pair = &pairs->at[pairs->count++];

    *pair = (struct verify_pair){.one = one, .other = other};
    pair->fits = one && other && have_one_shape(one, other);
    if (pair->fits)
        compare(pair, atol, rtol);
    if (pair->differs > 0)
        compare_masks(pair);
    pairs->equal = pairs->equal && pair->fits && pair->differs == 0;
}

void verify_pair_all(struct verify_pairs *pairs, const struct tensor_set *one,
                     const struct tensor_set *other, double atol, double rtol)
{
    pairs->count = 0;
    pairs->equal = true;
    if (one->count == 1 && other->count == 1) {
        add(pairs, &one->at[0], &other->at[0], atol, rtol);
        return;
    }
    for (size_t i = 0; i < one->count; i++)
        add(pairs, &one->at[i], find(other, one->at[i].name), atol, rtol);
    for (size_t i = 0; i < other->count; i++)
        if (!find(one, other->at[i].name))
            add(pairs, NULL, &other->at[i], atol, rtol);
}

const char *verify_pair_kind(const struct verify_pairs *pairs)
{
    return pe_verdict_name(pairs->equal ? PE_EXACT : PE_UNEXPLAINED);
}

const char *verify_pair_says(const struct verify_pairs *pairs)
{
    return pairs->equal ? "the tensors are equal" : "the tensors differ";
}

/* ---- writing ---------------------------------------------------------------------------- */

/* Finds the indices of an element in C order. */
static void find_index(const struct tensor *tensor, uint64_t element,
                       uint64_t index[PE_MAX_RANK])
{
    for (size_t axis = tensor->info.rank; axis-- > 0;) {
        index[axis] = element % tensor->info.dims[axis];
        element /= tensor->info.dims[axis];
    }
}

static void add_place(struct buffer *out, const struct tensor *tensor, uint64_t element)
{
    uint64_t index[PE_MAX_RANK];

    find_index(tensor, element, index);
    buffer_add_text(out, "[");
    for (size_t i = 0; i < tensor->info.rank; i++)
        buffer_add_format(out, "%s%" PRIu64, i > 0 ? "," : "", index[i]);
    buffer_add_text(out, "]");
}

static void add_shape(struct buffer *out, const struct tensor *tensor)
{
    buffer_add_format(out, "%s ", pe_dtype_name(tensor->info.dtype));
    for (size_t i = 0; i < tensor->info.rank; i++)
        buffer_add_format(out, "%s%" PRIu64, i > 0 ? "x" : "", tensor->info.dims[i]);
}

static const char *name_of(const struct verify_pair *pair)
{
    const struct tensor *tensor = pair->one ? pair->one : pair->other;

    return *tensor->name != '\0' ? tensor->name : "-";
}

/* Writes how the two masks hide a key. */
static void add_hidden(struct buffer *out, const struct verify_pair *pair)
{
    for (size_t i = 0; i < 2; i++) {
        if (pair->hidden[i] < 0)
            buffer_add_format(out, "%.9g", pair->hidden[i]);
        else
            buffer_add_text(out, "truth values");
        buffer_add_text(out, i == 0 ? " where the other has " : "");
    }
}

static void add_pair(struct buffer *out, const struct verify_pair *pair)
{
    buffer_add_format(out, "  %s  ", name_of(pair));
    if (!pair->one || !pair->other) {
        buffer_add_format(out, "only in the %s file\n", pair->one ? "first" : "other");
        return;
    }
    add_shape(out, pair->one);
    if (!pair->fits || pair->one->info.dtype != pair->other->info.dtype) {
        buffer_add_text(out, " against ");
        add_shape(out, pair->other);
    }
    if (!pair->fits) {
        buffer_add_text(out, "  another shape\n");
    } else if (pair->hides && pair->differs == 0) {
        buffer_add_text(out, "  hides the same keys, by ");
        add_hidden(out, pair);
        buffer_add_text(out, "\n");
    } else if (pair->differs == 0) {
        buffer_add_text(out, "  equal\n");
    } else if (pair->hides) {
        buffer_add_format(out,
                          "  %" PRIu64 " of %" PRIu64 " keys are hidden in one alone, first ",
                          pair->differs, pair->of);
        add_place(out, pair->one, pair->first);
        buffer_add_text(out, "; hidden by ");
        add_hidden(out, pair);
        buffer_add_text(out, "\n");
    } else {
        buffer_add_format(out, "  %" PRIu64 " of %" PRIu64 " elements differ, first ",
                          pair->differs, pair->of);
        add_place(out, pair->one, pair->first);
        buffer_add_format(out, ", worst %.2g at ", pair->max_abs);
        add_place(out, pair->one, pair->most);
        buffer_add_text(out, "\n");
    }
}

void verify_pair_write(struct buffer *out, const struct verify_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++)
        add_pair(out, &pairs->at[i]);
}

static const char *word_of(const struct verify_pair *pair)
{
    return !pair->other         ? "only-here"
           : !pair->one         ? "only-there"
           : !pair->fits        ? "shape"
           : pair->differs == 0 ? pair->hides ? "hides-the-same" : "equal"
                                : "differs";
}

void verify_pair_write_json(struct buffer *out, const char *name,
                            const struct verify_pairs *pairs)
{
    uint64_t index[PE_MAX_RANK];

    json_write(out, "'%s':[", name);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct verify_pair *pair = &pairs->at[i];

        json_write(out, "{");
        json_write_text(out, "name", name_of(pair));
        json_write_text(out, "is", word_of(pair));
        if (pair->differs > 0) {
            json_write_integer(out, "differs", pair->differs);
            json_write_integer(out, "of", pair->of);
            find_index(pair->one, pair->first, index);
            json_write_integers(out, "first", index, pair->one->info.rank);
            json_write_number(out, "max_abs", pair->max_abs);
            find_index(pair->one, pair->most, index);
            json_write_integers(out, "max_abs_at", index, pair->one->info.rank);
        }
        json_write(out, "}");
    }
    json_write(out, "]");
}
