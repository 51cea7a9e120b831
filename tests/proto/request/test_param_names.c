/* SPDX-License-Identifier: Apache-2.0
 * test_param_names.c - tests the table of synonyms; param_names.txt has names of other
 * libraries. */
#include <string.h>

#include "proto/request/option.h"
#include "proto/request/param_names.h"
#include "tests/support/suite.h"

static const char *const rows[][24 + 1] = {
#define SYNONYMS(...) {__VA_ARGS__, NULL},
#include "proto/request/synonyms.def"
#undef SYNONYMS
};

/* Returns the name that is suggested for a wrong one, or "" if there is none. */
static const char *suggestion(const struct pe_encoding *enc, const char *name)
{
    static const char asked[] = "did you mean ";
    static struct pe_errors errors;

    errors.count = errors.dropped = 0;
    ck_assert_int_eq(param_names_refuse(enc, name, strlen(name), &errors),
                     PE_UNKNOWN_PARAMETER);
    ck_assert_uint_eq(errors.count, 1);
    char *hint = errors.at[0].hint;
    if (strncmp(hint, asked, strlen(asked)) != 0)
        return "";
    ck_assert_ptr_nonnull(strchr(hint, '?'));
    *strchr(hint, '?') = '\0';
    return hint + strlen(asked);
}

START_TEST(what_is_suggested_is_a_name_of_the_encoding)
{
    for (size_t e = 0; e < pe_count(); e++) {
        for (const char *const *word = rows[_i]; *word; word++) {
            if (!param_names_find(pe_at(e), *word, strlen(*word))) {
                const char *meant = suggestion(pe_at(e), *word);

                ck_assert(*meant == '\0' || param_names_find(pe_at(e), meant, strlen(meant)));
            }
        }
    }
}
END_TEST

START_TEST(every_row_names_a_parameter_and_every_word_helps_somewhere)
{
    for (const char *const *word = rows[_i]; *word; word++) {
        bool used = false;

        for (size_t e = 0; e < pe_count() && !used; e++)
            used = param_names_find(pe_at(e), *word, strlen(*word)) ||
                   *suggestion(pe_at(e), *word) != '\0';
        ck_assert_msg(used, "%s", *word);
    }
}
END_TEST

START_TEST(no_parameter_has_the_name_of_an_option)
{
    size_t count;

    for (size_t e = 0; e < pe_count(); e++) {
        const struct pe_param *params = pe_params(pe_at(e), &count);

        for (size_t i = 0; i < count; i++)
            ck_assert_msg(option_find(params[i].name, strlen(params[i].name)) == OPTION_COUNT,
                          "%s: %s", pe_name(pe_at(e)), params[i].name);
    }
}
END_TEST

SUITE(param_names, TEST(no_parameter_has_the_name_of_an_option),
      TEST_EACH(what_is_suggested_is_a_name_of_the_encoding, rows),
      TEST_EACH(every_row_names_a_parameter_and_every_word_helps_somewhere, rows));
