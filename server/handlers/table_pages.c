/* SPDX-License-Identifier: Apache-2.0
 * table_pages.c - documents of learned tables, with names, shapes and hashes but no numbers. */
#include "server/handlers/table_pages.h"

#include "proto/tensors/tables.h"

void table_pages_write_list(struct buffer *out, const struct document *document)
{
    tables_write(document->tables, document->config->learned_tables_memory, out);
}

void table_pages_write_one(struct buffer *out, const struct document *document)
{
    (void)tables_write_one(document->tables, document->key.bytes + document->own,
                           document->key.len - document->own, out);
}

bool table_pages_read_list(struct exchange *ex, struct document *document)
{
    if (document_has_query(ex))
        return false;
    if (!document->tables)
        exchange_fail(ex, PROBLEM_NOT_FOUND,
                      "this server has no tables; --learned-tables-dir names their folder");
    return document->tables != NULL;
}

static bool fail_unknown(struct exchange *ex, const struct tables *tables)
{
    const char *near = tables_suggest(tables, ex->target.segment, ex->target.segment_len);

    exchange_fail(
        ex, PROBLEM_NOT_FOUND, "there is no table %.*s%s%.100s%s; /v1/tables lists them",
        (int)(ex->target.segment_len < 60 ? ex->target.segment_len : 60), ex->target.segment,
        near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return false;
}

bool table_pages_read_one(struct exchange *ex, struct document *document)
{
    if (!table_pages_read_list(ex, document))
        return false;
    if (!tables_has(document->tables, ex->target.segment, ex->target.segment_len))
        return fail_unknown(ex, document->tables);
    buffer_add(&document->key, ex->target.segment, ex->target.segment_len);
    return true;
}
