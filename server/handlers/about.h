/* SPDX-License-Identifier: Apache-2.0
 * about.h - what the service tells about itself: the index at "/" and /version, as JSON. */
#ifndef SERVER_ABOUT_H
#define SERVER_ABOUT_H

#include "proto/text/buffer.h"
#include "server/config/config.h"

/* base: in front of every path, "" or --path-prefix */
void about_root(struct buffer *out, const char *base);
void about_version(struct buffer *out, const struct config *config);

#endif
