/* SPDX-License-Identifier: Apache-2.0
 * batch_body.c - see batch_body.h. */
#include "proto/batch/batch_body.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/http/endpoint.h"
#include "proto/http/format.h"
#include "proto/request/request.h"

enum { SHOWN = 60 }; /* bytes of the client's text that an error repeats */

/* The reading of one body. */
struct reading {
    struct batch_body *body;
    const char *base;
    struct pe_errors *errors;
};

static void refuse(const struct reading *reading, enum pe_status status,
                   const struct json_body_value *value, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void refuse(const struct reading *reading, enum pe_status status,
                   const struct json_body_value *value, const char *format, ...)
{
    char pointer[JSON_BODY_POINTER_SIZE], sentence[sizeof reading->errors->at[0].detail];
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    json_body_pointer(reading->body->json, value, JSON_BODY_NO_ITEM, pointer);
    pe_fail(reading->errors, status, pointer, "%s", sentence);
}

/* ---- members of a request ------------------------------------------------------------- */

/* A path of an encoding or of its /apply, with its query. */
static bool find_path(struct batch_item *item, const char *path, size_t len)
{
    const char *mark = memchr(path, '?', len), *segment;
    size_t segment_len, path_len = mark ? (size_t)(mark - path) : len;
    const struct endpoint *endpoint = endpoint_find(path, path_len, &segment, &segment_len);

    if (!endpoint || (endpoint->id != ENDPOINT_ENCODING && endpoint->id != ENDPOINT_APPLY))
        return false;
    item->enc = pe_find(segment, segment_len);
    item->query = mark ? mark + 1 : path + len;
    item->query_len = mark ? len - path_len - 1 : 0;
    return item->enc != NULL;
}

static void refuse_path(const struct reading *reading, const struct json_body_value *value)
{
    size_t skip = strlen(reading->base);
    const bool based = strncmp(value->text, reading->base, skip) == 0;
    char near[128];
    const char *suggestion = NULL;

    refuse(reading, PE_BAD_VALUE, value,
           "must be the path of a GET of %s/v1/{encoding} or its /apply, with its query; got "
           "%.*s",
           reading->base, SHOWN, value->text);
    if (based) {
        const char *path = value->text + skip;
        const size_t len = strcspn(path, "?");

        if (!endpoint_find(path, len, NULL, NULL))
            suggestion = endpoint_suggest(path, len, near);
    }
    if (suggestion)
        pe_hint(reading->errors, "did you mean %s%s?", reading->base, suggestion);
}

static void read_path(const struct reading *reading, struct batch_item *item,
                      const struct json_body_value *value)
{
    size_t skip = strlen(reading->base);

    if (value->kind != JSON_BODY_STRING)
        refuse(reading, PE_BAD_VALUE, value,
               "must be a text, the path of a GET of %s/v1/{encoding} with its query",
               reading->base);
    else if (value->text_len > BATCH_PATH_MAX)
        refuse(reading, PE_TOO_LARGE, value,
               "is longer than %d bytes, the longest path of a GET; send encoding and params",
               BATCH_PATH_MAX);
    else if (strncmp(value->text, reading->base, skip) != 0 ||
             !find_path(item, value->text + skip, value->text_len - skip))
        refuse_path(reading, value);
}

static void read_encoding(const struct reading *reading, struct batch_item *item,
                          const struct json_body_value *value)
{
    const bool text = value->kind == JSON_BODY_STRING;
    char path[SHOWN + 8], near[128];

    item->enc = text ? pe_find(value->text, value->text_len) : NULL;
    if (item->enc)
        return;
    refuse(reading, PE_BAD_VALUE, value,
           "must be the name of an encoding, or with /apply, as /v1/encodings lists them; got "
           "%.*s",
           SHOWN, text ? value->text : "no text");
    if (text && value->text_len <= SHOWN) {
        snprintf(path, sizeof path, "/v1/%s", value->text);
        const char *suggestion = endpoint_suggest(path, strlen(path), near);
        if (suggestion && strncmp(suggestion, "/v1/", 4) == 0)
            pe_hint(reading->errors, "did you mean %.*s?", (int)strcspn(suggestion + 4, "?"),
                    suggestion + 4);
    }
}

static void read_params(const struct reading *reading, struct batch_item *item,
                        const struct json_body_value *value)
{
    item->has_params = true;
    item->params = *value;
    item->params.base = value->depth; /* its members have pointers as in a body of their own */
    if (value->kind != JSON_BODY_OBJECT)
        refuse(reading, PE_BAD_VALUE, value,
               "must be an object of parameters, as the body of a POST of /v1/{encoding}");
}

/* An id begins with a letter or "_", so that it is no index of a request. */
static bool is_id(const char *text, size_t len)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                 "0123456789.-";

    return len > 0 && len <= BATCH_ID_MAX && strchr(letters, *text) &&
           strspn(text, others) == len && strcmp(text, "__metadata__") != 0;
}

static void read_id(const struct reading *reading, struct batch_item *item,
                    const struct json_body_value *value)
{
    if (value->kind == JSON_BODY_STRING && is_id(value->text, value->text_len))
        item->id = value->text;
    else
        refuse(reading, PE_BAD_VALUE, value,
               "must be a name of 1 to %d letters, digits, \".\", \"_\" and \"-\" that begins "
               "with a letter or \"_\"",
               BATCH_ID_MAX);
}

enum member { PATH, ENCODING, PARAMS, ID, MEMBERS };

static const struct {
    const char *name;
    void (*read)(const struct reading *reading, struct batch_item *item,
                 const struct json_body_value *value);
} members[MEMBERS] = {
    [PATH] = {"path", read_path},
    [ENCODING] = {"encoding", read_encoding},
    [PARAMS] = {"params", read_params},
    [ID] = {"id", read_id},
};

/* Refuses members that do not go together. */
static void check_members(const struct reading *reading, const struct json_body_value *object,
                          const struct json_body_value found[MEMBERS])
{
    const bool path = found[PATH].name != NULL;

    if (!path && !found[ENCODING].name)
        refuse(
            reading, PE_MISSING_PARAMETER, object,
            "must have a path, as {\"path\": \"%s/v1/{encoding}?pos=0:4\"}, or an encoding, as "
            "{\"encoding\": ..., \"params\": {\"pos\": \"0:4\"}}",
            reading->base);
    for (enum member i = ENCODING; path && i <= PARAMS; i++)
        if (found[i].name)
            refuse(reading, PE_CONFLICT, &found[i],
                   "has no effect beside path; give path alone, or encoding and params");
}

static void read_item(const struct reading *reading, struct batch_item *item,
                      const struct json_body_value *object)
{
    struct json_body_value value, found[MEMBERS] = {{.name = NULL}};

    for (json_body_walk(reading->body->json, object, &value);
         json_body_next(reading->body->json, &value);) {
        size_t i = 0;

        while (i < MEMBERS && strcmp(members[i].name, value.name) != 0)
            i++;
        if (i == MEMBERS) {
            refuse(reading, PE_UNKNOWN_PARAMETER, &value,
                   "is unknown: a request has a path, or an encoding and params, and perhaps "
                   "an id");
            continue;
        }
        found[i] = value;
        members[i].read(reading, item, &value);
    }
    check_members(reading, object, found);
}

/* ---- the list ------------------------------------------------------------------------- */

static int compare_ids(const void *one, const void *other)
{
    const struct batch_item *a = *(const struct batch_item *const *)one,
                            *b = *(const struct batch_item *const *)other;
    const int order = strcmp(a->id, b->id);

    return order != 0 ? order : (a > b) - (a < b);
}

/* Refuses an id that an earlier request has. */
static enum pe_status check_ids(const struct reading *reading)
{
    struct batch_body *body = reading->body;
    const struct batch_item **named = malloc(body->count * sizeof *named);
    size_t count = 0;

    if (!named)
        return pe_fail(reading->errors, PE_NO_MEMORY, NULL, "out of memory");
    for (size_t i = 0; i < body->count; i++)
        if (body->items[i].id)
            named[count++] = &body->items[i];
    qsort(named, count, sizeof *named, compare_ids);
    for (size_t i = 1; i < count; i++) {
        char pointer[48];

        if (strcmp(named[i - 1]->id, named[i]->id) != 0)
            continue;
        snprintf(pointer, sizeof pointer, "#/requests/%td/id", named[i] - body->items);
        pe_fail(reading->errors, PE_REPEATED_PARAMETER, pointer,
                "is the id of request %td too; each id is given once",
                named[i - 1] - body->items);
    }
    free(named);
    return PE_OK;
}

static enum pe_status read_list(const struct reading *reading,
                                const struct json_body_value *list)
{
    struct batch_body *body = reading->body;
    struct json_body_value object;
    size_t objects = 0;

    body->count = json_body_item_count(list);
    if (body->count > BATCH_REQUESTS_MAX) {
        size_t before = reading->errors->count;

        refuse(reading, PE_TOO_LARGE, list, "a batch has at most %d requests; got %zu",
               BATCH_REQUESTS_MAX, body->count);
        if (reading->errors->count > before) {
            reading->errors->at[before].limit = BATCH_REQUESTS_MAX;
            reading->errors->at[before].requested = body->count;
        }
        return PE_TOO_LARGE;
    }
    body->items = calloc(body->count, sizeof *body->items);
    if (!body->items)
        return pe_fail(reading->errors, PE_NO_MEMORY, NULL, "out of memory");
    for (size_t i = 0; i < body->count; i++) {
        char pointer[48];

        if (json_body_item(list, i, &objects, &object)) {
            read_item(reading, &body->items[i], &object);
            continue;
        }
        snprintf(pointer, sizeof pointer, "#/requests/%zu", i);
        pe_fail(reading->errors, PE_BAD_VALUE, pointer,
                "must be an object, {\"path\": ...} or {\"encoding\": ..., \"params\": ...}");
    }
    return check_ids(reading);
}

enum pe_status batch_body_check(struct batch_body *body, const struct json_body *json,
                                const char *base, struct pe_errors *errors)
{
    struct reading reading = {.body = body, .base = base, .errors = errors};
    struct json_body_value value, list = {.name = NULL};
    enum pe_status status = PE_OK;

    *body = (struct batch_body){.json = json};
    for (json_body_walk(json, NULL, &value); json_body_next(json, &value);) {
        if (strcmp(value.name, "requests") == 0)
            list = value;
        else
            refuse(&reading, PE_UNKNOWN_PARAMETER, &value,
                   "is unknown: a batch has requests and nothing else");
    }
    if (!list.name)
        pe_fail(errors, PE_MISSING_PARAMETER, "#/requests",
                "is missing: it is an array of requests, as [{\"path\": "
                "\"%s/v1/{encoding}?pos=0:4\"}]",
                base);
    else if (json_body_item_count(&list) == 0)
        refuse(&reading, PE_BAD_VALUE, &list,
               "must be an array of 1 to %d requests, as [{\"path\": "
               "\"%s/v1/{encoding}?pos=0:4\"}]",
               BATCH_REQUESTS_MAX, base);
    else
        status = read_list(&reading, &list);
    if (status == PE_NO_MEMORY)
        return status;
    return errors->count > 0 ? errors->at[0].status : PE_OK;
}

void batch_body_fini(struct batch_body *body)
{
    free(body->items);
    *body = (struct batch_body){0};
}

/* ---- one request ---------------------------------------------------------------------- */

size_t batch_body_number_bytes(const struct batch_body *body, size_t i)
{
    const struct batch_item *item = &body->items[i];
    struct json_body_value value;
    size_t bytes = 0;

    if (!item->has_params)
        return bytes;
    for (json_body_walk(body->json, &item->params, &value);
         json_body_next(body->json, &value);) {
        struct json_body_value part;

        bytes += value.rows * value.cols * sizeof(double) + value.text_len;
        if (value.kind != JSON_BODY_OBJECT)
            continue;
        for (json_body_walk(body->json, &value, &part); json_body_next(body->json, &part);)
            bytes += part.rows * part.cols * sizeof(double);
    }
    return bytes;
}

void batch_body_print_place(size_t i, char text[BATCH_PLACE_SIZE])
{
    snprintf(text, BATCH_PLACE_SIZE, "#/requests/%zu/params", i);
}

/* All answers of a batch have one format. */
static void check_format(const struct request *request, const struct format *format,
                         struct pe_errors *errors)
{
    const struct option_values *values = &request_options(request)->values;

    if (values->given[OPTION_FORMAT] &&
        format_at((size_t)values->value[OPTION_FORMAT]) != format)
        pe_fail(errors, PE_CONFLICT, "format",
                "must be %s, the format of the whole batch; leave it out, and give the batch "
                "another by its own format= or Accept",
                format->name);
}

enum pe_status batch_body_read(const struct batch_body *body, size_t i,
                               const struct batch_context *context, struct request **made,
                               struct pe_errors *errors)
{
    const struct batch_item *item = &body->items[i];
    const char *accept = context->format->media_type;
    struct request *request = request_new(item->enc);
    enum pe_status status = PE_OK;

    *made = request;
    if (!request)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    request_set_models(request, context->models);
    request_set_tables(request, context->tables);
    if (item->query)
        status = request_set_query(request, item->query, item->query_len, errors);
    else if (item->has_params)
        status = request_set_object(request, body->json, &item->params, errors);
    if (status != PE_NO_MEMORY) {
        check_format(request, context->format, errors);
        status = request_finish(request, accept, strlen(accept), errors);
    }
    request_set_tables(request, NULL);
    return status;
}
