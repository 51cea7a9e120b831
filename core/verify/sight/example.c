/* SPDX-License-Identifier: Apache-2.0
 * example.c - see example.h. */
#include "core/verify/sight/example.h"

#include <string.h>

/* Returns the end of the pair of a query that begins here, and where its "=" is. */
static const char *pair_of(const char *pair, const char **equals)
{
    const char *end = strchrnul(pair, '&');

    *equals = memchr(pair, '=', (size_t)(end - pair));
    return end;
}

bool example_value(char *value, size_t size, const struct pe_encoding *enc,
                   const struct pe_param *param)
{
    const size_t name_len = strlen(param->name);

    for (size_t i = 0; enc->examples && enc->examples[i]; i++)
        for (const char *pair = enc->examples[i], *end, *equals; *pair;
             pair = end + (*end != 0)) {
            end = pair_of(pair, &equals);
            if (!equals || (size_t)(equals - pair) != name_len ||
                memcmp(pair, param->name, name_len) != 0 || (size_t)(end - equals) > size)
                continue;
            memcpy(value, equals + 1, (size_t)(end - equals - 1));
            value[end - equals - 1] = '\0';
            return true;
        }
    return false;
}

bool example_asks(const struct pe_param *param)
{
    return strcmp(param->name, "out") == 0 || strcmp(param->name, "dtype") == 0;
}

static bool is_size(const struct pe_param *param)
{
    return param->type == PE_POSITIONS || param->type == PE_GRID ||
           (param->type == PE_INT && param->required);
}

bool example_query(char query[EXAMPLE_QUERY], const struct pe_encoding *enc,
                   const char *example, bool sizes)
{
    size_t len = 0;

    for (const char *pair = example, *end, *equals; *pair; pair = end + (*end != 0)) {
        end = pair_of(pair, &equals);
        const struct pe_param *param =
            equals ? pe_param_find(enc, pair, (size_t)(equals - pair)) : NULL;

        if (!param || example_asks(param) || (!sizes && is_size(param)))
            continue;
        if (len + (size_t)(end - pair) + 2 > EXAMPLE_QUERY)
            return false;
        if (len > 0)
            query[len++] = '&';
        memcpy(query + len, pair, (size_t)(end - pair));
        len += (size_t)(end - pair);
    }
    query[len] = '\0';
    return true;
}
