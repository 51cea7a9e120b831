/* SPDX-License-Identifier: Apache-2.0
 * query_word.c - see query_word.h. */
#include "server/cli/query_word.h"

#include <string.h>

bool query_word_split(const char *text, struct query_word *word)
{
    const char *equals = strchr(text, '=');

    *word = (struct query_word){.name = text, .value = equals ? equals + 1 : NULL};
    word->name_len = equals ? (size_t)(equals - text) : 0;
    return equals;
}

static void add_encoded(struct buffer *out, const char *text, size_t len)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-._~:,;@/|+";

    for (size_t i = 0; i < len; i++)
        if (text[i] != '\0' && strchr(plain, text[i]))
            buffer_add(out, &text[i], 1);
        else
            buffer_add_format(out, "%%%02X", (unsigned char)text[i]);
}

void query_word_add(struct buffer *query, const struct query_word *word, const char *value,
                    size_t len)
{
    buffer_add_text(query, query->len > 0 ? "&" : "");
    add_encoded(query, word->name, word->name_len);
    buffer_add_text(query, "=");
    add_encoded(query, value, len);
}
