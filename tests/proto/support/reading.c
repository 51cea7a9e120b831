/* SPDX-License-Identifier: Apache-2.0
 * reading.c - see reading.h. */
#include "tests/proto/support/reading.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/core_vectors.h"

static bool reserve(void *context, uint64_t bytes)
{
    struct reading *reading = context;

    if (bytes > reading->budget - reading->reserved)
        return false;
    reading->reserved += bytes;
    return true;
}

void reading_init(struct reading *reading)
{
    *reading = (struct reading){.budget = 1 << 20};
    reading->source = (struct tensor_source){.enc = &core_vectors,
                                             .length = TENSOR_LENGTH_UNKNOWN,
                                             .max_bytes = 1 << 20,
                                             .reserve = reserve,
                                             .context = reading};
}

void reading_any(struct reading *reading)
{
    reading->source.enc = NULL;
    reading->source.max_elements = READING_ELEMENTS;
}

void reading_run(struct reading *reading, const char *media_type, const char *body, size_t len,
                 size_t chunk)
{
    const struct tensor_format *format = tensor_format_find(media_type);

    ck_assert_ptr_nonnull(format);
    struct tensor_reader *reader = tensor_reader_new(format, &reading->source);
    ck_assert_ptr_nonnull(reader);
    for (size_t at = 0; at < len; at += chunk)
        tensor_reader_add(reader, body + at, len - at < chunk ? len - at : chunk);
    reading->state = tensor_reader_finish(reader, &reading->set);
    snprintf(reading->error, sizeof reading->error, "%s", tensor_reader_error(reader));
    ck_assert_int_eq(reading->state == TENSOR_OK, reading->error[0] == '\0');
    tensor_reader_free(reader);
}

void reading_fini(struct reading *reading)
{
    tensor_set_fini(&reading->set);
}

size_t reading_npy(char body[READING_MAX], unsigned version, const char *dictionary,
                   const void *data, size_t len)
{
    size_t header = strlen(dictionary), at = 8;

    memcpy(body, "\x93NUMPY", 6);
    body[6] = (char)version;
    body[7] = 0;
    for (size_t rest = header, i = 0; i < (version == 1 ? 2 : 4); i++, rest >>= 8)
        body[at++] = (char)(rest & 0xff);
    memcpy(body + at, dictionary, header);
    memcpy(body + at + header, data, len);
    return at + header + len;
}

size_t reading_safetensors(char body[READING_MAX], const char *header, const void *data,
                           size_t len)
{
    uint64_t size = strlen(header);

    memcpy(body, &size, sizeof size);
    memcpy(body + sizeof size, header, (size_t)size);
    memcpy(body + sizeof size + size, data, len);
    return sizeof size + (size_t)size + len;
}
