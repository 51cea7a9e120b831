/* SPDX-License-Identifier: Apache-2.0
 * test_streaming_llm.c - bounded caches: a law beyond the rows of streaming_llm.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"
#include <stdio.h>

START_TEST(the_last_token_is_always_kept)
{
    for (int length = 1; length < 30; length++) {
        char query[64];
        size_t count;
        double *kept;

        snprintf(query, sizeof query, "length=%d&start=3&recent=5", length);
        kept = core_query_values("streaming-llm", query, "kept", &count);
        ck_assert(kept[0] == 0 && kept[count - 1] == length - 1);
        ck_assert(count == (size_t)(length < 8 ? length : 8));
        free(kept);
    }
}
END_TEST

SUITE(streaming_llm, TEST(the_last_token_is_always_kept));
