/* SPDX-License-Identifier: Apache-2.0
 * compress.h - makes the gzip variant of a finished answer from the identity variant's bytes,
 * once for all concurrent requests, and keeps it in the cache under a key of its own. If it
 * cannot be made, the identity variant is sent. */
#pragma once

#include "server/exchange/internal.h"

/* Notes which codings the client accepts. True: it gets the gzip variant of answers that have
 * one; with Range, which is about the identity variant, only if it accepts nothing else. */
bool compress_wanted(struct exchange *ex);
/* Sets ex->compress.gzip and ex->compress.coding. False: neither variant is acceptable, and 406
 * is next. */
bool compress_choose(struct exchange *ex);
/* Only the identity variant exists. True: the client does not accept it, and 406 is next. */
bool compress_refuses_identity(struct exchange *ex);

/* Returns true if ex->work.entry (identity) has to be compressed for this client. */
bool compress_is_due(const struct exchange *ex);
/* True: ex->work.entry is too long to be compressed, the client does not accept identity, and
 * 406 is next. */
bool compress_is_impossible(struct exchange *ex);
/* Replaces ex->work.entry by its gzip variant, or keeps it if that cannot be made; then
 * ex->step, as it is now, is next. For a client that does not accept identity 503 is next
 * instead. At the deadline the entry is kept. */
enum next compress_begin(struct exchange *ex);

/* Returns true if an answer that is too long for the cache is worth a gzip variant of the
 * whole, which the job makes of at most COMPRESS_WHOLE_MOST bytes that cost little. */
enum { COMPRESS_WHOLE_MOST = 16 << 20, COMPRESS_OPERATIONS_A_BYTE = 4 };
bool compress_suits_whole(const struct exchange *ex);
/* Returns the most bytes that the answer then has before it is compressed. */
uint64_t compress_whole_len(const struct exchange *ex);
/* Returns the most bytes that the job then holds: the answer and its gzip variant. */
uint64_t compress_whole_bytes(const struct exchange *ex);
/* Returns the header lines of the identity variant, changed for gzip; malloc'd, NULL: out of
 * memory. */
char *compress_lines(const char *identity);

/* Notes which codings the client accepts. True: it gets a page of that length compressed. */
bool compress_suits_page(struct exchange *ex, size_t len);
/* Compresses a page at once; *compressed is malloc'd. False: out of memory. */
bool compress_page(struct exchange *ex, const char *bytes, size_t len, char **compressed,
                   size_t *compressed_len);
