/* SPDX-License-Identifier: Apache-2.0
 * ids_mrope_walk.h - the arguments of ids-mrope, and the runs of ids that they give. */
#pragma once

#include "core/args/segments.h"
#include "core/encodings/index/token_runs.h"

enum { LAYOUT_MROPE, LAYOUT_HUNYUAN };
enum { ADVANCE_MAX_ID, ADVANCE_MAX_HW };
enum { SPLIT_NONE, SPLIT_FRAMES };
enum { AUDIO_APART, AUDIO_CHUNKS, AUDIO_TIME };
enum { AUDIO_QUARTER, AUDIO_WINDOWS };
enum { TIME_TRUNC, TIME_REAL, TIME_SINGLE };
enum { SIDE_RIGHT, SIDE_LEFT };

struct ids_mrope {
    struct pe_segments segments;
    int64_t spatial_merge_size, temporal_merge, timestamp_tokens, padded_len, pad_value;
    double tokens_per_second, seconds_per_chunk;
    int id_axes, advance, split_videos, audio_in_video, audio_tokens, time_rule, padding_side,
        preset;
    bool truncate_seconds;
};

/* Adds the runs of all segments and of the padding to *runs, which is zeroed except for its
 * memory. The arguments have been checked. */
void ids_mrope_walk(const struct ids_mrope *m, struct token_runs *runs);
/* Returns the distance in ids of two frames of the video, before ids are truncated. */
struct dd ids_mrope_walk_interval(const struct ids_mrope *m, const struct pe_segment *video);
/* Returns the count of positions in a chunk of interleaved audio and video. */
uint64_t ids_mrope_walk_chunk(const struct ids_mrope *m);
