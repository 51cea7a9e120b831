/* SPDX-License-Identifier: Apache-2.0
 * test_verify_answer.c - tests the whole JSON of one verdict of each kind. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/verify/verify_answer.h"
#include "tests/proto/support/verdicts.h"
#include "tests/support/suite.h"

#define CLAIM "encoding=rope&dim=4&base=500&pos=5,7"
#define PARAMS                                                                                 \
    "\"params\":{\"base\":500,\"dim\":4,\"dtype\":\"f32\",\"out\":\"cos,sin\","                \
    "\"pairing\":\"half\",\"pos\":\"5,7\",\"profile\":\"exact\",\"rotary_dim\":4,"             \
    "\"scaling\":\"none\",\"width\":\"half\"}"
#define CLAIMED "\"claim\":{\"encoding\":\"rope\"," PARAMS "},"
#define URL "\"url\":\"/v1/rope?base=500&dim=4&pos=5,7\","
#define EXACT_SIN EXACT("sin")
#define EXACT(NAME)                                                                            \
    "{\"name\":\"" NAME "\",\"role\":\"" NAME "\",\"dtype\":\"f32\",\"shape\":[2,2],"          \
    "\"verdict\":\"exact\",\"fits\":null,\"differs\":0,\"of\":4,\"max_abs\":0,"                \
    "\"max_rel\":0,\"max_ulp\":0,\"rows\":[],\"columns\":[]}"

/* Checks the text of the verdict, which is JSON on one line. */
static void check(const struct verdicts *verdicts, bool identified, const char *expected)
{
    struct buffer out = {0};
    json_error_t error;

    verify_answer_write(&out, &verdicts->request, identified ? verdicts->verdict : NULL);
    ck_assert(!out.failed);
    ck_assert_str_eq(out.bytes, expected);
    json_t *json = json_loads(out.bytes, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(json, "%s", error.text);
    json_decref(json);
    buffer_fini(&out);
}

START_TEST(an_exact_verdict_has_the_claim_its_url_and_its_tensors)
{
    struct verdicts verdicts;

    verdicts_init(&verdicts, CLAIM, "cos[2,2],sin[2,2]");
    snprintf(verdicts.verdict->says, sizeof verdicts.verdict->says, "%s",
             "every element is exact");
    snprintf(verdicts.verdict->tensor[0].fits, sizeof verdicts.verdict->tensor[0].fits, "%s",
             "leading axes of 1");
    verdicts.verdict->tested = 1;
    check(&verdicts, true,
          "{\"verdict\":\"exact\",\"says\":\"every element is exact\"," CLAIMED
          "\"profile\":null,\"mistakes\":[],\"alternatives\":[]," URL
          "\"found_url\":null,\"tensors\":[{\"name\":\"cos\",\"role\":\"cos\",\"dtype\":"
          "\"f32\",\"shape\":[2,2],\"verdict\":\"exact\",\"fits\":\"leading axes of 1\","
          "\"differs\":0,\"of\":4,\"max_abs\":0,\"max_rel\":0,\"max_ulp\":0,\"rows\":[],"
          "\"columns\":[]}," EXACT_SIN "],\"findings\":[],\"tested\":1,"
          "\"next_best\":null,\"budget\":null}\n");
    verdicts_fini(&verdicts);
}
END_TEST

START_TEST(a_tensor_that_is_left_out_is_warned_of)
{
    struct verdicts verdicts;

    verdicts_init(&verdicts, CLAIM, "cos[2,2],sin[2,2],coz[2,3,4,5]");
    check(&verdicts, true,
          "{\"verdict\":\"exact\",\"says\":\"\"," CLAIMED
          "\"profile\":null,\"warnings\":[\"coz is not judged: its name is no output's\"],"
          "\"mistakes\":[],\"alternatives\":[]," URL
          "\"found_url\":null,\"tensors\":[" EXACT("cos") "," EXACT(
              "sin") ",{\"name\":\"coz\",\"role\":null,"
                     "\"dtype\":\"f32\",\"shape\":[2,3,4,5],\"verdict\":null}],"
                     "\"findings\":[],\"tested\":0,"
                     "\"next_best\":null,\"budget\":null}\n");
    verdicts_fini(&verdicts);
}
END_TEST

START_TEST(a_profile_has_its_share_of_equal_elements_and_what_it_costs)
{
    struct verdicts verdicts;
    struct pe_verdict *verdict;

    verdicts_init(&verdicts, CLAIM, "cos[2,2],sin[2,2]");
    verdict = verdicts.verdict;
    verdict->kind = PE_PROFILE;
    snprintf(verdict->says, sizeof verdict->says, "%s", "right; rounds like profile=f32-pow");
    snprintf(verdict->profile, sizeof verdict->profile, "%s", "f32-pow");
    snprintf(verdict->warning, sizeof verdict->warning, "%s",
             "angles in float32: 0.07 at 1000000");
    verdict->agree = 0.75;
    verdict->tensor[0] = (struct pe_tensor_verdict){.kind = PE_PROFILE,
                                                    .role = "cos",
                                                    .differs = 1,
                                                    .of = 4,
                                                    .max_abs = 0x1p-24,
                                                    .max_rel = 0x1p-23,
                                                    .max_ulp = 1,
                                                    .finite = true,
                                                    .rank = 2,
                                                    .first = {1, 0},
                                                    .max_abs_at = {1, 0}};
    check(&verdicts, true,
          "{\"verdict\":\"profile\",\"says\":\"right; rounds like profile=f32-pow\"," CLAIMED
          "\"profile\":\"f32-pow\",\"agree\":0.75,\"warnings\":[\"angles in float32: 0.07 at "
          "1000000\"],\"mistakes\":[],\"alternatives\":[]," URL
          "\"found_url\":null,\"tensors\":[{\"name\":\"cos\",\"role\":\"cos\",\"dtype\":"
          "\"f32\",\"shape\":[2,2],\"verdict\":\"profile\",\"fits\":null,\"differs\":1,"
          "\"of\":4,\"max_abs\":5.960464477539063e-8,\"max_abs_at\":[1,0],"
          "\"max_rel\":1.1920928955078125e-7,\"max_ulp\":1,\"first\":[1,0],\"rows\":[],"
          "\"columns\":[]}," EXACT_SIN "],\"findings\":[],\"tested\":0,"
          "\"next_best\":null,\"budget\":null}\n");
    verdicts_fini(&verdicts);
}
END_TEST

/* A mistake of the base, and of the pairing, which has no numbers. */
static const struct pe_mistake
    base = {.slug = "base",
            .says = "the frequencies are those of base 10000",
            .fix = "set base to 500",
            .code = "inv_freq = 500 ** x",
            .change = {{.parameter = "base",
                        .found = "10000",
                        .expected = "500",
                        .numeric = true,
                        .ranged = true,
                        .low = 9999.5,
                        .high = 1e21}},
            .change_count = 1,
            .evidence = {1e-7, 0.5, 1.25, 2}},
    pairing = {.slug = "sign",
               .says = "pairs are \"adjacent\"",
               .change = {{.parameter = "pairing", .found = "adjacent", .expected = "half"},
                          {.parameter = "pos", .found = "1:3", .expected = "5,7"}},
               .change_count = 2,
               .evidence = {0, 0, 1, 2}};

/* The verdict of a tensor whose rows and pairs are wrong. */
static void make_wrong(struct pe_tensor_verdict *tensor)
{
    *tensor = (struct pe_tensor_verdict){.kind = PE_MISTAKE,
                                         .role = "cos",
                                         .differs = 2,
                                         .of = 4,
                                         .max_abs = 1.25,
                                         .max_rel = INFINITY,
                                         .max_ulp = INFINITY,
                                         .finite = true,
                                         .rank = 2,
                                         .first = {0, 1},
                                         .max_abs_at = {1, 1},
                                         .rows = {{0, 0.5}, {1, 1.25}},
                                         .row_count = 2,
                                         .pairs = {{1, 1.25}},
                                         .pair_count = 1,
                                         .has_pairs = true,
                                         .pair_columns = "i"};
    tensor->wrong_rows = (struct pe_verify_where){.range = {{0, 1}},
                                                  .range_count = 1,
                                                  .more = 2,
                                                  .step = 1,
                                                  .most = {0.5, 1.2543}};
    tensor->wrong_rows.bin_count = 2;
    tensor->wrong_columns = (struct pe_verify_where){.range = {{1, 2}},
                                                     .range_count = 1,
                                                     .step = 3,
                                                     .most = {INFINITY},
                                                     .bin_count = 1};
}

START_TEST(a_mistake_has_its_repair_its_evidence_and_what_explains_it_as_well)
{
    struct verdicts verdicts;
    struct pe_verdict *verdict;

    verdicts_init(&verdicts, CLAIM, "cos[2,2],sin[2,2]");
    verdict = verdicts.verdict;
    verdict->kind = PE_MISTAKE;
    snprintf(verdict->says, sizeof verdict->says, "%s", "cos is that of base 10000");
    verdict->explanation =
        (struct pe_explanation){.mistake = {base},
                                .count = 1,
                                .found = verdicts_args("rope", "dim=4&pos=5,7")};
    verdict->others[0] = (struct pe_explanation){.mistake = {pairing}, .count = 1};
    verdict->other_count = 1;
    verdict->tested = 173;
    verdict->finding[0] = (struct pe_verify_finding){.axis = "rows",
                                                     .from = 20,
                                                     .to = 32,
                                                     .is = "positions 21:33"};
    verdict->finding_count = 1;
    verdict->next_slug = "scaling";
    verdict->next_max_abs = 0.5;
    make_wrong(&verdict->tensor[0]);
    check(&verdicts, true,
          "{\"verdict\":\"mistake\",\"says\":\"cos is that of base 10000\"," CLAIMED
          "\"profile\":null,\"mistakes\":[{\"mistake\":\"base\",\"says\":\"the frequencies "
          "are those of base 10000\",\"repair\":[{\"parameter\":\"base\",\"found\":10000,"
          "\"found_range\":[9999.5,1e21],\"expected\":500}],\"fix\":\"set base to 500\","
          "\"code\":\"inv_freq = 500 ** x\",\"page\":\"/docs/verify/parameter\","
          "\"evidence\":{\"max_abs\":1e-7,"
          "\"within\":0.5,\"rows\":2,\"without\":1.25}}],\"alternatives\":[[{\"mistake\":"
          "\"sign\",\"says\":\"pairs are \\\"adjacent\\\"\",\"repair\":[{\"parameter\":"
          "\"pairing\",\"found\":\"adjacent\",\"expected\":\"half\"},{\"parameter\":\"pos\","
          "\"found\":\"1:3\",\"expected\":\"5,7\"}],\"fix\":null,\"code\":null,"
          "\"page\":\"/docs/verify/sign\",\"evidence\":{\"max_abs\":0,\"within\":0,"
          "\"rows\":2,\"without\":1}}]]," URL
          "\"found_url\":\"/v1/rope?dim=4&pos=5,7\",\"tensors\":[{\"name\":\"cos\",\"role\":"
          "\"cos\",\"dtype\":\"f32\",\"shape\":[2,2],\"verdict\":\"mistake\",\"fits\":null,"
          "\"differs\":2,\"of\":4,\"max_abs\":1.25,\"max_abs_at\":[1,1],\"max_rel\":"
          "\"Infinity\",\"max_ulp\":\"Infinity\",\"first\":[0,1],\"rows\":[[0,0.5],[1,1.25]],"
          "\"pairs\":[[1,1.25]],\"where\":{\"rows\":[[0,1]],\"more_rows\":2,\"pairs\":"
          "[[1,2]],\"more_pairs\":0,\"columns_of_pair\":\"i\",\"by_row\":{\"step\":1,"
          "\"max_abs\":[0.5,1.25]},\"by_pair\":{\"step\":3,\"max_abs\":[\"Infinity\"]}}"
          "}," EXACT_SIN
          "],\"findings\":[{\"axis\":\"rows\",\"from\":20,\"to\":32,\"right\":false,"
          "\"is\":\"positions 21:33\"}],\"tested\":173,"
          "\"next_best\":{\"mistake\":\"scaling\",\"max_abs\":0.5},"
          "\"budget\":null}\n");
    verdicts_fini(&verdicts);
}
END_TEST

START_TEST(no_number_of_an_answer_is_nan)
{
    struct verdicts verdicts;
    struct buffer out = {0};

    verdicts_init(&verdicts, CLAIM, "cos[2,2]");
    verdicts.verdict->kind = PE_UNEXPLAINED;
    verdicts.verdict->operations = 7;
    verdicts.verdict->most = 6;
    verdicts.verdict->budget_spent = true;
    verdicts.verdict->tensor[0].max_abs = NAN;
    verdicts.verdict->tensor[0].finite = false;
    verify_answer_write(&out, &verdicts.request, verdicts.verdict);
    ck_assert(!out.failed);
    ck_assert_ptr_nonnull(strstr(out.bytes, "\"max_abs\":\"Infinity\""));
    ck_assert_ptr_nonnull(strstr(out.bytes, "\"nonfinite\":true,\"nonfinite_at\":["));
    ck_assert_ptr_nonnull(
        strstr(out.bytes, ",\"budget\":{\"operations\":7,\"most\":6,\"spent\":true}}\n"));
    buffer_fini(&out);
    verdicts_fini(&verdicts);
}
END_TEST

START_TEST(numbers_that_are_close_have_their_digits_and_whether_the_tolerance_holds)
{
    struct verdicts verdicts;
    struct buffer out = {0};

    verdicts_init(&verdicts, CLAIM, "cos[2,2]");
    verdicts.verdict->kind = PE_CLOSE;
    verdicts.verdict->digits = 4;
    verify_answer_write(&out, &verdicts.request, verdicts.verdict);
    ck_assert_ptr_nonnull(strstr(out.bytes, "\"profile\":null,\"digits\":4,\"mistakes\":[]"));
    buffer_fini(&out);
    verdicts.request.words.has_tolerance = true;
    verdicts.verdict->holds = true;
    verify_answer_write(&out, &verdicts.request, verdicts.verdict);
    ck_assert_ptr_nonnull(strstr(out.bytes, "\"digits\":4,\"tolerance_holds\":true,"));
    buffer_fini(&out);
    verdicts_fini(&verdicts);
}
END_TEST

START_TEST(tensors_that_nothing_explains_have_neither_claim_nor_verdict)
{
    struct verdicts verdicts;

    verdicts_init(&verdicts, "", "a[2,2]");
    verdicts.set.at[0].type = "c64";
    verdicts.set.at[0].complex = true;
    snprintf(verdicts.request.unknown, sizeof verdicts.request.unknown, "%s",
             "no encoding has these numbers");
    check(&verdicts, false,
          "{\"verdict\":\"unexplained\",\"says\":\"no encoding has these numbers\","
          "\"claim\":null,\"identified\":null,\"profile\":null,\"mistakes\":[],"
          "\"alternatives\":[],\"url\":null,\"found_url\":null,\"tensors\":[{\"name\":\"a\","
          "\"role\":null,\"dtype\":\"c64\",\"shape\":[2],\"verdict\":null}],"
          "\"findings\":[],\"tested\":0,"
          "\"next_best\":null,\"budget\":null}\n");
    verdicts_fini(&verdicts);
}
END_TEST

START_TEST(a_claim_about_vectors_has_no_url_and_a_tensor_that_is_not_judged)
{
    struct verdicts verdicts;
    struct buffer out = {0};

    verdicts_init(&verdicts, "model=llama-3-8b&pos=0:2", "x[2,128],y[2,128]");
    verify_answer_write(&out, &verdicts.request, verdicts.verdict);
    ck_assert(!out.failed);
    ck_assert_ptr_nonnull(strstr(out.bytes, "\"claim\":{\"encoding\":\"rope/apply\","
                                            "\"model\":\"llama-3-8b\",\"params\":{"));
    ck_assert_ptr_nonnull(strstr(out.bytes, "\"url\":null,\"found_url\":null,"));
    ck_assert_ptr_nonnull(strstr(out.bytes, "{\"name\":\"x\",\"role\":\"x\",\"dtype\":\"f32\","
                                            "\"shape\":[2,128],\"verdict\":null}"));
    buffer_fini(&out);
    verdicts_fini(&verdicts);
}
END_TEST

SUITE(verify_answer, TEST(an_exact_verdict_has_the_claim_its_url_and_its_tensors),
      TEST(a_tensor_that_is_left_out_is_warned_of),
      TEST(a_profile_has_its_share_of_equal_elements_and_what_it_costs),
      TEST(a_mistake_has_its_repair_its_evidence_and_what_explains_it_as_well),
      TEST(no_number_of_an_answer_is_nan),
      TEST(numbers_that_are_close_have_their_digits_and_whether_the_tolerance_holds),
      TEST(tensors_that_nothing_explains_have_neither_claim_nor_verdict),
      TEST(a_claim_about_vectors_has_no_url_and_a_tensor_that_is_not_judged));
