/* SPDX-License-Identifier: Apache-2.0
 * routes.c - the first step of a request at each endpoint, once its path is known. */
#include "server/handlers/routes.h"

#include "server/batch/batch.h"
#include "server/handlers/assets.h"
#include "server/handlers/health.h"
#include "server/handlers/inference.h"
#include "server/handlers/missing_page.h"
#include "server/handlers/model_pages.h"
#include "server/handlers/model_tables.h"
#include "server/handlers/pages.h"
#include "server/handlers/verify.h"

const struct exchange_routes routes = {
    .problem_page = missing_page_write,
    .document = pages_answer,
    .first_step[ENDPOINT_ENCODING] = exchange_begin_encoding,
    .first_step[ENDPOINT_APPLY] = exchange_begin_encoding,
    .first_step[ENDPOINT_BATCH] = batch_begin,
    .first_step[ENDPOINT_MODELS_RESOLVE] = model_pages_resolve,
    .first_step[ENDPOINT_VERIFY] = verify_begin,
    .first_step[ENDPOINT_TABLE] = pages_table,
    .first_step[ENDPOINT_MODEL_TABLES] = model_tables_begin,
    .first_step[ENDPOINT_ASSET] = assets_answer,
    .first_step[ENDPOINT_LIVEZ] = health_live,
    .first_step[ENDPOINT_HEALTHZ] = health_live,
    .first_step[ENDPOINT_READYZ] = health_ready,
    .first_step[ENDPOINT_METRICS] = health_metrics,
    .first_step[ENDPOINT_INFERENCE_LIVE] = inference_live,
    .first_step[ENDPOINT_INFERENCE_READY] = inference_ready,
    .first_step[ENDPOINT_INFERENCE_INFER] = inference_infer,
    .first_step[ENDPOINT_INFERENCE_VERSION_INFER] = inference_infer,
};
