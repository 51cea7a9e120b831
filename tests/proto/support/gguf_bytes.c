/* SPDX-License-Identifier: Apache-2.0
 * gguf_bytes.c - see gguf_bytes.h. */
#include "tests/proto/support/gguf_bytes.h"

#include <string.h>

#include "tests/support/suite.h"

struct gguf_bytes gguf_bytes;

void gguf_bytes_add(const void *bytes, size_t size)
{
    ck_assert_uint_le(gguf_bytes.len + size, sizeof gguf_bytes.at);
    memcpy(gguf_bytes.at + gguf_bytes.len, bytes, size);
    gguf_bytes.len += size;
}

void gguf_bytes_add_whole(uint64_t value, size_t size)
{
    gguf_bytes_add(&value, size); /* the machines of the tests are little-endian */
}

void gguf_bytes_add_text(const char *text)
{
    gguf_bytes_add_whole(strlen(text), 8);
    gguf_bytes_add(text, strlen(text));
}

void gguf_bytes_begin(unsigned version, uint64_t tensors, uint64_t pairs)
{
    gguf_bytes.len = 0;
    gguf_bytes_add("GGUF", 4);
    gguf_bytes_add_whole(version, 4);
    gguf_bytes_add_whole(tensors, 8);
    gguf_bytes_add_whole(pairs, 8);
}

void gguf_bytes_add_key(const char *key, unsigned type)
{
    gguf_bytes_add_text(key);
    gguf_bytes_add_whole(type, 4);
}

void gguf_bytes_add_u32(const char *key, unsigned value)
{
    gguf_bytes_add_key(key, GGUF_U32);
    gguf_bytes_add_whole(value, 4);
}

void gguf_bytes_add_f32(const char *key, float value)
{
    gguf_bytes_add_key(key, GGUF_F32);
    gguf_bytes_add(&value, sizeof value);
}

void gguf_bytes_add_word(const char *key, const char *word)
{
    gguf_bytes_add_key(key, GGUF_TEXT);
    gguf_bytes_add_text(word);
}

void gguf_bytes_add_tensor(const char *name, unsigned type, uint64_t dim, uint64_t offset)
{
    gguf_bytes_add_text(name);
    gguf_bytes_add_whole(1, 4);
    gguf_bytes_add_whole(dim, 8);
    gguf_bytes_add_whole(type, 4);
    gguf_bytes_add_whole(offset, 8);
}

void gguf_bytes_pad(size_t to)
{
    while (gguf_bytes.len % to > 0)
        gguf_bytes_add("", 1);
}
