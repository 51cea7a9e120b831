/* SPDX-License-Identifier: Apache-2.0
 * pages.h - documents that do not change while the service runs: made at start, one set a
 * loop, answered from ready-made responses with strong ETags. */
#ifndef SERVER_PAGES_H
#define SERVER_PAGES_H

#include "server/config.h"

struct page_set;

struct page_set *pages_new(const struct config *config); /* NULL: out of memory */
void pages_free(struct page_set *pages);

#endif
