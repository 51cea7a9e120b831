/* SPDX-License-Identifier: Apache-2.0
 * sight_case.c - see sight_case.h. */
#include "tests/core/support/sight_case.h"

#include <stdio.h>

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
