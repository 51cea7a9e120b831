/* SPDX-License-Identifier: Apache-2.0
 * docs_page.c - see docs_page.h. */
#include "proto/pages/docs_page.h"

#include <string.h>

#include "core/posenc.h"
#include "proto/http/problem.h"
#include "proto/pages/disagreement.h"
#include "proto/pages/guide.h"
#include "proto/pages/html.h"
#include "proto/pages/twin.h"

static const char *const families[] = {
    [PE_ABSOLUTE] = "A row for each position, which is added to the embedding of a token.",
    [PE_ROTARY] =
        "Angles that turn queries and keys: scores depend on differences of positions.",
    [PE_BIAS] = "Numbers that are added to attention scores, or multiplied with them.",
    [PE_INDEX] = "Position ids: which position a token has, before any encoding of it.",
    [PE_MASK] = "Which keys a query may see.",
    [PE_SPATIAL] = "Rows for the patches of images, the frames of videos, points and boxes.",
    [PE_GRAPH] = "Features of the nodes of a graph, and of pairs of them.",
};

static void add_encoding(struct buffer *out, const char *base, const struct pe_encoding *enc)
{
    const struct pe_encoding *twin = twin_is_applied(enc) ? NULL : twin_find(enc);

    html_add(out, "<dt><a href=\"%s/docs/%s\"><code>%s</code></a>", base, pe_name(enc),
             pe_name(enc));
    if (twin)
        html_add(out, " <a href=\"%s/docs/%s\"><code>%s</code></a>", base, pe_name(twin),
                 strchr(pe_name(twin), '/'));
    html_add(out, "</dt><dd>%s</dd>\n", pe_summary(enc));
}

/* Returns whether the encoding has an entry of its own in the list of its family. */
static bool is_listed(const struct pe_encoding *enc)
{
    const struct pe_encoding *table = twin_is_applied(enc) ? twin_find(enc) : NULL;

    return !table || pe_family_of(table) != pe_family_of(enc);
}

static void add_family(struct buffer *out, const char *base, enum pe_family family)
{
    html_add(out, "<section class=\"family\">\n<h2 id=\"%s\">%s</h2>\n<p>%s</p>\n<dl>\n",
             pe_family_name(family), pe_family_name(family), families[family]);
    for (size_t i = 0; i < pe_count(); i++)
        if (pe_family_of(pe_at(i)) == family && is_listed(pe_at(i)))
            add_encoding(out, base, pe_at(i));
    buffer_add_text(out, "</dl>\n</section>\n");
}

static void add_guides(struct buffer *out, const char *base)
{
    html_add(out,
             "<section>\n<h2 id=\"guides\">Guides</h2>\n<dl>\n"
             "<dt><a href=\"%s/docs/disagreements\">Where libraries disagree</a></dt>"
             "<dd>%zu places where libraries give different numbers under one name.</dd>\n"
             "<dt><a href=\"%s/models\">Models</a></dt><dd>Which positional encoding a "
             "published model has, layer by layer, with its settings.</dd>\n",
             base, disagreement_count(), base);
    for (size_t i = 0; i < guide_count(); i++)
        if (!strchr(guide_at(i)->slug, '/'))
            html_add(out, "<dt><a href=\"%s%s/%s\">%s</a></dt><dd>%s</dd>\n", base,
                     guide_is_lesson(guide_at(i)) ? "" : "/docs", guide_at(i)->slug,
                     guide_at(i)->title, guide_at(i)->summary);
    html_add(out,
             "<dt><a href=\"%s/docs/openapi\">OpenAPI</a></dt><dd>Every path and parameter for "
             "programs.</dd>\n</dl>\n</section>\n",
             base);
}

static void add_problems(struct buffer *out, const char *base)
{
    buffer_add_text(out, "<section>\n<h2 id=\"problems\">Problems</h2>\n<p>An error names its "
                         "kind by one of these pages.</p>\n<ul class=\"problems\">\n");
    for (size_t i = 0; i < PROBLEM_COUNT; i++)
        html_add(out, "<li><a href=\"%s/problems/%s\">%s</a> (%u)</li>\n", base,
                 problem_slug((enum problem_kind)i), problem_title((enum problem_kind)i),
                 problem_status((enum problem_kind)i));
    buffer_add_text(out, "</ul>\n</section>\n");
}

void docs_page_write(struct buffer *out, const struct page_frame *frame)
{
    static const struct page_frame_lead lead = {
        .title = "Documentation",
        .name = "docs",
        .description =
            "Every positional encoding that the service computes, what goes wrong when "
            "it is ported, and how to ask for its numbers."};
    struct page_frame own = *frame;

    page_frame_open_article(out, &own, &lead, "docs", PAGE_FRAME_DOCS);
    buffer_add_text(out, "<nav class=\"toc\" aria-label=\"On this page\">\n<ul>\n"
                         "<li><a href=\"#guides\">guides</a></li>\n");
    for (int i = PE_ABSOLUTE; i <= PE_GRAPH; i++)
        html_add(out, "<li><a href=\"#%s\">%s</a></li>\n", pe_family_name((enum pe_family)i),
                 pe_family_name((enum pe_family)i));
    buffer_add_text(out, "<li><a href=\"#problems\">problems</a></li>\n</ul>\n</nav>\n");
    add_guides(out, own.base);
    for (int i = PE_ABSOLUTE; i <= PE_GRAPH; i++)
        add_family(out, own.base, (enum pe_family)i);
    add_problems(out, own.base);
    page_frame_close_document(out, &own);
}

void docs_page_write_disagreements(struct buffer *out, const struct page_frame *frame)
{
    static const struct page_frame_lead lead = {
        .title = "Where libraries disagree",
        .name = "disagreements",
        .description = "Places where libraries give different numbers under one name, with the "
                       "parameter that chooses between them here."};
    struct page_frame own = *frame;

    page_frame_open_document(out, &own, &lead);
    for (size_t i = 0; i < disagreement_count(); i++)
        disagreement_add(out, disagreement_at(i), 2, &own, NULL);
    page_frame_close_document(out, &own);
}
