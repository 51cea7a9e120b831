/* SPDX-License-Identifier: Apache-2.0
 * process_metrics.h - what the kernel says of this process, as the process_* metrics everybody
 * has. */
#ifndef SERVER_PROCESS_METRICS_H
#define SERVER_PROCESS_METRICS_H

#include "proto/text/buffer.h"

void process_metrics_write(struct buffer *out);

#endif
