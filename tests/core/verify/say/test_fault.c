/* SPDX-License-Identifier: Apache-2.0
 * test_fault.c - every mistake has a sentence about the fault and one about its repair, with
 * the values that are told. */
#include <stdio.h>
#include <string.h>

#include "core/encoding.h"
#include "core/verify/say/fault.h"
#include "tests/support/suite.h"

static const struct fault_values told = {"96", "24", NULL}, nothing = {NULL, "", NULL};

START_TEST(both_values_stand_in_the_sentences)
{
    struct pe_mistake mistake = {.slug = "exponent-dim"};

    fault_write(&mistake, &told, "exponents are divided by another width");
    ck_assert_str_eq(mistake.says, "the exponents are divided by 96 where 24 is right");
    ck_assert_str_eq(mistake.fix, "divide the exponents by 24 in place of 96");
    ck_assert_str_eq(mistake.code, "inv_freq = base ** (-np.arange(0, rotary_dim, 2) / 24)");
}
END_TEST

START_TEST(a_negative_shift_is_repaired_by_adding)
{
    static const struct fault_values shifts[] = {{"1", "0", NULL}, {"-1", "0", NULL}};
    struct pe_mistake more = {.slug = "position-offset"}, less = more;

    fault_write(&more, &shifts[0], "positions are shifted");
    ck_assert_str_eq(more.fix, "subtract 1 from every position");
    fault_write(&less, &shifts[1], "positions are shifted");
    ck_assert_str_eq(less.says, "every position is shifted by -1 where 0 is right");
    ck_assert_str_eq(less.fix, "add 1 to every position");
    ck_assert_str_eq(less.code, "pos = pos + 1");
}
END_TEST

START_TEST(a_value_that_is_not_told_leaves_the_summary)
{
    struct pe_mistake mistake = {.slug = "exponent-dim"};

    fault_write(&mistake, &nothing, "exponents are divided by another width");
    ck_assert_str_eq(mistake.says, "exponents are divided by another width");
    ck_assert_str_eq(mistake.fix, "");
    ck_assert_str_eq(mistake.code, "");
}
END_TEST

/* Says another value of a parameter of an encoding. */
static void say(struct pe_mistake *mistake, const char *encoding, const char *name,
                const char *found, const char *expected)
{
    const struct pe_param *param =
        pe_param_find(pe_find(encoding, strlen(encoding)), name, strlen(name));

    ck_assert_ptr_nonnull(param);
    *mistake = (struct pe_mistake){.slug = name, .change_count = 1};
    mistake->change[0].parameter = name;
    snprintf(mistake->change[0].found, PE_VERIFY_TEXT, "%s", found);
    snprintf(mistake->change[0].expected, PE_VERIFY_TEXT, "%s", expected);
    fault_write(mistake, &(struct fault_values){found, expected, param}, NULL);
}

START_TEST(a_parameter_without_a_row_is_said_by_what_its_schema_says)
{
    struct pe_mistake mistake;

    say(&mistake, "timestep-embedding", "scale", "1", "1000");
    ck_assert_str_eq(mistake.says, "scale (factor on the times) is 1 where 1000 is right");
    ck_assert_str_eq(mistake.fix, "use scale=1000 in place of scale=1");
    say(&mistake, "sincos2d-mae", "order", "hw", "wh");
    ck_assert_str_eq(mistake.says,
                     "order is hw (the row in the first half: V-JEPA) where wh (the column in "
                     "the first half: MAE, DiT, diffusers) is right");
}
END_TEST

START_TEST(a_long_meaning_is_cut_behind_a_word)
{
    struct pe_mistake mistake;

    say(&mistake, "alibi", "non_pow2", "geometric", "paper");
    ck_assert_ptr_nonnull(strstr(mistake.says, "twice as many heads...) is right"));
}
END_TEST

START_TEST(a_parameter_without_a_value_is_said_so)
{
    struct pe_mistake mistake;

    say(&mistake, "sliding-window-mask", "window", "4", "");
    ck_assert_ptr_nonnull(strstr(mistake.says, " is 4 where none is right"));
    ck_assert_str_eq(mistake.fix, "use no window in place of window=4");
}
END_TEST

START_TEST(a_right_value_may_have_a_row_of_its_own)
{
    struct pe_mistake mistake = {.slug = "pairing"};

    fault_write(&mistake, &(struct fault_values){"half", "adjacent", NULL}, NULL);
    ck_assert_str_eq(mistake.code, "a, b = q[..., 0:rotary_dim:2], q[..., 1:rotary_dim:2]");
    fault_write(&mistake, &(struct fault_values){"adjacent", "half", NULL}, NULL);
    ck_assert_str_eq(mistake.says, "columns 2i and 2i + 1 turn together (pairing=adjacent) "
                                   "where i and i + rotary_dim / 2 are right");
}
END_TEST

START_TEST(a_long_value_is_cut)
{
    struct pe_mistake mistake = {.slug = "pos"};
    char list[600];

    memset(list, '7', sizeof list - 1);
    list[sizeof list - 1] = '\0';
    fault_write(&mistake, &(struct fault_values){list, list, NULL}, NULL);
    ck_assert_uint_lt(strlen(mistake.says), 250);
    ck_assert_ptr_nonnull(strstr(mistake.says, " is right"));
}
END_TEST

/* Returns whether an encoding has a parameter of this name, or there is a mistake of it. */
static bool is_slug(const char *row)
{
    char slug[64];

    snprintf(slug, sizeof slug, "%.*s", (int)strcspn(row, "=<"), row);
    for (size_t i = 0; i < pe_mistake_count(); i++)
        if (strcmp(pe_mistake_at(i)->slug, slug) == 0)
            return true;
    for (size_t i = 0; i < pe_count(); i++)
        for (size_t j = 0; j < pe_at(i)->param_count; j++)
            if (strcmp(pe_at(i)->params[j].name, slug) == 0)
                return true;
    return false;
}

START_TEST(every_row_is_of_a_mistake_or_a_parameter_and_says_what_repairs_it)
{
#define FAULT(SLUG, SAYS, FIX, CODE) {SLUG, SAYS, FIX, CODE},
    static const char *const rows[][4] = {
#include "core/verify/say/faults.def"
    };
#undef FAULT

    for (size_t i = 0; i < PE_LEN(rows); i++) {
        ck_assert_msg(is_slug(rows[i][0]), "%s is no mistake", rows[i][0]);
        ck_assert_msg(rows[i][2][0] != '\0', "%s has no repair", rows[i][0]);
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(rows[i][0], rows[j][0]);
    }
}
END_TEST

START_TEST(every_mistake_of_the_table_has_a_row)
{
    for (size_t i = 0; i < pe_mistake_count(); i++) {
        struct pe_mistake mistake = {.slug = pe_mistake_at(i)->slug};

        fault_write(&mistake, &told, pe_mistake_at(i)->summary);
        ck_assert_msg(mistake.fix[0] != '\0', "%s has no row in faults.def", mistake.slug);
        ck_assert_ptr_null(strchr(mistake.says, '{'));
        ck_assert_ptr_null(strchr(mistake.fix, '{'));
        ck_assert_ptr_null(strchr(mistake.code, '{'));
    }
}
END_TEST

SUITE(fault, TEST(both_values_stand_in_the_sentences),
      TEST(a_negative_shift_is_repaired_by_adding),
      TEST(a_value_that_is_not_told_leaves_the_summary),
      TEST(a_parameter_without_a_row_is_said_by_what_its_schema_says),
      TEST(a_long_meaning_is_cut_behind_a_word), TEST(a_parameter_without_a_value_is_said_so),
      TEST(a_right_value_may_have_a_row_of_its_own), TEST(a_long_value_is_cut),
      TEST(every_row_is_of_a_mistake_or_a_parameter_and_says_what_repairs_it),
      TEST(every_mistake_of_the_table_has_a_row));
