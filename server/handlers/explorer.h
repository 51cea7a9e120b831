/* SPDX-License-Identifier: Apache-2.0
 * explorer.h - the documents of the explorer: / and /compare, and /explore/{id} for each
 * encoding. Their script draws what the paths below /v1 answer. */
#pragma once

#include "server/exchange/internal.h"

/* The first steps. At / a client that does not ask for HTML gets the index as JSON. */
exchange_step explorer_root, explorer_compare, explorer_encoding;
