/* SPDX-License-Identifier: Apache-2.0
 * verify_claim.c - see verify_claim.h. The encoding decides which other names a claim may have,
 * so it is looked for first: `encoding`, or the only encoding of `model`. */
#include "proto/verify/verify_claim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/request/json_param.h"
#include "proto/request/param_names.h"
#include "proto/text/word.h"
#include "proto/verify/verify_beside.h"
#include "proto/verify/verify_encoding.h"
#include "proto/verify/verify_layout.h"
#include "proto/verify/verify_packed.h"
#include "proto/verify/verify_words.h"

enum { ECHO_MAX = 40 };

struct text {
    const char *text; /* NULL: not given */
    size_t len;
};

/* A claim while it is read: up to two lists of names and values, and an object of a body. */
struct reading {
    const struct verify_source *source;
    struct query text; /* a claim that is the text of a body */
    const struct query *lists[2];
    const struct json_body *body; /* that of the source, or of a claim beside tensors */
    struct json_body_value beside_claim;
    const struct json_body_value *object; /* a claim that is an object of a body; or NULL */
    const struct models *models;          /* those that the claim may name */
    struct text encoding, model, config;
    struct json_body_value config_object; /* a configuration that is an object, if has_object */
    bool has_object;
    const char *other; /* the first name besides these two; NULL: none */
    bool foreign;      /* a name is no part of a claim */
    struct verify_claim *claim;
    struct pe_errors *errors;
};

/* ---- names that are no part of a claim -------------------------------------------------- */

struct foreign {
    const char *name, *why;
};

static const char *why_foreign(const char *name)
{
    static const struct foreign rows[] = {
        {"out", "is no part of a claim: the names of the tensors say it; leave it out"},
        {"dtype", "is no part of a claim: each tensor has its own; leave it out"},
        {"profile", "is no part of a claim: the answer says which profile fits; leave it out"},
        {"format", "has no effect: the answer is always JSON; leave it out"},
        {"data", "has no effect: the answer has no tensors; leave it out"},
        {"pretty", "has no effect: the answer is always on one line; leave it out"},
        {"rev", "has no effect: the current revision is what tensors are compared with; leave "
                "it out"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].why;
    return NULL;
}

/* Refuses a name that an answer has, but no claim; false: it is none. */
static bool is_foreign(const struct pe_encoding *enc, const char *name, size_t len,
                       struct pe_errors *errors)
{
    const struct pe_param *param = param_names_find(enc, name, len);
    const char *why = param ? why_foreign(param->name) : NULL;

    if (why)
        pe_fail(errors, PE_CONFLICT, param->name, "%s", why);
    return why != NULL;
}

/* ---- the words that are read before the encoding is known ------------------------------- */

static void take_encoding(struct reading *reading, const char *text, size_t len)
{
    if (reading->encoding.text)
        pe_fail(reading->errors, PE_REPEATED_PARAMETER, "encoding",
                "is given twice; give it once");
    else
        reading->encoding = (struct text){text, len};
}

/* Takes the configuration, of which there may be one: its text, or (NULL) the object. */
static void take_config(struct reading *reading, const char *text, size_t len,
                        const struct json_body_value *object)
{
    if (reading->config.text || reading->has_object) {
        pe_fail(reading->errors, PE_REPEATED_PARAMETER, "config",
                "is given twice; give it once");
        return;
    }
    reading->config = (struct text){text, len};
    reading->has_object = object != NULL;
    if (object)
        reading->config_object = *object;
}

static void find_words(struct reading *reading, const struct query *list, bool in_query)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct query_parameter *at = &list->at[i];
        enum verify_body_word word = verify_body_find(at->name, at->name_len);

        if (strcmp(at->name, "encoding") == 0)
            take_encoding(reading, at->value, at->value_len);
        else if (word != VERIFY_BODY_WORDS && in_query)
            (void)verify_body_set(&reading->claim->body, word, at->value, at->value_len,
                                  reading->errors);
        else if (strcmp(at->name, "model") == 0)
            reading->model = (struct text){at->value, at->value_len};
        else if (strcmp(at->name, "config") == 0)
            take_config(reading, at->value, at->value_len, NULL);
        else if (!reading->other && !(in_query && verify_words_has(at->name, at->name_len)))
            reading->other = at->name;
    }
}

/* Finds the configuration that is a member of the claim. */
static void find_config(struct reading *reading, const struct json_body_value *value)
{
    if (value->kind == JSON_BODY_OBJECT)
        take_config(reading, NULL, 0, value);
    else if (value->kind == JSON_BODY_STRING)
        take_config(reading, value->text, value->text_len, NULL);
    else
        pe_fail(reading->errors, PE_BAD_VALUE, "#/claim/config",
                "must be the object of a config.json, or its text");
}

static void find_members(struct reading *reading)
{
    const struct json_body *body = reading->body;
    struct json_body_value value;

    for (json_body_walk(body, reading->object, &value); json_body_next(body, &value);) {
        bool text = value.kind == JSON_BODY_STRING;

        if (strcmp(value.name, "encoding") == 0 && text)
            take_encoding(reading, value.text, value.text_len);
        else if (strcmp(value.name, "encoding") == 0)
            pe_fail(reading->errors, PE_BAD_VALUE, "#/claim/encoding", "must be a string");
        else if (strcmp(value.name, "model") == 0 && text)
            reading->model = (struct text){value.text, value.text_len};
        else if (strcmp(value.name, "config") == 0)
            find_config(reading, &value);
        else if (!reading->other)
            reading->other = value.name;
    }
}

/* ---- the configuration ------------------------------------------------------------------ */

/* Finds the configuration beside the claim: as the member "config" of the body, or in the file
 * of the tensors, where a claim is beside it or nothing else says what they are. */
static void find_config_beside(struct reading *reading)
{
    const struct verify_source *source = reading->source;
    const bool says = reading->encoding.text || reading->model.text || reading->config.text;
    const bool is_claimed = source->tensors->claim || (source->takes_config && !says);
    struct json_body_value value;

    if (source->body && json_body_find(source->body, NULL, "config", &value) &&
        value.kind == JSON_BODY_OBJECT)
        take_config(reading, NULL, 0, &value);
    else if (source->tensors->config && is_claimed)
        take_config(reading, source->tensors->config, strlen(source->tensors->config), NULL);
}

/* Reads the configuration, which is the model of the claim from now on. */
static void read_config(struct reading *reading)
{
    struct verify_config *config = &reading->claim->config;
    struct pe_errors *errors = reading->errors;
    bool read;

    if (!reading->config.text && !reading->has_object)
        return;
    if (reading->model.text)
        pe_fail(errors, PE_CONFLICT, "model",
                "has no effect beside config, which says it; give one of them");
    read = reading->has_object ? verify_config_read_object(config, reading->body,
                                                           &reading->config_object, errors)
                               : verify_config_read_text(config, reading->config.text,
                                                         reading->config.len, errors);
    if (!read)
        return;
    reading->models = config->models;
    reading->model = (struct text){VERIFY_CONFIG_MODEL, strlen(VERIFY_CONFIG_MODEL)};
}

/* ---- the encoding ----------------------------------------------------------------------- */

static const struct pe_encoding *refuse_encoding(const struct reading *reading)
{
    const char **names = malloc(pe_count() * sizeof *names);
    const struct text *given = &reading->encoding;

    for (size_t i = 0; names && i < pe_count(); i++)
        names[i] = pe_name(pe_at(i));
    const char *near = names ? pe_suggest(given->text, given->len, names, pe_count()) : NULL;
    pe_fail(reading->errors, PE_BAD_VALUE, "encoding", "must be one of /v1/encodings; got %.*s",
            (int)(given->len == 0 || given->len > ECHO_MAX ? ECHO_MAX : given->len),
            given->len > 0 ? given->text : "nothing");
    if (near)
        pe_hint(reading->errors, "did you mean %s?", near);
    free(names);
    return NULL;
}

static const struct pe_encoding *encoding_of_model(const struct reading *reading)
{
    const struct models *models = reading->models;
    const struct text *given = &reading->model;
    const struct model *model = models_find(models, given->text, given->len);

    if (model)
        return verify_encoding_of_model(reading->source, model, reading->errors);
    models_refuse(models, given->text, given->len, reading->errors);
    return NULL;
}

/* Returns the encoding of the claim; NULL: there is no claim, or a problem. */
static const struct pe_encoding *find_encoding(const struct reading *reading)
{
    if (reading->encoding.text) {
        const struct pe_encoding *enc = pe_find(reading->encoding.text, reading->encoding.len);

        return enc ? enc : refuse_encoding(reading);
    }
    if (reading->model.text)
        return encoding_of_model(reading);
    if (reading->other && !reading->config.text && !reading->has_object)
        pe_fail(reading->errors, PE_MISSING_PARAMETER, "encoding",
                "is required beside %.40s: an id of /v1/encodings, or give model",
                reading->other);
    return NULL;
}

/* ---- the other names -------------------------------------------------------------------- */

static bool is_read_before(const char *name)
{
    return strcmp(name, "encoding") == 0 || strcmp(name, "config") == 0;
}

static void set_list(struct reading *reading, const struct query *list, bool in_query)
{
    struct request *request = reading->claim->request;
    const struct pe_encoding *enc = request_encoding(request);

    for (size_t i = 0; i < list->count; i++) {
        const struct query_parameter *at = &list->at[i];
        const bool of_body =
            in_query && (verify_body_find(at->name, at->name_len) != VERIFY_BODY_WORDS ||
                         verify_words_has(at->name, at->name_len));

        if (of_body || is_read_before(at->name))
            continue;
        if (is_foreign(enc, at->name, at->name_len, reading->errors))
            reading->foreign = true;
        else
            verify_packed_set(request, reading->source->tensors, at, reading->errors);
    }
}

static void set_object(struct reading *reading)
{
    const struct json_body *body = reading->body;
    struct request *request = reading->claim->request;
    struct pe_errors *errors = reading->errors;
    struct json_body_value value;

    for (json_body_walk(body, reading->object, &value); json_body_next(body, &value);) {
        size_t before = errors->count;

        if (is_read_before(value.name))
            continue;
        if (is_foreign(request_encoding(request), value.name, value.name_len, errors)) {
            reading->foreign = true;
            json_param_mark(body, &value, errors, before);
        } else {
            (void)request_set_member(request, body, &value, errors);
        }
    }
}

/* ---- all of it -------------------------------------------------------------------------- */

/* Finds the lists of names: the query, and the claim that a body has, which is a text or an
 * object. */
static void open_lists(struct reading *reading)
{
    const struct json_body_value *claim = reading->source->claim;
    const char *beside = reading->source->tensors->claim;

    reading->lists[0] = reading->source->query;
    reading->lists[1] = &reading->text;
    reading->body = reading->source->body;
    if (beside && verify_beside_is_object(beside)) {
        reading->body = reading->claim->beside =
            verify_beside_read(beside, &reading->beside_claim, reading->errors);
        reading->object = reading->body ? &reading->beside_claim : NULL;
    } else if (beside) {
        (void)query_parse(&reading->text, beside, strlen(beside), reading->errors);
    }
    if (!claim || claim->kind == JSON_BODY_NULL)
        return;
    if (claim->kind == JSON_BODY_OBJECT)
        reading->object = claim;
    else if (claim->kind == JSON_BODY_STRING)
        (void)query_parse(&reading->text, claim->text, claim->text_len, reading->errors);
    else
        pe_fail(reading->errors, PE_BAD_VALUE, "#/claim",
                "must be a string as \"encoding=rope&dim=128\", or an object");
}

static void set_all(struct reading *reading, const struct pe_encoding *enc)
{
    struct request *request = reading->claim->request = request_new(enc);

    if (!request) {
        pe_fail(reading->errors, PE_NO_MEMORY, NULL, "out of memory");
        return;
    }
    request_set_models(request, reading->models);
    if (reading->claim->config.models)
        (void)request_set_text(request, "model", strlen("model"), reading->model.text,
                               reading->model.len, reading->errors);
    for (size_t i = 0; i < 2; i++)
        set_list(reading, reading->lists[i], i == 0);
    if (reading->object)
        set_object(reading);
}

void verify_claim_set_body(struct verify_source *source, const struct json_body *json,
                           const struct tensor_format *format, struct json_body_value *claim)
{
    source->body = json;
    source->headerless = format && tensor_format_is_headerless(format);
    source->named = json     ? !json_body_is_array(json)
                    : format ? verify_body_is_named(format)
                             : true;
    if (json && json_body_find(json, NULL, "claim", claim))
        source->claim = claim;
}

void verify_claim_read(struct verify_claim *claim, const struct verify_source *source,
                       struct pe_errors *errors)
{
    struct reading reading = {.source = source,
                              .models = source->models,
                              .claim = claim,
                              .errors = errors};

    *claim = (struct verify_claim){.request = NULL};
    open_lists(&reading);
    size_t before = errors->count;
    for (size_t i = 0; i < 2; i++)
        find_words(&reading, reading.lists[i], i == 0);
    if (reading.object)
        find_members(&reading);
    find_config_beside(&reading);
    read_config(&reading);
    verify_body_check(&claim->body, source->headerless, source->named, source->body != NULL,
                      errors);
    bool clear = errors->count == before;
    const struct pe_encoding *enc = find_encoding(&reading);
    if (enc)
        set_all(&reading, enc);
    if (claim->request) {
        verify_layout_set(claim->request, reading.models, source->tensors);
        claim->complete =
            request_expand(claim->request, errors) == PE_OK && clear && !reading.foreign;
    }
    query_fini(&reading.text);
}
