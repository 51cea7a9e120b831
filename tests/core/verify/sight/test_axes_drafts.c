/* SPDX-License-Identifier: Apache-2.0
 * test_axes_drafts.c - rotary tables of pictures, videos and text with pictures say their grid,
 * their sections or the ladders of their axes. */
#include "core/verify/sight/axes_drafts.h"

#include "tests/core/support/sight_case.h"
#include "tests/support/suite.h"

#define IDS "ids=0,0,0;1,1,1;2,2,2;2,2,3;2,2,4;2,3,2;2,3,3;2,3,4;5,5,5;6,6,6"

static const struct sight_case tables[] = {
    {"rope2d-axial?grid=4x6&dim=64&out=cos,sin", {"rope2d-axial&", "&grid=4x6"}},
    {"rope2d-axial?grid=4x6&dim=64&prefix_tokens=1&out=cos,sin", {"&prefix_tokens=1"}},
    {"rope2d-moonvit?grid=4x6&dim=64&out=cos,sin", {"rope2d-moonvit&", "&grid=4x6"}},
    {"rope2d-qwen-vit?grid_thw=1,4,6&dim=80&out=cos,sin",
     {"rope2d-qwen-vit&", "&grid_thw=1,4,6"}},
    {"rope2d-qwen-vit?grid_thw=1,4,6&dim=80&out=cos,sin&dtype=bf16", {"rope2d-qwen-vit&"}},
    {"rope-axes?axes_dim=16,56,56&grid_sizes=1,4,6&out=cos,sin",
     {"rope-axes&", "&axes_dim=16,56,56", "&grid_sizes=1,4,6"}},
    {"rope-axes?axes_dim=44,42,42&base=5000&grid_sizes=2,3,4&width=full&out=cos,sin",
     {"&axes_dim=44,42,42", "&base=5000&", "&grid_sizes=2,3,4", "&width=full"}},
    {"rope-axes?axes_dim=16,16&ids=0,5;2,6;4,7;6,9&out=cos,sin", {"0,5;2,6;4,7;6,9"}},
    {"mrope?dim=128&base=1000000&mrope_section=16,24,24&" IDS "&out=cos,sin",
     {"mrope&", "&base=1000000&", "16,24,24", "2,3,4;5,5,5"}},
    {"mrope?dim=128&base=5000000&mrope_section=24,20,20&section_layout=interleaved&" IDS
     "&out=cos,sin",
     {"mrope&", "&base=5000000&", "&section_layout=interleaved"}},
    {"rope?dim=64&pos=9:-1:-1&out=cos,sin", {"rope&", "&pos=9:-1:-1"}},
    {"rope?dim=64&pos=0,1,2,0,1,2,3&out=cos,sin", {"rope&", "&pos=0:3,0:4"}},
};

START_TEST(tables_say_how_their_axes_run)
{
    sight_case_says(&tables[_i], axes_drafts_try);
}
END_TEST

START_TEST(one_wrong_element_is_no_table_of_axes)
{
    sight_case_spoilt(&tables[_i], axes_drafts_try);
}
END_TEST

START_TEST(angles_of_no_whole_coordinates_are_left_to_others)
{
    static const char *const others[] = {
        "rope2d-dinov3?grid=5x7&dim=64&out=cos,sin",
        "sinusoidal?dim=16&pos=0:12&out=rows",
        "rope?dim=8&pos=0:1&out=cos,sin",
    };

    sight_case_nothing(others[_i], axes_drafts_try);
}
END_TEST

SUITE(axes_drafts, TEST_EACH(tables_say_how_their_axes_run, tables),
      TEST_EACH(one_wrong_element_is_no_table_of_axes, tables),
      TEST_RANGE(angles_of_no_whole_coordinates_are_left_to_others, 0, 3));
