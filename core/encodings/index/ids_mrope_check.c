/* SPDX-License-Identifier: Apache-2.0
 * ids_mrope_check.c - refuses segments and parameters that do not fit each other. */
#include "core/encodings/index/ids_mrope_check.h"

#include <math.h>

static bool is_picture(const struct pe_segment *item)
{
    return item->kind == PE_SEGMENT_IMAGE || item->kind == PE_SEGMENT_VIDEO;
}

enum pe_status ids_mrope_check_sizes(const struct pe_segments *segments, int64_t merge,
                                     int64_t frames, struct pe_errors *errors)
{
    double tokens = 0;

    for (size_t i = 0; i < segments->count; i++) {
        const struct pe_segment *item = &segments->items[i];
        double size = (double)item->size[0];

        if (is_picture(item)) {
            size *= (double)item->size[1] * (double)item->size[2];
            if (item->size[1] % merge != 0 || item->size[2] % merge != 0)
                return pe_fail(errors, PE_CONFLICT, "segments",
                               "must have heights and widths that spatial_merge_size, %lld, "
                               "divides; number %zu is %lldx%lldx%lld",
                               (long long)merge, i, (long long)item->size[0],
                               (long long)item->size[1], (long long)item->size[2]);
            if (item->size[0] % frames != 0)
                return pe_fail(errors, PE_CONFLICT, "segments",
                               "must have frames that temporal_merge, %lld, divides; number "
                               "%zu has %lld",
                               (long long)frames, i, (long long)item->size[0]);
        }
        tokens += size;
    }
    if (tokens > 0x1p52)
        return pe_fail(errors, PE_OUT_OF_RANGE, "segments",
                       "must have at most 2^52 tokens together; got %g", tokens);
    return PE_OK;
}

/* Limits the frames and features of videos that are taken frame by frame, since each has a run
 * in memory. */
static enum pe_status check_frames(const struct ids_mrope *m, struct pe_errors *errors)
{
    double parts = 0;
    bool apart = m->split_videos == SPLIT_NONE && m->audio_in_video == AUDIO_APART;

    for (size_t i = 0; i < m->segments.count && !apart; i++) {
        const struct pe_segment *item = &m->segments.items[i];

        if (item->kind == PE_SEGMENT_VIDEO || item->kind == PE_SEGMENT_AUDIO)
            parts += (double)item->size[0];
    }
    if (parts > TOKEN_RUNS_MAX / 4)
        return pe_fail(errors, PE_OUT_OF_RANGE, "segments",
                       "must have at most %d frames and features where videos are taken frame "
                       "by frame; got %.0f",
                       TOKEN_RUNS_MAX / 4, parts);
    return PE_OK;
}

static enum pe_status check_times(const struct ids_mrope *m, struct pe_errors *errors)
{
    for (size_t i = 0; i < m->segments.count; i++) {
        const struct pe_segment *item = &m->segments.items[i];

        if (isnan(m->tokens_per_second) && !isnan(item->seconds))
            return pe_fail(errors, PE_CONFLICT, "segments",
                           "have seconds, which have no effect without tokens_per_second");
        if (item->kind == PE_SEGMENT_IMAGE && !isnan(item->seconds))
            return pe_fail(errors, PE_CONFLICT, "segments",
                           "must have no seconds at images; number %zu has", i);
        if (m->audio_in_video == AUDIO_CHUNKS && item->kind == PE_SEGMENT_VIDEO &&
            ids_mrope_walk_interval(m, item).hi > (double)ids_mrope_walk_chunk(m))
            return pe_fail(errors, PE_CONFLICT, "segments",
                           "must have frames no further apart than a chunk, %llu ids; those "
                           "of number %zu are %g apart",
                           (unsigned long long)ids_mrope_walk_chunk(m), i,
                           ids_mrope_walk_interval(m, item).hi);
    }
    return PE_OK;
}

static enum pe_status check_hunyuan(const struct ids_mrope *m, struct pe_errors *errors)
{
    if (m->split_videos != SPLIT_NONE || m->audio_in_video != AUDIO_APART ||
        m->padded_len != PE_ABSENT_INT || m->advance != ADVANCE_MAX_ID)
        return pe_fail(errors, PE_CONFLICT, "id_axes",
                       "hunyuan takes no split_videos, audio_in_video, advance or padded_len");
    for (size_t i = 0; i < m->segments.count; i++) {
        const struct pe_segment *item = &m->segments.items[i];

        if (item->kind == PE_SEGMENT_VIDEO || item->kind == PE_SEGMENT_AUDIO ||
            (item->kind == PE_SEGMENT_IMAGE && item->size[0] != 1))
            return pe_fail(errors, PE_CONFLICT, "segments",
                           "must be text and images of one frame with layout=hunyuan");
    }
    return PE_OK;
}

enum pe_status ids_mrope_check_segments(const struct ids_mrope *m, struct pe_errors *errors)
{
    struct token_runs runs = {0};
    enum pe_status status =
        ids_mrope_check_sizes(&m->segments, m->spatial_merge_size, m->temporal_merge, errors);

    if (!status)
        status = check_frames(m, errors);
    if (!status)
        status = check_times(m, errors);
    if (!status && m->id_axes == LAYOUT_HUNYUAN)
        status = check_hunyuan(m, errors);
    if (status)
        return status;
    ids_mrope_walk(m, &runs);
    if (runs.high.hi > 0x1p52)
        return pe_fail(errors, PE_OUT_OF_RANGE, "segments",
                       "must have ids of at most 2^52; the largest is %g", runs.high.hi);
    if (m->padded_len != PE_ABSENT_INT && (uint64_t)m->padded_len < runs.tokens)
        return pe_fail(errors, PE_CONFLICT, "padded_len",
                       "must be at least the tokens of segments, %llu; got %lld",
                       (unsigned long long)runs.tokens, (long long)m->padded_len);
    return PE_OK;
}

void ids_mrope_check_rules(const struct ids_mrope *m, struct pe_errors *errors)
{
    if (m->audio_in_video != AUDIO_APART && m->split_videos == SPLIT_FRAMES)
        pe_fail(errors, PE_CONFLICT, "audio_in_video", "cannot go with split=frames");
    if (m->audio_in_video != AUDIO_APART && m->advance == ADVANCE_MAX_HW)
        pe_fail(errors, PE_CONFLICT, "audio_in_video", "cannot go with advance=max_hw");
    if (m->audio_in_video != AUDIO_APART && isnan(m->tokens_per_second))
        pe_fail(errors, PE_MISSING_PARAMETER, "tokens_per_second",
                "is required with audio_in_video");
    else if (m->audio_in_video == AUDIO_CHUNKS && ids_mrope_walk_chunk(m) < 1)
        pe_fail(errors, PE_CONFLICT, "seconds_per_chunk",
                "times tokens_per_second must be at least 1");
    if (m->time_rule == TIME_SINGLE && isnan(m->tokens_per_second))
        pe_fail(errors, PE_MISSING_PARAMETER, "tokens_per_second",
                "is required with time_rule=trunc-f32");
}
