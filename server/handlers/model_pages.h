/* SPDX-License-Identifier: Apache-2.0
 * model_pages.h - /v1/models, /v1/models/{model} and /v1/models/resolve; /models and
 * /models/{model}, the same as HTML. */
#pragma once

#include "proto/models/models.h"
#include "server/exchange/internal.h"

exchange_step model_pages_list, model_pages_one, model_pages_resolve;
exchange_step model_pages_html_list, model_pages_html_one;

/* Answers that there is no model of the path's name, with the nearest ones. */
enum next model_pages_unknown(struct exchange *ex, const struct models *models);
