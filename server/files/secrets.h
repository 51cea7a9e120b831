/* SPDX-License-Identifier: Apache-2.0
 * secrets.h - what is read from the operator's secret files: the clients' keys, the admin
 * token, the certificate. Read at start, on HUP and when a file changes; one that cannot be
 * read leaves what was there before. */
#ifndef SERVER_SECRETS_H
#define SERVER_SECRETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "proto/text/buffer.h"

struct certificate;
struct api_keys;
struct secrets;
struct service;

/* What a loop works with: its own share, taken anew when there is something new. A file that
 * the operator did not name leaves NULL. */
struct secret_set {
    unsigned version;
    struct api_keys *clients, *admin;
    struct certificate *certificate;
};

/* NULL, and in `why` which file is wrong how. */
struct secrets *secrets_new(struct service *service, uv_loop_t *uv, char *why, size_t size);
void secrets_read(struct secrets *secrets); /* once more; on the main thread */
void secrets_stop(struct secrets *secrets); /* closes its handles; NULL: nothing */
void secrets_free(struct secrets *secrets); /* NULL: nothing */

/* Any thread; *set begins as zeros. Nothing happens while nothing is new. */
void secrets_take(struct secrets *secrets, struct secret_set *set);
void secrets_give_back(struct secret_set *set);

struct secrets_stats {
    uint64_t errors;             /* files that could not be read again, since the start */
    int64_t certificate_expires; /* seconds since 1970; -1: there is none */
};
struct secrets_stats secrets_stats(struct secrets *secrets);
/* One line for each file that could not be read again, as /readyz?verbose has them. */
void secrets_write(struct secrets *secrets, struct buffer *out);

#endif
