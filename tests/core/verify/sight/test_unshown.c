/* SPDX-License-Identifier: Apache-2.0
 * test_unshown.c - a claim that is guessed has no parameter that the numbers do not show. */
#include "core/verify/sight/unshown.h"

#include <string.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

#define LLAMA3                                                                                 \
    "scaling=llama3&factor=8&low_freq_factor=1&high_freq_factor=4"                             \
    "&original_max_position_embeddings=8192"

static const struct {
    const char *request;
    const char *known;
    bool shown; /* the scaling is */
} claims[] = {
    /* The slow pairs, which a scaling divides, are 1 in bfloat16. */
    {"rope?dim=128&base=500000&pos=0:8&out=cos&dtype=bf16", "base=500000&dim=128&" LLAMA3,
     false},
    {"rope?dim=128&base=500000&pos=0:64&out=cos,sin&" LLAMA3, "base=500000&dim=128&" LLAMA3,
     true},
};

START_TEST(a_model_that_is_guessed_carries_no_parameter_that_no_number_shows)
{
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_errors errors = {.count = 0};
    struct pe_args *found = NULL;
    struct verify_case made;
    bool named, scaled = false;

    verify_case_of(&made, claims[_i].request);
    const struct pe_verify_known known = {"model", pe_find("rope", 4), claims[_i].known};
    ck_assert_int_eq(pe_verify_identify(&found, &named, made.tensor, made.count, &known, 1,
                                        roles, &verify_case_limits, &errors),
                     PE_OK);
    for (size_t i = 0; i < pe_args_value_count(found); i++) {
        char text[20];

        if (strcmp(pe_args_value(found, i)->name, "scaling") != 0)
            continue;
        pe_args_print(found, i, text, sizeof text);
        scaled = strcmp(text, "llama3") == 0;
    }
    ck_assert(scaled == claims[_i].shown);
    ck_assert(named == claims[_i].shown);
    pe_args_free(found);
    verify_case_free(&made);
}
END_TEST

SUITE(unshown,
      TEST_EACH(a_model_that_is_guessed_carries_no_parameter_that_no_number_shows, claims));
