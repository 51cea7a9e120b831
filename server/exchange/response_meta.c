/* SPDX-License-Identifier: Apache-2.0
 * response_meta.c - headers that a 200, a 206 and a 304 share: entity tag, caching, location;
 * and the bytes of the answer that a request with Range gets. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "proto/http/answer_header.h"
#include "proto/text/buffer.h"
#include "server/exchange/cors.h"
#include "server/exchange/response.h"

#define NO_STORE "no-store"

enum {
    SHORT = 512
}; /* bytes of Content-Location that TRANSPORT_HEAD_SPACE_ENOUGH allows for */

bool response_fits(const struct exchange *ex, const char *location)
{
    size_t len = location ? strlen(location) : 0;

    return len <= SHORT ||
           len + TRANSPORT_HEAD_SPACE_ENOUGH <= transport_head_space(&exchange_head(ex)->bytes);
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

struct cache_key response_key(struct exchange *ex, enum content_coding coding)
{
    const size_t skip = coding == CONTENT_CODING_IDENTITY ? 1 : 0;
    size_t len = ex->document.key_len - skip;
    const char *bytes =
        ex->document.key ? ex->document.key + skip : request_key(ex->request, coding, &len);

    if (ex->work.key.bytes != bytes || ex->work.key.len != len)
        ex->work.key = cache_key(exchange_service(ex)->cache, bytes, len);
    return ex->work.key;
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
        .cors = cors_of(config),
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

/* ---- fields -------------------------------------------------------------------------- */

void response_write_link(struct header_block *block, const struct config *config)
{
    char link[CONFIG_PREFIX_MAX + 64];

    snprintf(link, sizeof link, "<%s/openapi.json>; rel=\"service-desc\"",
             response_base(config));
    header_block_add(block, "Link", link);
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
              {meta->cors == CORS_LISTED, "Origin"}};
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
    if (meta->cors == CORS_ANYBODY)
        cors_write_anybody(block);
    if (meta->etag)
        header_block_add(block, "ETag", meta->etag);
    if (meta->location)
        write_location(block, meta);
    response_write_rev(block, meta->rev);
    if (meta->old_names && *meta->old_names != '\0')
        header_block_add(block, answer_header_at(ANSWER_HEADER_WARNING)->name, meta->old_names);
}

void response_write_list(struct header_block *block, const char *name, struct buffer *list)
{
    if (list->failed)
        buffer_fail(&block->lines);
    else
        header_block_add(block, name, list->bytes);
    buffer_fini(list);
}

void response_write_coding(struct header_block *block, enum content_coding coding)
{
    if (coding != CONTENT_CODING_IDENTITY)
        header_block_add(block, "Content-Encoding", "gzip");
}

void response_write_range(struct header_block *block, const struct range *range)
{
    char text[96];

    snprintf(text, sizeof text, "bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64, range->first,
             range->first + range->len - 1, range->size);
    header_block_add(block, "Content-Range", text);
}

void response_write_timing(struct header_block *block, const char *cache_result, double ms)
{
    uint64_t us = (uint64_t)(ms * 1000 + 0.5);
    char buffer[96];
    struct buffer text = buffer_over(buffer, sizeof buffer);

    buffer_add_text(&text, "cache;desc=");
    buffer_add_text(&text, cache_result);
    if (ms > 0) {
        buffer_add_text(&text, ", compute;dur=");
        buffer_add_integer(&text, us / 1000);
        buffer_add(&text,
                   (const char[]){'.', (char)('0' + us / 100 % 10), (char)('0' + us / 10 % 10),
                                  (char)('0' + us % 10)},
                   4);
    }
    assert(!text.failed); /* the words for the result are short */
    header_block_add(block, "Server-Timing", buffer);
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
