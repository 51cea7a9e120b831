/* SPDX-License-Identifier: Apache-2.0
 * health.h - the first steps of /livez, /readyz and /metrics. These endpoints are answered at
 * every level of overload and never cached. */
#pragma once

#include "server/exchange/internal.h"

exchange_step health_live, health_ready, health_metrics;
