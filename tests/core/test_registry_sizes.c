/* SPDX-License-Identifier: Apache-2.0
 * test_registry_sizes.c - products of sizes near the end of numbers are reported or refused. */
#include <inttypes.h>
#include <stdio.h>

#include "core/args/args.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct pe_limits limits = {.max_elements = 20000, .max_prepared = 20000};

static const struct {
    const char *encoding, *query;
    uint64_t requested; /* UINT64_MAX: more than a number can report */
} products[] = {
    {"sinusoidal", "pos=0:9007199254740992&dim=512", UINT64_C(1) << 62},
    {"sinusoidal", "pos=0:9007199254740992&dim=1024", UINT64_C(1) << 63},
    {"sinusoidal", "pos=0:9007199254740992&dim=2046", (UINT64_C(1) << 53) * 2046},
    {"sinusoidal", "pos=0:9007199254740992&dim=2048", UINT64_MAX},
    {"sinusoidal", "pos=0:9007199254740992&dim=65536", UINT64_MAX},
    {"rope", "pos=0:9007199254740992&dim=1024", UINT64_C(1) << 63}, /* cos and sin */
    {"rope", "pos=0:9007199254740992&dim=2048", UINT64_MAX},        /* their sum overflows */
    {"rope", "pos=0:140737488355328&dim=256&out=matrix", UINT64_C(1) << 63},
    {"rope", "pos=0:281474976710656&dim=256&out=matrix", UINT64_MAX},
    {"rope", "pos=0:9007199254740992&dim=65536&out=matrix", UINT64_MAX},
    {"alibi", "heads=2048&q=0:67108864&k=0:67108864", UINT64_C(1) << 63},
    {"alibi", "heads=4096&q=0:67108864&k=0:67108864", UINT64_MAX},
    {"alibi", "heads=4096&len=9007199254740992", UINT64_MAX},
    {"alibi", "heads=512&len=9007199254740992&out=toeplitz", ((UINT64_C(1) << 54) - 1) * 512},
    {"alibi", "heads=1024&q=0:9007199254740992&k=0:2&out=toeplitz",
     UINT64_C(9223372036854776832)},
};

START_TEST(products_near_the_end_of_numbers_are_reported_or_refused)
{
    const struct pe_encoding *enc = core_query_find(products[_i].encoding);
    struct pe_args *args = core_query_checked(enc, products[_i].query);
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;

    ck_assert_int_eq(pe_plan_new(&plan, args, NULL, &limits, &errors), PE_TOO_LARGE);
    ck_assert_uint_eq(errors.at[0].requested, products[_i].requested);
    ck_assert_uint_eq(errors.at[0].limit, limits.max_elements);
    pe_args_free(args);
}
END_TEST

/* ---- every three of the numbers where products wrap -------------------------------------- */

__extension__ typedef unsigned __int128 uint128;

static const uint64_t edges[] = {0,
                                 1,
                                 4096,
                                 (UINT64_C(1) << 31) - 1,
                                 UINT64_C(1) << 31,
                                 (UINT64_C(1) << 32) - 1,
                                 UINT64_C(1) << 32,
                                 UINT64_C(1) << 53,
                                 (UINT64_C(1) << 63) - 1,
                                 UINT64_MAX};

/* Compares what core makes of heads x queries x keys with a product of 128 bits. */
static void expect_product(uint64_t heads, uint64_t queries, uint64_t keys)
{
    const struct pe_limits all = {.max_elements = UINT64_MAX, .max_prepared = 20000};
    uint128 product = (uint128)heads * queries * keys;
    bool reported = product <= UINT64_MAX,
         possible = heads > 0 && heads <= 4096 && queries <= edges[7] && keys <= edges[7];
    struct pe_errors errors = {.count = 0};
    struct pe_args *args = NULL;
    struct pe_plan *plan = NULL;
    enum pe_status status;
    char query[160];

    snprintf(query, sizeof query, "heads=%" PRIu64 "&q=0:%" PRIu64 "&k=0:%" PRIu64 "&out=bias",
             heads, queries, keys);
    status = core_query_args(&args, core_query_find("alibi"), query, &errors);
    ck_assert_msg((status == PE_OK) == possible, "%s: %s", query, errors.at[0].detail);
    if (possible) {
        status = pe_plan_new(&plan, args, NULL, &limits, &errors);
        ck_assert_msg((status == PE_OK) == (product <= limits.max_elements), "%s", query);
        if (status != PE_OK)
            ck_assert_uint_eq(errors.at[0].requested,
                              reported ? (uint64_t)product : UINT64_MAX);
        pe_plan_free(plan);
        plan = NULL;
        errors.count = 0;
        status = pe_plan_new(&plan, args, NULL, &all, &errors);
        ck_assert_msg((status == PE_OK) == (product <= UINT64_C(1) << 60), "%s", query);
        if (status == PE_OK)
            ck_assert_uint_eq(pe_plan_elements(plan), (uint64_t)product);
        pe_plan_free(plan);
    }
    pe_args_free(args);
}

START_TEST(every_product_of_edges_is_right_or_refused)
{
    for (size_t i = 0; i < PE_LEN(edges); i++)
        for (size_t j = 0; j < PE_LEN(edges); j++)
            for (size_t k = 0; k < PE_LEN(edges); k++)
                expect_product(edges[i], edges[j], edges[k]);
}
END_TEST

SUITE(registry_sizes,
      TEST_EACH(products_near_the_end_of_numbers_are_reported_or_refused, products),
      TEST(every_product_of_edges_is_right_or_refused));
