/* SPDX-License-Identifier: Apache-2.0
 * document.c - the steps of a request for a document:
 *
 *     find -> acquire -> (made by the pool) -> compress -> respond
 *
 * Those of a request whose ready-made response is in the response cache of the loop are before
 * them, in exchange_route.c. */
#include "server/document/document.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "proto/tensors/tables.h"
#include "server/cache/body_file.h"
#include "server/exchange/cache_wait.h"
#include "server/exchange/compress.h"
#include "server/exchange/response.h"
#include "server/files/model_files.h"
#include "server/files/table_files.h"

enum { CHEAP_NS = 100000 }; /* a document that takes less is cheap */

static exchange_step step_find, step_acquire, step_acquired, step_made, step_respond;

/* ---- making and freeing -------------------------------------------------------------- */

static void document_free(struct document *document)
{
    if (!document)
        return;
    model_files_drop(document->models);
    tables_drop(document->tables);
    buffer_fini(&document->key);
    page_state_fini(&document->page);
    reservation_trim(&document->reservation, 0);
    free(document);
}

static struct document *document_of(const struct exchange *ex)
{
    return ex->document.document;
}

static void free_document(void *document)
{
    document_free(document);
}

/* Gives the document, or NULL, to the exchange, which keys entries by it. */
static void own(struct exchange *ex, struct document *document)
{
    ex->document = (struct exchange_document){.document = document, .free = free_document};
    if (document) {
        ex->document.key = document->key.bytes;
        ex->document.key_len = document->key.len;
    }
}

/* Returns a document of the models or tables that the service has now; NULL: no memory. No key
 * of a request begins with the bytes of its key (request_key.c). What depends on models or
 * tables has their generation in its key. */
static struct document *document_new(struct exchange *ex, const struct document_kind *kind)
{
    struct service *service = exchange_service(ex);
    struct document *document = calloc(1, sizeof *document);

    if (!document)
        return NULL;
    document->kind = kind;
    document->reservation = reservation_of(service);
    document->page = page_state_of(&document->reservation.budget);
    document->key.budget = &document->reservation.budget;
    document->config = &service->config;
    document->foreign = (ex->target.endpoint->access & ENDPOINT_FOREIGN) != 0;
    document->generation = atomic_load_explicit(&service->generation, memory_order_acquire);
    if (kind->depends == DOCUMENT_OF_MODELS)
        document->models = model_files_take(service->models);
    if (kind->depends == DOCUMENT_OF_TABLES)
        document->tables = table_files_take(service->tables);
    buffer_add_format(&document->key, "g!%s %s ", ex->target.endpoint->path, kind->type);
    if (document->models || document->tables)
        buffer_add_integer(&document->key, document->generation);
    buffer_add_text(&document->key, " ");
    document->own = document->key.len;
    return document;
}

enum next document_answer(struct exchange *ex, const struct document_kind *kind)
{
    struct document *document = document_new(ex, kind);

    if (!document)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    ex->step = step_find;
    if (!kind->read(ex, document)) {
        document_free(document);
        return MORE;
    }
    own(ex, document);
    return document->key.failed || page_state_failed(&document->page)
               ? exchange_fail_status(ex, PE_NO_MEMORY)
               : MORE;
}

/* ---- writing, on the pool ------------------------------------------------------------ */

struct document_job {
    struct wait wait; /* first: a wait is cast to its job */
    struct service *service;
    struct document *document;
    struct cache_entry *entry;
    struct reservation reservation;
};

/* Moves a long text into a file, of which each connection is sent a piece at a time. Without
 * memory or a free descriptor it stays where it is. */
static void move_to_file(struct document_job *job, struct cache_answer *answer)
{
    struct body_file *file = NULL;

    if (answer->len >= BODY_FILE_LEAST &&
        reservation_take(&job->reservation, body_file_memory(answer->len)))
        file = body_file_new(cache_files(job->service->cache), answer->bytes, answer->len);
    if (!file)
        return;
    free(answer->bytes);
    answer->file = file;
    answer->bytes = (char *)(uintptr_t)file->bytes;
}

/* Gives the entry the text. False: there is no memory. */
static bool fill(struct document_job *job, struct buffer *text, uint64_t ns)
{
    const struct document *document = job->document;
    struct cache_answer answer = {.cheap = ns < CHEAP_NS};
    char *fitting;

    answer.bytes = buffer_take(text, &answer.len);
    fitting = answer.bytes ? realloc(answer.bytes, answer.len + 1) : NULL;
    answer.bytes = fitting ? fitting : answer.bytes;
    answer.headers = document_lines(document->config, document->kind->type, document->foreign);
    if (!answer.bytes || !answer.headers) {
        free(answer.bytes);
        free(answer.headers);
        return false;
    }
    const struct document_hash hash = document_hash_of(answer.bytes, answer.len);
    answer.hash[0] = hash.high;
    answer.hash[1] = hash.low;
    move_to_file(job, &answer);
    cache_finish(job->service->cache, job->entry, &answer);
    return true;
}

static void run(struct wait *wait)
{
    struct document_job *job = (struct document_job *)(void *)wait;
    struct buffer text = {.budget = &job->reservation.budget};
    const uint64_t start = uv_hrtime();

    job->document->kind->write(&text, job->document);
    if (!fill(job, &text, uv_hrtime() - start))
        cache_fail(job->entry, PROBLEM_OVERLOADED + 1);
    reservation_trim(&job->reservation, 0); /* the cache counts the entry */
}

static void give_back(struct document_job *job, struct exchange *ex)
{
    own(ex, job->document);
    ex->work.entry = job->entry;
    ex->step = step_made;
    if (!cache_entry_answer(ex->work.entry))
        exchange_fail_status(ex, PE_NO_MEMORY);
}

static void drop(struct document_job *job)
{
    if (!cache_entry_done(job->entry)) /* the pool was full */
        cache_fail(job->entry, PROBLEM_OVERLOADED + 1);
    cache_entry_unref(job->entry);
    document_free(job->document);
}

static void settle(struct wait *wait, struct exchange *ex)
{
    struct document_job *job = (struct document_job *)(void *)wait;

    if (ex)
        give_back(job, ex);
    else
        drop(job);
    free(job);
}

/* A job that has a place is done to its end, since other requests may wait for the entry. */
static const struct wait_kind kind = {.run = run, .step = SPAN_COMPUTE, .settle = settle};

/* ---- the steps ----------------------------------------------------------------------- */

static enum next go(struct exchange *ex, exchange_step *step)
{
    ex->step = step;
    return MORE;
}

static struct document_hash hash_of(const struct exchange *ex)
{
    const struct cache_answer *answer = cache_entry_answer(ex->work.entry);

    return (struct document_hash){answer->hash[0], answer->hash[1]};
}

/* The tag of the identity variant, which a client may have, is known by that variant alone. */
static enum next step_find(struct exchange *ex)
{
    struct cache *cache = exchange_service(ex)->cache;
    const bool conditional = exchange_head(ex)->if_none_match != NULL;

    ex->compress.gzip = !document_of(ex)->foreign && compress_wanted(ex);
    ex->compress.coding = CONTENT_CODING_GZIP;
    if (ex->compress.gzip && !conditional)
        ex->work.entry = cache_find(cache, response_key(ex, CONTENT_CODING_GZIP));
    if (!ex->work.entry) {
        ex->compress.coding = CONTENT_CODING_IDENTITY;
        ex->work.entry = cache_find(cache, response_key(ex, CONTENT_CODING_IDENTITY));
    }
    if (!ex->work.entry)
        return go(ex, step_acquire);
    ex->work.cache_result = "hit";
    exchange_count(ex, METRICS_HIT);
    return go(ex, step_made);
}

static enum next start(struct exchange *ex)
{
    struct document_job *job = calloc(1, sizeof *job);
    const double own_operations = document_of(ex)->operations,
                 operations =
                     own_operations > 0 ? own_operations : document_of(ex)->kind->operations;

    if (!job) {
        cache_fail(ex->work.entry, PROBLEM_OVERLOADED + 1);
        return exchange_fail_status(ex, PE_NO_MEMORY);
    }
    job->service = exchange_service(ex);
    job->document = document_of(ex);
    job->entry = ex->work.entry;
    job->wait.task.makes = job->entry;
    job->reservation = reservation_of(job->service);
    own(ex, NULL);
    ex->work.entry = NULL;
    return wait_start(ex, &job->wait, &kind, operations);
}

static enum next step_acquire(struct exchange *ex)
{
    enum cache_result result;

    if (exchange_must_not_compute(ex))
        return exchange_refuse_computing(ex);
    result = cache_wait_get(ex, CONTENT_CODING_IDENTITY);
    if (result == CACHE_NO_MEMORY)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    ex->work.cache_result = result == CACHE_MAKE ? "miss" : "wait";
    exchange_count(ex, result == CACHE_MAKE ? METRICS_MISS : METRICS_WAIT);
    if (result == CACHE_MAKE)
        return start(ex);
    if (result == CACHE_READY)
        return go(ex, step_made);
    go(ex, step_acquired);
    return WAIT;
}

static enum next step_acquired(struct exchange *ex)
{
    if (cache_entry_answer(ex->work.entry))
        return go(ex, step_made);
    return exchange_fail(ex, PROBLEM_OVERLOADED,
                         "the computation that this request waited for failed; try again");
}

static enum next unchanged(struct exchange *ex, const struct response_meta *meta)
{
    exchange_count(ex, METRICS_NOT_MODIFIED);
    return response_not_modified(ex, meta, cache_entry_answer(ex->work.entry)->len);
}

/* A client that has the identity variant needs no gzip variant. */
static bool has_identity(const struct exchange *ex)
{
    const struct document_tag tag = document_tag_of(hash_of(ex), CONTENT_CODING_IDENTITY);

    return ex->compress.coding == CONTENT_CODING_IDENTITY &&
           document_condition(ex, &tag) == IF_NONE_MATCH_MATCH;
}

/* The entry is there: of the identity variant, or of the gzip variant. */
static enum next step_made(struct exchange *ex)
{
    ex->step = step_respond;
    if (document_of(ex)->foreign)
        return MORE;
    if (ex->compress.gzip)
        return compress_is_due(ex) && !has_identity(ex) ? compress_begin(ex) : MORE;
    (void)compress_refuses_identity(ex); /* 406 may be next */
    return MORE;
}

static enum next step_respond(struct exchange *ex)
{
    const struct document *document = document_of(ex);
    const struct document_tag tag = document_tag_of(hash_of(ex), ex->compress.coding);
    struct response_meta meta =
        document_meta_of(ex, !document->foreign, ex->compress.coding, &tag);

    /* An entry that the cache does not keep belongs to its readers. */
    if (cache_entry_lent(ex->work.entry) > 0 &&
        !exchange_share(ex, cache_entry_answer(ex->work.entry)->len))
        return MORE;
    if (document->foreign)
        meta.by_accept = meta.by_coding = false;
    else if (document_condition(ex, &tag) != IF_NONE_MATCH_NONE)
        return unchanged(ex, &meta);
    else if (strcmp(ex->work.cache_result, "hit") == 0)
        cached_add_document(ex, &meta, document->generation); /* a third request will come */
    return response_entry(ex, ex->work.entry, &meta, NULL);
}
