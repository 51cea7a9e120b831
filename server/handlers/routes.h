/* SPDX-License-Identifier: Apache-2.0
 * routes.h - the endpoints that the service serves, each with the first step of its
 * requests. */
#pragma once

#include "server/exchange/internal.h"

extern const struct exchange_routes routes;
