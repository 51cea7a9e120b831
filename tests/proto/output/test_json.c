/* SPDX-License-Identifier: Apache-2.0
 * test_json.c - tests the envelope to the byte; numbers nested, flat and as base64; and numbers
 * that JSON cannot express. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

START_TEST(the_envelope_has_a_fixed_order)
{
    size_t len;
    char *text = ask_answer("rope", "pos=0:3&dim=4&base=100&out=sin", &len);

    ck_assert_str_eq(
        text,
        "{\"encoding\":\"rope\",\"rev\":2,\"params\":{\"base\":100,\"dim\":4,\"dtype\":\"f32\","
        "\"out\":\"sin\",\"pairing\":\"half\",\"pos\":\"0:3\",\"profile\":\"exact\","
        "\"rotary_dim\":4,\"scaling\":\"none\",\"width\":\"half\"},"
        "\"facts\":{\"attention_factor\":1,\"effective_base\":100},"
        "\"tensors\":[{\"name\":\"sin\",\"dtype\":\"f32\",\"shape\":[3,2],"
        "\"data\":[[0,0],[0.84147096,0.099833414],[0.9092974,0.19866933]]}]}\n");
    free(text);
}
END_TEST

START_TEST(pretty_is_indented_a_row_a_line)
{
    size_t len;
    char *text = ask_answer("alibi", "heads=2&q=0:3&k=0,1&pretty=1", &len);

    ck_assert_ptr_nonnull(strstr(text, "{\n  \"encoding\": \"alibi\",\n  \"rev\": 1,\n  "
                                       "\"params\": {\n    \"applies\": \"after_scale\",\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n    \"q\": \"0:3\"\n  },\n  \"facts\": {\n    "));
    ck_assert_ptr_nonnull(strstr(text, "  \"tensors\": [\n"
                                       "    {\n"
                                       "      \"name\": \"bias\",\n"
                                       "      \"dtype\": \"f32\",\n"
                                       "      \"shape\": [2,3,2],\n"
                                       "      \"data\": [\n"
                                       "        [\n"
                                       "          [0,-0.0625],\n"
                                       "          [-0.0625,0],\n"
                                       "          [-0.125,-0.0625]\n"
                                       "        ],\n"
                                       "        [\n"
                                       "          [0,-0.00390625],\n"
                                       "          [-0.00390625,0],\n"
                                       "          [-0.0078125,-0.00390625]\n"
                                       "        ]\n"
                                       "      ]\n"
                                       "    }\n"
                                       "  ]\n"
                                       "}\n"));
    free(text);
}
END_TEST

START_TEST(several_tensors_stand_in_the_encodings_order)
{
    json_t *document = ask_json("rope", "pos=0:5&dim=8&out=inv_freq,sin,cos");
    json_t *tensors = json_object_get(document, "tensors");
    static const char *const names[] = {"cos", "sin", "inv_freq"};

    ck_assert_uint_eq(json_array_size(tensors), 3);
    for (size_t i = 0; i < 3; i++) {
        json_t *tensor = json_array_get(tensors, i);

        ck_assert_str_eq(json_string_value(json_object_get(tensor, "name")), names[i]);
        ck_assert_ptr_null(json_object_get(tensor, "nonfinite"));
    }
    json_decref(document);
}
END_TEST

/* Reads nested numbers in order. */
static void flatten(const json_t *value, double *out, size_t *count)
{
    if (json_is_array(value))
        for (size_t i = 0; i < json_array_size(value); i++)
            flatten(json_array_get(value, i), out, count);
    else
        out[(*count)++] = json_number_value(value);
}

START_TEST(the_numbers_read_back_as_the_float32_that_were_computed)
{
    size_t len, count = 0;
    json_t *document = ask_json("rope", "pos=0:400:7&dim=66&out=sin");
    char *raw = ask_answer("rope", "pos=0:400:7&dim=66&out=sin&format=raw", &len);
    const size_t expected = 58 * 33;
    double *numbers = calloc(expected, sizeof *numbers);

    ck_assert_uint_eq(len, expected * sizeof(float));
    flatten(json_object_get(json_array_get(json_object_get(document, "tensors"), 0), "data"),
            numbers, &count);
    ck_assert_uint_eq(count, expected);
    for (size_t i = 0; i < count; i++) {
        float value;

        memcpy(&value, raw + i * sizeof value, sizeof value);
        ck_assert(value == (float)numbers[i]);
        ck_assert(!signbit(value) || value != 0);
    }
    free(numbers);
    free(raw);
    json_decref(document);
}
END_TEST

SUITE(json, TEST(the_envelope_has_a_fixed_order), TEST(pretty_is_indented_a_row_a_line),
      TEST(several_tensors_stand_in_the_encodings_order),
      TEST(the_numbers_read_back_as_the_float32_that_were_computed));
