/* SPDX-License-Identifier: Apache-2.0
 * routes.c - the first step of a request at each endpoint, once its path is known. */
#include "server/exchange/internal.h"
#include "server/handlers/model_pages.h"
#include "server/handlers/table_pages.h"

exchange_step *const routes_first_step[ENDPOINT_COUNT] = {
    [ENDPOINT_ENCODING] = exchange_begin_encoding,
    [ENDPOINT_APPLY] = exchange_begin_encoding,
    [ENDPOINT_ENCODINGS] = pages_answer,
    [ENDPOINT_ENCODING_SCHEMA] = pages_answer,
    [ENDPOINT_MODELS] = model_pages_list,
    [ENDPOINT_MODELS_RESOLVE] = model_pages_resolve,
    [ENDPOINT_TABLES] = table_pages_list,
    [ENDPOINT_TABLE] = table_pages_one,
    [ENDPOINT_MODEL] = model_pages_one,
    [ENDPOINT_OPENAPI] = pages_answer,
    [ENDPOINT_PROBLEM] = pages_answer,
    [ENDPOINT_ROOT] = pages_answer,
    [ENDPOINT_VERSION] = pages_answer,
    [ENDPOINT_LIVEZ] = health_live,
    [ENDPOINT_HEALTHZ] = health_live,
    [ENDPOINT_READYZ] = health_ready,
    [ENDPOINT_METRICS] = health_metrics,
};
