/* SPDX-License-Identifier: Apache-2.0
 * test_inputs.c - tests tensors of binary bodies; inputs.txt has those of text and JSON. */
#include <stdlib.h>
#include <string.h>

#include "proto/http/format.h"
#include "proto/output/encoder.h"
#include "proto/request/request.h"
#include "proto/tensors/tensor_reader.h"
#include "tests/proto/support/ask.h"
#include "tests/support/core_vectors.h"
#include "tests/support/suite.h"

/* Makes the request with a body of `format` that holds q = 1,2 and k = 3,4 as f32. */
static void ask_tensors(struct ask *ask, const char *query, const struct tensor_format *format)
{
    static const float numbers[] = {1, 2, 3, 4};
    struct pe_tensor pair = {PE_F32, 1, {2}};
    struct tensor_set set = {0};

    *ask = (struct ask){.request = request_new(&core_vectors)};
    request_set_query(ask->request, query, strlen(query), &ask->errors);
    tensor_set_add(&set, "q", &pair);
    tensor_set_add(&set, "k", &pair);
    ck_assert(tensor_set_allocate(&set));
    memcpy(set.at[0].data, numbers, 8);
    memcpy(set.at[1].data, numbers + 2, 8);
    request_set_tensors(ask->request, format, &set, &ask->errors);
    ck_assert_uint_eq(set.count, 0);
    if (!request_finish(ask->request, NULL, 0, &ask->errors) &&
        !request_plan(ask->request, &ask->plan, NULL, &ask_generous, &ask->errors))
        ask->encoder = encoder_new(ask->request, ask->plan);
}

START_TEST(each_tensor_of_a_body_is_answered_under_its_name)
{
    const struct tensor_format *format = tensor_format_find("application/safetensors");
    static const float results[] = {2, 4, 6, 8};
    struct ask ask;
    size_t len;

    ask_tensors(&ask, "format=safetensors", format);
    char *bytes = ask_read(&ask, FORMAT_MIN_CAPACITY, &len);
    ck_assert_mem_eq(bytes + len - sizeof results, results, sizeof results);
    ck_assert_ptr_nonnull(strstr(bytes + 8, "\"q\":{\"dtype\":\"F32\",\"shape\":[2],"));
    ck_assert_ptr_nonnull(strstr(bytes + 8, "\"k\":{\"dtype\":\"F32\",\"shape\":[2],"));
    ck_assert_uint_eq(request_held(ask.request), 16);
    free(bytes);
    ask_free(&ask);
    ask_tensors(&ask, "format=csv&out=k", format);
    bytes = ask_read(&ask, FORMAT_MIN_CAPACITY, &len);
    ck_assert_str_eq(bytes, "axis_0_index,k\n0,6\n1,8\n");
    free(bytes);
    ask_free(&ask);
    ask_tensors(&ask, "q=1,2", format);
    ck_assert_str_eq(ask.errors.at[0].detail,
                     "is given in the query and in the body; give it once");
    ask_free(&ask);
    ask_tensors(&ask, "in_dtype=f16", format);
    ck_assert_str_eq(ask.errors.at[0].detail,
                     "has no effect: the body has its own dtype; leave it out");
    ask_free(&ask);
}
END_TEST

START_TEST(octets_need_the_query_to_tell_of_them)
{
    const struct tensor_format *raw = tensor_format_find("application/octet-stream");
    struct tensor_set none = {0};
    struct pe_errors errors = {.count = 0};
    struct request *request = request_new(&core_vectors);

    request_set_tensors(request, raw, &none, &errors);
    request_finish(request, NULL, 0, &errors);
    ck_assert_uint_eq(errors.count, 2);
    ck_assert_str_eq(errors.at[0].parameter, "in_dtype");
    ck_assert_str_eq(errors.at[1].parameter, "shape");
    ck_assert_str_eq(errors.at[1].detail, "is required in the query: a body of "
                                          "application/octet-stream does not contain it");
    request_free(request);
    struct pe_tensor tensor =
        request_headerless_tensor(&core_vectors, "shape=2,3&in_dtype=f16", 22);
    ck_assert(tensor.rank == 2 && tensor.dims[1] == 3 && tensor.dtype == PE_F16);
    ck_assert_uint_eq(request_headerless_tensor(&core_vectors, "shape=2,3", 9).rank, 0);
    ck_assert_uint_eq(request_headerless_tensor(&core_vectors, "in_dtype=f16", 12).rank, 0);
    ck_assert_uint_eq(
        request_headerless_tensor(&core_vectors, "shape=2&in_dtype=f16&a=1", 24).rank, 0);
}
END_TEST

START_TEST(encodings_without_tensors_know_neither_name)
{
    struct pe_errors errors = {.count = 0};
    struct request *request = request_new(pe_at(0));

    request_set_text(request, "shape", 5, "2", 1, &errors);
    request_set_text(request, "in_dtype", 8, "f16", 3, &errors);
    ck_assert_uint_eq(errors.count, 2);
    ck_assert_int_eq(errors.at[0].status, PE_UNKNOWN_PARAMETER);
    ck_assert_int_eq(errors.at[1].status, PE_UNKNOWN_PARAMETER);
    request_free(request);
}
END_TEST

SUITE(inputs, TEST(each_tensor_of_a_body_is_answered_under_its_name),
      TEST(octets_need_the_query_to_tell_of_them),
      TEST(encodings_without_tensors_know_neither_name));
