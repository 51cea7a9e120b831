/* SPDX-License-Identifier: Apache-2.0
 * auth.h - authorizes requests by the client's key or by the admin token. */
#pragma once

#include <stdbool.h>

#include "server/exchange/internal.h"

/* Returns the token behind "Bearer " (RFC 6750 2.1), valid or not, or "" if there is none. The
 * token may only be compared or hashed. */
const char *auth_token(const struct exchange *ex);
/* Returns the peer that the request belongs to, for as long as the exchange lasts: the API key
 * that it shows, where keys are in use, else the peer of its connection. */
struct peer *auth_peer(struct exchange *ex);
/* Take from the limits of the request's client, if it has one, the bytes of body and answer
 * that were not taken yet, and time of a thread; give its place in flight back at the end of
 * the request. */
void auth_charge_bytes(struct exchange *ex);
void auth_charge_work(struct exchange *ex, uint64_t ns);
void auth_leave(struct exchange *ex);
/* Returns true if the client sent the admin token, as Authorization: Bearer TOKEN. False
 * without --admin-token-file. */
bool auth_is_admin(const struct exchange *ex);
/* Called where keys are in use. Returns true if the request carries a valid key, which has not
 * used up its limits, or needs none, as health does. Otherwise 401, 403 or 429 is the next
 * step. */
bool auth_admits(struct exchange *ex);
/* Returns true if this client may change the file of tables that the path names; else the
 * problem's step is next. Called before the body is read, and again before the change. */
bool auth_admits_table_change(struct exchange *ex);
