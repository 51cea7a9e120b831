/* SPDX-License-Identifier: Apache-2.0
 * document_alone.c - see document_alone.h. */
#include "server/document/document_alone.h"

#include <stdlib.h>

#include "proto/http/gzip.h"
#include "server/exchange/compress.h"

struct document_alone *document_alone_new(struct exchange *ex)
{
    struct document_alone *alone = calloc(1, sizeof *alone);

    if (!alone)
        return NULL;
    alone->reservation = reservation_of(exchange_service(ex));
    alone->text.budget = &alone->reservation.budget;
    alone->wants_gzip = compress_wanted(ex);
    alone->accepted = ex->compress.accepted;
    return alone;
}

void document_alone_free(struct document_alone *alone)
{
    if (!alone)
        return;
    reservation_trim(&alone->reservation, 0);
    buffer_fini(&alone->text);
    free(alone->gzip);
    free(alone);
}

static void compress(struct document_alone *alone)
{
    const struct buffer *text = &alone->text;
    struct gzip *compressor = NULL;

    if (reservation_take(&alone->reservation, gzip_bound(text->len)))
        compressor = gzip_new();
    if (!compressor ||
        !gzip_compress(compressor, text->bytes, text->len, &alone->gzip, &alone->gzip_len))
        alone->gzip = NULL;
    gzip_free(compressor);
}

bool document_alone_finish(struct document_alone *alone)
{
    const struct buffer *text = &alone->text;

    if (text->failed || !text->bytes)
        return false;
    alone->hash = document_hash_of(text->bytes, text->len);
    if (alone->wants_gzip && (text->len >= CONTENT_CODING_LEAST || !alone->accepted.identity))
        compress(alone);
    return true;
}

/* ---- answering ----------------------------------------------------------------------- */

/* Returns whether the answer may be asked for again, with its tag. */
static bool is_kept(const struct exchange *ex)
{
    return exchange_head(ex)->method != METHOD_POST &&
           ex->target.endpoint->id != ENDPOINT_VERIFY;
}

static enum next answer(struct exchange *ex, struct document_alone *alone,
                        enum content_coding coding)
{
    const bool kept = is_kept(ex), gzip = coding == CONTENT_CODING_GZIP;
    const struct document_tag tag = document_tag_of(alone->hash, coding);
    const struct response_meta meta = document_meta_of(ex, kept, coding, &tag);
    size_t len = gzip ? alone->gzip_len : alone->text.len;
    struct header_block head;
    char *bytes;

    if (kept && document_condition(ex, &tag) != IF_NONE_MATCH_NONE)
        return response_not_modified(ex, &meta, len);
    if (!exchange_share(ex, len))
        return MORE;
    bytes = gzip ? alone->gzip : buffer_take(&alone->text, &len);
    if (gzip) {
        alone->gzip = NULL;
        buffer_fini(&alone->text);
    }
    header_block_init(&head);
    document_write_type(&head, DOCUMENT_JSON);
    response_write_coding(&head, coding);
    response_write_link(&head, &exchange_service(ex)->config);
    response_write_meta(&head, &meta);
    return exchange_forget_request(
        ex,
        response_queue(ex, 200, response_of_bytes(ex, bytes, len, &alone->reservation), &head));
}

static enum next step_answer(struct exchange *ex)
{
    struct document_alone *alone = ex->document.document;
    const struct document_tag tag = document_tag_of(alone->hash, CONTENT_CODING_IDENTITY);
    const bool known = is_kept(ex) && document_condition(ex, &tag) == IF_NONE_MATCH_MATCH;

    if (alone->gzip && !known)
        return answer(ex, alone, CONTENT_CODING_GZIP);
    ex->compress.accepted = alone->accepted;
    return compress_refuses_identity(ex) ? MORE : answer(ex, alone, CONTENT_CODING_IDENTITY);
}

static void free_alone(void *alone)
{
    document_alone_free(alone);
}

void document_alone_give(struct exchange *ex, struct document_alone *alone)
{
    ex->document = (struct exchange_document){.document = alone, .free = free_alone};
    ex->step = step_answer;
}
