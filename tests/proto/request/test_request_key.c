/* SPDX-License-Identifier: Apache-2.0
 * test_request_key.c - tags and keys of requests with long lists are made from the bits of the
 * numbers, however the list is written. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/tensors/tensor_reader.h"
#include "proto/text/buffer.h"
#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

enum { FEW = PE_LONG_LIST, MANY = PE_LONG_LIST + 1, LENGTHY = (REQUEST_KEY_LISTS >> 3) + 1 };

/* Adds 0.5, 2.5, 4.5 ..., no three of which are a run; number `other` is the float below. */
static void add_numbers(struct buffer *text, size_t count, size_t other)
{
    for (size_t i = 0; i < count; i++) {
        double number = 2 * (double)i + 0.5;

        buffer_add_format(text, "%s%.17g", i == 0 ? "" : ",",
                          i == other ? nextafter(number, 0) : number);
    }
}

static void ask_numbers(struct ask *ask, const char *encoding, const char *format, size_t count,
                        size_t other)
{
    struct buffer numbers = {0}, body = {0};

    add_numbers(&numbers, count, other);
    buffer_add_format(&body, format, numbers.bytes);
    ask_body(ask, encoding, NULL, body.bytes);
    ck_assert_msg(ask->plan != NULL, "%s: %s", ask->errors.at[0].parameter,
                  ask->errors.at[0].detail);
    buffer_fini(&numbers);
    buffer_fini(&body);
}

static bool same_tag(const struct ask *one, const struct ask *other)
{
    return strcmp(request_etag(one->request, CONTENT_CODING_IDENTITY),
                  request_etag(other->request, CONTENT_CODING_IDENTITY)) == 0;
}

static bool same_key(const struct ask *one, const struct ask *other)
{
    size_t len, other_len;
    const char *key = request_key(one->request, CONTENT_CODING_IDENTITY, &len);
    const char *other_key = request_key(other->request, CONTENT_CODING_IDENTITY, &other_len);

    return len == other_len && memcmp(key, other_key, len) == 0;
}

#define POSITIONS "{\"dim\":2,\"pos\":[%s],\"format\":\"npy\"}"
#define POSITIONS_TEXT "{\"dim\":2,\"pos\":\"%s\",\"format\":\"npy\"}"
#define LOGITS "{\"cap\":30,\"logits\":[[%s]],\"format\":\"npy\"}"

static const struct {
    const char *encoding, *body;
} lists[] = {{"sinusoidal", POSITIONS}, {"softcap", LOGITS}};

START_TEST(lists_that_differ_in_one_bit_have_different_tags_and_keys)
{
    struct ask one, same, first, last;
    const char *encoding = lists[_i].encoding, *body = lists[_i].body;

    ask_numbers(&one, encoding, body, MANY, MANY);
    ask_numbers(&same, encoding, body, MANY, MANY);
    ask_numbers(&first, encoding, body, MANY, 0);
    ask_numbers(&last, encoding, body, MANY, MANY - 1);
    ck_assert(same_tag(&one, &same) && same_key(&one, &same));
    ck_assert(!same_tag(&one, &first) && !same_key(&one, &first));
    ck_assert(!same_tag(&one, &last) && !same_key(&one, &last));
    ck_assert(!same_tag(&first, &last) && !same_key(&first, &last));
    ask_free(&one);
    ask_free(&same);
    ask_free(&first);
    ask_free(&last);
}
END_TEST

START_TEST(a_long_list_has_one_tag_as_an_array_and_as_text)
{
    struct ask array, text;

    ask_numbers(&array, "sinusoidal", POSITIONS, MANY, MANY);
    ask_numbers(&text, "sinusoidal", POSITIONS_TEXT, MANY, MANY);
    ck_assert(same_tag(&array, &text) && same_key(&array, &text));
    ask_free(&array);
    ask_free(&text);
}
END_TEST

/* Makes a request with the numbers of add_numbers as one tensor of a binary body. */
static void ask_tensor(struct ask *ask, const char *query, enum pe_dtype dtype, size_t count)
{
    const struct pe_tensor info = {dtype, 1, {count}};
    struct tensor_set set = {0};
    double *numbers = malloc(count * sizeof *numbers);

    for (size_t i = 0; i < count; i++)
        numbers[i] = 2 * (double)i + 0.5;
    ck_assert_ptr_nonnull(tensor_set_add(&set, "scores", &info));
    ck_assert(tensor_set_allocate(&set));
    pe_dtype_from_f64(dtype, set.at[0].data, numbers, count);
    free(numbers);
    *ask = (struct ask){.request = request_new(pe_find("softcap", 7))};
    request_set_query(ask->request, query, strlen(query), &ask->errors);
    request_set_tensors(ask->request, tensor_format_find("application/x-npy"), &set,
                        &ask->errors);
    ck_assert_int_eq(request_finish(ask->request, NULL, 0, &ask->errors), PE_OK);
}

START_TEST(a_long_list_has_one_tag_as_an_array_and_as_a_tensor)
{
    static const enum pe_dtype dtypes[] = {PE_F64, PE_F32};
    struct ask array, tensor;

    ask_numbers(&array, "softcap", LOGITS, MANY, MANY);
    for (size_t i = 0; i < 2; i++) {
        ask_tensor(&tensor, "cap=30&format=npy", dtypes[i], MANY);
        ck_assert(same_tag(&array, &tensor) && same_key(&array, &tensor));
        ck_assert(request_is_cached(tensor.request) && !request_has_tensors(tensor.request));
        ck_assert_uint_eq(request_list_bytes(tensor.request), MANY * sizeof(double));
        ask_free(&tensor);
    }
    ask_free(&array);
}
END_TEST

/* The canonical form has a list of 4096 numbers in full; a longer list has a mark. */
START_TEST(lists_of_4096_numbers_are_still_said)
{
    struct ask said, marked;
    size_t len = 0;

    ask_numbers(&said, "sinusoidal", POSITIONS, FEW, FEW);
    ask_numbers(&marked, "sinusoidal", POSITIONS, MANY, MANY);
    ck_assert_ptr_nonnull(request_canonical(said.request, &len));
    ck_assert_uint_gt(len, 2 * FEW); /* longer than any Content-Location */
    ck_assert_ptr_nonnull(strstr(request_canonical(said.request, &len), "&pos=0.5,2.5,4.5,"));
    ck_assert_uint_eq(request_list_bytes(said.request), 0);
    ck_assert_ptr_null(request_canonical(marked.request, NULL));
    ck_assert_uint_eq(request_list_bytes(marked.request), 24 * (MANY + 1));
    ask_free(&said);
    ask_free(&marked);
}
END_TEST

/* In the list's bits a run ends where the next one begins, but the last has no next one. */
START_TEST(lists_whose_last_runs_differ_in_length_alone_have_different_tags_and_keys)
{
    static const char *const ends[] = {"100001:100004", "100001:100005"};
    struct buffer numbers = {0}, body = {0};
    struct ask asked[2];

    add_numbers(&numbers, MANY, MANY);
    for (size_t i = 0; i < 2; i++) {
        buffer_add_format(&body, "{\"dim\":2,\"pos\":\"%s,%s\",\"format\":\"npy\"}",
                          numbers.bytes, ends[i]);
        ask_body(&asked[i], "sinusoidal", NULL, body.bytes);
        ck_assert_ptr_nonnull(asked[i].plan);
        buffer_fini(&body);
    }
    ck_assert_uint_ne(pe_plan_elements(asked[0].plan), pe_plan_elements(asked[1].plan));
    ck_assert(!same_tag(&asked[0], &asked[1]) && !same_key(&asked[0], &asked[1]));
    ask_free(&asked[0]);
    ask_free(&asked[1]);
    buffer_fini(&numbers);
}
END_TEST

START_TEST(rows_of_another_length_are_another_list)
{
    static const char *const bodies[] = {"{\"logits\":[[%s],[%s]],\"format\":\"npy\"}",
                                         "{\"logits\":[[%s,%s]],\"format\":\"npy\"}"};
    struct buffer numbers = {0}, body = {0};
    struct ask asked[2];

    add_numbers(&numbers, MANY, MANY);
    for (size_t i = 0; i < 2; i++) {
        buffer_add_format(&body, bodies[i], numbers.bytes, numbers.bytes);
        ask_body(&asked[i], "softcap", NULL, body.bytes);
        ck_assert_ptr_nonnull(asked[i].plan);
        buffer_fini(&body);
    }
    ck_assert(!same_tag(&asked[0], &asked[1]) && !same_key(&asked[0], &asked[1]));
    ask_free(&asked[0]);
    ask_free(&asked[1]);
    buffer_fini(&numbers);
}
END_TEST

START_TEST(what_is_longer_than_a_key_is_tagged_but_not_cached)
{
    struct ask one, other;

    ask_numbers(&one, "softcap", LOGITS, LENGTHY, LENGTHY);
    ask_numbers(&other, "softcap", LOGITS, LENGTHY, LENGTHY / 2);
    ck_assert(!request_is_cached(one.request) && !request_is_cached(other.request));
    ck_assert(!same_tag(&one, &other));
    ask_free(&one);
    ask_numbers(&one, "softcap", LOGITS, LENGTHY - 1, LENGTHY);
    ck_assert(request_is_cached(one.request));
    ask_free(&one);
    ask_free(&other);
}
END_TEST

START_TEST(an_answer_in_json_says_a_long_list_whole)
{
    struct buffer numbers = {0}, expected = {0};
    struct ask ask;
    size_t len;
    char *answer;

    add_numbers(&numbers, MANY, MANY);
    buffer_add_format(&expected, ",\"pos\":\"%s\",", numbers.bytes);
    ask_numbers(&ask, "sinusoidal", "{\"dim\":2,\"pos\":[%s]}", MANY, MANY);
    answer = ask_read(&ask, 1 << 16, &len);
    ck_assert_ptr_nonnull(strstr(answer, expected.bytes));
    free(answer);
    ask_free(&ask);
    buffer_fini(&numbers);
    buffer_fini(&expected);
}
END_TEST

SUITE(request_key, TEST_EACH(lists_that_differ_in_one_bit_have_different_tags_and_keys, lists),
      TEST(a_long_list_has_one_tag_as_an_array_and_as_text),
      TEST(a_long_list_has_one_tag_as_an_array_and_as_a_tensor),
      TEST(lists_of_4096_numbers_are_still_said),
      TEST(lists_whose_last_runs_differ_in_length_alone_have_different_tags_and_keys),
      TEST(rows_of_another_length_are_another_list),
      TEST(what_is_longer_than_a_key_is_tagged_but_not_cached),
      TEST(an_answer_in_json_says_a_long_list_whole));
