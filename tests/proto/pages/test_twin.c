/* SPDX-License-Identifier: Apache-2.0
 * test_twin.c - tests which encodings are a table and its application. */
#include <string.h>

#include "proto/pages/twin.h"
#include "tests/support/suite.h"

static const struct {
    const char *name, *twin;
} cases[] = {
    {"rope", "rope/apply"},        {"rope/apply", "rope"},
    {"rope-nd", "rope-nd/apply"},  {"sinusoidal/apply", "sinusoidal"},
    {"sinusoidal-relative", NULL}, {"alibi", NULL},
};

START_TEST(a_table_and_its_application_are_twins)
{
    const struct pe_encoding *enc = pe_find(cases[_i].name, strlen(cases[_i].name));
    const struct pe_encoding *twin = twin_find(enc);

    ck_assert_pstr_eq(twin ? pe_name(twin) : NULL, cases[_i].twin);
    ck_assert(twin_is_applied(enc) == (strchr(cases[_i].name, '/') != NULL));
}
END_TEST

SUITE(twin, TEST_EACH(a_table_and_its_application_are_twins, cases));
