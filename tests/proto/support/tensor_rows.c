/* SPDX-License-Identifier: Apache-2.0
 * tensor_rows.c - rows of bodies and files of tensors (proto_row.h), whose input is the header.
 * Each body is read in chunks of many sizes, with one result.
 *
 *     npy 1 {'descr': '<f4', ...}       the version and the dictionary; 24 bytes follow
 *         tensors: f32 3,2
 *     any-npy 1 {'descr': '<i2', ...}   read for no encoding; so is any-safetensors
 *         tensors: i16 in i32 3,4
 *     safetensors {"x": {...}}          12 bytes follow
 *         refused: the safetensors header names no tensor
 *         refused: too large: ...   what is refused for another reason than being malformed
 *     table-file 4 {"a": {...}}         4 floats follow, in a file of learned tables
 *         refused: ... */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/proto/support/proto_row.h"
#include "tests/proto/support/reading.h"
#include "tests/proto/support/table_bytes.h"

static const float numbers[] = {1, -2, 3.5F, 4, 5, 6};
enum { HALVES = 12 }; /* bytes behind a safetensors header */

static void write_reading(struct buffer *out, const struct reading *reading)
{
    static const char *const states[] = {[TENSOR_OK] = "",
                                         [TENSOR_MALFORMED] = "",
                                         [TENSOR_TOO_LARGE] = "too large: ",
                                         [TENSOR_OVER_BUDGET] = "over budget: ",
                                         [TENSOR_NO_MEMORY] = "no memory: "};

    buffer_add_format(out, "%s%s", states[reading->state], reading->error);
    for (size_t i = 0; i < reading->set.count; i++) {
        const struct tensor *tensor = &reading->set.at[i];

        buffer_add_text(out, i == 0 ? "" : " | ");
        if (!reading->source.enc)
            buffer_add_format(out, "%s%s%s in ", tensor->name,
                              tensor->name[0] == '\0' ? "" : " ", tensor->type);
        buffer_add_text(out, pe_dtype_name(tensor->info.dtype));
        for (size_t j = 0; j < tensor->info.rank; j++)
            buffer_add_format(out, "%c%ju", j == 0 ? ' ' : ',',
                              (uintmax_t)tensor->info.dims[j]);
        buffer_add_text(out, tensor->complex ? ", complex" : "");
    }
}

/* Writes what is read of the body, which is the same for chunks of every size. */
static void read_body(struct buffer *out, bool any, const char *media_type, const char *body,
                      size_t len)
{
    for (size_t chunk = 1; chunk < len; chunk += 13) {
        struct reading reading;
        struct buffer text = {0};

        reading_init(&reading);
        if (any)
            reading_any(&reading);
        reading_run(&reading, media_type, body, len, chunk);
        write_reading(&text, &reading);
        if (chunk == 1)
            buffer_add(out, text.bytes, text.len);
        ck_assert_str_eq(text.bytes, out->bytes);
        buffer_fini(&text);
        reading_fini(&reading);
    }
}

static void read_npy(struct buffer *out, bool any, const char *input)
{
    char body[READING_MAX], *rest, *dictionary;
    unsigned version = (unsigned)strtoul(input, &rest, 10);

    dictionary = proto_row_decode(rest + (*rest == ' '), NULL);
    size_t len = reading_npy(body, version, dictionary, numbers, sizeof numbers);
    read_body(out, any, "application/x-npy", body, len);
    free(dictionary);
}

static void npy(struct buffer *out, const char *input, const struct row *row)
{
    read_npy(out, false, input);
}

static void any_npy(struct buffer *out, const char *input, const struct row *row)
{
    read_npy(out, true, input);
}

static void read_safetensors(struct buffer *out, bool any, const char *input)
{
    char body[READING_MAX], *header = proto_row_decode(input, NULL);
    size_t len = reading_safetensors(body, header, numbers, HALVES);

    read_body(out, any, "application/x-safetensors", body, len);
    free(header);
}

static void safetensors(struct buffer *out, const char *input, const struct row *row)
{
    read_safetensors(out, false, input);
}

static void any_safetensors(struct buffer *out, const char *input, const struct row *row)
{
    read_safetensors(out, true, input);
}

static void table_file(struct buffer *out, const char *input, const struct row *row)
{
    char why[TABLE_FILE_WHY_SIZE] = "nothing", *rest, *header;
    size_t count = strtoul(input, &rest, 10);

    header = proto_row_decode(rest + (*rest == ' '), NULL);
    table_file_drop(table_bytes_file("f", table_bytes_new(header, count), why));
    buffer_add_text(out, why);
    free(header);
}

const struct proto_row_kind proto_row_tensors[] = {
    {"npy", "refused", npy},
    {"npy", "tensors", npy},
    {"any-npy", "refused", any_npy},
    {"any-npy", "tensors", any_npy},
    {"safetensors", "refused", safetensors},
    {"any-safetensors", "refused", any_safetensors},
    {"any-safetensors", "tensors", any_safetensors},
    {"table-file", "refused", table_file},
    {NULL, NULL, NULL},
};
