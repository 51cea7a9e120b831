/* SPDX-License-Identifier: Apache-2.0
 * pages.c - see pages.h. Each is found by its endpoint and the text for {...} in its path. */
#include "server/handlers/pages.h"

#include <stdlib.h>
#include <string.h>

#include "proto/describe/catalog.h"
#include "proto/pages/docs_page.h"
#include "proto/pages/encoding_page.h"
#include "proto/pages/guide.h"
#include "proto/pages/problem_page.h"
#include "proto/text/word.h"
#include "server/document/document.h"
#include "server/handlers/about.h"
#include "server/handlers/html_frame.h"

/* Operations of writing, by make costs: those of one encoding's page, of a list, and of a
 * description of everything. */
#define PAGE 1e6
#define LIST 10e6
#define EVERYTHING 25e6

/* ---- writing ------------------------------------------------------------------------- */

static void write_encodings(struct buffer *out, const struct document *document)
{
    catalog_write(out);
}

static void write_some_encodings(struct buffer *out, const struct document *document)
{
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

static void write_disagreements(struct buffer *out, const struct document *document)
{
    const struct page_frame frame = html_frame_of(document->config);

    docs_page_write_disagreements(out, &frame);
}

static void write_doc(struct buffer *out, const struct document *document)
{
    const struct page_frame frame = html_frame_of(document->config);

    encoding_page_write(out, &frame, pe_at(document->number));
}

static void write_guide(struct buffer *out, const struct document *document)
{
    const struct page_frame frame = html_frame_of(document->config);

    guide_write(out, &frame, guide_at(document->number));
}

static void write_problem(struct buffer *out, const struct document *document)
{
    const struct page_frame frame = html_frame_of(document->config);

    problem_page_write(out, &frame, (enum problem_kind)document->number);
}

static const struct document_kind some_encodings = {.type = DOCUMENT_JSON,
                                                    .operations = LIST,
                                                    .write = write_some_encodings},
                                  openapi = {.type = DOCUMENT_JSON,
                                             .operations = EVERYTHING,
                                             .write = write_openapi};

/* ---- shelves ------------------------------------------------------------------------- */

static size_t one(void)
{
    return 1;
}

static size_t problem_count(void)
{
    return PROBLEM_COUNT;
}

static const char *no_name(size_t number)
{
    return NULL;
}

static const char *disagreements(size_t number)
{
    return "disagreements";
}

static const char *encoding_name(size_t number)
{
    return pe_name(pe_at(number));
}

/* The name of a guide below /docs or, behind a slash, below /docs/verify. */
static const char *guide_name(size_t number)
{
    const char *slug = guide_at(number)->slug;

    return strchr(slug, '/') ? "" : slug;
}

static const char *verify_guide_name(size_t number)
{
    const char *slash = strchr(guide_at(number)->slug, '/');

    return slash ? slash + 1 : "";
}

static const char *problem_name(size_t number)
{
    return problem_slug((enum problem_kind)number);
}

/* The documents of an endpoint that are written in one way. A name is the text for {...} in the
 * endpoint's path; NULL: there is no {...}; "": the document is on another shelf. */
static const struct shelf {
    enum endpoint_id endpoint;
    size_t (*count)(void);
    const char *(*name)(size_t number);
    struct document_kind kind;
} shelves[] = {
    {ENDPOINT_ENCODINGS, one, no_name, {DOCUMENT_JSON, false, LIST, write_encodings}},
    {ENDPOINT_ROOT, one, no_name, {DOCUMENT_JSON, false, PAGE, write_root}},
    {ENDPOINT_VERSION, one, no_name, {DOCUMENT_JSON, false, PAGE, write_version}},
    {ENDPOINT_ENCODING_SCHEMA,
     pe_count,
     encoding_name,
     {DOCUMENT_JSON, false, PAGE, write_schema}},
    {ENDPOINT_DOCS, one, no_name, {page_frame_type, false, PAGE, write_docs}},
    {ENDPOINT_DOCS_PAGE,
     one,
     disagreements,
     {page_frame_type, false, PAGE, write_disagreements}},
    {ENDPOINT_DOCS_PAGE, pe_count, encoding_name, {page_frame_type, false, PAGE, write_doc}},
    {ENDPOINT_DOCS_PAGE, guide_count, guide_name, {page_frame_type, false, PAGE, write_guide}},
    {ENDPOINT_DOCS_VERIFY,
     guide_count,
     verify_guide_name,
     {page_frame_type, false, PAGE, write_guide}},
    {ENDPOINT_PROBLEM,
     problem_count,
     problem_name,
     {page_frame_type, false, PAGE, write_problem}},
};

enum { SHELVES = sizeof shelves / sizeof shelves[0] };

/* Finds the shelf and the number of the document of the path. NULL: there is none. */
static const struct shelf *find(const struct exchange *ex, size_t *number)
{
    for (size_t i = 0; i < SHELVES; i++) {
        const struct shelf *shelf = &shelves[i];

        for (*number = 0;
             shelf->endpoint == ex->target.endpoint->id && *number < shelf->count();
             ++*number) {
            const char *name = shelf->name(*number);

            if (!name || (*name && word_is(name, ex->target.segment, ex->target.segment_len)))
                return shelf;
        }
    }
    return NULL;
}

/* ---- answering ----------------------------------------------------------------------- */

/* The bytes of the path that a sentence shows; the path is not NUL-terminated. */
static int path_shown(const struct exchange *ex)
{
    return (int)(ex->target.path_len < 100 ? ex->target.path_len : 100);
}

/* Lists the names of the endpoint's documents; returns their number. names: NULL to count. */
static size_t list_names(const struct exchange *ex, const char **names)
{
    size_t count = 0;

    for (size_t i = 0; i < SHELVES; i++)
        for (size_t j = 0;
             shelves[i].endpoint == ex->target.endpoint->id && j < shelves[i].count(); j++) {
            if (names)
                names[count] = shelves[i].name(j);
            count++;
        }
    return count;
}

static enum next fail_unknown(struct exchange *ex)
{
    const char **names = malloc(list_names(ex, NULL) * sizeof *names), *near;

    near = pe_suggest(ex->target.segment, ex->target.segment_len, names,
                      names ? list_names(ex, names) : 0);
    free(names);
    return exchange_fail(ex, PROBLEM_NOT_FOUND, "there is nothing at %.*s%s%.64s%s",
                         path_shown(ex), ex->target.path, near ? "; did you mean " : "",
                         near ? near : "", near ? "?" : "");
}

enum next pages_answer(struct exchange *ex)
{
    struct document *document;
    size_t number;
    const struct shelf *shelf = find(ex, &number);
    const char *name;

    if (!shelf)
        return fail_unknown(ex);
    if (document_has_query(ex))
        return MORE;
    document = document_new(ex, &shelf->kind);
    if (document)
        document->number = number;
    name = shelf->name(number);
    return document_answer(ex, document, name ? name : "", name ? strlen(name) : 0);
}

enum next pages_list(struct exchange *ex)
{
    struct document *document;
    struct fields_query asked;
    char set[24];
    struct buffer text = buffer_over(set, sizeof set);

    if (!ex->target.query || ex->target.query_len == 0)
        return pages_answer(ex);
    if (!document_fields(ex, &catalog_fields, &asked))
        return MORE;
    document = document_new(ex, &some_encodings);
    if (document)
        document->asked = asked;
    buffer_add_integer(&text, asked.set);
    return document_answer(ex, document, text.bytes, text.len);
}

/* The document of all encodings is the same, whether they are named or not. */
enum next pages_openapi(struct exchange *ex)
{
    struct document *document = document_new(ex, &openapi);
    struct buffer names = {0};
    enum pe_status status = PE_OK;
    enum next next;

    if (!document)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    pe_errors_clear(ex->problem.errors);
    if (ex->target.query && ex->target.query_len > 0)
        status = openapi_part_read(&document->part, ex->target.query, ex->target.query_len,
                                   ex->problem.errors);
    else
        memset(document->part.wanted, true, sizeof document->part.wanted);
    openapi_part_write_names(&names, &document->part);
    if (status != PE_OK || names.failed) {
        document_free(document);
        next = exchange_fail_status(ex, status != PE_OK ? status : PE_NO_MEMORY);
    } else {
        next = document_answer(ex, document, names.bytes, names.len);
    }
    buffer_fini(&names);
    return next;
}
