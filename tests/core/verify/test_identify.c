/* SPDX-License-Identifier: Apache-2.0
 * test_identify.c - tensors without a claim find one, unless the search is stopped. */
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

/* Identifies the tensors of a request; the status, and the name of what was found. */
static enum pe_status identify(const char *request, struct pe_stop *stop, const char **name,
                               struct pe_errors *errors)
{
    struct pe_limits limits = verify_case_limits;
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    const struct pe_verify_known *known;
    struct pe_args *found = NULL;
    struct verify_case made;

    limits.stop = stop;
    verify_case_of(&made, request);
    enum pe_status status = pe_verify_identify(&found, &known, made.tensor, made.count, NULL, 0,
                                               roles, &limits, errors);
    *name = status == PE_OK ? pe_args_encoding(found)->name : NULL;
    pe_args_free(found);
    verify_case_free(&made);
    return status;
}

/* Requests whose numbers say what they are. */
static const struct {
    const char *request, *encoding;
} known_numbers[] = {
    {"sinusoidal?dim=16&pos=0:12&out=rows", "sinusoidal"},
    {"alibi?heads=8&len=16&out=bias", "alibi"},
    {"t5?len=24&out=buckets", "t5"},
    {"causal-mask?len=9&out=mask", "causal-mask"},
    {"t5?q=0:9&k=0:0&out=buckets", "t5"},
    /* One changed parameter explains the numbers, which no encoding has by itself. */
    {"alibi?heads=8&len=16&max_bias=6&out=bias", "alibi"},
};

START_TEST(numbers_without_a_claim_find_their_encoding)
{
    struct pe_errors errors = {.count = 0};
    const char *name;

    ck_assert_int_eq(identify(known_numbers[_i].request, NULL, &name, &errors), PE_OK);
    ck_assert_str_eq(name, known_numbers[_i].encoding);
}
END_TEST

START_TEST(a_search_for_an_encoding_that_is_stopped_says_so)
{
    struct pe_errors errors = {.count = 0};
    struct pe_stop stop = {0};
    const char *name;

    pe_stop_set(&stop);
    ck_assert_int_eq(identify("rope?dim=16&pos=0:12&out=cos,sin", &stop, &name, &errors),
                     PE_UNKNOWN_NAME);
    ck_assert_str_eq(errors.at[0].detail,
                     "is required here: the search for it ended before all were tried");
}
END_TEST

SUITE(identify, TEST_EACH(numbers_without_a_claim_find_their_encoding, known_numbers),
      TEST(a_search_for_an_encoding_that_is_stopped_says_so));
