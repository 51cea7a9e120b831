/* SPDX-License-Identifier: Apache-2.0
 * page_state.h - the part of a page's query that says what the page shows: a link keeps it,
 * and two pages are one where it is the same. */
#pragma once

#include <stdbool.h>

#include "proto/request/query.h"
#include "proto/text/buffer.h"

/* A request that a page shows. */
struct page_request {
    const struct pe_encoding *enc; /* NULL: the page shows none */
    size_t output;                 /* that it names, from 1 on; 0: none */
    struct buffer query;           /* "dim=64&pos=0:64", as a URL has it; or "" */
};

/* Each text is empty where the query says nothing. */
struct page_state {
    struct page_request own, other; /* other: that it is compared with */
    struct buffer words;   /* of the page: "view=rotation&pal=viridis&vs=t5%3Flen%3D8" */
    struct buffer against; /* the other request for people, "t5 len=8" */
    const char *colours;   /* the palette as the value of cmap=; NULL: the numbers' own */
};

/* Returns an empty state whose texts take their bytes of the budget; NULL: nobody counts
 * them. */
struct page_state page_state_of(struct buffer_budget *budget);
void page_state_fini(struct page_state *state);
/* Returns whether there was no memory for a text. */
bool page_state_failed(const struct page_state *state);

/* Reads the state of a page about the encoding. Of the query's parameters, in their order,
 * those of requests belong to it, but for those that only say how an answer is written; and
 * of the words, which are the names of no parameters, those that have a meaning. */
void page_state_read(struct page_state *state, const struct pe_encoding *enc,
                     const struct query *query);
/* Reads the two requests, "rope?dim=64", of the query of a page that compares any:
 * "a=...&b=...", escaped or not. Without two requests for encodings the state stays empty. */
void page_state_read_pair(struct page_state *state, const char *query, size_t len);
/* Writes the request: "rope?dim=64&pos=0:64". */
void page_state_write_request(struct buffer *out, const struct page_request *request);
/* Writes the address of the page below "/explore/": "rope?dim=64&view=rotation". */
void page_state_write(struct buffer *out, const struct page_state *state);
