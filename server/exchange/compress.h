/* SPDX-License-Identifier: Apache-2.0
 * compress.h - the gzip variant of a finished answer: made of the plain one's bytes, once
 * however many ask, and kept beside it under a key of its own. Where it cannot be had the plain
 * one is sent. */
#ifndef SERVER_COMPRESS_H
#define SERVER_COMPRESS_H

#include "server/exchange/internal.h"

/* Notes what codings the client takes. True: the gzip variant, of answers that have one. With
 * Range, which is about the plain answer, only if nothing else is acceptable. */
bool compress_wanted(struct exchange *ex);
/* The same for this request: sets ex->packed. False: neither is acceptable, and 406 is next. */
bool compress_choose(struct exchange *ex);
/* Only the plain answer can be had, and the client does not take it: 406 is the next step. */
bool compress_refuses_plain(struct exchange *ex);

/* ex->entry, the plain answer, is not what this client is sent. */
bool compress_is_due(const struct exchange *ex);
/* Puts the variant in its place, or leaves it if that cannot be made; then ex->step, as it is
 * now, goes on. To a client that does not take the plain answer 503 is next instead. */
enum next compress_begin(struct exchange *ex);
/* The deadline has passed, but it was about the variant: the plain answer is next, or 503. */
bool compress_expire(struct exchange *ex);
/* The exchange waits no longer; the work is done all the same, for whoever asks again. */
void compress_cancel(struct exchange *ex);

/* A page of text of that length is wanted packed; notes what the client takes. */
bool compress_suits_page(struct exchange *ex, size_t len);
/* Packs a page here and now; malloc'd. False: no memory. */
bool compress_page(struct exchange *ex, const char *bytes, size_t len, char **packed,
                   size_t *packed_len);

#endif
