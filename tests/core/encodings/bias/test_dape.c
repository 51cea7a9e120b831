/* SPDX-License-Identifier: Apache-2.0
 * test_dape.c - scores and biases mixed by networks: laws beyond the rows of dape.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

START_TEST(every_division_of_the_keys_mixes_alike)
{
    struct pe_plan *plan =
        core_query_plan(core_query_find("dape-v2"),
                        "scores=f64:2x3x200&bias=f64:2x3x200&kernel_size=5&dtype=f64"
                        "&w1=1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2&w2=1,2,3,4,5;5,4,3,2,1");
    void *inputs[CORE_TENSOR_MAX] = {NULL};
    double *whole, part[7];
    void *out[] = {part};
    void *scratch = malloc(pe_plan_scratch(plan, 7));
    const struct pe_rect rect = {4, 1, 61, 7};

    core_tensor_draw_inputs(plan, inputs);
    whole = core_tensor_bytes(plan, 0, inputs);
    pe_fill(plan, 0, &rect, out, (const void *const *)inputs, scratch);
    ck_assert_mem_eq(part, whole + 4 * 200 + 61, sizeof part);
    free(scratch);
    free(whole);
    core_tensor_free_inputs(inputs);
    pe_plan_free(plan);
}
END_TEST

SUITE(dape, TEST(every_division_of_the_keys_mixes_alike));
