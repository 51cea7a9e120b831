/* SPDX-License-Identifier: Apache-2.0
 * quality_list.c - splits lists at commas and parameters at semicolons, both outside quoted
 * strings; see quality_list.h. */
#include "proto/http/quality_list.h"

#include <string.h>
#include <strings.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static void trim(const char **text, size_t *len)
{
    while (*len > 0 && is_space(**text)) {
        (*text)++;
        (*len)--;
    }
    while (*len > 0 && is_space((*text)[*len - 1]))
        (*len)--;
}

/* Parses 0, 0.5 or 1.000: at most 1 and three decimals. False if the text is not that. */
static bool parse_q(const char *text, size_t len, unsigned *q)
{
    unsigned value = 0, unit = QUALITY_LIST_ONE;

    if (len == 0 || len > 5 || (text[0] != '0' && text[0] != '1') ||
        (len > 1 && text[1] != '.'))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (i == 1)
            continue;
        if (text[i] < '0' || text[i] > '9')
            return false;
        value += (unsigned)(text[i] - '0') * unit;
        unit /= 10;
    }
    *q = value;
    return value <= QUALITY_LIST_ONE;
}

/* Returns the next `stop` outside a quoted string, or the end. */
static const char *stop_of(const char *at, const char *end, char stop)
{
    bool quoted = false;

    for (; at < end; at++)
        if (quoted && *at == '\\' && at + 1 < end)
            at++;
        else if (*at == '"')
            quoted = !quoted;
        else if (!quoted && *at == stop)
            break;
    return at;
}

/* Reads one element of the list; false if the text is not one. */
static bool parse(struct quality_list *element, const char *text, const char *end)
{
    const char *semicolon = stop_of(text, end, ';');

    *element = (struct quality_list){text, (size_t)(semicolon - text), QUALITY_LIST_ONE};
    trim(&element->text, &element->len);
    while (semicolon < end) {
        const char *parameter = semicolon + 1;

        semicolon = stop_of(parameter, end, ';');
        size_t len = (size_t)(semicolon - parameter);
        trim(&parameter, &len);
        if (len >= 2 && strncasecmp(parameter, "q=", 2) == 0)
            return element->len > 0 && parse_q(parameter + 2, len - 2, &element->q);
    }
    return element->len > 0;
}

bool quality_list_next(const char **at, const char *end, struct quality_list *element)
{
    while (*at < end) {
        const char *text = *at, *comma = stop_of(text, end, ',');

        *at = comma + (comma < end);
        if (parse(element, text, comma))
            return true;
    }
    return false;
}
