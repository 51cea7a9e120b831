/* SPDX-License-Identifier: Apache-2.0
 * encoding_page.c - see encoding_page.h. */
#include "proto/pages/encoding_page.h"

#include "proto/describe/output_row.h"
#include "proto/pages/disagreement.h"
#include "proto/pages/formula.h"
#include "proto/pages/html.h"
#include "proto/pages/page_card.h"
#include "proto/pages/page_picture.h"
#include "proto/pages/param_table.h"
#include "proto/pages/prose.h"
#include "proto/pages/twin.h"
#include "proto/tensors/tensor.h"

enum { EXAMPLES_SHOWN = 3 }; /* the others are folded */

static void add_links(struct buffer *out, const char *base, const struct pe_encoding *enc)
{
    const struct pe_encoding *twin = twin_find(enc);

    html_add(out,
             "<p class=\"actions\"><a href=\"%s/explore/%s\">Explore it</a> · "
             "<a href=\"%s/v1/encodings/%s\">Schema as JSON</a>",
             base, pe_name(enc), base, pe_name(enc));
    if (twin)
        html_add(out, " · %s: <a href=\"%s/docs/%s\"><code>%s</code></a>",
                 twin_is_applied(twin) ? "On vectors" : "As a table", base, pe_name(twin),
                 pe_name(twin));
    buffer_add_text(out, "</p>\n");
}

static void add_lead(struct buffer *out, const char *base, const struct pe_encoding *enc)
{
    const char *family = pe_family_name(pe_family_of(enc));

    html_add(out,
             "<p class=\"crumbs\"><a href=\"%s/docs\">Docs</a> / <a href=\"%s/docs#%s\">%s</a>"
             " / <code>%s</code></p>\n<h1>%s</h1>\n<p class=\"lead\">",
             base, base, family, family, pe_name(enc), pe_title(enc));
    html_add_sentence(out, pe_summary(enc));
    buffer_add_text(out, ".</p>\n");
    add_links(out, base, enc);
}

/* Returns the number of rows of disagreements about the encoding. */
static size_t disagreements_about(const struct pe_encoding *enc)
{
    size_t count = 0;

    for (size_t i = 0; i < disagreement_count(); i++)
        count += disagreement_is_about(disagreement_at(i), enc);
    return count;
}

/* Writes the links to the sections of the page. */
static void add_contents(struct buffer *out, const struct pe_encoding *enc)
{
    buffer_add_text(out, "<div class=\"row narrow\"></div>\n"
                         "<nav class=\"toc\" aria-label=\"On this page\">\n<ul>\n"
                         "<li><a href=\"#formula\">What it computes</a></li>\n"
                         "<li><a href=\"#use\">When to use it</a></li>\n"
                         "<li><a href=\"#wrong\">What goes wrong</a></li>\n");
    if (disagreements_about(enc) > 0)
        html_add(out, "<li><a href=\"#libraries\">Where libraries disagree</a> (%zu)</li>\n",
                 disagreements_about(enc));
    buffer_add_text(out, "<li><a href=\"#example\">Example</a></li>\n"
                         "<li><a href=\"#parameters\">Parameters</a>: ");
    param_table_add_contents(out, enc);
    buffer_add_text(out, "</li>\n<li><a href=\"#outputs\">Outputs</a></li>\n"
                         "<li><a href=\"#source\">Source</a></li>\n</ul>\n</nav>\n");
}

static void add_prose(struct buffer *out, const struct page_frame *frame,
                      const struct pe_encoding *enc)
{
    const char *base = frame->base;
    size_t told = 0;

    buffer_add_text(out, "<h2 id=\"formula\">What it computes</h2>\n<pre class=\"formula\">");
    formula_add(out, enc, NULL);
    buffer_add_text(out, "</pre>\n<h2 id=\"use\">When to use it</h2>\n<p>");
    prose_add(out, base, enc, pe_when_to_use(enc));
    buffer_add_text(out, "</p>\n<h2 id=\"wrong\">What goes wrong</h2>\n<p>");
    prose_add(out, base, enc, pe_what_goes_wrong(enc));
    buffer_add_text(out, "</p>\n");
    for (size_t i = 0; i < disagreement_count(); i++) {
        const struct disagreement *row = disagreement_at(i);

        if (!disagreement_is_about(row, enc))
            continue;
        if (told++ == 0)
            buffer_add_text(out, "<h2 id=\"libraries\">Where libraries disagree</h2>\n");
        disagreement_add(out, row, 3, frame, enc);
    }
}

static void add_shell(struct buffer *out, const char *base, const struct pe_encoding *enc,
                      const char *const *examples, size_t count)
{
    buffer_add_text(out, "<pre class=\"shell\" tabindex=\"0\">");
    for (size_t i = 0; i < count; i++)
        html_add(out, "curl -s &#39;localhost:8080%s/v1/%s?%s&#39;\n", base, pe_name(enc),
                 examples[i]);
    buffer_add_text(out, "</pre>\n");
}

static void add_examples(struct buffer *out, const char *base, const struct pe_encoding *enc)
{
    const char *const *examples = pe_examples(enc);
    size_t count = 0, shown;

    while (examples[count])
        count++;
    shown = count <= EXAMPLES_SHOWN + 1 ? count : EXAMPLES_SHOWN;
    buffer_add_text(out, "<h2 id=\"example\">Example</h2>\n");
    add_shell(out, base, enc, examples, shown);
    if (shown < count) {
        html_add(out, "<details>\n<summary>%zu more</summary>\n", count - shown);
        add_shell(out, base, enc, examples + shown, count - shown);
        buffer_add_text(out, "</details>\n");
    }
    if (!tensor_is_taken(enc))
        return;
    html_add(out,
             "<p>Tensors may also come as a body, in any of the forms of <a href=\"%s/docs/"
             "api#bodies-of-tensors\">bodies of tensors</a>.</p>\n",
             base);
}

static void add_shape(struct buffer *out, const struct pe_output *output)
{
    for (size_t i = 0; i < PE_MAX_RANK && output->axes[i]; i++)
        html_add(out, i == 0 ? "%s" : " × %s", output->axes[i]);
    buffer_add_text(out, output->axes[0] ? "" : "one number");
}

/* The bound of an output, or what posenc.h promises of all. */
static const char *bound_of(const struct pe_output *output)
{
    if (output->bound)
        return output->bound;
    return output->natural < PE_I32 ? "0.501 ULP; f64 1 ULP" : "none";
}

static void add_outputs(struct buffer *out, const struct pe_encoding *enc)
{
    size_t count;
    const struct pe_output *output = pe_outputs(enc, &count);

    buffer_add_text(out, "<h2 id=\"outputs\">Outputs</h2>\n<div class=\"wide\" tabindex=\"0\">"
                         "<table>\n<thead>"
                         "<tr><th scope=\"col\">Output</th><th scope=\"col\">Shape</th>"
                         "<th scope=\"col\">Type</th><th scope=\"col\">What it is</th>"
                         "<th scope=\"col\">Largest error</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < count; i++) {
        html_add(out, "<tr id=\"o-%s\"><th scope=\"row\"><code>%s</code></th><td>",
                 output[i].name, output[i].name);
        add_shape(out, &output[i]);
        html_add(out, "</td><td>%s</td><td>%s%s</td><td>%s</td></tr>\n",
                 pe_dtype_name(output[i].natural), output[i].summary,
                 output[i].by_default ? " (answered by default)" : "", bound_of(&output[i]));
    }
    buffer_add_text(out, "</tbody>\n</table></div>\n");
}

void encoding_page_write(struct buffer *out, const struct page_frame *frame,
                         const struct pe_encoding *enc)
{
    const struct pe_output *shown = page_picture_output(enc);
    struct page_frame own = *frame;
    struct buffer card = {0};

    page_card_add_encoding(&card, enc);
    if (card.failed)
        buffer_fail(out);
    own.card = card.failed ? NULL : card.bytes;
    own.title = pe_title(enc);
    own.folder = "/docs/";
    own.name = pe_name(enc);
    own.description = pe_summary(enc);
    own.kind = "docs";
    own.place = PAGE_FRAME_DOCS;
    page_frame_open(out, &own);
    buffer_add_text(out, "<article>\n");
    add_lead(out, own.base, enc);
    add_contents(out, enc);
    if (shown)
        page_picture_add(out, &own, enc, shown);
    add_prose(out, &own, enc);
    add_examples(out, own.base, enc);
    buffer_add_text(out, "<h2 id=\"parameters\">Parameters</h2>\n");
    param_table_add(out, enc);
    add_outputs(out, enc);
    html_add(out, "<h2 id=\"source\">Source</h2>\n<p>%s. Revision %u of its numbers.</p>\n",
             pe_source(enc), pe_revision(enc));
    buffer_add_text(out, "</article>\n");
    page_frame_close(out, &own);
    buffer_fini(&card);
}
