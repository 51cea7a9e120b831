/* SPDX-License-Identifier: Apache-2.0
 * page_frame.h - what every HTML page of the service has in common: the head, the navigation
 * and the footer around its <main>. There is no inline script and no inline style. */
#pragma once

#include <stdbool.h>

#include "proto/text/buffer.h"

/* The Content-Security-Policy of every page: it loads from this service alone, which nothing
 * else may put into a frame. */
extern const char page_frame_policy[];
extern const char page_frame_type[]; /* Content-Type */

/* The link of the navigation that leads to the page. */
enum page_frame_place {
    PAGE_FRAME_NOWHERE,
    PAGE_FRAME_VERIFY,
    PAGE_FRAME_LEARN,
    PAGE_FRAME_EXPLORE,
    PAGE_FRAME_MODELS,
    PAGE_FRAME_COMPARE,
    PAGE_FRAME_DOCS,
};

struct page_frame {
    const char *title;       /* without the name of the service, which follows it */
    const char *description; /* a sentence for search engines and previews; NULL: none */
    const char *base;        /* --path-prefix, in front of every path of the service, or "" */
    const char *origin; /* --public-url, in front of addresses that a preview keeps, or "" */
    const char *folder; /* the address of the page below base is folder and name, "/docs/" */
    const char *name; /* "rope", with the query of the page's state; NULL: it has no address */
    const char *card; /* path of a preview's picture, below base; NULL: the first encoding's */
    const char *language; /* of the page, "zh-Hans"; NULL: English */
    const char *other;    /* the page in another language, in the same folder; NULL: none */
    const char *other_language;
    const char *style;  /* path of the stylesheet, as "/assets/page.1a2b.css"; NULL: none */
    const char *script; /* path of the module, run when the page is read; NULL: none */
    const char *kind;   /* class of <body>: "docs", "home", "explore", "verify" */
    enum page_frame_place place;
    bool keyed; /* /v1 answers only with a key: the page holds its pictures itself */
    bool alone; /* the service has no other page: no navigation, no script */
};

/* Writes everything up to the beginning of <main>, and everything from its end on. */
void page_frame_open(struct buffer *out, const struct page_frame *frame);
void page_frame_close(struct buffer *out, const struct page_frame *frame);

/* The heading of a document below /docs/: the title, its address there, and the sentence under
 * the title. */
struct page_frame_lead {
    const char *title, *name, *description;
};
/* Opens a page of the navigation that is an article, with such a heading; the address is below
 * the service. page_frame_close_document closes it. */
void page_frame_open_article(struct buffer *out, struct page_frame *own,
                             const struct page_frame_lead *lead, const char *kind,
                             enum page_frame_place place);
/* Opens such a document, whose frame is `own` from then on, and writes its lead; and closes
 * it. */
void page_frame_open_document(struct buffer *out, struct page_frame *own,
                              const struct page_frame_lead *lead);
void page_frame_close_document(struct buffer *out, const struct page_frame *own);
