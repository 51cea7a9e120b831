/* SPDX-License-Identifier: Apache-2.0
 * json_tensors_claim.c - the claim of a JSON body as a query. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text/float_text.h"
#include "proto/tensors/json_tensors.h"

/* Bytes that a query has as they are; others are percent-encoded. */
static bool is_plain(char byte)
{
    return byte != '\0' && (strchr("-._~,:;/", byte) || (byte >= '0' && byte <= '9') ||
                            (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'));
}

static void add_encoded(struct buffer *query, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (is_plain(text[i]))
            buffer_add(query, text + i, 1);
        else
            buffer_add_format(query, "%%%02X", (unsigned char)text[i]);
}

static void add_number(struct buffer *query, double number)
{
    char text[FLOAT_TEXT_F64_MAX];

    if (isfinite(number))
        buffer_add(query, text, (size_t)(float_text_f64(text, number) - text));
    else
        buffer_add_text(query, isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
}

/* Adds a list as "1,2", the rows of a matrix as "1,2;3,4". */
static void add_numbers(struct buffer *query, const struct json_body_value *value)
{
    const size_t count = value->rows * value->cols;

    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            buffer_add_text(query, i % value->cols == 0 ? ";" : ",");
        if (value->truths)
            buffer_add_text(query, value->numbers[i] > 0 ? "true" : "false");
        else
            add_number(query, value->numbers[i]);
    }
}

/* Adds the value of a parameter; false if it has no text. */
static bool add_value(struct buffer *query, const struct json_body_value *value)
{
    switch (value->kind) {
    case JSON_BODY_NUMBER:
        add_number(query, value->number);
        return true;
    case JSON_BODY_BOOL:
        buffer_add_text(query, value->flag ? "true" : "false");
        return true;
    case JSON_BODY_STRING:
        add_encoded(query, value->text, value->text_len);
        return true;
    case JSON_BODY_NUMBERS:
        add_numbers(query, value);
        return value->rank <= 2;
    case JSON_BODY_OBJECT:
    case JSON_BODY_NULL:
    case JSON_BODY_OTHER:
        break;
    }
    return false;
}

static bool refuse(const struct json_body *body, const struct json_body_value *value,
                   const char *sentence, char *why)
{
    char pointer[JSON_BODY_POINTER_SIZE];

    snprintf(why, JSON_TENSORS_WHY_SIZE, "%s %s",
             json_body_pointer(body, value, JSON_BODY_NO_ITEM, pointer), sentence);
    return false;
}

bool json_tensors_claim(const struct json_body *body, struct buffer *query,
                        char why[JSON_TENSORS_WHY_SIZE])
{
    struct json_body_value claim, value;
    const char *between = "";

    if (!json_body_find(body, NULL, "claim", &claim) || claim.kind == JSON_BODY_NULL)
        return true;
    if (claim.kind == JSON_BODY_STRING) {
        buffer_add(query, claim.text, claim.text_len);
        return true;
    }
    if (claim.kind != JSON_BODY_OBJECT)
        return refuse(body, &claim,
                      "must be a query, \"encoding=rope&dim=4\", or an object, "
                      "{\"encoding\": \"rope\", \"dim\": 4}",
                      why);
    for (bool more = json_body_first(body, &claim, &value); more;
         more = json_body_next(body, &value)) {
        buffer_add_text(query, between);
        add_encoded(query, value.name, value.name_len);
        buffer_add_text(query, "=");
        if (!add_value(query, &value))
            return refuse(body, &value,
                          "must be a number, true, false, a text, or rows of numbers", why);
        between = "&";
    }
    return true;
}
