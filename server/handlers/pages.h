/* SPDX-License-Identifier: Apache-2.0
 * pages.h - documents that do not change while the service runs. Each loop has a set; a
 * document is made at its first request, and then sent as a ready-made response with a strong
 * ETag. */
#pragma once

#include "server/exchange/internal.h"

struct page_set *pages_new(const struct config *config); /* NULL: out of memory */
void pages_free(struct page_set *pages);
/* The first step of a request for a document. */
exchange_step pages_answer;
/* The first step of a request for the catalogue, of which fields= asks for a part. */
exchange_step pages_list;
/* The first step of a request for OpenAPI, of which encoding= asks for a part. */
exchange_step pages_openapi;
