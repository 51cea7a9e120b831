/* SPDX-License-Identifier: Apache-2.0
 * text_rows.c - rows of what proto reads from text (proto_row.h). In all inputs but queries %0a
 * is decoded. "none" stands for no result.
 *
 *     query a=1&b=%3D => a=1|b==           a raw query
 *     query a
 *         refused: a has no value; write a=value
 *     meant alibi seq_len => len           the name that is suggested for one that is unknown
 *     quality-list a;q=0.5, b => a=500 b=1000
 *     accept text/csv, image/x => csv      "absent" stands for no header, here and below
 *     accept-encoding gzip => identity gzip
 *     endpoint /v1/rope => /v1/{encoding} rope     the template and its variable part
 *     suggestion /v1/roep => /v1/rope      the hint of a path that is unknown
 *     body {"a":1,}
 *         refused: line 1, column 8: ...
 *     long-body ,x]}                       a body that begins with {"a":[0,1,...,99
 *         refused: ...
 *     python {"a": NaN} => {"a": "NaN"}    JSON as Python writes it, and what is left for
 *                                          jansson; "long" and "other" are skipped
 *     python {"a": NaN, "b": [1, Infinity], ...}
 *         rest: ...                        the same for longer ones
 *     python {"a": Nan}
 *         refused: ... */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "proto/http/accept.h"
#include "proto/http/content_coding.h"
#include "proto/http/endpoint.h"
#include "proto/http/format.h"
#include "proto/http/quality_list.h"
#include "proto/request/param_names.h"
#include "proto/request/query.h"
#include "proto/text/json_body.h"
#include "proto/text/json_grammar.h"
#include "tests/proto/support/bodies.h"
#include "tests/proto/support/proto_row.h"

static void query(struct buffer *out, const char *input, const struct row *row)
{
    struct pe_errors errors = {0};
    struct query query;
    enum pe_status status = query_parse(&query, input, strlen(input), &errors);

    ck_assert_int_eq(status == PE_OK, errors.count == 0);
    for (size_t i = 0; i < query.count && status == PE_OK; i++) {
        const struct query_parameter *at = &query.at[i];

        buffer_add_format(out, "%s%s=%s", i == 0 ? "" : "|", at->name, at->value);
        ck_assert_uint_eq(strlen(at->name), at->name_len);
        ck_assert_uint_eq(strlen(at->value), at->value_len);
    }
    if (status)
        proto_row_write_errors(out, &errors);
    else if (query.count == 0)
        buffer_add_text(out, "none");
    query_fini(&query);
}

static void meant(struct buffer *out, const char *input, const struct row *row)
{
    static const char asked[] = "did you mean ";
    const char *blank = strchrnul(input, ' '), *name = *blank ? blank + 1 : blank;
    const struct pe_encoding *enc = pe_find(input, (size_t)(blank - input));
    struct pe_errors errors = {0};

    param_names_refuse(enc, name, strlen(name), &errors);
    const char *hint = errors.at[0].hint;
    if (strncmp(hint, asked, strlen(asked)) == 0)
        buffer_add(out, hint + strlen(asked), strcspn(hint + strlen(asked), "?"));
    else
        buffer_add_text(out, "none");
}

static void elements(struct buffer *out, const char *input, const struct row *row)
{
    size_t len;
    char *list = proto_row_decode(input, &len);
    const char *at = list;
    struct quality_list element;

    while (quality_list_next(&at, list + len, &element))
        buffer_add_format(out, "%s%.*s=%u", out->len > 0 ? " " : "", (int)element.len,
                          element.text, element.q);
    if (out->len == 0)
        buffer_add_text(out, "none");
    ck_assert_ptr_eq(at, list + len);
    free(list);
}

static void accept_format(struct buffer *out, const char *input, const struct row *row)
{
    size_t len;
    char *field = proto_row_decode(input, &len);
    const struct format *format = strcmp(input, "absent") == 0
                                      ? accept_choose(NULL, 0, NULL)
                                      : accept_choose(field, len, NULL);

    buffer_add_text(out, format ? format->name : "none");
    free(field);
}

static void codings(struct buffer *out, const char *input, const struct row *row)
{
    struct content_coding_accept got =
        content_coding_accept(strcmp(input, "absent") == 0 ? NULL : input);

    buffer_add_format(out, "%s%s%s", got.identity ? "identity" : "",
                      got.identity && got.gzip ? " " : "", got.gzip ? "gzip" : "");
    if (out->len == 0)
        buffer_add_text(out, "none");
}

static void endpoint(struct buffer *out, const char *input, const struct row *row)
{
    const char *segment;
    size_t len;
    const struct endpoint *found = endpoint_find(input, strlen(input), &segment, &len);

    ck_assert_ptr_eq(endpoint_find(input, strlen(input), NULL, NULL), found);
    if (found)
        buffer_add_format(out, "%s%s%.*s", found->path, len > 0 ? " " : "", (int)len, segment);
    else
        buffer_add_text(out, "none");
}

static void suggestion(struct buffer *out, const char *input, const struct row *row)
{
    char text[128];
    const char *near = endpoint_suggest(input, strlen(input), text);

    buffer_add_text(out, near ? near : "none");
}

char *proto_row_body(const char *input, size_t *len)
{
    bool is_long = strncmp(input, "long-body", 9) == 0;
    const char *blank = strchrnul(input, ' ');
    char *end = proto_row_decode(*blank ? blank + 1 : blank, len), *text;

    if (!is_long)
        return end;
    text = bodies_count_up("{\"a\":[", 100, end);
    ck_assert_uint_eq(strlen(text) - strlen(end), 295);
    *len = strlen(text);
    free(end);
    return text;
}

static void refuse_body(struct buffer *out, const char *text, size_t len)
{
    struct json_body *body = json_body_new(1 << 20);

    ck_assert_ptr_nonnull(body);
    json_body_add(body, text, len);
    enum json_body_state state = json_body_finish(body);
    buffer_add_text(out, state == JSON_BODY_MALFORMED ? json_body_error(body) : "nothing");
    if (state == JSON_BODY_MALFORMED) {
        ck_assert_int_eq(json_body_add(body, "{}", 2), JSON_BODY_MALFORMED); /* ignored */
        ck_assert_str_eq(json_body_error(body), out->bytes);
    }
    json_body_free(body);
}

static void body(struct buffer *out, const char *input, const struct row *row)
{
    size_t len;
    char *text = proto_row_body(row->input, &len);

    refuse_body(out, text, len);
    free(text);
}

static const char *const skipped[] = {"long", "other", NULL};
static const struct json_scan_limits python_limits = {.few = 3,
                                                      .max_array = 8,
                                                      .max_numbers = 12,
                                                      .max_rest = 60,
                                                      .python = true,
                                                      .skipped = skipped};

/* Writes what is left of the document, or the error. */
static void scan_chunks(struct buffer *out, const char *text, size_t len, size_t chunk)
{
    struct json_scan scan;

    json_scan_init(&scan, &python_limits);
    for (size_t at = 0; at < len; at += chunk)
        json_grammar_add(&scan, text + at, at + chunk < len ? chunk : len - at);
    if (json_grammar_finish(&scan) != JSON_SCAN_OK)
        buffer_add_text(out, scan.error);
    for (size_t i = 0; i < scan.rest.len && scan.error[0] == '\0'; i++)
        buffer_add_format(out, scan.rest.bytes[i] == '\n' ? "%%0a" : "%c", scan.rest.bytes[i]);
    json_scan_fini(&scan);
}

static void python(struct buffer *out, const char *input, const struct row *row)
{
    size_t len;
    char *text = proto_row_decode(input, &len);

    scan_chunks(out, text, len, 1);
    for (size_t chunk = 2; chunk < 9; chunk++) {
        struct buffer other = {0};

        scan_chunks(&other, text, len, chunk);
        ck_assert_str_eq(other.bytes, out->bytes);
        buffer_fini(&other);
    }
    free(text);
}

const struct proto_row_kind proto_row_texts[] = {
    {"query", "=>", query},          {"query", "refused", query},
    {"meant", "=>", meant},          {"quality-list", "=>", elements},
    {"accept", "=>", accept_format}, {"accept-encoding", "=>", codings},
    {"endpoint", "=>", endpoint},    {"suggestion", "=>", suggestion},
    {"body", "refused", body},       {"long-body", "refused", body},
    {"python", "=>", python},        {"python", "rest", python},
    {"python", "refused", python},   {NULL, NULL, NULL},
};
