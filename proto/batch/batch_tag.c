/* SPDX-License-Identifier: Apache-2.0
 * batch_tag.c - see batch_tag.h. */
#include "proto/batch/batch_tag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "proto/batch/batch_answer.h"
#include "proto/http/format.h"
#include "proto/http/gzip.h"
#include "proto/request/request.h"

struct batch_tag {
    XXH3_state_t *state;
};

struct batch_tag *batch_tag_new(const struct format *format)
{
    struct batch_tag *tag = calloc(1, sizeof *tag);
    char head[64];

    if (tag)
        tag->state = XXH3_createState();
    if (!tag || !tag->state) {
        free(tag);
        return NULL;
    }
    int len =
        snprintf(head, sizeof head, "batch %d %s", (int)BATCH_ANSWER_VERSION, format->name);
    XXH3_128bits_reset(tag->state);
    XXH3_128bits_update(tag->state, head, (size_t)len + 1);
    return tag;
}

void batch_tag_free(struct batch_tag *tag)
{
    if (tag)
        XXH3_freeState(tag->state);
    free(tag);
}

/* Each text ends with its NUL, so that no two batches have the same bytes. */
static void add_text(struct batch_tag *tag, const char *text)
{
    XXH3_128bits_update(tag->state, text, strlen(text) + 1);
}

void batch_tag_add(struct batch_tag *tag, const char *id, const struct request *request)
{
    add_text(tag, id ? id : "");
    add_text(tag, request_etag(request, CONTENT_CODING_IDENTITY));
}

void batch_tag_print(const struct batch_tag *tag, enum content_coding coding,
                     char text[BATCH_TAG_SIZE])
{
    XXH128_hash_t hash = XXH3_128bits_digest(tag->state);

    snprintf(text, BATCH_TAG_SIZE, "\"%016llx%016llx%s\"", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64, coding == CONTENT_CODING_GZIP ? "-" GZIP_TAG : "");
}
