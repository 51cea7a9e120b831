/* SPDX-License-Identifier: Apache-2.0
 * ids_mrope_walk.c - turns segments into runs of ids: finds the id of text after a picture, and
 * orders the frames and the sound of a video. */
#include "core/encodings/index/ids_mrope_walk.h"

#include <math.h>

#include "core/math/number/elementary.h"

struct walk {
    const struct ids_mrope *m;
    struct token_runs *runs;
    struct dd next; /* id of the next text token */
    uint64_t images;
};

/* An encoder with audio_tokens=windows makes WINDOW_TOKENS tokens of each WINDOW mel frames. */
enum { WINDOW = 100, WINDOW_TOKENS = 13 };

/* The encoder has a convolution and a pooling, or three convolutions in each window, all of
 * stride 2. */
static uint64_t audio_tokens(const struct ids_mrope *m, int64_t frames)
{
    uint64_t count = (uint64_t)frames, rest = count % WINDOW;

    if (m->audio_tokens == AUDIO_QUARTER)
        return (count + 1) / 2 / 2;
    return (rest + 7) / 8 + count / WINDOW * WINDOW_TOKENS;
}

static double seconds_of(const struct ids_mrope *m, const struct pe_segment *video)
{
    double seconds = isnan(video->seconds) ? 1 : video->seconds;

    return m->truncate_seconds ? trunc(seconds) : seconds;
}

static bool is_timed(const struct ids_mrope *m, const struct pe_segment *picture)
{
    return picture->kind == PE_SEGMENT_VIDEO && !isnan(m->tokens_per_second);
}

struct dd ids_mrope_walk_interval(const struct ids_mrope *m, const struct pe_segment *video)
{
    return is_timed(m, video) ? token_runs_interval(m->tokens_per_second, seconds_of(m, video))
                              : (struct dd){1, 0};
}

uint64_t ids_mrope_walk_chunk(const struct ids_mrope *m)
{
    return (uint64_t)(m->tokens_per_second * m->seconds_per_chunk);
}

static void advance(struct walk *w, double ids)
{
    w->next = elementary_add(w->next, (struct dd){ids, 0});
}

static void add_text(struct walk *w, uint64_t count)
{
    token_runs_add(w->runs,
                   (struct token_run){.kind = RUN_TEXT, .count = count, .start = {w->next}});
    advance(w, (double)count);
}

/* The marks of a video and of its sound share one id in Qwen2.5-Omni. */
static void add_marks(struct walk *w)
{
    if (w->m->audio_in_video == AUDIO_TIME) {
        add_text(w, 2);
        return;
    }
    token_runs_add(w->runs,
                   (struct token_run){.kind = RUN_CONSTANT, .count = 2, .start = {w->next}});
    advance(w, 1);
}

/* Returns a run of all patches of a picture from the next id on. */
static struct token_run grid_of(const struct walk *w, const struct pe_segment *picture)
{
    uint64_t merge = (uint64_t)w->m->spatial_merge_size;
    uint64_t frames = (uint64_t)picture->size[0] / (uint64_t)w->m->temporal_merge;
    uint64_t rows = (uint64_t)picture->size[1] / merge;
    uint64_t cols = (uint64_t)picture->size[2] / merge;
    bool single = w->m->time_rule == TIME_SINGLE && is_timed(w->m, picture);

    return (struct token_run){.kind = RUN_GRID,
                              .count = frames * rows * cols,
                              .start = {w->next, w->next, w->next},
                              .interval = ids_mrope_walk_interval(w->m, picture),
                              .truncate = w->m->time_rule != TIME_REAL,
                              .seconds = (float)seconds_of(w->m, picture),
                              .rate = single ? (float)w->m->tokens_per_second : 0,
                              .rows = rows,
                              .cols = cols};
}

static double side_of(const struct token_run *grid)
{
    return (double)(grid->rows > grid->cols ? grid->rows : grid->cols);
}

/* Returns the count of ids that all frames of a picture take, from its first id on. */
static struct dd span_of(const struct token_run *grid, uint64_t frames)
{
    const struct dd time = token_runs_time_exact(grid, frames - 1),
                    span = elementary_add(time, (struct dd){1, 0});

    return span.hi + span.lo > side_of(grid) ? span : (struct dd){side_of(grid), 0};
}

static void add_picture(struct walk *w, const struct pe_segment *picture)
{
    struct token_run grid = grid_of(w, picture);
    uint64_t frames = grid.count / (grid.rows * grid.cols);

    token_runs_add(w->runs, grid);
    if (w->m->advance == ADVANCE_MAX_HW)
        advance(w, side_of(&grid));
    else
        w->next = elementary_add(w->next, span_of(&grid, frames));
}

/* Adds every frame as a picture of its own after the tokens of its timestamp. */
static void add_frames(struct walk *w, const struct pe_segment *video)
{
    uint64_t frames = (uint64_t)(video->size[0] / w->m->temporal_merge);

    for (uint64_t k = 0; k < frames; k++) {
        struct pe_segment frame = *video;

        add_text(w, (uint64_t)w->m->timestamp_tokens);
        frame.kind = PE_SEGMENT_IMAGE;
        frame.size[0] = w->m->temporal_merge;
        add_picture(w, &frame);
    }
}

/* Adds an image of HunyuanVL, where each row has one token more for its end. */
static void add_numbered(struct walk *w, const struct pe_segment *image)
{
    uint64_t rows = (uint64_t)(image->size[1] / w->m->spatial_merge_size);
    uint64_t cols = (uint64_t)(image->size[2] / w->m->spatial_merge_size) + 1;

    token_runs_add(w->runs, (struct token_run){.kind = RUN_NUMBERED,
                                               .count = rows * cols,
                                               .start = {{(double)w->images, 0}},
                                               .rows = rows,
                                               .cols = cols});
    w->images++;
    w->next = (struct dd){(double)w->runs->tokens, 0};
}

/* ---- sound between frames ---------------------------------------------------------------- */

struct sound { /* the sound of a video; ids count from the video's first one */
    struct dd start;
    uint64_t done, count;
    struct dd next; /* id after the part added last, even if an earlier part ends later */
};

static struct dd sound_id(const struct sound *sound, uint64_t token)
{
    return elementary_add(sound->start, (struct dd){(double)token, 0});
}

static void add_sound(struct walk *w, struct sound *sound, uint64_t until)
{
    uint64_t stop = until < sound->count ? until : sound->count;

    if (stop <= sound->done)
        return;
    token_runs_add(w->runs, (struct token_run){.kind = RUN_TEXT,
                                               .count = stop - sound->done,
                                               .start = {sound_id(sound, sound->done)}});
    sound->done = stop;
    sound->next = sound_id(sound, stop);
}

static void add_part(struct walk *w, struct token_run grid, uint64_t from, uint64_t to,
                     struct sound *sound)
{
    if (from == to)
        return;
    grid.frame = from;
    grid.count = (to - from) * grid.rows * grid.cols;
    token_runs_add(w->runs, grid);
    sound->next = elementary_add(sound->start, span_of(&grid, to));
}

/* In Qwen2.5-Omni each chunk of time has its frames first, then its sound. */
static void add_chunks(struct walk *w, const struct token_run *grid, uint64_t frames,
                       struct sound *sound)
{
    uint64_t chunk = ids_mrope_walk_chunk(w->m), from = 0;

    for (uint64_t number = 1; from < frames || sound->done < sound->count; number++) {
        uint64_t to = from;

        while (to < frames && token_runs_time(grid, to) < (double)(number * chunk))
            to++;
        add_part(w, *grid, from, to, sound);
        add_sound(w, sound, number * chunk);
        from = to;
    }
}

/* In Qwen3-Omni tokens are ordered by time, a frame before the sound of its time. */
static void add_by_time(struct walk *w, const struct token_run *grid, uint64_t frames,
                        struct sound *sound)
{
    for (uint64_t k = 0; k < frames; k++) {
        add_sound(w, sound, (uint64_t)ceil(token_runs_time(grid, k)));
        add_part(w, *grid, k, k + 1, sound);
    }
    add_sound(w, sound, sound->count);
}

static void add_with_sound(struct walk *w, const struct pe_segment *video,
                           const struct pe_segment *audio)
{
    struct token_run grid;
    struct sound sound = {.count = audio_tokens(w->m, audio->size[0])};
    uint64_t frames;

    add_marks(w);
    grid = grid_of(w, video);
    sound.start = w->next;
    frames = grid.count / (grid.rows * grid.cols);
    if (w->m->audio_in_video == AUDIO_CHUNKS)
        add_chunks(w, &grid, frames, &sound);
    else
        add_by_time(w, &grid, frames, &sound);
    w->next = sound.next;
    add_marks(w);
}

/* ---- all of it ----------------------------------------------------------------------- */

static void add_padding(struct walk *w, uint64_t tokens)
{
    token_runs_add(w->runs, (struct token_run){.kind = RUN_CONSTANT,
                                               .count = tokens,
                                               .start = {{(double)w->m->pad_value, 0}}});
}

static void add_segments(struct walk *w)
{
    const struct pe_segments *all = &w->m->segments;

    for (size_t i = 0; i < all->count; i++) {
        const struct pe_segment *item = &all->items[i];
        bool sound = i + 1 < all->count && item[1].kind == PE_SEGMENT_AUDIO;

        if (item->kind == PE_SEGMENT_TEXT) {
            add_text(w, (uint64_t)item->size[0]);
        } else if (item->kind == PE_SEGMENT_AUDIO) {
            add_text(w, audio_tokens(w->m, item->size[0]));
        } else if (w->m->id_axes == LAYOUT_HUNYUAN) {
            add_numbered(w, item);
        } else if (item->kind == PE_SEGMENT_VIDEO && w->m->split_videos == SPLIT_FRAMES) {
            add_frames(w, item);
        } else if (item->kind == PE_SEGMENT_VIDEO && sound &&
                   w->m->audio_in_video != AUDIO_APART) {
            add_with_sound(w, item, item + 1);
            i++;
        } else {
            add_picture(w, item);
        }
    }
}

void ids_mrope_walk(const struct ids_mrope *m, struct token_runs *runs)
{
    struct walk w = {m, runs, {0, 0}, 0};
    struct token_runs bare = {0};
    uint64_t pads = 0;

    if (m->padded_len != PE_ABSENT_INT) {
        struct walk count = {m, &bare, {0, 0}, 0};

        add_segments(&count);
        pads =
            (uint64_t)m->padded_len > bare.tokens ? (uint64_t)m->padded_len - bare.tokens : 0;
    }
    if (m->padding_side == SIDE_LEFT)
        add_padding(&w, pads);
    add_segments(&w);
    if (m->padding_side != SIDE_LEFT)
        add_padding(&w, pads);
}
