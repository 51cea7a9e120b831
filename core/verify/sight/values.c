/* SPDX-License-Identifier: Apache-2.0
 * values.c - see values.h. */
#include "core/verify/sight/values.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void values_append(struct values *values, const char *format, ...)
{
    va_list list;

    assert(values->len < values->size); /* the size is enough for all that is shown */
    va_start(list, format);
    const int len =
        vsnprintf(values->text + values->len, values->size - values->len, format, list);
    va_end(list);
    if (len > 0)
        values->len += (size_t)len;
}

bool values_begin(struct values *values, const char *name)
{
    if (!pe_param_find(values->enc, name, strlen(name)))
        return false;
    values_append(values, "%s%s=", values->len > 0 ? "&" : "", name);
    return true;
}

bool values_whole(struct values *values, const char *name, uint64_t value)
{
    if (!values_begin(values, name))
        return false;
    values_append(values, "%" PRIu64, value);
    return true;
}

/* Returns whether an output that the encoding computes by itself needs the parameter. */
static bool is_needed(const struct pe_encoding *enc, const struct pe_param *param)
{
    for (size_t i = 0; i < enc->output_count && param->required && !param->when; i++)
        if (enc->outputs[i].by_default && pe_output_uses(&enc->outputs[i], param->name))
            return true;
    return false;
}

/* Returns whether all that the encoding requires has a value. */
static bool is_complete(const struct values *values)
{
    for (size_t i = 0; i < values->enc->param_count; i++) {
        const struct pe_param *param = &values->enc->params[i];
        char pair[80];

        snprintf(pair, sizeof pair, "&%s=", param->name);
        if (is_needed(values->enc, param) && !strstr(values->text, pair) &&
            strncmp(values->text, pair + 1, strlen(pair + 1)) != 0)
            return false;
    }
    return true;
}

struct pe_args *values_try(struct sight *sight, const struct pe_encoding *enc, size_t size,
                           values_write *write, const void *shown, struct pe_verify_role *roles)
{
    struct values values = {.enc = enc, .size = size};
    struct pe_args *args = NULL;

    values.text = calloc(size, 1);
    sight->failed = sight->failed || !values.text;
    if (values.text && write(&values, shown) && is_complete(&values))
        args = sight_try(sight, enc, values.text, SIGHT_GIVEN, roles);
    free(values.text);
    return args;
}

struct pe_args *values_try_family(struct sight *sight, enum pe_family family, size_t size,
                                  values_write *write, const void *shown,
                                  struct pe_verify_role *roles)
{
    struct pe_args *args = NULL;

    for (size_t i = 0; i < pe_count() && !args; i++)
        if (sight->shortest[i]->family == family)
            args = values_try(sight, sight->shortest[i], size, write, shown, roles);
    return args;
}
