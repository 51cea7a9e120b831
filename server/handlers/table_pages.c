/* SPDX-License-Identifier: Apache-2.0
 * table_pages.c - documents of learned tables, with names, shapes and hashes but no numbers. */
#include "server/handlers/table_pages.h"

#include "proto/tensors/tables.h"
#include "server/document/document.h"
#include "server/handlers/table_change.h"

static void write_list(struct buffer *out, const struct document *document)
{
    tables_write(document->tables, document->config->learned_tables_memory, out);
}

static void write_one(struct buffer *out, const struct document *document)
{
    (void)tables_write_one(document->tables, document->canonical, document->canonical_len, out);
}

static const struct document_kind list = {DOCUMENT_JSON, false, 5e6, write_list},
                                  one = {DOCUMENT_JSON, false, 1e6, write_one};

/* Returns a document of the current tables; NULL, and the problem is set, if the server has
 * none. */
static struct document *begin(struct exchange *ex, const struct document_kind *kind)
{
    struct document *document = document_new(ex, kind);

    if (!document) {
        exchange_fail_status(ex, PE_NO_MEMORY);
        return NULL;
    }
    document_take_tables(document, exchange_service(ex));
    if (document->tables)
        return document;
    document_free(document);
    exchange_fail(ex, PROBLEM_NOT_FOUND,
                  "this server has no tables; --learned-tables-dir names their folder");
    return NULL;
}

enum next table_pages_list(struct exchange *ex)
{
    struct document *document;

    if (document_has_query(ex) || !(document = begin(ex, &list)))
        return MORE;
    return document_answer(ex, document, "", 0);
}

static enum next fail_unknown(struct exchange *ex, const struct tables *tables)
{
    const char *near = tables_suggest(tables, ex->target.segment, ex->target.segment_len);

    return exchange_fail(
        ex, PROBLEM_NOT_FOUND, "there is no table %.*s%s%.100s%s; /v1/tables lists them",
        (int)(ex->target.segment_len < 60 ? ex->target.segment_len : 60), ex->target.segment,
        near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

enum next table_pages_one(struct exchange *ex)
{
    struct document *document;

    if (exchange_head(ex)->method & (METHOD_PUT | METHOD_DELETE))
        return table_change_begin(ex);
    if (document_has_query(ex) || !(document = begin(ex, &one)))
        return MORE;
    if (!tables_has(document->tables, ex->target.segment, ex->target.segment_len)) {
        (void)fail_unknown(ex, document->tables);
        document_free(document);
        return MORE;
    }
    return document_answer(ex, document, ex->target.segment, ex->target.segment_len);
}
