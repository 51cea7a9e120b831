/* SPDX-License-Identifier: Apache-2.0
 * explorer.c - see explorer.h. A document has what is read before its script has run: the
 * title, a sentence, and where the same is told without a script. */
#include "server/handlers/explorer.h"

#include <string.h>

#include "core/posenc.h"
#include "proto/http/accept_html.h"
#include "proto/pages/html.h"
#include "server/document/document.h"
#include "server/handlers/html_frame.h"
#include "server/handlers/pages.h"

static void write_home(struct buffer *out, const struct document *document)
{
    struct page_frame page = html_frame_of(document->config), *frame = &page;

    frame->title = "Positional encodings";
    frame->description =
        "Every positional encoding and attention bias, exact, in every language.";
    frame->kind = "home";
    frame->place = PAGE_FRAME_EXPLORE;
    page_frame_open(out, frame);
    html_add(
        out,
        "<section class=\"hero\">\n<h1>Every position has a fingerprint</h1>\n"
        "<p class=\"lead\">A row is a position, a column is one wave. The fast waves on the "
        "left tell neighbours apart, the slow ones on the right tell chapters apart. Point "
        "at a cell: below is its row, beside it its column.</p>\n</section>\n"
        "<noscript><p>The explorer needs JavaScript. <a href=\"%s/docs\">The "
        "documentation</a> and <a href=\"%s/models\">the models</a> do not.</p>"
        "</noscript>\n",
        frame->base, frame->base);
    page_frame_close(out, frame);
}

static void write_compare(struct buffer *out, const struct document *document)
{
    struct page_frame page = html_frame_of(document->config), *frame = &page;

    frame->title = "Compare";
    frame->description = "Two requests side by side, and their difference.";
    frame->kind = "compare";
    frame->place = PAGE_FRAME_COMPARE;
    page_frame_open(out, frame);
    html_add(
        out,
        "<h1>Compare two requests</h1>\n<p class=\"lead\">The same shape twice: two models, "
        "two conventions, two roundings. The difference is drawn, counted and located.</p>\n"
        "<noscript><p>Comparing needs JavaScript. <a href=\"%s/docs/disagreements\">Where "
        "libraries disagree</a> is told without it.</p></noscript>\n",
        frame->base);
    page_frame_close(out, frame);
}

/* Where learned tables can be named, the form asks for their names. */
static void write_encoding(struct buffer *out, const struct document *document)
{
    struct page_frame page = html_frame_of(document->config), *frame = &page;
    const struct pe_encoding *enc = pe_at(document->number);
    const bool has_tables = document->config->learned_tables_dir != NULL;

    frame->title = pe_title(enc);
    frame->description = pe_summary(enc);
    frame->kind = "explore";
    frame->place = PAGE_FRAME_EXPLORE;
    page_frame_open(out, frame);
    html_add(out,
             "<header class=\"title\" data-encoding=\"%s\" data-tables=\"%u\">\n<h1>%s</h1>\n"
             "<p class=\"lead\">%s.</p>\n</header>\n<noscript><p>The explorer needs "
             "JavaScript. <a href=\"%s/docs/%s\">The text about this encoding</a> does not."
             "</p></noscript>\n",
             pe_name(enc), (unsigned)has_tables, pe_title(enc), pe_summary(enc), frame->base,
             pe_name(enc));
    page_frame_close(out, frame);
}

#define OPERATIONS 1e5

static const struct document_kind home = {page_frame_type, false, OPERATIONS, write_home},
                                  compare = {page_frame_type, false, OPERATIONS, write_compare},
                                  encoding = {page_frame_type, false, OPERATIONS,
                                              write_encoding};

/* ---- answering ----------------------------------------------------------------------- */

enum next explorer_root(struct exchange *ex)
{
    if (!exchange_service(ex)->config.ui || !accept_html(exchange_head(ex)->accept))
        return pages_answer(ex);
    return document_answer(ex, document_new(ex, &home), "", 0);
}

/* The query is for the script. */
enum next explorer_compare(struct exchange *ex)
{
    return document_answer(ex, document_new(ex, &compare), "", 0);
}

/* The hint for "/explore/roep" is the one for "/roep", "/v1/rope". */
static enum next fail_unknown(struct exchange *ex)
{
    char text[128];
    const char *near =
        endpoint_suggest(ex->target.segment - 1, ex->target.segment_len + 1, text);
    bool found = near && strncmp(near, "/v1/", 4) == 0;

    return exchange_fail(ex, PROBLEM_NOT_FOUND, "no encoding has this name%s%s%s",
                         found ? "; did you mean " : "; see /v1/encodings",
                         found ? near + 4 : "", found ? "?" : "");
}

enum next explorer_encoding(struct exchange *ex)
{
    const struct pe_encoding *enc = pe_find(ex->target.segment, ex->target.segment_len);
    struct document *document;

    if (!enc)
        return fail_unknown(ex);
    document = document_new(ex, &encoding);
    if (document)
        document->number = pe_index(enc);
    return document_answer(ex, document, pe_name(enc), strlen(pe_name(enc)));
}
