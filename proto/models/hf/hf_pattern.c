/* SPDX-License-Identifier: Apache-2.0
 * hf_pattern.c - replaces {key:default} in patterns, and splits patterns into settings. */
#include "proto/models/hf/hf_pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/float_text.h"

enum { KEY_MAX = 40, PATTERN_MAX = 240, LIST_MAX = 4 };

/* Reads the width of the object's heads, by the names that vision towers have for it. */
static bool read_width(struct hf_reader *reader, const struct json_body_value *object,
                       double *width)
{
    double hidden, heads;

    if (hf_reader_number(reader, object, "head_dim", width))
        return true;
    bool has_hidden = hf_reader_number(reader, object, "embed_dim", &hidden) ||
                      hf_reader_number(reader, object, "hidden_size", &hidden) ||
                      hf_reader_number(reader, object, "dim", &hidden);
    bool has_heads =
        hf_reader_number_of(reader, object, WORDS("num_heads", "num_attention_heads"), &heads);
    if (has_hidden && has_heads)
        *width = hidden / heads;
    return has_hidden && has_heads;
}

/* Reads the width of a diffusion model, the product of its heads and their width. */
static bool read_inner(struct hf_reader *reader, const struct json_body_value *object,
                       double *width)
{
    double heads, head;

    if (!hf_reader_number(reader, object, "num_attention_heads", &heads) ||
        !hf_reader_number(reader, object, "attention_head_dim", &head))
        return false;
    *width = heads * head;
    return true;
}

/* Writes a list of numbers, separated by commas. */
static void add_list(struct buffer *out, const struct json_body_value *list)
{
    char text[FLOAT_TEXT_F64_MAX];

    for (size_t i = 0; i < list->dims[0]; i++) {
        buffer_add_text(out, i == 0 ? "" : ",");
        buffer_add(out, text, (size_t)(float_text_f64(text, list->numbers[i]) - text));
    }
}

/* Writes the object's number or list for "{key:default" ... "}". A -1 is written too: in
 * DeBERTa's it means none. Returns false after adding a problem with the value. */
static bool add_value(struct buffer *out, struct hf_reader *reader,
                      const struct json_body_value *object, const char *place, size_t len)
{
    const char *colon = memchr(place, ':', len);
    const size_t default_len = len - (size_t)(colon + 1 - place);
    const bool listed = memchr(colon, ',', default_len) != NULL;
    char key[KEY_MAX] = "", text[FLOAT_TEXT_F64_MAX];
    double number = strtod(colon + 1, NULL);
    const size_t before = reader->errors->count;
    struct json_body_value value = {0};

    memcpy(key, place + 1, (size_t)(colon - place - 1));
    if (strcmp(key, "width") == 0 || strcmp(key, "inner") == 0) {
        (void)(key[0] == 'w' ? read_width : read_inner)(reader, object, &number);
        value = object ? *object : (struct json_body_value){0};
    } else if (!hf_reader_find(reader, object, key, &value)) {
        if (listed) {
            buffer_add(out, colon + 1, default_len);
            return true;
        }
    } else if (listed && value.kind == JSON_BODY_NUMBERS && value.rank == 1 &&
               value.dims[0] > 0 && value.dims[0] <= LIST_MAX) {
        add_list(out, &value);
        return true;
    } else {
        number = value.kind == JSON_BODY_NUMBER && !listed ? value.number : NAN;
    }
    if (!isfinite(number))
        hf_reader_fail(reader, value.name ? &value : NULL, PE_BAD_VALUE,
                       listed ? "must be a list of numbers" : "must be a number");
    else
        buffer_add(out, text, (size_t)(float_text_f64(text, number) - text));
    return reader->errors->count == before;
}

static bool write_all(struct buffer *out, struct hf_reader *reader,
                      const struct json_body_value *object, const char *pattern)
{
    while (*pattern != '\0') {
        size_t len = strcspn(pattern, "{");
        buffer_add(out, pattern, len);
        pattern += len;
        if (*pattern == '{') {
            len = strcspn(pattern, "}");
            if (!add_value(out, reader, object, pattern, len))
                return false;
            pattern += len + 1;
        }
    }
    return true;
}

bool hf_pattern_set(struct hf_reader *reader, struct model_use *use,
                    const struct json_body_value *object, const char *pattern)
{
    char bytes[PATTERN_MAX];
    struct buffer text = buffer_over(bytes, sizeof bytes);

    if (*pattern == '\0')
        return true;
    if (!write_all(&text, reader, object, pattern))
        return false;
    for (const char *at = text.bytes; *at != '\0';) {
        size_t name = strcspn(at, "="), len = strcspn(at, "&");

        hf_reader_set(reader, use, hf_reader_keep(reader, at, name),
                      hf_reader_keep(reader, at + name + 1, len - name - 1));
        at += len + (at[len] == '&');
    }
    return true;
}
