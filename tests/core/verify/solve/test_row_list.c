/* SPDX-License-Identifier: Apache-2.0
 * test_row_list.c - positions of rows as slices and as half a sentence. */
#include "core/verify/solve/row_list.h"

#include <math.h>
#include <stdio.h>

#include "tests/support/suite.h"

enum { MOST = 8 };
#define NONE NAN       /* the row is that of no position */
#define EMPTY INFINITY /* the row is zero */

/* Rows that are claimed to be those of positions from `first` on. */
static const struct {
    uint64_t count;
    double first, found[MOST];
    const char *slices, *says; /* NULL: not all rows have a position */
} lists[] = {
    {6,
     0,
     {0, 1, 2, 4, 5, 6},
     "0:3,4:7",
     "rows 3:6 are those of positions 4:7; the other rows are right"},
    {6,
     0,
     {0, 1, 2, 0, 0, 0},
     "0:3,0,0,0",
     "rows 3:6 are those of position 0; the other rows are right"},
    {6,
     0,
     {0, 1, 2, 3, 5, 7},
     "0:4,5,7",
     "rows 3:6 are those of positions 3:9:2; the other rows are right"},
    {4, 20, {20, 20, 20, 20}, "20,20,20,20", "every row is that of position 20"},
    {6,
     0,
     {0, 1, 2, 0, 1, 2},
     "0:3,0:3",
     "positions begin anew at 0 after every 3: they are taken modulo 3"},
    {6,
     0,
     {0, 1, 2, 2, 2, 2},
     "0:3,2,2,2",
     "positions stop at 2: rows 3:6 are all those of position 2"},
    {4,
     126,
     {126, 127, -128, -127},
     "126,127,-128,-127",
     "positions wrap to -128 after 127, as int8 does; the first row that is wrong is 2"},
    {6,
     0,
     {0, 1, EMPTY, EMPTY, 4, 5},
     NULL,
     "rows 2:4 were never written: they are zero; the other rows are right"},
    {6, 0, {0, NONE, 2, 3, 4, 5}, NULL, "row 1 is of no position; the other rows are right"},
    {8,
     0,
     {1, 0, 3, 2, 5, 4, 7, 6},
     "1,0,3,2,5,4,7,6",
     "row 0 is that of position 1, row 1 is that of position 0, row 2 is that of position 3, "
     "and so on in 5 more runs of rows"},
    {4, 20, {20, 22, 24, 26}, "20,22,24,26", "rows 0:4 are those of positions 20:28:2"},
};

static void list_of(struct row_list *list, size_t number)
{
    ck_assert(row_list_init(list, lists[number].count));
    for (uint64_t i = 0; i < list->count; i++) {
        const double found = lists[number].found[i];

        list->claimed[i] = lists[number].first + (double)i;
        list->found[i] = isfinite(found) ? found : 0;
        list->kind[i] = isnan(found) ? ROW_OTHER : isinf(found) ? ROW_EMPTY : ROW_MADE;
    }
}

START_TEST(rows_are_said_as_slices_and_as_half_a_sentence)
{
    char slices[200], says[400];
    struct row_list list;

    list_of(&list, (size_t)_i);
    row_list_say(&list, says, sizeof says);
    ck_assert_str_eq(says, lists[_i].says);
    const bool printed = row_list_print(&list, slices, sizeof slices);
    ck_assert_int_eq(printed, lists[_i].slices != NULL);
    if (printed)
        ck_assert_str_eq(slices, lists[_i].slices);
    row_list_fini(&list);
}
END_TEST

START_TEST(slices_that_have_no_room_are_not_written)
{
    char slices[80];
    struct row_list list;

    list_of(&list, 9);
    ck_assert(row_list_print(&list, slices, sizeof slices));
    ck_assert(!row_list_print(&list, slices, 64));
    row_list_fini(&list);
}
END_TEST

START_TEST(a_run_ends_where_the_kind_of_its_rows_or_their_step_changes)
{
    struct row_list list;
    char text[64];

    list_of(&list, 2);
    struct row_run run = row_list_run(&list, 0);
    ck_assert(run.right && run.count == 3);
    run = row_list_run(&list, 3);
    ck_assert(!run.right && run.count == 3 && run.first == 3 && run.step == 2);
    row_list_print_run(&list, &run, text, sizeof text);
    ck_assert_str_eq(text, "positions 3:9:2");
    ck_assert_uint_eq(row_list_right(&list), 4);
    ck_assert_uint_eq(row_list_count(&list, ROW_MADE), 6);
    row_list_fini(&list);

    list_of(&list, 7);
    run = row_list_run(&list, 2);
    ck_assert(run.kind == ROW_EMPTY && run.count == 2);
    row_list_print_run(&list, &run, text, sizeof text);
    ck_assert_str_eq(text, "zeros");
    row_list_fini(&list);

    list_of(&list, 8);
    run = row_list_run(&list, 1);
    row_list_print_run(&list, &run, text, sizeof text);
    ck_assert_str_eq(text, "of no position");
    row_list_fini(&list);
}
END_TEST

SUITE(row_list, TEST_EACH(rows_are_said_as_slices_and_as_half_a_sentence, lists),
      TEST(slices_that_have_no_room_are_not_written),
      TEST(a_run_ends_where_the_kind_of_its_rows_or_their_step_changes));
