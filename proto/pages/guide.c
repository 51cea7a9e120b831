/* SPDX-License-Identifier: Apache-2.0
 * guide.c - see guide.h. */
#include "proto/pages/guide.h"

#include <assert.h>
#include <string.h>

#include "guide_rows.h" /* guide_rows[]: made from docs */
#include "proto/pages/html.h"

size_t guide_count(void)
{
    return sizeof guide_rows / sizeof guide_rows[0];
}

const struct guide *guide_at(size_t i)
{
    assert(i < guide_count());
    return &guide_rows[i];
}

/* Returns the guide of the folder in which the guide is; NULL: it is in none. */
static const struct guide *folder_of(const struct guide *guide)
{
    const char *slash = strchr(guide->slug, '/');
    size_t len = slash ? (size_t)(slash - guide->slug) : 0;

    for (size_t i = 0; len > 0 && i < guide_count(); i++)
        if (strlen(guide_rows[i].slug) == len &&
            memcmp(guide_rows[i].slug, guide->slug, len) == 0)
            return &guide_rows[i];
    return NULL;
}

void guide_write(struct buffer *out, const struct page_frame *frame, const struct guide *guide)
{
    const struct guide *folder = folder_of(guide);
    struct page_frame own = *frame;

    own.title = guide->title;
    own.description = guide->summary;
    own.kind = "docs";
    own.place = PAGE_FRAME_DOCS;
    page_frame_open(out, &own);
    html_add(out, "<article>\n<p class=\"crumbs\"><a href=\"%s/docs\">Docs</a>", own.base);
    if (folder)
        html_add(out, " / <a href=\"%s/docs/%s\">%s</a>", own.base, folder->slug, folder->slug);
    buffer_add_text(out, "</p>\n");
    for (const char *const *part = guide->parts; *part; part++)
        buffer_add_text(out, *part);
    buffer_add_text(out, "</article>\n");
    page_frame_close(out, &own);
}
