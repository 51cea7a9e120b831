/* SPDX-License-Identifier: Apache-2.0
 * document.h - a document, JSON or HTML, of an endpoint whose work is ENDPOINT_DOCUMENT: it
 * depends on the path, the query, and the models and tables of the service alone. It is an
 * entry of the cache, by a canonical key. The first request for it has the pool write it, and
 * equal requests wait for that one; all connections that read it share its bytes. Its gzip
 * variant is an entry as those of answers are (compress.h). */
#pragma once

#include "proto/describe/fields.h"
#include "proto/describe/openapi.h"
#include "proto/inference/inference_model.h"
#include "proto/pages/page_state.h"
#include "server/document/document_head.h"
#include "server/exchange/internal.h"
#include "server/net/reservation.h"

struct document;
struct model_set;
struct tables;

/* Reads which document of its kind the request asks for, and adds to .key what tells it from
 * the others. False: there is none, and the problem's step is next. */
typedef bool document_read(struct exchange *ex, struct document *document);
/* Writes the document, on any thread. */
typedef void document_write(struct buffer *out, const struct document *document);

/* A document depends on the path, the query, and one of these. */
enum document_depends { DOCUMENT_OF_NOTHING, DOCUMENT_OF_MODELS, DOCUMENT_OF_TABLES };

struct document_kind {
    const char *type; /* Content-Type */
    enum document_depends depends;
    double operations; /* rough number of operations (core/posenc.h) that writing takes */
    document_read *read;
    document_write *write;
};

/* All that a document is written from. It belongs to its exchange, or to the job on the
 * pool, and does not move: what it keeps of a query is counted as bytes of --max-inflight. */
struct document {
    const struct document_kind *kind;
    const struct config *config;
    bool foreign;        /* of the Open Inference Protocol: neither compressed nor stored */
    unsigned generation; /* of the service, read before models and tables */
    struct model_set *models;         /* NULL: the document does not depend on them */
    struct tables *tables;            /* NULL: it does not, or the service has none */
    const struct model *model;        /* borrowed from models */
    struct inference_model inference; /* borrows from models */
    struct fields_query asked;        /* of a list */
    struct openapi_part part;         /* of OpenAPI */
    double operations;                /* of writing it; 0: those of its kind */
    size_t number;                    /* of an encoding, a guide or a problem */
    size_t state;                     /* of a page, by its query: an output, a port; 0: none */
    struct page_state page;           /* of an encoding's page, by its query */
    struct reservation reservation;   /* of the page's state and of the key */
    /* The key of the gzip variant; without its first byte that of the identity variant. From
     * `own` on it is what document_read has added. */
    struct buffer key;
    size_t own;
};

/* Answers with the document of that kind that the request asks for. */
enum next document_answer(struct exchange *ex, const struct document_kind *kind);
