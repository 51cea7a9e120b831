/* SPDX-License-Identifier: Apache-2.0
 * ids_mrope.c - ids of several axes for text mixed with images, videos and sound.
 *
 *     text:    all axes next, next + 1, ...
 *     picture: (next + trunc(k interval), next + row, next + column), patches by frame and row
 *     then next is the largest id so far + 1, or next + max(rows, columns)
 *     rope_delta = largest id + 1 - tokens: decoding goes on at cache length + rope_delta
 *
 * Qwen2-VL (Wang et al. 2024), Qwen2.5-VL, Qwen3-VL, Qwen2.5-Omni, Qwen3-Omni: get_rope_index
 * of transformers and vLLM; HunyuanVL's four axes: get_xdrope_input_positions of vLLM.
 */
#include <math.h>

#include "core/encodings/index/ids_mrope_check.h"
#include "core/encodings/index/ids_mrope_walk.h"
#include "core/math/precomputed.h"

enum { IDS, ROPE_DELTA, POSITIONS };

static const struct pe_choice layouts[] = {
    [LAYOUT_MROPE] = {"qwen", NULL, "time, height, width", NULL},
    [LAYOUT_HUNYUAN] = {"hunyuan", NULL,
                        "token, column, row, image; a row has one token more at its end", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_choice advances[] = {
    [ADVANCE_MAX_ID] = {"max_id", NULL, "after the largest id (transformers 4, vLLM)", NULL},
    [ADVANCE_MAX_HW] = {"max_hw", NULL,
                        "by max(rows, columns), whatever the time (transformers 5)", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_choice splits[] = {
    [SPLIT_NONE] = {"none", NULL, "a video is one picture of several frames", NULL},
    [SPLIT_FRAMES] = {"frames", NULL, "each frame is an image behind its timestamp (Qwen3-VL)",
                      NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_choice sounds[] = {
    [AUDIO_APART] = {"none", NULL, "sound is a segment of its own; no marks are added", NULL},
    [AUDIO_CHUNKS] = {"chunks", NULL,
                      "the sound after a video goes between its chunks; the two marks before "
                      "them are added with one id, and so are the two after (Qwen2.5-Omni)",
                      NULL},
    [AUDIO_TIME] = {"time", NULL,
                    "between its frames by time; the two marks before them are added with ids "
                    "n, n+1, and so are the two after (Qwen3-Omni)",
                    NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_choice audio_tokens[] = {
    [AUDIO_QUARTER] = {"quarter", NULL,
                       "((N - 1) / 2 + 1) / 2, each cut: 25 of 100 frames (Qwen2.5-Omni)",
                       NULL},
    [AUDIO_WINDOWS] = {"windows", NULL,
                       "13 each 100 frames, ceil(rest / 8) of the rest (Qwen3-Omni)", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_choice times[] = {
    [TIME_TRUNC] = {"trunc", NULL, "times of frames are cut to whole ids", NULL},
    [TIME_REAL] = {"real", NULL, "times stay real: out=positions (Qwen3-Omni)", NULL},
    [TIME_SINGLE] =
        {"trunc-f32", NULL,
         "frame * seconds * tokens_per_second is rounded to float32 twice, then cut: "
         "with 0.08 s and 25 ids a second frame 5 is at 9 (Qwen2.5-Omni)",
         NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_choice sides[] = {[SIDE_RIGHT] = {"right", NULL, NULL, NULL},
                                         [SIDE_LEFT] = {"left", NULL, NULL, NULL},
                                         {NULL, NULL, NULL, NULL}};

static const struct pe_choice presets[] = {
    {"qwen2-vl", NULL, NULL, "spatial_merge=2"},
    {"qwen2.5-vl", NULL, NULL, "spatial_merge=2&tokens_per_second=2&truncate_seconds=1"},
    {"qwen3-vl", NULL, NULL, "spatial_merge=2&split=frames"},
    {"qwen2.5-omni", NULL, NULL,
     "spatial_merge=2&tokens_per_second=25&audio_in_video=chunks&time=trunc-f32"},
    {"qwen3-omni", NULL, NULL,
     "spatial_merge=2&tokens_per_second=13&audio_in_video=time&audio_tokens=windows&time=real"},
    {"hunyuan-vl", NULL, NULL, "spatial_merge=2&layout=hunyuan"},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct ids_mrope, segments), .type = PE_SEGMENTS, .required = true,
     .summary = "what the sequence is made of: text:3,image:1x4x6,video:4x4x6@0.5,audio:100; "
                "audio:N counts mel frames (100 a second), pictures patches; marks around "
                "pictures and sound are text, but where audio_in_video adds them"},
    {PE_FIELD(struct ids_mrope, layout), .type = PE_CHOICE, .choices = layouts,
     .summary = "which axes"},
    {PE_FIELD(struct ids_mrope, spatial_merge), .type = PE_INT, .min = 1, .max = 64,
     .preset = 2, .summary = "patches a token has along height and width"},
    {PE_FIELD(struct ids_mrope, temporal_merge), .type = PE_INT, .min = 1, .max = 64,
     .preset = 1, .summary = "frames a token has"},
    {PE_FIELD(struct ids_mrope, tokens_per_second), .type = PE_REAL, .optional = true,
     .above_min = true, .max = 1e6, .summary = "ids a second of video; none: one id a frame"},
    {PE_FIELD(struct ids_mrope, truncate_seconds), .type = PE_BOOL,
     .summary = "cut seconds per frame to whole ones first (transformers, Qwen2.5-VL)"},
    {PE_FIELD(struct ids_mrope, advance), .type = PE_CHOICE, .choices = advances,
     .summary = "where text goes on after a picture"},
    {PE_FIELD(struct ids_mrope, split), .type = PE_CHOICE, .choices = splits,
     .summary = "whether videos are split into frames"},
    {PE_FIELD(struct ids_mrope, timestamp_tokens), .type = PE_INT, .min = 0, .max = 1024,
     .when = "split=frames", .summary = "text tokens before each frame"},
    {PE_FIELD(struct ids_mrope, audio_in_video), .type = PE_CHOICE, .choices = sounds,
     .summary = "where the sound right after a video goes (use_audio_in_video)"},
    {PE_FIELD(struct ids_mrope, audio_tokens), .type = PE_CHOICE, .choices = audio_tokens,
     .summary = "tokens of N mel frames"},
    {PE_FIELD(struct ids_mrope, seconds_per_chunk), .type = PE_REAL, .above_min = true,
     .max = 1e6, .preset = 2, .when = "audio_in_video=chunks",
     .summary = "seconds of sound and video that follow each other in turns"},
    {PE_FIELD(struct ids_mrope, time), .type = PE_CHOICE, .choices = times,
     .summary = "whether times of frames are whole"},
    {PE_FIELD(struct ids_mrope, padded_len), .type = PE_INT, .optional = true, .min = 1,
     .max = 0x1p52, .summary = "tokens with padding"},
    {PE_FIELD(struct ids_mrope, padding_side), .type = PE_CHOICE, .choices = sides,
     .summary = "where padding is"},
    {PE_FIELD(struct ids_mrope, pad_value), .type = PE_INT, .min = 0, .max = 1,
     .summary = "id of padding: 0 with pictures, 1 in text alone (transformers)"},
    {PE_FIELD(struct ids_mrope, preset), .type = PE_CHOICE, .choices = presets,
     .optional = true, .expanded = true, .summary = "whose ids"},
};

static const struct pe_output outputs[] = {
    [IDS] = {PE_OUTPUT("ids", PE_I64, "axes", "token"), .summary = "ids of every token",
             .by_default = true, .bound = "exact"},
    [ROPE_DELTA] = {PE_OUTPUT("rope_delta", PE_I64, NULL),
                    .summary = "largest id + 1 - tokens, padding included", .by_default = true,
                    .bound = "exact"},
    [POSITIONS] = {PE_OUTPUT("positions", PE_F32, "axes", "token"),
                   .summary = "the ids as reals, for time=real",
                   .bound = "0.501 ULP; f64 1 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct ids_mrope *m = values;

    ids_mrope_check_rules(m, errors);
    if (errors->count == 0 && m->time == TIME_REAL &&
        (pe_wants(args, IDS) || pe_wants(args, ROPE_DELTA)))
        pe_fail(errors, PE_CONFLICT, "out",
                "must be positions with time=real, where ids need not be whole");
    if (errors->count == 0)
        ids_mrope_check_segments(m, errors);
}

static double delta_of(const struct token_runs *runs)
{
    return runs->high + 1 - (double)runs->tokens;
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    struct token_runs runs = {0};

    ids_mrope_walk(values, &runs);
    if (output == ROPE_DELTA)
        return (struct pe_interval){delta_of(&runs), delta_of(&runs)};
    return (struct pe_interval){runs.low, runs.high};
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct ids_mrope *m = values;
    struct token_runs runs = {0};

    if (output == ROPE_DELTA)
        return 0;
    ids_mrope_walk(m, &runs);
    dims[0] = m->layout == LAYOUT_HUNYUAN ? 4 : 3;
    dims[1] = runs.tokens;
    return 2;
}

/* ---- how each output is filled ----------------------------------------------------------- */

static struct token_runs *runs_of(struct pe_build *build, const struct ids_mrope *m)
{
    struct token_runs count = {0}, *runs = pe_build_alloc(build, sizeof *runs);

    if (!runs)
        return NULL;
    ids_mrope_walk(m, &count);
    runs->runs = pe_build_alloc(build, (count.count + 1) * sizeof *runs->runs);
    if (!runs->runs)
        return NULL;
    ids_mrope_walk(m, runs);
    return runs;
}

static void prepare(struct pe_build *build, const void *values)
{
    struct token_runs *runs = runs_of(build, values);

    if (!runs)
        return;
    pe_build_fill(build, IDS, &token_runs_filler, runs);
    pe_build_fill(build, POSITIONS, &token_runs_filler, runs);
    precomputed_scalar(build, ROPE_DELTA, delta_of(runs));
    pe_build_fact(build, "tokens", (double)runs->tokens);
}

const struct pe_encoding pe_encoding_ids_mrope = {
    .name = "ids-mrope",
    .summary = "ids of time, height and width for text with images, videos and sound",
    .source = "Wang et al. 2024, Qwen2-VL; get_rope_index of transformers and vLLM",
    .examples = PE_WORDS("segments=text:3,image:1x4x6,text:2",
                         "segments=text:1,video:3x4x4@1,text:1&preset=qwen2.5-vl",
                         "segments=video:2x4x4,text:2&preset=qwen3-vl&timestamp_tokens=3",
                         "segments=text:2,image:1x4x4,text:1&preset=hunyuan-vl&out=ids",
                         "segments=video:4x4x4@0.5,audio:200&preset=qwen2.5-omni",
                         "segments=video:4x4x4@0.5,audio:40&preset=qwen3-omni&out=positions",
                         "segments=text:3&padded_len=5&padding_side=left&pad_value=1"),
    .family = PE_INDEX,
    .revision = 2,
    PE_TABLES(struct ids_mrope, params, outputs),
    .check = check,
    .range = range,
    .shape = shape,
    .prepare = prepare,
};
