/* SPDX-License-Identifier: Apache-2.0
 * test_inference_word.c - no name of ours means something else to the Open Inference
 * Protocol. */
#include "proto/inference/inference_word.h"

#include <string.h>

#include "core/posenc.h"
#include "proto/request/option.h"
#include "tests/support/suite.h"

START_TEST(no_encoding_has_a_parameter_of_such_a_name)
{
    for (size_t i = 0; i < pe_count(); i++) {
        size_t count;
        const struct pe_param *params = pe_params(pe_at(i), &count);

        for (size_t j = 0; j < count; j++) {
            const char *name = params[j].name;

            ck_assert_msg(
                inference_word_of(name, NULL) == INFERENCE_NAMES && strcmp(name, "id") != 0,
                "%s of %s belongs to the Open Inference Protocol", name, pe_name(pe_at(i)));
        }
    }
}
END_TEST

START_TEST(an_option_is_taken_or_has_an_advice)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const char *name = option_at(i)->param.name, *advice = NULL;
        bool taken = strcmp(name, "model") == 0 || strncmp(name, "layer", 5) == 0;

        ck_assert_msg(inference_word_of(name, &advice) ==
                          (taken ? INFERENCE_NAMES : INFERENCE_ELSEWHERE),
                      "%s", name);
        ck_assert_msg(taken == !advice, "%s", name);
    }
}
END_TEST

START_TEST(a_name_that_ends_with_a_line_begins_many)
{
    ck_assert_int_eq(inference_word_of("triton_final_response", NULL), INFERENCE_UNSUPPORTED);
    ck_assert_int_eq(inference_word_of("shared_memory_offset", NULL), INFERENCE_UNSUPPORTED);
    ck_assert_int_eq(inference_word_of("triton", NULL), INFERENCE_NAMES);
    ck_assert_int_eq(inference_word_of("timeouts", NULL), INFERENCE_NAMES);
    ck_assert_int_eq(inference_word_of("binary_data_output", NULL), INFERENCE_FORM);
}
END_TEST

START_TEST(the_words_that_are_said_elsewhere_are_listed)
{
    size_t count = 0;

    for (const char *name; (name = inference_word_elsewhere(count)) != NULL; count++)
        ck_assert_int_eq(inference_word_of(name, NULL), INFERENCE_ELSEWHERE);
    ck_assert_uint_eq(count, OPTION_COUNT - 3 + 1); /* all but three options, and out */
}
END_TEST

SUITE(inference_word, TEST(no_encoding_has_a_parameter_of_such_a_name),
      TEST(an_option_is_taken_or_has_an_advice), TEST(a_name_that_ends_with_a_line_begins_many),
      TEST(the_words_that_are_said_elsewhere_are_listed));
