/* SPDX-License-Identifier: Apache-2.0
 * test_place_drafts.c - cosines and sines, or one of them alone, say their positions. */
#include "core/verify/sight/place_drafts.h"

#include "tests/core/support/sight_case.h"
#include "tests/support/suite.h"

static struct pe_args *try_known(struct sight *sight, struct pe_verify_role *roles)
{
    const struct pe_verify_known known[] = {
        {.name = "a", .enc = pe_find("alibi", 5), .query = "heads=8"},
        {.name = "b", .enc = pe_find("rope", 4), .query = "dim=64"},
        {.name = "c", .enc = pe_find("rope", 4), .query = "dim=64"},
        {.name = "d",
         .enc = pe_find("rope", 4),
         .query = "dim=64&base=500000&scaling=llama3&factor=8"
                  "&original_max_position_embeddings=8192"},
    };

    return place_drafts_try(sight, known, PE_LEN(known), roles);
}

static const struct sight_case tables[] = {
    {"rope?dim=64&pos=37:101&out=cos", {"&base=10000&", "&pos=37:101"}},
    {"rope?dim=64&pos=37:101&out=sin", {"&base=10000&", "&pos=37:101"}},
    {"rope?dim=64&pos=5000:5100:2&out=cos", {"&pos=5000:5099:2"}},
    {"rope?dim=64&pos=90:26:-1&out=sin", {"&pos=90:26:-1"}},
    {"rope?dim=64&pos=9:73&out=cos&width=full", {"&pos=9:73", "&width=full"}},
    {"rope?dim=64&base=500000&scaling=llama3&factor=8&original_max_position_embeddings=8192"
     "&pos=3:67&out=cos",
     {"&scaling=llama3", "&pos=3:67"}},
    {"rope?dim=64&pos=0:1024:16&out=cos,sin", {"&base=10000&", "&pos=0:1009:16"}},
};

START_TEST(a_table_says_where_it_begins)
{
    sight_case_says(&tables[_i], try_known);
}
END_TEST

START_TEST(one_wrong_element_is_no_table)
{
    sight_case_spoilt(&tables[_i], try_known);
}
END_TEST

START_TEST(a_table_without_a_name_is_tried_as_cosines_and_as_sines)
{
    for (size_t sine = 0; sine < 2; sine++) {
        struct pe_verify_role roles[PE_VERIFY_TENSORS];
        struct verify_case made;
        struct sight sight;

        verify_case_of(&made, sine ? "rope?dim=64&pos=20000:20256&out=sin"
                                   : "rope?dim=64&pos=20000:20256&out=cos");
        made.tensor[0].name = "";
        ck_assert(sight_init(&sight, made.tensor, made.count, &verify_case_limits));
        struct pe_args *args = try_known(&sight, roles);

        ck_assert_ptr_nonnull(args);
        ck_assert_str_eq(roles[0].name, sine ? "sin" : "cos");
        pe_args_free(args);
        sight_fini(&sight);
        verify_case_free(&made);
    }
}
END_TEST

START_TEST(other_numbers_are_left_to_others)
{
    static const char *const others[] = {
        "rope?dim=64&base=777&pos=3:67&out=cos", /* no known claim has that base */
        "rope?dim=64&pos=5,9,2,40&out=cos",      /* rows do not follow each other */
        "alibi?heads=8&len=16&out=bias",
        "causal-mask?len=8",
    };

    sight_case_nothing(others[_i], try_known);
}
END_TEST

SUITE(place_drafts, TEST_EACH(a_table_says_where_it_begins, tables),
      TEST_EACH(one_wrong_element_is_no_table, tables),
      TEST(a_table_without_a_name_is_tried_as_cosines_and_as_sines),
      TEST_RANGE(other_numbers_are_left_to_others, 0, 4));
