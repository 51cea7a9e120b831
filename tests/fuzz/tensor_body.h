/* SPDX-License-Identifier: Apache-2.0
 * tensor_body.h - any bytes as a body of tensors, whole and in chunks: both give equal tensors
 * within the budget, and a refusal has a sentence. */
#pragma once

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "proto/http/inflate.h"
#include "proto/tensors/tensor_reader.h"

/* A head may announce more than the budget: memory is reserved as bytes arrive. */
enum { TENSOR_BODY_BUDGET = 1 << 20, TENSOR_BODY_MOST = 16 << 20 };

static inline bool tensor_body_reserve(void *context, uint64_t bytes)
{
    uint64_t *reserved = context;

    *reserved += bytes;
    return *reserved <= TENSOR_BODY_BUDGET;
}

static inline enum tensor_state tensor_body_read(const struct tensor_format *format, bool any,
                                                 const char *body, size_t len, size_t chunk,
                                                 struct tensor_set *set)
{
    uint64_t reserved = 0;
    struct tensor_source source = {.length = TENSOR_LENGTH_UNKNOWN,
                                   .max_bytes = TENSOR_BODY_MOST,
                                   .reserve = tensor_body_reserve,
                                   .context = &reserved};

    for (size_t i = 0; !any && (!source.enc || !tensor_param(source.enc, "x")); i++)
        source.enc = pe_at(i); /* the first that takes vectors x */
    struct tensor_reader *reader = tensor_reader_new(format, &source);
    assert(reader);
    for (size_t at = 0; at < len; at += chunk)
        tensor_reader_add(reader, body + at, len - at < chunk ? len - at : chunk);
    enum tensor_state state = tensor_reader_finish(reader, set);
    assert((state == TENSOR_OK) == (tensor_reader_error(reader)[0] == '\0'));
    assert(state == TENSOR_OK ? set->count > 0 : set->count == 0);
    const uint64_t bytes = tensor_set_bytes(set);
    assert(state != TENSOR_OK || bytes <= reserved);
    tensor_reader_free(reader);
    return state;
}

static inline void tensor_body_compare(const struct tensor_format *format, bool any,
                                       const char *body, size_t len, size_t chunk)
{
    struct tensor_set whole, chunks;
    enum tensor_state state = tensor_body_read(format, any, body, len, len + 1, &whole);

    assert(tensor_body_read(format, any, body, len, chunk, &chunks) == state);
    for (size_t i = 0; i < whole.count; i++) {
        assert(whole.at[i].bytes == chunks.at[i].bytes);
        assert(strcmp(whole.at[i].name, chunks.at[i].name) == 0);
        assert(memcmp(whole.at[i].data, chunks.at[i].data, (size_t)whole.at[i].bytes) == 0);
    }
    tensor_set_fini(&whole);
    tensor_set_fini(&chunks);
}

/* The first byte chooses the size of the chunks. The body is read for an encoding and for
 * none. */
static inline int tensor_body_try(const char *media_type, const uint8_t *data, size_t size)
{
    const struct tensor_format *format = tensor_format_find(media_type);

    if (size < 1 || size > 1 << 16)
        return 0;
    const char *body = (const char *)data + 1;
    tensor_body_compare(format, false, body, size - 1, data[0] + 1U);
    tensor_body_compare(format, true, body, size - 1, data[0] + 1U);
    return 0;
}
