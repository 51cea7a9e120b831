/* SPDX-License-Identifier: Apache-2.0
 * test_safetensors.c - tests the demands of a strict reader of the format, and our metadata. */
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

struct file {
    char *bytes;
    size_t len;
    uint64_t header; /* length of the JSON header */
    json_t *json;
};

static void open_file(struct file *file, const char *encoding, const char *query)
{
    json_error_t error;

    file->bytes = ask_answer(encoding, query, &file->len);
    ck_assert_uint_ge(file->len, 8);
    memcpy(&file->header, file->bytes, 8);
    ck_assert_uint_le(file->header, file->len - 8);
    ck_assert_int_eq(file->bytes[8], '{');
    file->json =
        json_loadb(file->bytes + 8, (size_t)file->header, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(file->json != NULL, "%s", error.text);
}

static void close_file(struct file *file)
{
    json_decref(file->json);
    free(file->bytes);
}

static uint64_t offset_at(const json_t *tensor, size_t i)
{
    return (uint64_t)json_integer_value(
        json_array_get(json_object_get(tensor, "data_offsets"), i));
}

static const struct {
    const char *encoding, *query;
} cases[] = {
    {"rope", "pos=0:5&dim=8&format=safetensors"},
    {"rope", "pos=0:5&dim=8&dtype=bf16&format=safetensors"},
    {"rope", "pos=0:5&dim=6&dtype=f16&out=cos,sin,inv_freq&format=safetensors"},
    {"rope", "pos=0:0&dim=6&format=safetensors"},
    {"rope", "dim=6&out=attention_factor&format=safetensors"},
    {"alibi", "heads=8&len=4&format=safetensors"},
};

START_TEST(a_strict_reader_takes_it)
{
    struct file file;
    const char *name;
    json_t *tensor;
    uint64_t end = 0;

    open_file(&file, cases[_i].encoding, cases[_i].query);
    ck_assert_uint_eq((8 + file.header) % 8, 0);
    json_object_foreach(file.json, name, tensor)
    {
        if (strcmp(name, "__metadata__") == 0) {
            const char *key;
            json_t *value;

            json_object_foreach(tensor, key, value)
            {
                ck_assert_msg(json_is_string(value), "%s", key);
            }
            continue;
        }
        ck_assert_uint_eq(json_object_size(tensor), 3);
        uint64_t elements = 1, bytes = offset_at(tensor, 1) - offset_at(tensor, 0);
        json_t *shape = json_object_get(tensor, "shape");
        for (size_t i = 0; i < json_array_size(shape); i++)
            elements *= (uint64_t)json_integer_value(json_array_get(shape, i));
        const char *dtype = json_string_value(json_object_get(tensor, "dtype"));
        uint64_t size = strstr(dtype, "16") ? 2 : 4;
        ck_assert_uint_eq(offset_at(tensor, 0), end); /* in order, without gaps */
        ck_assert_uint_eq(bytes, elements * size);
        end = offset_at(tensor, 1);
    }
    ck_assert_uint_eq(8 + file.header + end, file.len);
    close_file(&file);
}
END_TEST

START_TEST(tensors_are_named_typed_and_shaped)
{
    struct file file;
    size_t len;

    open_file(&file, "rope", "pos=0:5&dim=8&dtype=bf16&format=safetensors");
    json_t *sine = json_object_get(file.json, "sin");
    ck_assert_ptr_nonnull(json_object_get(file.json, "cos"));
    ck_assert_str_eq(json_string_value(json_object_get(sine, "dtype")), "BF16");
    char *raw = ask_answer("rope", "pos=0:5&dim=8&dtype=bf16&out=sin&format=raw", &len);
    ck_assert_uint_eq(len, 5 * 4 * 2);
    ck_assert_mem_eq(file.bytes + 8 + file.header + offset_at(sine, 0), raw, len);
    free(raw);
    close_file(&file);
}
END_TEST

START_TEST(metadata_says_what_was_used)
{
    struct file file;

    open_file(&file, "rope", "pos=0:5&dim=8&scaling=linear&factor=0.5&format=safetensors");
    json_t *metadata = json_object_get(file.json, "__metadata__");
    ck_assert_str_eq(json_string_value(json_object_get(metadata, "encoding")), "rope");
    ck_assert_str_eq(json_string_value(json_object_get(metadata, "rev")), "2");
    const char *text = json_string_value(json_object_get(metadata, "params"));
    json_t *params = json_loads(text, 0, NULL);
    ck_assert_int_eq(json_integer_value(json_object_get(params, "dim")), 8);
    ck_assert_str_eq(json_string_value(json_object_get(params, "format")), "safetensors");
    json_decref(params);
    json_t *facts = json_loads(json_string_value(json_object_get(metadata, "facts")), 0, NULL);
    ck_assert(json_is_object(facts));
    json_decref(facts);
    json_t *warnings =
        json_loads(json_string_value(json_object_get(metadata, "warnings")), 0, NULL);
    ck_assert_uint_eq(json_array_size(warnings), 1);
    json_decref(warnings);
    close_file(&file);
}
END_TEST

SUITE(safetensors, TEST_EACH(a_strict_reader_takes_it, cases),
      TEST(tensors_are_named_typed_and_shaped), TEST(metadata_says_what_was_used));
