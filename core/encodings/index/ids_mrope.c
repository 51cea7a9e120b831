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
#include "core/math/number/elementary.h"
#include "core/math/precomputed.h"

enum { IDS, ROPE_DELTA, POSITIONS, POSITION_DELTA };

static const struct pe_choice audio_tokens[] = {
    PE_ONE_AT(AUDIO_QUARTER, "quarter",
              "((N - 1) / 2 + 1) / 2, each cut: 25 of 100 frames (Qwen2.5-Omni)"),
    PE_ONE_AT(AUDIO_WINDOWS, "windows",
              "13 each 100 frames, ceil(rest / 8) of the rest (Qwen3-Omni)"),
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_choice times[] = {
    PE_ONE_AT(TIME_TRUNC, "trunc", "times of frames are cut to whole ids"),
    PE_ONE_AT_WITH(TIME_REAL, "real", "times stay real: out=positions (Qwen3-Omni)",
                   "out=positions|position_delta"),
    PE_ONE_AT_WITH(TIME_SINGLE, "trunc-f32",
                   "frame * seconds * tokens_per_second is rounded to float32 twice, then cut: "
                   "with 0.08 s and 25 ids a second frame 5 is at 9 (Qwen2.5-Omni)",
                   "tokens_per_second=25"),
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct ids_mrope, segments), .type = PE_SEGMENTS, .required = true,
     .summary = "parts of the sequence: text:3,image:1x4x6,video:4x4x6@0.5,audio:100; "
                "audio:N counts mel frames (100 a second), pictures patches; marks around "
                "pictures and sound are text, but where audio_in_video adds them"},
    {PE_FIELD(struct ids_mrope, id_axes),
     PE_CHOICES(
         PE_ONE_AT(LAYOUT_MROPE, "qwen", "time, height, width: the axes of Qwen's models"),
         PE_ONE_AT_WITH(LAYOUT_HUNYUAN, "hunyuan",
                        "token, column, row, image; a row has one token more at its end",
                        "segments=text:4,image:1x8x12,text:6")),
     PE_OWN("posenc", CONVENTION, ADVANCED), .summary = "axes that a token has ids on"},
    {PE_FIELD(struct ids_mrope, spatial_merge_size), .type = PE_INT, .min = 1, .max = 64,
     .preset = 2, .summary = "patches along height, and along width, that become one token"},
    {PE_FIELD(struct ids_mrope, temporal_merge), .type = PE_INT, .min = 1, .max = 64,
     .preset = 1, PE_OWN("transformers", SHAPE, ADVANCED),
     .summary = "frames that become one token (temporal_patch_size)"},
    {PE_FIELD(struct ids_mrope, tokens_per_second), .type = PE_REAL, .optional = true,
     .above_min = true, .max = 1e6, PE_OWN("transformers", POSITIONS, ADVANCED),
     .summary = "ids for one second of video; left out: one id a frame"},
    {PE_FIELD(struct ids_mrope, truncate_seconds), .type = PE_BOOL, .when = "tokens_per_second",
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary =
         "seconds a frame are cut to whole seconds first, as Qwen2.5-VL in transformers does"},
    {PE_FIELD(struct ids_mrope, advance),
     PE_CHOICES(PE_ONE_AT(ADVANCE_MAX_ID, "max_id",
                          "text goes on after the largest id (transformers 4, vLLM)"),
                PE_ONE_AT(ADVANCE_MAX_HW, "max_hw",
                          "text goes on max(rows, columns) after the picture's first id, "
                          "whatever the time (transformers 5)")),
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "id with which text goes on after a picture"},
    {PE_FIELD(struct ids_mrope, split_videos),
     PE_CHOICES(PE_ONE_AT(SPLIT_NONE, "none", "a video is one picture of several frames"),
                PE_ONE_AT(SPLIT_FRAMES, "frames",
                          "each frame is an image behind its timestamp (Qwen3-VL)")),
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "whether a video is one part, or each frame an image of its own"},
    {PE_FIELD(struct ids_mrope, timestamp_tokens), .type = PE_INT, .min = 0, .max = 1024,
     .when = "split_videos=frames", PE_OWN("Qwen3-VL", POSITIONS, ADVANCED),
     .summary = "text tokens of the timestamp before each frame"},
    {PE_FIELD(struct ids_mrope, audio_in_video),
     PE_CHOICES(
         PE_ONE_AT(AUDIO_APART, "none", "sound is a segment of its own; no marks are added"),
         PE_ONE_AT_WITH(AUDIO_CHUNKS, "chunks",
                        "the sound after a video goes between its chunks; the two marks before "
                        "them are added with one id, and so are the two after (Qwen2.5-Omni)",
                        "tokens_per_second=25"),
         PE_ONE_AT_WITH(AUDIO_TIME, "time",
                        "the sound after a video goes between its frames by time; the two "
                        "marks before them are added with ids "
                        "n, n+1, and so are the two after (Qwen3-Omni)",
                        "tokens_per_second=13")),
     PE_OWN("transformers", CONVENTION, ADVANCED),
     .summary = "where the sound that follows a video goes (use_audio_in_video)"},
    {PE_FIELD(struct ids_mrope, audio_tokens), .type = PE_CHOICE, .choices = audio_tokens,
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "number of tokens that N mel frames of sound become"},
    {PE_FIELD(struct ids_mrope, seconds_per_chunk), .type = PE_REAL, .above_min = true,
     .max = 1e6, .preset = 2, .when = "audio_in_video=chunks",
     PE_OWN("transformers", POSITIONS, ADVANCED),
     .summary = "seconds of video, and of sound, that follow each other in turns"},
    {PE_FIELD(struct ids_mrope, time_rule), .type = PE_CHOICE, .choices = times,
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "how the time of a frame becomes an id"},
    {PE_FIELD(struct ids_mrope, padded_len), .type = PE_INT, .optional = true, .min = 1,
     .max = 0x1p52, PE_OWN("posenc", SHAPE, ADVANCED),
     .summary = "number of tokens of the padded sequence; left out: no padding"},
    {PE_FIELD(struct ids_mrope, padding_side),
     PE_CHOICES(
         PE_ONE_AT_WITH(SIDE_RIGHT, "right", "padding follows the tokens", "padded_len=128"),
         PE_ONE_AT_WITH(SIDE_LEFT, "left", "padding precedes the tokens", "padded_len=128")),
     .when = "padded_len", PE_OWN("transformers", MASK, ADVANCED),
     .summary = "whether padding precedes or follows the tokens"},
    {PE_FIELD(struct ids_mrope, pad_value), .type = PE_INT, .min = 0, .max = 1,
     .when = "padded_len",
     .summary = "id of padding: transformers has 0 with pictures, 1 in text alone"},
    {PE_FIELD(struct ids_mrope, preset),
     PE_CHOICES(
         {"qwen2-vl", .summary = "Qwen2-VL: one id a frame",
          .stands_for = "spatial_merge_size=2"},
         {"qwen2.5-vl", .summary = "Qwen2.5-VL: 2 ids a second of video",
          .stands_for = "spatial_merge_size=2&tokens_per_second=2&truncate_seconds=1"},
         {"qwen3-vl", .summary = "Qwen3-VL: each frame is an image behind its timestamp",
          .stands_for = "spatial_merge_size=2&split_videos=frames"},
         {"qwen2.5-omni", .summary = "Qwen2.5-Omni: sound and video in turns, 25 ids a second",
          .stands_for = "spatial_merge_size=2&tokens_per_second=25&audio_in_video=chunks&"
                        "time_rule=trunc-f32"},
         {"qwen3-omni", .summary = "Qwen3-Omni: sound and video by time, 13 ids a second",
          .stands_for = "spatial_merge_size=2&tokens_per_second=13&audio_in_video=time&"
                        "audio_tokens=windows&time_rule=real",
          .start = "out=positions|position_delta"},
         {"hunyuan-vl", .summary = "HunyuanVL: four axes",
          .stands_for = "spatial_merge_size=2&id_axes=hunyuan",
          .start = "segments=text:4,image:1x8x12,text:6"}),
     .optional = true, .expanded = true,
     .summary =
         "model whose ids are made: sets the parameters below, each of which may be given"},
};

static const struct pe_output outputs[] = {
    [IDS] = {PE_OUTPUT("ids", PE_I64, "axis", "token"), .label = "Ids",
             .summary = "ids of each token on each axis", .by_default = true, .bound = "exact"},
    [ROPE_DELTA] = {PE_OUTPUT("rope_delta", PE_I64, NULL), .label = "Rope delta",
                    .summary =
                        "largest id + 1 - number of tokens, padding included: decoding goes "
                        "on at cache length + rope_delta",
                    .by_default = true, .bound = "exact"},
    [POSITIONS] = {PE_OUTPUT("positions", PE_F32, "axis", "token"), .label = "Positions",
                   .summary = "ids as real numbers, for time_rule=real",
                   .bound = "0.501 ULP; f64 1 ULP"},
    [POSITION_DELTA] = {PE_OUTPUT("position_delta", PE_F32, NULL), .label = "Position delta",
                        .summary = "rope_delta as a real number, for time_rule=real",
                        .bound = "0.501 ULP; f64 1 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct ids_mrope *m = values;

    ids_mrope_check_rules(m, errors);
    if (errors->count == 0 && m->time_rule == TIME_REAL &&
        (pe_wants(args, IDS) || pe_wants(args, ROPE_DELTA)))
        pe_fail(
            errors, PE_CONFLICT, "out",
            "must be positions or position_delta with time_rule=real, where ids need not be "
            "whole");
    if (errors->count == 0)
        ids_mrope_check_segments(m, errors);
}

static double delta_of(const struct token_runs *runs)
{
    const struct dd past = {1 - (double)runs->tokens, 0},
                    delta = elementary_add(runs->high, past);

    return delta.hi + delta.lo;
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    struct token_runs runs = {0};

    ids_mrope_walk(values, &runs);
    if (output == ROPE_DELTA || output == POSITION_DELTA)
        return (struct pe_interval){delta_of(&runs), delta_of(&runs)};
    return (struct pe_interval){runs.low.hi, runs.high.hi};
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct ids_mrope *m = values;
    struct token_runs runs = {0};

    if (output == ROPE_DELTA || output == POSITION_DELTA)
        return 0;
    ids_mrope_walk(m, &runs);
    dims[0] = m->id_axes == LAYOUT_HUNYUAN ? 4 : 3;
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
    precomputed_scalar(build, POSITION_DELTA, delta_of(runs));
    pe_build_fact(build, "tokens", (double)runs->tokens);
}

const struct pe_encoding pe_encoding_ids_mrope = {
    .name = "ids-mrope",
    .title = "Position ids of M-RoPE",
    .formula =
        "text: all axes next, next + 1, ...; picture: (next + trunc(frame interval), next + "
        "row, next + column); then next = largest id + 1 or next + max(rows, columns); "
        "rope_delta = largest id + 1 - tokens",
    .when_to_use =
        "Qwen2-VL and its successors, the Omni models and HunyuanVL need these ids for a "
        "prompt with pictures or sound; mrope makes the tables from them. Choose the model "
        "by preset.",
    .what_goes_wrong =
        "Decoding goes on at cache length + rope_delta, not at cache length: the prompt "
        "agrees and the first generated token is off. transformers 4 and 5 differ in where "
        "text goes on after a video (advance), and grids are counted in patches, before "
        "spatial_merge_size.",
    .picture = "segments=text:4,image:1x8x12,text:6,video:3x8x8,text:5",
    .summary = "ids of time, height and width for text with images, videos and sound",
    .source = "Wang et al. 2024, Qwen2-VL; get_rope_index of transformers and vLLM",
    .examples = PE_WORDS(
        "segments=text:3,image:1x4x6,text:2",
        "segments=text:1,video:3x4x4@1,text:1&preset=qwen2.5-vl",
        "segments=video:2x4x4,text:2&preset=qwen3-vl&timestamp_tokens=3",
        "segments=text:2,image:1x4x4,text:1&preset=hunyuan-vl&out=ids",
        "segments=video:4x4x4@0.5,audio:200&preset=qwen2.5-omni",
        "segments=video:4x4x4@0.5,audio:40&preset=qwen3-omni&out=positions,position_delta",
        "segments=text:3&padded_len=5&padding_side=left&pad_value=1"),
    .family = PE_INDEX,
    .revision = 3,
    PE_TABLES(struct ids_mrope, params, outputs),
    .check = check,
    .range = range,
    .shape = shape,
    .prepare = prepare,
};
