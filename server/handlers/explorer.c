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
#include "proto/request/query.h"
#include "proto/text/word.h"
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

void explorer_write_compare(struct buffer *out, const struct document *document)
{
    struct page_frame page = html_frame_of(document->config), *frame = &page;

    frame->title = "Compare";
    frame->description = "Two requests side by side, and their difference.";
    frame->name = "compare";
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

/* Writes the title of a state of the page: its output and its model, if a query names them. */
static void add_title(struct buffer *out, const struct pe_encoding *enc,
                      const struct document *document)
{
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);

    buffer_add_text(out, pe_title(enc));
    if (document->state > 0)
        buffer_add_format(out, ": %s", outputs[document->state - 1].label);
    if (document->model)
        buffer_add_format(out, document->state > 0 ? ", %s" : ": %s", document->model->id);
}

/* Writes what the script builds the page of: the title, with whether learned tables can be
 * named and how many outputs there are, and the formula. */
static void add_encoding(struct buffer *out, const char *base, const struct pe_encoding *enc,
                         bool has_tables)
{
    size_t outputs;

    (void)pe_outputs(enc, &outputs);
    html_add(out,
             "<header class=\"title\" data-encoding=\"%s\" data-tables=\"%u\" "
             "data-outputs=\"%zu\">\n<h1>%s</h1>\n<p class=\"lead\">%s.</p>\n"
             "<p class=\"source\">%s · <a href=\"%s/docs/%s\">documentation</a></p>\n"
             "</header>\n<pre class=\"formula\">",
             pe_name(enc), (unsigned)has_tables, outputs, pe_title(enc), pe_summary(enc),
             pe_source(enc), base, pe_name(enc));
    formula_add(out, enc, base);
    buffer_add_text(out, "</pre>\n");
}

/* Writes what a browser without a script shows: the picture of the state, which has that card,
 * or else that of the output. */
static void add_still(struct buffer *out, const struct page_frame *frame,
                      const struct pe_encoding *enc, size_t output, bool is_state)
{
    html_add(
        out,
        "<noscript><article>\n<p>The explorer needs JavaScript. <a href=\"%s/docs/%s\">The "
        "text about this encoding</a> does not.</p>\n",
        frame->base, pe_name(enc));
    if (!is_state)
        buffer_add_text(out, "<p>There is no picture of what the address asks for.</p>\n");
    if (frame->card)
        page_picture_add_card(out, frame, page_card_output(enc, output), frame->card);
    buffer_add_text(out, "</article></noscript>\n");
}

/* Where learned tables can be named, the form asks for their names. */
void explorer_write_encoding(struct buffer *out, const struct document *document)
{
    struct page_frame page = html_frame_of(document->config), *frame = &page;
    const struct pe_encoding *enc = pe_at(document->number);
    const bool has_tables = document->config->learned_tables_dir != NULL;
    struct buffer title = {0}, name = {0}, card = {0};

    buffer_add_format(&name, "%s%s%s", pe_name(enc), document->query.len > 0 ? "?" : "",
                      document->query.len > 0 ? document->query.bytes : "");
    add_title(&title, enc, document);
    const bool is_state = page_card_add_state(
        &card, enc, document->state, document->query.len > 0 ? document->query.bytes : "",
        model_files_models(document->models), document->config->max_elements);
    if (card.failed)
        buffer_fail(out);
    frame->card = card.failed ? NULL : card.bytes;
    frame->title = title.failed ? pe_title(enc) : title.bytes;
    frame->description = pe_summary(enc);
    frame->folder = "/explore/";
    frame->name = name.failed ? NULL : name.bytes;
    frame->kind = "explore";
    frame->place = PAGE_FRAME_EXPLORE;
    page_frame_open(out, frame);
    add_encoding(out, frame->base, enc, has_tables);
    add_still(out, frame, enc, document->state, is_state);
    page_frame_close(out, frame);
    buffer_fini(&title);
    buffer_fini(&name);
    buffer_fini(&card);
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

/* Returns the number of the output of that name, from 1 on; 0: there is none. */
static size_t find_output(const struct pe_encoding *enc, const struct query_parameter *name)
{
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (word_is(outputs[i].name, name->value, name->value_len))
            return i + 1;
    return 0;
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
        if (strcmp(query.at[i].name, "out") == 0)
            document->state = find_output(enc, &query.at[i]);
        else if (strcmp(query.at[i].name, "model") == 0)
            document->model = models_find(models, query.at[i].value, query.at[i].value_len);
    page_state_write(&document->query, enc, &query);
    query_fini(&query);
    if (document->model && !has_encoding(document->model, enc))
        document->model = NULL;
}

bool explorer_read_encoding(struct exchange *ex, struct document *document)
{
    const struct pe_encoding *enc = pe_find(ex->target.segment, ex->target.segment_len);

    if (!enc)
        return fail_unknown(ex);
    document->number = pe_index(enc);
    read_state(ex, document, enc);
    buffer_add_format(&document->key, "%s ", pe_name(enc));
    buffer_add(&document->key, document->query.bytes, document->query.len);
    return true;
}
