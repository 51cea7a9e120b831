/* SPDX-License-Identifier: Apache-2.0
 * document_head.c - see document_head.h. */
#include "server/document/document_head.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "proto/http/gzip.h"
#include "proto/http/sentences.h"
#include "proto/pages/page_frame.h"
#include "server/exchange/cors.h"

/* JSON may load nothing, run nothing and be shown in no frame. */
#define JSON_POLICY                                                                            \
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/* ---- type and policy ----------------------------------------------------------------- */

enum { TYPE_FIELDS = 4 };

struct field {
    const char *name, *value;
};

static void list_type(const char *type, struct field fields[TYPE_FIELDS])
{
    const bool html = strcmp(type, page_frame_type) == 0;

    fields[0] = (struct field){"Content-Type", type};
    fields[1] = (struct field){"X-Content-Type-Options", "nosniff"};
    fields[2] =
        (struct field){"Content-Security-Policy", html ? page_frame_policy : JSON_POLICY};
    fields[3] = (struct field){"Referrer-Policy", "no-referrer"};
}

void document_write_type(struct header_block *block, const char *type)
{
    struct field fields[TYPE_FIELDS];

    list_type(type, fields);
    for (size_t i = 0; i < TYPE_FIELDS; i++)
        header_block_add(block, fields[i].name, fields[i].value);
}

char *document_lines(const struct config *config, const char *type, bool foreign)
{
    struct field fields[TYPE_FIELDS];
    struct buffer lines = {0};
    size_t size;

    list_type(type, fields);
    for (size_t i = 0; i < (foreign ? 2 : TYPE_FIELDS); i++)
        buffer_add_format(&lines, "%s: %s\n", fields[i].name, fields[i].value);
    if (!foreign)
        buffer_add_format(&lines, "Link: <%s/openapi.json>; rel=\"service-desc\"\n",
                          response_base(config));
    return buffer_take(&lines, &size);
}

/* ---- tag and caching ----------------------------------------------------------------- */

struct document_hash document_hash_of(const char *bytes, size_t len)
{
    const XXH128_hash_t hash = XXH3_128bits(bytes, len);

    return (struct document_hash){hash.high64, hash.low64};
}

struct document_tag document_tag_of(struct document_hash hash, enum content_coding coding)
{
    struct document_tag tag;

    snprintf(tag.text, sizeof tag.text, "\"%016llx%016llx%s\"", (unsigned long long)hash.high,
             (unsigned long long)hash.low, coding == CONTENT_CODING_GZIP ? "-" GZIP_TAG : "");
    return tag;
}

struct response_meta document_meta_of(const struct exchange *ex, bool kept,
                                      enum content_coding coding,
                                      const struct document_tag *tag)
{
    const struct config *config = &exchange_service(ex)->config;

    return (struct response_meta){
        .control = kept ? response_cache_control(config, RESPONSE_MINUTE) : "no-store",
        .by_accept = (ex->target.endpoint->access & ENDPOINT_TWOFOLD) != 0,
        .by_coding = true,
        .cors = cors_of(config),
        .coding = coding,
        .untimed = true,
        .etag = kept ? tag->text : NULL,
        .old_names = ex->request ? request_old_names(ex->request) : NULL,
    };
}

enum if_none_match document_condition(const struct exchange *ex, const struct document_tag *tag)
{
    return if_none_match_check(exchange_head(ex)->if_none_match, tag->text);
}

/* ---- queries ------------------------------------------------------------------------- */

bool document_fields(struct exchange *ex, const struct fields *fields,
                     struct fields_query *asked)
{
    enum pe_status status;

    pe_errors_clear(ex->problem.errors);
    status = fields_parse_query(fields, ex->target.query, ex->target.query_len, asked,
                                ex->problem.errors);
    if (status != PE_OK)
        exchange_fail_status(ex, status);
    return status == PE_OK;
}

bool document_has_query(struct exchange *ex)
{
    if (!ex->target.query || ex->target.query_len == 0)
        return false;
    exchange_fail(ex, PROBLEM_UNKNOWN_PARAMETER, SENTENCE_NO_PARAMETERS,
                  exchange_path_shown(ex), ex->target.path);
    return true;
}
