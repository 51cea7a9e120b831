/* SPDX-License-Identifier: Apache-2.0
 * test_roles.c - what a tensor is for a claim, by its name or its rank, and the sentences that
 * refuse the others. */
#include <string.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

enum { TENSORS = 3 };

/* Tensors as "name rank rank ...": a name and its axes. */
struct sent {
    const char *name;
    size_t rank;
    uint64_t dims[4];
};

static size_t send(const struct sent sent[TENSORS], struct pe_verify_tensor tensors[TENSORS])
{
    size_t count = 0;

    for (; count < TENSORS && sent[count].name; count++) {
        tensors[count] =
            (struct pe_verify_tensor){.name = sent[count].name,
                                      .info = {.dtype = PE_F32, .rank = sent[count].rank}};
        memcpy(tensors[count].info.dims, sent[count].dims, sizeof sent[count].dims);
    }
    return count;
}

static const struct {
    const char *encoding;
    struct sent sent[TENSORS];
    const char *roles[TENSORS];
} known[] = {
    {"rope", {{"cos", 2, {4, 8}}, {"sin", 2, {4, 8}}}, {"cos", "sin"}},
    {"rope", {{"freqs_cis", 3, {4, 8, 2}}}, {"freqs_cis"}},
    {"rope", {{"cis", 3, {4, 8, 2}}}, {"freqs_cis"}},
    {"rope/apply", {{"x", 2, {4, 8}}, {"y", 2, {4, 8}}}, {"x", "y"}},
    {"rope/apply", {{"x", 2, {4, 8}}, {"x_rot", 2, {4, 8}}}, {"x", "x_rot"}},
    {"rope/apply", {{"q", 2, {4, 8}}, {"q_embed", 2, {4, 8}}}, {"q", "q_embed"}},
    {"sinusoidal", {{"pe", 2, {4, 8}}}, {"rows"}},
    {"sinusoidal", {{"pe", 3, {1, 4, 8}}}, {"rows"}},
    {"sinusoidal", {{"", 2, {4, 8}}}, {"rows"}},
    /* A leading axis of 1 is a batch of one, not the batch of an output that has one. */
    {"alibi", {{"", 4, {1, 8, 1, 20}}}, {"bias"}},
    {"alibi", {{"", 4, {2, 8, 1, 20}}}, {"padded_bias"}},
    /* Two or three numbers of a point are its coordinates. */
    {"swinv2", {{"", 4, {1, 15, 15, 2}}}, {"coords"}},
};

START_TEST(a_tensor_has_the_role_of_its_name_or_else_of_its_rank)
{
    const struct pe_encoding *enc = pe_find(known[_i].encoding, strlen(known[_i].encoding));
    struct pe_verify_tensor tensors[TENSORS];
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    const size_t count = send(known[_i].sent, tensors);
    struct pe_errors errors = {.count = 0};

    ck_assert_int_eq(pe_verify_assign(enc, tensors, count, roles, &errors), PE_OK);
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_eq(roles[i].name ? roles[i].name : "", known[_i].roles[i]);
        ck_assert(!roles[i].output != !roles[i].param);
    }
}
END_TEST

static const struct {
    const char *encoding;
    struct sent sent[TENSORS];
    enum pe_status status;
    const char *parameter, *detail;
} refused[] = {
    {"rope",
     {{"tan", 4, {2, 2, 3, 4}}},
     PE_UNKNOWN_PARAMETER,
     "tan",
     "is no output of rope; name the tensor one of cos, sin, "},
    {"rope",
     {{"", 2, {4, 8}}},
     PE_MISSING_PARAMETER,
     "tensor",
     "is required: which output of rope the tensor is, of cos, sin, "},
    {"rope/apply",
     {{"y", 2, {4, 8}}},
     PE_MISSING_PARAMETER,
     "x",
     "is required: the vectors that y was made from"},
    {"rope/apply",
     {{"k_rot", 2, {4, 8}}},
     PE_MISSING_PARAMETER,
     "k",
     "is required: the vectors that k_rot was made from"},
    {"rope/apply",
     {{"x", 2, {4, 8}}},
     PE_MISSING_PARAMETER,
     "y",
     "is required: what your code made of x"},
    {"rope/apply",
     {{"q", 2, {4, 8}}},
     PE_MISSING_PARAMETER,
     "q_rot",
     "is required: what your code made of q"},
    {"t5",
     {{"table", 2, {32, 8}}},
     PE_MISSING_PARAMETER,
     "tensor",
     "is required: the body has no tensor that t5 makes"},
};

START_TEST(another_tensor_is_refused_with_the_names_that_would_do)
{
    const struct pe_encoding *enc = pe_find(refused[_i].encoding, strlen(refused[_i].encoding));
    struct pe_verify_tensor tensors[TENSORS];
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    const size_t count = send(refused[_i].sent, tensors);
    struct pe_errors errors = {.count = 0};

    ck_assert_int_eq(pe_verify_assign(enc, tensors, count, roles, &errors), refused[_i].status);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_str_eq(errors.at[0].parameter, refused[_i].parameter);
    ck_assert_msg(strstr(errors.at[0].detail, refused[_i].detail), "%s", errors.at[0].detail);
}
END_TEST

START_TEST(more_than_sixteen_tensors_are_refused)
{
    static const struct pe_verify_tensor tensors[PE_VERIFY_TENSORS + 1];
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_errors errors = {.count = 0};

    ck_assert_int_eq(
        pe_verify_assign(pe_find("rope", 4), tensors, PE_LEN(tensors), roles, &errors),
        PE_TOO_LARGE);
    ck_assert_str_eq(errors.at[0].detail,
                     "the body has 17 tensors; at most 16 are verified at once");
}
END_TEST

START_TEST(a_tensor_beside_complex_numbers_is_judged_too)
{
    struct verify_case made;

    verify_case_of(&made, "rope?dim=4&pos=0:3&out=cos");
    float parts[3 * 2 * 2];
    for (uint64_t i = 0; i < 6; i++) {
        parts[2 * i] = (float)verify_case_get(&made, 0, i);
        parts[2 * i + 1] = 0;
    }
    verify_case_add(&made, "freqs_cis", PE_F32, 3, (const uint64_t[]){3, 2, 2}, parts);
    verify_case_claim(&made, "rope?dim=4&pos=0:3");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_gt(verdict->kind, PE_PROFILE);
    ck_assert_uint_eq(verdict->tensor_count, 2);
    ck_assert_uint_eq(verdict->tensor[0].differs, 0);
    ck_assert_uint_gt(verdict->tensor[1].differs, 0);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

/* Adds a copy of another request's only tensor under a name, in other dims. */
static void add_made(struct verify_case *to, const char *request, const char *name, size_t rank,
                     const uint64_t *dims)
{
    struct verify_case made;

    verify_case_of(&made, request);
    verify_case_add(to, name, made.tensor[0].info.dtype, rank, dims, made.data[0]);
    verify_case_free(&made);
}

START_TEST(what_a_claim_does_not_know_is_left_out_beside_what_it_knows)
{
    struct verify_case made;

    verify_case_of(&made, "rope?dim=8&out=inv_freq");
    add_made(&made, "rope?dim=8&pos=0:3&out=cos", "lm_head.weight", 2,
             (const uint64_t[]){3, 4});
    verify_case_claim(&made, "rope?dim=8");
    ck_assert_str_eq(made.role[1].name, "cos");
    made.tensor[1].optional = true;
    verify_case_claim(&made, "rope?dim=8");
    ck_assert(!made.role[1].output && !made.role[1].param);
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_EXACT);
    ck_assert_ptr_null(verdict->tensor[1].role);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(ones_and_zeros_without_a_name_are_added_unless_they_came_as_text)
{
    const float mask[] = {1, 0, 1, 1};
    struct verify_case made = {.count = 0};

    verify_case_add(&made, "", PE_F32, 2, (const uint64_t[]){2, 2}, mask);
    verify_case_claim(&made, "causal-mask?len=2");
    ck_assert_str_eq(made.role[0].name, "additive");
    made.tensor[0].text = true;
    verify_case_claim(&made, "causal-mask?len=2");
    ck_assert_str_eq(made.role[0].name, "mask");
    verify_case_free(&made);
}
END_TEST

/* The mask of one query that sees all keys, as a decoder adds it. */
START_TEST(zeros_are_a_mask_that_is_added_whatever_its_name_says)
{
    static const char *const claims[] = {"causal-mask?q=3&k=0:4",
                                         "bidirectional-mask?q=3&k=0:4"};
    const float zeros[4] = {0};

    for (size_t i = 0; i < PE_LEN(claims); i++) {
        struct verify_case made = {.count = 0};

        verify_case_add(&made, "attention_mask", PE_F32, 2, (const uint64_t[]){1, 4}, zeros);
        verify_case_claim(&made, claims[i]);
        ck_assert_str_eq(made.role[0].output->name, "additive");
        struct pe_verdict *verdict = verify_case_verdict(&made);
        ck_assert_int_eq(verdict->kind, PE_EXACT);
        pe_verdict_free(verdict);
        verify_case_free(&made);
    }
}
END_TEST

/* Axes of 1 before the keys do not make runs of the mask of a decode step; pairs are runs. */
START_TEST(a_mask_of_one_query_is_no_runs)
{
    const uint64_t one[] = {1, 1, 4}, pairs[] = {1, 1, 2};
    const int64_t run[] = {0, 4};
    const bool seen[4] = {true, true, true, true};

    for (int runs = 0; runs < 2; runs++) {
        struct verify_case made = {.count = 0};

        verify_case_add(&made, "", runs ? PE_I64 : PE_BOOL8, 3, runs ? pairs : one,
                        runs ? (const void *)run : seen);
        verify_case_claim(&made, "causal-mask?q=3&k=0:4");
        ck_assert_str_eq(made.role[0].name, runs ? "runs" : "mask");
        struct pe_verdict *verdict = verify_case_verdict(&made);
        ck_assert_int_eq(verdict->kind, PE_EXACT);
        pe_verdict_free(verdict);
        verify_case_free(&made);
    }
}
END_TEST

START_TEST(tensors_without_names_have_the_roles_of_their_numbers)
{
    struct verify_case made = {.count = 0};

    add_made(&made, "rope?dim=8&pos=0:3&out=cos", "arr_0", 3, (const uint64_t[]){1, 3, 4});
    add_made(&made, "rope?dim=8&pos=0:3&out=sin", "arr_1", 3, (const uint64_t[]){1, 3, 4});
    add_made(&made, "rope?dim=8&out=inv_freq", "arr_2", 1, (const uint64_t[]){4});
    verify_case_claim(&made, "rope?dim=8&pos=0:3");
    ck_assert_str_eq(made.role[0].name, "cos");
    ck_assert_str_eq(made.role[1].name, "sin");
    ck_assert_str_eq(made.role[2].name, "inv_freq");
    struct pe_verdict *verdict = verify_case_verdict(&made);
    ck_assert_int_eq(verdict->kind, PE_EXACT);
    pe_verdict_free(verdict);
    verify_case_free(&made);
}
END_TEST

START_TEST(a_batch_without_a_name_is_the_rows_of_each_sequence)
{
    double rows[2 * 3 * 8];
    struct verify_case made;

    verify_case_of(&made, "sinusoidal?dim=8&pos=0:3&dtype=f64");
    memcpy(rows, made.data[0], sizeof rows / 2);
    memcpy(rows + 24, made.data[0], sizeof rows / 2);
    verify_case_free(&made);
    made = (struct verify_case){.enc = pe_find("sinusoidal", 10)};
    verify_case_add(&made, "", PE_F64, 3, (const uint64_t[]){2, 3, 8}, rows);
    verify_case_claim(&made, "sinusoidal?dim=8&pos=0:3");
    ck_assert_str_eq(made.role[0].name, "rows");
    verify_case_free(&made);
}
END_TEST

START_TEST(a_role_that_is_said_beats_name_and_numbers)
{
    struct verify_case made;

    verify_case_of(&made, "rope?dim=8&pos=0:3&out=cos");
    made.tensor[0].role = "sin";
    verify_case_claim(&made, "rope?dim=8&pos=0:3");
    ck_assert_str_eq(made.role[0].name, "sin");
    verify_case_free(&made);
}
END_TEST

/* Batches are compared in parts, of which one is the end. */
START_TEST(batches_that_differ_in_their_last_element_are_no_batches)
{
    enum { ROWS = 300, COLS = 130, BATCH = ROWS * COLS };
    static float data[2 * BATCH];
    const struct pe_verify_tensor tensor = {
        .name = "",
        .info = {.dtype = PE_F32, .rank = 3, .dims = {2, ROWS, COLS}},
        .data = data};
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_errors errors;

    for (size_t i = 0; i < 2 * BATCH; i++)
        data[i] = (float)(i % BATCH);
    for (size_t differs = 0; differs < 2; differs++) {
        data[2 * BATCH - 1] += (float)differs;
        pe_errors_clear(&errors);
        const enum pe_status status =
            pe_verify_assign(pe_find("sinusoidal", 10), &tensor, 1, roles, &errors);

        ck_assert_int_eq(status == PE_OK, differs == 0);
        ck_assert_int_eq(roles[0].output != NULL, differs == 0);
    }
}
END_TEST

SUITE(roles, TEST_EACH(a_tensor_has_the_role_of_its_name_or_else_of_its_rank, known),
      TEST_EACH(another_tensor_is_refused_with_the_names_that_would_do, refused),
      TEST(more_than_sixteen_tensors_are_refused),
      TEST(a_tensor_beside_complex_numbers_is_judged_too),
      TEST(what_a_claim_does_not_know_is_left_out_beside_what_it_knows),
      TEST(zeros_are_a_mask_that_is_added_whatever_its_name_says),
      TEST(ones_and_zeros_without_a_name_are_added_unless_they_came_as_text),
      TEST(a_batch_without_a_name_is_the_rows_of_each_sequence),
      TEST(a_mask_of_one_query_is_no_runs),
      TEST(tensors_without_names_have_the_roles_of_their_numbers),
      TEST(a_role_that_is_said_beats_name_and_numbers),
      TEST(batches_that_differ_in_their_last_element_are_no_batches));
