/* SPDX-License-Identifier: Apache-2.0
 * test_encoding_text.c - every encoding as text for a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/describe/encoding_text.h"
#include "proto/request/param_names.h"
#include "tests/support/suite.h"

/* The text with each run of blanks and newlines as one space, which the caller frees. */
static char *unwrapped(const struct buffer *text)
{
    char *plain = malloc(text->len + 1), *end = plain;

    for (size_t i = 0; i < text->len; i++)
        if (!strchr(" \n", text->bytes[i]))
            *end++ = text->bytes[i];
        else if (end > plain && end[-1] != ' ')
            *end++ = ' ';
    *end = '\0';
    return plain;
}

START_TEST(help_names_everything_a_request_may_hold)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    struct param_names vocabulary;
    struct buffer text = {0};
    char line[80];

    param_names_init(&vocabulary, enc);
    encoding_text_write_help(&text, enc);
    char *plain = unwrapped(&text);
    for (size_t i = 0; i < vocabulary.count; i++) {
        snprintf(line, sizeof line, "\n  %s\n", vocabulary.at[i]->name);
        ck_assert_msg(strstr(text.bytes, line) != NULL, "%s", line);
        ck_assert_ptr_nonnull(strstr(plain, pe_param_summary(vocabulary.at[i])));
    }
    snprintf(line, sizeof line, "usage: posencd compute %s NAME=VALUE", pe_name(enc));
    ck_assert_mem_eq(text.bytes, line, strlen(line));
    ck_assert_ptr_null(strstr(text.bytes, "e+308"));
    ck_assert_ptr_null(strchr(strstr(text.bytes, "examples:"), '&'));
    free(plain);
    buffer_fini(&text);
}
END_TEST

START_TEST(a_description_has_every_parameter_and_output)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    size_t params, outputs;
    const struct pe_param *param = pe_params(enc, &params);
    const struct pe_output *output = pe_outputs(enc, &outputs);
    struct buffer text = {0};
    char line[80];

    encoding_text_write(&text, enc);
    char *plain = unwrapped(&text);
    for (size_t i = 0; i < params; i++) {
        snprintf(line, sizeof line, "\n  %s\n", param[i].name);
        ck_assert_msg(strstr(text.bytes, line) != NULL, "%s", line);
    }
    for (size_t i = 0; i < outputs; i++) {
        snprintf(line, sizeof line, "\n  %s [", output[i].name);
        ck_assert_msg(strstr(text.bytes, line) != NULL, "%s", line);
        ck_assert_ptr_nonnull(strstr(plain, output[i].summary));
    }
    ck_assert_ptr_nonnull(strstr(text.bytes, pe_title(enc)));
    free(plain);
    buffer_fini(&text);
}
END_TEST

START_TEST(lines_are_broken_at_words)
{
    struct buffer text = {0};
    char word[120];

    encoding_text_wrap(&text, 2, "  one two");
    ck_assert_str_eq(text.bytes, "  one two\n");
    buffer_fini(&text);
    memset(word, 'w', sizeof word - 1);
    memcpy(word, "a ", 2);
    memcpy(word + 117, " b", 3);
    encoding_text_wrap(&text, 1, word);
    ck_assert_mem_eq(text.bytes, " a\n w", 5);
    ck_assert_str_eq(text.bytes + text.len - 5, "w\n b\n");
    buffer_fini(&text);
}
END_TEST

SUITE(encoding_text, TEST_COUNTED(help_names_everything_a_request_may_hold, pe_count),
      TEST_COUNTED(a_description_has_every_parameter_and_output, pe_count),
      TEST(lines_are_broken_at_words));
