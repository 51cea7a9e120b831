/* SPDX-License-Identifier: Apache-2.0
 * access_log.h - writes a log line and counts metrics for each request that is over. */
#pragma once

#include "server/exchange/internal.h"

void access_log_record(struct exchange *ex, enum MHD_RequestTerminationCode why);
