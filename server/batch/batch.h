/* SPDX-License-Identifier: Apache-2.0
 * batch.h - POST and QUERY of /v1/batch: many requests for encodings in one answer. The
 * requests are parts of one exchange: each in turn runs the steps of a request of its own
 * (exchange.c), so that it has the same caches, limits and metrics. The loop serves other
 * connections between them, and all of them share one work timeout and one budget of elements
 * and bytes. */
#pragma once

#include "server/exchange/internal.h"

exchange_step batch_begin; /* the first step */
/* Returns the most bytes of the joined answers. */
uint64_t batch_most_bytes(const struct config *config);
