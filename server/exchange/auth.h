/* SPDX-License-Identifier: Apache-2.0
 * auth.h - who may ask what: the client's key, the admin token. */
#ifndef SERVER_AUTH_H
#define SERVER_AUTH_H

#include <stdbool.h>

#include "server/exchange/internal.h"

/* The token behind "Bearer " (RFC 6750 2.1), whether it is right or not; "" if there is none.
 * It goes nowhere but into a comparison or a hash. */
const char *auth_token(const struct exchange *ex);
/* The client showed the admin token, as Authorization: Bearer TOKEN. False without
 * --admin-token-file. */
bool auth_is_admin(const struct exchange *ex);
/* Where keys are in use: this request may be carried out, since it shows one, or since it is
 * for all, as health is. Else 401 is the next step. */
bool auth_admits(struct exchange *ex);
/* 401 is the next step. */
enum next auth_refuse(struct exchange *ex);

#endif
