/* SPDX-License-Identifier: Apache-2.0
 * batch_tag.h - the entity tag of the answer to a batch: a hash of the tags of its answers and
 * of their ids, in order. */
#pragma once

#include <stdbool.h>

#include "proto/http/content_coding.h"

struct format;
struct request;

enum { BATCH_TAG_SIZE = 80 };

struct batch_tag; /* a tag that is being made */

struct batch_tag *batch_tag_new(const struct format *format); /* NULL: out of memory */
void batch_tag_free(struct batch_tag *tag);
/* Adds the next request, which is finished. id may be NULL. */
void batch_tag_add(struct batch_tag *tag, const char *id, const struct request *request);
/* Prints the strong tag, with its quotes, of the answer in that coding. */
void batch_tag_print(const struct batch_tag *tag, enum content_coding coding,
                     char text[BATCH_TAG_SIZE]);
