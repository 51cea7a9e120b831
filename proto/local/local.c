/* SPDX-License-Identifier: Apache-2.0
 * local.c - see local.h. Finds the endpoint of the path, has it answered, and writes what is
 * wrong as the service writes it. */
#include "proto/local/local.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/http/format.h"
#include "proto/http/sentences.h"
#include "proto/local/local_state.h"

/* ---- problems ------------------------------------------------------------------------ */

void local_fail(struct local *local, enum problem_kind kind, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(local->detail, sizeof local->detail, format, args);
    va_end(args);
    local->kind = kind;
}

void local_fail_status(struct local *local, enum pe_status status)
{
    if (status == PE_NO_MEMORY) {
        local_fail(local, PROBLEM_OVERLOADED, SENTENCE_NO_MEMORY);
        return;
    }
    local->kind = problem_kind_of(&local->errors);
    local->with_errors = true;
}

int local_path_shown(const struct local *local)
{
    return (int)(local->asked->path_len < 100 ? local->asked->path_len : 100);
}

bool local_refuses_query(struct local *local)
{
    if (!local->asked->query || local->asked->query_len == 0)
        return false;
    local_fail(local, PROBLEM_UNKNOWN_PARAMETER, SENTENCE_NO_PARAMETERS,
               local_path_shown(local), local->asked->path);
    return true;
}

void local_fail_format(struct local *local, const struct format *const *formats, size_t count)
{
    local->formats = formats;
    local->format_count = count;
    local_fail(local, PROBLEM_NOT_ACCEPTABLE, SENTENCE_NO_FORMAT);
}

static void write_problem(struct local *local)
{
    enum { FORMATS_MAX = 16 };
    const char *available[FORMATS_MAX + 1] = {NULL};
    struct problem problem = {.kind = local->kind,
                              .detail = local->detail[0] ? local->detail : NULL,
                              .base = "",
                              .available = local->formats ? available : NULL,
                              .entries = local->entries,
                              .errors = local->with_errors ? &local->errors : NULL};

    for (size_t i = 0; i < local->format_count && i < FORMATS_MAX; i++)
        available[i] = local->formats[i]->media_type;
    local->answer->status = problem_status(local->kind);
    local->answer->type = PROBLEM_MEDIA_TYPE;
    buffer_fini(&local->answer->headers);
    buffer_fini(&local->answer->body);
    problem_write(&local->answer->body, &problem);
}

/* ---- the way of a request ------------------------------------------------------------ */

/* The endpoints that need no running service. */
static const struct {
    void (*answer)(struct local *local);
    local_read_json *read_json;
} rows[ENDPOINT_COUNT] = {
#define LOCAL(ENDPOINT, ANSWER, READ_JSON) [ENDPOINT_##ENDPOINT] = {ANSWER, READ_JSON},
#include "proto/local/answers.def"
#undef LOCAL
};

static void fail_nothing_there(struct local *local)
{
    char near[128];
    const char *found = endpoint_suggest(local->asked->path, local->asked->path_len, near);

    local_fail(local, PROBLEM_NOT_FOUND, SENTENCE_NOTHING_THERE, local_path_shown(local),
               local->asked->path, found ? "; did you mean " : "; see ", "",
               found ? found : "/v1/encodings", found ? "?" : "");
}

static void answer(struct local *local)
{
    const struct endpoint *endpoint = endpoint_find(local->asked->path, local->asked->path_len,
                                                    &local->segment, &local->segment_len);

    if (!endpoint)
        fail_nothing_there(local);
    else if (!rows[endpoint->id].answer)
        local_fail(local, PROBLEM_NOT_FOUND,
                   "%s is answered by a running posencd alone; the library in this process has "
                   "the encodings, models and verify",
                   endpoint->path);
    else if (!(endpoint->methods & (unsigned)local->asked->method))
        local_fail(local, PROBLEM_METHOD_NOT_ALLOWED, SENTENCE_NO_METHOD, endpoint->path);
    else {
        local->read_json = rows[endpoint->id].read_json;
        rows[endpoint->id].answer(local);
    }
}

bool local_answer(const struct local_request *request, struct local_answer *out)
{
    struct local *local = calloc(1, sizeof *local);

    *out = (struct local_answer){.status = 200, .type = "application/json"};
    if (!local)
        return false;
    local->asked = request;
    local->answer = out;
    local->kind = PROBLEM_COUNT;
    answer(local);
    if (local->kind == PROBLEM_COUNT && (out->body.failed || out->headers.failed))
        local_fail_status(local, PE_NO_MEMORY);
    if (local->kind != PROBLEM_COUNT)
        write_problem(local);
    free(local->entries);
    json_body_free(local->json);
    tensor_set_fini(&local->tensors);
    free(local);
    if (!out->body.failed)
        return true;
    local_answer_fini(out);
    return false;
}

void local_answer_fini(struct local_answer *out)
{
    buffer_fini(&out->headers);
    buffer_fini(&out->body);
    *out = (struct local_answer){0};
}
