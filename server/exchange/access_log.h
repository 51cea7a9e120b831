/* SPDX-License-Identifier: Apache-2.0
 * access_log.h - writes a log line and counts metrics for each request that is over. */
#pragma once

#include "server/exchange/internal.h"

/* sent: the whole response was. */
void access_log_record(struct exchange *ex, bool sent);
