/* SPDX-License-Identifier: Apache-2.0
 * test_ids_mrope.c - ids of text with pictures and sound: worked examples, laws, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"
#include <stdio.h>

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"ids-mrope", "segments=text:3,image:1x4x6,text:2", "ids",
     "0 1 2 3 3 3 3 3 3 6 7 0 1 2 3 3 3 4 4 4 6 7 0 1 2 3 4 5 3 4 5 6 7"},
    {"ids-mrope", "segments=text:3,image:1x4x6,text:2", "rope_delta", "-3"},
    {"ids-mrope", "segments=video:3x2x2@1&tokens_per_second=2", "ids", "0 2 4 0 0 0 0 0 0"},
    {"ids-mrope", "segments=video:3x2x2@1,text:1&tokens_per_second=2", "ids",
     "0 2 4 5 0 0 0 5 0 0 0 5"},
    {"ids-mrope", "segments=video:3x2x2@1,text:1&tokens_per_second=2&advance=max_hw", "ids",
     "0 2 4 1 0 0 0 1 0 0 0 1"},
    {"ids-mrope", "segments=video:3x2x2@1.9&preset=qwen2.5-vl", "ids", "0 2 4 0 0 0 0 0 0"},
    {"ids-mrope", "segments=video:3x2x2@1.9&tokens_per_second=2", "ids", "0 3 7 0 0 0 0 0 0"},
    {"ids-mrope",
     "segments=video:3x2x2@1.9&tokens_per_second=2&time=real&out=positions&dtype=f64",
     "positions", "0 3.8 7.6 0 0 0 0 0 0"},
    {"ids-mrope", "segments=video:4x2x2&temporal_merge=2", "ids", "0 1 0 0 0 0"},
    {"ids-mrope", "segments=video:2x2x4&split=frames&timestamp_tokens=2", "ids",
     "0 1 2 2 4 5 6 6 0 1 2 2 4 5 6 6 0 1 2 3 4 5 6 7"},
    {"ids-mrope", "segments=text:1,image:1x4x4,text:1&preset=hunyuan-vl&out=ids", "ids",
     "0 1 2 3 4 5 6 7 0 0 1 2 0 1 2 7 0 0 0 0 1 1 1 7 0 0 0 0 0 0 0 7"},
    {"ids-mrope", "segments=text:1,image:1x4x4,text:1&preset=hunyuan-vl", "rope_delta", "0"},
    {"ids-mrope", "segments=text:2&padded_len=4", "ids", "0 1 0 0 0 1 0 0 0 1 0 0"},
    {"ids-mrope", "segments=text:2&padded_len=4&padding_side=left&pad_value=1", "ids",
     "1 1 0 1 1 1 0 1 1 1 0 1"},
    {"ids-mrope", "segments=text:2&padded_len=4", "rope_delta", "-2"},
    {"ids-mrope", "segments=audio:9", "ids", "0 1 0 1 0 1"},
    {"ids-mrope",
     "segments=video:2x2x2@1,audio:12&tokens_per_second=2&audio_in_video=chunks"
     "&seconds_per_chunk=1",
     "ids", "0 0 1 1 2 3 3 4 4 0 0 1 1 2 1 3 4 4 0 0 1 1 2 1 3 4 4"},
    {"ids-mrope", "segments=video:2x2x2@1,audio:12&tokens_per_second=2&audio_in_video=time",
     "ids", "0 1 2 2 3 4 4 5 6 0 1 2 2 3 2 4 5 6 0 1 2 2 3 2 4 5 6"},
    {"ids-mrope", "segments=video:3x2x2@1,audio:12&tokens_per_second=2&audio_in_video=chunks",
     "ids", "0 0 1 3 1 2 3 5 6 6 0 0 1 1 1 2 3 1 6 6 0 0 1 1 1 2 3 1 6 6"},
};

/* Of get_rope_index of transformers 4.57.3, run on tokens with the marks. */
static const struct {
    const char *query, *output, *numbers;
} omni[] = {
    {"segments=text:1,video:2x2x4@0.125,audio:20,text:1&preset=qwen3-omni&out=positions",
     "positions",
     "0 1 2 3 3 3 4 4.625 4.625 5 6 7 8 0 1 2 3 3 3 4 3 3 5 6 7 8 "
     "0 1 2 3 4 3 4 3 4 5 6 7 8"},
    {"segments=video:1x8x4@1,audio:9,text:1&preset=qwen3-omni&out=positions", "positions",
     "0 1 2 2 2 2 2 2 2 2 2 3 4 5 6 0 1 2 2 3 3 4 4 5 5 2 3 4 5 6 "
     "0 1 2 3 2 3 2 3 2 3 2 3 4 5 6"},
    {"segments=text:1,image:1x4x2,text:2,video:2x2x2@0.25,text:2,audio:9,text:2"
     "&preset=qwen3-omni&out=positions",
     "positions",
     "0 1 1 3 4 5 8.25 9.25 10.25 11.25 12.25 13.25 14.25 "
     "0 1 2 3 4 5 5 9.25 10.25 11.25 12.25 13.25 14.25 "
     "0 1 1 3 4 5 5 9.25 10.25 11.25 12.25 13.25 14.25"},
    {"segments=video:1x12x2@1,audio:8,text:1&preset=qwen2.5-omni", "ids",
     "0 0 1 1 1 1 1 1 1 2 3 3 4 0 0 1 2 3 4 5 6 1 2 3 3 4 0 0 1 1 1 1 1 1 1 2 3 3 4"},
    {"segments=text:1,video:6x2x2@0.08,text:1&preset=qwen2.5-omni", "ids",
     "0 1 3 5 7 9 10 11 0 1 1 1 1 1 1 11 0 1 1 1 1 1 1 11"},
    {"segments=text:1,video:4x2x2@0.6666666666666666,text:1&preset=qwen2.5-omni", "ids",
     "0 1 17 34 51 52 0 1 1 1 1 52 0 1 1 1 1 52"},
};

START_TEST(the_ids_are_those_of_the_omni_models_own_code)
{
    core_query_prints("ids-mrope", omni[_i].query, omni[_i].output, omni[_i].numbers);
}
END_TEST

/* Of _get_feat_extract_output_lengths of Qwen3-Omni, and of Qwen2.5-Omni's formula. */
static const struct {
    size_t frames, windows, quarter;
} sounds[] = {
    {1, 1, 0},     {2, 1, 0},        {8, 1, 2},           {9, 2, 2},
    {99, 13, 25},  {100, 13, 25},    {101, 14, 25},       {199, 26, 50},
    {200, 26, 50}, {1000, 130, 250}, {12345, 1605, 3086}, {30000, 3900, 7500},
};

START_TEST(mel_frames_become_as_many_tokens_as_the_encoder_makes)
{
    static const char *const presets[] = {"qwen3-omni&out=positions", "qwen2.5-omni&out=ids"};

    for (size_t i = 0; i < PE_LEN(presets); i++) {
        char query[96];
        size_t count, tokens = i == 0 ? sounds[_i].windows : sounds[_i].quarter;

        snprintf(query, sizeof query, "segments=text:1,audio:%zu&preset=%s", sounds[_i].frames,
                 presets[i]);
        free(core_query_values("ids-mrope", query, i == 0 ? "positions" : "ids", &count));
        ck_assert_uint_eq(count, 3 * (1 + tokens));
    }
}
END_TEST

START_TEST(worked_examples_come_out)
{
    core_query_prints(examples[_i].encoding, examples[_i].query, examples[_i].output,
                      examples[_i].numbers);
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"ids-mrope",
     {"out=ids", PE_MISSING_PARAMETER, "segments", "is required: what the sequence is made of",
      ""}},
    {"ids-mrope",
     {"segments=image:1x3x4", PE_CONFLICT, "segments",
      "must have heights and widths that spatial_merge, 2, divides; number 0 is 1x3x4", ""}},
    {"ids-mrope",
     {"segments=text:1,video:3x4x4&temporal_merge=2", PE_CONFLICT, "segments",
      "must have frames that temporal_merge, 2, divides; number 1 has 3", ""}},
    {"ids-mrope",
     {"segments=video:3x4x4@1", PE_CONFLICT, "segments",
      "have seconds, which have no effect without tokens_per_second", ""}},
    {"ids-mrope",
     {"segments=image:1x4x4@1&tokens_per_second=2", PE_CONFLICT, "segments",
      "must have no seconds at images; number 0 has", ""}},
    {"ids-mrope",
     {"segments=text:1073741824,image:1073741824x1073741824x2", PE_OUT_OF_RANGE, "segments",
      "must have at most 2^52 tokens together", ""}},
    {"ids-mrope",
     {"segments=video:2x2x2@1000000000&tokens_per_second=1000000000", PE_OUT_OF_RANGE,
      "tokens_per_second", "must be a number, above 0..1000000; got 1000000000", ""}},
    {"ids-mrope",
     {"segments=video:8x2x2@1000000000&tokens_per_second=1000000", PE_OUT_OF_RANGE, "segments",
      "must have ids of at most 2^52; the largest is 7e+15", ""}},
    {"ids-mrope",
     {"segments=video:1000000x2x2&split=frames", PE_OUT_OF_RANGE, "segments",
      "must have at most 262144 frames and features where videos are taken frame by "
      "frame; got 1000000",
      ""}},
    {"ids-mrope",
     {"segments=text:1&timestamp_tokens=1", PE_CONFLICT, "timestamp_tokens",
      "have no effect without split=frames", ""}},
    {"ids-mrope",
     {"segments=text:1&seconds_per_chunk=1", PE_CONFLICT, "seconds_per_chunk",
      "has no effect without audio_in_video=chunks", ""}},
    {"ids-mrope",
     {"segments=text:1&audio_in_video=time", PE_MISSING_PARAMETER, "tokens_per_second",
      "is required with audio_in_video", ""}},
    {"ids-mrope",
     {"segments=text:1&time=trunc-f32", PE_MISSING_PARAMETER, "tokens_per_second",
      "is required with time=trunc-f32", ""}},
    {"ids-mrope",
     {"segments=text:1&audio_in_video=time&tokens_per_second=1&split=frames", PE_CONFLICT,
      "audio_in_video", "cannot go with split=frames", ""}},
    {"ids-mrope",
     {"segments=text:1&audio_in_video=time&tokens_per_second=1&advance=max_hw", PE_CONFLICT,
      "audio_in_video", "cannot go with advance=max_hw", ""}},
    {"ids-mrope",
     {"segments=text:1&audio_in_video=chunks&tokens_per_second=1&seconds_per_chunk=0.5",
      PE_CONFLICT, "seconds_per_chunk", "times tokens_per_second must be at least 1", ""}},
    {"ids-mrope",
     {"segments=video:2x2x2@3,audio:4&audio_in_video=chunks&tokens_per_second=1", PE_CONFLICT,
      "segments",
      "must have frames no further apart than a chunk, 2 ids; those of number 0 are 3 apart",
      ""}},
    {"ids-mrope",
     {"segments=text:1&time=real", PE_CONFLICT, "out",
      "must be positions with time=real, where ids need not be whole", ""}},
    {"ids-mrope",
     {"segments=text:3&padded_len=2", PE_CONFLICT, "padded_len",
      "must be at least the tokens of segments, 3; got 2", ""}},
    {"ids-mrope",
     {"segments=text:3&layout=hunyuan&padded_len=4", PE_CONFLICT, "layout",
      "hunyuan takes no split, audio_in_video, advance or padded_len", ""}},
    {"ids-mrope",
     {"segments=audio:30&layout=hunyuan", PE_CONFLICT, "segments",
      "must be text and images of one frame with layout=hunyuan", ""}},
    {"ids-mrope",
     {"segments=text:300&dtype=bf16&out=ids", PE_CONFLICT, "dtype",
      "must hold every value of ids exactly, 0..299; bf16 cannot", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(the_sound_of_a_video_changes_the_order_and_no_id)
{
    static const char *const ways[] = {"audio_in_video=chunks&seconds_per_chunk=0.5",
                                       "audio_in_video=chunks"};
    double sums[2] = {0};

    for (size_t i = 0; i < PE_LEN(ways); i++) {
        char query[160];
        size_t count;
        double *ids;

        snprintf(query, sizeof query,
                 "segments=text:5,video:9x4x6@0.3,audio:70,text:2&tokens_per_second=7&%s",
                 ways[i]);
        ids = core_query_values("ids-mrope", query, "ids", &count);
        ck_assert_uint_eq(count, 3 * (5 + 2 + 9 * 6 + 17 + 2 + 2));
        for (size_t j = 0; j < count; j++)
            sums[i] += ids[j] * ids[j];
        ck_assert(sums[i] == sums[0]);
        free(ids);
    }
}
END_TEST

START_TEST(text_alone_has_one_id_on_all_axes)
{
    core_query_prints("ids-mrope", "segments=text:2,text:1", "ids", "0 1 2 0 1 2 0 1 2");
    core_query_prints("ids-mrope", "segments=text:2,text:1", "rope_delta", "0");
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST_EACH(the_ids_are_those_of_the_omni_models_own_code, omni),
    TEST_EACH(mel_frames_become_as_many_tokens_as_the_encoder_makes, sounds),
    TEST(the_sound_of_a_video_changes_the_order_and_no_id),
    TEST(text_alone_has_one_id_on_all_axes),
};

const struct suite ids_mrope_suite = {SUITE_TESTS(tests)};
