/* SPDX-License-Identifier: Apache-2.0
 * process_metrics.h - the process_* metrics that Prometheus clients commonly have. */
#ifndef SERVER_PROCESS_METRICS_H
#define SERVER_PROCESS_METRICS_H

#include "proto/text/buffer.h"

void process_metrics_write(struct buffer *out);

#endif
