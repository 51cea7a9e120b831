/* SPDX-License-Identifier: Apache-2.0
 * child.h - a posencd of a test's own: started on a free port, stopped by its process id. */
#ifndef SUPPORT_CHILD_H
#define SUPPORT_CHILD_H

struct child;

/* Starts $POSENC_BUILD/posencd (default build/posencd) with these flags (NULL-terminated, may
 * be NULL) beside --listen 127.0.0.1:0, and waits until it says that it is ready. Fails the
 * test if it does not. */
struct child *child_start(const char *const flags[]);
/* "http://127.0.0.1:40123" */
const char *child_url(const struct child *child);
/* TERM, wait, and check that it exits with 0 and that no sanitizer spoke. */
void child_stop(struct child *child);

#endif
