/* SPDX-License-Identifier: Apache-2.0
 * test_unlike.c - right numbers are never unlike their output; random ones are unlike tables of
 * sines, cosines beside sines, and masks. */
#include "core/verify/sight/unlike.h"

#include <string.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

/* Returns whether the tensors of a case are unlike the outputs that their names say. */
static bool is_unlike(const struct verify_case *made, const struct pe_encoding *enc)
{
    struct unlike_seen seen[UNLIKE_KNOWN];
    struct unlike_known known[UNLIKE_KNOWN] = {0};
    size_t count = 0, outputs;
    bool failed = false;

    const struct pe_output *output = pe_outputs(enc, &outputs);
    for (size_t i = 0; i < made->count; i++)
        for (size_t j = 0; j < outputs; j++)
            if (strcmp(made->name[i], output[j].name) == 0)
                seen[count++] =
                    (struct unlike_seen){&output[j], enc->family, view_of(&made->tensor[i])};
    const bool first = unlike(seen, count, known, &failed);
    ck_assert_int_eq(unlike(seen, count, known, &failed), first); /* as it is known now */
    ck_assert(!failed);
    return first;
}

static const struct pe_encoding *encoding_of(const char *request)
{
    return pe_find(request, strcspn(request, "?"));
}

/* ---- right numbers ----------------------------------------------------------------------- */

static const char *const right[] = {
    "rope?dim=64&pos=0:40&out=cos,sin",
    "rope?dim=64&pos=0:40&out=cos,sin&dtype=bf16",
    "rope?dim=64&pos=100000:100040&out=cos,sin&profile=bf16-table",
    ("rope?dim=64&pos=0:40&out=cos,sin&scaling=yarn&factor=8&width=full&pairing=adjacent"
     "&original_max_position_embeddings=4096"),
    "rope2d-axial?grid=6x7&dim=32&prefix_tokens=1&out=cos,sin",
    "mrope?pos=0:40&dim=64&mrope_section=8,12,12&out=cos,sin",
    "sinusoidal?dim=64&pos=0:40&out=rows",
    "sinusoidal?dim=33&pos=0:40&out=rows&odd=zero-pad",
    "sinusoidal?dim=64&pos=0:40&out=rows&layout=concat&dtype=bf16",
    "sinusoidal?dim=8&pos=0:3&out=rows",
    "sinusoidal-relative?dim=16&max_distance=20&out=table",
    "timestep-embedding?pos=0:40&dim=64&out=rows",
    "sincos2d-mae?grid=6x7&dim=32&cls_token=1&out=rows",
    "sincos2d-timm?grid=6x7&dim=32&out=rows",
    "detr-sine?grid=6x7&num_pos_feats=16&out=rows",
    "loftr-sine?grid=6x7&dim=32&out=rows",
    "multidim-sine?grid_sizes=3,4,5&dim=33&out=table",
    "sincos3d?frames=3&grid=4x5&dim=64&out=table",
    "detr-sine3d?frames=3&grid=4x5&num_pos_feats=16&out=table",
    "time2vec?pos=0:20&w=1,0.5,0.3,0.2,0.1,0.05,0.7&phi=0,1,2,3,4,5,6&out=rows",
    "gaussian-fourier?pos=0:20&num_freqs=16&seed=1&out=rows",
    "rope?dim=64&pos=0:80&out=cos",
    "rope?dim=64&pos=0:80000:1000&out=cos,sin",
    "rope?dim=64&pos=0:400000:5000&out=cos&dtype=bf16",
    "rope?dim=16&base=10&pos=0:96&out=cos",
    "rope?dim=64&pos=500:4000&out=sin&width=full",
    "rope?dim=32&base=100&pos=0:80&out=cos&dtype=bf16",
    "rope2d-axial?grid=16x16&dim=64&base=100&out=cos",
    "rope2d-dinov3?grid=16x16&dim=64&out=cos",
    "rope2d-pixtral?grid=16x16&dim=64&out=cos",
    "causal-mask?len=20&out=additive",
    "sliding-window-mask?len=20&window=3&mask_value=-100&out=additive",
};

START_TEST(right_numbers_are_never_unlike)
{
    struct verify_case made;

    verify_case_of(&made, right[_i]);
    ck_assert_msg(!is_unlike(&made, encoding_of(right[_i])), "%s", right[_i]);
    verify_case_free(&made);
}
END_TEST

/* Every example of the catalogue, which has few rows, with the outputs that it has. */
START_TEST(no_example_is_unlike_its_outputs)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);

    for (size_t i = 0; enc->examples && enc->examples[i]; i++)
        for (size_t j = 0; j < enc->output_count; j++) {
            char request[VERIFY_CASE_REQUEST];
            struct verify_case made;

            if (!verify_case_request(request, enc, enc->examples[i], enc->outputs[j].name,
                                     NULL))
                continue;
            verify_case_of(&made, request);
            ck_assert_msg(!is_unlike(&made, enc), "%s", request);
            verify_case_free(&made);
        }
}
END_TEST

/* ---- random numbers ---------------------------------------------------------------------- */

static const char *const random_numbers[] = {
    "rope?dim=64&pos=0:80&out=cos",        "rope?dim=64&pos=0:40&out=cos,sin",
    "sinusoidal?dim=64&pos=0:40&out=rows", "sincos2d-timm?grid=6x7&dim=32&out=rows",
    "causal-mask?len=20&out=additive",
};

static void fill_random(struct verify_case *made)
{
    struct core_random random = {5};

    for (size_t i = 0; i < made->count; i++)
        for (uint64_t j = 0; j < verify_case_elements(made, i); j++)
            verify_case_set(made, i, j, (double)core_random_whole(&random, -999, 999) / 1000);
}

START_TEST(random_numbers_are_unlike_waves_and_masks)
{
    struct verify_case made;

    verify_case_of(&made, random_numbers[_i]);
    fill_random(&made);
    ck_assert_msg(is_unlike(&made, encoding_of(random_numbers[_i])), "%s", random_numbers[_i]);
    verify_case_free(&made);
}
END_TEST

START_TEST(random_numbers_of_a_bias_are_not_looked_at)
{
    struct verify_case made;

    verify_case_of(&made, "alibi?heads=4&len=16&out=bias");
    fill_random(&made);
    ck_assert(!is_unlike(&made, encoding_of("alibi?")));
    verify_case_free(&made);
}
END_TEST

/* A row of zeros is padding; a row of other numbers is none of a table. */
START_TEST(rows_of_zeros_are_left_out)
{
    struct verify_case made;

    verify_case_of(&made, "sinusoidal?dim=64&pos=0:40&out=rows");
    for (uint64_t row = 0; row < 40; row += 3)
        for (uint64_t col = 0; col < 64; col++)
            verify_case_set(&made, 0, row * 64 + col, 0);
    ck_assert(!is_unlike(&made, encoding_of("sinusoidal?")));
    verify_case_free(&made);
}
END_TEST

SUITE(unlike, TEST_EACH(right_numbers_are_never_unlike, right),
      TEST_COUNTED(no_example_is_unlike_its_outputs, pe_count),
      TEST_EACH(random_numbers_are_unlike_waves_and_masks, random_numbers),
      TEST(random_numbers_of_a_bias_are_not_looked_at), TEST(rows_of_zeros_are_left_out));
