/* SPDX-License-Identifier: Apache-2.0
 * core_mask.c - compares rows of a mask with a text. */
#include "tests/support/core_mask.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/core_query.h"

void core_mask_prints(const char *encoding, const char *query, const char *rows)
{
    struct pe_plan *plan = core_query_plan(core_query_find(encoding), query);
    const struct pe_tensor_info *tensor = pe_plan_tensor(plan, 0);
    double *values = core_query_doubles(plan, 0);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    ck_assert_str_eq(tensor->output->name, "mask");
    for (uint64_t i = 0; i < tensor->rows * tensor->cols; i++)
        fprintf(out, "%s%.0f", i > 0 && i % tensor->cols == 0 ? " " : "", values[i]);
    fclose(out);
    ck_assert_msg(strcmp(text, rows) == 0, "%s?%s: %s, expected %s", encoding, query, text,
                  rows);
    free(text);
    free(values);
    pe_plan_free(plan);
}
