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

/* A claim about tensors that are right, and one changed value. */
struct changed {
    struct verify_case made;
    struct claim claim;
    struct changes change;
};

static void changed_init(struct changed *changed, const char *request, const char *claim,
                         const char *parameter, const char *value)
{
    verify_case_of(&changed->made, request);
    verify_case_claim(&changed->made, claim);
    ck_assert(claim_init(&changed->claim, changed->made.claim, changed->made.tensor,
                         changed->made.count, changed->made.role, NULL, &verify_case_limits));
    changed->change = (struct changes){.count = 1};
    changed->change.at[0].param =
        pe_param_find(changed->made.enc, parameter, strlen(parameter));
    snprintf(changed->change.at[0].text, CHANGE_TEXT, "%s", value);
}

static void changed_fini(struct changed *changed)
{
    claim_fini(&changed->claim);
    verify_case_free(&changed->made);
}

static struct planned planned_of(struct changed *changed, bool own, enum pe_dtype dtype)
{
    return claim_planned(&changed->claim, changed->claim.enc, own ? NULL : &changed->change,
                         changed->claim.outputs, (int)dtype);
}

#define REQUEST "rope?dim=8&pos=0:4&out=cos"
#define CLAIM "rope?dim=8&pos=0:4"

START_TEST(a_value_is_changed_and_the_others_stay)
{
    struct changed changed;
    const struct pe_param *missing;

    changed_init(&changed, changes[_i].request, changes[_i].request, changes[_i].parameter,
                 changes[_i].value);
    struct pe_args *args = claim_args(&changed.claim, changed.claim.enc, &changed.change,
                                      changed.claim.outputs, CLAIM_NATURAL, &missing);
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
    changed_fini(&changed);
}
END_TEST

START_TEST(an_adopted_value_is_one_of_the_claim)
{
    struct changed changed;

    changed_init(&changed, REQUEST, CLAIM, "width", "full");
    ck_assert_str_eq(claim_text(&changed.claim, "width"), "half");
    ck_assert(claim_adopt(&changed.claim, &changed.change));
    ck_assert_str_eq(claim_text(&changed.claim, "width"), "full");
    ck_assert_str_eq(claim_text(&changed.claim, "dim"), "8");
    ck_assert(!claim_text(&changed.claim, "colour"));
    changed_fini(&changed);
}
END_TEST

START_TEST(an_equal_hypothesis_is_planned_once)
{
    struct changed changed;

    changed_init(&changed, REQUEST, CLAIM, "base", "500");
    const struct planned own = planned_of(&changed, true, PE_F64);
    const struct planned one = planned_of(&changed, false, PE_F64);
    const struct planned again = planned_of(&changed, false, PE_F64);
    const struct planned narrow = planned_of(&changed, false, PE_F32);
    ck_assert_ptr_eq(one.plan, again.plan);
    ck_assert_ptr_ne(one.plan, own.plan);
    ck_assert_ptr_ne(one.plan, narrow.plan);
    const struct planned all[] = {own, one, again, narrow};
    for (size_t i = 0; i < PE_LEN(all); i++) {
        ck_assert_ptr_eq(pe_plan_args(all[i].plan), all[i].args);
        pe_plan_free(all[i].plan);
        pe_args_free(all[i].args);
    }
    changed_fini(&changed);
}
END_TEST

START_TEST(a_refusal_is_kept_with_what_is_missing)
{
    struct changed changed;

    changed_init(&changed, REQUEST, CLAIM, "scaling", "linear");
    for (int i = 0; i < 2; i++) {
        const struct planned refused = planned_of(&changed, false, PE_F64);

        ck_assert_ptr_null(refused.args);
        ck_assert_ptr_null(refused.plan);
        ck_assert_str_eq(refused.missing->name, "factor");
    }
    changed_fini(&changed);
}
END_TEST

SUITE(claim, TEST_EACH(a_value_is_changed_and_the_others_stay, changes),
      TEST(an_adopted_value_is_one_of_the_claim), TEST(an_equal_hypothesis_is_planned_once),
      TEST(a_refusal_is_kept_with_what_is_missing));
