/* SPDX-License-Identifier: Apache-2.0
 * health.h - the first steps of /livez, /readyz and /metrics. These endpoints are answered at
 * every level of overload and never cached. */
#ifndef SERVER_HEALTH_H
#define SERVER_HEALTH_H

#include "server/exchange/internal.h"

exchange_step health_live, health_ready, health_metrics;

#endif
