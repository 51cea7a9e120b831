/* SPDX-License-Identifier: Apache-2.0
 * test_mask_drafts.c - masks without a claim are read, and the plainest encoding that has
 * their terms is found. */
#include "core/verify/sight/mask_drafts.h"

#include <stdio.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

enum { READS = 160, QUERY = 400 };

/* Writes the values of arguments: "causal=0&lengths=5,9". */
static void write_values(const struct pe_args *args, char query[QUERY])
{
    size_t len = 0;

    for (size_t i = 0; i < pe_args_value_count(args); i++) {
        char text[100];

        pe_args_print(args, i, text, sizeof text);
        len += (size_t)snprintf(query + len, QUERY - len, "%s=%s&",
                                pe_args_value(args, i)->name, text);
    }
}

/* Reads the mask of a request: the encoding that is found, NULL if none; what it reads as. */
static const struct pe_encoding *read_mask(const char *request, char reads[READS],
                                           char query[QUERY])
{
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    const struct pe_encoding *enc = NULL;
    struct verify_case made;
    struct sight sight;

    verify_case_of(&made, request);
    ck_assert(sight_init(&sight, made.tensor, made.count, &verify_case_limits));
    struct pe_args *args = mask_drafts_try(&sight, roles);
    if (args) {
        enc = args->enc;
        write_values(args, query);
    }
    memcpy(reads, sight.reads, READS);
    ck_assert(!sight.failed);
    pe_args_free(args);
    sight_fini(&sight);
    verify_case_free(&made);
    return enc;
}

static const struct {
    const char *request, *encoding, *value;
} rows[] = {
    {"causal-mask?len=20&out=mask", "causal-mask", "q=0:20"},
    {"causal-mask?q=40:50&k=0:50&out=mask", "causal-mask", "q=40:50"},
    {"causal-mask?len=6&attention_mask=0,0,1,1,1,1&out=additive", "causal-mask",
     "attention_mask=0,0,1,1,1,1"},
    {"causal-mask?len=9&true_means=masked&out=mask", "causal-mask", "true_means=masked"},
    {"bidirectional-mask?len=6&attention_mask=1,1,1,1,0,0&out=mask", "padding-mask",
     "causal=0"},
    {"sliding-window-mask?len=50&window=7&mask_value=-inf&out=additive", "sliding-window-mask",
     "window=7"},
    {"sliding-window-mask?len=30&convention=flash&left=5&right=2&out=mask",
     "sliding-window-mask", "left=5"},
    {"sliding-window-bidirectional-mask?len=30&window=4&out=mask",
     "sliding-window-bidirectional-mask", "window=4"},
    {"document-mask?lengths=5,9,3&out=mask", "document-mask", "lengths=5,9,3"},
    {"document-mask?lengths=5,9,3&causal=0&out=mask", "document-mask", "causal=0"},
    {"chunked-mask?len=24&chunk=6&out=mask", "chunked-mask", "chunk=6"},
    {"prefix-lm-mask?len=20&prefix_len=5&out=mask", "prefix-lm-mask", "prefix_len=5"},
    {"blockwise-or-causal-mask?len=7&block_ids=-1,0,0,0,-1,1,1&out=mask",
     "blockwise-or-causal-mask", "block_ids=-1,0,0,0,-1,1,1"},
    {"padding-mask?attention_mask=0,1,1;1,1,1&causal=0&out=mask", "padding-mask",
     "attention_mask=0,1,1;1,1,1"},
    {"causal-mask?len=6&attention_mask=1,1,1,1,1,1;0,0,1,1,1,1;0,1,1,1,1,1&out=additive",
     "causal-mask", "attention_mask=1,1,1,1,1,1;0,0,1,1,1,1;0,1,1,1,1,1"},
    {"document-mask?document_ids=0,0,1,1,-1&out=additive", "document-mask",
     "document_ids=0,0,2,2,-1"},
    {"attention-sink-window-mask?len=28&window=8&sink_tokens=1&out=mask",
     "attention-sink-window-mask", "sink_tokens=1"},
    {"attention-sink-window-mask?q=20:26&k=0:26&window=5&sink_tokens=3&mask_value=-1e9&out="
     "additive",
     "attention-sink-window-mask", "sink_tokens=3"},
    {"global-local-mask?len=23&half_window=2&global_tokens=0&out=mask", "global-local-mask",
     "half_window=2"},
    {"global-local-mask?len=30&half_window=4&global_tokens=7,20&true_means=masked&out=mask",
     "global-local-mask", "global_tokens=7,20"},
    {"chunked-mask?len=6&chunk=4&left_padding=1,2&out=mask", "chunked-mask",
     "left_padding=1,2"},
    {"sliding-window-mask?len=12&convention=flash&left=3&right=30&out=additive",
     "sliding-window-mask", "right=-1"},
    {"swin-shift-mask?grid=8x12&window_size=4&shift=1&mask_value=-100&out=additive",
     "swin-shift-mask", "grid=8x12"},
    {"swin-shift-mask?grid=21x7&window_size=7&shift=3&true_means=masked&out=mask",
     "swin-shift-mask", "shift=3"},
};

START_TEST(a_mask_is_the_plainest_encoding_that_has_its_terms)
{
    char reads[READS], query[QUERY] = "";
    const struct pe_encoding *enc = read_mask(rows[_i].request, reads, query);

    ck_assert_msg(enc && strcmp(enc->name, rows[_i].encoding) == 0, "%s: %s", rows[_i].request,
                  enc ? enc->name : "none");
    ck_assert_msg(strstr(query, rows[_i].value), "%s: %s", rows[_i].request, query);
    ck_assert_str_eq(reads, "");
}
END_TEST

START_TEST(a_mask_that_no_encoding_has_is_told_in_its_terms)
{
    static const char combined[] = "mask-combine?mask_a=1,0,0,0;1,1,0,0;0,1,1,0;0,0,1,1"
                                   "&mask_b=1,1,1,0;1,1,1,0;1,1,1,0;0,0,0,1&op=and&out=mask";
    char reads[READS], query[QUERY];

    ck_assert_ptr_null(read_mask(combined, reads, query));
    ck_assert_str_eq(reads, "causal; window 2; documents 3, 1");
}
END_TEST

/* Blocks of so many parts that one of them fills the list. */
START_TEST(a_list_of_blocks_that_is_cut_has_no_places_of_blocks_that_are_left_out)
{
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct verify_case made = {.count = 0};
    bool mask[64 * 64];
    struct sight sight;

    for (size_t i = 0; i < sizeof mask; i++)
        mask[i] = i / 64 % 4 == i % 64 % 4;
    verify_case_add(&made, "mask", PE_BOOL8, 2, (const uint64_t[]){64, 64}, mask);
    ck_assert(sight_init(&sight, made.tensor, made.count, &verify_case_limits));
    ck_assert_ptr_null(mask_drafts_try(&sight, roles));
    ck_assert_msg(strstr(sight.reads, "with") && !strstr(sight.reads, ", ,") &&
                      !strstr(sight.reads, ", ;"),
                  "%s", sight.reads);
    sight_fini(&sight);
    verify_case_free(&made);
}
END_TEST

static const char *const others[] = {
    "sinusoidal?dim=16&pos=0:12&out=rows",
    "alibi?heads=2&len=8&out=bias",
    "t5?len=12&out=buckets",
    "rope?dim=8&pos=0:4&out=cos,sin",
};

START_TEST(tensors_of_more_than_two_values_are_read_as_no_mask)
{
    char reads[READS], query[QUERY];

    ck_assert_ptr_null(read_mask(others[_i], reads, query));
    ck_assert_str_eq(reads, "");
}
END_TEST

SUITE(mask_drafts, TEST_EACH(a_mask_is_the_plainest_encoding_that_has_its_terms, rows),
      TEST(a_mask_that_no_encoding_has_is_told_in_its_terms),
      TEST(a_list_of_blocks_that_is_cut_has_no_places_of_blocks_that_are_left_out),
      TEST_EACH(tensors_of_more_than_two_values_are_read_as_no_mask, others));
