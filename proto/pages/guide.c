/* SPDX-License-Identifier: Apache-2.0
 * guide.c - see guide.h. */
#include "proto/pages/guide.h"

#include <assert.h>
#include <string.h>

#include "guide_rows.h" /* guide_rows[]: made from docs */
#include "proto/pages/html.h"
#include "proto/pages/page_card.h"
#include "proto/pages/page_picture.h"

#define COURSE "learn"

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

bool guide_is_lesson(const struct guide *guide)
{
    const size_t len = strlen(COURSE);

    return strncmp(guide->slug, COURSE, len) == 0 && strchr("/", guide->slug[len]);
}

static void add_crumbs(struct buffer *out, const char *base, const struct guide *guide)
{
    const struct guide *folder = folder_of(guide);

    if (guide_is_lesson(guide)) {
        if (folder)
            html_add(out, "<p class=\"crumbs\"><a href=\"%s/" COURSE "\">%s</a></p>\n", base,
                     folder->title);
        return;
    }
    html_add(out, "<p class=\"crumbs\"><a href=\"%s/docs\">Docs</a>", base);
    if (folder)
        html_add(out, " / <a href=\"%s/docs/%s\">%s</a>", base, folder->slug, folder->slug);
    buffer_add_text(out, "</p>\n");
}

void guide_write(struct buffer *out, const struct page_frame *frame, const struct guide *guide)
{
    struct page_frame own = *frame;
    struct buffer card = {0};

    for (const struct guide_part *part = guide->parts; part->text && card.len == 0; part++)
        if (part->is_picture)
            page_card_add_request(&card, part->text);
    if (card.failed)
        buffer_fail(out);
    own.card = card.failed ? NULL : card.bytes;
    own.title = guide->title;
    own.folder = guide_is_lesson(guide) ? "/" : "/docs/";
    own.name = guide->slug;
    own.description = guide->summary;
    own.kind = guide_is_lesson(guide) ? "docs learn" : "docs";
    own.place = guide_is_lesson(guide) ? PAGE_FRAME_LEARN : PAGE_FRAME_DOCS;
    page_frame_open(out, &own);
    buffer_add_text(out, "<article>\n");
    add_crumbs(out, own.base, guide);
    for (const struct guide_part *part = guide->parts; part->text; part++)
        if (part->is_picture)
            page_picture_add_source(out, frame, part->text);
        else
            buffer_add_text(out, part->text);
    buffer_add_text(out, "</article>\n");
    page_frame_close(out, &own);
    buffer_fini(&card);
}
