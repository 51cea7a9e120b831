/* SPDX-License-Identifier: Apache-2.0
 * prose.c - see prose.h. */
#include "proto/pages/prose.h"

#include <stdbool.h>
#include <string.h>

#include "proto/pages/html.h"
#include "proto/pages/param_table.h"

#define WORD                                                                                   \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/." /* "pos.t" is one */

/* Returns the length of the word at the text's start, without a full stop at its end. */
static size_t word_len(const char *text)
{
    size_t len = strspn(text, WORD);

    while (len > 0 && strchr("-/.", text[len - 1]))
        len--;
    return len;
}

static bool has_one_of(const char *text, size_t len, const char *letters)
{
    for (size_t i = 0; i < len; i++)
        if (strchr(letters, text[i]))
            return true;
    return false;
}

static void add_word(struct buffer *out, const char *base, const struct pe_encoding *enc,
                     const char *word, size_t len)
{
    const struct pe_encoding *other =
        has_one_of(word, len, "-/0123456789") ? pe_find(word, len) : NULL;
    const struct pe_param *param =
        has_one_of(word, len, "_0123456789") ? param_table_find(enc, word, len) : NULL;

    if (param)
        html_add(out, "<a href=\"#p-%s\"><code>%.*s</code></a>", param->name, (int)len, word);
    else if (other && other != enc)
        html_add(out, "<a href=\"%s/docs/%s\"><code>%s</code></a>", base, pe_name(other),
                 pe_name(other));
    else
        html_add_text(out, word, len);
}

void prose_add(struct buffer *out, const char *base, const struct pe_encoding *enc,
               const char *text)
{
    while (*text) {
        size_t len = word_len(text);

        if (len > 0)
            add_word(out, base, enc, text, len);
        else
            html_add_text(out, text, len = 1);
        text += len;
    }
}
