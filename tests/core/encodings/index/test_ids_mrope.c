/* SPDX-License-Identifier: Apache-2.0
 * test_ids_mrope.c - ids of text with pictures and sound: laws beyond the rows of
 * ids_mrope.txt. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"
#include <stdio.h>

/* The counts are those of _get_feat_extract_output_lengths of Qwen3-Omni, and of Qwen2.5-Omni's
 * formula. */
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

START_TEST(audio_of_a_video_changes_the_order_and_no_id)
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

SUITE(ids_mrope, TEST_EACH(mel_frames_become_as_many_tokens_as_the_encoder_makes, sounds),
      TEST(audio_of_a_video_changes_the_order_and_no_id));
