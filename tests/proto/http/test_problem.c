/* SPDX-License-Identifier: Apache-2.0
 * test_problem.c - tests that bodies are RFC 9457, with one entry for each parameter. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "proto/http/problem.h"
#include "tests/support/suite.h"

static json_t *written(const struct problem *problem)
{
    struct buffer text = {0};
    json_error_t error;

    problem_write(&text, problem);
    ck_assert(!text.failed);
    json_t *document = json_loadb(text.bytes, text.len, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(document != NULL, "%s: %s", error.text, text.bytes);
    ck_assert_int_eq(text.bytes[text.len - 1], '\n');
    buffer_fini(&text);
    return document;
}

static const char *string_at(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return !text ? "(none)" : text;
}

START_TEST(every_kind_has_a_status_a_slug_a_title_and_advice)
{
    enum problem_kind kind = (enum problem_kind)_i;
    struct problem problem = {.kind = kind};
    char type[80];
    json_t *document = written(&problem);

    ck_assert_int_eq(json_integer_value(json_object_get(document, "status")),
                     problem_status(kind));
    snprintf(type, sizeof type, "/problems/%s", problem_slug(kind));
    ck_assert_str_eq(string_at(document, "type"), type);
    ck_assert_str_eq(string_at(document, "title"), problem_title(kind));
    ck_assert(problem_status(kind) >= 400 && problem_status(kind) < 600);
    ck_assert_ptr_nonnull(problem_advice(kind));
    json_decref(document);
}
END_TEST

START_TEST(every_wrong_parameter_is_an_entry)
{
    struct pe_errors errors = {0};

    pe_fail(&errors, PE_OUT_OF_RANGE, "dim", "must be even; got %d", 127);
    pe_fail(&errors, PE_UNKNOWN_PARAMETER, "heds", "unknown parameter");
    pe_hint(&errors, "did you mean heads?");
    pe_fail(&errors, PE_BAD_VALUE, "#/pos/3", "must be whole");
    pe_fail(&errors, PE_CONFLICT, NULL, "nobody's fault");
    struct problem problem = {.kind = problem_kind_of(&errors), .errors = &errors};
    json_t *document = written(&problem), *list = json_object_get(document, "errors");
    ck_assert_str_eq(string_at(document, "type"), "/problems/invalid-parameter");
    ck_assert_str_eq(string_at(document, "detail"), "4 parameters are invalid");
    ck_assert_uint_eq(json_array_size(list), 4);
    ck_assert_str_eq(string_at(json_array_get(list, 0), "parameter"), "dim");
    ck_assert_str_eq(string_at(json_array_get(list, 0), "detail"), "must be even; got 127");
    ck_assert_str_eq(string_at(json_array_get(list, 0), "hint"), "(none)");
    ck_assert_str_eq(string_at(json_array_get(list, 1), "hint"), "did you mean heads?");
    ck_assert_str_eq(string_at(json_array_get(list, 2), "pointer"), "#/pos/3");
    ck_assert_str_eq(string_at(json_array_get(list, 2), "parameter"), "(none)");
    ck_assert_str_eq(string_at(json_array_get(list, 3), "parameter"), "(none)");
    json_decref(document);
}
END_TEST

START_TEST(a_single_one_is_the_detail)
{
    struct pe_errors errors = {0};

    pe_fail(&errors, PE_MISSING_PARAMETER, "#/dim", "is required");
    struct problem problem = {.kind = problem_kind_of(&errors), .errors = &errors};
    json_t *document = written(&problem);
    ck_assert_str_eq(string_at(document, "type"), "/problems/missing-parameter");
    ck_assert_str_eq(string_at(document, "detail"), "dim: is required");
    json_decref(document);
    problem.detail = "my own";
    document = written(&problem);
    ck_assert_str_eq(string_at(document, "detail"), "my own");
    json_decref(document);
}
END_TEST

START_TEST(limits_are_told_as_numbers)
{
    struct pe_errors errors = {0};

    pe_fail(&errors, PE_TOO_LARGE, NULL, "too many");
    errors.at[0].limit = 16777216;
    errors.at[0].requested = 80000000;
    struct problem problem = {.kind = problem_kind_of(&errors), .errors = &errors};
    json_t *document = written(&problem);
    json_t *entry = json_array_get(json_object_get(document, "errors"), 0);
    ck_assert_str_eq(string_at(document, "type"), "/problems/limit-exceeded");
    ck_assert_int_eq(json_integer_value(json_object_get(document, "limit")), 16777216);
    ck_assert_int_eq(json_integer_value(json_object_get(document, "requested")), 80000000);
    ck_assert_int_eq(json_integer_value(json_object_get(entry, "limit")), 16777216);
    json_decref(document);
}
END_TEST

START_TEST(more_than_32_are_counted)
{
    struct pe_errors errors = {0};

    for (int i = 0; i < PE_MAX_PROBLEMS + 8; i++)
        pe_fail(&errors, PE_BAD_VALUE, "a", "wrong");
    struct problem problem = {.kind = problem_kind_of(&errors), .errors = &errors};
    json_t *document = written(&problem);
    ck_assert_str_eq(string_at(document, "detail"), "40 parameters are invalid");
    ck_assert_uint_eq(json_array_size(json_object_get(document, "errors")), 32);
    ck_assert_int_eq(json_integer_value(json_object_get(document, "not_listed")), 8);
    json_decref(document);
}
END_TEST

START_TEST(what_a_client_sent_is_escaped)
{
    struct pe_errors errors = {0};

    pe_fail(&errors, PE_UNKNOWN_PARAMETER, "a\"b\\<\x01\xff", "got \"%s\"", "\x1f\xc3");
    struct problem problem = {.kind = PROBLEM_NOT_FOUND,
                              .detail = "no \"path\"\n",
                              .request_id = "r\"1",
                              .errors = &errors};
    json_t *document = written(&problem);
    ck_assert_str_eq(string_at(document, "detail"), "no \"path\"\n");
    ck_assert_str_eq(string_at(document, "request_id"), "r\"1");
    json_decref(document);
}
END_TEST

START_TEST(media_types_that_would_do_are_listed)
{
    static const char *const available[] = {"application/json", "text/csv", NULL};
    struct problem problem = {.kind = PROBLEM_NOT_ACCEPTABLE, .available = available};
    json_t *document = written(&problem), *list = json_object_get(document, "available");

    ck_assert_uint_eq(json_array_size(list), 2);
    ck_assert_str_eq(json_string_value(json_array_get(list, 1)), "text/csv");
    json_decref(document);
}
END_TEST

static const struct {
    enum pe_status first, second; /* PE_OK: no problem */
    enum problem_kind kind;
} kinds[] = {
    {PE_UNKNOWN_PARAMETER, PE_OK, PROBLEM_UNKNOWN_PARAMETER},
    {PE_UNKNOWN_PARAMETER, PE_UNKNOWN_PARAMETER, PROBLEM_UNKNOWN_PARAMETER},
    {PE_UNKNOWN_PARAMETER, PE_MISSING_PARAMETER, PROBLEM_INVALID_PARAMETER},
    {PE_MISSING_PARAMETER, PE_OK, PROBLEM_MISSING_PARAMETER},
    {PE_REPEATED_PARAMETER, PE_OK, PROBLEM_INVALID_PARAMETER},
    {PE_BAD_VALUE, PE_OK, PROBLEM_INVALID_PARAMETER},
    {PE_OUT_OF_RANGE, PE_OK, PROBLEM_INVALID_PARAMETER},
    {PE_CONFLICT, PE_OK, PROBLEM_INVALID_PARAMETER},
    {PE_BAD_VALUE, PE_MISSING_PARAMETER, PROBLEM_INVALID_PARAMETER},
    {PE_TOO_LARGE, PE_OK, PROBLEM_LIMIT_EXCEEDED},
    {PE_TOO_LARGE, PE_BAD_VALUE, PROBLEM_INVALID_PARAMETER},
    {PE_NO_MEMORY, PE_OK, PROBLEM_OVERLOADED},
    {PE_BAD_VALUE, PE_NO_MEMORY, PROBLEM_OVERLOADED},
};

START_TEST(the_kind_follows_from_what_is_wrong)
{
    struct pe_errors errors = {0};

    pe_fail(&errors, kinds[_i].first, NULL, "first");
    if (kinds[_i].second != PE_OK)
        pe_fail(&errors, kinds[_i].second, NULL, "second");
    ck_assert_int_eq(problem_kind_of(&errors), kinds[_i].kind);
}
END_TEST

SUITE(problem, TEST_RANGE(every_kind_has_a_status_a_slug_a_title_and_advice, 0, PROBLEM_COUNT),
      TEST(every_wrong_parameter_is_an_entry), TEST(a_single_one_is_the_detail),
      TEST(limits_are_told_as_numbers), TEST(more_than_32_are_counted),
      TEST(what_a_client_sent_is_escaped), TEST(media_types_that_would_do_are_listed),
      TEST_EACH(the_kind_follows_from_what_is_wrong, kinds));
