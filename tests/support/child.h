/* SPDX-License-Identifier: Apache-2.0
 * child.h - a posencd of a test's own: started on a free port, stopped by its process id. */
#pragma once

struct child;

/* Starts $POSENC_BUILD/posencd (default build/posencd) with these flags (NULL-terminated, may
 * be NULL) beside --listen 127.0.0.1:0, and waits until its log has the line of readiness.
 * Fails the test if it has none. */
struct child *child_start(const char *const flags[]);
/* "http://127.0.0.1:40123" */
const char *child_url(const struct child *child);
/* Sends TERM, waits, and checks that the child exits with 0 and that its log has no report of a
 * sanitizer. */
void child_stop(struct child *child);
