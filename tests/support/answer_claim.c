/* SPDX-License-Identifier: Apache-2.0
 * answer_claim.c - see answer_claim.h. */
#include "tests/support/answer_claim.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The row, its answer, and the text that names the reason of a failure. */
struct outcome {
    const struct row *row;
    struct http_answer *answer, *other;
    json_t *json; /* of the body; NULL: it is none, or no claim has asked */
    char *why;
    size_t size;
};

static bool __attribute__((format(printf, 2, 3)))
fails(const struct outcome *outcome, const char *format, ...)
{
    const struct row *row = outcome->row;
    int len = snprintf(outcome->why, outcome->size, "%s:%d: %s%s", row->file, row->line,
                       row->input ? row->input : "", row->input ? ": " : "");
    va_list list;

    va_start(list, format);
    if (len >= 0 && (size_t)len < outcome->size)
        vsnprintf(outcome->why + len, outcome->size - (size_t)len, format, list);
    va_end(list);
    return false;
}

static const char *header_of(struct http_answer *answer, const char *name)
{
    const char *value = http_answer_header(answer, name);

    return value ? value : "(none)";
}

static bool body_holds(const struct http_answer *answer, const char *words)
{
    return memmem(answer->body, answer->len, words, strlen(words)) != NULL;
}

/* ---- JSON and problems ------------------------------------------------------------------- */

static const json_t *json_of(struct outcome *outcome)
{
    json_error_t error;

    if (!outcome->json)
        outcome->json = json_loadb(outcome->answer->body, outcome->answer->len,
                                   JSON_REJECT_DUPLICATES, &error);
    if (!outcome->json)
        fails(outcome, "not JSON (%s): %.300s", error.text, outcome->answer->body);
    return outcome->json;
}

static const char *text_at(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

static bool is_problem(struct outcome *outcome, long status, const char *slug)
{
    const char *media_type = header_of(outcome->answer, "Content-Type");
    const json_t *problem;
    char type[128];

    if (strcmp(media_type, "application/problem+json") != 0)
        return fails(outcome, "Content-Type is %s", media_type);
    problem = json_of(outcome);
    if (!problem)
        return false;
    snprintf(type, sizeof type, "/problems/%s", slug);
    return (strcmp(text_at(problem, "type"), type) == 0 &&
            json_integer_value(json_object_get(problem, "status")) == status &&
            json_is_string(json_object_get(problem, "title")) &&
            json_is_string(json_object_get(problem, "request_id")) &&
            text_at(problem, "detail")[0]) ||
           fails(outcome, "no problem %s: %.600s", slug, outcome->answer->body);
}

/* Returns the error of this parameter; NULL, with the reason written. */
static const json_t *error_of(struct outcome *outcome, const char *parameter)
{
    const json_t *errors = json_object_get(json_of(outcome), "errors");

    for (size_t i = 0; i < json_array_size(errors); i++) {
        const json_t *error = json_array_get(errors, i);

        if (strcmp(text_at(error, "parameter"), parameter) == 0)
            return error;
    }
    fails(outcome, "no error of %s: %.600s", parameter, outcome->answer->body);
    return NULL;
}

static bool error_holds(struct outcome *outcome, const char *parameter, const char *words)
{
    const json_t *error = error_of(outcome, parameter);
    char text[2000] = ""; /* jansson may have another allocator by now than free() */

    json_dumpb(error, text, sizeof text - 1, 0);
    return error && (strstr(text, words) || fails(outcome, "the error is %s", text));
}

static bool answer_is(struct outcome *outcome, const char *nothing)
{
    struct http_answer *answer = outcome->answer;
    const char *text = outcome->row->text;
    char slug[80] = "", parameter[80] = "";
    long status = 0;
    int words = 0;

    if (sscanf(text, "%ld %79s %79s %n", &status, slug, parameter, &words) < 1 || nothing[0])
        return fails(outcome, "an answer begins with its status");
    if (answer->status != status)
        return fails(outcome, "the status is %d: %.600s", answer->status, answer->body);
    if (!slug[0])
        return true;
    if (!is_problem(outcome, status, slug))
        return false;
    if (!parameter[0])
        return true;
    text = words > 0 ? text + words : "";
    if (strcmp(parameter, "-") != 0)
        return error_holds(outcome, parameter, text);
    return body_holds(answer, text) || fails(outcome, "the body is %.600s", answer->body);
}

static bool error_says(struct outcome *outcome, const char *claim)
{
    size_t len = strcspn(claim, " ");
    char *parameter = strndup(claim, len);
    const json_t *error = error_of(outcome, parameter);
    const char *detail = text_at(error, "detail");
    const char *said = claim[len] ? text_at(error, claim + len + 1) : detail;

    free(parameter);
    if (!error)
        return false;
    return (detail[0] && said[0] && strstr(said, outcome->row->text)) ||
           fails(outcome, "it says %s", said);
}

static bool pointer_is(struct outcome *outcome, const char *nothing)
{
    const json_t *errors = json_object_get(json_of(outcome), "errors");
    const char *pointer = text_at(json_array_get(errors, 0), "pointer");
    const char *expected = outcome->row->text;

    return (!nothing[0] && outcome->answer->status == 400 && json_array_size(errors) == 1 &&
            strncmp(pointer, expected, strlen(expected)) == 0) ||
           fails(outcome, "%d with %zu errors, the first at %s: %.600s",
                 outcome->answer->status, json_array_size(errors), pointer,
                 outcome->answer->body);
}

/* Returns the value at a JSON pointer; NULL, with the reason written. */
static const json_t *value_at(struct outcome *outcome, const char *pointer, size_t len)
{
    const json_t *value = json_of(outcome);

    if (!value)
        return NULL;
    for (size_t at = 0; at < len && value;) {
        char name[80] = "", *to = name;

        for (at++; at < len && pointer[at] != '/' && to < name + sizeof name - 1; at++)
            if (pointer[at] == '~')
                *to++ = pointer[++at] == '1' ? '/' : '~';
            else
                *to++ = pointer[at];
        value = json_is_array(value) ? json_array_get(value, strtoul(name, NULL, 10))
                                     : json_object_get(value, name);
    }
    if (!value)
        fails(outcome, "nothing is at %.*s", (int)len, pointer);
    return value;
}

static bool is_kind(const json_t *value, const char *kind)
{
    return (json_is_string(value) && strcmp(kind, "string") == 0) ||
           (json_is_object(value) && strcmp(kind, "object") == 0) ||
           (json_is_array(value) && strcmp(kind, "array") == 0);
}

static bool json_is(struct outcome *outcome, const char *claim)
{
    const char *text = outcome->row->text, *relation = claim + strcspn(claim, " ");
    const json_t *value = value_at(outcome, claim, (size_t)(relation - claim));
    json_t *expected = NULL;
    size_t size = json_array_size(value), number = strtoul(text, NULL, 10);
    bool holds = false;

    if (!value)
        return false;
    if (strcmp(relation, " is") == 0)
        holds = is_kind(value, text);
    else if (strcmp(relation, " length") == 0)
        holds = json_is_array(value) && size == number;
    else if (strcmp(relation, " length at least") == 0)
        holds = json_is_array(value) && size >= number;
    else if (!relation[0])
        expected = json_loads(text, JSON_DECODE_ANY, NULL);
    if (expected)
        holds = json_equal(value, expected);
    json_decref(expected);
    if (!holds) {
        char found[700] = "";

        json_dumpb(value, found, sizeof found - 1, JSON_ENCODE_ANY);
        fails(outcome, "it is %.600s", found);
    }
    return holds;
}

/* ---- headers, bytes and other answers ---------------------------------------------------- */

static bool header_is(struct outcome *outcome, const char *claim)
{
    const char *text = outcome->row->text, *relation = claim + strcspn(claim, " ");
    char *name = strndup(claim, (size_t)(relation - claim));
    const char *value = http_answer_header(outcome->answer, name);
    bool holds = false;

    free(name);
    if (!relation[0])
        holds = value && strcmp(value, text) == 0;
    else if (strcmp(relation, " has") == 0)
        holds = value && strstr(value, text);
    else if (strcmp(relation, " lacks") == 0)
        holds = value && !strstr(value, text);
    else if (strcmp(relation, " length") == 0)
        holds = value && strlen(value) == strtoul(text, NULL, 10);
    return holds || fails(outcome, "the head is\n%s", outcome->answer->head);
}

static bool header_is_absent(struct outcome *outcome, const char *claim)
{
    return (strcmp(claim, "header") == 0 &&
            !http_answer_header(outcome->answer, outcome->row->text)) ||
           fails(outcome, "the head is\n%s", outcome->answer->head);
}

static bool words_in_order(const struct http_answer *answer, const char *words)
{
    const char *at = answer->body, *end = at + answer->len;

    for (size_t len; at && *words; words += len + (words[len] == ' ')) {
        len = strcspn(words, " ");
        at = memmem(at, (size_t)(end - at), words, len);
        at = at ? at + len : NULL;
    }
    return at != NULL;
}

static bool body_is(struct outcome *outcome, const char *relation)
{
    const struct http_answer *answer = outcome->answer;
    const char *words = outcome->row->text;
    bool holds = false;

    if (strcmp(relation, "has") == 0)
        holds = body_holds(answer, words);
    else if (strcmp(relation, "lacks") == 0)
        holds = !body_holds(answer, words);
    else if (strcmp(relation, "has in order") == 0)
        holds = words_in_order(answer, words);
    return holds || fails(outcome, "the body is %.600s", answer->body);
}

static bool length_is(struct outcome *outcome, const char *relation)
{
    size_t len = outcome->answer->len, expected = strtoul(outcome->row->text, NULL, 10);

    return (!relation[0] && len == expected) ||
           (strcmp(relation, "below") == 0 && len < expected) ||
           (strcmp(relation, "at least") == 0 && len >= expected) ||
           fails(outcome, "the body has %zu bytes", len);
}

static bool same_header(struct outcome *outcome, const char *name)
{
    const char *value = header_of(outcome->answer, name);
    const char *expected = http_answer_header(outcome->other, name);

    return (expected || fails(outcome, "the other answer has no %s", name)) &&
           (strcmp(value, expected) == 0 ||
            fails(outcome, "%s is %s, that of the other answer is %s", name, value, expected));
}

/* Whether the two answers have the same bytes; with "answer as", the same entity tag and place
 * besides. */
static bool is_same(struct outcome *outcome, const char *claim)
{
    const struct http_answer *answer = outcome->answer, *other = outcome->other;
    bool whole = strcmp(claim, "answer as") == 0;

    if (!whole && strcmp(claim, "bytes as") != 0)
        return fails(outcome, "\"same %s:\" is no expectation", claim);
    if (!other)
        return fails(outcome, "there is no other answer");
    if (whole && answer->status != 200)
        return fails(outcome, "the status is %d: %.600s", answer->status, answer->body);
    if (answer->len != other->len || memcmp(answer->body, other->body, other->len) != 0)
        return fails(outcome, "the bodies differ: %zu bytes %.300s and %zu bytes %.300s",
                     answer->len, answer->body, other->len, other->body);
    return !whole || (same_header(outcome, "ETag") && same_header(outcome, "Content-Location"));
}

static bool is_unchanged(struct outcome *outcome, const char *claim)
{
    const struct http_answer *answer = outcome->answer;

    if (!outcome->other)
        return fails(outcome, "there is no other answer");
    if (answer->status != 304 || answer->len > 0 || strcmp(claim, "of") != 0)
        return fails(outcome, "the status is %d", answer->status);
    return same_header(outcome, "Content-Length") && same_header(outcome, "ETag") &&
           same_header(outcome, "Content-Location") && same_header(outcome, "Cache-Control");
}

/* A claim is one of these words and what the function is given. */
static const struct {
    const char *word;
    bool (*holds)(struct outcome *outcome, const char *rest);
} kinds[] = {
    {"=>", answer_is},        {"answer", answer_is}, {"error", error_says},
    {"pointer", pointer_is},  {"json", json_is},     {"header", header_is},
    {"no", header_is_absent}, {"body", body_is},     {"length", length_is},
    {"same", is_same},        {"304", is_unchanged},
};

static bool claim_holds(struct outcome *outcome)
{
    const char *claim = outcome->row->claim;
    size_t len = strcspn(claim, " ");

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strlen(kinds[i].word) == len && strncmp(kinds[i].word, claim, len) == 0)
            return kinds[i].holds(outcome, claim + len + (claim[len] == ' '));
    return fails(outcome, "\"%s:\" is no expectation", claim);
}

bool answer_claim_holds(const struct row *row, struct http_answer *answer,
                        struct http_answer *other, char *why, size_t size)
{
    struct outcome outcome = {row, answer, other, .why = why, .size = size};
    bool holds = claim_holds(&outcome);

    json_decref(outcome.json);
    return holds;
}
