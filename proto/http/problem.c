/* SPDX-License-Identifier: Apache-2.0
 * problem.c - writes RFC 9457 bodies from the rows of problems.def, and has advice about each
 * kind of problem. */
#include "proto/http/problem.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "proto/text/json_write.h"

static const struct {
    unsigned status;
    const char *slug, *title;
} rows[PROBLEM_COUNT] = {
#define PROBLEM(ID, STATUS, SLUG, TITLE) [PROBLEM_##ID] = {(STATUS), (SLUG), (TITLE)},
#include "proto/http/problems.def"
#undef PROBLEM
};

/* Advice for the client, by kind of problem: the text of the problem's page. */
static const char *const advice[PROBLEM_COUNT] = {
    [PROBLEM_INVALID_PARAMETER] =
        "One or more parameters have a value that is not allowed. Each entry of \"errors\" "
        "names a parameter and says what would be right; all of them are reported at once. "
        "/v1/encodings/{id} has every parameter's type, range and default.",
    [PROBLEM_UNKNOWN_PARAMETER] =
        "The encoding has no parameter of that name. Unknown names are never ignored, "
        "because a misspelt one would silently give default numbers. The \"hint\" names the "
        "nearest parameter.",
    [PROBLEM_MISSING_PARAMETER] =
        "A wanted output needs a parameter that was not given. Each entry of \"errors\" "
        "names one.",
    [PROBLEM_LIMIT_EXCEEDED] =
        "The answer would be larger than this server allows, or take more operations before "
        "its first byte: \"limit\" and \"requested\" say by how much. Ask for fewer positions, "
        "for several parts, or for a binary format, which has a higher limit. Operations are "
        "counted alike on every machine. /version tells the limits.",
    [PROBLEM_BAD_REQUEST] =
        "The request is not well-formed HTTP, or has more than one meaning. The connection "
        "is closed after such a request.",
    [PROBLEM_MALFORMED_JSON] =
        "The body is not one JSON object (RFC 8259). \"detail\" tells line and column. NaN, "
        "Infinity, comments, trailing commas and repeated names are not JSON.",
    [PROBLEM_INVALID_BODY] =
        "The body is not what its Content-Type says, or holds tensors that are not taken: "
        "\"detail\" tells what would be right. Tensors are f64, f32, f16 or bf16, "
        "little-endian, in C order, and exactly as many bytes as their shapes say.",
    [PROBLEM_UNKNOWN_MODEL] =
        "No model has that name. /v1/models lists those that are known; POST a config.json to "
        "/v1/models/resolve for any other.",
    [PROBLEM_UNAUTHORIZED] =
        "This server answers requests that carry a key from its operator. Send it with every "
        "request, as Authorization: Bearer KEY; never in the URL.",
    [PROBLEM_FORBIDDEN] =
        "The key is valid, but its operator did not give it this path. Ask the operator for a "
        "key that has it.",
    [PROBLEM_UNKNOWN_TABLE] =
        "No stored table has that name. /v1/tables lists those that the service has; a small "
        "table may be written into the request itself, table=1,2;3,5, or sent in its body.",
    [PROBLEM_UNKNOWN_REVISION] =
        "This server has another revision of the encoding than rev asks for: \"revisions\" "
        "lists those that it serves. One server has one revision; while servers of two "
        "versions stand behind one address, another of them may have the wanted one.",
    [PROBLEM_NOT_FOUND] =
        "Nothing has that path. /v1/encodings lists every encoding, /openapi.json every path.",
    [PROBLEM_METHOD_NOT_ALLOWED] =
        "The path exists, but not for that method. The Allow header lists those it has.",
    [PROBLEM_NOT_ACCEPTABLE] =
        "No format fits the Accept header. \"available\" lists the media types; the format "
        "parameter, which beats Accept, chooses one by name.",
    [PROBLEM_BODY_TOO_LARGE] =
        "The body is larger than this server reads. /version tells the limit. The connection "
        "is closed.",
    [PROBLEM_TARGET_TOO_LONG] =
        "The path with its query is longer than 8,192 bytes. Send the same names as a JSON "
        "object with POST or QUERY.",
    [PROBLEM_UNSUPPORTED_MEDIA_TYPE] =
        "A body must be application/json; encodings of vectors or with lists of numbers take "
        "tensors as well: the Accept header lists their types. It may come compressed: "
        "Accept-Encoding lists how.",
    [PROBLEM_RANGE_NOT_SATISFIABLE] =
        "None of the bytes that Range asks for is in the answer; Content-Range says how many "
        "it has.",
    [PROBLEM_EXPECTATION_FAILED] = "The only expectation that is met is 100-continue.",
    [PROBLEM_MISDIRECTED] =
        "The Host of the request is none of the names that the operator of this server gave it "
        "(--allowed-host). So a page from elsewhere cannot read answers by having its own name "
        "lead here.",
    [PROBLEM_TOO_MANY_REQUESTS] =
        "The operator limits what a key, or an address without one, may use: "
        "\"limited_by\" names the limit that is reached. Try again after the seconds that the "
        "Retry-After header says. A client that goes on at once is answered a second later.",
    [PROBLEM_HEAD_TOO_LARGE] =
        "The head of the request has more than 8 KiB or more than 100 lines.",
    [PROBLEM_INTERNAL] =
        "The server failed, not the request. Its log has the entry with the same request_id.",
    [PROBLEM_NOT_IMPLEMENTED] =
        "The request uses a method or a transfer coding that this server does not know.",
    [PROBLEM_OVERLOADED] =
        "The server has no capacity for this request now. Try again after the seconds that the "
        "Retry-After header says.",
    [PROBLEM_DRAINING] =
        "The server is about to stop. Try again: another instance will answer.",
    [PROBLEM_VERSION_NOT_SUPPORTED] = "Only HTTP/1.0 and HTTP/1.1 are spoken here.",
};

unsigned problem_status(enum problem_kind kind)
{
    assert(kind < PROBLEM_COUNT);
    return rows[kind].status;
}

const char *problem_slug(enum problem_kind kind)
{
    assert(kind < PROBLEM_COUNT);
    return rows[kind].slug;
}

const char *problem_title(enum problem_kind kind)
{
    assert(kind < PROBLEM_COUNT);
    return rows[kind].title;
}

const char *problem_advice(enum problem_kind kind)
{
    assert(kind < PROBLEM_COUNT);
    return advice[kind];
}

/* Returns the parameter's name, without the "#/" of a JSON pointer. */
static const char *name_of(const struct pe_problem *problem)
{
    const char *name = problem->parameter;

    return name + (strncmp(name, "#/", 2) == 0 ? 2 : 0);
}

static enum problem_kind kind_of(const struct pe_problem *problem)
{
    switch (problem->status) {
    case PE_UNKNOWN_PARAMETER:
        return PROBLEM_UNKNOWN_PARAMETER;
    case PE_MISSING_PARAMETER:
        return PROBLEM_MISSING_PARAMETER;
    case PE_TOO_LARGE:
        return PROBLEM_LIMIT_EXCEEDED;
    case PE_NO_MEMORY:
    case PE_STOPPED:
        return PROBLEM_OVERLOADED;
    case PE_UNKNOWN_NAME:
        return strcmp(name_of(problem), "model") == 0 ? PROBLEM_UNKNOWN_MODEL
               : strcmp(name_of(problem), "rev") == 0 ? PROBLEM_UNKNOWN_REVISION
                                                      : PROBLEM_UNKNOWN_TABLE;
    case PE_OK:
    case PE_REPEATED_PARAMETER:
    case PE_BAD_VALUE:
    case PE_OUT_OF_RANGE:
    case PE_CONFLICT:
        break;
    }
    return PROBLEM_INVALID_PARAMETER;
}

enum problem_kind problem_kind_of(const struct pe_errors *errors)
{
    enum problem_kind kind = PROBLEM_INVALID_PARAMETER;
    bool other_revision = false;

    for (size_t i = 0; i < errors->count; i++) {
        enum problem_kind next = kind_of(&errors->at[i]);

        if (next == PROBLEM_OVERLOADED)
            return next; /* a failure of the machine outranks other errors */
        other_revision |= next == PROBLEM_UNKNOWN_REVISION;
        kind = i == 0 || next == kind ? next : PROBLEM_INVALID_PARAMETER;
    }
    /* A server of the wanted revision may take what this one refuses. */
    return other_revision ? PROBLEM_UNKNOWN_REVISION : kind;
}

/* Writes "dim: must be even, 2..65536; got 127", or the number of wrong parameters. */
static void add_detail(struct buffer *out, const struct problem *problem)
{
    const struct pe_errors *errors = problem->errors;

    if (problem->detail) {
        json_write_text(out, "detail", problem->detail);
    } else if (errors && errors->count == 1 && errors->dropped == 0) {
        const struct pe_problem *only = &errors->at[0];

        json_write(out, "'detail':'%s%s%s'", name_of(only), *only->parameter ? ": " : "",
                   only->detail);
    } else if (errors && errors->count > 0) {
        json_write(out, "'detail':'%zu parameters are invalid'",
                   errors->count + errors->dropped);
    }
}

static void add_limits(struct buffer *out, const struct pe_problem *error)
{
    if (error->status == PE_TOO_LARGE)
        json_write(out, "'limit':%" PRIu64 ",'requested':%" PRIu64, error->limit,
                   error->requested);
}

/* Lists the revisions that are served in place of the wanted one. */
static void add_revisions(struct buffer *out, const struct pe_errors *errors)
{
    for (size_t i = 0; i < errors->count; i++)
        if (kind_of(&errors->at[i]) == PROBLEM_UNKNOWN_REVISION)
            json_write(out, "'revisions':[%" PRIu64 "],'requested':%" PRIu64,
                       errors->at[i].limit, errors->at[i].requested);
}

/* Writes the place of a problem: a JSON pointer, which begins at a part of the body (NULL: at
 * the body), or a parameter's name; none: nothing. */
static void add_place(struct buffer *out, const char *at, const char *place)
{
    if (*place != '\0' && strncmp(place, "#/", 2) != 0)
        json_write_text(out, "parameter", place);
    else if (*place != '\0')
        json_write(out, "'pointer':'%s%s'", at ? at : "", at ? place + 1 : place);
}

static void add_entry(struct buffer *out, const struct pe_problem *error, const char *at,
                      const char *pointer)
{
    bool named = pointer && error->parameter[0] != '\0';

    json_write(out, "{");
    add_place(out, at, pointer ? pointer : error->parameter);
    json_write(out, "'detail':'%s%s%s'", named ? name_of(error) : "", named ? ": " : "",
               error->detail);
    json_write_text(out, "hint", *error->hint ? error->hint : NULL);
    add_limits(out, error);
    json_write(out, "}");
}

void problem_write_entry(struct buffer *out, const struct pe_problem *error,
                         const char *pointer)
{
    add_entry(out, error, NULL, pointer);
}

static void add_errors(struct buffer *out, const struct pe_errors *errors, const char *at)
{
    json_write(out, "'errors':[");
    for (size_t i = 0; i < errors->count; i++)
        add_entry(out, &errors->at[i], at, NULL);
    json_write(out, "]");
    if (errors->dropped > 0)
        json_write_integer(out, "not_listed", errors->dropped);
}

void problem_write(struct buffer *out, const struct problem *problem)
{
    enum problem_kind kind = problem->kind;
    const struct pe_errors *errors = problem->errors;

    json_write(out, "{'type':'%s/problems/%s','title':'%s','status':%u",
               problem->base ? problem->base : "", problem_slug(kind), problem_title(kind),
               problem_status(kind));
    add_detail(out, problem);
    json_write_text(out, "request_id", problem->request_id);
    if (errors && errors->count > 0) {
        if (kind == PROBLEM_UNKNOWN_REVISION)
            add_revisions(out, errors);
        if (kind == PROBLEM_LIMIT_EXCEEDED)
            add_limits(out, &errors->at[0]);
        add_errors(out, errors, problem->at);
    }
    if (problem->entries) {
        json_write(out, "'errors':[");
        buffer_add_text(out, problem->entries);
        json_write(out, "]");
    }
    json_write_text(out, "limited_by", problem->limited_by);
    if (problem->available)
        json_write_texts(out, "available", problem->available, SIZE_MAX);
    json_write(out, "}\n");
}
