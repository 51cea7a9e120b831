/* SPDX-License-Identifier: Apache-2.0
 * test_mpfr_memory.c - the question is a real one: a compiler may not answer it for us. */
#include <stdint.h>

#include "core/math/number/mpfr_memory.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

START_TEST(there_is_memory_while_it_is_given_and_nothing_is_kept)
{
    bool available;

    alloc_fail_start(SIZE_MAX);
    available = mpfr_memory_available();
    alloc_fail_stop();
    ck_assert(available);
    ck_assert_uint_ge(alloc_fail_largest(), 16 << 10);
    ck_assert_int_eq(alloc_fail_live(), 0);
}
END_TEST

START_TEST(there_is_none_when_it_is_refused)
{
    bool available, refused;

    alloc_fail_start(0);
    available = mpfr_memory_available();
    refused = alloc_fail_stop();
    ck_assert(refused);
    ck_assert(!available);
}
END_TEST

SUITE(mpfr_memory, TEST(there_is_memory_while_it_is_given_and_nothing_is_kept),
      TEST(there_is_none_when_it_is_refused));
