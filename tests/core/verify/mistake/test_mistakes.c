/* SPDX-License-Identifier: Apache-2.0
 * test_mistakes.c - the rows of mistakes.def: each has a slug and half a sentence, and applies
 * to the numbers of some encoding. */
#include "core/verify/mistake/mistakes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

START_TEST(a_slug_is_a_word_and_a_summary_half_a_sentence)
{
    const struct pe_mistake_row *row = pe_mistake_at((size_t)_i);
    const size_t len = strlen(row->summary);

    ck_assert_uint_eq(strspn(row->slug, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                      strlen(row->slug));
    ck_assert_uint_gt(len, 10);
    ck_assert(islower(row->summary[0]));
    ck_assert(row->summary[len - 1] != '.');
    for (size_t i = 0; i < (size_t)_i; i++)
        ck_assert_str_ne(pe_mistake_at(i)->slug, row->slug);
}
END_TEST

/* Text, a picture of 2 x 3, and text. */
#define IDS "0,0,0;1,1,1;2,2,2;2,2,3;2,2,4;2,3,2;2,3,3;2,3,4;5,5,5;6,6,6"

/* Mistakes that are read from the numbers, and numbers that show them. */
static const struct {
    const char *slug, *made, *claim;
} shown[] = {
    {"position-scale", "rope?dim=8&pos=0:32:2&out=cos,sin", "rope?dim=8&pos=0:16"},
    {"partner", "rope/apply?pos=0:6&x=f32[6,24]&rotary_dim=8&pairing=half",
     "rope/apply?pos=0:6&rotary_dim=8&pairing=half"},
    {"other-positions", "rope?dim=8&pos=0,1,2,2,2,2&out=cos,sin", "rope?dim=8&pos=0:6"},
    {"other-columns", "mrope?dim=16&mrope_section=3,2,3&ids=" IDS "&out=cos,sin",
     "mrope?dim=16&mrope_section=2,3,3&ids=" IDS},
    {"window-missing", "causal-mask?len=8&out=mask", "sliding-window-mask?len=8&window=3"},
    {"mask-terms", "sliding-window-mask?len=8&window=3&out=mask", "causal-mask?len=8"},
    {"other-heads", "alibi?heads=4&len=9&slopes=0.25,0.0625,0.00390625,0.015625&out=bias",
     "alibi?heads=4&len=9"},
    {"other-slopes", "alibi?heads=4&len=9&slopes=1,1,1,1&out=bias", "alibi?heads=4&len=9"},
    {"one-slope", "alibi?heads=4&slopes=0.25,0.0625,1,0.00390625&out=slopes", "alibi?heads=4"},
    {"rows-shuffled", "rope?dim=8&pos=3,1,0,2,5,4&out=cos,sin", "rope?dim=8&pos=0:6"},
    {"columns-shuffled", "rope-nd?pos=0:6&freqs=1,0.1,0.3&out=cos",
     "rope-nd?pos=0:6&freqs=0.1,0.3,1"},
    {"sign-lost", "rope?dim=8&pos=2,1,0,1,2&out=cos,sin", "rope?dim=8&pos=-2:3"},
    {"other-rows", "learned?pos=0,1,1,2,3&table=f32[8,4]&out=rows",
     "learned?pos=0:5&table=f32[8,4]"},
    {"table-cut", "learned?pos=0:4&table=f32[9,4]&out=rows",
     "resize-table-2d?new_grid=2x2&table=f32[9,4]"},
    {"ids-of-parts", "ids-mrope?segments=text:3,video:8x4x4,text:2&advance=max_hw&out=ids",
     "ids-mrope?segments=text:3,video:8x4x4,text:2"},
};

/* Returns whether a variant applies to the numbers of a request, against a claim. */
static bool is_made(const struct mistake *mistake, const char *request, const char *said)
{
    struct pe_errors errors = {.count = 0};
    struct verify_case own;
    struct claim claim;
    bool made = false;

    verify_case_of(&own, request);
    if (!verify_case_try_claim(&own, said, &errors) &&
        claim_init(&claim, own.claim, own.tensor, own.count, own.role, NULL,
                   &verify_case_limits)) {
        struct candidate *base = candidate_new(&claim, NULL, NULL);

        for (size_t i = 0; base && i < mistake->variants && !made; i++) {
            struct candidate *other = mistakes_make(mistake, base, i);

            made = other != NULL;
            candidate_free(other);
        }
        candidate_free(base);
        claim_fini(&claim);
    }
    verify_case_free(&own);
    return made;
}

static bool is_made_of(const struct mistake *mistake, const struct pe_encoding *enc)
{
    char request[VERIFY_CASE_REQUEST];

    for (const char *const *example = pe_examples(enc); *example; example++)
        for (size_t i = 0; i < enc->output_count; i++)
            if (verify_case_request(request, enc, *example, enc->outputs[i].name, NULL) &&
                is_made(mistake, request, request))
                return true;
    return false;
}

START_TEST(a_mistake_applies_to_the_numbers_of_some_encoding)
{
    const struct mistake *mistake = &mistakes[_i];
    bool made = false;

    for (size_t i = 0; i < PE_LEN(shown) && !made; i++)
        made = strcmp(shown[i].slug, mistake->row.slug) == 0 &&
               is_made(mistake, shown[i].made, shown[i].claim);
    for (size_t i = 0; i < pe_count() && !made; i++)
        made = is_made_of(mistake, pe_at(i));
    ck_assert_msg(made, "%s applies to no numbers", mistake->row.slug);
}
END_TEST

/* A row before the grid stands twice: the first row of the part would be row -1 of the grid. */
START_TEST(a_part_of_a_table_begins_behind_the_rows_before_its_grid)
{
    for (size_t i = 0; i < pe_mistake_count(); i++)
        if (strcmp(mistakes[i].row.slug, "table-cut") == 0)
            ck_assert(!is_made(&mistakes[i], "learned?pos=0,0,1,3,4&table=f32[10,4]&out=rows",
                               "resize-table-2d?new_grid=2x2&prefix_tokens=1"
                               "&table=f32[10,4]"));
}
END_TEST

/* Every row is held against half of the others before the one that it is. */
START_TEST(comparing_rows_counts_its_operations_and_ends_where_it_is_stopped)
{
    const double rows = 1024;
    struct pe_limits limits = verify_case_limits;
    struct pe_stop stop = {0};
    struct verify_case own;
    struct claim claim;

    limits.stop = &stop;
    verify_case_of(&own, "learned?pos=1023:-1:-1&table=f32[1024,2]&out=rows");
    verify_case_claim(&own, "learned?pos=0:1024&table=f32[1024,2]");
    ck_assert(claim_init(&claim, own.claim, own.tensor, own.count, own.role, NULL, &limits));
    struct candidate *base = candidate_new(&claim, NULL, NULL);
    ck_assert_ptr_nonnull(base);
    const double before = claim.operations;
    struct candidate *made = mistake_rows_moved(base);
    ck_assert_ptr_nonnull(made);
    ck_assert_double_gt(claim.operations - before, rows * rows / 2);
    candidate_free(made);
    pe_stop_set(&stop);
    ck_assert_ptr_null(mistake_rows_moved(base));
    candidate_free(base);
    claim_fini(&claim);
    verify_case_free(&own);
}
END_TEST

START_TEST(looking_through_a_table_counts_its_operations)
{
    const double elements = 1936 * 16;
    struct verify_case own;
    struct claim claim;

    verify_case_of(&own, "learned?pos=1932:1936&table=f32[1936,16]&out=rows");
    verify_case_claim(&own, "resize-table-2d?new_grid=2x2&table=f32[1936,16]");
    ck_assert(claim_init(&claim, own.claim, own.tensor, own.count, own.role, NULL,
                         &verify_case_limits));
    struct candidate *base = candidate_new(&claim, NULL, NULL);
    ck_assert_ptr_nonnull(base);
    const double before = claim.operations;
    struct candidate *made = mistake_table_cut(base, 0);
    ck_assert_ptr_nonnull(made);
    ck_assert_double_ge(claim.operations - before, elements);
    candidate_free(made);
    candidate_free(base);
    claim_fini(&claim);
    verify_case_free(&own);
}
END_TEST

/* Rows 0 and 3 of the table are equal: the first that equals a row begins no run. */
START_TEST(rows_cut_from_a_table_of_equal_rows_are_a_run)
{
    struct verify_case own;
    struct claim claim;
    size_t table = 0;

    verify_case_of(&own, "learned?pos=3:7&table=f32[9,4]&out=rows");
    while (strcmp(own.name[table], "table") != 0)
        table++;
    for (uint64_t col = 0; col < 4; col++)
        verify_case_set(&own, table, col, verify_case_get(&own, table, 3 * 4 + col));
    verify_case_claim(&own, "resize-table-1d?new_len=4&table=f32[9,4]");
    ck_assert(claim_init(&claim, own.claim, own.tensor, own.count, own.role, NULL,
                         &verify_case_limits));
    struct candidate *base = candidate_new(&claim, NULL, NULL);
    ck_assert_ptr_nonnull(base);
    struct candidate *made = mistake_table_cut(base, 0);
    ck_assert_ptr_nonnull(made);
    candidate_free(made);
    candidate_free(base);
    claim_fini(&claim);
    verify_case_free(&own);
}
END_TEST

/* Makes a claim with a value that gives its numbers another shape; returns the candidate. */
static struct candidate *other_shape(struct claim *claim, struct verify_case *own,
                                     const char *name, const char *value)
{
    struct changes changes = {.count = 1};

    ck_assert(claim_init(claim, own->claim, own->tensor, own->count, own->role, NULL,
                         &verify_case_limits));
    changes.at[0].param = pe_param_find(own->enc, name, strlen(name));
    snprintf(changes.at[0].text, CHANGE_TEXT, "%s", value);
    return candidate_new(claim, &changes, NULL);
}

static const struct {
    const char *request, *param, *value;
} reshaped[] = {
    {"ids-packed?lengths=5,9,3&out=positions", "lengths", "5,9"},
    {"ids-packed?lengths=5,9,3&out=positions", "lengths", "5,9,3,4"},
    {"rope?dim=8&pos=0:6&out=cos", "dim", "6"},
    {"rope?dim=8&pos=0:6&out=cos", "pos", "0:7"},
    {"causal-mask?len=6&out=mask", "len", "5"},
    {"t5?len=24&out=buckets", "len", "25"},
    {"detr-sine?grid=2x3&num_pos_feats=4&out=rows", "grid", "3x3"},
};

START_TEST(numbers_of_another_shape_take_no_mistake_that_compares_numbers)
{
    struct verify_case own;
    struct claim claim;

    verify_case_of(&own, reshaped[_i].request);
    verify_case_claim(&own, reshaped[_i].request);
    struct candidate *base = other_shape(&claim, &own, reshaped[_i].param, reshaped[_i].value);
    ck_assert_ptr_nonnull(base);
    ck_assert(!candidate_all_fitted(base));
    for (size_t i = 0; i < pe_mistake_count(); i++) {
        if (mistakes[i].flags & RESHAPES)
            continue;
        for (size_t variant = 0; variant < mistakes[i].variants; variant++)
            ck_assert_ptr_null(mistakes_make(&mistakes[i], base, variant));
    }
    candidate_free(base);
    claim_fini(&claim);
    verify_case_free(&own);
}
END_TEST

/* Three equal rows fit the one row of a shorter sequence, but not as they are seen. */
START_TEST(a_change_keeps_the_view_of_the_tensor_and_tells_that_it_does_not_fit)
{
    struct verify_case own;
    struct claim claim;

    verify_case_of(&own, "sinusoidal?dim=4&pos=5,5,5&out=rows");
    verify_case_claim(&own, "sinusoidal?dim=4&pos=5,5,5");
    struct candidate *alone = other_shape(&claim, &own, "pos", "5");
    struct candidate *base = candidate_new(&claim, NULL, NULL);
    struct candidate *beside = mistakes_change(base, "pos", "5");
    ck_assert(candidate_all_fitted(base) && candidate_all_fitted(alone));
    ck_assert(!candidate_all_fitted(beside));
    ck_assert_uint_eq(beside->view[0].dims[0], 3);
    candidate_free(beside);
    candidate_free(base);
    candidate_free(alone);
    claim_fini(&claim);
    verify_case_free(&own);
}
END_TEST

/* A hypothesis takes the cosines, of float64, for the sines, and the next one reads the sines,
 * of float16, in another order. AddressSanitizer sees a read beyond the tensor's memory. */
START_TEST(tensors_of_two_dtypes_are_read_within_their_memory)
{
    static const double sines[] = {0, 0,      0.8413, 0,      0.909, 0,
                                   0, 0.8413, 0.8413, 0.8413, 0.909, 0.8413};
    unsigned char halves[sizeof sines];
    struct verify_case made;

    pe_dtype_from_f64(PE_F16, halves, sines, 12);
    verify_case_of(&made, "rope2d-axial?grid=2x3&dim=4&out=cos&dtype=f64");
    for (uint64_t i = 2; i < 12; i++)
        verify_case_set(&made, 0, i, 0);
    verify_case_add(&made, "sin", PE_F16, 2, (const uint64_t[]){6, 2}, halves);
    verify_case_claim(&made, "rope2d-axial?grid=2x3&dim=4");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_UNEXPLAINED);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

SUITE(mistakes, TEST(a_part_of_a_table_begins_behind_the_rows_before_its_grid),
      TEST(rows_cut_from_a_table_of_equal_rows_are_a_run),
      TEST(looking_through_a_table_counts_its_operations),
      TEST(comparing_rows_counts_its_operations_and_ends_where_it_is_stopped),
      TEST(tensors_of_two_dtypes_are_read_within_their_memory),
      TEST_COUNTED(a_slug_is_a_word_and_a_summary_half_a_sentence, pe_mistake_count),
      TEST_COUNTED(a_mistake_applies_to_the_numbers_of_some_encoding, pe_mistake_count),
      TEST_EACH(numbers_of_another_shape_take_no_mistake_that_compares_numbers, reshaped),
      TEST(a_change_keeps_the_view_of_the_tensor_and_tells_that_it_does_not_fit));
