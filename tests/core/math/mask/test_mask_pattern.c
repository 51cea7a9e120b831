/* SPDX-License-Identifier: Apache-2.0
 * test_mask_pattern.c - every pattern is found in a matrix made by its definition, with its
 * size, and in none that differs from it by one element. */
#include <stdlib.h>
#include <string.h>

#include "core/math/mask/mask_pattern.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { MOST = 12, DRAWS = 4000 };

static struct mask_pattern find(const char *rows)
{
    unsigned char seen[MOST * MOST];
    uint64_t document[MOST], keys = strcspn(rows, " "), count = 0;

    for (const char *at = rows; *at; at++)
        if (*at != ' ')
            seen[count++] = *at == '1';
    return mask_pattern_of(seen, count / keys, keys, document);
}

static const struct {
    const char *rows;
    enum mask_pattern_name name;
    uint64_t size;
    bool top_left;
} known[] = {
    {"11 11", PATTERN_BIDIRECTIONAL, 0, false},
    {"100 110 111", PATTERN_CAUSAL, 0, false},
    {"110 111", PATTERN_CAUSAL, 0, false},
    {"100 110", PATTERN_CAUSAL, 0, true},
    {"1000 1100 0110 0011", PATTERN_WINDOW, 2, false},
    {"0110 0011", PATTERN_WINDOW, 2, false},
    {"1000 0100", PATTERN_WINDOW, 1, true},
    {"1100 1110 0111 0011", PATTERN_WINDOW_BOTH, 1, false},
    {"1100 1100 1110 1111", PATTERN_PREFIX, 2, false},
    {"101 101 101", PATTERN_KEYS, 2, false},
    {"1100 1100 0010 0001", PATTERN_DOCUMENT, 3, false},
    {"1000 1100 0010 0011", PATTERN_DOCUMENT_CAUSAL, 2, false},
    {"100 010 011", PATTERN_DOCUMENT_CAUSAL, 2, false},
    {"100 111 101", PATTERN_OTHER, 0, false},
    {"010 001 100", PATTERN_OTHER, 0, false},
};

START_TEST(known_matrices_are_told)
{
    struct mask_pattern got = find(known[_i].rows);

    ck_assert_msg(got.name == known[_i].name && got.size == known[_i].size &&
                      got.top_left == known[_i].top_left,
                  "%s: pattern %d of size %llu", known[_i].rows, (int)got.name,
                  (unsigned long long)got.size);
}
END_TEST

START_TEST(nothing_is_no_pattern)
{
    ck_assert_int_eq(mask_pattern_of(NULL, 0, 4, NULL).name, PATTERN_OTHER);
    ck_assert_int_eq(mask_pattern_of(NULL, 4, 0, NULL).name, PATTERN_OTHER);
}
END_TEST

/* A window's definition, written here once more. */
static void make_window(unsigned char *seen, int64_t n, int64_t size)
{
    for (int64_t i = 0; i < n * n; i++)
        seen[i] = i % n <= i / n && i / n - i % n < size;
}

START_TEST(one_element_more_or_less_is_no_window)
{
    struct core_random random = {11};

    for (int i = 0; i < DRAWS; i++) {
        unsigned char seen[MOST * MOST];
        uint64_t document[MOST];
        int64_t n = core_random_whole(&random, 5, MOST);
        int64_t size = core_random_whole(&random, 2, n - 2);
        struct mask_pattern got;

        make_window(seen, n, size);
        got = mask_pattern_of(seen, (uint64_t)n, (uint64_t)n, document);
        if (got.name != PATTERN_WINDOW || got.size != (uint64_t)size)
            ck_abort_msg("window %lld of %lld: pattern %d", (long long)size, (long long)n,
                         (int)got.name);
        seen[core_random_whole(&random, 0, n * n - 1)] ^= 1;
        got = mask_pattern_of(seen, (uint64_t)n, (uint64_t)n, document);
        if (got.name == PATTERN_WINDOW && got.size == (uint64_t)size)
            ck_abort_msg("an element changed, and still a window of %lld", (long long)size);
    }
}
END_TEST

SUITE(mask_pattern, TEST_EACH(known_matrices_are_told, known), TEST(nothing_is_no_pattern),
      TEST(one_element_more_or_less_is_no_window));
