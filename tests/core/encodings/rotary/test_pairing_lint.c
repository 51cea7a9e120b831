/* SPDX-License-Identifier: Apache-2.0
 * test_pairing_lint.c - recognises the tables of rope in each wrong order that some port has
 * shipped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

enum { QUERY_MAX = 20000, PLAIN_MAX = 200 };

/* Writes the rows of a table as "1,2;3,4". */
static void print_rows(char out[QUERY_MAX], const double *values, size_t count, size_t cols,
                       double sign)
{
    size_t len = 0;

    for (size_t i = 0; i < count; i++)
        len += (size_t)snprintf(out + len, QUERY_MAX - len, "%s%.9g",
                                i == 0          ? ""
                                : i % cols == 0 ? ";"
                                                : ",",
                                sign * values[i]);
}

struct table {
    const char *query; /* of rope */
    double sign;       /* of the sines */
    bool swapped;
};

static char *lint_query(const struct table *table, const char *rotation)
{
    char query[PLAIN_MAX], *cosines = malloc(QUERY_MAX), *sines = malloc(QUERY_MAX);
    char *text = malloc(3 * QUERY_MAX);
    size_t count;
    double *cosine, *sine;

    snprintf(query, sizeof query, "pos=0:4&width=full&%s", table->query);
    cosine = core_query_values("rope", query, "cos", &count);
    sine = core_query_values("rope", query, "sin", NULL);
    print_rows(cosines, cosine, count, count / 4, 1);
    print_rows(sines, sine, count, count / 4, table->sign);
    snprintf(text, 3 * QUERY_MAX, "pos=0:4&cos=%s&sin=%s%s", table->swapped ? sines : cosines,
             table->swapped ? cosines : sines, rotation);
    free(cosine), free(sine), free(cosines), free(sines);
    return text;
}

static double answer(const struct table *table, const char *rotation, const char *output)
{
    char more[PLAIN_MAX], *query;
    double *values, value;

    snprintf(more, sizeof more, "%s&out=%s", rotation, output);
    query = lint_query(table, more);
    values = core_query_values("pairing-lint", query, output, NULL);
    value = *values;
    free(values);
    free(query);
    return value;
}

static const struct table half = {"dim=16", 1, false};
static const struct table adjacent = {"dim=16&pairing=adjacent", 1, false};
static const struct table inverse = {"dim=16", -1, false};
static const struct table swapped = {"dim=16&base=5000", 1, true};

static const struct {
    const struct table *table;
    const char *rotation;
    double verdict, layout;
} cases[] = {
    {&half, "&rotation=half", 0, 2},        {&adjacent, "&rotation=adjacent", 0, 1},
    {&half, "&rotation=adjacent", 2, 2},    {&adjacent, "&rotation=half", 3, 1},
    {&inverse, "&rotation=half", 1, 2},     {&swapped, "&rotation=half", 0, 2},
    {&swapped, "&rotation=adjacent", 2, 2},
};

START_TEST(tables_that_do_not_fit_their_rotation_are_recognised)
{
    ck_assert_double_eq(answer(cases[_i].table, cases[_i].rotation, "verdict"),
                        cases[_i].verdict);
    ck_assert_double_eq(answer(cases[_i].table, "", "layout"), cases[_i].layout);
}
END_TEST

START_TEST(the_base_is_estimated_from_a_geometric_ladder)
{
    static const struct {
        const char *query;
        double theta, amplitude;
    } ladders[] = {
        {"dim=16", 10000, 1},
        {"dim=128&base=500000&pairing=adjacent", 500000, 1},
        {"dim=128&base=500000&scaling=llama3", 0, 1},
        {"dim=16&scaling=yarn&factor=16&original_max_position_embeddings=4096&beta_fast=1e-9"
         "&beta_slow=1e-10",
         10000, 1.27725887},
        {"dim=2", 0, 1},
    };
    const struct table table = {ladders[_i].query, _i == 1 ? -1 : 1, false};

    ck_assert_double_eq_tol(answer(&table, "", "theta"), ladders[_i].theta,
                            1e-3 * ladders[_i].theta + 1e-9);
    ck_assert_double_eq_tol(answer(&table, "", "amplitude"), ladders[_i].amplitude, 1e-6);
}
END_TEST

START_TEST(one_pair_is_duplicated_both_ways)
{
    const struct table pair = {"dim=2", 1, false};

    ck_assert_double_eq(answer(&pair, "", "layout"), 3);
    ck_assert_double_eq(answer(&pair, "&rotation=adjacent", "verdict"), 0);
}
END_TEST

static const char *warning_of(const struct pe_plan *plan)
{
    return pe_plan_warning_count(plan) ? pe_plan_warning(plan, 0) : "";
}

START_TEST(other_oddities_of_tables_are_warned_of)
{
    static const struct {
        const char *query, *part;
    } odd[] = {
        {"pos=0,1&cos=0,0;.8,.8&sin=1,1;.6,.6", "exchanged"},
        {"pos=0,1&cos=1,1;2,2&sin=0,0;0,0", "differs between elements"},
        {"pos=0,1&cos=1.2,1.2;1.2,1.2&sin=0,0;0,0", "attention factor"},
        {"pos=0,1&cos=1,1;.6,.6&sin=0,0;.8,.8", ""},
    };
    char query[PLAIN_MAX];
    struct pe_plan *plan;

    snprintf(query, sizeof query, "%s&rotation=half", odd[_i].query);
    plan = core_query_plan(core_query_find("pairing-lint"), query);
    ck_assert_msg(strstr(warning_of(plan), odd[_i].part), "%s", warning_of(plan));
    ck_assert_uint_eq(pe_plan_warning_count(plan), odd[_i].part[0] != '\0');
    pe_plan_free(plan);
}
END_TEST

SUITE(pairing_lint, TEST_EACH(tables_that_do_not_fit_their_rotation_are_recognised, cases),
      TEST_RANGE(the_base_is_estimated_from_a_geometric_ladder, 0, 5),
      TEST(one_pair_is_duplicated_both_ways),
      TEST_RANGE(other_oddities_of_tables_are_warned_of, 0, 4));
