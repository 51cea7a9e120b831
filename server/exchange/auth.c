/* SPDX-License-Identifier: Apache-2.0
 * auth.c - see auth.h. The client's token is only ever compared. */
#include "server/exchange/auth.h"

#include <string.h>
#include <strings.h>

#include "proto/http/accept.h"
#include "proto/tensors/table_file.h"
#include "server/files/api_keys.h"
#include "server/files/secrets.h"
#include "server/net/peers.h"

const char *auth_token(const struct exchange *ex)
{
    static const char scheme[] = "bearer ";
    const char *value = exchange_head(ex)->authorization;

    if (!value || strncasecmp(value, scheme, sizeof scheme - 1) != 0)
        return "";
    value += sizeof scheme - 1;
    return value + strspn(value, " ");
}

static bool shows_one_of(const struct exchange *ex, const struct api_keys *keys)
{
    const char *shown = auth_token(ex);

    return keys && api_keys_have(keys, shown, strlen(shown));
}

/* Returns true if the client sent one of the API keys. False where keys are not in use. */
static bool has_key(const struct exchange *ex)
{
    return shows_one_of(ex, loop_secrets(ex->state->loop)->clients);
}

struct peer *auth_peer(struct exchange *ex)
{
    if (!ex->key_peer && has_key(ex)) {
        const char *token = auth_token(ex);

        ex->key_peer = peers_take_key(exchange_service(ex)->peers, token, strlen(token));
    }
    return ex->key_peer ? ex->key_peer : ex->connection->peer;
}

bool auth_is_admin(const struct exchange *ex)
{
    return shows_one_of(ex, loop_secrets(ex->state->loop)->admin);
}

static bool asks_for_page(const struct exchange *ex)
{
    return (ex->target.endpoint->access & ENDPOINT_TWOFOLD) != 0 &&
           exchange_service(ex)->config.ui && accept_html(exchange_head(ex)->accept);
}

/* Returns true if the request needs no key: health, pages, OPTIONS, --admin-listen, --warm. */
static bool is_open(const struct exchange *ex)
{
    enum listener_kind listener_kind = ex->connection->listener_kind;

    return exchange_head(ex)->method == METHOD_OPTIONS ||
           listener_kind == LISTENER_KIND_ADMIN || listener_kind == LISTENER_KIND_INTERNAL ||
           (ex->target.endpoint &&
            ((ex->target.endpoint->access & (ENDPOINT_OPEN | ENDPOINT_KEYLESS)) ||
             asks_for_page(ex)));
}

static bool refuse(struct exchange *ex)
{
    access_log_reject(ex, METRICS_REJECT_KEY);
    exchange_fail(ex, PROBLEM_UNAUTHORIZED,
                  *auth_token(ex) ? "the key is none of this server's; ask its operator for one"
                                  : "a key is needed; send it as Authorization: Bearer KEY");
    return false;
}

bool auth_admits(struct exchange *ex)
{
    return is_open(ex) || has_key(ex) || auth_is_admin(ex) || refuse(ex);
}

bool auth_admits_table_change(struct exchange *ex)
{
    const struct config *config = &exchange_service(ex)->config;

    if (!auth_is_admin(ex))
        exchange_fail(ex, PROBLEM_UNAUTHORIZED,
                      config->admin_token_file
                          ? "changing tables needs the admin token, as Authorization: Bearer "
                            "TOKEN"
                          : "tables cannot be changed here: the server has no "
                            "--admin-token-file");
    else if (!config->learned_tables_dir)
        exchange_fail(ex, PROBLEM_NOT_FOUND,
                      "this server has no tables; --learned-tables-dir names their folder");
    else if (!table_file_is_stem(ex->target.segment, ex->target.segment_len))
        exchange_fail(ex, PROBLEM_BAD_REQUEST,
                      "a file's name is 1 to %d letters, digits and ._-, the first no mark",
                      TABLE_FILE_STEM_MAX);
    else
        return true;
    return false;
}
