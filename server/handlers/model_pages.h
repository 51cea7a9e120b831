/* SPDX-License-Identifier: Apache-2.0
 * model_pages.h - /v1/models, /v1/models/{model} and /v1/models/resolve; /models and
 * /models/{model}, the same as HTML. */
#pragma once

#include "proto/models/models.h"
#include "server/document/document.h"

/* Rows of pages.def. */
document_read model_pages_read_list, model_pages_read_one;
document_write model_pages_write_list, model_pages_write_one;
document_write model_pages_write_html_list, model_pages_write_html_one;
/* The first step of a request that resolves a configuration. */
exchange_step model_pages_resolve;

/* Answers that there is no model of the path's name, with the nearest ones. */
enum next model_pages_unknown(struct exchange *ex, const struct models *models);
