/* SPDX-License-Identifier: Apache-2.0
 * fuzz_json_tensors.c - any bytes as a JSON body of tensors: whole and in chunks they give
 * equal tensors, and a refusal has a sentence. The first byte chooses the size of the
 * chunks. Targets: the functions of proto/tensors/json_tensors.c proto/text/json_array.c */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/tensors/json_tensors.h"
#include "proto/text/json_memory.h"
#include "tests/fuzz/exact_piece.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct result {
    enum tensor_state state;
    struct tensor_set set;
    char why[JSON_TENSORS_WHY_SIZE];
};

static void read_tensors(struct result *result, const char *bytes, size_t len, size_t chunk)
{
    struct json_body *body = json_body_new_arrays(1 << 20, NULL, NULL);

    *result = (struct result){.state = TENSOR_NO_MEMORY};
    if (!body)
        abort();
    for (size_t at = 0; at < len; at += chunk) {
        const size_t piece_len = chunk < len - at ? chunk : len - at;
        char *piece = exact_piece(bytes + at, piece_len);

        json_body_add(body, piece, piece_len);
        free(piece);
    }
    if (json_body_finish(body) == JSON_BODY_OK) {
        result->state = json_tensors_read(body, PE_F64, 1 << 20, &result->set, result->why);
        assert((result->state == TENSOR_OK) == (result->why[0] == '\0'));
        assert((result->state == TENSOR_OK) == (result->set.count > 0));
    }
    json_body_free(body);
}

static void compare(const struct result *a, const struct result *b)
{
    assert(a->state == b->state && strcmp(a->why, b->why) == 0);
    assert(a->set.count == b->set.count);
    for (size_t i = 0; i < a->set.count; i++) {
        const struct tensor *one = &a->set.at[i], *other = &b->set.at[i];

        assert(one->bytes == other->bytes && strcmp(one->name, other->name) == 0);
        assert(memcmp(one->data, other->data, (size_t)one->bytes) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct result whole, chunks;

    json_memory_init();
    if (size < 1)
        return 0;
    read_tensors(&whole, (const char *)data + 1, size - 1, size);
    read_tensors(&chunks, (const char *)data + 1, size - 1, data[0] % 31 + 1U);
    compare(&whole, &chunks);
    tensor_set_fini(&whole.set);
    tensor_set_fini(&chunks.set);
    return 0;
}
