/* SPDX-License-Identifier: Apache-2.0
 * test_quota_parse.c - the words of a line of keys, what they mean, and the sentences about
 * wrong ones. */
#include <stdio.h>
#include <string.h>

#include "proto/http/endpoint.h"
#include "server/quota/quota.h"
#include "tests/support/suite.h"

static const struct quota_bounds bounds = {.inflight = 1024, .work_ms = 180000};
static struct quota_line line;
static char why[300];

static bool read(enum quota_row row, const char *words)
{
    why[0] = '\0';
    return quota_parse(&line, row, &bounds, words, strlen(words), why, sizeof why);
}

START_TEST(each_word_sets_its_limit)
{
    ck_assert_msg(read(QUOTA_ROW_KEY,
                       " name=team-a  requests=20\tbytes=10MiB inflight=4 work=30s "
                       "expires=2027-01-02 endpoints=/v1/batch,/v1/{encoding}"),
                  "%s", why);
    ck_assert_str_eq(line.name, "team-a");
    ck_assert_uint_eq(line.quota.requests, 20);
    ck_assert_uint_eq(line.quota.bytes, 10 << 20);
    ck_assert_uint_eq(line.quota.inflight, 4);
    ck_assert_uint_eq(line.quota.work_ms, 30000);
    ck_assert_int_eq(line.expires, 1798934399);
    ck_assert(line.quota.endpoints ==
              (UINT64_C(1) << ENDPOINT_BATCH | UINT64_C(1) << ENDPOINT_ENCODING));
    ck_assert(read(QUOTA_ROW_KEY, ""));
    ck_assert(quota_equal(&line.quota, &(struct quota){.requests = 0}));
}
END_TEST

START_TEST(a_time_is_a_second_of_the_calendar)
{
    static const char *const wrong[] = {"2026-02-29",
                                        "2026-13-01",
                                        "2026-00-10",
                                        "2026-1-1",
                                        "2026-01-01T",
                                        "26-01-01",
                                        "tomorrow",
                                        "1969-12-31",
                                        "2026-01-32",
                                        "2026-01-01T24:00:00Z",
                                        "2026-01-01T10:00:00",
                                        "2026-01-01T10:00:00Z1",
                                        "2026-01-01 ",
                                        ""};
    char words[60];

    ck_assert(read(QUOTA_ROW_KEY, "expires=2028-02-29T12:30:01Z"));
    ck_assert_int_eq(line.expires, 1835440201);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (strchr(wrong[i], ' '))
            continue;
        snprintf(words, sizeof words, "expires=%s", wrong[i]);
        ck_assert_msg(!read(QUOTA_ROW_KEY, words), "%s", words);
        ck_assert_str_eq(why, "expires= must be a day such as 2027-12-31 or a time such as "
                              "2027-12-31T18:00:00Z, in UTC");
    }
}
END_TEST

static const struct {
    enum quota_row row;
    const char *words, *said;
} refused[] = {
    {QUOTA_ROW_KEY, "requests=0", "requests= must be 1..1000000: requests a second"},
    {QUOTA_ROW_KEY, "requests=1.5", "requests= must be 1..1000000: requests a second"},
    {QUOTA_ROW_KEY, "bytes=1",
     "bytes= must be 1KiB..1TiB: bytes of bodies and answers a second"},
    {QUOTA_ROW_KEY, "inflight=1025",
     "inflight= must be 1..1024: requests at once; beyond --max-connections it would never be "
     "reached"},
    {QUOTA_ROW_KEY, "work=181",
     "work= must be 10ms..3m: time of threads a minute; beyond what all threads have it would "
     "never be reached"},
    {QUOTA_ROW_KEY, "work=9ms",
     "work= must be 10ms..3m: time of threads a minute; beyond what all threads have it would "
     "never be reached"},
    {QUOTA_ROW_KEY, "endpoints=",
     "endpoints= must be paths as /metrics has them for routes, parted by commas, such as "
     "/v1/{encoding},/v1/batch"},
    {QUOTA_ROW_KEY, "endpoints=/v1/rope",
     "endpoints= must be paths as /metrics has them for routes, parted by commas, such as "
     "/v1/{encoding},/v1/batch"},
    {QUOTA_ROW_KEY, "name=", "name= must be 1 to 64 letters, digits or -._"},
    {QUOTA_ROW_KEY, "requests=1 requests=1",
     "behind a key may be name=, expires=, requests=, bytes=, inflight=, work= and endpoints=, "
     "each once and with a value"},
    {QUOTA_ROW_KEY, "subject=a",
     "behind a key may be name=, expires=, requests=, bytes=, inflight=, work= and endpoints=, "
     "each once and with a value"},
    {QUOTA_ROW_CERTIFICATE, "secret",
     "behind certificate may be name=, subject=, expires=, requests=, bytes=, inflight=, work= "
     "and endpoints=, each once and with a value"},
    {QUOTA_ROW_CERTIFICATE, "name=a",
     "behind certificate must be subject=NAME, the common name of a client's certificate, of 1 "
     "to 128 characters without blanks"},
    {QUOTA_ROW_CERTIFICATE, "subject=",
     "subject= must be the common name of a client's certificate, of 1 to 128 characters "
     "without blanks"},
    {QUOTA_ROW_ADDRESS, "expires=2027-01-01",
     "behind address may be requests=, bytes=, inflight=, work= and endpoints=, each once and "
     "with a value"},
};

START_TEST(a_wrong_word_is_refused_by_what_would_be_right)
{
    ck_assert(!read(refused[_i].row, refused[_i].words));
    ck_assert_str_eq(why, refused[_i].said);
}
END_TEST

START_TEST(a_value_of_any_length_is_refused_or_taken_whole)
{
    static char words[5000] = "endpoints=";

    for (size_t len = strlen(words); len < sizeof words - 20; len += 10)
        memcpy(words + len, "/v1/batch,", 10);
    ck_assert(!read(QUOTA_ROW_KEY, words));
    memset(words, 'x', sizeof words - 1);
    memcpy(words, "subject=", 8);
    ck_assert(!read(QUOTA_ROW_CERTIFICATE, words));
    words[8 + QUOTA_SUBJECT_MAX] = '\0';
    ck_assert_msg(read(QUOTA_ROW_CERTIFICATE, words), "%s", why);
    ck_assert_uint_eq(strlen(line.subject), QUOTA_SUBJECT_MAX);
}
END_TEST

START_TEST(limits_have_the_names_of_their_words)
{
    static const char *const names[QUOTA_LIMITS] = {"requests", "bytes", "inflight", "work",
                                                    "endpoints"};

    for (int i = 0; i < QUOTA_LIMITS; i++)
        ck_assert_str_eq(quota_limit_name((enum quota_limit)i), names[i]);
}
END_TEST

SUITE(quota_parse, TEST(each_word_sets_its_limit), TEST(a_time_is_a_second_of_the_calendar),
      TEST_EACH(a_wrong_word_is_refused_by_what_would_be_right, refused),
      TEST(a_value_of_any_length_is_refused_or_taken_whole),
      TEST(limits_have_the_names_of_their_words));
