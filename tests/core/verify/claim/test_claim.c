/* SPDX-License-Identifier: Apache-2.0
 * test_claim.c - arguments of a claim with other values: what the claim has stays, what has no
 * effect beside a change is left out, and what would be missing is named. */
#include "core/verify/claim/claim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *request, *parameter, *value;
    const char *has[3];  /* parts of the canonical form */
    const char *missing; /* NULL: the arguments are not refused */
} changes[] = {
    {"rope?dim=8&base=500&pos=0:4&out=cos", "base", "7", {"base=7", "dim=8", "pos=0:4"}, NULL},
    {"rope?dim=8&base=500&pos=0:4&out=cos", "pos", "1:5", {"base=500", "pos=1:5"}, NULL},
    {"rope?dim=8&pos=0:4&out=cos", "scaling", "linear", {NULL}, "factor"},
    {"rope?dim=8&scaling=linear&factor=4&pos=0:4&out=cos",
     "scaling",
     "none",
     {"scaling=none", "pos=0:4"},
     NULL},
    {"rope?dim=8&scaling=linear&factor=4&pos=0:4&out=cos",
     "factor",
     "8",
     {"factor=8", "scaling=linear"},
     NULL},
};

START_TEST(a_value_is_changed_and_the_others_stay)
{
    struct verify_case made;
    struct claim claim;
    struct changes change = {.count = 1};
    const struct pe_param *missing;

    verify_case_of(&made, changes[_i].request);
    verify_case_claim(&made, changes[_i].request);
    ck_assert(claim_init(&claim, made.claim, made.tensor, made.count, made.role, NULL,
                         &verify_case_limits));
    change.at[0].param =
        pe_param_find(made.enc, changes[_i].parameter, strlen(changes[_i].parameter));
    snprintf(change.at[0].text, CHANGE_TEXT, "%s", changes[_i].value);
    struct pe_args *args =
        claim_args(&claim, claim.enc, &change, claim.outputs, CLAIM_NATURAL, &missing);
    ck_assert_str_eq(missing ? missing->name : "",
                     changes[_i].missing ? changes[_i].missing : "");
    ck_assert(!args == (changes[_i].missing != NULL));
    if (args) {
        char *canonical = core_query_canonical(args);

        for (size_t i = 0; i < 3 && changes[_i].has[i]; i++)
            ck_assert_msg(strstr(canonical, changes[_i].has[i]), "%s", canonical);
        free(canonical);
    }
    pe_args_free(args);
    claim_fini(&claim);
    verify_case_free(&made);
}
END_TEST

START_TEST(an_adopted_value_is_one_of_the_claim)
{
    struct verify_case made;
    struct claim claim;
    struct changes change = {.count = 1};

    verify_case_of(&made, "rope?dim=8&pos=0:4&out=cos");
    verify_case_claim(&made, "rope?dim=8&pos=0:4");
    ck_assert(claim_init(&claim, made.claim, made.tensor, made.count, made.role, NULL,
                         &verify_case_limits));
    ck_assert_str_eq(claim_text(&claim, "width"), "half");
    change.at[0].param = pe_param_find(made.enc, "width", 5);
    snprintf(change.at[0].text, CHANGE_TEXT, "full");
    ck_assert(claim_adopt(&claim, &change));
    ck_assert_str_eq(claim_text(&claim, "width"), "full");
    ck_assert_str_eq(claim_text(&claim, "dim"), "8");
    ck_assert(!claim_text(&claim, "colour"));
    claim_fini(&claim);
    verify_case_free(&made);
}
END_TEST

START_TEST(an_equal_hypothesis_is_planned_once)
{
    struct verify_case made;
    struct claim claim;
    struct changes change = {.count = 1};

    verify_case_of(&made, "rope?dim=8&pos=0:4&out=cos");
    verify_case_claim(&made, "rope?dim=8&pos=0:4");
    ck_assert(claim_init(&claim, made.claim, made.tensor, made.count, made.role, NULL,
                         &verify_case_limits));
    change.at[0].param = pe_param_find(made.enc, "base", 4);
    snprintf(change.at[0].text, CHANGE_TEXT, "500");
    const struct planned own = claim_planned(&claim, claim.enc, NULL, claim.outputs, PE_F64);
    const struct planned one = claim_planned(&claim, claim.enc, &change, claim.outputs, PE_F64);
    const struct planned again =
        claim_planned(&claim, claim.enc, &change, claim.outputs, PE_F64);
    const struct planned narrow =
        claim_planned(&claim, claim.enc, &change, claim.outputs, PE_F32);
    ck_assert_ptr_eq(one.plan, again.plan);
    ck_assert_ptr_ne(one.plan, own.plan);
    ck_assert_ptr_ne(one.plan, narrow.plan);
    const struct planned all[] = {own, one, again, narrow};
    for (size_t i = 0; i < PE_LEN(all); i++) {
        ck_assert_ptr_eq(pe_plan_args(all[i].plan), all[i].args);
        pe_plan_free(all[i].plan);
        pe_args_free(all[i].args);
    }
    claim_fini(&claim);
    verify_case_free(&made);
}
END_TEST

START_TEST(a_refusal_is_kept_with_what_is_missing)
{
    struct verify_case made;
    struct claim claim;
    struct changes change = {.count = 1};

    verify_case_of(&made, "rope?dim=8&pos=0:4&out=cos");
    verify_case_claim(&made, "rope?dim=8&pos=0:4");
    ck_assert(claim_init(&claim, made.claim, made.tensor, made.count, made.role, NULL,
                         &verify_case_limits));
    change.at[0].param = pe_param_find(made.enc, "scaling", 7);
    snprintf(change.at[0].text, CHANGE_TEXT, "linear");
    for (int i = 0; i < 2; i++) {
        const struct planned refused =
            claim_planned(&claim, claim.enc, &change, claim.outputs, PE_F64);

        ck_assert_ptr_null(refused.args);
        ck_assert_ptr_null(refused.plan);
        ck_assert_str_eq(refused.missing->name, "factor");
    }
    claim_fini(&claim);
    verify_case_free(&made);
}
END_TEST

SUITE(claim, TEST_EACH(a_value_is_changed_and_the_others_stay, changes),
      TEST(an_adopted_value_is_one_of_the_claim), TEST(an_equal_hypothesis_is_planned_once),
      TEST(a_refusal_is_kept_with_what_is_missing));
