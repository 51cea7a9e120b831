/* SPDX-License-Identifier: Apache-2.0
 * cors.c - origins are compared as complete strings. See cors.h. */
#include "server/exchange/cors.h"

#include <string.h>

#include "server/exchange/internal.h"
#include "server/http/header_block.h"

#define ALLOW_ORIGIN "Access-Control-Allow-Origin"

/* A page that may compute may not administer: no PUT, no DELETE. */
#define METHODS "GET, HEAD, POST, QUERY"
#define FIELDS                                                                                 \
    "Authorization, Content-Encoding, Content-Type, If-None-Match, If-Range, "                 \
    "Inference-Header-Content-Length, Range, X-Request-Id, traceparent"
#define SECONDS "7200"

enum cors cors_of(const struct config *config)
{
    const struct config_list *origins = &config->cors_origins;

    if (origins->count == 0)
        return CORS_NOBODY;
    return strcmp(origins->item[0], "*") == 0 ? CORS_ANYBODY : CORS_LISTED;
}

static enum cors policy(const struct exchange *ex)
{
    return ex->connection->listener_kind == LISTENER_KIND_ADMIN
               ? CORS_NOBODY
               : cors_of(&exchange_service(ex)->config);
}

/* Returns true if the request comes from a page of a listed origin. */
static bool is_listed(const struct exchange *ex)
{
    const struct config_list *origins = &exchange_service(ex)->config.cors_origins;
    const char *origin = exchange_head(ex)->origin;

    for (size_t i = 0; origin && i < origins->count; i++)
        if (strcmp(origins->item[i], origin) == 0)
            return true;
    return false;
}

bool cors_is_private(const struct exchange *ex)
{
    return exchange_head(ex)->origin && policy(ex) == CORS_LISTED && is_listed(ex);
}

/* Any header may be read: none of them is a secret. */
static void write_origin(struct header_block *block, const char *origin)
{
    header_block_add(block, ALLOW_ORIGIN, origin);
    header_block_add(block, "Access-Control-Expose-Headers", "*");
}

void cors_write_anybody(struct header_block *block)
{
    write_origin(block, "*");
}

void cors_write(const struct exchange *ex, struct header_block *block)
{
    const enum cors cors = policy(ex);
    size_t len;

    if (cors == CORS_ANYBODY && !header_block_find(block, ALLOW_ORIGIN, &len))
        cors_write_anybody(block);
    if (cors != CORS_LISTED)
        return;
    if (!header_block_find(block, "Vary", &len))
        header_block_add(block, "Vary", "Origin");
    if (is_listed(ex))
        write_origin(block, exchange_head(ex)->origin);
}

void cors_write_preflight(const struct exchange *ex, struct header_block *block)
{
    enum cors cors = policy(ex);

    if (!exchange_head(ex)->origin || cors == CORS_NOBODY ||
        (cors == CORS_LISTED && !is_listed(ex)))
        return;
    header_block_add(block, "Access-Control-Allow-Methods", METHODS);
    header_block_add(block, "Access-Control-Allow-Headers", FIELDS);
    header_block_add(block, "Access-Control-Max-Age", SECONDS);
}
