/* SPDX-License-Identifier: Apache-2.0
 * fuzz_body.c - any bytes as a body: whole and in chunks the outcome is equal; jansson takes
 * every body that we take, and every array of numbers holds the numbers that jansson reads.
 * Targets: the functions of proto/text/json_body.c proto/text/json_scan.c
 * proto/text/json_grammar.c proto/text/json_array.c proto/text/number_array.c */
#include <assert.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/json_body.h"
#include "proto/text/json_memory.h"
#include "tests/fuzz/exact_piece.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const double *compare_array(const json_t *array, const double *numbers)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);

        if (json_is_array(item)) {
            numbers = compare_array(item, numbers);
            continue;
        }
        const double want = json_real_value(item);
        assert(memcmp(numbers, &want, sizeof(want)) == 0);
        numbers++;
    }
    return numbers;
}

static void compare(const struct json_body *body, const struct json_body_value *parent,
                    json_t *object);

/* Compares the objects of an array. */
static void compare_items(const struct json_body *body, const struct json_body_value *array,
                          const json_t *node)
{
    struct json_body_value item;
    char pointer[JSON_BODY_POINTER_SIZE];
    size_t objects = 0;

    assert(json_body_item_count(array) == json_array_size(node));
    for (size_t i = 0; i < json_array_size(node); i++) {
        if (!json_body_item(array, i, &objects, &item))
            continue;
        assert(strlen(json_body_pointer(body, &item, 0, pointer)) < JSON_BODY_POINTER_SIZE);
        compare(body, &item, json_array_get(node, i));
    }
}

static void compare(const struct json_body *body, const struct json_body_value *parent,
                    json_t *object)
{
    struct json_body_value value;
    size_t count = 0;

    for (json_body_walk(body, parent, &value); json_body_next(body, &value);) {
        char pointer[JSON_BODY_POINTER_SIZE];
        const json_t *node = json_object_get(object, value.name);
        assert(node);
        assert(strlen(json_body_pointer(body, &value, 0, pointer)) < JSON_BODY_POINTER_SIZE);
        if (value.kind == JSON_BODY_NUMBERS)
            assert(compare_array(node, value.numbers) ==
                   value.numbers + value.rows * value.cols);
        if (value.kind == JSON_BODY_OTHER)
            compare_items(body, &value, node);
        if (value.kind == JSON_BODY_OBJECT)
            compare(body, &value, json_object_get(object, value.name));
        assert((value.kind == JSON_BODY_NULL) == json_is_null(node));
        count++;
    }
    assert(count == json_object_size(object));
}

static struct json_body *read_chunks(const uint8_t *data, size_t size, size_t chunk,
                                     enum json_body_state *state)
{
    struct json_body *body = json_body_new(1 << 20);

    if (!body)
        abort();
    for (size_t at = 0; at < size; at += chunk) {
        const size_t len = chunk < size - at ? chunk : size - at;
        char *piece = exact_piece(data + at, len);

        json_body_add(body, piece, len);
        free(piece);
    }
    *state = json_body_finish(body);
    return body;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_memory_init();
    enum json_body_state state = JSON_BODY_OK, again = JSON_BODY_OK;
    struct json_body *whole = read_chunks(data, size, size + 1, &state);
    struct json_body *chunks = read_chunks(data, size, size > 0 ? data[0] % 7 + 1 : 1, &again);
    assert(again == state && state != JSON_BODY_NO_MEMORY);
    assert(strcmp(json_body_error(whole), json_body_error(chunks)) == 0);
    if (state == JSON_BODY_OK) {
        json_t *root = json_loadb((const char *)data, size,
                                  JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);

        assert(root);
        compare(whole, NULL, root);
        compare(chunks, NULL, root);
        json_decref(root);
    }
    json_body_free(whole);
    json_body_free(chunks);
    return 0;
}
