/* SPDX-License-Identifier: Apache-2.0
 * model_urls.h - the queries that ask for a model's numbers: its tables, and the outputs
 * that need no positions (inv_freq, slopes) or no table of the client's (index), once for
 * each choice that the model leaves open. */
#pragma once

#include "core/posenc.h"
#include "proto/models/model.h"
#include "proto/text/buffer.h"

enum { MODEL_URLS_MAX = 8 };

/* Writes the queries of requests for the use's encoding, which must exist: the part after "?"
 * of each URL. named: the queries have model=id in place of the settings (NULL: they have the
 * settings). Outputs for which the client must bring something have none. Returns the number of
 * queries, at most MODEL_URLS_MAX. */
size_t model_urls(const struct model_use *use, const struct model *named,
                  struct buffer queries[MODEL_URLS_MAX]);
/* Writes the query with every setting that the default outputs use. It is the first of the
 * queries, or, where the client must bring something, the settings alone. */
void model_urls_query(const struct model_use *use, struct buffer *query);
