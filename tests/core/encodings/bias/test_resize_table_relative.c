/* SPDX-License-Identifier: Apache-2.0
 * test_resize_table_relative.c - a spline keeps cubic polynomials, and what is slow to
 * plan is known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

static const char *const name = "resize-table-relative";

static double fact(const struct pe_plan *plan, const char *wanted)
{
    for (size_t i = 0; i < pe_plan_fact_count(plan); i++)
        if (strcmp(pe_plan_fact(plan, i)->name, wanted) == 0)
            return pe_plan_fact(plan, i)->number;
    ck_abort_msg("no fact %s", wanted);
}

static double cubic(double y, double x)
{
    return (1 + y * (2 - y * (1 - y / 8))) * (3 - x * (1 + x * (0.5 - x / 16)));
}

/* The spline has not-a-knot ends: a polynomial of the third degree is its own spline. Window 7
 * to 14 is BEiT's: places 1, 2.307619, 4.017486, 6.253341, 9.176988, 13.000003. */
START_TEST(a_cubic_polynomial_keeps_its_values)
{
    enum { OLD = 13, NEW = 27, HALF = OLD / 2 };
    struct pe_plan *plan =
        core_query_plan(core_query_find(name),
                        "table=f64:169x1&new_window=14x14&interpolation=geometric&dtype=f64");
    const double q = fact(plan, "growth_width");
    double at[OLD], table[OLD * OLD], *got, power = 1;
    void *inputs[CORE_TENSOR_MAX] = {table};

    ck_assert_double_eq_tol(q, 1.307619, 5e-7);
    ck_assert(q == fact(plan, "growth_height"));
    at[HALF] = 0;
    for (int k = 0; k < HALF; k++, power *= q) {
        at[HALF + k + 1] = at[HALF + k] + power;
        at[HALF - k - 1] = -at[HALF + k + 1];
    }
    ck_assert_double_eq_tol(at[OLD - 1], 13.000003, 5e-7);
    for (int i = 0; i < OLD * OLD; i++)
        table[i] = cubic(at[i / OLD], at[i % OLD]);
    got = core_tensor_doubles(plan, 0, inputs);
    for (int i = 0; i < NEW * NEW; i++) {
        const double right = cubic(i / NEW - NEW / 2, i % NEW - NEW / 2);

        ck_assert_double_eq_tol(got[i], right, 1e-9); /* of numbers up to 150,000 */
    }
    free(got);
    pe_plan_free(plan);
}
END_TEST

START_TEST(only_windows_of_many_offsets_take_long_to_plan)
{
    static const struct {
        const char *query;
        bool heavy;
    } windows[] = {
        {"table=f32:729x1&new_window=31x31&interpolation=geometric", false},
        {"table=f32:29241x1&new_window=90x90&interpolation=geometric", true},
        {"table=f32:29241x1&new_window=90x90&interpolation=geometric-linear", false},
        {"table=f32:29241x1&new_window=86x86&interpolation=geometric",
         false}, /* nothing changes */
    };

    for (size_t i = 0; i < PE_LEN(windows); i++) {
        struct pe_args *args = core_query_checked(core_query_find(name), windows[i].query);

        ck_assert_msg(pe_args_heavy(args) == windows[i].heavy, "%s", windows[i].query);
        pe_args_free(args);
    }
}
END_TEST

SUITE(resize_table_relative, TEST(a_cubic_polynomial_keeps_its_values),
      TEST(only_windows_of_many_offsets_take_long_to_plan));
