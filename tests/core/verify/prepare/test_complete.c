/* SPDX-License-Identifier: Apache-2.0
 * test_complete.c - what a claim leaves out and its tensors say: positions, lengths, the axis
 * of positions. */
#include <string.h>

#include "tests/core/support/verify_case.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

/* Prints the value of a name of checked arguments. */
static void print_value(const struct pe_args *args, const char *name,
                        char value[PE_VERIFY_TEXT])
{
    value[0] = '\0';
    for (size_t i = 0; i < pe_args_value_count(args); i++)
        if (strcmp(pe_args_value(args, i)->name, name) == 0)
            pe_args_print(args, i, value, PE_VERIFY_TEXT);
}

static const struct {
    const char *made, *claim, *name, *value;
} rows[] = {
    {"rope?dim=8&pos=0:5&out=cos,sin", "rope?dim=8", "pos", "0:5"},
    {"rope?dim=8&pos=7:12&out=cos,sin", "rope?dim=8", "pos", "7:12"},
    {"rope?dim=8&pos=7:12&out=cos,sin&width=full", "rope?dim=8", "pos", "7:12"},
    {"rope?dim=64&pos=3000:3060:3&out=cos,sin&dtype=bf16", "rope?dim=64", "pos", "3000:3058:3"},
    {"rope?dim=8&pos=4:-1:-1&out=cos,sin", "rope?dim=8", "pos", "4:-1:-1"},
    {"rope?dim=8&pos=-5:-12:-1&out=cos,sin", "rope?dim=8", "pos", "5:12"}, /* turned back */
    {"rope?dim=32768&pos=3:5&out=cos,sin", "rope?dim=32768", "pos", "3,4"},
    {"rope?dim=128&pos=100000:100003&out=cos,sin&base=500000", "rope?dim=128&base=500000",
     "pos", "100000:100003"},
    {"rope?dim=8&pos=0:5&out=cos", "rope?", "dim", "8"},
    {"rope?dim=8&pos=0,1,5,2&out=cos,sin", "rope?dim=8", "pos", "0:4"}, /* no slice */
    {"rope?dim=8&pos=3:9&out=cos,sin&base=500", "rope?dim=8", "pos",
     "0:6"}, /* not its angles */
    {"sinusoidal?dim=8&pos=0:5", "sinusoidal?dim=8", "pos", "0:5"},
    {"sinusoidal?dim=8&pos=9:14", "sinusoidal?dim=8", "pos", "9:14"},
    {"causal-mask?len=6", "causal-mask?", "k", "0:6"},
    {"alibi?heads=4&len=6", "alibi?heads=4", "k", "0:6"},
};

START_TEST(what_a_claim_leaves_out_is_what_its_tensors_say)
{
    struct verify_case made;
    char value[PE_VERIFY_TEXT];

    verify_case_of(&made, rows[_i].made);
    verify_case_claim(&made, rows[_i].claim);
    print_value(made.claim, rows[_i].name, value);
    ck_assert_str_eq(value, rows[_i].value);
    verify_case_free(&made);
}
END_TEST

static const struct {
    const char *made, *claim, *axis;
} turned[] = {
    {"rope/apply?dim=8&pos=0:3&seq_axis=2&q=f64:1,2,3,8", "rope/apply?dim=8&pos=0:3", "2"},
    {"rope/apply?dim=8&pos=0:3&seq_axis=1&q=f64:1,3,2,8", "rope/apply?dim=8&pos=0:3", "1"},
    {"rope/apply?dim=8&pos=0:3&seq_axis=2&q=f64:1,3,3,8", "rope/apply?dim=8", "2"},
    {"rope/apply?dim=8&pos=0:3&seq_axis=1&q=f64:1,3,3,8", "rope/apply?dim=8", "1"},
    {"rope/apply?dim=8&pos=5&seq_axis=0&q=f64:1,3,4,8", "rope/apply?dim=8", "2"}, /* no batch */
    /* Of two axes that may be, it is that whose angles are those of positions. */
    {"rope/apply?dim=8&pos=5:8&seq_axis=2&q=f64:1,3,3,8", "rope/apply?dim=8", "2"},
    {"rope/apply?dim=8&pos=5:8&seq_axis=1&q=f64:1,3,4,8", "rope/apply?dim=8", "1"},
    {"rope/apply?dim=8&pos=0:6&seq_axis=1&inverse=1&q=f64:1,6,3,8", "rope/apply?dim=8", "1"},
    {"rope/apply?dim=8&pos=0:3&seq_axis=2&inverse=1&q=f64:1,6,3,8", "rope/apply?dim=8", "2"},
};

/* A batch whose sequences have these positions, seen as [batch, pos, dim]. */
static const struct {
    const char *made;
    uint64_t batch;
    const char *value;
} batches[] = {
    {"rope?dim=8&pos=0:5,7:12&out=cos,sin", 2, "0:5,7:12"},
    {"rope?dim=8&pos=0:5,7:12&out=cos", 2, "0:5,7:12"},
    {"rope?dim=8&pos=0:5,7:12&out=cos,sin&width=full", 2, "0:5,7:12"},
    {"rope?dim=8&pos=3:7,1,1,0,1,9:5:-1&out=cos,sin", 3, "3:7,1,1,0,1,9:5:-1"},
    {"rope?dim=8&pos=0,0,0,1,0,1,2,3&out=cos", 2, "0,0,0,1,0:4"},
    {"rope?dim=8&pos=5,2,8,1,0,1,2,3&out=cos,sin", 2, "0:4,0:4"}, /* no positions of a batch */
    {"sinusoidal?dim=8&pos=2:5,0:3", 2, "2:5,0:3"},
};

START_TEST(each_sequence_of_a_batch_has_positions_of_its_own)
{
    struct verify_case made;
    char value[PE_VERIFY_TEXT];

    verify_case_of(&made, batches[_i].made);
    for (size_t i = 0; i < made.count; i++) {
        struct pe_tensor *info = &made.tensor[i].info;

        info->rank = 3;
        info->dims[2] = info->dims[1];
        info->dims[1] = info->dims[0] / batches[_i].batch;
        info->dims[0] = batches[_i].batch;
    }
    verify_case_claim(&made, _i == 6 ? "sinusoidal?dim=8" : "rope?dim=8");
    print_value(made.claim, "pos", value);
    ck_assert_str_eq(value, batches[_i].value);
    verify_case_free(&made);
}
END_TEST

START_TEST(a_shape_that_no_positions_give_is_refused_by_its_shape)
{
    static const double zeros[30];
    struct verify_case made = {.enc = pe_find("rope", 4)};
    struct pe_errors errors = {.count = 0};

    verify_case_add(&made, "cos", PE_F64, 3, (const uint64_t[]){2, 5, 3}, zeros);
    ck_assert_int_eq(verify_case_try_claim(&made, "rope?dim=8", &errors), PE_BAD_VALUE);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_str_eq(errors.at[0].parameter, "cos");
    ck_assert_str_eq(errors.at[0].detail,
                     "must have the shape [5,4], or [5,8] with width=full, "
                     "of the claim; the tensor has [2,5,3]");
    verify_case_free(&made);
}
END_TEST

START_TEST(vectors_have_their_positions_along_the_axis_that_turns)
{
    struct verify_case made;
    char value[PE_VERIFY_TEXT];

    verify_case_of(&made, turned[_i].made);
    verify_case_claim(&made, turned[_i].claim);
    print_value(made.claim, "seq_axis", value);
    ck_assert_str_eq(value, turned[_i].axis);
    verify_case_free(&made);
}
END_TEST

START_TEST(what_no_tensor_says_is_missing)
{
    struct pe_errors errors = {.count = 0};
    struct verify_case made;

    verify_case_of(&made, "causal-mask?len=4");
    ck_assert_int_eq(verify_case_try_claim(&made, "sliding-window-mask?len=4", &errors),
                     PE_MISSING_PARAMETER);
    ck_assert_str_eq(errors.at[0].parameter, "window");
    ck_assert_str_eq(errors.at[0].hint, "");
    verify_case_free(&made);
}
END_TEST

START_TEST(a_missing_window_is_told_beside_what_the_mask_shows)
{
    struct pe_errors errors = {.count = 0};
    struct verify_case made;

    verify_case_of(&made, "sliding-window-mask?len=8&window=3");
    ck_assert_int_eq(verify_case_try_claim(&made, "sliding-window-mask?len=8", &errors),
                     PE_MISSING_PARAMETER);
    ck_assert_str_eq(errors.at[0].hint,
                     "the last query of the mask sees 3 keys, as window=3 has it");
    verify_case_free(&made);
}
END_TEST

/* Far from position 0 cosines are as large as sines. */
static const struct {
    const char *made, *claim, *first; /* the output that is made first */
} nameless[] = {
    {"rope?dim=64&pos=1000000:1000256&out=cos", "rope?dim=64&pos=1000000:1000256", "cos"},
    {"rope?dim=64&pos=1000000:1000256&out=sin", "rope?dim=64&pos=1000000:1000256", "sin"},
    {"rope?dim=16&pos=700:764&out=cos,sin&width=full", "rope?dim=16&pos=700:764", "cos"},
    {"rope?dim=64&pos=37:101&out=sin", "rope?dim=64", "sin"},
};

START_TEST(of_cosines_and_sines_without_names_those_are_meant_that_are_right)
{
    for (size_t reversed = 0; reversed < 2; reversed++) {
        struct pe_errors errors = {.count = 0};
        struct verify_case made;

        verify_case_of(&made, nameless[_i].made);
        for (size_t i = 0; i < made.count; i++)
            made.tensor[i].name = "";
        if (reversed) {
            const struct pe_verify_tensor first = made.tensor[0];

            made.tensor[0] = made.tensor[made.count - 1];
            made.tensor[made.count - 1] = first;
        }
        ck_assert_int_eq(verify_case_try_claim(&made, nameless[_i].claim, &errors), PE_OK);
        for (size_t i = 0; i < made.count; i++)
            ck_assert_str_eq(made.role[i].name,
                             made.tensor[i].data == made.data[0] ? nameless[_i].first : "sin");
        verify_case_free(&made);
    }
}
END_TEST

START_TEST(a_name_that_says_sines_is_not_exchanged_for_numbers_that_are_cosines)
{
    struct pe_errors errors = {.count = 0};
    struct verify_case made;

    verify_case_of(&made, "rope?dim=64&pos=0:16&out=cos");
    made.tensor[0].name = "sin";
    ck_assert_int_eq(verify_case_try_claim(&made, "rope?dim=64&pos=0:16", &errors), PE_OK);
    ck_assert_str_eq(made.role[0].name, "sin");
    verify_case_free(&made);
}
END_TEST

START_TEST(without_memory_nothing_is_read_but_never_something_else)
{
    struct verify_case made;
    struct pe_errors errors = {.count = 0};
    struct pe_args *given = pe_args_new(pe_find("rope", 4));
    char value[PE_VERIFY_TEXT];
    bool fired = true;

    verify_case_of(&made, "rope?dim=8&pos=7:12&out=cos,sin");
    ck_assert_int_eq(pe_args_set_text(given, "dim", 3, "8", 1, &errors), PE_OK);
    ck_assert_int_eq(
        pe_verify_assign(pe_args_encoding(given), made.tensor, made.count, made.role, &errors),
        PE_OK);
    ck_assert_int_eq(pe_verify_prepare(given, made.tensor, made.count, made.role, &errors),
                     PE_OK);
    for (size_t n = 0; fired; n++) {
        struct pe_args *checked = NULL;

        errors.count = 0;
        alloc_fail_start(n);
        const enum pe_status status = pe_verify_complete(
            &checked, given, made.tensor, made.count, made.role, &verify_case_limits, &errors);
        fired = alloc_fail_stop();
        ck_assert_msg(status == PE_OK || status == PE_NO_MEMORY, "allocation %zu: status %d", n,
                      (int)status);
        if (status != PE_OK)
            continue;
        print_value(checked, "pos", value);
        ck_assert_msg(strcmp(value, "7:12") == 0, "allocation %zu: %s", n, value);
        pe_args_free(checked);
    }
    pe_args_free(given);
    verify_case_free(&made);
}
END_TEST

SUITE(complete, TEST_EACH(each_sequence_of_a_batch_has_positions_of_its_own, batches),
      TEST(a_shape_that_no_positions_give_is_refused_by_its_shape),
      TEST_EACH(what_a_claim_leaves_out_is_what_its_tensors_say, rows),
      TEST_EACH(vectors_have_their_positions_along_the_axis_that_turns, turned),
      TEST(what_no_tensor_says_is_missing),
      TEST(a_missing_window_is_told_beside_what_the_mask_shows),
      TEST_EACH(of_cosines_and_sines_without_names_those_are_meant_that_are_right, nameless),
      TEST(a_name_that_says_sines_is_not_exchanged_for_numbers_that_are_cosines),
      TEST(without_memory_nothing_is_read_but_never_something_else));
