/* SPDX-License-Identifier: Apache-2.0
 * html_check.h - checks of a whole HTML page: its elements nest, its ids differ, its links
 * within the page lead somewhere, and nothing in it is inline. */
#pragma once

#include "proto/text/buffer.h"

/* Fails the test, naming the page, unless the page is well-formed; empties the buffer. */
void html_check(struct buffer *page, const char *name);
/* Writes the page anew with each of its allocations refused in turn: the buffer is to fail
 * then, and to hold nothing once it is freed. */
void html_check_memory(void (*write)(struct buffer *out));
