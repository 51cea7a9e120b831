/* SPDX-License-Identifier: Apache-2.0
 * table_pages.c - pages of learned tables, with names, shapes and hashes but no numbers; they
 * are written for each request, since the folder may change. */
#include "server/handlers/table_pages.h"

#include "server/exchange/document.h"
#include "server/files/table_files.h"
#include "server/handlers/table_change.h"

/* The current tables; NULL, and the problem is set, if the server has none. */
static struct tables *take(struct exchange *ex)
{
    struct tables *tables = table_files_take(exchange_service(ex)->tables);

    if (!tables)
        exchange_fail(ex, PROBLEM_NOT_FOUND,
                      "this server has no tables; --learned-tables-dir names their folder");
    return tables;
}

enum next table_pages_list(struct exchange *ex)
{
    struct buffer text = {0};
    struct tables *tables;

    if (document_has_query(ex) || !(tables = take(ex)))
        return MORE;
    tables_write(tables, exchange_service(ex)->config.learned_tables_memory, &text);
    tables_drop(tables);
    return document_answer(ex, &text);
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
    struct buffer text = {0};
    struct tables *tables;
    enum next next;

    if (exchange_head(ex)->method & (METHOD_PUT | METHOD_DELETE))
        return table_change_begin(ex);
    if (document_has_query(ex) || !(tables = take(ex)))
        return MORE;
    next = tables_write_one(tables, ex->target.segment, ex->target.segment_len, &text)
               ? document_answer(ex, &text)
               : fail_unknown(ex, tables);
    tables_drop(tables);
    return next;
}
