/* SPDX-License-Identifier: Apache-2.0
 * test_mpfr_reserve.c - MPFR computes on when it is given no memory: in the reserve, which it
 * then leaves as it was. */
#include <gmp.h>
#include <mpfr.h>
#include <stdint.h>

#include "core/posenc.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

static void setup(void)
{
    mpfr_free_cache();
    pe_reserve_init();
}

static void teardown(void)
{
    mpfr_free_cache();
    mp_set_memory_functions(NULL, NULL, NULL);
}

/* sin(1e22), which takes pi to a thousand bits, and leaves nothing behind. */
static double compute(void)
{
    double result;
    mpfr_t x;

    mpfr_init2(x, 512);
    mpfr_set_d(x, 1e22, MPFR_RNDN);
    mpfr_sin(x, x, MPFR_RNDN);
    result = mpfr_get_d(x, MPFR_RNDN);
    mpfr_clear(x);
    mpfr_free_cache();
    return result;
}

START_TEST(any_allocation_of_mpfr_may_fail)
{
    const double expected = compute();
    size_t refusals = 0;
    bool refused = true;

    for (size_t n = 0; refused; n++) {
        alloc_fail_start(n);
        double result = compute();
        refused = alloc_fail_stop();
        ck_assert_double_eq(result, expected);
        ck_assert_int_eq(alloc_fail_live(), 0);
        refusals += refused;
    }
    ck_assert_uint_ge(refusals, 3);
}
END_TEST

START_TEST(the_reserve_is_given_back)
{
    enum { TIMES = 3000, BYTES = 4000 }; /* together more than there is */
    void *(*take)(size_t), *(*resize)(void *, size_t, size_t);
    void (*give)(void *, size_t);

    mp_get_memory_functions(&take, &resize, &give);
    for (int i = 0; i < TIMES; i++) {
        alloc_fail_start(0);
        unsigned char *block = take(BYTES);
        bool refused = alloc_fail_stop();
        ck_assert(refused && block);
        block[0] = 7;
        block[BYTES - 1] = 9;
        block = resize(block, BYTES, 2 * BYTES); /* out of the reserve */
        ck_assert_int_eq(block[0], 7);
        ck_assert_int_eq(block[BYTES - 1], 9);
        give(block, 2 * BYTES);
    }
}
END_TEST

START_TEST(what_was_allocated_may_grow_into_it)
{
    void *(*take)(size_t), *(*resize)(void *, size_t, size_t);
    void (*give)(void *, size_t);

    mp_get_memory_functions(&take, &resize, &give);
    alloc_fail_start(1);
    unsigned char *block = take(1);
    block[0] = 5;
    for (size_t size = 1; size < 4096; size *= 2) /* a refused one leaves it where it was */
        block = resize(block, size, 2 * size);
    const unsigned char first = block[0];
    give(block, 4096);
    bool refused = alloc_fail_stop();
    ck_assert(refused);
    ck_assert_int_eq(first, 5);
    ck_assert_int_eq(alloc_fail_live(), 0);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(any_allocation_of_mpfr_may_fail),
    TEST(the_reserve_is_given_back),
    TEST(what_was_allocated_may_grow_into_it),
};

const struct suite mpfr_reserve_suite = {SUITE_TESTS(tests), .setup = setup,
                                         .teardown = teardown};
