/* SPDX-License-Identifier: Apache-2.0
 * response_meta.c - headers that a 200, a 206 and a 304 share: entity tag, caching, location;
 * and the bytes of the answer that a request with Range gets. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "proto/http/answer_header.h"
#include "proto/text/buffer.h"
#include "server/exchange/cors.h"
#include "server/exchange/response.h"
#include "server/http/response_head_space.h"

#define NO_STORE "no-store"

enum { SHORT = 512 }; /* bytes of Content-Location that RESPONSE_HEAD_SPACE_ENOUGH allows for */

bool response_fits(const struct exchange *ex, const char *location)
{
    size_t len = location ? strlen(location) : 0;

    return len <= SHORT || len + RESPONSE_HEAD_SPACE_ENOUGH <=
                               response_head_space_for_head(ex->connection->mhd);
}

static const char *location(const struct exchange *ex)
{
    size_t len = 0;
    const char *canonical = request_canonical(ex->request, &len);

    return canonical && len <= EXCHANGE_LOCATION_MAX && response_fits(ex, canonical) ? canonical
                                                                                     : NULL;
}

const char *response_cache_control(const struct config *config, enum response_age age)
{
    static const char *const controls[][2] = {
        [RESPONSE_MINUTE] = {"public, max-age=60", "private, max-age=60"},
        [RESPONSE_HOUR] = {"public, max-age=3600, stale-while-revalidate=86400",
                           "private, max-age=3600, stale-while-revalidate=86400"},
        [RESPONSE_FOR_EVER] = {"public, max-age=31536000, immutable",
                               "private, max-age=31536000, immutable"},
    };

    return controls[age][config->api_keys_file && !config->cache_public];
}

const char *response_base(const struct config *config)
{
    return config->path_prefix ? config->path_prefix : "";
}

bool response_has_parts(const struct request *request)
{
    return request_options(request)->format->seek && !request_has_tensors(request);
}

struct response_meta response_meta_of(const struct exchange *ex)
{
    const struct config *config = &exchange_service(ex)->config;
    const struct request_options *options = request_options(ex->request);
    enum response_age age = options->named        ? RESPONSE_MINUTE /* named data may change */
                            : options->rev_pinned ? RESPONSE_FOR_EVER
                                                  : RESPONSE_HOUR;
    struct response_meta meta = {
        .by_accept = !options->format_given,
        .by_origin = cors_of(config) == CORS_LISTED,
        .for_anybody = cors_of(config) == CORS_ANYBODY,
        .by_coding = request_has_gzip(ex->request),
        .coding = ex->compress.coding,
        .in_parts =
            response_has_parts(ex->request) && ex->compress.coding == CONTENT_CODING_IDENTITY,
        .etag = request_etag(ex->request, ex->compress.coding),
        .base = response_base(config),
        .location = location(ex),
        .rev = pe_revision(request_encoding(ex->request)),
        .old_names = request_old_names(ex->request),
        .control = response_cache_control(config, age),
    };

    if (exchange_head(ex)->method == METHOD_POST) {
        meta.control = NO_STORE;
        meta.etag = NULL;
    }
    if (request_format_context(ex->request)) /* no URL has that response */
        meta.location = NULL;
    if (request_has_tensors(ex->request)) { /* the canonical form lacks their numbers */
        meta.control = NO_STORE;
        meta.etag = NULL;
        meta.location = NULL;
    }
    return meta;
}

bool response_add_link(struct MHD_Response *response, const struct config *config)
{
    char link[CONFIG_PREFIX_MAX + 64];

    snprintf(link, sizeof link, "<%s/openapi.json>; rel=\"service-desc\"",
             response_base(config));
    return response_add(response, "Link", link);
}

static void write_location(struct header_block *block, const struct response_meta *meta)
{
    char full[CONFIG_PREFIX_MAX + EXCHANGE_LOCATION_MAX + 1];

    if (!meta->base || !*meta->base) {
        header_block_add(block, "Content-Location", meta->location);
        return;
    }
    snprintf(full, sizeof full, "%s%s", meta->base, meta->location);
    header_block_add(block, "Content-Location", full);
}

/* Writes one Vary line. Where Accept chooses the format, it may choose one that is compressed,
 * so the answer varies by Accept-Encoding too. */
static void write_vary(struct header_block *block, const struct response_meta *meta)
{
    const struct {
        bool varies;
        const char *name;
    } by[] = {{meta->by_accept, "Accept"},
              {meta->by_accept || meta->by_coding, "Accept-Encoding"},
              {meta->by_origin, "Origin"}};
    char names[64] = "";
    size_t len = 0;

    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (by[i].varies)
            len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", len ? ", " : "",
                                    by[i].name);
    if (len > 0)
        header_block_add(block, "Vary", names);
}

void response_write_rev(struct header_block *block, unsigned rev)
{
    char digits[24];
    struct buffer text = buffer_over(digits, sizeof digits);

    buffer_add_integer(&text, rev);
    if (rev > 0)
        header_block_add(block, answer_header_at(ANSWER_HEADER_REV)->name, digits);
}

void response_write_meta(struct header_block *block, const struct response_meta *meta)
{
    header_block_add(block, "Cache-Control", meta->control);
    write_vary(block, meta);
    if (meta->for_anybody)
        cors_write_anybody(block);
    if (meta->etag)
        header_block_add(block, "ETag", meta->etag);
    if (meta->location)
        write_location(block, meta);
    response_write_rev(block, meta->rev);
    if (meta->old_names && *meta->old_names != '\0')
        header_block_add(block, answer_header_at(ANSWER_HEADER_WARNING)->name, meta->old_names);
}

bool response_add_meta(struct MHD_Response *response, const struct response_meta *meta)
{
    struct header_block block;

    header_block_init(&block);
    response_write_meta(&block, meta);
    return header_block_give(&block, response);
}

/* ---- parts --------------------------------------------------------------------------- */

/* Only GET has ranges (RFC 9110, 14.2). */
enum range_kind response_range(struct exchange *ex, const struct response_meta *meta,
                               uint64_t size, struct range *range)
{
    const struct head *head = exchange_head(ex);
    bool applies = head->range && head->method == METHOD_GET && meta->in_parts &&
                   range_is_of(head->if_range, meta->etag);
    enum range_kind kind = range_find(applies ? head->range : NULL, size, range);

    if (kind == RANGE_OUTSIDE) {
        ex->response.full_size = size;
        exchange_fail(ex, PROBLEM_RANGE_NOT_SATISFIABLE,
                      "the answer has %" PRIu64 " bytes, counted from 0", size);
    }
    return kind;
}
