/* SPDX-License-Identifier: Apache-2.0
 * pages.c - see pages.h. */
#include "server/handlers/pages.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "proto/describe/catalog.h"
#include "proto/http/accept.h"
#include "proto/http/sentences.h"
#include "proto/pages/docs_page.h"
#include "proto/pages/encoding_page.h"
#include "proto/pages/guide.h"
#include "proto/pages/guide_state.h"
#include "proto/pages/interface_page.h"
#include "proto/pages/problem_page.h"
#include "proto/pages/verify_page.h"
#include "proto/request/query.h"
#include "proto/text/word.h"
#include "server/document/document.h"
#include "server/handlers/about.h"
#include "server/handlers/explorer.h"
#include "server/handlers/html_frame.h"
#include "server/handlers/inference.h"
#include "server/handlers/model_pages.h"
#include "server/handlers/table_change.h"
#include "server/handlers/table_pages.h"
#include "server/http/head.h"

/* ---- writing ------------------------------------------------------------------------- */

static void write_encodings(struct buffer *out, const struct document *document)
{
    if (document->asked.set == 0)
        catalog_write(out);
    else
        catalog_write_some(out, document->asked.set);
}

static void write_openapi(struct buffer *out, const struct document *document)
{
    openapi_write_part(out, response_base(document->config), &document->part);
}

static void write_root(struct buffer *out, const struct document *document)
{
    about_root(out, response_base(document->config));
}

static void write_version(struct buffer *out, const struct document *document)
{
    about_version(out, document->config);
}

static void write_schema(struct buffer *out, const struct document *document)
{
    catalog_write_encoding(out, pe_at(document->number));
}

static void write_docs(struct buffer *out, const struct document *document)
{
    const struct page_frame frame = html_frame_of(document->config);

    docs_page_write(out, &frame);
}

static void write_guide(struct buffer *out, const struct document *document)
{
    const struct page_frame frame = html_frame_of(document->config);

    const struct guide_figures figures = {
        .words = document->page.words.len > 0 ? document->page.words.bytes : "",
        .most_elements = document->config->max_elements};

    guide_write(out, &frame, guide_at(document->number), &figures);
}

static void write_verify(struct buffer *out, const struct document *document)
{
    const struct page_frame frame = html_frame_of(document->config);
    const struct verify_page_limits limits = {.body = document->config->max_body,
                                              .target = HEAD_TARGET_MAX};

    verify_page_write(out, &frame, &limits, document->state);
}

static void write_problem(struct buffer *out, const struct document *document)
{
    const struct page_frame frame = html_frame_of(document->config);

    problem_page_write(out, &frame, (enum problem_kind)document->number);
}

/* ---- names in a path ----------------------------------------------------------------- */

/* The documents below one path; a name is the text for {...}, and "" is that of none. */
struct shelf {
    size_t count;
    const char *(*name)(size_t number);
};

static const char *encoding_name(size_t number)
{
    return pe_name(pe_at(number));
}

static const char *problem_name(size_t number)
{
    return problem_slug((enum problem_kind)number);
}

/* The name of a guide in its folder, which its slug has behind a slash. */
static const char *name_in_folder(size_t number)
{
    const char *slash = strchr(guide_at(number)->slug, '/');

    return slash ? slash + 1 : "";
}

static const char *verify_guide_name(size_t number)
{
    return guide_is_lesson(guide_at(number)) ? "" : name_in_folder(number);
}

/* Of the course in Chinese a chapter is in a folder of the course's. */
static const char *chapter_name(size_t number)
{
    const char *name = guide_is_lesson(guide_at(number)) ? name_in_folder(number) : "";

    return guide_is_chinese(guide_at(number)) ? "" : name;
}

static const char *chinese_chapter_name(size_t number)
{
    const char *slash = strrchr(guide_at(number)->slug, '/');

    return guide_is_chinese(guide_at(number)) && guide_folder(guide_at(number)) ? slash + 1
                                                                                : "";
}

/* Documents below /docs of which there is one each. */
static const struct {
    const char *name;
    double operations; /* of writing it; 0: as many as an encoding's */
    void (*write)(struct buffer *out, const struct page_frame *frame);
} singles[] = {
    {"disagreements", 4e7, docs_page_write_disagreements},
    {"openapi", 0, interface_page_write},
};
enum { SINGLES = sizeof singles / sizeof singles[0] };

/* Below /docs are first these, then the encodings, then the other guides. */
static const char *docs_page_name(size_t number)
{
    if (number < SINGLES)
        return singles[number].name;
    number -= SINGLES;
    if (number < pe_count())
        return encoding_name(number);

    const struct guide *guide = guide_at(number - pe_count());

    return strchr(guide->slug, '/') || guide_is_lesson(guide) ? "" : guide->slug;
}

static void write_docs_page(struct buffer *out, const struct document *document)
{
    const struct page_frame frame = html_frame_of(document->config);
    const size_t number = document->number - SINGLES;

    if (document->number < SINGLES)
        singles[document->number].write(out, &frame);
    else if (number < pe_count())
        encoding_page_write(out, &frame, pe_at(number));
    else
        guide_write(out, &frame, guide_at(number - pe_count()), NULL);
}

static bool fail_unknown(struct exchange *ex, const struct shelf *shelf)
{
    const char **names = malloc(shelf->count * sizeof *names), *near;

    for (size_t i = 0; names && i < shelf->count; i++)
        names[i] = shelf->name(i);
    near =
        pe_suggest(ex->target.segment, ex->target.segment_len, names, names ? shelf->count : 0);
    free(names);
    exchange_fail(ex, PROBLEM_NOT_FOUND, SENTENCE_NO_DOCUMENT, exchange_path_shown(ex),
                  ex->target.path, near ? "; did you mean " : "", near ? near : "",
                  near ? "?" : "");
    return false;
}

/* Reads which document of the shelf the path names; its query is for the script of the page. */
static bool read_named(struct exchange *ex, struct document *document, struct shelf shelf)
{
    for (size_t i = 0; i < shelf.count; i++) {
        const char *name = shelf.name(i);

        if (*name == '\0' || !word_is(name, ex->target.segment, ex->target.segment_len))
            continue;
        document->number = i;
        buffer_add_text(&document->key, name);
        return true;
    }
    return fail_unknown(ex, &shelf);
}

/* Reads which document of the shelf the path names, without a query. */
static bool read_name(struct exchange *ex, struct document *document, struct shelf shelf)
{
    return read_named(ex, document, shelf) && !document_has_query(ex);
}

/* ---- reading ------------------------------------------------------------------------- */

static bool read_any(struct exchange *ex, struct document *document)
{
    return true;
}

static bool read_alone(struct exchange *ex, struct document *document)
{
    return !document_has_query(ex);
}

static bool read_schema(struct exchange *ex, struct document *document)
{
    return read_name(ex, document, (struct shelf){pe_count(), encoding_name});
}

static bool read_docs_page(struct exchange *ex, struct document *document)
{
    const size_t count = SINGLES + pe_count() + guide_count();

    if (!read_name(ex, document, (struct shelf){count, docs_page_name}))
        return false;
    if (document->number < SINGLES)
        document->operations = singles[document->number].operations;
    return true;
}

/* The rest of the query is for the script. */
static bool read_verify(struct exchange *ex, struct document *document)
{
    struct pe_errors errors = {.count = 0};
    struct query query = {.count = 0};

    if (ex->target.query)
        query_parse(&query, ex->target.query, ex->target.query_len, &errors);
    for (size_t i = 0; i < query.count; i++)
        if (strcmp(query.at[i].name, "port") == 0)
            document->state = verify_page_port(query.at[i].value, query.at[i].value_len);
    query_fini(&query);
    buffer_add_integer(&document->key, document->state);
    return true;
}

static bool read_guide(struct exchange *ex, struct document *document)
{
    return read_name(ex, document, (struct shelf){guide_count(), verify_guide_name});
}

/* The course itself is the guide of its folder. */
static bool read_course(struct exchange *ex, struct document *document)
{
    while (!guide_is_lesson(guide_at(document->number)))
        document->number++;
    return true;
}

/* Reads what the query says of the chapter's figures; the rest of it is for the script. */
static void read_figures(struct exchange *ex, struct document *document)
{
    struct pe_errors errors = {.count = 0};
    struct query query = {.count = 0};

    if (ex->target.query)
        query_parse(&query, ex->target.query, ex->target.query_len, &errors);
    guide_state_read(&document->page.words, guide_at(document->number), &query);
    query_fini(&query);
    buffer_add_text(&document->key, "?");
    buffer_add(&document->key, document->page.words.bytes, document->page.words.len);
}

/* Reads the chapter of the shelf that the path names. */
static bool read_figured(struct exchange *ex, struct document *document, struct shelf shelf)
{
    if (!read_named(ex, document, shelf))
        return false;
    read_figures(ex, document);
    return true;
}

static bool read_chapter(struct exchange *ex, struct document *document)
{
    return read_figured(ex, document, (struct shelf){guide_count(), chapter_name});
}

static bool read_chinese_course(struct exchange *ex, struct document *document)
{
    while (!guide_is_chinese(guide_at(document->number)))
        document->number++;
    return true;
}

static bool read_chinese_chapter(struct exchange *ex, struct document *document)
{
    return read_figured(ex, document, (struct shelf){guide_count(), chinese_chapter_name});
}

static bool read_problem(struct exchange *ex, struct document *document)
{
    return read_name(ex, document, (struct shelf){PROBLEM_COUNT, problem_name});
}

/* Without a query the document has besides what all encodings have in common. */
static bool read_encodings(struct exchange *ex, struct document *document)
{
    if (!ex->target.query || ex->target.query_len == 0)
        return true;
    if (!document_fields(ex, &catalog_fields, &document->asked))
        return false;
    buffer_add_integer(&document->key, document->asked.set);
    return true;
}

/* The document of all encodings is the same, whether they are named or not. */
static bool read_openapi(struct exchange *ex, struct document *document)
{
    enum pe_status status = PE_OK;

    pe_errors_clear(ex->problem.errors);
    if (ex->target.query && ex->target.query_len > 0)
        status = openapi_part_read(&document->part, ex->target.query, ex->target.query_len,
                                   ex->problem.errors);
    else
        memset(document->part.wanted, true, sizeof document->part.wanted);
    openapi_part_write_names(&document->key, &document->part);
    if (status != PE_OK)
        exchange_fail_status(ex, status);
    return status == PE_OK;
}

/* ---- the table ----------------------------------------------------------------------- */

static const struct page {
    enum endpoint_id endpoint;
    struct document_kind kind;
} pages[] = {
#define PAGE(ENDPOINT, TYPE, DEPENDS, OPERATIONS, READ, WRITE)                                 \
    {                                                                                          \
        ENDPOINT_##ENDPOINT                                                                    \
        ,                                                                                      \
        {                                                                                      \
            (TYPE), DOCUMENT_OF_##DEPENDS, (OPERATIONS), (READ), (WRITE)                       \
        }                                                                                      \
    }                                                                                          \
    ,
#include "server/handlers/pages.def"
#undef PAGE
};

/* Returns whether the row is for the request: a twofold endpoint has a row of HTML for clients
 * that ask for HTML, and one of JSON for the others. */
static bool suits(const struct exchange *ex, const struct page *page)
{
    const bool is_html = page->kind.type == page_frame_type;

    if (page->endpoint != ex->target.endpoint->id)
        return false;
    return (ex->target.endpoint->access & ENDPOINT_TWOFOLD) == 0 ||
           is_html ==
               (exchange_service(ex)->config.ui && accept_html(exchange_head(ex)->accept));
}

enum next pages_answer(struct exchange *ex)
{
    const struct page *page = pages;

    for (; !suits(ex, page); page++)
        assert(page < pages + sizeof pages / sizeof pages[0] - 1);
    return document_answer(ex, &page->kind);
}

enum next pages_table(struct exchange *ex)
{
    return exchange_head(ex)->method & (METHOD_PUT | METHOD_DELETE) ? table_change_begin(ex)
                                                                    : pages_answer(ex);
}
