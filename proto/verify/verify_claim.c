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
#include "proto/verify/verify_layout.h"
#include "proto/verify/verify_packed.h"
#include "proto/verify/verify_words.h"

enum { ECHO_MAX = 40, ENCODINGS_MAX = 16, NAMES_SIZE = 200 };

struct text {
    const char *text; /* NULL: not given */
    size_t len;
};

/* A claim while it is read: up to two lists of names and values, and an object of a body. */
struct reading {
    const struct verify_source *source;
    struct query text; /* a claim that is the text of a body */
    const struct query *lists[2];
    const struct json_body_value *object; /* a claim that is an object of a body; or NULL */
    struct text encoding, model;
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
        else if (!reading->other && !(in_query && verify_words_has(at->name, at->name_len)))
            reading->other = at->name;
    }
}

static void find_members(struct reading *reading)
{
    const struct json_body *body = reading->source->body;
    struct json_body_value value;

    for (json_body_walk(body, reading->object, &value); json_body_next(body, &value);) {
        bool text = value.kind == JSON_BODY_STRING;

        if (strcmp(value.name, "encoding") == 0 && text)
            take_encoding(reading, value.text, value.text_len);
        else if (strcmp(value.name, "encoding") == 0)
            pe_fail(reading->errors, PE_BAD_VALUE, "#/claim/encoding", "must be a string");
        else if (strcmp(value.name, "model") == 0 && text)
            reading->model = (struct text){value.text, value.text_len};
        else if (!reading->other)
            reading->other = value.name;
    }
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

/* Returns "/apply" of the encoding if a tensor is one of its vectors, else the encoding. */
static const struct pe_encoding *with_vectors(const struct reading *reading,
                                              const struct pe_encoding *enc)
{
    const struct tensor_set *set = reading->source->tensors;
    char name[64];
    int len = snprintf(name, sizeof name, "%s/apply", pe_name(enc));
    const struct pe_encoding *apply = pe_find(name, (size_t)len);

    for (size_t i = 0; apply && i < set->count; i++) {
        const struct pe_param *param = tensor_param(apply, set->at[i].name);

        if (param && param->type == PE_TENSOR)
            return apply;
    }
    return enc;
}

/* The encodings of a model, each once. */
struct encodings {
    const struct pe_encoding *at[ENCODINGS_MAX];
    size_t count;
};

static struct encodings encodings_of(const struct model *model)
{
    struct encodings found = {.count = 0};

    for (size_t i = 0; i < model->use_count && found.count < ENCODINGS_MAX; i++) {
        const char *name = model->uses[i].encoding;
        const struct pe_encoding *enc = name ? pe_find(name, strlen(name)) : NULL;
        size_t j = 0;

        while (j < found.count && found.at[j] != enc)
            j++;
        if (enc && j == found.count)
            found.at[found.count++] = enc;
    }
    return found;
}

/* Returns whether a tensor of the body has the name of an output of the encoding. */
static bool has_tensor(const struct reading *reading, const struct pe_encoding *enc)
{
    const struct tensor_set *tensors = reading->source->tensors;
    size_t count;
    const struct pe_output *output = pe_outputs(with_vectors(reading, enc), &count);

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; reading->source->named && j < tensors->count; j++)
            if (strcmp(output[i].name, tensors->at[j].name) == 0)
                return true;
    return false;
}

/* Returns whether the encoding is about positions, neither a mask nor a factor of scores. */
static bool is_positional(const struct reading *reading, const struct pe_encoding *enc)
{
    size_t count;
    const struct pe_param *param = pe_params(enc, &count);

    (void)reading;
    for (size_t i = 0; i < count && pe_family_of(enc) != PE_MASK; i++)
        if (pe_param_group(&param[i]) == PE_GROUP_POSITIONS)
            return true;
    return false;
}

/* Keeps the encodings of which the test holds, if it holds of any. */
static void narrow(const struct reading *reading, struct encodings *found,
                   bool (*test)(const struct reading *, const struct pe_encoding *))
{
    struct encodings kept = {.count = 0};

    for (size_t i = 0; i < found->count; i++)
        if (test(reading, found->at[i]))
            kept.at[kept.count++] = found->at[i];
    if (kept.count > 0)
        *found = kept;
}

static void refuse_several(const struct reading *reading, const struct model *model,
                           const struct encodings *found)
{
    char names[NAMES_SIZE] = "";
    size_t used = 0;

    for (size_t i = 0; i < found->count && used < NAMES_SIZE; i++)
        used += (size_t)snprintf(names + used, NAMES_SIZE - used, "%s%s", i > 0 ? ", " : "",
                                 pe_name(found->at[i]));
    pe_fail(reading->errors, PE_MISSING_PARAMETER, "encoding",
            "is required: %s has several; give one of %s", model->id, names);
}

static const struct pe_encoding *encoding_of_model(const struct reading *reading)
{
    const struct models *models = reading->source->models;
    const struct text *given = &reading->model;
    const struct model *model = models_find(models, given->text, given->len);

    if (!model) {
        models_refuse(models, given->text, given->len, reading->errors);
        return NULL;
    }
    struct encodings found = encodings_of(model);
    if (found.count > 1)
        narrow(reading, &found, has_tensor);
    if (found.count > 1)
        narrow(reading, &found, is_positional);
    if (found.count == 1)
        return with_vectors(reading, found.at[0]);
    if (found.count == 0)
        pe_fail(reading->errors, PE_CONFLICT, "model", "%s has no positional encoding",
                model->id);
    else
        refuse_several(reading, model, &found);
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
    if (reading->other)
        pe_fail(reading->errors, PE_MISSING_PARAMETER, "encoding",
                "is required beside %.40s: an id of /v1/encodings, or give model",
                reading->other);
    return NULL;
}

/* ---- the other names -------------------------------------------------------------------- */

static void set_list(struct reading *reading, const struct query *list, bool in_query)
{
    struct request *request = reading->claim->request;
    const struct pe_encoding *enc = request_encoding(request);

    for (size_t i = 0; i < list->count; i++) {
        const struct query_parameter *at = &list->at[i];
        const bool of_body =
            in_query && (verify_body_find(at->name, at->name_len) != VERIFY_BODY_WORDS ||
                         verify_words_has(at->name, at->name_len));

        if (of_body || strcmp(at->name, "encoding") == 0)
            continue;
        if (is_foreign(enc, at->name, at->name_len, reading->errors))
            reading->foreign = true;
        else
            verify_packed_set(request, reading->source->tensors, at, reading->errors);
    }
}

static void set_object(struct reading *reading)
{
    const struct json_body *body = reading->source->body;
    struct request *request = reading->claim->request;
    struct pe_errors *errors = reading->errors;
    struct json_body_value value;

    for (json_body_walk(body, reading->object, &value); json_body_next(body, &value);) {
        size_t before = errors->count;

        if (strcmp(value.name, "encoding") == 0)
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

/* Finds the lists of names: the query, and the body's claim, which is a text or an object. */
static void open_lists(struct reading *reading)
{
    const struct json_body_value *claim = reading->source->claim;

    reading->lists[0] = reading->source->query;
    reading->lists[1] = &reading->text;
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
    request_set_models(request, reading->source->models);
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
    struct reading reading = {.source = source, .claim = claim, .errors = errors};

    *claim = (struct verify_claim){.request = NULL};
    open_lists(&reading);
    size_t before = errors->count;
    for (size_t i = 0; i < 2; i++)
        find_words(&reading, reading.lists[i], i == 0);
    if (reading.object)
        find_members(&reading);
    verify_body_check(&claim->body, source->headerless, source->named, source->body != NULL,
                      errors);
    bool clear = errors->count == before;
    const struct pe_encoding *enc = find_encoding(&reading);
    if (enc)
        set_all(&reading, enc);
    if (claim->request) {
        verify_layout_set(claim->request, source->models, source->tensors);
        claim->complete =
            request_expand(claim->request, errors) == PE_OK && clear && !reading.foreign;
    }
    query_fini(&reading.text);
}
