/* SPDX-License-Identifier: Apache-2.0
 * process_metrics.h - the process_* metrics that Prometheus clients commonly have. */
#pragma once

#include "proto/text/buffer.h"

void process_metrics_write(struct buffer *out);
