/* SPDX-License-Identifier: Apache-2.0
 * page_tag.c - see page_tag.h. */
#include "server/http/page_tag.h"

#include <stdio.h>
#include <xxhash.h>

#include "proto/http/gzip.h"

struct page_tag page_tag_of(const char *bytes, size_t len, enum content_coding coding)
{
    XXH128_hash_t hash = XXH3_128bits(bytes, len);
    struct page_tag tag;

    snprintf(tag.text, sizeof tag.text, "\"%016llx%016llx%s\"", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64, coding == CONTENT_CODING_GZIP ? "-" GZIP_TAG : "");
    return tag;
}
