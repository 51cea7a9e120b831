/* SPDX-License-Identifier: Apache-2.0
 * test_positions.c - lists of positions as runs, which are never expanded. Lists that are the
 * same however they are written are rows of positions.txt. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/positions.h"
#include "core/encoding.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

static struct pe_positions *parse(const char *text, bool fractions)
{
    struct pe_errors errors = {.count = 0};
    struct pe_positions *pos = NULL;

    positions_parse(&pos, "pos", text, strlen(text), fractions, &errors);
    ck_assert_msg(pos != NULL, "%s: %s", text, errors.at[0].detail);
    return pos;
}

static char *print(const struct pe_positions *pos)
{
    size_t len = positions_print(pos, NULL, 0);
    char *text = malloc(len + 1);

    ck_assert(text);
    ck_assert_uint_eq(positions_print(pos, text, len + 1), len);
    ck_assert_uint_eq(strlen(text), len);
    return text;
}

/* A text of small slices and numbers, and the positions that it means, one after the other. */
struct naive {
    char text[4000];
    size_t len;
    double values[4000];
    size_t count;
};

static void add_item(struct naive *naive, struct core_random *random, bool fractions)
{
    int kind = (int)core_random_whole(random, 0, fractions ? 3 : 2);
    long long start = core_random_whole(random, -6, 6), step = core_random_whole(random, -3, 3);
    long long stop = start + core_random_whole(random, -9, 9);
    size_t space = sizeof naive->text - naive->len;

    if (kind == 3) {
        double value = (double)start + 0.5 * (double)core_random_whole(random, 0, 1);

        naive->len += (size_t)snprintf(naive->text + naive->len, space, ",%g", value);
        naive->values[naive->count++] = value;
    } else if (kind == 2 || step == 0) {
        naive->len += (size_t)snprintf(naive->text + naive->len, space, ",%lld", start);
        naive->values[naive->count++] = (double)start;
    } else {
        naive->len += (size_t)snprintf(naive->text + naive->len, space, ",%lld:%lld:%lld",
                                       start, stop, step);
        for (long long p = start; step > 0 ? p < stop : p > stop; p += step)
            naive->values[naive->count++] = (double)p;
    }
}

/* Greedy, from the left: three or more whole positions of one step make a slice. */
static void canonical_of(const struct naive *naive, char *text, size_t size)
{
    size_t len = 0, count = naive->count;

    for (size_t i = 0, run; i < count; i += run) {
        const double *v = naive->values + i;
        double step = i + 1 < count ? v[1] - v[0] : 0;

        run = 1;
        while (step != 0 && v[0] == trunc(v[0]) && i + run < count && v[run] == trunc(v[run]) &&
               v[run] - v[run - 1] == step)
            run++;
        run = run < 3 ? 1 : run;
        len += (size_t)snprintf(text + len, size - len, "%s%g", i ? "," : "", v[0]);
        if (run > 1)
            len += (size_t)snprintf(text + len, size - len, ":%g",
                                    v[run - 1] + (step > 0 ? 1 : -1));
        if (run > 1 && step != 1)
            len += (size_t)snprintf(text + len, size - len, ":%g", step);
    }
    if (count == 0)
        snprintf(text, size, "0:0");
}

static void compare(const struct pe_positions *pos, const struct naive *naive)
{
    char expected[8000];
    char *text = print(pos);
    double low = 0, high = 0, got_low, got_high;
    struct positions_cursor cursor = {.pos = pos};

    canonical_of(naive, expected, sizeof expected);
    ck_assert_msg(strcmp(text, expected) == 0, "%s: %s, not %s", naive->text + 1, text,
                  expected);
    ck_assert_uint_eq(pe_positions_count(pos), naive->count);
    for (size_t i = 0; i < naive->count; i++) {
        struct pe_run run = pe_positions_run(pos, i);

        ck_assert_msg(pe_positions_at(pos, i) == naive->values[i], "%s at %zu", text, i);
        ck_assert_msg(positions_next(&cursor) == naive->values[i], "%s at %zu", text, i);
        ck_assert(run.first == naive->values[i] && run.left >= 1);
        for (uint64_t j = 0; j < run.left; j++)
            ck_assert(run.first + (double)run.step * (double)j == naive->values[i + j]);
        low = i == 0 || naive->values[i] < low ? naive->values[i] : low;
        high = i == 0 || naive->values[i] > high ? naive->values[i] : high;
    }
    pe_positions_range(pos, &got_low, &got_high);
    ck_assert(got_low == low && got_high == high);
    free(text);
}

START_TEST(merged_lists_hold_what_naive_expansion_holds)
{
    struct core_random random = {(uint64_t)_i};

    for (int turn = 0; turn < 1000; turn++) {
        struct naive naive = {.len = 0};
        struct pe_positions *pos, *from_array;

        for (int64_t left = core_random_whole(&random, 1, 12); left > 0; left--)
            add_item(&naive, &random, _i % 2 == 1);
        pos = parse(naive.text + 1, _i % 2 == 1);
        compare(pos, &naive);
        from_array = positions_new(NULL, naive.values, naive.count);
        ck_assert(from_array);
        compare(from_array, &naive);
        positions_free(from_array);
        positions_free(pos);
    }
}
END_TEST

START_TEST(the_printed_list_reads_back_as_the_same_list)
{
    struct core_random random = {99};

    for (int turn = 0; turn < 1000; turn++) {
        struct naive naive = {.len = 0};
        struct pe_positions *pos, *again;
        char *text, *text_again;

        for (int64_t left = core_random_whole(&random, 1, 12); left > 0; left--)
            add_item(&naive, &random, true);
        pos = parse(naive.text + 1, true);
        text = print(pos);
        again = parse(text, true);
        text_again = print(again);
        ck_assert_str_eq(text_again, text);
        compare(again, &naive);
        free(text);
        free(text_again);
        positions_free(pos);
        positions_free(again);
    }
}
END_TEST

/* Positions at the ends of what is exact, where differences and products of doubles round. */
START_TEST(huge_slices_step_exactly_and_are_not_expanded)
{
    static const int64_t steps[] = {
        1, 3, 7, (INT64_C(1) << 53) - 1, (INT64_C(1) << 53) + 1, (INT64_C(1) << 54) - 1};
    const int64_t start = -(INT64_C(1) << 53), stop = -start;

    for (size_t i = 0; i < PE_LEN(steps); i++) {
        struct position_slice slice = {(double)start, steps[i],
                                       (uint64_t)((stop - start) / steps[i])};
        struct pe_positions *pos = positions_new(&slice, NULL, 1);
        uint64_t ask[] = {0, slice.count / 3, slice.count / 2, slice.count - 1};

        ck_assert(pos);
        for (size_t j = 0; j < PE_LEN(ask); j++)
            ck_assert(pe_positions_at(pos, ask[j]) ==
                      (double)(start + steps[i] * (int64_t)ask[j]));
        positions_free(pos);
    }
}
END_TEST

START_TEST(far_apart_items_keep_their_values)
{
    struct pe_positions *pos = parse("-9007199254740992,9007199254740991,0,1", false);

    ck_assert(pe_positions_at(pos, 0) == -0x1p53);
    ck_assert(pe_positions_at(pos, 1) == 0x1p53 - 1);
    ck_assert(pe_positions_at(pos, 2) == 0);
    ck_assert(pe_positions_at(pos, 3) == 1);
    positions_free(pos);
}
END_TEST

START_TEST(fractions_are_noticed)
{
    struct pe_positions *whole = parse("0:4,9", true), *real = parse("0:4,9.5", true);
    struct pe_positions *empty = parse("0:0", true);

    ck_assert(pe_positions_whole(whole));
    ck_assert(!pe_positions_whole(real));
    ck_assert(pe_positions_whole(empty));
    positions_free(whole);
    positions_free(real);
    positions_free(empty);
    positions_free(NULL);
}
END_TEST

START_TEST(printing_keeps_within_the_room_there_is)
{
    struct pe_positions *pos = parse("0:128,5,9,12.5", true);
    char text[32];

    for (size_t size = 0; size < sizeof text; size++) {
        memset(text, '#', sizeof text);
        ck_assert_uint_eq(positions_print(pos, text, size), strlen("0:128,5,9,12.5"));
        if (size > 0) {
            ck_assert_uint_eq(strlen(text), size <= 14 ? size - 1 : 14);
            ck_assert_int_eq(strncmp(text, "0:128,5,9,12.5", strlen(text)), 0);
        }
        ck_assert_int_eq(text[size], '#');
    }
    positions_free(pos);
}
END_TEST

SUITE(positions, TEST_RANGE(merged_lists_hold_what_naive_expansion_holds, 0, 4),
      TEST(the_printed_list_reads_back_as_the_same_list),
      TEST(huge_slices_step_exactly_and_are_not_expanded),
      TEST(far_apart_items_keep_their_values), TEST(fractions_are_noticed),
      TEST(printing_keeps_within_the_room_there_is));
