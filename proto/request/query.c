/* SPDX-License-Identifier: Apache-2.0
 * query.c - splits and decodes a query string in one copy of it. */
#include "proto/request/query.h"

#include <stdlib.h>
#include <string.h>

#include "proto/request/param_names.h"

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

/* The reason why a parameter cannot be decoded, and the place of the wrong character. */
struct fault {
    const char *why; /* NULL: the parameter can be decoded */
    size_t at;
};

/* Decodes text[0..len) in place (the result is never longer); returns its length. */
static size_t decode(char *text, size_t len, struct fault *fault)
{
    size_t out = 0;

    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        *fault = (struct fault){.at = i};
        if (c == '%') {
            int high = len - i > 2 ? hex_digit(text[i + 1]) : -1;
            int low = len - i > 2 ? hex_digit(text[i + 2]) : -1;

            if (high < 0 || low < 0) {
                fault->why = "a % must be followed by two hexadecimal digits "
                             "(a percent sign itself is %25)";
                return out;
            }
            c = (unsigned char)(high * 16 + low);
            i += 2;
        } else if (c == ' ') {
            fault->why = "a space must be written as %20";
            return out;
        }
        if (c < 0x20 || c == 0x7f) {
            fault->why = "control characters are not allowed";
            return out;
        }
        text[out++] = (char)c;
    }
    return out;
}

/* Adds the parameter between two "&" to the query, or the problem of an unreadable one. */
static enum pe_status add_parameter(struct query *query, char *text, size_t len,
                                    struct pe_errors *errors)
{
    char *equals = memchr(text, '=', len);
    size_t raw_name_len = !equals ? len : (size_t)(equals - text);
    struct fault fault = {0};
    size_t name_len = decode(text, raw_name_len, &fault);

    if (fault.why)
        return pe_fail(errors, PE_BAD_VALUE, NULL,
                       "the name of a parameter is not readable at its character %zu: %s",
                       fault.at + 1, fault.why);
    text[name_len] = '\0';
    if (name_len == 0)
        return pe_fail(errors, PE_BAD_VALUE, NULL,
                       len == 0 ? "nothing stands before, between or after an \"&\"; write "
                                  "name=value"
                                : "a parameter has no name; write name=value");
    if (!equals)
        return pe_fail(errors, PE_BAD_VALUE, text, "has no value; write %.40s=value", text);
    char *value = equals + 1;
    size_t raw_value_len = len - raw_name_len - 1;
    size_t value_len = decode(value, raw_value_len, &fault);
    if (fault.why)
        return pe_fail(errors, PE_BAD_VALUE, text, "is not readable at its character %zu: %s",
                       fault.at + 1, fault.why);
    value[value_len] = '\0';
    query->at[query->count++] = (struct query_parameter){.name = text,
                                                         .name_len = name_len,
                                                         .value = value,
                                                         .value_len = value_len};
    return PE_OK;
}

enum pe_status query_refuse_many(size_t count, struct pe_errors *errors)
{
    size_t before = errors->count;

    pe_fail(errors, PE_TOO_LARGE, NULL, "at most %d parameters are read; got %zu",
            QUERY_MAX_PARAMETERS, count);
    if (errors->count > before) {
        errors->at[before].limit = QUERY_MAX_PARAMETERS;
        errors->at[before].requested = count;
    }
    return PE_TOO_LARGE;
}

enum pe_status query_parse(struct query *query, const char *text, size_t len,
                           struct pe_errors *errors)
{
    *query = (struct query){0};
    if (len == 0)
        return PE_OK;
    size_t count = 1;
    for (size_t i = 0; i < len; i++)
        count += text[i] == '&';
    if (count > QUERY_MAX_PARAMETERS) {
        query_refuse_many(count, errors);
        pe_hint(errors, "the values of a list are joined by commas, as in pos=0,1,2");
        return PE_TOO_LARGE;
    }
    query->text = malloc(len + 1);
    if (!query->text)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    memcpy(query->text, text, len);
    query->text[len] = '&';
    enum pe_status status = PE_OK;
    for (char *parameter = query->text, *end = parameter + len; parameter <= end;) {
        char *stop = memchr(parameter, '&', (size_t)(end - parameter) + 1);
        enum pe_status added =
            add_parameter(query, parameter, (size_t)(stop - parameter), errors);

        status = added == PE_OK ? status : added;
        parameter = stop + 1;
    }
    return status;
}

static bool same_name(const struct query_parameter *one, const struct query_parameter *other)
{
    return one->name_len == other->name_len &&
           memcmp(one->name, other->name, one->name_len) == 0;
}

/* Appends the values of the parameters behind `at` that have its name, and removes these;
 * returns the end of the text. */
static char *join_one(struct query *query, size_t at, char *text)
{
    struct query_parameter *first = &query->at[at];
    size_t kept = at + 1;

    memcpy(text, first->value, first->value_len);
    first->value = text;
    text += first->value_len;
    for (size_t i = at + 1; i < query->count; i++) {
        if (same_name(&query->at[i], first)) {
            *text++ = ',';
            memcpy(text, query->at[i].value, query->at[i].value_len);
            text += query->at[i].value_len;
        } else {
            query->at[kept++] = query->at[i];
        }
    }
    query->count = kept;
    first->value_len = (size_t)(text - first->value);
    *text++ = '\0';
    return text;
}

static bool is_repeated(const struct query *query, size_t at)
{
    for (size_t i = at + 1; i < query->count; i++)
        if (same_name(&query->at[i], &query->at[at]))
            return true;
    return false;
}

static bool is_list(const struct pe_encoding *enc, const struct query_parameter *parameter)
{
    const struct pe_param *param = param_names_find(enc, parameter->name, parameter->name_len);

    return param &&
           (param->type == PE_POSITIONS || (param->type == PE_REALS && !param->matrix) ||
            param == pe_param_find(NULL, "out", 3));
}

enum pe_status query_parse_joined(struct query *query, const struct pe_encoding *enc,
                                  const char *text, size_t len, struct pe_errors *errors)
{
    enum pe_status status = query_parse(query, text, len, errors);
    size_t size = 0; /* of all values, each with a comma or the end */
    char *end = NULL;

    for (size_t i = 0; i < query->count; i++)
        size += query->at[i].value_len + 1;
    for (size_t i = 0; i < query->count; i++) {
        if (!is_repeated(query, i) || !is_list(enc, &query->at[i]))
            continue;
        if (!query->joined)
            end = query->joined = malloc(size);
        if (!query->joined)
            return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
        end = join_one(query, i, end);
    }
    return status;
}

void query_fini(struct query *query)
{
    free(query->text);
    free(query->joined);
    *query = (struct query){0};
}
