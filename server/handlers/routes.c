/* SPDX-License-Identifier: Apache-2.0
 * routes.c - the first step of a request at each endpoint, once its path is known. */
#include "server/handlers/routes.h"

#include "server/handlers/assets.h"
#include "server/handlers/explorer.h"
#include "server/handlers/health.h"
#include "server/handlers/missing_page.h"
#include "server/handlers/model_pages.h"
#include "server/handlers/pages.h"
#include "server/handlers/table_pages.h"
#include "server/handlers/verify.h"

const struct exchange_routes routes = {
    .pages_new = pages_new,
    .pages_free = pages_free,
    .problem_page = missing_page_write,
    .first_step[ENDPOINT_ENCODING] = exchange_begin_encoding,
    .first_step[ENDPOINT_APPLY] = exchange_begin_encoding,
    .first_step[ENDPOINT_ENCODINGS] = pages_list,
    .first_step[ENDPOINT_ENCODING_SCHEMA] = pages_answer,
    .first_step[ENDPOINT_MODELS] = model_pages_list,
    .first_step[ENDPOINT_MODELS_RESOLVE] = model_pages_resolve,
    .first_step[ENDPOINT_VERIFY] = verify_begin,
    .first_step[ENDPOINT_TABLES] = table_pages_list,
    .first_step[ENDPOINT_TABLE] = table_pages_one,
    .first_step[ENDPOINT_MODEL] = model_pages_one,
    .first_step[ENDPOINT_OPENAPI] = pages_openapi,
    .first_step[ENDPOINT_DOCS] = pages_answer,
    .first_step[ENDPOINT_DOCS_PAGE] = pages_answer,
    .first_step[ENDPOINT_DOCS_VERIFY] = pages_answer,
    .first_step[ENDPOINT_MODELS_PAGE] = model_pages_html_list,
    .first_step[ENDPOINT_MODEL_PAGE] = model_pages_html_one,
    .first_step[ENDPOINT_PROBLEM] = pages_answer,
    .first_step[ENDPOINT_ROOT] = explorer_root,
    .first_step[ENDPOINT_COMPARE] = explorer_compare,
    .first_step[ENDPOINT_EXPLORE] = explorer_encoding,
    .first_step[ENDPOINT_ASSET] = assets_answer,
    .first_step[ENDPOINT_VERSION] = pages_answer,
    .first_step[ENDPOINT_LIVEZ] = health_live,
    .first_step[ENDPOINT_HEALTHZ] = health_live,
    .first_step[ENDPOINT_READYZ] = health_ready,
    .first_step[ENDPOINT_METRICS] = health_metrics,
};
