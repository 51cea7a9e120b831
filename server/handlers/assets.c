/* SPDX-License-Identifier: Apache-2.0
 * assets.c - see assets.h. The bytes are rows of web_assets.h, which server/web/make_assets.py
 * writes. */
#include "server/handlers/assets.h"

#include <string.h>

#include "server/exchange/compress.h"
#include "server/exchange/cors.h"
#include "server/exchange/response.h"
#include "server/http/if_none_match.h"
#include "web_assets.h"

const char assets_script[] = "/assets/" WEB_ASSETS_SCRIPT;
const char assets_style[] = "/assets/" WEB_ASSETS_STYLE;

struct bytes {
    const unsigned char *at;
    size_t len;
    const char *tag; /* entity tag, with its quotes */
};

static const struct asset {
    const char *name, *type;
    struct bytes variants[CONTENT_CODING_GZIP + 1];
} assets[] = {
#define WEB_ASSET(NAME, TYPE, PLAIN, GZIP)                                                     \
    {(NAME),                                                                                   \
     (TYPE),                                                                                   \
     {{(PLAIN), sizeof(PLAIN), "\"" NAME "\""}, {(GZIP), sizeof(GZIP), "\"" NAME "-gzip\""}}},
    WEB_ASSETS
#undef WEB_ASSET
};

static const struct asset *find(const struct exchange *ex)
{
    for (size_t i = 0; i < sizeof assets / sizeof assets[0]; i++)
        if (strlen(assets[i].name) == ex->target.segment_len &&
            memcmp(assets[i].name, ex->target.segment, ex->target.segment_len) == 0)
            return &assets[i];
    return NULL;
}

static enum next full(struct exchange *ex, const struct asset *asset,
                      const struct response_meta *meta)
{
    const struct bytes *bytes = &asset->variants[meta->coding];
    struct header_block head;

    header_block_init(&head);
    header_block_add(&head, "Content-Type", asset->type);
    header_block_add(&head, "X-Content-Type-Options", "nosniff");
    response_write_coding(&head, meta->coding);
    response_write_meta(&head, meta);
    return response_queue(ex, 200, response_of_program(bytes->at, bytes->len), &head);
}

static bool client_has(const struct exchange *ex, const struct bytes *bytes)
{
    return if_none_match_check(exchange_head(ex)->if_none_match, bytes->tag) !=
           IF_NONE_MATCH_NONE;
}

enum next assets_answer(struct exchange *ex)
{
    const struct config *config = &exchange_service(ex)->config;
    const struct asset *asset = find(ex);
    struct response_meta meta = {.control = response_cache_control(config, RESPONSE_FOR_EVER),
                                 .by_coding = true,
                                 .cors = cors_of(config)};
    const struct bytes *plain, *sent;

    if (!asset)
        return exchange_fail(ex, PROBLEM_NOT_FOUND,
                             "there is no such file; the pages of this version name theirs");
    plain = &asset->variants[CONTENT_CODING_IDENTITY];
    if (compress_suits_page(ex, plain->len) && !client_has(ex, plain))
        meta.coding = CONTENT_CODING_GZIP;
    else if (compress_refuses_identity(ex))
        return MORE;
    sent = &asset->variants[meta.coding];
    meta.etag = sent->tag;
    return client_has(ex, sent) ? response_not_modified(ex, &meta, sent->len)
                                : full(ex, asset, &meta);
}
