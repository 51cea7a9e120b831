/* SPDX-License-Identifier: Apache-2.0
 * request_rows.c - rows of requests (proto_row.h). "rope?dim=4 {"pos": 2}" has a query and a
 * body, which may be tensors (tensor_text.h); "limited rope?..." is made under limits of 1000
 * elements, 100 of them as text. The claims are
 *
 *     refused: dim must be an even number
 *     problem: invalid-parameter    the slug of the kind of all problems
 *     statuses: out-of-range        the status of each problem
 *     equals: rope?dim=4&pos=2      the canonical form and the tag of the other request
 *     canonical: /v1/rope?...       the canonical form, whole
 *     canonical has: &dim=4         or a part of it
 *     canonical lacks: pretty       or what is not in it
 *     answer: a,b | 1,2             the response, its lines joined by " | "
 *     answer has: "data":[1,2]
 *     header Posenc-Shape: 4,4      or "none"
 *     held: 16                      the bytes of the tensors in the body, or "none" */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "proto/http/problem.h"
#include "tests/proto/support/ask.h"
#include "tests/proto/support/proto_row.h"
#include "tests/support/core_row.h"

static const struct request_limits few = {
    .max_elements = 1000, .max_text_elements = 100, .max_prepared = 1000};

/* Writes the problems as the row claims them: their kind, their statuses or their sentences. */
static void write_problems(struct buffer *out, const struct pe_errors *errors,
                           const struct row *row)
{
    if (strcmp(row->claim, "problem") == 0) {
        buffer_add_text(out, problem_slug(problem_kind_of(errors)));
    } else if (strcmp(row->claim, "statuses") == 0) {
        for (size_t i = 0; i < errors->count; i++)
            buffer_add_format(out, "%s%s", i == 0 ? "" : " ",
                              core_row_status(errors->at[i].status));
    } else {
        proto_row_write_errors(out, errors);
    }
}

/* Makes the request of "rope?pos=0:2 {"dim": 4}"; returns false after writing its problems. */
static bool make(struct buffer *out, struct ask *ask, const char *input, const struct row *row,
                 const struct request_limits *limits)
{
    char *text = strdup(input), *body = strchr(text, ' '), *query;

    if (body)
        *body++ = '\0';
    query = strchr(text, '?');
    if (query)
        *query++ = '\0';
    ask_under(ask, text, query, body, limits);
    free(text);
    if (ask->status == PE_OK)
        return true;
    ck_assert_int_eq(ask->status, ask->errors.at[0].status);
    ck_assert_ptr_null(ask->plan);
    write_problems(out, &ask->errors, row);
    ask_free(ask);
    return false;
}

static void refused(struct buffer *out, const char *input, const struct row *row)
{
    struct ask ask;

    if (!make(out, &ask, input, row, &ask_generous))
        return;
    buffer_add_text(out, "nothing");
    ask_free(&ask);
}

static void refused_limited(struct buffer *out, const char *input, const struct row *row)
{
    struct ask ask;

    if (!make(out, &ask, input, row, &few))
        return;
    buffer_add_text(out, "nothing");
    ask_free(&ask);
}

static void equals(struct buffer *out, const char *input, const struct row *row)
{
    struct ask one, other;

    if (!make(out, &one, input, row, &ask_generous))
        return;
    if (make(out, &other, row->text, row, &ask_generous)) {
        const char *form = request_canonical(one.request, NULL);
        bool same = strcmp(form, request_canonical(other.request, NULL)) == 0 &&
                    strcmp(request_etag(one.request, CONTENT_CODING_IDENTITY),
                           request_etag(other.request, CONTENT_CODING_IDENTITY)) == 0;

        buffer_add_text(out, same ? row->text : form);
        ask_free(&other);
    }
    ask_free(&one);
}

/* The canonical form is a request whose canonical form is the same. */
static void canonical(struct buffer *out, const char *input, const struct row *row)
{
    struct ask ask, again;

    if (!make(out, &ask, input, row, &ask_generous))
        return;
    const char *form = request_canonical(ask.request, NULL);
    bool holds;

    ask_url(&again, form);
    ck_assert_str_eq(request_canonical(again.request, NULL), form);
    ask_free(&again);
    holds = (strcmp(row->claim, "canonical has") == 0 && strstr(form, row->text)) ||
            (strcmp(row->claim, "canonical lacks") == 0 && !strstr(form, row->text));

    buffer_add_text(out, holds ? row->text : form);
    ask_free(&ask);
}

static void answer(struct buffer *out, const char *input, const struct row *row)
{
    struct ask ask;
    size_t len;

    if (!make(out, &ask, input, row, &ask_generous))
        return;
    char *bytes = ask_read(&ask, 1 << 16, &len);
    bool part = strcmp(row->claim, "answer has") == 0 && strstr(bytes, row->text);

    buffer_add_text(out, part ? row->text : "");
    for (size_t i = 0; i < len && !part; i++)
        if (bytes[i] != '\n')
            buffer_add(out, &bytes[i], 1);
        else if (i + 1 < len)
            buffer_add_text(out, " | ");
    if (len == 0 || bytes[len - 1] != '\n')
        buffer_add_text(out, " without a line end");
    free(bytes);
    ask_free(&ask);
}

static void header(struct buffer *out, const char *input, const struct row *row)
{
    struct ask ask;
    char value[ASK_HEADER_MAX];

    if (!make(out, &ask, input, row, &ask_generous))
        return;
    ask_header(&ask, row->claim + strlen("header "), value);
    buffer_add_text(out, value[0] ? value : "none");
    ask_free(&ask);
}

static void held(struct buffer *out, const char *input, const struct row *row)
{
    struct ask ask;

    if (!make(out, &ask, input, row, &ask_generous))
        return;
    if (request_has_tensors(ask.request))
        buffer_add_integer(out, request_held(ask.request));
    else
        buffer_add_text(out, "none");
    ask_free(&ask);
}

const struct proto_row_kind proto_row_requests[] = {
    {"limited", "refused", refused_limited},
    {"limited", "problem", refused_limited},
    {"", "refused", refused},
    {"", "problem", refused},
    {"", "statuses", refused},
    {"", "equals", equals},
    {"", "canonical", canonical},
    {"", "canonical has", canonical},
    {"", "canonical lacks", canonical},
    {"", "answer", answer},
    {"", "answer has", answer},
    {"", "header ", header},
    {"", "held", held},
    {NULL, NULL, NULL},
};
