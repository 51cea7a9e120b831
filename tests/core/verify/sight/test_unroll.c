/* SPDX-License-Identifier: Apache-2.0
 * test_unroll.c - runs of a mask are read as the mask, and other whole numbers are no runs. */
#include "core/verify/sight/unroll.h"

#include <stdlib.h>

#include "tests/support/suite.h"

enum { QUERIES = 2, EACH = 2, NUMBERS = QUERIES * EACH * 2 };

static const struct {
    int64_t runs[NUMBERS];
    const char *seen; /* of each query: 1 where it sees a key; NULL: these are no runs */
} rows[] = {
    {{0, 1, -1, -1, 0, 2, 3, 4}, "10001101"}, {{1, 3, -1, -1, -1, -1, -1, -1}, "011000"},
    {{0, 1, 1, 2, 0, 2, 3, 4}, NULL},     /* runs that adjoin are one */
    {{0, 2, -1, -1, -1, -1, 0, 2}, NULL}, /* none follows where there are no more */
    {{2, 1, -1, -1, 0, 2, -1, -1}, NULL}, /* an end before its begin */
    {{0, 0, 0, 1, 1, 0, 1, 1}, NULL},     /* rows and columns of a grid */
};

START_TEST(runs_are_read_as_the_mask)
{
    struct pe_verify_tensor tensor = {.name = "runs",
                                      .info = {PE_I64, 3, {QUERIES, EACH, 2}},
                                      .data = rows[_i].runs};
    const struct view view = view_of(&tensor);
    struct pe_verify_tensor mask;
    bool failed = false;

    ck_assert_int_eq(unroll_runs(&mask, &view, &failed), rows[_i].seen != NULL);
    ck_assert(!failed);
    if (!rows[_i].seen)
        return;
    ck_assert_uint_eq(mask.info.dims[0], QUERIES);
    for (uint64_t i = 0; i < QUERIES * mask.info.dims[1]; i++)
        ck_assert_int_eq(((const bool *)mask.data)[i], rows[_i].seen[i] == '1');
    ck_assert_int_eq(rows[_i].seen[QUERIES * mask.info.dims[1]], '\0');
    free((void *)mask.data);
}
END_TEST

SUITE(unroll, TEST_EACH(runs_are_read_as_the_mask, rows));
