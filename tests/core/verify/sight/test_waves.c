/* SPDX-License-Identifier: Apache-2.0
 * test_waves.c - rotary tables without a claim say their base, their scaling, the position of
 * their first row and how wide they are. */
#include "core/verify/sight/waves.h"

#include "tests/core/support/sight_case.h"
#include "tests/support/suite.h"

static struct pe_args *try_any(struct sight *sight, struct pe_verify_role *roles)
{
    return waves_try(sight, &(struct waves_bases){.written = false}, roles);
}

static const struct sight_case tables[] = {
    {"rope?dim=128&base=123456&pos=0:64&out=cos,sin", {"&base=123456&", "&pos=0:64"}},
    {"rope?dim=64&base=500000&pos=1000:1040&out=cos,sin", {"&base=500000&", "&pos=1000:1040"}},
    {"rope?dim=32&pos=0:9&width=full&out=cos,sin",
     {"&dim=32&", "&width=full", "&pairing=half"}},
    {"rope?dim=32&pos=0:9&width=full&pairing=adjacent&out=cos,sin",
     {"&dim=32&", "&width=full", "&pairing=adjacent"}},
    {"rope?dim=64&scaling=linear&factor=4&pos=0:64&out=cos,sin",
     {"&scaling=linear", "&factor=4&"}},
    {"rope?dim=128&base=500000&scaling=llama3&factor=8&original_max_position_embeddings=8192"
     "&pos=0:64&out=cos,sin",
     {"&scaling=llama3", "&factor=8&", "=8192", "&base=500000&"}},
    {"rope?dim=128&base=1000000&scaling=yarn&factor=4&original_max_position_embeddings=32768"
     "&pos=0:64&out=cos,sin",
     {"&scaling=yarn", "&factor=4&", "=32768", "&base=1000000&"}},
    {"rope?dim=128&base=10000&pos=0:64&out=cos,sin&dtype=bf16", {"&dim=128&", "&pos=0:64"}},
    {"rope?dim=128&base=1000000&pos=0:64&out=cos,sin&dtype=f16", {"&base=1000000&"}},
};

START_TEST(tables_say_what_they_were_made_with)
{
    sight_case_says(&tables[_i], try_any);
}
END_TEST

START_TEST(one_wrong_element_is_no_table)
{
    sight_case_spoilt(&tables[_i], try_any);
}
END_TEST

START_TEST(tables_of_other_functions_are_left_to_others)
{
    static const char *const others[] = {
        "rope2d-axial?grid=4x6&dim=64&out=cos,sin", /* turns along two axes */
        "rope?dim=8&pos=0:1&out=cos,sin",           /* one row has no step */
        "rope?dim=8&pos=5,9,2,40&out=cos,sin",      /* rows do not follow each other */
        "sinusoidal?dim=16&pos=0:12&out=rows",      /* no cosines and sines by name */
    };

    sight_case_nothing(others[_i], try_any);
}
END_TEST

SUITE(waves, TEST_EACH(tables_say_what_they_were_made_with, tables),
      TEST_EACH(one_wrong_element_is_no_table, tables),
      TEST_RANGE(tables_of_other_functions_are_left_to_others, 0, 4));
