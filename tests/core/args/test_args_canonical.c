/* SPDX-License-Identifier: Apache-2.0
 * test_args_canonical.c - canonical values: complete (given back they give the same answer),
 * one spelling for all that mean the same, and typed as they were. */
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "tests/support/core_draw.h"
#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"
#include "tests/support/core_vectors.h"
#include "tests/support/suite.h"

/* ---- the values of one request ----------------------------------------------------------- */

static const struct pe_value *value_of(const struct pe_args *args, const char *name)
{
    for (size_t i = 0; i < pe_args_value_count(args); i++)
        if (strcmp(pe_args_value(args, i)->name, name) == 0)
            return pe_args_value(args, i);
    ck_abort_msg("no value of %s", name);
    return NULL;
}

START_TEST(every_value_has_its_kind_and_its_text)
{
    struct pe_args *args = core_query_checked(
        &core_sample, "out=rows,total,ids&pos=0:4&dim=4&gain=auto&offset=1e-7&flag=0&mode=none&"
                      "weights=0.5,-1&matrix=1,2;3,4&grid=2x3");

    ck_assert_int_eq(value_of(args, "dim")->kind, PE_VALUE_NUMBER);
    ck_assert(value_of(args, "dim")->number == 4);
    ck_assert_int_eq(value_of(args, "gain")->kind, PE_VALUE_TEXT); /* a word */
    ck_assert_str_eq(value_of(args, "gain")->text, "auto");
    ck_assert_int_eq(value_of(args, "offset")->kind, PE_VALUE_NUMBER);
    ck_assert(value_of(args, "offset")->number == 1e-7);
    ck_assert_str_eq(value_of(args, "offset")->text, "1e-7");
    ck_assert_int_eq(value_of(args, "flag")->kind, PE_VALUE_BOOL);
    ck_assert(!value_of(args, "flag")->flag);
    ck_assert_int_eq(value_of(args, "mode")->kind, PE_VALUE_TEXT);
    ck_assert_str_eq(value_of(args, "mode")->text, "plain");
    ck_assert_int_eq(value_of(args, "weights")->kind, PE_VALUE_REALS);
    ck_assert_uint_eq(value_of(args, "weights")->reals.cols, 2);
    ck_assert_str_eq(value_of(args, "weights")->text, "0.5,-1");
    ck_assert_uint_eq(value_of(args, "matrix")->reals.rows, 2);
    ck_assert_str_eq(value_of(args, "matrix")->text, "1,2;3,4");
    ck_assert_str_eq(value_of(args, "grid")->text, "2x3");
    ck_assert_str_eq(value_of(args, "out")->text, "rows,ids,total");
    pe_args_free(args);
}
END_TEST

START_TEST(a_tensor_has_its_type_and_shape_for_value)
{
    struct pe_args *args = pe_args_new(&core_sample);
    struct pe_tensor cube = {PE_BF16, 3, {2, 0, 18446744073709551615U}};
    struct pe_errors errors = {.count = 0};

    pe_args_set_text(args, "out", 3, "shape", 5, &errors);
    pe_args_set_tensor(args, "x", 1, &cube, &errors);
    ck_assert_int_eq(pe_args_check(args, &errors), PE_OK);
    ck_assert_str_eq(value_of(args, "x")->text, "bf16[2,0,18446744073709551615]");
    pe_args_free(args);
}
END_TEST

START_TEST(values_are_sorted_by_name)
{
    struct pe_args *args = core_query_checked(&core_sample, "pos=0:4&dim=4&wish=1&offset=1");

    for (size_t i = 1; i < pe_args_value_count(args); i++)
        ck_assert_int_lt(strcmp(pe_args_value(args, i - 1)->name, pe_args_value(args, i)->name),
                         0);
    pe_args_free(args);
}
END_TEST

START_TEST(long_lists_have_all_numbers)
{
    char query[9000] = "out=total&weights=0.015625";
    struct pe_args *args;

    for (size_t i = 0; i < 799; i++)
        memcpy(query + strlen(query), ",-0.015625", sizeof ",-0.015625");
    args = core_query_checked(&core_sample, query);
    ck_assert_str_eq(value_of(args, "weights")->text, query + strlen("out=total&weights="));
    pe_args_free(args);
}
END_TEST

START_TEST(longer_lists_have_bits_and_are_printed_on_request)
{
    enum { ROWS = 2, COLS = PE_LONG_LIST / 2 + 1, LEN = 4 * ROWS * COLS - 1 };
    double *numbers = malloc(ROWS * COLS * sizeof *numbers);
    char *text = malloc(LEN + 1);
    struct pe_args *args = pe_args_new(&core_sample);
    struct pe_errors errors = {.count = 0};
    const struct pe_value *value;
    size_t at = 0;

    for (size_t i = 0; i < ROWS * COLS; i++)
        numbers[i] = i % 2 ? 0.5 : -0.0; /* which is 0 */
    pe_args_set_text(args, "out", 3, "total", 5, &errors);
    pe_args_set_reals(args, "matrix", 6, numbers, ROWS, COLS, &errors);
    ck_assert_int_eq(pe_args_check(args, &errors), PE_OK);
    while (pe_args_value(args, at) != value_of(args, "matrix"))
        at++;
    value = pe_args_value(args, at);
    numbers[0] = 0.0;
    for (size_t i = 2; i < ROWS * COLS; i += 2)
        numbers[i] = 0.0;
    ck_assert_ptr_null(value->text);
    ck_assert_uint_eq(value->bits_len, ROWS * COLS * sizeof *numbers);
    ck_assert_mem_eq(value->bits, numbers, value->bits_len);
    ck_assert_uint_eq(pe_args_print(args, at, NULL, 0), 3 * ROWS * COLS - 1);
    ck_assert_uint_eq(pe_args_print(args, at, text, LEN + 1), 3 * ROWS * COLS - 1);
    ck_assert_int_eq(strncmp(text, "0,0.5,0,0.5,", 12), 0);
    ck_assert_uint_eq((size_t)(strchr(text, ';') - text), 3 * (size_t)COLS - 2);
    pe_args_free(args);
    free(numbers);
    free(text);
}
END_TEST

/* ---- given back, the values give the same answer ----------------------------------------- */

/* The same values once more, each by the setter of its kind, as a JSON body would. */
static struct pe_args *give_back(const struct pe_args *args, struct pe_errors *errors)
{
    struct pe_args *again = pe_args_new(pe_args_encoding(args));

    for (size_t i = 0; i < pe_args_value_count(args); i++) {
        const struct pe_value *v = pe_args_value(args, i);
        size_t len = strlen(v->name);

        if (v->kind == PE_VALUE_NUMBER)
            pe_args_set_number(again, v->name, len, v->number, errors);
        else if (v->kind == PE_VALUE_BOOL)
            pe_args_set_bool(again, v->name, len, v->flag, errors);
        else if (v->kind == PE_VALUE_REALS)
            pe_args_set_reals(again, v->name, len, v->reals.values, v->reals.rows,
                              v->reals.cols, errors);
        else
            core_query_give(again, v->name, len, v->text, strlen(v->text), errors);
    }
    if (pe_args_check(again, errors))
        ck_assert_uint_gt(errors->count, 0);
    return again;
}

static const struct pe_limits limits = {.max_elements = 4000, .max_prepared = 4000};

static void same_answers(struct pe_args *one, struct pe_args *other, const char *query)
{
    struct pe_errors errors = {.count = 0};
    struct pe_plan *a = NULL, *b = NULL;

    if (pe_plan_new(&a, one, NULL, &limits, &errors))
        return; /* too large to compare here */
    ck_assert_int_eq(pe_plan_new(&b, other, NULL, &limits, &errors), PE_OK);
    ck_assert_uint_eq(pe_plan_tensor_count(a), pe_plan_tensor_count(b));
    for (size_t i = 0; i < pe_plan_tensor_count(a); i++) {
        const struct pe_tensor_info *t = pe_plan_tensor(a, i), *u = pe_plan_tensor(b, i);
        void *bytes = core_query_bytes(a, i), *again = core_query_bytes(b, i);

        ck_assert_ptr_eq(t->output, u->output);
        ck_assert_int_eq(t->dtype, u->dtype);
        ck_assert_uint_eq(t->rows, u->rows);
        ck_assert_uint_eq(t->cols, u->cols);
        ck_assert_msg(memcmp(bytes, again, t->rows * t->cols * pe_dtype_size(t->dtype)) == 0,
                      "%s: %s differs", query, t->output->name);
        free(bytes);
        free(again);
    }
    pe_plan_free(a);
    pe_plan_free(b);
}

static void expect_complete(struct pe_args *args, const char *query)
{
    const struct pe_encoding *enc = pe_args_encoding(args);
    struct pe_errors errors = {.count = 0};
    char *canonical = core_query_canonical(args), *again;
    struct pe_args *as_text, *as_body;

    core_query_args(&as_text, enc, canonical, &errors);
    ck_assert_msg(errors.count == 0, "%s?%s: given back as %s: %s %s", pe_name(enc), query,
                  canonical, errors.at[0].parameter, errors.at[0].detail);
    again = core_query_canonical(as_text);
    ck_assert_msg(strcmp(canonical, again) == 0, "%s?%s: %s becomes %s", pe_name(enc), query,
                  canonical, again);
    free(again);
    as_body = give_back(args, &errors);
    ck_assert_msg(errors.count == 0, "%s?%s: given back as a body: %s %s", pe_name(enc), query,
                  errors.at[0].parameter, errors.at[0].detail);
    again = core_query_canonical(as_body);
    ck_assert_str_eq(canonical, again);
    free(again);
    same_answers(args, as_text, query);
    free(canonical);
    pe_args_free(as_text);
    pe_args_free(as_body);
}

START_TEST(the_values_of_every_example_give_its_answer)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);

    for (const char *const *query = pe_examples(enc); *query; query++) {
        struct pe_args *args = core_query_checked(enc, *query);

        expect_complete(args, *query);
        pe_args_free(args);
    }
}
END_TEST

/* A problem names what the client can change, and says something. */
static void expect_honest(const struct pe_encoding *enc, const struct pe_errors *errors,
                          const char *query)
{
    for (size_t i = 0; i < errors->count; i++) {
        const char *name = errors->at[i].parameter;
        bool known = strcmp(name, "out") == 0 || strcmp(name, "dtype") == 0 ||
                     (name[0] == '\0' && errors->at[i].status == PE_TOO_LARGE) ||
                     args_find(enc, name, strlen(name)) != SIZE_MAX;

        ck_assert_msg(known && errors->at[i].detail[0], "%s?%s: \"%s\" %s", pe_name(enc), query,
                      name, errors->at[i].detail);
        ck_assert_msg(errors->at[i].status != PE_UNKNOWN_PARAMETER &&
                          errors->at[i].status != PE_NO_MEMORY,
                      "%s?%s: %s", pe_name(enc), query, errors->at[i].detail);
    }
}

START_TEST(the_values_of_any_request_give_its_answer)
{
    enum { DRAWS = 1000 };
    const struct pe_encoding *enc = pe_at((size_t)_i);
    struct core_random random = {(uint64_t)_i};
    char query[CORE_DRAW_MAX];
    int right = 0;

    for (int i = 0; i < DRAWS; i++) {
        struct pe_errors errors = {.count = 0};
        struct pe_args *args;

        core_draw_query(enc, &random, query);
        if (core_query_args(&args, enc, query, &errors)) {
            ck_assert_uint_gt(errors.count, 0);
            expect_honest(enc, &errors, query);
        } else {
            expect_complete(args, query);
            right++;
        }
        pe_args_free(args);
    }
    ck_assert_msg(right > DRAWS / 20, "%s: only %d of %d draws were right", pe_name(enc), right,
                  DRAWS);
}
END_TEST

START_TEST(a_tensor_is_spelled_as_its_text)
{
    struct pe_tensor flat = {PE_F32, 1, {2}};
    struct pe_args *args = pe_args_new(&core_vectors);
    struct pe_errors errors = {.count = 0};

    pe_args_set_tensor(args, "x", 1, &flat, &errors);
    ck_assert_int_eq(pe_args_spell_tensor(args, pe_param_find(pe_args_encoding(args), "x", 1),
                                          "1,0.5;", 5, &errors),
                     PE_OK);
    ck_assert_int_eq(pe_args_check(args, &errors), PE_OK);
    for (size_t i = 0; i < pe_args_value_count(args); i++)
        if (strcmp(pe_args_value(args, i)->name, "x") == 0)
            ck_assert_str_eq(pe_args_value(args, i)->text, "1,0.5");
    ck_assert_uint_eq(pe_args_value_count(args), 4); /* dtype, factor, out, x */
    pe_args_free(args);
}
END_TEST

SUITE(args_canonical, TEST(every_value_has_its_kind_and_its_text),
      TEST(a_tensor_has_its_type_and_shape_for_value), TEST(a_tensor_is_spelled_as_its_text),
      TEST(values_are_sorted_by_name), TEST(long_lists_have_all_numbers),
      TEST(longer_lists_have_bits_and_are_printed_on_request),
      TEST_COUNTED(the_values_of_every_example_give_its_answer, pe_count),
      TEST_COUNTED(the_values_of_any_request_give_its_answer, pe_count));
