/* SPDX-License-Identifier: Apache-2.0
 * test_canonical.c - tests that the canonical form parses back to itself and changes whenever
 * bytes of the response do; canonical.txt has spellings that share one form. */
#include <stdlib.h>
#include <string.h>

#include "proto/request/canonical.h"
#include "proto/text/buffer.h"
#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

/* Finds an example of the registry by its number in a fixed order. */
static bool example_at(size_t number, const char **encoding, const char **query)
{
    for (size_t i = 0; i < pe_count(); i++) {
        for (const char *const *at = pe_examples(pe_at(i)); *at; at++) {
            if (number-- == 0) {
                *encoding = pe_name(pe_at(i));
                *query = *at;
                return true;
            }
        }
    }
    return false;
}

static size_t example_count(void)
{
    const char *encoding, *query;
    size_t count = 0;

    while (example_at(count, &encoding, &query))
        count++;
    return count;
}

static const char *canonical_of(const struct ask *ask)
{
    size_t len;
    const char *text = request_canonical(ask->request, &len);

    ck_assert_uint_eq(strlen(text), len);
    return text;
}

START_TEST(the_canonical_form_of_an_example_is_its_own_canonical_form)
{
    const char *encoding, *query;
    struct ask given, again;
    size_t given_len, again_len;

    ck_assert(example_at((size_t)_i, &encoding, &query));
    ask_query(&given, encoding, query, NULL);
    ck_assert_msg(given.plan != NULL, "%s?%s: %s %s", encoding, query,
                  given.errors.at[0].parameter, given.errors.at[0].detail);
    ask_url(&again, canonical_of(&given));
    ck_assert_msg(again.plan != NULL, "%s: %s %s", canonical_of(&given),
                  again.errors.at[0].parameter, again.errors.at[0].detail);
    ck_assert_str_eq(canonical_of(&given), canonical_of(&again));
    ck_assert_str_eq(request_etag(given.request, CONTENT_CODING_IDENTITY),
                     request_etag(again.request, CONTENT_CODING_IDENTITY));
    char *first = ask_read(&given, 1 << 16, &given_len);
    char *second = ask_read(&again, 1 << 16, &again_len);
    ck_assert_uint_eq(given_len, again_len);
    ck_assert_mem_eq(first, second, given_len);
    free(first);
    free(second);
    ask_free(&given);
    ask_free(&again);
}
END_TEST

START_TEST(the_params_of_an_example_as_a_body_give_the_same_answer)
{
    const char *encoding, *query;
    struct ask given, again;

    ck_assert(example_at((size_t)_i, &encoding, &query));
    ask_query(&given, encoding, query, NULL);
    json_t *document = ask_json(encoding, query);
    char *body = ask_text(json_object_get(document, "params"));
    ask_body(&again, encoding, NULL, body);
    ck_assert_msg(again.plan != NULL, "%s: %s %s", body, again.errors.at[0].parameter,
                  again.errors.at[0].detail);
    ck_assert_str_eq(canonical_of(&given), canonical_of(&again));
    free(body);
    json_decref(document);
    ask_free(&given);
    ask_free(&again);
}
END_TEST

START_TEST(what_decides_bytes_decides_the_tag)
{
    static const char *const queries[] = {
        "pos=0:4&dim=8",
        "pos=0:5&dim=8",
        "pos=1:5&dim=8",
        "pos=0:4&dim=10",
        "pos=0:4&dim=8&out=cos",
        "pos=0:4&dim=8&dtype=f64",
        "pos=0:4&dim=8&pretty=1",
        "pos=0:4&dim=8&data=flat",
        "pos=0:4&dim=8&format=safetensors",
        "pos=0:4&dim=8&base=10001",
        "pos=3,2,1,0&dim=8",
        "pos=0:4&dim=8&data=base64",
    };

    enum { COUNT = sizeof queries / sizeof queries[0] };
    struct ask asked[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        ask_query(&asked[i], "rope", queries[i], NULL);
        ck_assert_msg(asked[i].plan != NULL, "%s", queries[i]);
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(canonical_of(&asked[i]), canonical_of(&asked[j]));
            ck_assert_str_ne(request_etag(asked[i].request, CONTENT_CODING_IDENTITY),
                             request_etag(asked[j].request, CONTENT_CODING_IDENTITY));
        }
    }
    for (size_t i = 0; i < COUNT; i++)
        ask_free(&asked[i]);
}
END_TEST

START_TEST(a_tag_is_32_hexadecimal_digits_in_quotes)
{
    struct ask ask;

    ask_query(&ask, "rope", "pos=0:4&dim=8", NULL);
    const char *tag = request_etag(ask.request, CONTENT_CODING_IDENTITY);
    ck_assert_uint_eq(strlen(tag), 34);
    ck_assert_int_eq(tag[0], '"');
    ck_assert_int_eq(tag[33], '"');
    ck_assert_uint_eq(strspn(tag + 1, "0123456789abcdef"), 32);
    ask_free(&ask);
}
END_TEST

START_TEST(params_hold_options_that_are_not_the_default)
{
    json_t *document = ask_json("rope", "pos=0:2&dim=4&data=flat&pretty=1");
    json_t *params = json_object_get(document, "params");

    ck_assert_str_eq(json_string_value(json_object_get(params, "data")), "flat");
    ck_assert(json_is_true(json_object_get(params, "pretty")));
    ck_assert_ptr_null(json_object_get(params, "format"));
    json_decref(document);
    document = ask_json("rope", "pos=0:2&dim=4");
    params = json_object_get(document, "params");
    ck_assert_ptr_null(json_object_get(params, "data"));
    ck_assert_ptr_null(json_object_get(params, "pretty"));
    ck_assert_int_eq(json_integer_value(json_object_get(params, "dim")), 4);
    json_decref(document);
}
END_TEST

SUITE(canonical,
      TEST_COUNTED(the_canonical_form_of_an_example_is_its_own_canonical_form, example_count),
      TEST_COUNTED(the_params_of_an_example_as_a_body_give_the_same_answer, example_count),
      TEST(what_decides_bytes_decides_the_tag), TEST(a_tag_is_32_hexadecimal_digits_in_quotes),
      TEST(params_hold_options_that_are_not_the_default));
