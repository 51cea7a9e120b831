/* SPDX-License-Identifier: Apache-2.0
 * zip_inflate.h - begins to inflate a member of a ZIP archive. */
#pragma once

#define ZLIB_CONST /* as in zip_reader.h */

#include <stdbool.h>
#include <zlib.h>

/* Begins with deflate without framing, by a window of 32 KiB, in the stream or in one that a
 * member before has made (*made). False: out of memory. */
bool zip_inflate_begin(z_stream *zlib, bool *made);
