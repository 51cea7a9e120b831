/* SPDX-License-Identifier: Apache-2.0
 * explorer.c - see explorer.h. A document has what is read before its script has run: the
 * title, a sentence, and where the same is told without a script. */
#include "server/handlers/explorer.h"

#include <string.h>

#include "core/posenc.h"
#include "proto/models/model_use.h"
#include "proto/models/models.h"
#include "proto/pages/formula.h"
#include "proto/pages/html.h"
#include "proto/pages/page_card.h"
#include "proto/pages/page_picture.h"
#include "proto/pages/page_state.h"
#include "proto/request/canonical.h"
#include "proto/request/query.h"
#include "server/files/model_files.h"
#include "server/handlers/html_frame.h"

void explorer_write_home(struct buffer *out, const struct document *document)
{
    struct page_frame page = html_frame_of(document->config), *frame = &page;

    frame->title = "Positional encodings";
    frame->description =
        "Every positional encoding and attention bias, exact, in every language.";
    frame->name = "";
    frame->kind = "home";
    frame->place = PAGE_FRAME_EXPLORE;
    page_frame_open(out, frame);
    html_add(
        out,
        "<section class=\"door\"><p><a href=\"%s/verify\">Are your numbers right? Have them "
        "checked</a></p></section>\n<section class=\"hero\">\n"
        "<h1>Every position has a fingerprint</h1>\n"
        "<p class=\"lead\">A row is a position, a column is one wave. The fast waves on the "
        "left tell neighbours apart, the slow ones on the right tell chapters apart. Point "
        "at a cell: below is its row, beside it its column. <a href=\"%s/learn\">Why that "
        "works, in six chapters</a></p>\n</section>\n"
        "<noscript><p>The explorer needs JavaScript. <a href=\"%s/docs\">The "
        "documentation</a> and <a href=\"%s/models\">the models</a> do not.</p>"
        "</noscript>\n",
        frame->base, frame->base, frame->base, frame->base);
    page_frame_close(out, frame);
}

/* ---- the state of a page ------------------------------------------------------------- */

/* Writes the title of a state: its output, its model, and the other request, if a query names
 * them. */
static void add_title(struct buffer *out, const struct document *document)
{
    const struct page_request *own = &document->page.own;
    size_t count;
    const struct pe_output *outputs = pe_outputs(own->enc, &count);

    buffer_add_text(out, pe_title(own->enc));
    if (own->output > 0)
        buffer_add_format(out, ": %s", outputs[own->output - 1].label);
    if (document->model)
        buffer_add_format(out, own->output > 0 ? ", %s" : ": %s", document->model->id);
    if (document->page.against.len > 0)
        buffer_add_format(out, " against %s", document->page.against.bytes);
}

/* Writes the card of a request, in the page's palette; false: it shows nothing of the
 * request's values. */
static bool add_card(struct buffer *out, const struct page_request *request,
                     const struct document *document)
{
    const char *query = request->query.len > 0 ? request->query.bytes : "";
    const char *colours = document->page.colours;
    struct buffer whole = {0};
    bool is_state = false;

    buffer_add_text(&whole, query);
    if (colours && *query && !strstr(query, "cmap="))
        buffer_add_format(&whole, "&cmap=%s", colours);
    if (whole.failed)
        buffer_fail(out);
    else
        is_state = page_card_add_state(
            out, request->enc, request->output, whole.len > 0 ? whole.bytes : "",
            model_files_models(document->models), document->config->max_elements);
    buffer_fini(&whole);
    return is_state;
}

/* Writes the picture of a request for a browser without a script, or says that there is
 * none. */
static void add_still(struct buffer *out, const struct page_frame *frame,
                      const struct page_request *request, const struct document *document)
{
    struct buffer card = {0};

    if (!request->enc)
        return;
    if (!add_card(&card, request, document))
        buffer_add_text(out, "<p>There is no picture of what the address asks for.</p>\n");
    if (card.failed)
        buffer_fail(out);
    else if (card.len > 0)
        page_picture_add_card(out, frame, page_card_output(request->enc, request->output),
                              card.bytes);
    buffer_fini(&card);
}

/* The texts of a page's head that its state decides. */
struct preview {
    struct buffer title, name, card;
};

/* Gives the frame the head of the state, whose address below the folder is in .name. */
static void set_preview(struct preview *preview, struct page_frame *frame,
                        const struct document *document)
{
    add_title(&preview->title, document);
    (void)add_card(&preview->card, &document->page.own, document);
    frame->title =
        preview->title.failed ? pe_title(document->page.own.enc) : preview->title.bytes;
    frame->card = preview->card.failed ? NULL : preview->card.bytes;
    frame->name = preview->name.failed ? NULL : preview->name.bytes;
}

static void fini_preview(struct preview *preview, struct buffer *out)
{
    if (preview->title.failed || preview->name.failed || preview->card.failed)
        buffer_fail(out);
    buffer_fini(&preview->title);
    buffer_fini(&preview->name);
    buffer_fini(&preview->card);
}

/* ---- comparisons --------------------------------------------------------------------- */

/* Writes the address of a comparison, with both requests escaped. */
static void add_pair(struct buffer *out, const struct page_state *state)
{
    struct buffer own = {0};

    page_state_write_request(&own, &state->own);
    buffer_add_text(out, "compare?a=");
    canonical_encode(out, own.failed ? "" : own.bytes);
    own.len = 0;
    page_state_write_request(&own, &state->other);
    buffer_add_text(out, "&b=");
    canonical_encode(out, own.failed ? "" : own.bytes);
    if (own.failed)
        buffer_fail(out);
    buffer_fini(&own);
}

void explorer_write_compare(struct buffer *out, const struct document *document)
{
    struct page_frame page = html_frame_of(document->config), *frame = &page;
    struct preview preview = {.name = {0}};

    frame->title = "Compare";
    frame->description = "Two requests side by side, and their difference.";
    frame->name = "compare";
    if (document->page.own.enc) {
        add_pair(&preview.name, &document->page);
        set_preview(&preview, frame, document);
    }
    frame->kind = "compare";
    frame->place = PAGE_FRAME_COMPARE;
    page_frame_open(out, frame);
    html_add(
        out,
        "<h1>Compare two requests</h1>\n<p class=\"lead\">The same shape twice: two models, "
        "two conventions, two roundings. The difference is drawn, counted and located.</p>\n"
        "<noscript><article><p>Comparing needs JavaScript. <a href=\"%s/docs/disagreements\">"
        "Where libraries disagree</a> is told without it.</p>\n",
        frame->base);
    add_still(out, frame, &document->page.own, document);
    add_still(out, frame, &document->page.other, document);
    buffer_add_text(out, "</article></noscript>\n");
    page_frame_close(out, frame);
    fini_preview(&preview, out);
}

bool explorer_read_compare(struct exchange *ex, struct document *document)
{
    if (ex->target.query)
        page_state_read_pair(&document->page, ex->target.query, ex->target.query_len);
    if (document->page.own.enc)
        add_pair(&document->key, &document->page);
    return true;
}

/* ---- encodings ----------------------------------------------------------------------- */

/* Writes what the script builds the page of: the title, with whether learned tables can be
 * named and how many outputs there are, and the formula. */
static void add_encoding(struct buffer *out, const char *base, const struct pe_encoding *enc,
                         bool has_tables)
{
    size_t outputs;

    (void)pe_outputs(enc, &outputs);
    html_add(out,
             "<header class=\"title\" data-encoding=\"%s\" data-tables=\"%u\" "
             "data-outputs=\"%zu\">\n<h1>%s</h1>\n<p class=\"lead\">",
             pe_name(enc), (unsigned)has_tables, outputs, pe_title(enc));
    html_add_sentence(out, pe_summary(enc));
    html_add(out,
             ".</p>\n<p class=\"source\">%s · <a href=\"%s/docs/%s\">documentation</a></p>\n"
             "</header>\n<pre class=\"formula\">",
             pe_source(enc), base, pe_name(enc));
    formula_add(out, enc, base);
    buffer_add_text(out, "</pre>\n");
}

/* Where learned tables can be named, the form asks for their names. */
void explorer_write_encoding(struct buffer *out, const struct document *document)
{
    struct page_frame page = html_frame_of(document->config), *frame = &page;
    const struct pe_encoding *enc = document->page.own.enc;
    struct preview preview = {.name = {0}};

    page_state_write(&preview.name, &document->page);
    set_preview(&preview, frame, document);
    frame->description = pe_summary(enc);
    frame->folder = "/explore/";
    frame->kind = "explore";
    frame->place = PAGE_FRAME_EXPLORE;
    page_frame_open(out, frame);
    add_encoding(out, frame->base, enc, document->config->learned_tables_dir != NULL);
    html_add(out,
             "<noscript><article>\n<p>The explorer needs JavaScript. <a href=\"%s/docs/%s\">"
             "The text about this encoding</a> does not.</p>\n",
             frame->base, pe_name(enc));
    add_still(out, frame, &document->page.own, document);
    add_still(out, frame, &document->page.other, document);
    buffer_add_text(out, "</article></noscript>\n");
    page_frame_close(out, frame);
    fini_preview(&preview, out);
}

/* The hint for "/explore/roep" is the one for "/roep", "/v1/rope". */
static bool fail_unknown(struct exchange *ex)
{
    char text[128];
    const char *near =
        endpoint_suggest(ex->target.segment - 1, ex->target.segment_len + 1, text);
    bool found = near && strncmp(near, "/v1/", 4) == 0;

    exchange_fail(ex, PROBLEM_NOT_FOUND, "no encoding has this name%s%s%s",
                  found ? "; did you mean " : "; see /v1/encodings", found ? near + 4 : "",
                  found ? "?" : "");
    return false;
}

/* Returns whether layers of the model have the encoding; a title names no other model. */
static bool has_encoding(const struct model *model, const struct pe_encoding *enc)
{
    for (size_t i = 0; i < model->use_count; i++)
        if (model_use_is_about(&model->uses[i], enc))
            return true;
    return false;
}

/* Reads the state that a link keeps, and what the title says of it; what is wrong with it
 * is for the script. */
static void read_state(struct exchange *ex, struct document *document,
                       const struct pe_encoding *enc)
{
    const struct models *models = model_files_models(document->models);
    struct pe_errors errors = {.count = 0};
    struct query query = {.count = 0};

    if (ex->target.query)
        query_parse(&query, ex->target.query, ex->target.query_len, &errors);
    for (size_t i = 0; i < query.count; i++)
        if (strcmp(query.at[i].name, "model") == 0)
            document->model = models_find(models, query.at[i].value, query.at[i].value_len);
    page_state_read(&document->page, enc, &query);
    query_fini(&query);
    if (document->model && !has_encoding(document->model, enc))
        document->model = NULL;
}

bool explorer_read_encoding(struct exchange *ex, struct document *document)
{
    const struct pe_encoding *enc = pe_find(ex->target.segment, ex->target.segment_len);

    if (!enc)
        return fail_unknown(ex);
    read_state(ex, document, enc);
    page_state_write(&document->key, &document->page);
    return true;
}
