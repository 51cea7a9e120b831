/* SPDX-License-Identifier: Apache-2.0
 * routes.h - the endpoints that the service serves, each with the first step of its
 * requests. */
#ifndef SERVER_ROUTES_H
#define SERVER_ROUTES_H

#include "server/exchange/internal.h"

extern const struct exchange_routes routes;

#endif
