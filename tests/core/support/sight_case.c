/* SPDX-License-Identifier: Apache-2.0
 * sight_case.c - see sight_case.h. */
#include "tests/core/support/sight_case.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"

void sight_case_read(struct verify_case *made, sight_reader *read, char *text, size_t size)
{
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct sight sight;
    size_t len = 0;

    text[0] = '\0';
    ck_assert(sight_init(&sight, made->tensor, made->count, &verify_case_limits));
    struct pe_args *args = read(&sight, roles);
    if (args)
        len += (size_t)snprintf(text, size, "%s", pe_name(pe_args_encoding(args)));
    for (size_t i = 0; args && i < pe_args_value_count(args); i++) {
        const struct pe_value *value = pe_args_value(args, i);
        char number[400];

        pe_args_print(args, i, number, sizeof number);
        len += (size_t)snprintf(text + len, size - len, "&%s=%s", value->name, number);
    }
    pe_args_free(args);
    sight_fini(&sight);
}

enum { TEXT = 4000 };

void sight_case_says(const struct sight_case *one, sight_reader *read)
{
    struct verify_case made;
    char text[TEXT];

    verify_case_of(&made, one->made);
    sight_case_read(&made, read, text, sizeof text);
    for (size_t i = 0; i < PE_LEN(one->says) && one->says[i]; i++)
        ck_assert_msg(strstr(text, one->says[i]), "%s: no %s in %s", one->made, one->says[i],
                      text);
    verify_case_free(&made);
}

void sight_case_spoilt(const struct sight_case *one, sight_reader *read)
{
    struct verify_case made;
    char text[TEXT];

    verify_case_of(&made, one->made);
    const uint64_t at = verify_case_elements(&made, 0) / 2;
    verify_case_set(&made, 0, at, verify_case_get(&made, 0, at) + 0.25);
    sight_case_read(&made, read, text, sizeof text);
    ck_assert_str_eq(text, "");
    verify_case_free(&made);
}

void sight_case_nothing(const char *request, sight_reader *read)
{
    struct verify_case made;
    char text[TEXT];

    verify_case_of(&made, request);
    sight_case_read(&made, read, text, sizeof text);
    ck_assert_str_eq(text, "");
    verify_case_free(&made);
}
