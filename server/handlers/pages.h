/* SPDX-License-Identifier: Apache-2.0
 * pages.h - the documents of the service (document.h): pages.def has a row for each, with all
 * in which it differs from others. The rows of the catalogue, schemas, OpenAPI, documentation,
 * problems, index and version, which do not change while the service runs, are served by
 * functions of pages.c. */
#pragma once

#include "server/exchange/internal.h"

/* The first step of a request for a document; and for a table or a change of its file. */
exchange_step pages_answer, pages_table;
