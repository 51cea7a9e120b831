/* SPDX-License-Identifier: Apache-2.0
 * tensor_text.c - see tensor_text.h. */
#include "tests/proto/support/tensor_text.h"

#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "tests/proto/support/reading.h"

enum { NUMBERS_MAX = 64, WORD_MAX = 32 };

struct body {
    char bytes[READING_MAX];
    size_t len;
};

struct word { /* "cos:f32[2,2]=1,1,1,1" */
    char name[WORD_MAX], dtype[WORD_MAX], shape[WORD_MAX];
    char data[NUMBERS_MAX * sizeof(double)];
    size_t len; /* bytes of data */
};

static enum pe_dtype find_dtype(const char *name)
{
    size_t i = 0;

    while (i < PE_DTYPE_COUNT && strcmp(pe_dtype_name((enum pe_dtype)i), name) != 0)
        i++;
    ck_assert_msg(i < PE_DTYPE_COUNT, "%s", name);
    return (enum pe_dtype)i;
}

/* Copies the text up to one of the ends; returns the end. */
static const char *take(char out[WORD_MAX], const char *text, const char *ends)
{
    size_t len = strcspn(text, ends);

    ck_assert_uint_lt(len, WORD_MAX);
    memcpy(out, text, len);
    out[len] = '\0';
    return text + len;
}

/* Reads a word and moves on to the next one; false at the end of the text. */
static bool read_word(const char **text, struct word *word)
{
    double numbers[NUMBERS_MAX];
    size_t count = 0;
    const char *at = *text + strspn(*text, " ");

    if (!*at)
        return false;
    *word = (struct word){.len = 0};
    if (strcspn(at, ":") < strcspn(at, "="))
        at = take(word->name, at, ":") + 1;
    at = take(word->dtype, at, "[=");
    if (*at == '[')
        at = take(word->shape, at + 1, "]") + 1;
    ck_assert_msg(*at == '=', "%s", at);
    for (char *end; *at && *at != ' '; at = end, count++) {
        ck_assert_uint_lt(count, NUMBERS_MAX);
        at++; /* "=" or "," */
        if (!*at || *at == ' ')
            break;
        numbers[count] = strtod(at, &end);
        ck_assert_msg(end > at, "%s", at);
    }
    enum pe_dtype dtype = find_dtype(word->dtype);
    pe_dtype_from_f64(dtype, word->data, numbers, count);
    word->len = count * pe_dtype_size(dtype);
    *text = at;
    return true;
}

static void write_safetensors(struct body *body, const char *text)
{
    struct buffer head = {0}, data = {0};
    struct word word;

    buffer_add_text(&head, "{");
    while (read_word(&text, &word)) {
        buffer_add_format(&head, "%s\"%s\":{\"dtype\":\"", data.len > 0 ? "," : "", word.name);
        for (const char *c = word.dtype; *c; c++)
            buffer_add_format(&head, "%c", toupper((unsigned char)*c));
        buffer_add_format(&head, "\",\"shape\":[%s],\"data_offsets\":[%zu,%zu]}", word.shape,
                          data.len, data.len + word.len);
        buffer_add(&data, word.data, word.len);
    }
    buffer_add(&head, "}", sizeof "}");
    ck_assert(!head.failed && !data.failed && head.len + data.len + 8 <= READING_MAX);
    body->len =
        reading_safetensors(body->bytes, head.bytes, data.len > 0 ? data.bytes : "", data.len);
    buffer_fini(&head);
    buffer_fini(&data);
}

static void write_npy(struct body *body, const char *text)
{
    char dictionary[160];
    struct word word;

    ck_assert(read_word(&text, &word) && !*text);
    snprintf(dictionary, sizeof dictionary,
             "{'descr': '<f%zu', 'fortran_order': False, 'shape': (%s%s), }",
             pe_dtype_size(find_dtype(word.dtype)), word.shape, *word.shape ? "," : "");
    body->len = reading_npy(body->bytes, 1, dictionary, word.data, word.len);
}

static void write_octets(struct body *body, const char *text)
{
    struct word word;

    ck_assert(read_word(&text, &word) && !*text);
    memcpy(body->bytes, word.data, word.len);
    body->len = word.len;
}

static const struct {
    const char *name, *media_type;
    void (*write)(struct body *body, const char *text);
} formats[] = {
    {"safetensors ", "application/x-safetensors", write_safetensors},
    {"npy ", "application/x-npy", write_npy},
    {"octets ", "application/octet-stream", write_octets},
};

static bool reserve(void *context, uint64_t bytes)
{
    return true;
}

static bool read_body(struct request *request, const struct tensor_format *format,
                      const struct body *body, struct tensor_source *source,
                      struct pe_errors *errors)
{
    struct tensor_set set = {0};
    struct tensor_reader *reader = NULL;

    if (!tensor_format_is_headerless(format) || source->headerless.rank > 0) {
        reader = tensor_reader_new(format, source);
        ck_assert_ptr_nonnull(reader);
        tensor_reader_add(reader, body->bytes, body->len);
        if (tensor_reader_finish(reader, &set) != TENSOR_OK)
            pe_fail(errors, PE_BAD_VALUE, NULL, "%s", tensor_reader_error(reader));
    }
    bool taken = !reader || !*tensor_reader_error(reader);
    tensor_reader_free(reader);
    if (taken)
        request_set_tensors(request, format, &set, errors);
    return taken;
}

bool tensor_text_give(struct request *request, const char *query, const char *text,
                      struct pe_errors *errors)
{
    const struct pe_encoding *enc = request_encoding(request);
    struct tensor_source source = {.enc = enc, .max_bytes = READING_MAX, .reserve = reserve};
    struct body body;
    size_t i = 0;

    while (strncmp(formats[i].name, text, strlen(formats[i].name)) != 0)
        ck_assert_uint_lt(++i, sizeof formats / sizeof *formats);
    formats[i].write(&body, text + strlen(formats[i].name));
    source.length = body.len;
    source.headerless =
        request_headerless_tensor(enc, query ? query : "", !query ? 0 : strlen(query));
    return read_body(request, tensor_format_find(formats[i].media_type), &body, &source,
                     errors);
}
