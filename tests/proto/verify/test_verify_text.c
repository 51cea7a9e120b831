/* SPDX-License-Identifier: Apache-2.0
 * test_verify_text.c - tests the lines of the command line about verdicts of each kind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/verify/verify_text.h"
#include "tests/proto/support/verdicts.h"
#include "tests/support/suite.h"

static void check(const struct verdicts *verdicts, const struct pe_verdict *verdict,
                  bool coloured, const char *expected)
{
    struct buffer out = {0};

    verify_text_write(&out, "rope.npz", &verdicts->request, verdict, coloured);
    ck_assert(!out.failed);
    ck_assert_str_eq(out.bytes, expected);
    buffer_fini(&out);
}

START_TEST(what_is_right_takes_a_line_for_each_tensor_and_a_sentence)
{
    struct verdicts verdicts;

    verdicts_init(&verdicts, "encoding=rope&dim=4&pos=0:2", "cos[2,2],sin[2,2]");
    snprintf(verdicts.verdict->says, sizeof verdicts.verdict->says, "%s",
             "every element is exact");
    check(&verdicts, verdicts.verdict, false,
          "rope.npz: exact\n  cos  f32 2x2  exact\n  sin  f32 2x2  exact\n"
          "  every element is exact\n");
    check(&verdicts, verdicts.verdict, true,
          "rope.npz: \033[32mexact\033[0m\n  cos  f32 2x2  exact\n  sin  f32 2x2  exact\n"
          "  every element is exact\n");
    snprintf(verdicts.verdict->tensor[1].fits, PE_VERIFY_TEXT, "%s", "columns first");
    check(&verdicts, verdicts.verdict, false,
          "rope.npz: exact\n  cos  f32 2x2  exact\n  sin  f32 2x2  exact, columns first\n"
          "  every element is exact\n");
    verdicts_fini(&verdicts);
}
END_TEST

START_TEST(a_profile_is_named_in_the_first_line)
{
    struct verdicts verdicts;

    verdicts_init(&verdicts, "encoding=rope&dim=4&pos=0:2", "cos[2,2]");
    verdicts.verdict->kind = PE_PROFILE;
    snprintf(verdicts.verdict->says, sizeof verdicts.verdict->says, "%s",
             "right; rounds like profile=f32-pow");
    snprintf(verdicts.verdict->profile, sizeof verdicts.verdict->profile, "%s", "f32-pow");
    snprintf(verdicts.verdict->warning, sizeof verdicts.verdict->warning, "%s",
             "angles in float32: 0.07 at 1000000");
    verdicts.verdict->tensor[0] = (struct pe_tensor_verdict){.kind = PE_PROFILE,
                                                             .role = "cos",
                                                             .differs = 1,
                                                             .of = 4,
                                                             .max_abs = 0x1p-24,
                                                             .rank = 2,
                                                             .first = {1, 0},
                                                             .max_abs_at = {1, 0}};
    check(&verdicts, verdicts.verdict, false,
          "rope.npz: profile: f32-pow\n"
          "  cos  f32 2x2  1 of 4 elements differ, first [1,0], worst 6e-08 at [1,0]\n"
          "  right; rounds like profile=f32-pow\n"
          "  warning: angles in float32: 0.07 at 1000000\n");
    verdicts_fini(&verdicts);
}
END_TEST

static const struct pe_tensor_verdict wrong = {
    .kind = PE_MISTAKE,
    .role = "cos",
    .differs = 30,
    .of = 128,
    .max_abs = 2,
    .rank = 2,
    .first = {1, 29},
    .max_abs_at = {1, 40},
    .rows_differ = 1,
    .pairs = {{29, 0.5}, {40, 2}, {41, 1}},
    .pair_count = 3,
    .has_pairs = true,
    .pair_columns = "i",
    .wrong_columns = {{{29, 30}, {40, 64}}, .range_count = 2}};

START_TEST(a_mistake_says_what_it_is_how_far_it_is_off_and_what_repairs_it)
{
    struct verdicts verdicts;
    struct pe_verdict *verdict;

    verdicts_init(&verdicts, "model=llama-3.1-8b&pos=0:2", "cos[2,64]");
    verdict = verdicts.verdict;
    verdict->kind = PE_MISTAKE;
    snprintf(verdict->says, sizeof verdict->says, "%s",
             "not printed: the mistake has its own sentence");
    verdict->explanation.count = 1;
    verdict->explanation.mistake[0] = (struct pe_mistake){
        .slug = "scaling",
        .says = "the frequencies are not scaled",
        .fix = "scale them",
        .code = "inv_freq /= 8",
        .change = {{.parameter = "scaling", .found = "none", .expected = "llama3"},
                   {.parameter = "factor", .found = "1", .expected = "8"}},
        .change_count = 2,
        .evidence = {2.3e-4, 0.9, 1.994, 2}};
    verdict->others[0] = (struct pe_explanation){
        .mistake =
            {{.slug = "base",
              .says = "not printed: the repair says more",
              .change = {{.parameter = "base", .found = "40889.9", .expected = "500000"}},
              .change_count = 1},
             {.slug = "window",
              .change = {{.parameter = "window", .found = "4"}},
              .change_count = 1}},
        .count = 2};
    verdict->other_count = 1;
    verdict->tested = 173;
    verdict->next_slug = "base";
    verdict->next_max_abs = 0.61;
    verdict->tensor[0] = wrong;
    check(&verdicts, verdict, false,
          "rope.npz: mistake: scaling\n"
          "  cos  f32 2x64  1 of 2 rows differ, first [1,29], worst 2 at [1,40]; only "
          "pairs 29:30, 40:64 (pair i is columns i)\n"
          "  the frequencies are not scaled\n"
          "    without it  max |Δ| 1.99      with it  max |Δ| 0.00023 (rounding)\n"
          "  repair: scaling: none -> llama3, factor: 1 -> 8\n"
          "  fix:    scale them\n"
          "  code:   inv_freq /= 8\n"
          "  page:   /docs/verify/parameter\n"
          "  or:     base: 40889.9 -> 500000, and window: 4 -> (left out)\n"
          "  right:  posencd compute rope model=llama-3.1-8b out=cos pos=0,1 -o "
          "right.safetensors\n"
          "(tested 173, next best: base, 0.61)\n");
    verdicts_fini(&verdicts);
}
END_TEST

START_TEST(rows_that_were_not_counted_are_told_as_elements)
{
    struct verdicts verdicts;

    verdicts_init(&verdicts, "encoding=rope&dim=128&pos=0:2", "cos[2,64]");
    verdicts.verdict->kind = PE_UNEXPLAINED;
    verdicts.verdict->tensor[0] = wrong;
    verdicts.verdict->tensor[0].kind = PE_UNEXPLAINED;
    verdicts.verdict->tensor[0].rows_differ = 0;
    struct buffer out = {0};
    verify_text_write(&out, "rope.npz", &verdicts.request, verdicts.verdict, false);
    ck_assert_ptr_nonnull(strstr(out.bytes, "  30 of 128 elements differ, first [1,29]"));
    buffer_fini(&out);
    verdicts_fini(&verdicts);
}
END_TEST

START_TEST(what_is_unexplained_says_so_without_a_repair)
{
    struct verdicts verdicts;

    verdicts_init(&verdicts, "encoding=anchor-distance&nodes=3&edges=0,1;1,2&anchors=0,-1;0,2",
                  "nearness[3,2]");
    verdicts.verdict->kind = PE_UNEXPLAINED;
    snprintf(verdicts.verdict->says, sizeof verdicts.verdict->says, "%s",
             "no known mistake explains the numbers");
    verdicts.verdict->budget_spent = true;
    verdicts.verdict->tested = 4096;
    check(&verdicts, verdicts.verdict, true,
          "rope.npz: \033[33munexplained\033[0m\n  nearness  f32 3x2  exact\n"
          "  no known mistake explains the numbers\n"
          "  right:  posencd compute anchor-distance 'anchors=0,-1;0,2' 'edges=0,1;1,2' "
          "nodes=3 -o right.safetensors\n(tested 4096, search ended early)\n");
    verdicts_fini(&verdicts);
}
END_TEST

START_TEST(a_set_without_a_claim_is_printed_with_what_was_found_or_why_nothing_was)
{
    struct verdicts verdicts;

    verdicts_init(&verdicts, "", "a[2,2]");
    snprintf(verdicts.request.unknown, sizeof verdicts.request.unknown, "%s",
             "no encoding has these numbers");
    check(&verdicts, NULL, false,
          "rope.npz: unexplained\n  a  f32 2x2\n  no encoding has these numbers\n");
    verdicts.request.args = verdicts_args("rope", "dim=4&out=cos&pos=0:2");
    verdicts.verdict->tensor[0].role = "cos";
    snprintf(verdicts.verdict->says, sizeof verdicts.verdict->says, "%s", "cos of rope");
    check(&verdicts, verdicts.verdict, false,
          "rope.npz: exact\n  a  f32 2x2  exact\n  cos of rope\n"
          "  found:  rope dim=4 out=cos pos=0,1\n");
    for (size_t i = 0; i < 3; i++)
        verdicts.request.named[i] = (const char *const[]){"a-7b", "b-7b", "c-7b"}[i];
    verdicts.request.named_count = 3;
    check(&verdicts, verdicts.verdict, false,
          "rope.npz: exact\n  a  f32 2x2  exact\n  cos of rope\n"
          "  found:  rope dim=4 out=cos pos=0,1\n  models: a-7b, b-7b and c-7b\n");
    verdicts.request.named_count = 21;
    check(&verdicts, verdicts.verdict, false,
          "rope.npz: exact\n  a  f32 2x2  exact\n  cos of rope\n"
          "  found:  rope dim=4 out=cos pos=0,1\n  models: a-7b, b-7b and 19 more\n");
    verdicts_fini(&verdicts);
}
END_TEST

SUITE(verify_text, TEST(what_is_right_takes_a_line_for_each_tensor_and_a_sentence),
      TEST(a_profile_is_named_in_the_first_line),
      TEST(a_mistake_says_what_it_is_how_far_it_is_off_and_what_repairs_it),
      TEST(rows_that_were_not_counted_are_told_as_elements),
      TEST(what_is_unexplained_says_so_without_a_repair),
      TEST(a_set_without_a_claim_is_printed_with_what_was_found_or_why_nothing_was));
