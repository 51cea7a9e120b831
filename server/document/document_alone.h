/* SPDX-License-Identifier: Apache-2.0
 * document_alone.h - a document that is written for one request, because it depends on its
 * body (ENDPOINT_ALONE): /v1/models/resolve, /v1/verify. The job of the request writes and
 * compresses it on the pool. */
#pragma once

#include "server/document/document_head.h"
#include "server/exchange/internal.h"

/* Begun on the loop; then the job's until it is given to its exchange. It does not move. */
struct document_alone {
    struct buffer text; /* to be written; it reserves bytes as it grows */
    struct reservation reservation;
    struct content_coding_accept accepted; /* by the client */
    bool wants_gzip;
    struct document_hash hash;
    char *gzip; /* the gzip variant; NULL: none */
    size_t gzip_len;
};

struct document_alone *document_alone_new(struct exchange *ex); /* NULL: no memory */
void document_alone_free(struct document_alone *alone);         /* NULL is ignored */
/* The text is written: makes the gzip variant, if the client wants it. On any thread. False:
 * there was no memory for the text. */
bool document_alone_finish(struct document_alone *alone);
/* Gives the finished document to the exchange, whose next step answers with it as JSON. It
 * is to be cached for a minute; after a POST, and of /v1/verify, not at all. */
void document_alone_give(struct exchange *ex, struct document_alone *alone);
