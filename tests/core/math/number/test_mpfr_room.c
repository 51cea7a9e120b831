/* SPDX-License-Identifier: Apache-2.0
 * test_mpfr_room.c - the question is a real one: a compiler may not answer it for us. */
#include <stdint.h>

#include "core/math/number/mpfr_room.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

START_TEST(there_is_room_while_memory_is_given_and_nothing_is_kept)
{
    bool room;

    alloc_fail_start(SIZE_MAX);
    room = mpfr_room();
    alloc_fail_stop();
    ck_assert(room);
    ck_assert_uint_ge(alloc_fail_largest(), 16 << 10);
    ck_assert_int_eq(alloc_fail_live(), 0);
}
END_TEST

START_TEST(there_is_no_room_when_memory_is_refused)
{
    bool room, refused;

    alloc_fail_start(0);
    room = mpfr_room();
    refused = alloc_fail_stop();
    ck_assert(refused);
    ck_assert(!room);
}
END_TEST

SUITE(mpfr_room, TEST(there_is_room_while_memory_is_given_and_nothing_is_kept),
      TEST(there_is_no_room_when_memory_is_refused));
