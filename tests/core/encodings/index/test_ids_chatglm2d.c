/* SPDX-License-Identifier: Apache-2.0
 * test_ids_chatglm2d.c - the two ids of GLM: a law beyond the rows of ids_chatglm2d.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(one_of_the_two_ids_grows_at_every_token)
{
    static const char query[] =
        "length=40&context=13&mask_position=5&out=position_ids,block_position_ids";
    size_t count;
    double *ids = core_query_values("ids-chatglm2d", query, "position_ids", &count);
    double *blocks = core_query_values("ids-chatglm2d", query, "block_position_ids", NULL);

    for (size_t i = 1; i < count; i++)
        ck_assert((ids[i] == ids[i - 1] + 1) != (blocks[i] == blocks[i - 1] + 1));
    free(ids);
    free(blocks);
}
END_TEST

SUITE(ids_chatglm2d, TEST(one_of_the_two_ids_grows_at_every_token));
