/* SPDX-License-Identifier: Apache-2.0
 * health.h - the first steps of /livez, /readyz and /metrics. These endpoints are answered at
 * every level of overload and never cached. */
#pragma once

#include "server/exchange/internal.h"

/* Returns whether every loop answers its heartbeat, and whether the service is ready for
 * traffic. */
bool health_is_live(const struct exchange *ex);
bool health_is_ready(const struct exchange *ex);

exchange_step health_live, health_ready, health_metrics;
