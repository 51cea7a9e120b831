/* SPDX-License-Identifier: Apache-2.0
 * ids_videorope.c - ids of VideoRoPE: frames are delta apart in time, and rows and columns are
 * centred on the time of their frame.
 *
 *     t = start + k delta    h = t + row - floor((rows - 1)/2)    w = t + column - ...
 *
 * Text goes on after the last time. Wei et al. 2025, VideoRoPE.
 */
#include "core/args/segments.h"
#include "core/encodings/index/ids_mrope_check.h"
#include "core/encodings/index/token_runs.h"
#include "core/math/number/elementary.h"

enum { IDS };

struct ids_videorope {
    struct pe_segments segments;
    int64_t spatial_merge_size;
    double delta;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct ids_videorope, segments), .type = PE_SEGMENTS, .required = true,
     .summary = "parts of the sequence: text:3,video:4x4x6,text:2"},
    {PE_FIELD(struct ids_videorope, spatial_merge_size), .type = PE_INT, .min = 1, .max = 64,
     .preset = 1, .summary = "patches along height, and along width, that become one token"},
    {PE_FIELD(struct ids_videorope, delta), .type = PE_REAL, .above_min = true, .max = 1e6,
     .preset = 2, PE_OWN("Wei et al. 2025", POSITIONS, BASIC),
     .summary = "distance in ids from one frame to the next"},
};

static const struct pe_output outputs[] = {
    [IDS] = {PE_OUTPUT("ids", PE_F32, "axis", "token"), .label = "Ids",
             .columns = PE_COLUMN_ELEMENT,
             .summary = "ids of each token on the axes time, height and width",
             .by_default = true, .bound = "0.501 ULP; f64 1 ULP"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct ids_videorope *v = values;

    for (size_t i = 0; i < v->segments.count; i++) {
        if (v->segments.items[i].kind == PE_SEGMENT_AUDIO ||
            v->segments.items[i].seconds >= 0) {
            pe_fail(errors, PE_CONFLICT, "segments",
                    "must be text, images and videos without seconds");
            return;
        }
    }
    ids_mrope_check_sizes(&v->segments, v->spatial_merge_size, 1, errors);
}

static struct dd plus(struct dd a, double b)
{
    return elementary_add(a, (struct dd){b, 0});
}

static void add(const struct ids_videorope *v, struct token_runs *runs, struct dd *next,
                const struct pe_segment *item)
{
    uint64_t rows = (uint64_t)(item->size[1] / v->spatial_merge_size);
    uint64_t cols = (uint64_t)(item->size[2] / v->spatial_merge_size);
    uint64_t frames = (uint64_t)item->size[0];
    struct token_run run;

    if (item->kind == PE_SEGMENT_TEXT) {
        token_runs_add(runs,
                       (struct token_run){.kind = RUN_TEXT, .count = frames, .start = {*next}});
        *next = plus(*next, (double)frames);
        return;
    }
    run = (struct token_run){.kind = RUN_DRIFTING,
                             .count = frames * rows * cols,
                             .start = {*next, plus(*next, -(double)((rows - 1) / 2)),
                                       plus(*next, -(double)((cols - 1) / 2))},
                             .interval = {v->delta, 0},
                             .rows = rows,
                             .cols = cols};
    token_runs_add(runs, run);
    *next = plus(elementary_add(*next, token_runs_time_exact(&run, frames - 1)), 1);
}

static void walk(const struct ids_videorope *v, struct token_runs *runs)
{
    struct dd next = {0, 0};

    for (size_t i = 0; i < v->segments.count; i++)
        add(v, runs, &next, &v->segments.items[i]);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    struct token_runs runs = {0};

    walk(values, &runs);
    dims[0] = 3;
    dims[1] = runs.tokens;
    return 2;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct ids_videorope *v = values;
    struct token_runs *runs = pe_build_alloc(build, sizeof *runs);

    if (runs)
        runs->runs = pe_build_alloc(build, v->segments.count * sizeof *runs->runs);
    if (!runs || !runs->runs)
        return;
    walk(v, runs);
    pe_build_fill(build, IDS, &token_runs_filler, runs);
}

const struct pe_encoding pe_encoding_ids_videorope = {
    .name = "ids-videorope",
    .title = "Position ids of VideoRoPE",
    .formula = "t = start + k delta; h = t + row - floor((rows - 1) / 2); w = t + column - "
               "floor((columns - 1) / 2)",
    .when_to_use =
        "VideoRoPE keeps frames apart in time and puts rows and columns around the diagonal, "
        "so that text before and after a video is equally near. Qwen models need ids-mrope.",
    .what_goes_wrong =
        "Ids may be halves or negative, so integer positions lose them. Temporal pairs are "
        "the slow ones in VideoRoPE, which the order of the axes in the table must follow.",
    .picture = "segments=text:6,video:3x5x7,text:6",
    .summary = "ids of VideoRoPE: rows and columns centred on the time of their frame",
    .source =
        "Wei et al. 2025, VideoRoPE: What Makes for Good Video Rotary Position Embedding?",
    .examples = PE_WORDS("segments=text:2,video:2x2x3,text:1", "segments=image:1x4x4&delta=1",
                         "segments=video:3x4x4,text:2&spatial_merge_size=2&delta=0.5"),
    .family = PE_INDEX,
    .revision = 2,
    PE_TABLES(struct ids_videorope, params, outputs),
    .check = check,
    .shape = shape,
    .prepare = prepare,
};
