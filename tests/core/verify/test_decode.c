/* SPDX-License-Identifier: Apache-2.0
 * test_decode.c - positions are read out of the numbers: an offset, padding, a packed
 * sequence. */
#include "core/verify/decode.h"

#include <math.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

enum { ROWS = 6 };

static const struct {
    const char *made, *claim;
    double pos[ROWS];
} tables[] = {
    {"rope?dim=64&pos=7:13&out=cos,sin", "rope?dim=64&pos=0:6", {7, 8, 9, 10, 11, 12}},
    {"rope?dim=64&pos=0,0,0,1,2,3&out=cos,sin", "rope?dim=64&pos=0:6", {0, 0, 0, 1, 2, 3}},
    {"rope?dim=64&pos=0,1,2,0,1,2&out=cos,sin", "rope?dim=64&pos=0:6", {0, 1, 2, 0, 1, 2}},
    {"rope?dim=64&pos=100:106&out=table&dtype=bf16",
     "rope?dim=64&pos=0:6",
     {100, 101, 102, 103, 104, 105}},
    {"rope/apply?pos=3:9&x=f32[6,16]&out=x", "rope/apply?pos=0:6", {3, 4, 5, 6, 7, 8}},
};

START_TEST(the_position_of_each_row_is_read_from_its_numbers)
{
    struct verify_case made;
    struct claim claim;
    double pos[ROWS];

    verify_case_of(&made, tables[_i].made);
    verify_case_claim(&made, tables[_i].claim);
    ck_assert(claim_init(&claim, made.claim, made.tensor, made.count, made.role, NULL,
                         &verify_case_limits));
    struct candidate *base = candidate_new(&claim, NULL, NULL);
    ck_assert(decode_rows(base, 0, 1, ROWS, (struct row_buffer){pos, ROWS}));
    for (size_t i = 0; i < ROWS; i++)
        ck_assert_msg(fabs(pos[i] - tables[_i].pos[i]) < 0.01, "row %zu is at %g", i, pos[i]);
    ck_assert(decode_rows(base, 1, 2, 2, (struct row_buffer){pos, ROWS}));
    ck_assert(fabs(pos[1] - tables[_i].pos[3]) < 0.01);
    candidate_free(base);
    claim_fini(&claim);
    verify_case_free(&made);
}
END_TEST

/* The slowest pair turns once in 35 positions; the rows lie up to 261 from the claimed ones. */
START_TEST(rows_on_a_line_are_read_however_far_they_lie_from_the_claim)
{
    enum { COUNT = 30 };
    struct verify_case made;
    struct claim claim;
    double pos[COUNT];

    verify_case_of(&made, "rope?dim=8&base=10&pos=5:305:10&out=cos,sin");
    verify_case_claim(&made, "rope?dim=8&base=10&pos=5:35");
    ck_assert(claim_init(&claim, made.claim, made.tensor, made.count, made.role, NULL,
                         &verify_case_limits));
    struct candidate *base = candidate_new(&claim, NULL, NULL);
    ck_assert(decode_line(base, COUNT, (struct row_buffer){pos, COUNT}));
    for (int i = 0; i < COUNT; i++)
        ck_assert_msg(fabs(pos[i] - (5 + 10 * i)) < 0.01, "row %d is at %g", i, pos[i]);
    candidate_free(base);
    claim_fini(&claim);
    verify_case_free(&made);
}
END_TEST

SUITE(decode, TEST_EACH(the_position_of_each_row_is_read_from_its_numbers, tables),
      TEST(rows_on_a_line_are_read_however_far_they_lie_from_the_claim));
