/* SPDX-License-Identifier: Apache-2.0
 * auth.c - see auth.h. The client's token is only ever compared. */
#include "server/exchange/auth.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include "proto/http/accept.h"
#include "proto/tensors/table_file.h"
#include "server/files/api_keys.h"
#include "server/files/secrets.h"
#include "server/net/peers.h"
#include "server/quota/client_table.h"

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

struct peer *auth_peer(struct exchange *ex)
{
    struct client *client = ex->client.client;

    if (!ex->key_peer && client && !client_is_address(client)) {
        char label[QUOTA_NAME_MAX + 1];

        client_copy_label(client, label);
        ex->key_peer = peers_take_key(exchange_service(ex)->peers, label, strlen(label));
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

/* ---- keys -------------------------------------------------------------------------------- */

static bool refuse(struct exchange *ex, const char *why)
{
    access_log_reject(ex, METRICS_REJECT_KEY);
    exchange_fail(ex, PROBLEM_UNAUTHORIZED, "%s", why);
    return false;
}

static bool refuse_expired(struct exchange *ex, int64_t expires)
{
    const time_t at = (time_t)expires;
    char text[100] = "the key has expired";
    struct tm day;

    if (gmtime_r(&at, &day))
        strftime(text, sizeof text,
                 "the key expired at %Y-%m-%dT%H:%M:%SZ; ask its operator for another one",
                 &day);
    return refuse(ex, text);
}

/* Returns the row of the file whose client this is: of its key, of the name in its certificate,
 * or of those who have neither. NULL: there is none, and 401 is the next step. */
static const struct api_key *find_row(struct exchange *ex)
{
    const struct api_keys *keys = loop_secrets(ex->state->loop)->clients;
    const char *shown = auth_token(ex), *subject = ex->connection->subject;
    const struct api_key *row = NULL;

    if (*shown)
        row = api_keys_find(keys, shown, strlen(shown));
    else if (!exchange_head(ex)->authorization && subject)
        row = api_keys_find_subject(keys, subject);
    else if (!exchange_head(ex)->authorization)
        row = api_keys_find_keyless(keys);
    if (!row)
        refuse(ex, *shown ? "the key is none of this server's; ask its operator for one"
                   : subject && !exchange_head(ex)->authorization
                       ? "the certificate is valid, but its name is none of this server's; "
                         "ask its operator for a row"
                       : "a key is needed; send it as Authorization: Bearer KEY");
    return row;
}

/* Refers to the client whom a row names. NULL: out of memory. */
static struct client *take_client(struct exchange *ex, const struct api_key *row)
{
    const struct api_keys *keys = loop_secrets(ex->state->loop)->clients;
    struct peer_identity identity;

    if (row != api_keys_find_keyless(keys))
        return client_table_share(row->client);
    identity = peers_address(ex->connection->peer);
    return client_table_take_address(
        exchange_service(ex)->clients, row->client,
        &(struct client_address){.bits = identity.bits, .kind = identity.kind});
}

/* ---- limits ------------------------------------------------------------------------------ */

static bool refuse_use(struct exchange *ex, const struct client_refusal *refusal)
{
    const char *whose =
        client_is_address(ex->client.client) ? "requests without a key" : "this key";

    access_log_reject(ex, METRICS_REJECT_LIMIT);
    if (refusal->limit == QUOTA_ENDPOINTS)
        exchange_fail(ex, PROBLEM_FORBIDDEN,
                      "the operator did not give this path to %s (endpoints)", whose);
    else
        exchange_fail(ex, PROBLEM_TOO_MANY_REQUESTS,
                      "the limit \"%s\" of %s is reached; try again in %u s",
                      quota_limit_name(refusal->limit), whose, refusal->retry_s);
    ex->problem.retry_s = refusal->retry_s;
    if (refusal->limit != QUOTA_ENDPOINTS)
        ex->problem.limited_by = quota_limit_name(refusal->limit);
    ex->problem.held = refusal->is_flood;
    return false;
}

static bool admits_client(struct exchange *ex)
{
    const struct api_key *row = find_row(ex);
    const size_t endpoint = ex->target.endpoint ? ex->target.endpoint->id : ENDPOINT_NONE;
    struct client_refusal refusal;

    if (!row)
        return false;
    if (row->expires != 0 && row->expires < (int64_t)time(NULL))
        return refuse_expired(ex, row->expires);
    ex->client.client = take_client(ex, row);
    if (!ex->client.client) {
        exchange_fail_status(ex, PE_NO_MEMORY);
        return false;
    }
    ex->client.admitted =
        client_admit(ex->client.client, endpoint, ex->access.started_ns, &refusal);
    return ex->client.admitted || refuse_use(ex, &refusal);
}

void auth_charge_bytes(struct exchange *ex)
{
    const uint64_t all = ex->response.bytes + ex->body.received;

    if (!ex->client.admitted || all <= ex->client.charged)
        return;
    client_charge_bytes(ex->client.client, all - ex->client.charged);
    ex->client.charged = all;
}

void auth_charge_work(struct exchange *ex, uint64_t ns)
{
    if (!ex->client.admitted)
        return;
    client_charge_work(ex->client.client, ns);
    ex->client.work_ns += ns;
}

void auth_leave(struct exchange *ex)
{
    if (!ex->client.admitted)
        return;
    auth_charge_bytes(ex);
    client_leave(ex->client.client);
    ex->client.admitted = false;
}

/* ---- what is admitted -------------------------------------------------------------------- */

bool auth_admits(struct exchange *ex)
{
    return is_open(ex) || auth_is_admin(ex) || admits_client(ex);
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
