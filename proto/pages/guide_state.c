/* SPDX-License-Identifier: Apache-2.0
 * guide_state.c - see guide_state.h. */
#include "proto/pages/guide_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/word.h"

enum {
    DEPTH_MAX = 4,
    WORD_MAX = 40
}; /* of holes in values of holes; letters of a word's name */

/* ---- values of controls -------------------------------------------------------------- */

/* Reads a whole number within the bounds of a slider. */
static bool is_place(const struct guide_control *control, const char *value)
{
    char *end;
    const long number = strtol(value, &end, 10);

    return *value != ' ' && *value != '+' && end > value && *end == '\0' &&
           number >= control->low && number <= control->high;
}

/* Returns the value that a word gives to the control: a choice is named by its number; NULL:
 * it gives none. */
static const char *value_of(const struct guide_control *control, const char *word)
{
    size_t count = 0;
    char *end;

    if (!control->options)
        return is_place(control, word) ? word : NULL;
    while (control->options[count])
        count++;
    const unsigned long number = strtoul(word, &end, 10);
    return *word >= '0' && *word <= '9' && *end == '\0' && number < count
               ? control->options[number]
               : NULL;
}

/* Returns the word of the query for the control of a figure; NULL: there is none. */
static const char *find_word(const struct guide_control *control, size_t number,
                             const struct query *query, char name[static WORD_MAX])
{
    if (number == 0)
        snprintf(name, WORD_MAX, "%s", control->name);
    else
        snprintf(name, WORD_MAX, "%s%zu", control->name, number + 1);
    for (size_t i = 0; i < query->count; i++)
        if (strcmp(query->at[i].name, name) == 0)
            return query->at[i].value;
    return NULL;
}

static const char *word_value(const struct guide_control *control, size_t number,
                              const struct query *query)
{
    char name[WORD_MAX];
    const char *word = find_word(control, number, query, name);

    return word ? value_of(control, word) : NULL;
}

void guide_state_read(struct buffer *out, const struct guide *guide, const struct query *query)
{
    char name[WORD_MAX];
    size_t number = 0;

    for (const struct guide_part *part = guide->parts; part->text; part++) {
        for (const struct guide_control *one = part->controls; one && one->name; one++)
            if (word_value(one, number, query))
                buffer_add_format(out, "%s%s=%s", out->len > 0 ? "&" : "", name,
                                  find_word(one, number, query, name));
        number += part->is_picture;
    }
}

/* ---- requests ------------------------------------------------------------------------ */

/* A figure in a state. */
struct filling {
    const struct guide_control *controls;
    const struct query *query;
    size_t number;
};

static const char *filled(const struct filling *filling, const char *name, size_t len)
{
    for (const struct guide_control *one = filling->controls; one->name; one++)
        if (word_is(one->name, name, len)) {
            const char *given = word_value(one, filling->number, filling->query);

            return given ? given : one->value;
        }
    return "";
}

static void fill(struct buffer *out, const struct filling *filling, const char *text,
                 unsigned depth);

/* Fills the hole "{p}" with a value, or "{p+k}" with a sum. */
static void fill_hole(struct buffer *out, const struct filling *filling, const char *name,
                      size_t len, unsigned depth)
{
    const size_t first = strcspn(name, "+}");

    if (first < len)
        buffer_add_format(
            out, "%ld",
            strtol(filled(filling, name, first), NULL, 10) +
                strtol(filled(filling, name + first + 1, len - first - 1), NULL, 10));
    else if (depth < DEPTH_MAX)
        fill(out, filling, filled(filling, name, len), depth + 1);
}

/* A value may be empty, so that "&" would be at the start, at the end, or twice. */
static void fill(struct buffer *out, const struct filling *filling, const char *text,
                 unsigned depth)
{
    while (*text) {
        const size_t len = strcspn(text, "{&"), hole = strcspn(text + len, "}");

        buffer_add(out, text, len);
        text += len;
        if (*text == '{' && text[hole]) {
            fill_hole(out, filling, text + 1, hole - 1, depth);
            text += hole + 1;
        } else if (*text) {
            if (out->len > 0 && !strchr("?&", out->bytes[out->len - 1]))
                buffer_add(out, text, 1);
            text++;
        }
    }
}

bool guide_state_add_request(struct buffer *out, const struct guide_part *figure, size_t number,
                             const struct query *query)
{
    const struct filling filling = {figure->controls, query, number};
    const size_t before = out->len;
    bool given = false;

    for (const struct guide_control *one = figure->controls; one && one->name; one++)
        given = given || word_value(one, number, query);
    if (!given)
        return false;
    fill(out, &filling, figure->request, 0);
    while (out->len > before && strchr("?&", out->bytes[out->len - 1]))
        out->bytes[--out->len] = '\0';
    return !out->failed;
}
