/* SPDX-License-Identifier: Apache-2.0
 * verify_body.c - see verify_body.h. The shape is read as that of any other body. */
#include "proto/verify/verify_body.h"

#include <string.h>

#include "proto/models/hf/hf_config.h"
#include "proto/request/option.h"
#include "proto/tensors/json_tensors.h"
#include "proto/text/word.h"

enum { ECHO_MAX = 40 };

static const char *const names[VERIFY_BODY_WORDS] = {
    [VERIFY_BODY_TENSOR] = "tensor",
    [VERIFY_BODY_IN_DTYPE] = "in_dtype",
    [VERIFY_BODY_SHAPE] = "shape",
};

enum verify_body_word verify_body_find(const char *name, size_t len)
{
    size_t i = 0;

    while (i < VERIFY_BODY_WORDS && !word_is(names[i], name, len))
        i++;
    return (enum verify_body_word)i;
}

static enum pe_status set_name(struct verify_body *body, const char *text, size_t len,
                               struct pe_errors *errors)
{
    if (len == 0 || len >= sizeof body->name)
        return pe_fail(errors, PE_BAD_VALUE, "tensor",
                       "must be a name of 1 to %zu characters, such as cos; got %s",
                       sizeof body->name - 1, len == 0 ? "nothing" : "a longer one");
    memcpy(body->name, text, len);
    body->name[len] = '\0';
    return PE_OK;
}

static enum pe_status set_dtype(struct verify_body *body, const char *text, size_t len,
                                struct pe_errors *errors)
{
    if (pe_dtype_find(text, len, &body->info.dtype))
        return PE_OK;
    return pe_fail(errors, PE_BAD_VALUE, "in_dtype",
                   "must be one of f32, f64, f16, bf16, i64, i32, u8, bool; got %.*s",
                   (int)(len == 0 || len > ECHO_MAX ? ECHO_MAX : len),
                   len > 0 ? text : "nothing");
}

static enum pe_status set_shape(struct verify_body *body, const char *text, size_t len,
                                struct pe_errors *errors)
{
    struct option_values values;
    struct pe_given given = {.kind = PE_GIVEN_TEXT, .text = text, .len = len};

    option_init(&values);
    enum pe_status status = option_set(&values, OPTION_SHAPE, &given, errors);
    body->info.rank = values.shape_rank;
    memcpy(body->info.dims, values.shape, sizeof body->info.dims);
    return status;
}

enum pe_status verify_body_set(struct verify_body *body, enum verify_body_word word,
                               const char *text, size_t len, struct pe_errors *errors)
{
    if (body->given[word])
        return pe_fail(errors, PE_REPEATED_PARAMETER, names[word],
                       "is given twice; give it once");
    body->given[word] = true;
    return word == VERIFY_BODY_TENSOR     ? set_name(body, text, len, errors)
           : word == VERIFY_BODY_IN_DTYPE ? set_dtype(body, text, len, errors)
                                          : set_shape(body, text, len, errors);
}

void verify_body_check(const struct verify_body *body, bool headerless, bool named, bool json,
                       struct pe_errors *errors)
{
    static const char *const own[VERIFY_BODY_WORDS] = {
        [VERIFY_BODY_TENSOR] = "names",
        [VERIFY_BODY_IN_DTYPE] = "dtype",
        [VERIFY_BODY_SHAPE] = "shape",
    };

    for (size_t i = 0; i < VERIFY_BODY_WORDS; i++) {
        bool takes = i == VERIFY_BODY_TENSOR     ? !named
                     : i == VERIFY_BODY_IN_DTYPE ? headerless || json
                                                 : headerless;

        if (body->given[i] && !takes)
            pe_fail(errors, PE_CONFLICT, names[i],
                    "has no effect: the body has its own %s; leave it out", own[i]);
        else if (!body->given[i] && headerless && i != VERIFY_BODY_TENSOR)
            pe_fail(errors, PE_MISSING_PARAMETER, names[i],
                    "is required in the query: a body of application/octet-stream does not "
                    "contain it");
    }
}

struct json_body *verify_body_new(uint64_t max_bytes)
{
    return json_body_new_arrays(max_bytes, hf_config_skipped, "config");
}

enum pe_status verify_body_read_json(const struct json_body *body,
                                     const struct verify_body *words, struct tensor_set *set,
                                     struct pe_errors *errors)
{
    const enum pe_dtype dtype = words->given[VERIFY_BODY_IN_DTYPE] ? words->info.dtype : PE_F64;
    char why[JSON_TENSORS_WHY_SIZE], *sentence = why;

    switch (json_tensors_read(body, dtype, VERIFY_ELEMENTS, set, why)) {
    case TENSOR_OK:
        return PE_OK;
    case TENSOR_NO_MEMORY:
    case TENSOR_OVER_BUDGET:
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    case TENSOR_MALFORMED:
    case TENSOR_TOO_LARGE:
        break;
    }
    if (strncmp(why, "#/", 2) == 0 && strchr(why, ' ')) {
        sentence = strchr(why, ' ');
        *sentence++ = '\0';
    }
    return pe_fail(errors, PE_BAD_VALUE, sentence == why ? NULL : why, "%s", sentence);
}

bool verify_body_is_named(const struct tensor_format *format)
{
    return !tensor_format_is_unnamed(format);
}

struct verify_body verify_body_of(const struct query *query)
{
    struct pe_errors errors = {.count = 0};
    struct verify_body body = {.name = ""};

    for (size_t i = 0; i < query->count; i++) {
        const struct query_parameter *at = &query->at[i];
        enum verify_body_word word = verify_body_find(at->name, at->name_len);

        if (word != VERIFY_BODY_WORDS)
            (void)verify_body_set(&body, word, at->value, at->value_len, &errors);
    }
    if (errors.count > 0)
        body.info.rank = 0;
    return body;
}

struct verify_body verify_body_of_text(const char *query, size_t len)
{
    struct pe_errors errors = {.count = 0};
    struct query parsed;

    (void)query_parse(&parsed, query, len, &errors);
    struct verify_body body = verify_body_of(&parsed);
    query_fini(&parsed);
    return body;
}
