/* SPDX-License-Identifier: Apache-2.0
 * test_line_drafts.c - rows of sines and cosines without a claim say their positions, in any
 * order, the order of their columns and how their frequencies are spaced. */
#include "core/verify/sight/line_drafts.h"

#include "tests/core/support/sight_case.h"
#include "tests/support/suite.h"

static const struct sight_case rows[] = {
    {"sinusoidal?dim=32&pos=9:-10:-1&out=rows", {"sinusoidal&", "&pos=9:-10:-1"}},
    {"sinusoidal?dim=32&pos=5,9,2,40&layout=concat&out=rows",
     {"&layout=concat", "&pos=5,9,2,40"}},
    {"sinusoidal?dim=32&pos=0:40&ladder=geometric-closed&layout=concat&out=rows",
     {"&ladder=geometric-closed", "&base=10000&"}},
    {"sinusoidal?dim=32&pos=0,10,250,999&layout=interleaved-cs&base=50000&out=rows",
     {"&pos=0,10,250,999", "&base=50000&", "&layout=interleaved-cs"}},
    {"sinusoidal?dim=32&pos=0:40&ladder=geometric-closed&layout=concat&padding_idx=1&out=rows",
     {"&ladder=geometric-closed", "&pos=0:40", "&padding_idx=1&"}},
    {"timestep-embedding?dim=64&pos=0,10,250,999&preset=dit&out=rows",
     {"&layout=concat-cs", "&pos=0,10,250,999"}},
};

START_TEST(rows_say_positions_and_columns)
{
    sight_case_says(&rows[_i], line_drafts_sines);
}
END_TEST

START_TEST(rows_that_are_no_sines_or_a_rotary_table_are_left_to_others)
{
    static const char *const others[] = {
        "rope?dim=32&pos=0:20&out=table",
        "binary?dim=8&pos=0:20&out=rows",
        "rope?dim=32&pos=0:20&out=cos,sin",
    };

    sight_case_nothing(others[_i], line_drafts_sines);
}
END_TEST

SUITE(line_drafts, TEST_EACH(rows_say_positions_and_columns, rows),
      TEST_RANGE(rows_that_are_no_sines_or_a_rotary_table_are_left_to_others, 0, 3));
