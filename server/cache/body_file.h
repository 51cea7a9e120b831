/* SPDX-License-Identifier: Apache-2.0
 * body_file.h - the body of a cached answer in a sealed memfd. sendfile(2) gives its pages to
 * the socket without a copy, and each connection that is sent the body gets the same pages,
 * which the caches of the CPU still hold. The bytes never change, since pages that a socket
 * refers to may be sent at any later time. Thread-safe. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A shorter body is sent from the heap: over TCP a file of 128 to 512 KiB costs twice the
 * CPU of a copy, since it is sent in fragments of a page. Of a longer one each connection is
 * sent a piece at a time, so that it does not hold up the others of its loop. */
enum { BODY_FILE_LEAST = 1 << 20 };

/* The files of one cache; zeroed it allows none. It outlives the files and their shares. */
struct body_file_budget {
    _Atomic uint64_t left;  /* descriptors that may still be made: one a file, one a share */
    _Atomic uint64_t bytes; /* memory of all files, which is shared memory of the cgroup */
};

struct body_file {
    struct body_file_budget *budget;
    const char *bytes; /* read-only mapping of the file, `len` bytes; NULL: it is not sealed */
    size_t len;
    int fd;
};

/* Returns an empty file, which is to be filled and sealed, or freed. NULL: the budget is used
 * up, or the system has no descriptor or memory for it. */
struct body_file *body_file_open(struct body_file_budget *budget);
/* Appends bytes. False: there is no memory; the file is only to be freed then. */
bool body_file_add(struct body_file *file, const char *bytes, size_t len);
/* Ends the file, which is not empty: from now on nothing changes it, and `bytes` is set. False:
 * there is no memory or address range; the file is only to be freed then. */
bool body_file_seal(struct body_file *file);
/* Returns a sealed file with a copy of these bytes, at least one; NULL: none can be made. */
struct body_file *body_file_new(struct body_file_budget *budget, const char *bytes, size_t len);
void body_file_free(struct body_file *file); /* NULL is ignored */
/* Returns the memory of a file of `len` bytes: whole pages. */
size_t body_file_memory(size_t len);
/* Returns a new descriptor of the file, which the caller closes; -1: the budget or the system
 * has none. */
int body_file_share(const struct body_file *file);
/* Gives the place of a shared descriptor back to the budget, before the file is freed. */
void body_file_end_share(const struct body_file *file);
