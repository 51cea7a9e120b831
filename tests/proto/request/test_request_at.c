/* SPDX-License-Identifier: Apache-2.0
 * test_request_at.c - a request that is moved to other positions is the request that its query
 * is when it is read anew: the same key, tags and bytes, and none where that is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/output/encoder.h"
#include "proto/request/request.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/core_draw.h"
#include "tests/support/suite.h"

enum { DRAWS = 40, MOVES = 12, QUERY_MAX = CORE_DRAW_MAX + 400, MOVED_LEAST = 1000 };

static const struct request_limits few = {
    .max_elements = 1 << 14, .max_text_elements = 1 << 14, .max_prepared = 1 << 14};

static const char *const positions[] = {"0",       "1",
                                        "7",       "31",
                                        "4096",    "1000003",
                                        "-3",      "0.5",
                                        "1e3",     "007",
                                        "0:4",     "5:9",
                                        "0:600",   "9:1:2",
                                        "0:96:32", "9007199254740992",
                                        "3,",      "x",
                                        "0:0",     "4,4,1:3",
                                        "2,9",     "-1:",
                                        ":5",      "1:1",
                                        "1e400",   "9007199254740993",
                                        ""};

static const char *draw_positions(struct core_random *random)
{
    return positions[core_random_whole(random, 0,
                                       (int64_t)(sizeof positions / sizeof *positions) - 1)];
}

/* Splits the query around the value of pos; false: it has none. */
static bool split(const char *query, char before[QUERY_MAX], const char **after)
{
    const char *at = strncmp(query, "pos=", 4) == 0 ? query : strstr(query, "&pos=");

    if (!at)
        return false;
    at = strchr(at, '=') + 1;
    snprintf(before, QUERY_MAX, "%.*s", (int)(at - query), query);
    *after = strchrnul(at, '&');
    return true;
}

static struct request *read_query(const struct pe_encoding *enc, const char *before,
                                  const char *position, const char *after, bool keep)
{
    char query[2 * QUERY_MAX];
    struct pe_errors errors = {.count = 0};
    struct request *request = request_new(enc);

    ck_assert_ptr_nonnull(request);
    snprintf(query, sizeof query, "%s%s%s", before, position, after);
    request_set_query(request, query, strlen(query), &errors);
    if (keep)
        request_keep(request);
    if (request_finish(request, "*/*", 3, &errors) == PE_OK)
        return request;
    request_free(request);
    return NULL;
}

static void expect_equal_keys(const struct request *one, const struct request *other)
{
    for (enum content_coding coding = CONTENT_CODING_IDENTITY; coding <= CONTENT_CODING_GZIP;
         coding++) {
        size_t len, other_len;
        const char *key = request_key(one, coding, &len);
        const char *other_key = request_key(other, coding, &other_len);

        ck_assert_str_eq(key, other_key);
        ck_assert_uint_eq(len, other_len);
        ck_assert_str_eq(request_etag(one, coding), request_etag(other, coding));
    }
    ck_assert_str_eq(request_canonical(one, NULL), request_canonical(other, NULL));
    ck_assert_str_eq(request_old_names(one), request_old_names(other));
    ck_assert_ptr_eq(request_options(one)->format, request_options(other)->format);
}

static void expect_equal_values(const struct pe_args *one, const struct pe_args *other)
{
    const char *key = pe_args_table_key(one), *other_key = pe_args_table_key(other);

    ck_assert_uint_eq(pe_args_value_count(one), pe_args_value_count(other));
    for (size_t i = 0; i < pe_args_value_count(one); i++) {
        ck_assert_str_eq(pe_args_value(one, i)->name, pe_args_value(other, i)->name);
        ck_assert_str_eq(pe_args_value(one, i)->text, pe_args_value(other, i)->text);
    }
    ck_assert(!key == !other_key && (!key || strcmp(key, other_key) == 0));
}

/* Returns the whole answer, or the first problem of the plan. */
static char *answer(const struct request *request, size_t *len)
{
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;
    char *bytes = NULL;

    *len = 0;
    if (request_plan(request, &plan, NULL, &few, &errors) != PE_OK) {
        *len = strlen(errors.at[0].detail);
        return strdup(errors.at[0].detail);
    }
    struct encoder *encoder = encoder_new(request, plan);
    for (size_t got = 1, size = 0; got > 0; *len += got) {
        size = *len + (1 << 16);
        bytes = realloc(bytes, size);
        ck_assert_ptr_nonnull(bytes);
        got = encoder_read(encoder, bytes + *len, size - *len);
    }
    encoder_free(encoder);
    pe_plan_free(plan);
    return bytes;
}

static void expect_equal_answers(const struct request *one, const struct request *other)
{
    size_t len, other_len;
    char *bytes = answer(one, &len), *other_bytes = answer(other, &other_len);

    ck_assert_uint_eq(len, other_len);
    ck_assert_mem_eq(bytes, other_bytes, len);
    free(bytes);
    free(other_bytes);
}

/* Returns 1 if the request could be moved, and then is as one that is read; 0 if it must be
 * read. */
static int expect_moved(const struct request *like, const char *before, const char *position,
                        const char *after)
{
    const struct pe_encoding *enc = request_encoding(like);
    struct request *moved = request_at(like, position, strlen(position));
    struct request *fresh = moved ? read_query(enc, before, position, after, false) : NULL;

    ck_assert_msg(!moved == !fresh, "%s?%s%s%s is refused", pe_name(enc), before, position,
                  after);
    if (!moved)
        return 0;
    expect_equal_keys(moved, fresh);
    expect_equal_values(request_args(moved), request_args(fresh));
    expect_equal_answers(moved, fresh);
    request_free(moved);
    request_free(fresh);
    return 1;
}

/* Moves the request of a query some times; a moved request outlives the one that it is like. */
static int move(const struct pe_encoding *enc, const char *query, struct core_random *random)
{
    char before[QUERY_MAX];
    const char *after;
    int moved = 0;

    if (!split(query, before, &after))
        return 0;
    struct request *first = read_query(enc, before, draw_positions(random), after, true);
    struct request *like = first ? request_copy(first) : NULL;
    request_free(first);
    if (!like)
        return 0;
    for (int i = 0; i < MOVES; i++)
        moved += expect_moved(like, before, draw_positions(random), after);
    struct request *last = request_at(like, "17", 2);
    request_free(like);
    if (last) {
        size_t len;

        free(answer(last, &len));
        ck_assert_uint_gt(len, 0);
    }
    request_free(last);
    return moved;
}

static int move_in_a_format(const struct pe_encoding *enc, const char *query,
                            struct core_random *random)
{
    static const char *const formats[] = {"", "&format=json", "&format=npy",
                                          "&format=safetensors&rev=0", "&format=csv"};
    char with_format[QUERY_MAX];

    snprintf(with_format, sizeof with_format, "%s%s", query,
             formats[core_random_whole(random, 0, 4)]);
    return move(enc, with_format, random);
}

START_TEST(a_moved_request_is_as_one_that_is_read)
{
    struct core_random random = {19};
    char query[CORE_DRAW_MAX];
    int moved = 0;

    for (size_t i = 0; i < pe_count(); i++) {
        for (const char *const *example = pe_examples(pe_at(i)); *example; example++)
            moved += move_in_a_format(pe_at(i), *example, &random);
        for (int j = 0; j < DRAWS; j++) {
            core_draw_query(pe_at(i), &random, query);
            moved += move_in_a_format(pe_at(i), query, &random);
        }
    }
    ck_assert_msg(moved >= MOVED_LEAST, "%d were moved", moved);
}
END_TEST

/* Requests that must be moved, since clients ask for them row by row, and requests that cannot
 * be. */
static const struct {
    const char *encoding, *query, *from, *to;
    bool moves;
} cases[] = {
    {"sinusoidal", "dim=512&format=npy&pos=", "1", "2", true},
    {"rope", "dim=128&format=raw&out=cos&pos=", "0:4", "4:8", true},
    {"rope", "model=llama-3.1-8b&format=json&pos=", "1", "131071", true},
    {"alibi", "heads=8&out=slopes&pos=", "1", "2", false}, /* no such parameter */
    {"rope", "dim=128&pos=", "1", "two", false},           /* the text is refused */
    {"rope", "dim=128&pos=", "1", "", false},
    {"rope/apply", "dim=4&x=1,0,0,1&pos=", "1", "2", false}, /* a tensor is given */
    {"rope", "dim=8&scaling=dynamic&factor=2&max_position_embeddings=16&seq_len=64&pos=", "3",
     "40", true},
    {"sinusoidal", "dim=8&out=inv_freq&pos=", "1", "2", false}, /* they have no effect */
};

START_TEST(it_is_known_what_moves)
{
    const struct pe_encoding *enc = pe_find(cases[_i].encoding, strlen(cases[_i].encoding));
    struct request *like = read_query(enc, cases[_i].query, cases[_i].from, "", true);
    struct request *copy = like ? request_copy(like) : NULL;

    ck_assert_int_eq(copy && expect_moved(copy, cases[_i].query, cases[_i].to, ""),
                     cases[_i].moves);
    request_free(copy);
    request_free(like);
}
END_TEST

START_TEST(without_memory_nothing_moves_and_nothing_is_lost)
{
    struct request *like = read_query(pe_find("rope", 4), "dim=8&pos=", "1", "", true);
    size_t n = 0;
    bool refused = true;
    long held = 0;

    ck_assert_ptr_nonnull(like);
    for (; refused && held == 0; n++) {
        alloc_fail_start(n);
        struct request *copy = request_copy(like);
        struct request *moved = copy ? request_at(copy, "5,9,77", 6) : NULL;
        const bool made = moved;

        request_free(moved);
        request_free(copy);
        refused = alloc_fail_stop();
        held = alloc_fail_live();
        if (refused == made)
            held = -1; /* neither NULL nor the request */
    }
    ck_assert_int_eq(held, 0);
    ck_assert_uint_gt(n, 6);
    request_free(like);
}
END_TEST

START_TEST(a_request_that_kept_nothing_does_not_move)
{
    struct request *like = read_query(pe_find("rope", 4), "dim=8&pos=", "1", "", false);

    ck_assert_ptr_nonnull(like);
    ck_assert_ptr_null(request_at(like, "2", 1));
    request_free(like);
}
END_TEST

SUITE(request_at, TEST(a_moved_request_is_as_one_that_is_read),
      TEST_EACH(it_is_known_what_moves, cases), TEST(a_request_that_kept_nothing_does_not_move),
      TEST(without_memory_nothing_moves_and_nothing_is_lost));
