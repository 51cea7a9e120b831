/* SPDX-License-Identifier: Apache-2.0
 * test_stream_chunk.c - the answers that the pool makes in chunks; tests/http/test_streaming.py
 * asks for such answers whole, in parts, many at once and cut off. */

#include "server/exchange/stream_chunk.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static bool needed(const char *encoding, const char *query)
{
    struct pe_plan *plan = core_query_plan(core_query_find(encoding), query);
    bool is = stream_chunk_needed(plan);

    pe_plan_free(plan);
    return is;
}

START_TEST(only_blocks_of_dear_numbers_go_to_the_pool)
{
    ck_assert(!needed("sinusoidal", "pos=0:100000&dim=512"));
    ck_assert(!needed("alibi", "heads=8&len=1000"));
    ck_assert(needed("sandwich", "heads=8&q=0:200&k=0:199,300&score_form=paper&dim=512"));
    ck_assert(needed("sandwich", "heads=8&q=0:200&k=0:199,300&score_form=paper&dim=64"));
    ck_assert(needed("conv-position", "x=f32:4200x64&weight=f32:64x100&activation=none"));
}
END_TEST

START_TEST(a_few_dear_numbers_are_made_in_passing)
{
    const char *const few = "x=f32:8x768&weight=f32:768x48x1&activation=none";

    ck_assert(!needed("conv-position", few));
    ck_assert(needed("conv-position", "x=f32:8x768&weight=f32:768x48x128"));
}
END_TEST

SUITE(stream_chunk, TEST(only_blocks_of_dear_numbers_go_to_the_pool),
      TEST(a_few_dear_numbers_are_made_in_passing));
