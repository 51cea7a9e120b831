/* SPDX-License-Identifier: Apache-2.0
 * test_verify_bits.c - uint16 that is the bits of bfloat16 is told from counts. */
#include <stdlib.h>
#include <string.h>

#include "proto/verify/verify_bits.h"
#include "tests/support/suite.h"

static const struct {
    const char *type;
    int32_t bits[3];
    bool are;
} rows[] = {
    {"u16", {0x3f80, 0xbf00, 0}, true},                                 /* 1, -0.5, 0 */
    {"u16", {0x3f80, 0x3f0b, 0x38d2}, true}, {"u16", {0, 1, 2}, false}, /* counts */
    {"u16", {0x3f80, 1, 0}, false},          {"u16", {0, 0, 0}, false},
    {"u16", {0x3f80, 0x7f80, 0}, false}, /* infinity */
    {"i32", {0x3f80, 0xbf00, 0}, false},
};

START_TEST(bits_of_bfloat16_are_told_from_counts)
{
    int32_t bits[3];
    const struct tensor tensor = {.type = rows[_i].type,
                                  .info = {.dtype = PE_I32, .rank = 1, .dims = {3}},
                                  .bytes = sizeof bits,
                                  .data = memcpy(bits, rows[_i].bits, sizeof bits)};

    ck_assert_int_eq(verify_bits_are(&tensor), rows[_i].are);
    const struct tensor_set set = {.count = 2, .at = {tensor, tensor}};
    ck_assert_uint_eq(verify_bits_bytes(&set), rows[_i].are ? 2 * 3 * sizeof *bits / 2 : 0);
    uint16_t *made = verify_bits_make(&tensor);
    ck_assert_uint_eq(made[1], (uint16_t)bits[1]);
    free(made);
}
END_TEST

SUITE(verify_bits, TEST_EACH(bits_of_bfloat16_are_told_from_counts, rows));
