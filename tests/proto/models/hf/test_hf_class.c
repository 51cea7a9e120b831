/* SPDX-License-Identifier: Apache-2.0
 * test_hf_class.c - tests that the rows of classes fit each other. */
#include <string.h>

#include "proto/models/hf/hf_class.h"
#include "tests/support/suite.h"

static size_t count(void)
{
    size_t rows = 0;

    while (hf_class_at(rows))
        rows++;
    return rows;
}

START_TEST(the_part_of_a_class_is_a_class_without_a_part)
{
    const struct hf_class *row = hf_class_at((size_t)_i);
    const struct hf_class *part = hf_class_find(row->part);

    ck_assert_msg(!row->part || (part && !part->part), "%s", row->name);
}
END_TEST

START_TEST(a_name_has_one_row)
{
    const struct hf_class *row = hf_class_at((size_t)_i);

    ck_assert_msg(hf_class_find(row->name) == row, "%s", row->name);
}
END_TEST

START_TEST(a_class_is_read_or_says_that_it_is_not)
{
    const struct hf_class *row = hf_class_at((size_t)_i);

    const bool read = row->pairing != HF_UNPAIRED || row->part || row->encodings || row->tower;

    ck_assert_msg(read != row->not_yet, "%s", row->name);
}
END_TEST

START_TEST(only_classes_that_rotate_have_rules_of_rotation)
{
    const struct hf_class *row = hf_class_at((size_t)_i);

    ck_assert_msg(row->pairing != HF_UNPAIRED ||
                      (row->traits == 0 && row->period == 0 && !row->width_key && !row->flag &&
                       !row->labels && !row->sections && !row->section_layout),
                  "%s", row->name);
}
END_TEST

SUITE(hf_class, TEST_COUNTED(the_part_of_a_class_is_a_class_without_a_part, count),
      TEST_COUNTED(a_name_has_one_row, count),
      TEST_COUNTED(a_class_is_read_or_says_that_it_is_not, count),
      TEST_COUNTED(only_classes_that_rotate_have_rules_of_rotation, count));
