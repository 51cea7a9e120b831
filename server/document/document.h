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
#include "server/document/document_head.h"
#include "server/exchange/internal.h"

struct document;
struct model_set;
struct tables;

struct document_kind {
    const char *type;  /* Content-Type */
    bool foreign;      /* of the Open Inference Protocol: neither compressed nor stored */
    double operations; /* rough number of operations (core/posenc.h) that writing takes */
    void (*write)(struct buffer *out, const struct document *document); /* on any thread */
};

/* All that a document is written from. It belongs to its exchange, or to the job on the
 * pool. */
struct document {
    const struct document_kind *kind;
    const struct config *config;
    unsigned generation;              /* of the service, read before models and tables */
    struct model_set *models;         /* NULL: the document does not depend on them */
    struct tables *tables;            /* NULL likewise */
    const struct model *model;        /* borrowed from models */
    struct inference_model inference; /* borrows from models */
    struct fields_query asked;        /* of a list */
    struct openapi_part part;         /* of OpenAPI */
    size_t number;                    /* of an encoding, a guide or a problem */
    const char *canonical;            /* document_answer; borrowed from the key */
    size_t canonical_len;
    /* The key of the gzip variant; without its first byte that of the identity variant. */
    struct buffer key;
};

/* Returns a document that depends on nothing yet; NULL: no memory. */
struct document *document_new(struct exchange *ex, const struct document_kind *kind);
/* Makes it depend on the models, or the tables, that the service has now. */
void document_take_models(struct document *document, struct service *service);
void document_take_tables(struct document *document, struct service *service);
void document_free(struct document *document); /* NULL is ignored */
/* Answers with the document, which is taken; NULL: the problem of no memory is next.
 * canonical: what tells it from others of its endpoint and type, besides models and tables. */
enum next document_answer(struct exchange *ex, struct document *document, const char *canonical,
                          size_t len);
