/* SPDX-License-Identifier: Apache-2.0
 * verify_page.c - see verify_page.h. */
#include "proto/pages/verify_page.h"

#include <string.h>

#include "proto/pages/guide.h"
#include "proto/pages/html.h"
#include "proto/text/word.h"

#define FOLDER "verify/"
#define CLAIM "model=meta-llama/Llama-3.1-8B&pos=0:512"

static const struct {
    const char *name, *text, *numbers;
} ports[] = {
#define PORT(NAME, TEXT, NUMBERS) {NAME, TEXT, NUMBERS},
#include "proto/pages/verify_ports.def"
#undef PORT
};

size_t verify_page_port(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++)
        if (word_is(ports[i].name, name, len))
            return i + 1;
    return 0;
}

/* Writes the mistakes that have a page of their own, for the script that links them. */
static void add_slugs(struct buffer *out)
{
    for (size_t i = 0; i < guide_count(); i++)
        if (strncmp(guide_at(i)->slug, FOLDER, strlen(FOLDER)) == 0)
            html_add(out, " %s", guide_at(i)->slug + strlen(FOLDER));
}

static void add_ports(struct buffer *out, const char *base)
{
    html_add(out,
             "<section class=\"ports\" data-claim=\"%s\">\n<h2>No file at hand?</h2>\n<p>These "
             "are the tables of four ports of Llama 3.1 8B, one right and three wrong:</p>\n"
             "<div class=\"row\">\n",
             CLAIM);
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++)
        html_add(out,
                 "<a class=\"chip\" href=\"%s/verify?port=%s\" data-port=\"%s\" "
                 "data-numbers=\"%s\">%s</a>\n",
                 base, ports[i].name, ports[i].name, ports[i].numbers, ports[i].text);
    buffer_add_text(out, "</div>\n</section>\n");
}

#define TITLE "What is wrong with my numbers?"

void verify_page_write(struct buffer *out, const struct page_frame *frame,
                       const struct verify_page_limits *limits, size_t port)
{
    struct page_frame own = *frame;
    struct buffer title = {0}, card = {0};

    buffer_add_text(&title, TITLE);
    if (port > 0)
        buffer_add_format(&title, " A port: %s", ports[port - 1].text);
    if (port > 0)
        buffer_add_format(&card, "/v1/%s&out=cos&format=card", ports[port - 1].numbers);
    if (card.failed)
        buffer_fail(out);
    own.card = card.failed ? NULL : card.bytes;
    own.title = title.failed ? TITLE : title.bytes;
    own.description =
        "Drop the numbers that your port computed: the page says whether they are "
        "right, and otherwise which line of your code to change.";
    own.folder = port > 0 ? "/verify?port=" : "/";
    own.name = port > 0 ? ports[port - 1].name : "verify";
    own.kind = "verify";
    own.place = PAGE_FRAME_VERIFY;
    page_frame_open(out, &own);
    html_add(out,
             "<header class=\"title\">\n<h1>%s</h1>\n<p class=\"lead\">%s</p>\n</header>\n"
             "<div class=\"asking\" data-most=\"%zu\" data-most-target=\"%zu\" "
             "data-mistakes=\"",
             TITLE, own.description, limits->body, limits->target);
    add_slugs(out);
    html_add(
        out,
        "\"></div>\n<noscript><p>The page needs JavaScript. This line asks the same: "
        "<code>curl --data-binary @tables.npz -H 'Content-Type: application/x-npz' "
        "'localhost:8080%s/v1/verify?model=llama-3.1-8b'</code>. <a href=\"%s/docs/verify\">"
        "All mistakes that are known</a> can be read without it.</p></noscript>\n",
        own.base, own.base);
    add_ports(out, own.base);
    page_frame_close(out, &own);
    buffer_fini(&title);
    buffer_fini(&card);
}
