/* SPDX-License-Identifier: Apache-2.0
 * ask.c - makes requests from text to response, as a server would. */
#include "tests/proto/support/ask.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"
#include "proto/text/json_body.h"
#include "tests/proto/support/tensor_text.h"
#include "tests/support/core_vectors.h"

const struct request_limits ask_generous = {
    .max_elements = 1 << 24, .max_text_elements = 1 << 22, .max_prepared = 1 << 22};

static void run(struct ask *ask, const char *encoding, const char *query, const char *accept,
                const char *text, const struct request_limits *limits)
{
    const struct pe_encoding *enc = strcmp(encoding, pe_name(&core_vectors)) == 0
                                        ? &core_vectors
                                        : pe_find(encoding, strlen(encoding));
    struct json_body *body = NULL;

    ck_assert_ptr_nonnull(enc);
    *ask = (struct ask){.request = request_new(enc)};
    ck_assert_ptr_nonnull(ask->request);
    if (query)
        request_set_query(ask->request, query, strlen(query), &ask->errors);
    if (text && *text != '{') {
        ask->status = PE_BAD_VALUE;
        if (!tensor_text_give(ask->request, query, text, &ask->errors))
            return;
    } else if (text) {
        body = json_body_new(16 << 20);
        ck_assert_ptr_nonnull(body);
        ck_assert_int_eq(json_body_add(body, text, strlen(text)), JSON_BODY_OK);
        ck_assert_int_eq(json_body_finish(body), JSON_BODY_OK);
        request_set_json(ask->request, body, &ask->errors);
    }
    ask->status =
        request_finish(ask->request, accept, !accept ? 0 : strlen(accept), &ask->errors);
    json_body_free(body);
    if (ask->status == PE_OK && request_options(ask->request)->format)
        ask->status = request_plan(ask->request, &ask->plan, NULL, limits, &ask->errors);
    if (ask->plan) {
        ask->encoder = encoder_new(ask->request, ask->plan);
        ck_assert_ptr_nonnull(ask->encoder);
    }
}

void ask_query(struct ask *ask, const char *encoding, const char *query, const char *accept)
{
    run(ask, encoding, query, accept, NULL, &ask_generous);
}

void ask_body(struct ask *ask, const char *encoding, const char *query, const char *body)
{
    run(ask, encoding, query, NULL, body, &ask_generous);
}

void ask_under(struct ask *ask, const char *encoding, const char *query, const char *body,
               const struct request_limits *limits)
{
    run(ask, encoding, query, NULL, body, limits);
}

void ask_url(struct ask *ask, const char *url)
{
    char name[64];
    const char *mark = strchr(url, '?');

    ck_assert(strncmp(url, "/v1/", 4) == 0 && mark);
    snprintf(name, sizeof name, "%.*s", (int)(mark - url - 4), url + 4);
    ask_query(ask, name, mark + 1, NULL);
}

void ask_free(struct ask *ask)
{
    encoder_free(ask->encoder);
    pe_plan_free(ask->plan);
    request_free(ask->request);
}

char *ask_read(struct ask *ask, size_t space, size_t *len)
{
    struct buffer text = {0};
    size_t got;

    ck_assert_msg(ask->encoder != NULL, "%s: %s",
                  ask->errors.count > 0 ? ask->errors.at[0].parameter : "",
                  ask->errors.count > 0 ? ask->errors.at[0].detail : "no encoder");
    do {
        char *out = buffer_reserve(&text, space);

        ck_assert_ptr_nonnull(out);
        got = encoder_read(ask->encoder, out, space);
        ck_assert_uint_le(got, space);
        buffer_advance(&text, got);
    } while (got > 0);
    buffer_add(&text, "", 1);
    char *bytes = buffer_take(&text, len);
    ck_assert_ptr_nonnull(bytes);
    (*len)--;
    return bytes;
}

char *ask_answer(const char *encoding, const char *query, size_t *len)
{
    struct ask ask;

    ask_query(&ask, encoding, query, NULL);
    char *bytes = ask_read(&ask, 1 << 16, len);
    ask_free(&ask);
    return bytes;
}

json_t *ask_json(const char *encoding, const char *query)
{
    size_t len;
    json_error_t error;
    char *bytes = ask_answer(encoding, query, &len);
    json_t *document = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, &error);

    ck_assert_msg(document != NULL, "%s at %d: %s", error.text, error.position, bytes);
    free(bytes);
    return document;
}

char *ask_text(const json_t *node)
{
    size_t size = json_dumpb(node, NULL, 0, 0);
    char *text = malloc(size + 1);

    ck_assert(size > 0 && text);
    ck_assert_uint_eq(json_dumpb(node, text, size, 0), size);
    text[size] = '\0';
    return text;
}

const char *ask_header(const struct ask *ask, const char *name, char value[ASK_HEADER_MAX])
{
    struct buffer lines = {0};

    value[0] = '\0';
    encoder_write_headers(ask->encoder, &lines);
    ck_assert(!lines.failed);
    for (char *line = lines.bytes, *end; *line != '\0'; line = end + 1) {
        size_t len = strlen(name);

        end = strchr(line, '\n');
        ck_assert_ptr_nonnull(end);
        if (strncmp(line, name, len) == 0 && strncmp(line + len, ": ", 2) == 0)
            snprintf(value, ASK_HEADER_MAX, "%.*s", (int)(end - line - (ptrdiff_t)len - 2),
                     line + len + 2);
    }
    buffer_fini(&lines);
    return value;
}

const char *ask_body_problem(const char *encoding, const char *query, const char *body,
                             char text[512])
{
    struct ask ask;

    ask_body(&ask, encoding, query, body);
    ck_assert_ptr_null(ask.plan);
    ck_assert_msg(ask.errors.count == 1, "%s %s: %zu problems, the first: %s %s",
                  !query ? "" : query, !body ? "" : body, ask.errors.count,
                  ask.errors.at[0].parameter, ask.errors.at[0].detail);
    const struct pe_problem *only = &ask.errors.at[0];
    ck_assert_int_eq(ask.status, only->status);
    snprintf(text, 512, "%s%s%s%s%s", only->parameter, only->parameter[0] == '\0' ? "" : ": ",
             only->detail, only->hint[0] == '\0' ? "" : " / ", only->hint);
    ask_free(&ask);
    return text;
}
