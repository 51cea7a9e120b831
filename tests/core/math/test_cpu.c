/* SPDX-License-Identifier: Apache-2.0
 * test_cpu.c - choosing a path. */

#include "core/math/cpu.h"
#include "core/posenc.h"
#include "tests/support/suite.h"

static size_t before;

static void remember(void)
{
    before = pe_cpu_path();
}

static void restore(void)
{
    ck_assert(pe_cpu_path_set(before));
}

START_TEST(the_generic_path_is_always_there)
{
    ck_assert_uint_eq(pe_cpu_path_count(), CPU_PATH_COUNT);
    ck_assert_str_eq(pe_cpu_path_name(CPU_GENERIC), "generic");
    ck_assert_str_eq(pe_cpu_path_name(CPU_AVX2), "avx2");
    ck_assert_str_eq(pe_cpu_path_name(CPU_AVX512), "avx512");
    ck_assert(pe_cpu_path_available(CPU_GENERIC));
}
END_TEST

START_TEST(the_best_available_path_is_picked)
{
    ck_assert(pe_cpu_path_available(pe_cpu_path()));
    for (size_t path = pe_cpu_path() + 1; path < pe_cpu_path_count(); path++)
        ck_assert(!pe_cpu_path_available(path));
}
END_TEST

START_TEST(a_path_is_forced_only_where_the_cpu_has_it)
{
    for (size_t path = 0; path < pe_cpu_path_count(); path++) {
        const size_t now = pe_cpu_path();

        ck_assert(pe_cpu_path_set(path) == pe_cpu_path_available(path));
        ck_assert_uint_eq(pe_cpu_path(), pe_cpu_path_available(path) ? path : now);
        ck_assert_uint_eq(cpu_path(), pe_cpu_path());
    }
    ck_assert(!pe_cpu_path_set(pe_cpu_path_count()));
}
END_TEST

static const struct suite_test tests[] = {
    TEST(the_generic_path_is_always_there),
    TEST(the_best_available_path_is_picked),
    TEST(a_path_is_forced_only_where_the_cpu_has_it),
};

const struct suite cpu_suite = {SUITE_TESTS(tests), .setup = remember, .teardown = restore};
