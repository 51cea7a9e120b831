/* SPDX-License-Identifier: Apache-2.0
 * openapi_value.c - see openapi_value.h. */
#include "proto/describe/openapi_value.h"

#include <string.h>

#include "proto/describe/schema.h"
#include "proto/text/json_write.h"

static bool is_word(const struct pe_param *param, const char *text)
{
    for (const struct pe_word *word = param->words; word && word->word; word++)
        if (strcmp(word->word, text) == 0)
            return true;
    return false;
}

static void write_names(struct buffer *out, const char *text)
{
    json_write(out, "[");
    for (const char *end; *text != '\0'; text = *end == ',' ? end + 1 : end) {
        end = strchrnul(text, ',');
        json_write_string(out, NULL, text, (size_t)(end - text));
    }
    json_write(out, "]");
}

void openapi_value_write(struct buffer *out, const struct pe_param *param, const char *text,
                         bool several)
{
    bool number = param->type == PE_INT || (param->type == PE_REAL && !is_word(param, text));

    if (number)
        buffer_add_text(out, text);
    else if (param->type == PE_BOOL || schema_is_truth(param))
        json_write_flag(out, NULL, *text == '1' || *text == 't');
    else if (several && strchr(text, ','))
        write_names(out, text);
    else
        json_write_text(out, NULL, text);
}
