/* SPDX-License-Identifier: Apache-2.0
 * guide.c - see guide.h. */
#include "proto/pages/guide.h"

#include <assert.h>
#include <string.h>

#include "guide_rows.h" /* guide_rows[]: made from docs */
#include "proto/pages/guide_state.h"
#include "proto/pages/html.h"
#include "proto/pages/page_card.h"
#include "proto/pages/page_picture.h"

#define COURSE "learn"
#define CHINESE COURSE "/zh"

size_t guide_count(void)
{
    return sizeof guide_rows / sizeof guide_rows[0];
}

const struct guide *guide_at(size_t i)
{
    assert(i < guide_count());
    return &guide_rows[i];
}

/* Returns the guide of that slug; NULL: there is none. */
static const struct guide *find(const char *slug, size_t len)
{
    for (size_t i = 0; i < guide_count(); i++)
        if (strlen(guide_rows[i].slug) == len && memcmp(guide_rows[i].slug, slug, len) == 0)
            return &guide_rows[i];
    return NULL;
}

const struct guide *guide_folder(const struct guide *guide)
{
    const char *slash = strrchr(guide->slug, '/');
    const bool top = strcmp(guide->slug, CHINESE) == 0;

    return slash && !top ? find(guide->slug, (size_t)(slash - guide->slug)) : NULL;
}

bool guide_is_chinese(const struct guide *guide)
{
    return strncmp(guide->slug, CHINESE, strlen(CHINESE)) == 0 &&
           strchr("/", guide->slug[strlen(CHINESE)]);
}

/* Returns the chapter in the other language; NULL: there is none. */
static const struct guide *translation_of(const struct guide *guide)
{
    const bool is_chinese = guide_is_chinese(guide);
    const char *from = is_chinese ? CHINESE : COURSE, *to = is_chinese ? COURSE : CHINESE;
    const struct guide *found = NULL;
    struct buffer slug = {0};

    if (!guide_is_lesson(guide))
        return NULL; /* its slug may be shorter than those of chapters */
    buffer_add_format(&slug, "%s%s", to, guide->slug + strlen(from));
    if (!slug.failed)
        found = find(slug.bytes, slug.len);
    buffer_fini(&slug);
    return found;
}

bool guide_is_lesson(const struct guide *guide)
{
    const size_t len = strlen(COURSE);

    return strncmp(guide->slug, COURSE, len) == 0 && strchr("/", guide->slug[len]);
}

static const char *language_of(const struct guide *guide)
{
    return guide_is_chinese(guide) ? "zh-Hans" : "en";
}

static void add_crumbs(struct buffer *out, const char *base, const struct guide *guide)
{
    const struct guide *folder = guide_folder(guide), *other = translation_of(guide);

    if (guide_is_lesson(guide)) {
        buffer_add_text(out, "<p class=\"crumbs\">");
        if (folder)
            html_add(out, "<a href=\"%s/%s\">%s</a>", base, folder->slug, folder->title);
        if (other)
            html_add(out, "%s<a href=\"%s/%s\" lang=\"%s\" hreflang=\"%s\">%s</a>",
                     folder ? " · " : "", base, other->slug, language_of(other),
                     language_of(other), guide_is_chinese(other) ? "中文" : "English");
        buffer_add_text(out, "</p>\n");
        return;
    }
    html_add(out, "<p class=\"crumbs\"><a href=\"%s/docs\">Docs</a>", base);
    if (folder)
        html_add(out, " / <a href=\"%s/docs/%s\">%s</a>", base, folder->slug, folder->slug);
    buffer_add_text(out, "</p>\n");
}

/* The requests of a page's pictures, in their order. */
struct pictures {
    const struct query *query; /* of the page */
    uint64_t most_elements;
    size_t number; /* of the next one */
};

/* Writes the request of the next picture; returns whether the query decides it. */
static bool add_next(struct buffer *out, const struct guide_part *part, struct pictures *next)
{
    const bool given = guide_state_add_request(out, part, next->number++, next->query);

    if (given && page_card_is_right(out->bytes, NULL, next->most_elements))
        return true;
    out->len = 0;
    buffer_add_text(out, part->text);
    return false;
}

/* Writes the card of the preview. */
static void add_card(struct buffer *out, const struct guide *guide, struct pictures next)
{
    bool decided = false;

    for (const struct guide_part *part = guide->parts; part->text && !decided; part++) {
        struct buffer request = {0};

        if (!part->is_picture)
            continue;
        decided = add_next(&request, part, &next);
        if (decided || out->len == 0) {
            out->len = 0;
            page_card_add_request(out, request.failed ? part->text : request.bytes);
        }
        buffer_fini(&request);
    }
}

static void add_parts(struct buffer *out, const struct page_frame *frame,
                      const struct guide *guide, struct pictures next)
{
    for (const struct guide_part *part = guide->parts; part->text; part++) {
        struct buffer request = {0};

        if (part->is_picture) {
            (void)add_next(&request, part, &next);
            page_picture_add_source(out, frame, request.failed ? part->text : request.bytes);
        } else {
            buffer_add_text(out, part->text);
        }
        buffer_fini(&request);
    }
}

/* Gives the frame what the document decides. */
static void set_frame(struct page_frame *frame, const struct guide *guide)
{
    const struct guide *other = translation_of(guide);
    const bool is_lesson = guide_is_lesson(guide);

    frame->language = language_of(guide);
    frame->other = other ? other->slug : NULL;
    frame->other_language = other ? language_of(other) : NULL;
    frame->title = guide->title;
    frame->folder = is_lesson ? "/" : "/docs/";
    frame->description = guide->summary;
    frame->kind = is_lesson ? "docs learn" : "docs";
    frame->place = is_lesson ? PAGE_FRAME_LEARN : PAGE_FRAME_DOCS;
}

void guide_write(struct buffer *out, const struct page_frame *frame, const struct guide *guide,
                 const struct guide_figures *figures)
{
    const char *words = figures ? figures->words : "";
    struct page_frame own = *frame;
    struct buffer card = {0}, name = {0};
    struct pe_errors errors = {.count = 0};
    struct query query = {.count = 0};

    query_parse(&query, words, strlen(words), &errors);
    const struct pictures next = {&query, figures ? figures->most_elements : 0, 0};
    add_card(&card, guide, next);
    buffer_add_format(&name, "%s%s%s", guide->slug, *words ? "?" : "", words);
    if (card.failed || name.failed)
        buffer_fail(out);
    set_frame(&own, guide);
    own.card = card.failed ? NULL : card.bytes;
    own.name = name.failed ? guide->slug : name.bytes;
    page_frame_open(out, &own);
    buffer_add_text(out, "<article>\n");
    add_crumbs(out, own.base, guide);
    add_parts(out, frame, guide, next);
    buffer_add_text(out, "</article>\n");
    page_frame_close(out, &own);
    query_fini(&query);
    buffer_fini(&card);
    buffer_fini(&name);
}
