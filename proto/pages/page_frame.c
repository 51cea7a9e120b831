/* SPDX-License-Identifier: Apache-2.0
 * page_frame.c - see page_frame.h. */
#include "proto/pages/page_frame.h"

#include "core/posenc.h"
#include "proto/pages/html.h"
#include "proto/pages/page_card.h"

const char page_frame_policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";
const char page_frame_type[] = "text/html; charset=utf-8";

static const struct {
    enum page_frame_place place;
    const char *path, *name;
} links[] = {
    {PAGE_FRAME_VERIFY, "/verify", "Verify"},    {PAGE_FRAME_LEARN, "/learn", "Learn"},
    {PAGE_FRAME_EXPLORE, "/", "Explore"},        {PAGE_FRAME_MODELS, "/models", "Models"},
    {PAGE_FRAME_COMPARE, "/compare", "Compare"}, {PAGE_FRAME_DOCS, "/docs", "Docs"},
};

/* The mark of the pages, as a picture in an address. */
#define ICON                                                                                   \
    "%%3Csvg xmlns=%%27http://www.w3.org/2000/svg%%27 viewBox=%%270 0 18 18%%27%%3E%%3Cpath "  \
    "d=%%27M1.5 1v16M5.5 1v5M5.5 12v5M9.5 1v10M13.5 5v12M17 1v3%%27 fill=%%27none%%27 "        \
    "stroke=%%27%%232757b8%%27 stroke-width=%%272.2%%27/%%3E%%3C/svg%%3E"

/* Writes the address that a preview of a link has. */
static void add_address(struct buffer *out, const struct page_frame *frame)
{
    struct buffer address = {0};

    buffer_add_format(&address, "%s%s%s%s", frame->origin, frame->base, frame->folder,
                      frame->name);
    if (address.failed)
        buffer_fail(out);
    else
        html_add(out,
                 "<link rel=\"canonical\" href=\"%s\">\n<meta property=\"og:url\" "
                 "content=\"%s\">\n",
                 address.bytes, address.bytes);
    buffer_fini(&address);
}

/* Writes the picture of a preview, for which a program that shows one has no key. A page
 * without one of its own has that of the first encoding. */
static void add_card(struct buffer *out, const struct page_frame *frame)
{
    struct buffer card = {0};

    if (frame->card && *frame->card)
        buffer_add_text(&card, frame->card);
    else
        page_card_add_encoding(&card, pe_at(0));
    if (card.failed)
        buffer_fail(out);
    else
        html_add(out,
                 "<meta property=\"og:image\" content=\"%s%s%s\">\n"
                 "<meta property=\"og:image:type\" content=\"image/png\">\n"
                 "<meta property=\"og:image:width\" content=\"1200\">\n"
                 "<meta property=\"og:image:height\" content=\"630\">\n"
                 "<meta property=\"og:image:alt\" content=\"%s\">\n"
                 "<meta name=\"twitter:card\" content=\"summary_large_image\">\n",
                 frame->origin, frame->base, card.bytes, frame->title);
    buffer_fini(&card);
}

/* Writes where the page is in both languages. */
static void add_languages(struct buffer *out, const struct page_frame *frame)
{
    const char *const own[] = {frame->language, frame->name};
    const char *const other[] = {frame->other_language, frame->other};
    const char *const *pages[] = {own, other};

    for (size_t i = 0; i < 2; i++)
        html_add(out, "<link rel=\"alternate\" hreflang=\"%s\" href=\"%s%s%s%s\">\n",
                 pages[i][0], frame->origin, frame->base, frame->folder, pages[i][1]);
}

static void add_head(struct buffer *out, const struct page_frame *frame)
{
    html_add(out,
             "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"color-scheme\" content=\"light dark\">\n"
             "<meta name=\"posenc-prefix\" content=\"%s\">\n<title>%s · posencd</title>\n"
             "<link rel=\"icon\" href=\"data:image/svg+xml," ICON "\">\n",
             frame->language ? frame->language : "en", frame->base, frame->title);
    html_add(out,
             "<meta property=\"og:title\" content=\"%s\">\n<meta property=\"og:site_name\" "
             "content=\"posencd\">\n<meta property=\"og:type\" content=\"website\">\n",
             frame->title);
    if (frame->description)
        html_add(out,
                 "<meta name=\"description\" content=\"%s\">\n<meta "
                 "property=\"og:description\" content=\"%s\">\n",
                 frame->description, frame->description);
    if (frame->name && !frame->alone)
        add_address(out, frame);
    if (frame->name && !frame->alone && !frame->keyed)
        add_card(out, frame);
    if (frame->name && frame->other)
        add_languages(out, frame);
    if (frame->style)
        html_add(out, "<link rel=\"stylesheet\" href=\"%s%s\">\n", frame->base, frame->style);
    if (frame->script && !frame->alone)
        html_add(out, "<script type=\"module\" src=\"%s%s\"></script>\n", frame->base,
                 frame->script);
    buffer_add_text(out, "</head>\n");
}

static void add_navigation(struct buffer *out, const struct page_frame *frame)
{
    buffer_add_text(out, "<a class=\"skip\" href=\"#main\">Skip to content</a>\n");
    html_add(out,
             "<header class=\"bar\" lang=\"en\">\n<a class=\"brand\" href=\"%s/\">posencd</a>\n"
             "<nav aria-label=\"Site\">\n",
             frame->base);
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        html_add(out,
                 links[i].place == frame->place
                     ? "<a href=\"%s%s\" aria-current=\"true\">%s</a>\n"
                     : "<a href=\"%s%s\">%s</a>\n",
                 frame->base, links[i].path, links[i].name);
    buffer_add_text(out, "</nav>\n</header>\n");
}

void page_frame_open(struct buffer *out, const struct page_frame *frame)
{
    add_head(out, frame);
    html_add(out, "<body class=\"%s\">\n", frame->kind);
    if (!frame->alone)
        add_navigation(out, frame);
    buffer_add_text(out, "<main id=\"main\">\n");
}

void page_frame_close(struct buffer *out, const struct page_frame *frame)
{
    html_add(out, "</main>\n<footer class=\"foot\">\n<p>posencd %s", pe_version());
    if (!frame->alone)
        html_add(out, " · <a href=\"%s/docs/openapi\">OpenAPI</a>", frame->base);
    buffer_add_text(out, "</p>\n</footer>\n</body>\n</html>\n");
}

/* Opens a page with the heading in its head, and an article. */
static void open_article(struct buffer *out, struct page_frame *own,
                         const struct page_frame_lead *lead, const char *kind,
                         enum page_frame_place place)
{
    own->title = lead->title;
    own->name = lead->name;
    own->description = lead->description;
    own->kind = kind;
    own->place = place;
    page_frame_open(out, own);
    buffer_add_text(out, "<article>\n");
}

static void add_heading(struct buffer *out, const struct page_frame_lead *lead)
{
    html_add(out, "<h1>%s</h1>\n<p class=\"lead\">%s</p>\n", lead->title, lead->description);
}

void page_frame_open_article(struct buffer *out, struct page_frame *own,
                             const struct page_frame_lead *lead, const char *kind,
                             enum page_frame_place place)
{
    open_article(out, own, lead, kind, place);
    add_heading(out, lead);
}

void page_frame_open_document(struct buffer *out, struct page_frame *own,
                              const struct page_frame_lead *lead)
{
    own->folder = "/docs/";
    open_article(out, own, lead, "docs", PAGE_FRAME_DOCS);
    html_add(out, "<p class=\"crumbs\"><a href=\"%s/docs\">Docs</a></p>\n", own->base);
    add_heading(out, lead);
}

void page_frame_close_document(struct buffer *out, const struct page_frame *own)
{
    buffer_add_text(out, "</article>\n");
    page_frame_close(out, own);
}
