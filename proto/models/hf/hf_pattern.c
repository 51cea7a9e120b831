/* SPDX-License-Identifier: Apache-2.0
 * hf_pattern.c - replaces {key:default} in patterns, and splits patterns into settings. */
#include "proto/models/hf/hf_pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/float_text.h"

enum { KEY_MAX = 64, PATTERN_MAX = 240, LIST_MAX = 4 };

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

/* Reads a member as a number. A list of equal numbers, as attention_window of Longformer, is
 * one number; NAN for anything else. Returns false if it is absent. */
static bool read_one(struct hf_reader *reader, const struct json_body_value *object,
                     const char *key, struct json_body_value *value, double *number)
{
    if (!hf_reader_find(reader, object, key, value))
        return false;
    *number = value->kind == JSON_BODY_NUMBER ? value->number : NAN;
    if (value->kind == JSON_BODY_NUMBERS && value->rank == 1 && value->dims[0] > 0) {
        size_t i = 1;

        while (i < value->dims[0] && value->numbers[i] == value->numbers[0])
            i++;
        *number = i == value->dims[0] ? value->numbers[0] : NAN;
    }
    return true;
}

/* Reads a member as read_one does; of "a|b" the first whose number is above 0. */
static bool read_number(struct hf_reader *reader, const struct json_body_value *object,
                        const char *key, struct json_body_value *value, double *number)
{
    const char *bar = strchr(key, '|');
    char first[KEY_MAX];
    struct json_body_value found;
    double above;

    if (!bar)
        return read_one(reader, object, key, value, number);
    memcpy(first, key, (size_t)(bar - key));
    first[bar - key] = '\0';
    if (read_one(reader, object, first, &found, &above) && !(above <= 0)) {
        *value = found;
        *number = above;
        return true;
    }
    return read_one(reader, object, bar + 1, value, number);
}

/* The parts of "{key:default" and "{key/divisor:default/default}". */
struct place {
    char key[KEY_MAX], divisor[KEY_MAX]; /* divisor: a key or a number; "" if there is none */
    double number, by;                   /* defaults */
    const char *text;                    /* the default as it stands, and its length */
    size_t len;
};

static struct place parse_place(const char *text, size_t len)
{
    const char *colon = memchr(text, ':', len), *slash = memchr(text, '/', len);
    const bool divided = slash && slash < colon;
    struct place place = {.text = colon + 1, .len = len - (size_t)(colon + 1 - text), .by = 1};
    char *end;

    memcpy(place.key, text + 1, (size_t)((divided ? slash : colon) - text - 1));
    if (divided)
        memcpy(place.divisor, slash + 1, (size_t)(colon - slash - 1));
    place.number = strtod(colon + 1, &end);
    if (divided)
        place.by = strtod(*end == '/' ? end + 1 : place.divisor, NULL);
    return place;
}

/* Writes the number of a place: the quotient of two members, if it has a divisor. */
static bool add_number(struct buffer *out, struct hf_reader *reader,
                       const struct json_body_value *object, struct place *place)
{
    char text[FLOAT_TEXT_F64_MAX];
    const size_t before = reader->errors->count;
    struct json_body_value value = {0}, by = {0};

    if (!read_number(reader, object, place->key, &value, &place->number) && !object)
        (void)hf_class_default(reader->class, place->key, &place->number);
    if (place->divisor[0] > '9')
        (void)read_number(reader, object, place->divisor, &by, &place->by);
    const double quotient = place->number / place->by;
    const double number = place->divisor[0] != '\0' ? floor(quotient) : quotient;
    const struct json_body_value *wrong = isfinite(place->number) ? &by : &value;
    if (!isfinite(number))
        hf_reader_fail(reader, wrong->name ? wrong : NULL, PE_BAD_VALUE,
                       isfinite(place->number) && isfinite(place->by) ? "must be above 0"
                       : wrong->kind == JSON_BODY_NUMBERS
                           ? "must be a number, or a list of numbers that are equal"
                           : "must be a number");
    else
        buffer_add(out, text, (size_t)(float_text_f64(text, number) - text));
    return reader->errors->count == before;
}

/* Writes the list of a place, of which the default has a comma. */
static bool add_listed(struct buffer *out, struct hf_reader *reader,
                       const struct json_body_value *object, const struct place *place)
{
    struct json_body_value value;

    if (!hf_reader_find(reader, object, place->key, &value)) {
        buffer_add(out, place->text, place->len);
        return true;
    }
    if (value.kind != JSON_BODY_NUMBERS || value.rank != 1 || value.dims[0] == 0 ||
        value.dims[0] > LIST_MAX) {
        hf_reader_fail(reader, &value, PE_BAD_VALUE, "must be a list of numbers");
        return false;
    }
    add_list(out, &value);
    return true;
}

/* Writes the object's number or list for "{key:default" ... "}". A -1 is written too: in
 * DeBERTa's it means none. Returns false after adding a problem with the value. */
static bool add_value(struct buffer *out, struct hf_reader *reader,
                      const struct json_body_value *object, const char *text, size_t len)
{
    struct place place = parse_place(text, len);
    const bool width = strcmp(place.key, "width") == 0;
    const size_t before = reader->errors->count;
    char digits[FLOAT_TEXT_F64_MAX];

    if (memchr(place.text, ',', place.len))
        return add_listed(out, reader, object, &place);
    if (!width && strcmp(place.key, "inner") != 0)
        return add_number(out, reader, object, &place);
    (void)(width ? read_width : read_inner)(reader, object, &place.number);
    if (!isfinite(place.number))
        hf_reader_fail(reader, object && object->name ? object : NULL, PE_BAD_VALUE, "%s",
                       width
                           ? "num_attention_heads must be 1 or above: the width of a head is "
                             "hidden_size divided by it"
                           : "num_attention_heads times attention_head_dim is too large; make "
                             "their product at most 1.7e308");
    else
        buffer_add(out, digits, (size_t)(float_text_f64(digits, place.number) - digits));
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

    if (!pattern)
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
