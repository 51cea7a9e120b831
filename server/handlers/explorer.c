/* SPDX-License-Identifier: Apache-2.0
 * explorer.c - see explorer.h. A document has what is read before its script has run: the
 * title, a sentence, and where the same is told without a script. */
#include "server/handlers/explorer.h"

#include <string.h>

#include "core/posenc.h"
#include "proto/http/accept_html.h"
#include "proto/pages/html.h"
#include "server/exchange/document.h"
#include "server/handlers/html_frame.h"
#include "server/handlers/pages.h"

static void write_home(struct buffer *out, struct page_frame *frame)
{
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

static void write_compare(struct buffer *out, struct page_frame *frame)
{
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

/* has_tables: learned tables can be named, so the form asks for their names. */
static void write_encoding(struct buffer *out, struct page_frame *frame,
                           const struct pe_encoding *enc, bool has_tables)
{
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

/* ---- answering ----------------------------------------------------------------------- */

enum next explorer_root(struct exchange *ex)
{
    const struct config *config = &exchange_service(ex)->config;
    struct page_frame frame = html_frame_of(config);
    struct buffer text = {0};

    if (!config->ui || !accept_html(exchange_head(ex)->accept))
        return pages_answer(ex);
    write_home(&text, &frame);
    return document_answer_as(ex, page_frame_type, &text);
}

enum next explorer_compare(struct exchange *ex)
{
    struct page_frame frame = html_frame_of(&exchange_service(ex)->config);
    struct buffer text = {0};

    write_compare(&text, &frame);
    return document_answer_as(ex, page_frame_type, &text);
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
    const struct config *config = &exchange_service(ex)->config;
    struct page_frame frame = html_frame_of(config);
    const struct pe_encoding *enc = pe_find(ex->target.segment, ex->target.segment_len);
    struct buffer text = {0};

    if (!enc)
        return fail_unknown(ex);
    write_encoding(&text, &frame, enc, config->learned_tables_dir != NULL);
    return document_answer_as(ex, page_frame_type, &text);
}
