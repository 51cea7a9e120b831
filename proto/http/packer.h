/* SPDX-License-Identifier: Apache-2.0
 * packer.h - gzip of a whole answer, by libdeflate at its fastest level: the one above takes
 * twice the time for 4 % of the bytes. */
#ifndef PROTO_PACKER_H
#define PROTO_PACKER_H

#include <libdeflate.h>
#include <stdbool.h>
#include <stddef.h>

/* What its bytes depend on besides the answer's: a part of the variant's entity tag. It names
 * the headers that this was built with, for libdeflate does not say which one is loaded: who
 * exchanges a shared libdeflate builds again, or keeps tags whose bytes may be others. */
#define PACKER_TAG "gzip-" LIBDEFLATE_VERSION_STRING

/* Some 100 KB of working memory, to be used again. One thread at a time. */
struct packer;
struct packer *packer_new(void); /* NULL: out of memory */
void packer_free(struct packer *packer);

/* The most that `len` bytes can become. */
size_t packer_bound(size_t len);
/* Compresses bytes[0..len) into *packed, malloc'd, of *packed_len bytes. False: no memory. */
bool packer_gzip(struct packer *packer, const char *bytes, size_t len, char **packed,
                 size_t *packed_len);

#endif
