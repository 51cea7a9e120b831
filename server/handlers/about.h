/* SPDX-License-Identifier: Apache-2.0
 * about.h - the JSON documents at "/" (endpoints and encodings) and /version. */
#pragma once

#include "proto/text/buffer.h"
#include "server/config/config.h"

/* base precedes every path: "" or --path-prefix. */
void about_root(struct buffer *out, const char *base);
void about_version(struct buffer *out, const struct config *config);
