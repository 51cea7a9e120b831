/* SPDX-License-Identifier: Apache-2.0
 * problem_page.c - see problem_page.h. */
#include "proto/pages/problem_page.h"

#include "proto/pages/html.h"

void problem_page_write(struct buffer *out, const struct page_frame *frame,
                        enum problem_kind kind)
{
    struct page_frame own = *frame;

    own.title = problem_title(kind);
    own.folder = "/problems/";
    own.name = problem_slug(kind);
    own.description = problem_advice(kind);
    own.kind = "docs";
    own.place = PAGE_FRAME_DOCS;
    page_frame_open(out, &own);
    buffer_add_text(out, "<article>\n");
    if (!own.alone)
        html_add(out,
                 "<p class=\"crumbs\"><a href=\"%s/docs\">Docs</a> / "
                 "<a href=\"%s/docs#problems\">problems</a></p>\n",
                 own.base, own.base);
    html_add(out,
             "<h1>%s</h1>\n<p>Status %u, type <code>%s/problems/%s</code></p>\n<p>%s</p>\n"
             "</article>\n",
             own.title, problem_status(kind), own.base, problem_slug(kind),
             problem_advice(kind));
    page_frame_close(out, &own);
}
