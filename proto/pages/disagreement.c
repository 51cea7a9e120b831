/* SPDX-License-Identifier: Apache-2.0
 * disagreement.c - see disagreement.h. */
#include "proto/pages/disagreement.h"

#include <assert.h>
#include <string.h>

#include "proto/pages/html.h"
#include "proto/pages/page_picture.h"
#include "proto/request/canonical.h"

static const struct disagreement rows[] = {
#define DISAGREEMENT(ID, ENCODINGS, TITLE, DIFFERS, CHOOSES, SOURCE, FIRST, SECOND)            \
    {(ID), (ENCODINGS), (TITLE), (DIFFERS), (CHOOSES), (SOURCE), (FIRST), (SECOND)},
#include "proto/pages/disagreements.def"
#undef DISAGREEMENT
};

size_t disagreement_count(void)
{
    return sizeof rows / sizeof rows[0];
}

const struct disagreement *disagreement_at(size_t i)
{
    assert(i < disagreement_count());
    return &rows[i];
}

bool disagreement_is_about(const struct disagreement *row, const struct pe_encoding *enc)
{
    const char *name = pe_name(enc);

    for (const char *at = row->encodings; *at;) {
        size_t len = strcspn(at, " ");

        if (strlen(name) == len && memcmp(at, name, len) == 0)
            return true;
        at += len + (at[len] == ' ');
    }
    return false;
}

static void add_links(struct buffer *out, const struct disagreement *row, const char *base,
                      const struct pe_encoding *except)
{
    const char *comma = "";

    for (size_t i = 0; i < pe_count(); i++) {
        if (pe_at(i) == except || !disagreement_is_about(row, pe_at(i)))
            continue;
        buffer_add_text(out, *comma ? comma : "<p class=\"see\">See ");
        html_add(out, "<a href=\"%s/docs/%s\"><code>%s</code></a>", base, pe_name(pe_at(i)),
                 pe_name(pe_at(i)));
        comma = ", ";
    }
    buffer_add_text(out, *comma ? "</p>\n" : "");
}

/* Returns "rope?dim=8" of "/v1/rope?dim=8". */
static const char *named(const char *request)
{
    return request + strlen("/v1/");
}

static void add_picture(struct buffer *out, const struct page_frame *frame, const char *request)
{
    html_add(out,
             "<figure class=\"picture\"><a href=\"%s/explore/%s\"><img loading=\"lazy\" "
             "src=\"",
             frame->base, named(request));
    page_picture_add_source(out, frame, request);
    html_add(out, "\" alt=\"%s\"></a><figcaption><code>%s</code></figcaption></figure>\n",
             named(request), named(request));
}

/* Writes the two pictures, if they are wanted, and the link that compares their numbers. */
static void add_requests(struct buffer *out, const struct page_frame *frame,
                         const struct disagreement *row, bool drawn)
{
    struct buffer second = {0};

    if (*row->first == '\0')
        return;
    if (drawn) {
        buffer_add_text(out, "<div class=\"pair\">\n");
        add_picture(out, frame, row->first);
        add_picture(out, frame, row->second);
        buffer_add_text(out, "</div>\n");
    }
    canonical_encode(&second, named(row->second));
    if (second.failed)
        buffer_fail(out);
    else
        html_add(out,
                 "<p class=\"see\"><a href=\"%s/explore/%s&amp;vs=%s\">Compare the numbers</a>"
                 "</p>\n",
                 frame->base, named(row->first), second.bytes);
    buffer_fini(&second);
}

void disagreement_add(struct buffer *out, const struct disagreement *row, unsigned level,
                      const struct page_frame *frame, const struct pe_encoding *except)
{
    html_add(out,
             "<section class=\"disagreement\">\n<h%u id=\"%s\">%s</h%u>\n"
             "<p>",
             level, row->id, row->title, level);
    html_add_marked(out, row->differs);
    buffer_add_text(out, "</p>\n<p class=\"chosen\">Chosen here by: ");
    html_add_marked(out, row->chooses);
    html_add(out, ".</p>\n<p class=\"read-in\">Read in: %s</p>\n", row->source);
    add_requests(out, frame, row, !except);
    add_links(out, row, frame->base, except);
    buffer_add_text(out, "</section>\n");
}
