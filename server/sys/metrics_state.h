/* SPDX-License-Identifier: Apache-2.0
 * metrics_state.h - what the service is doing, and within which limits: readiness, overload
 * level, flags that limit, memory, and what its clients have used. */
#pragma once

#include "server/sys/metrics_gauges.h"
#include "server/sys/metrics_page.h"

void metrics_state_write(struct metrics_page *page, const struct metrics_gauges *gauges);
