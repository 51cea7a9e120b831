/* SPDX-License-Identifier: Apache-2.0
 * explorer.h - the documents of the explorer: / and /compare, and /explore/{id} for each
 * encoding. Their script draws what the paths below /v1 answer. */
#pragma once

#include "server/document/document.h"

/* Rows of pages.def. The query is for the script; the head of the page has what a preview
 * shows of it, and a browser without a script gets a picture of each request. */
document_read explorer_read_encoding, explorer_read_compare;
document_write explorer_write_home, explorer_write_compare, explorer_write_encoding;
