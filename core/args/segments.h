/* SPDX-License-Identifier: Apache-2.0
 * segments.h - parses and prints lists of the segments that make up a sequence.
 *
 *     spec = item *("," item)
 *     item = ("text" / "audio") ":" count
 *          / ("image" / "video") ":" frames "x" height "x" width ["@" seconds]
 *
 * Numbers are whole and at least 1; seconds is a decimal number, 0 or more. Private to core. */
#pragma once

#include "core/posenc.h"

/* The kind of a segment. Text and audio have size[0]; images and videos have frames, height and
 * width in patches, and perhaps seconds per frame (NaN when not given). */
enum pe_segment_kind {
    PE_SEGMENT_TEXT,
    PE_SEGMENT_IMAGE,
    PE_SEGMENT_VIDEO,
    PE_SEGMENT_AUDIO,
};
struct pe_segment {
    enum pe_segment_kind kind;
    int64_t size[3];
    double seconds;
};
struct pe_segments {
    const struct pe_segment *items;
    size_t count; /* 0 when absent */
};

enum { SEGMENTS_MAX = 65536, SEGMENTS_MAX_SIZE = 1 << 30 };

/* Parses the grammar above. On an error a problem named `parameter` says what to write, and
 * *segments is unchanged. */
enum pe_status segments_parse(struct pe_segments *segments, const char *parameter,
                              const char *text, size_t len, struct pe_errors *errors);
void segments_free(struct pe_segments *segments);
/* Prints the canonical text as snprintf would: at most size bytes are written with the NUL, the
 * length of the whole text is returned. */
size_t segments_print(const struct pe_segments *segments, char *text, size_t size);
