/* SPDX-License-Identifier: Apache-2.0
 * secrets.h - the clients' keys, the admin token and the certificate, from files of the
 * operator. They are read at start, on SIGHUP and when a file changes; if a file cannot be
 * read, its old contents stay in use. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "proto/text/buffer.h"

struct certificate;
struct api_keys;
struct secrets;
struct service;

/* The secrets that a loop uses: it holds references of its own, and takes new ones when a file
 * was read again. A field whose file the operator did not name is NULL. */
struct secret_set {
    unsigned version;
    struct api_keys *clients, *admin;
    struct certificate *certificate;
};

/* NULL, and in `why` the file that is wrong and the reason. */
struct secrets *secrets_new(struct service *service, uv_loop_t *uv, char *why, size_t size);
void secrets_read(struct secrets *secrets); /* reads the files again; on the main thread */
void secrets_stop(struct secrets *secrets); /* closes its handles; NULL is ignored */
void secrets_free(struct secrets *secrets); /* NULL is ignored */

/* Brings *set, at first zeros, up to date; any thread. */
void secrets_take(struct secrets *secrets, struct secret_set *set);
void secrets_give_back(struct secret_set *set);

struct secrets_stats {
    uint64_t bad;                /* parts that cannot be read: keys, token, certificate */
    uint64_t errors;             /* how often a part became bad, or bad for another reason */
    int64_t certificate_expires; /* seconds since 1970; -1: there is no certificate */
};
struct secrets_stats secrets_stats(struct secrets *secrets);
/* One line for each file that could not be read again, for /readyz?verbose. */
void secrets_write(struct secrets *secrets, struct buffer *out);
