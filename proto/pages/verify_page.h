/* SPDX-License-Identifier: Apache-2.0
 * verify_page.h - /verify: the page that takes numbers of the reader's and says what is wrong
 * with them. Its script sends them to /v1/verify; the page has what is read before that. */
#pragma once

#include <stddef.h>

#include "proto/pages/page_frame.h"
#include "proto/text/buffer.h"

/* Returns the number of the built-in port of that name, from 1 on; 0: there is none. */
size_t verify_page_port(const char *name, size_t len);
/* The longest request that the service reads, in bytes. */
struct verify_page_limits {
    size_t body, target; /* --max-body, and the path with its query */
};

/* port: the one that the page begins with, which is in its title; 0: none. */
void verify_page_write(struct buffer *out, const struct page_frame *frame,
                       const struct verify_page_limits *limits, size_t port);
