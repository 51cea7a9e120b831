/* SPDX-License-Identifier: Apache-2.0
 * table_change.c - see table_change.h. The change owns the bytes while the pool works. */
#include "server/handlers/table_change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/document/document_head.h"
#include "server/exchange/auth.h"
#include "server/exchange/body.h"
#include "server/exchange/response.h"
#include "server/exchange/wait.h"
#include "server/files/table_files.h"

struct table_change {
    struct wait wait; /* first: a wait is cast to its change */
    struct table_files *files;
    bool put;
    char stem[TABLE_FILE_STEM_MAX + 1];
    char *bytes;
    size_t len;
    struct reservation reservation; /* of the answer */
    struct buffer text;             /* the description of the file as it is after a PUT */
    enum table_change_result result;
    char why[TABLE_FILE_WHY_SIZE];
};

/* ---- on the pool ------------------------------------------------------------------------ */

static void describe(struct table_change *change)
{
    struct tables *tables = table_files_take(change->files);

    if (!tables_write_one(tables, change->stem, strlen(change->stem), &change->text))
        buffer_add_text(&change->text, "{}"); /* another request has removed the file */
    tables_drop(tables);
}

static void run(struct wait *wait)
{
    struct table_change *change = (struct table_change *)(void *)wait;

    change->result = change->put ? table_files_put(change->files, change->stem, change->bytes,
                                                   change->len, change->why)
                                 : table_files_remove(change->files, change->stem, change->why);
    if (change->result == TABLE_CREATED || change->result == TABLE_REPLACED)
        describe(change);
}

/* ---- on the loop's thread ---------------------------------------------------------------- */

static enum next answer_put(struct exchange *ex, bool created)
{
    struct reservation reservation = response_take_reserved(ex, ex->work.reserved);
    struct transport_body body;
    struct header_block head;
    char where[sizeof "/v1/tables/" + TABLE_FILE_STEM_MAX + CONFIG_PREFIX_MAX];

    snprintf(where, sizeof where, "%s/v1/tables/%.*s", ex->target.base,
             (int)ex->target.segment_len, ex->target.segment);
    body = response_of_bytes(ex, ex->work.prefix, ex->work.prefix_len, &reservation);
    ex->work.prefix = NULL;
    header_block_init(&head);
    header_block_add(&head, "Content-Type", "application/json");
    header_block_add(&head, "Cache-Control", "no-store");
    header_block_add(&head, "X-Content-Type-Options", "nosniff");
    if (created)
        header_block_add(&head, "Location", where);
    return response_queue(ex, created ? 201 : 200, body, &head);
}

static enum next answer_removed(struct exchange *ex)
{
    struct header_block head;

    header_block_init(&head);
    header_block_add(&head, "Cache-Control", "no-store");
    return response_queue(ex, 204, response_of_program("", 0), &head);
}

static enum next step_created(struct exchange *ex)
{
    return answer_put(ex, true);
}

static enum next step_replaced(struct exchange *ex)
{
    return answer_put(ex, false);
}

static void give(struct table_change *change, struct exchange *ex)
{
    ex->work.prefix = buffer_take(&change->text, &ex->work.prefix_len);
    ex->work.reserved += change->reservation.bytes;
    change->reservation.bytes = 0;
    switch (change->result) {
    case TABLE_CREATED:
        ex->step = step_created;
        break;
    case TABLE_REPLACED:
        ex->step = step_replaced;
        break;
    case TABLE_REMOVED:
        ex->step = answer_removed;
        break;
    case TABLE_MISSING:
        exchange_fail(ex, PROBLEM_NOT_FOUND, "there is no file %s; /v1/tables lists them",
                      change->stem);
        break;
    case TABLE_REFUSED:
        exchange_fail(ex, PROBLEM_INVALID_BODY, "%s", change->why);
        break;
    case TABLE_NO_MEMORY:
        exchange_fail_status(ex, PE_NO_MEMORY);
        break;
    case TABLE_FAILED:
        exchange_fail(ex, PROBLEM_INTERNAL, "%s", change->why);
        break;
    }
}

static void settle(struct wait *wait, struct exchange *ex)
{
    struct table_change *change = (struct table_change *)(void *)wait;

    if (ex)
        give(change, ex);
    reservation_trim(&change->reservation, 0);
    buffer_fini(&change->text);
    free(change->bytes);
    free(change);
}

/* A change that was begun is made, even if its client has left. */
static const struct wait_kind kind = {.run = run, .step = SPAN_COMPUTE, .settle = settle};

enum next table_change_begin(struct exchange *ex)
{
    bool put = exchange_head(ex)->method == METHOD_PUT;
    struct table_change *change;

    if (!auth_admits_table_change(ex) || document_has_query(ex))
        return MORE;
    if (put && !body_finish(ex))
        return MORE;
    if (put && (ex->body.file.len == 0 || ex->body.file.failed))
        return ex->body.file.failed ? exchange_fail_status(ex, PE_NO_MEMORY)
                                    : exchange_fail(ex, PROBLEM_INVALID_BODY,
                                                    "send a safetensors file as the body");
    change = calloc(1, sizeof *change);
    if (!change)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    change->files = exchange_service(ex)->tables;
    change->reservation = reservation_of_problem(exchange_service(ex));
    change->text.budget = &change->reservation.budget;
    change->put = put;
    memcpy(change->stem, ex->target.segment, ex->target.segment_len);
    if (put)
        change->bytes = buffer_take(&ex->body.file, &change->len);
    return wait_start(ex, &change->wait, &kind, 0);
}
