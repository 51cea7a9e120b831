/* SPDX-License-Identifier: Apache-2.0
 * test_registry_sizes.c - products of sizes near the end of numbers are told or refused. */
#include <check.h>

#include "core/args.h"
#include "tests/support/core_query.h"

static const struct pe_limits limits = {.max_elements = 20000, .max_prepared = 20000};

static const struct {
    const char *encoding, *query;
    uint64_t requested; /* UINT64_MAX: more than can be told */
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

START_TEST(products_near_the_end_of_numbers_are_told_or_refused)
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

Suite *registry_sizes_suite(void);

Suite *registry_sizes_suite(void)
{
    Suite *suite = suite_create("registry_sizes");
    TCase *tests = tcase_create("registry_sizes");

    tcase_add_loop_test(tests, products_near_the_end_of_numbers_are_told_or_refused, 0,
                        PE_LEN(products));
    suite_add_tcase(suite, tests);
    return suite;
}
