/* SPDX-License-Identifier: Apache-2.0
 * test_rotate.c - the kernel that rotates vectors: against the formula, for every dtype in and
 * out, both pairings, in place, on every CPU path; what is outside passes bit for bit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/rotate/rotate.h"
#include "tests/support/core_query.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { MOST_DIM = 700, COUNT = 3, SIZE = 8, DTYPES = PE_BF16 + 1 };

static const struct {
    size_t dim, offset, pairs;
} spans[] = {{4, 0, 2},     {8, 2, 2},   {128, 0, 64},  {129, 1, 64},
             {700, 3, 300}, {40, 0, 16}, {6, 5 - 3, 2}, {530, 10, 258}};

struct sample {
    double cosine[2 * MOST_DIM], sine[2 * MOST_DIM];
    char in[COUNT * MOST_DIM * SIZE] __attribute__((aligned(64)));
    char out[COUNT * MOST_DIM * SIZE] __attribute__((aligned(64)));
    double values[COUNT * MOST_DIM];
    char *scratch;
};

static struct sample *sample_new(const struct rotate_span *span)
{
    struct sample *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
    struct core_random random = {span->dim + span->pairs};

    ck_assert_ptr_nonnull(s);
    s->scratch = aligned_alloc(64, rotate_scratch_bytes(span));
    ck_assert_ptr_nonnull(s->scratch);
    for (size_t i = 0; i < 2 * span->pairs; i++) {
        const double angle = core_random_real(&random, -4, 4);

        s->cosine[i] = 1.1 * cos(angle);
        s->sine[i] = 1.1 * sin(angle);
    }
    for (size_t i = 0; i < COUNT * span->dim; i++)
        s->values[i] = core_random_real(&random, -3, 3);
    pe_dtype_from_f64(span->from, s->in, s->values, COUNT * span->dim);
    pe_dtype_to_f64(span->from, s->values, s->in, COUNT * span->dim);
    memset(s->out, 0x5a, sizeof s->out);
    return s;
}

static void sample_free(struct sample *s)
{
    free(s->scratch);
    free(s);
}

static size_t place(const struct rotate_span *span, bool adjacent, size_t pair, size_t second)
{
    return span->offset + (adjacent ? 2 * pair + second : pair + second * span->pairs);
}

/* Called for every span, every pair of dtypes and every pairing. */
typedef void visit(const struct rotate_span *span);

static void for_all(visit *visitor)
{
    for (size_t i = 0; i < PE_LEN(spans); i++)
        for (unsigned k = 0; k < 4 * DTYPES * DTYPES; k++) {
            const struct rotate_span span = {.from = (enum pe_dtype)(k / 4 % DTYPES),
                                             .to = (enum pe_dtype)(k / 4 / DTYPES),
                                             .dim = spans[i].dim,
                                             .offset = spans[i].offset,
                                             .pairs = spans[i].pairs,
                                             .adjacent = k & 1,
                                             .adjacent_out = k & 2};

            visitor(&span);
        }
}

/* ---- the formula ------------------------------------------------------------------------- */

static void is_near(const struct rotate_span *span, double got, double want, double length)
{
    const bool is_short = span->from == span->to && span->to > PE_F32;
    const double within = (span->to == PE_F64 ? 0 : 0.501) * core_query_ulp(span->to, want) +
                          (is_short ? 0x1p-36 : 0x1p-51) * length;

    ck_assert_msg(fabs(got - want) <= within, "%.17g for %.17g, %s to %s", got, want,
                  pe_dtype_name(span->from), pe_dtype_name(span->to));
}

static void by_formula(const struct rotate_span *span)
{
    struct sample *s = sample_new(span);
    double *got = malloc(COUNT * span->dim * sizeof *got);

    ck_assert_ptr_nonnull(got);
    rotate_vectors(span, s->cosine, s->sine, s->in, COUNT, s->out, s->scratch);
    pe_dtype_to_f64(span->to, got, s->out, COUNT * span->dim);
    for (size_t v = 0; v < COUNT; v++)
        for (size_t i = 0; i < span->pairs; i++) {
            const double *x = s->values + v * span->dim, *y = got + v * span->dim;
            const double a = x[place(span, span->adjacent, i, 0)];
            const double b = x[place(span, span->adjacent, i, 1)];
            const double c = s->cosine[i], n = s->sine[i], length = hypot(a, b);

            is_near(span, y[place(span, span->adjacent_out, i, 0)], a * c - b * n, length);
            is_near(span, y[place(span, span->adjacent_out, i, 1)], b * c + a * n, length);
        }
    free(got);
    sample_free(s);
}

START_TEST(every_pair_is_rotated_as_the_formula_says)
{
    for_all(by_formula);
}
END_TEST

/* The second coordinates by cosines and sines of their own. */
static void by_two_rows(const struct rotate_span *plain)
{
    struct rotate_span span = *plain;

    span.apart = true;
    struct sample *s = sample_new(&span);
    double *got = malloc(COUNT * span.dim * sizeof *got);
    ck_assert_ptr_nonnull(got);
    rotate_vectors(&span, s->cosine, s->sine, s->in, COUNT, s->out, s->scratch);
    pe_dtype_to_f64(span.to, got, s->out, COUNT * span.dim);
    for (size_t i = 0; i < span.pairs; i++) {
        const double a = s->values[place(&span, span.adjacent, i, 0)];
        const double b = s->values[place(&span, span.adjacent, i, 1)];
        const size_t j = span.pairs + i;

        is_near(&span, got[place(&span, span.adjacent_out, i, 0)],
                a * s->cosine[i] - b * s->sine[i], hypot(a, b));
        is_near(&span, got[place(&span, span.adjacent_out, i, 1)],
                b * s->cosine[j] + a * s->sine[j], hypot(a, b));
    }
    free(got);
    sample_free(s);
}

START_TEST(second_coordinates_may_have_their_own_waves)
{
    for_all(by_two_rows);
}
END_TEST

/* ---- in place, on every path, what passes ----------------------------------------------- */

static void in_place(const struct rotate_span *span)
{
    struct sample *s;

    if (span->from != span->to)
        return;
    s = sample_new(span);
    rotate_vectors(span, s->cosine, s->sine, s->in, COUNT, s->out, s->scratch);
    rotate_vectors(span, s->cosine, s->sine, s->in, COUNT, s->in, s->scratch);
    ck_assert_mem_eq(s->in, s->out, COUNT * span->dim * pe_dtype_size(span->from));
    sample_free(s);
}

START_TEST(in_place_gives_the_same_bytes)
{
    for_all(in_place);
}
END_TEST

static void on_every_path(const struct rotate_span *plain)
{
    const size_t used = pe_cpu_path();

    for (int rounding = 0; rounding < 2; rounding++) {
        struct rotate_span span = *plain;

        span.in_dtype = rounding;
        struct sample *s = sample_new(&span), *other = sample_new(&span);
        ck_assert(pe_cpu_path_set(0));
        rotate_vectors(&span, s->cosine, s->sine, s->in, COUNT, s->out, s->scratch);
        for (size_t path = 1; path < pe_cpu_path_count(); path++) {
            if (!pe_cpu_path_set(path))
                continue; /* not in this CPU */
            rotate_vectors(&span, s->cosine, s->sine, s->in, COUNT, other->out, s->scratch);
            ck_assert_mem_eq(s->out, other->out, COUNT * span.dim * pe_dtype_size(span.to));
        }
        ck_assert(pe_cpu_path_set(used));
        sample_free(s);
        sample_free(other);
    }
}

START_TEST(every_cpu_path_gives_the_same_bytes)
{
    for_all(on_every_path);
}
END_TEST

static void outside(const struct rotate_span *span)
{
    const size_t size = pe_dtype_size(span->from);
    const size_t end = span->offset + 2 * span->pairs;
    struct sample *s;

    if (span->from != span->to)
        return;
    s = sample_new(span);
    memset(s->in, 0xff, span->offset * size); /* a NaN with all its bits */
    memset(s->in + end * size, 0x80, (span->dim - end) * size);
    rotate_vectors(span, s->cosine, s->sine, s->in, 1, s->out, s->scratch);
    ck_assert(memcmp(s->out, s->in, span->offset * size) == 0);
    ck_assert(memcmp(s->out + end * size, s->in + end * size, (span->dim - end) * size) == 0);
    sample_free(s);
}

START_TEST(what_is_outside_the_span_passes_bit_for_bit)
{
    for_all(outside);
}
END_TEST

/* ---- numbers that are none -------------------------------------------------------------- */

static void nonfinite(const struct rotate_span *span)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    const size_t at = place(span, span->adjacent, 1, 0);
    double got[MOST_DIM];

    for (size_t k = 0; k < 3; k++) {
        struct sample *s = sample_new(span);

        s->cosine[1] = 1;
        s->sine[1] = 0;
        s->values[at] = odd[k];
        if (span->from > PE_F32) { /* dtype.c is asked for numbers only */
            const uint16_t f16[] = {0x7e01, 0x7c00, 0xfc00}, bf16[] = {0xffc1, 0x7f80, 0xff80};
            memcpy(s->in + 2 * at, span->from == PE_F16 ? &f16[k] : &bf16[k], 2);
        } else {
            pe_dtype_from_f64(span->from, s->in, s->values, span->dim);
        }
        rotate_vectors(span, s->cosine, s->sine, s->in, 1, s->out, s->scratch);
        pe_dtype_to_f64(span->to, got, s->out, span->dim);
        const double first = got[place(span, span->adjacent_out, 1, 0)];
        ck_assert(k == 0 ? isnan(first) : first == odd[k]);
        ck_assert(isnan(got[place(span, span->adjacent_out, 1, 1)])); /* infinity times 0 */
        ck_assert(isfinite(got[place(span, span->adjacent_out, 0, 0)]));
        sample_free(s);
    }
}

START_TEST(nan_and_infinities_propagate_within_their_pair)
{
    for_all(nonfinite);
}
END_TEST

/* ---- rounding in the tensor's dtype ----------------------------------------------------- */

static double round_as(enum pe_dtype dtype, double value)
{
    char element[SIZE];

    pe_dtype_from_f64(dtype, element, &value, 1);
    pe_dtype_to_f64(dtype, &value, element, 1);
    return value;
}

static void step_by_step(const struct rotate_span *plain)
{
    struct rotate_span span = *plain;
    const enum pe_dtype d = span.from;
    double got[MOST_DIM];

    span.in_dtype = true;
    struct sample *s = sample_new(&span);
    rotate_vectors(&span, s->cosine, s->sine, s->in, 1, s->out, s->scratch);
    pe_dtype_to_f64(span.to, got, s->out, span.dim);
    for (size_t i = 0; i < span.pairs; i++) {
        const double a = s->values[place(&span, span.adjacent, i, 0)];
        const double b = s->values[place(&span, span.adjacent, i, 1)];
        const double c = round_as(d, s->cosine[i]), n = round_as(d, s->sine[i]);
        const double first = round_as(d, round_as(d, a * c) - round_as(d, b * n));
        const double second = round_as(d, round_as(d, b * c) + round_as(d, a * n));

        ck_assert(got[place(&span, span.adjacent_out, i, 0)] == round_as(span.to, first));
        ck_assert(got[place(&span, span.adjacent_out, i, 1)] == round_as(span.to, second));
    }
    sample_free(s);
}

START_TEST(in_dtype_rounds_every_step)
{
    for_all(step_by_step);
}
END_TEST

/* Pairs (sin, cos) of their own angle, as the dtype has them: all of the first coordinate but
 * the elements' rounding cancels, and what is left is right as far as the bound says. */
START_TEST(short_elements_that_cancel_keep_the_stated_bound)
{
    const enum pe_dtype dtype = _i ? PE_BF16 : PE_F16;
    const double rest = _i ? 0x1p-38 : 0x1p-35;
    const struct rotate_span span = {.from = dtype, .to = dtype, .dim = 512, .pairs = 256};
    struct sample *s = sample_new(&span);

    for (size_t i = 0; i < 256; i++) {
        const double angle = 0.001 + (double)i * 0.006;

        s->cosine[i] = cos(angle);
        s->sine[i] = sin(angle);
        s->values[i] = sin(angle);
        s->values[256 + i] = cos(angle);
    }
    pe_dtype_from_f64(dtype, s->in, s->values, 512);
    pe_dtype_to_f64(dtype, s->values, s->in, 512);
    rotate_vectors(&span, s->cosine, s->sine, s->in, 1, s->out, s->scratch);
    for (size_t i = 0; i < 256; i++) {
        const double a = s->values[i], b = s->values[256 + i];
        const double want = (double)((long double)a * (long double)s->cosine[i] -
                                     (long double)b * (long double)s->sine[i]);
        double got;

        pe_dtype_to_f64(dtype, &got, s->out + i * 2, 1);
        ck_assert_msg(fabs(got - want) <= 0.501 * core_query_ulp(dtype, want) + rest,
                      "pair %zu: %.17g, not %.17g", i, got, want);
    }
    sample_free(s);
}
END_TEST

/* All 65536 elements are multiplied by one, which gives back every float16 and bfloat16. */
START_TEST(every_short_element_survives_a_turn_by_nothing)
{
    const struct rotate_span span = {.from = _i ? PE_BF16 : PE_F16,
                                     .to = _i ? PE_BF16 : PE_F16,
                                     .dim = 65536,
                                     .pairs = 32768};
    double *cosine = malloc(32768 * sizeof *cosine), *sine = calloc(32768, sizeof *sine);
    uint16_t *in = aligned_alloc(64, 131072), *out = aligned_alloc(64, 131072);
    void *scratch = aligned_alloc(64, rotate_scratch_bytes(&span));
    double before, after;

    ck_assert(cosine && sine && in && out && scratch);
    for (size_t i = 0; i < 65536; i++) {
        in[i] = (uint16_t)i;
        cosine[i / 2] = 1;
    }
    rotate_vectors(&span, cosine, sine, in, 1, out, scratch);
    for (size_t i = 0; i < 65536; i++) {
        pe_dtype_to_f64(span.from, &before, in + i, 1);
        pe_dtype_to_f64(span.from, &after, out + i, 1);
        if (isfinite(before) && i % 32768 != 0)
            ck_assert_msg(out[i] == in[i], "%zx became %x", i, out[i]);
        else
            ck_assert(isnan(after) || after == before);
    }
    ck_assert_uint_eq(out[0], 0);
    ck_assert_uint_eq(out[32768], 0); /* -0 becomes 0 */
    free(cosine);
    free(sine);
    free(in);
    free(out);
    free(scratch);
}
END_TEST

SUITE(rotate, TEST(every_pair_is_rotated_as_the_formula_says),
      TEST(second_coordinates_may_have_their_own_waves), TEST(in_place_gives_the_same_bytes),
      TEST(every_cpu_path_gives_the_same_bytes),
      TEST(what_is_outside_the_span_passes_bit_for_bit),
      TEST(nan_and_infinities_propagate_within_their_pair), TEST(in_dtype_rounds_every_step),
      TEST_RANGE(short_elements_that_cancel_keep_the_stated_bound, 0, 2),
      TEST_RANGE(every_short_element_survives_a_turn_by_nothing, 0, 2));
