/* SPDX-License-Identifier: Apache-2.0
 * page_tag.h - entity tags of a page's variants: a hash of its text, and how that is coded. */
#ifndef SERVER_PAGE_TAG_H
#define SERVER_PAGE_TAG_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/http/content_coding.h"

struct page_tag {
    char text[64]; /* with its quotes */
};

struct page_tag page_tag_of(const char *bytes, size_t len, enum content_coding coding);

#endif
