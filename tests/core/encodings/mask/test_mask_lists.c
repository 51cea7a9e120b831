/* SPDX-License-Identifier: Apache-2.0
 * test_mask_lists.c - masks of a size of their own or made from lists: worked examples,
 * refusals, laws. What all masks share is test_masks.c. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_mask.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *rows;
} examples[] = {
    {"document-mask", "lengths=2,2", "1000 1100 0010 0011"},
    {"document-mask", "lengths=2,2&causal=0", "1100 1100 0011 0011"},
    {"document-mask", "cu_seqlens=0,2,4", "1000 1100 0010 0011"},
    {"document-mask", "position_ids=0,1,0,1", "1000 1100 0010 0011"},
    {"document-mask", "position_ids=3,4,5,6", "1000 1100 1110 1111"},
    {"document-mask", "document_ids=5,5,7,7", "1000 1100 0010 0011"},
    {"document-mask", "document_ids=0,1,0,-1", "1000 0100 1010 0000"},
    {"document-mask", "document_ids=-1,0,0&causal=0", "000 011 011"},
    {"document-mask", "lengths=2,1&len=5", "10000 11000 00100 00000 00000"},
    {"document-mask", "lengths=2,3&q=4&k=0:5", "00111"},
    {"document-mask", "lengths=0,2,0,1", "100 110 001"},
    {"padding-mask", "attention_mask=0,1,1", "000 010 011"},
    {"padding-mask", "attention_mask=0,1,1&fully_masked=keep_self", "100 010 011"},
    {"padding-mask", "attention_mask=0,1,1&fully_masked=unmask_all", "111 010 011"},
    {"padding-mask", "attention_mask=0,1;1,0&causal=0", "01 01 10 10"},
    {"padding-mask", "attention_mask=1,0,1&q=2", "101"},
    {"blockwise-or-causal-mask", "ids=-1,0,0,-1", "1000 1110 1110 1111"},
    {"blockwise-or-causal-mask", "ids=0,0,1,1", "1100 1100 1111 1111"},
    {"blockwise-or-causal-mask", "ids=0,1,0", "101 110 111"},
    {"global-local-mask", "len=5&window=1&global=0", "11111 11100 11110 10111 10011"},
    {"global-local-mask", "len=4&window=0&global=2,1&causal=1", "1000 1100 1110 0111"},
    {"bigbird-mask", "len=6&block=1&random=0", "111111 111001 111101 101111 100111 111111"},
    {"bigbird-mask", "len=6&block=1&random=1&seed=42",
     "111111 111101 111111 111111 101111 111111"},
    {"natten-mask", "len=5&kernel=3", "11100 11100 01110 00111 00111"},
    {"natten-mask", "len=7&kernel=3&dilation=2",
     "1010100 0101010 1010100 0101010 0010101 0101010 0010101"},
    {"natten-mask", "grid=1x5&kernel=1,3", "11100 11100 01110 00111 00111"},
    {"natten-mask", "grid=2x3&kernel=1,3", "111000 111000 111000 000111 000111 000111"},
    {"swin-shift-mask", "grid=2x4&window=2&shift=0", "1111 1111 1111 1111 1111 1111 1111 1111"},
    {"swin-shift-mask", "grid=4x4&window=2&shift=1",
     "1111 1111 1111 1111 1010 0101 1010 0101 1100 1100 0011 0011 1000 0100 0010 0001"},
    {"xlnet-permutation-mask", "order=2,0,1", "111 010 011"},
    {"xlnet-permutation-mask", "order=2,0,1&stream=query", "011 000 010"},
    {"tree-mask", "parents=-1,0,0,1", "1000 1100 1010 1101"},
    {"tree-mask", "parents=-1,0,0,1&prefix=2", "111000 111100 111010 111101"},
    {"tree-mask", "parents=-1,-1,0,1", "1000 0100 1010 0101"},
    {"block-diffusion-mask", "len=4&block=2",
     "11000000 11000000 00111100 00111100 00001100 00001100 00001111 00001111"},
};

START_TEST(worked_examples_come_out)
{
    core_mask_prints(examples[_i].encoding, examples[_i].query, examples[_i].rows);
}
END_TEST

static const struct {
    const char *encoding, *query, *output, *numbers;
} others[] = {
    {"swin-shift-mask", "grid=2x2&window=2&shift=1&out=additive", "additive",
     "0 -100 -100 -100 -100 0 -100 -100 -100 -100 0 -100 -100 -100 -100 0"},
    {"tree-mask", "parents=-1,0,0,1&out=depth", "depth", "0 1 1 2"},
    {"tree-mask", "parents=-1,0,0,1&prefix=5&out=positions", "positions", "5 6 6 7"},
    {"xlnet-permutation-mask", "order=2,0,1&stream=query&out=fully_masked_rows",
     "fully_masked_rows", "0 1 0"},
    {"document-mask", "lengths=2,3&out=runs", "runs", "0 1 0 2 2 3 2 4 2 5"},
    {"block-diffusion-mask", "len=2&block=1&out=runs", "runs",
     "0 1 -1 -1 1 3 -1 -1 2 3 -1 -1 2 4 -1 -1"},
};

START_TEST(other_outputs_come_out)
{
    core_query_prints(others[_i].encoding, others[_i].query, others[_i].output,
                      others[_i].numbers);
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"document-mask",
     {"len=4", PE_MISSING_PARAMETER, "lengths",
      "is required, or cu_seqlens, document_ids or position_ids", ""}},
    {"document-mask",
     {"lengths=2&document_ids=0,0", PE_CONFLICT, "lengths",
      "say the same as cu_seqlens, document_ids and position_ids; give one", ""}},
    {"padding-mask",
     {"attention_mask=0,0.5", PE_BAD_VALUE, "attention_mask", "must hold 0 and 1 only; got 0.5",
      ""}},
    {"blockwise-or-causal-mask",
     {"ids=0:4194305", PE_OUT_OF_RANGE, "ids", "must have at most 4194304 numbers", ""}},
    {"global-local-mask",
     {"len=4&window=1&global=0:65537", PE_OUT_OF_RANGE, "global",
      "must have at most 65536 positions; got 65537", ""}},
    {"bigbird-mask",
     {"len=7&block=2", PE_CONFLICT, "len", "must be a multiple of block, 2; got 7", ""}},
    {"bigbird-mask",
     {"len=4&block=2", PE_CONFLICT, "block", "must divide len into at least 3; got 2", ""}},
    {"bigbird-mask",
     {"len=65536&block=1&random=4096&out=fully_masked_rows", PE_TOO_LARGE, "random",
      "must be at most 64 for 65536 blocks; got 4096", ""}},
    {"natten-mask", {"kernel=3", PE_MISSING_PARAMETER, "len", "is required, or grid", ""}},
    {"natten-mask",
     {"kernel=3&len=4&grid=2x2", PE_CONFLICT, "len", "is a line and grid a grid", ""}},
    {"natten-mask",
     {"kernel=2&len=4", PE_OUT_OF_RANGE, "kernel", "must be odd, 1 or more; got 2", ""}},
    {"natten-mask",
     {"kernel=3,3&len=4", PE_CONFLICT, "kernel", "must be one number; got 2", ""}},
    {"natten-mask",
     {"kernel=1&dilation=0&len=4", PE_OUT_OF_RANGE, "dilation", "must be 1 or more; got 0",
      ""}},
    {"natten-mask",
     {"kernel=3&dilation=2&len=5", PE_CONFLICT, "kernel",
      "must be at most the tokens at that dilation, 2; got 3", ""}},
    {"swin-shift-mask",
     {"grid=4x5&window=2&shift=1", PE_CONFLICT, "grid", "must be multiples of window, 2; got 5",
      ""}},
    {"swin-shift-mask",
     {"grid=4x4&window=2&shift=2", PE_CONFLICT, "shift", "must be below window, 2; got 2", ""}},
    {"swin-shift-mask",
     {"grid=4x4&window=0&shift=2", PE_OUT_OF_RANGE, "window", "must be 1 or more; got 0", ""}},
    {"swin-shift-mask",
     {"grid=4x4&window=2&shift=0,0,1", PE_CONFLICT, "shift",
      "must be one number, or one an axis; got 3", ""}},
    {"xlnet-permutation-mask",
     {"order=0:4194305", PE_OUT_OF_RANGE, "order", "must have at most 4194304 numbers", ""}},
    {"tree-mask",
     {"parents=-1,1", PE_BAD_VALUE, "parents",
      "must be -1 or a node before; that of node 1 is 1", ""}},
    {"tree-mask",
     {"parents=-2", PE_BAD_VALUE, "parents",
      "must be -1 or a node before; that of node 0 is -2", ""}},
    {"tree-mask",
     {"parents=0:1048577", PE_OUT_OF_RANGE, "parents", "must have at most 1048576 numbers",
      ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(every_block_sees_so_many_random_blocks)
{
    enum { BLOCKS = 20, RANDOM = 3 };
    double *mask =
        core_query_values("bigbird-mask", "len=20&block=1&random=3&seed=7", "mask", NULL);

    for (int a = 1; a < BLOCKS - 1; a++) {
        int seen = 0, near = 5 - (a == 1) - (a == BLOCKS - 2); /* neighbours and both ends */

        for (int c = 0; c < BLOCKS; c++)
            seen += mask[a * BLOCKS + c] == 1;
        ck_assert_int_eq(seen, near + RANDOM);
    }
    free(mask);
}
END_TEST

START_TEST(every_token_has_as_many_neighbours)
{
    static const struct {
        const char *query;
        size_t tokens;
        double neighbours;
    } grids[] = {{"grid=4x5&kernel=3,5", 20, 15},
                 {"grid=6x7&kernel=3&dilation=2,1", 42, 9},
                 {"len=11&kernel=5&dilation=2", 11, 5}};

    for (size_t i = 0; i < PE_LEN(grids); i++) {
        double *mask = core_query_values("natten-mask", grids[i].query, "mask", NULL);

        for (size_t row = 0; row < grids[i].tokens; row++) {
            double seen = 0;

            for (size_t col = 0; col < grids[i].tokens; col++)
                seen += mask[row * grids[i].tokens + col];
            ck_assert_double_eq(seen, grids[i].neighbours);
        }
        free(mask);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(other_outputs_come_out, others),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(every_block_sees_so_many_random_blocks),
    TEST(every_token_has_as_many_neighbours),
};

const struct suite mask_lists_suite = {SUITE_TESTS(tests)};
