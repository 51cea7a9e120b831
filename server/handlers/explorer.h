/* SPDX-License-Identifier: Apache-2.0
 * explorer.h - the documents of the explorer: / and /compare, and /explore/{id} for each
 * encoding. Their script draws what the paths below /v1 answer. */
#pragma once

#include "server/document/document.h"

/* Rows of pages.def. The query is for the script; a title has the output and the model that it
 * names. */
document_read explorer_read_encoding;
document_write explorer_write_home, explorer_write_compare, explorer_write_encoding;
