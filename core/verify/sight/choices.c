/* SPDX-License-Identifier: Apache-2.0
 * choices.c - see choices.h. */
#include "core/verify/sight/choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "core/verify/sight/example.h"

enum { QUERY = 8192 };

/* Writes the values of the arguments but that of one parameter, and grids, of which the tensors
 * may show another with it; false: they are longer. */
static bool write_query(const struct pe_args *args, const struct pe_param *without,
                        char query[QUERY])
{
    size_t len = 0;

    query[0] = '\0';
    for (size_t i = 0; i < pe_args_value_count(args); i++) {
        const struct pe_value *value = pe_args_value(args, i);

        const struct pe_param *param =
            pe_param_find(args->enc, value->name, strlen(value->name));
        if (!param || param == without || param->type == PE_GRID || example_asks(param))
            continue;
        len += (size_t)snprintf(query + len, QUERY - len, "%s%s=", len > 0 ? "&" : "",
                                value->name);
        if (len >= QUERY)
            return false;
        const size_t size = pe_args_print(args, i, query + len, QUERY - len);
        if (size >= QUERY - len)
            return false;
        len += size;
    }
    return true;
}

/* Returns the value number i of a parameter, which has few; NULL: there are no more. */
static const char *value_of(const struct pe_param *param, size_t i)
{
    static const char *const truths[] = {"0", "1"};

    if (param->type == PE_BOOL)
        return i < PE_LEN(truths) ? truths[i] : NULL;
    return param->type == PE_CHOICE ? param->choices[i].name : NULL;
}

static struct pe_args *try_values(struct sight *sight, const struct pe_args *args,
                                  const struct pe_param *param, char *query,
                                  struct pe_verify_role *roles)
{
    const size_t len = strlen(query);
    struct pe_args *found = NULL;
    const char *value;

    for (size_t i = 0; !found && (value = value_of(param, i)) && !sight_is_spent(sight); i++) {
        snprintf(query + len, QUERY - len, "%s%s=%s", len > 0 ? "&" : "", param->name, value);
        found = sight_try(sight, args->enc, query, SIGHT_SIZES, roles);
    }
    return found;
}

struct pe_args *choices_try(struct sight *sight, struct pe_verify_role *roles)
{
    char *query = malloc(QUERY);
    struct pe_args *found = NULL;

    sight->failed = sight->failed || !query;
    for (size_t i = 0; query && i < sight->shaped_count && !found; i++) {
        const struct pe_args *args = sight->shaped[i].args;

        for (size_t j = 0; j < args->enc->param_count && !found; j++) {
            const struct pe_param *param = &args->enc->params[j];

            if (value_of(param, 0) && write_query(args, param, query) &&
                strlen(query) < QUERY / 2)
                found = try_values(sight, args, param, query, roles);
        }
    }
    free(query);
    return found;
}
