/* SPDX-License-Identifier: Apache-2.0
 * pages.h - documents that do not change while the service runs: catalogue, schemas, OpenAPI,
 * documentation, problems, index, version. */
#pragma once

#include "server/exchange/internal.h"

/* The first step of a request for such a document. */
exchange_step pages_answer;
/* The first step of a request for the catalogue, of which fields= asks for a part. */
exchange_step pages_list;
/* The first step of a request for OpenAPI, of which encoding= asks for a part. */
exchange_step pages_openapi;
