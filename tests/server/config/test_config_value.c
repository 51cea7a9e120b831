/* SPDX-License-Identifier: Apache-2.0
 * test_config_value.c - spellings of one value, and the errors for wrong ones. */
#include <stdio.h>
#include <string.h>

#include "server/config/config.h"
#include "server/config/config_value.h"
#include "tests/support/suite.h"

static char why[300];

static const struct config_row size = {
    .name = "size", .kind = KIND_BYTES, .low = 10, .high = UINT64_C(1) << 40};
static const struct config_row elements = {
    .name = "elements", .kind = KIND_ELEMENTS, .low = 1, .high = UINT64_MAX};
static const struct config_row span = {
    .name = "span", .kind = KIND_TIME, .low = 10, .high = 3600000};
static const struct config_row count = {
    .name = "count", .kind = KIND_COUNT, .low = 1, .high = 9};
static const struct config_row automatic = {
    .name = "automatic", .kind = KIND_AUTO, .low = 1, .high = 9};
static const struct config_row choice = {
    .name = "choice", .kind = KIND_CHOICE, .choices = "off|errors|all"};
static const struct config_row addresses = {.name = "listen", .kind = KIND_ADDRESSES};
static const struct config_row origins = {.name = "origins", .kind = KIND_ORIGINS};
static const struct config_row hosts = {.name = "hosts", .kind = KIND_HOSTS};

static uint64_t number(const struct config_row *row, const char *text)
{
    uint64_t value = 12345;

    ck_assert_msg(config_value_parse(row, &value, text, why, sizeof why), "%s: %s", text, why);
    return value;
}

static void refused(const struct config_row *row, const char *text, const char *said)
{
    uint64_t value = 12345;

    ck_assert_msg(!config_value_parse(row, &value, text, why, sizeof why), "%s is taken", text);
    ck_assert_str_eq(why, said);
    ck_assert_uint_eq(value, 12345);
}

START_TEST(sizes_take_binary_units)
{
    ck_assert_uint_eq(number(&size, "10"), 10);
    ck_assert_uint_eq(number(&size, "10B"), 10);
    ck_assert_uint_eq(number(&size, "64KiB"), 65536);
    ck_assert_uint_eq(number(&size, "64Ki"), 65536);
    ck_assert_uint_eq(number(&size, "256MiB"), 256 << 20);
    ck_assert_uint_eq(number(&size, "1GiB"), 1 << 30);
    ck_assert_uint_eq(number(&size, "1Ti"), UINT64_C(1) << 40);
    ck_assert_uint_eq(number(&elements, "4Gi"), UINT64_C(4) << 30);
}
END_TEST

START_TEST(sizes_refuse_what_is_ambiguous_or_too_large)
{
    static const char *const words[] = {"",
                                        "MiB",
                                        "1MB",
                                        "1M",
                                        "1 MiB",
                                        "-1",
                                        "+1",
                                        "1.5Gi",
                                        "0x10",
                                        "1mib",
                                        "18446744073709551616",
                                        "18446744073709551615KiB"};
    char said[200];

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        snprintf(said, sizeof said,
                 "must be bytes, such as 65536, 64KiB, 256MiB or 1GiB; got \"%s\"", words[i]);
        refused(&size, words[i], said);
    }
    refused(&size, "9", "must be 10..1TiB; got \"9\"");
    refused(&size, "2Ti", "must be 10..1TiB; got \"2Ti\"");
    refused(&elements, "1KiB", "must be a count, such as 4096, 16Mi or 1Gi; got \"1KiB\"");
    refused(&elements, "0", "must be 1..18446744073709551615; got \"0\"");
}
END_TEST

START_TEST(times_are_seconds_unless_they_have_a_unit)
{
    ck_assert_uint_eq(number(&span, "10"), 10000);
    ck_assert_uint_eq(number(&span, "10s"), 10000);
    ck_assert_uint_eq(number(&span, "250ms"), 250);
    ck_assert_uint_eq(number(&span, "2m"), 120000);
    ck_assert_uint_eq(number(&span, "1h"), 3600000);
    refused(&span, "9ms", "must be 10ms..1h; got \"9ms\"");
    refused(&span, "61m", "must be 10ms..1h; got \"61m\"");
    refused(&span, "1d", "must be seconds, or a time such as 500ms, 10s or 2m; got \"1d\"");
}
END_TEST

START_TEST(counts_are_whole_numbers_and_perhaps_auto)
{
    ck_assert_uint_eq(number(&count, "9"), 9);
    ck_assert_uint_eq(number(&automatic, "auto"), 0);
    ck_assert_uint_eq(number(&automatic, "1"), 1);
    refused(&count, "auto", "must be a whole number; got \"auto\"");
    refused(&count, "10", "must be 1..9; got \"10\"");
    refused(&automatic, "0", "must be 1..9; got \"0\"");
    refused(&automatic, "Auto", "must be auto or a whole number; got \"Auto\"");
}
END_TEST

START_TEST(choices_are_compared_whole)
{
    int value = 7;

    ck_assert(config_value_parse(&choice, &value, "off", why, sizeof why));
    ck_assert_int_eq(value, 0);
    ck_assert(config_value_parse(&choice, &value, "all", why, sizeof why));
    ck_assert_int_eq(value, 2);
    for (int i = 0; i < 4; i++) {
        const char *const words[] = {"", "al", "alll", "off|errors"};

        ck_assert(!config_value_parse(&choice, &value, words[i], why, sizeof why));
        ck_assert_msg(strncmp(why, "must be one of off|errors|all; got \"", 35) == 0, "%s",
                      why);
        ck_assert_int_eq(value, 2);
    }
}
END_TEST

START_TEST(an_invalid_address_is_not_added)
{
    struct config_list list = {.count = 0};

    ck_assert(config_value_parse(&addresses, &list, "127.0.0.1:80", why, sizeof why));
    ck_assert(!config_value_parse(&addresses, &list, "127.0.0.1", why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "must be ADDRESS:PORT"));
    ck_assert_uint_eq(list.count, 1);
}
END_TEST

START_TEST(hosts_are_names_or_addresses_without_a_port)
{
    static const char *const good[] = {"posenc.example", "localhost",      "10.0.0.1",
                                       "[::1]",          "Posenc.Example", "a_b"};
    static const char *const bad[] = {"posenc.example:80",
                                      "[::1]:80",
                                      "*",
                                      "*.example",
                                      "http://x",
                                      "x/y",
                                      "::1",
                                      "%41",
                                      "x y"};
    struct config_list list = {.count = 0};
    char said[200];

    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_assert(config_value_parse(&hosts, &list, good[i], why, sizeof why));
    ck_assert_uint_eq(list.count, sizeof good / sizeof *good);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(
            said, sizeof said,
            "must be a name or an address, such as posenc.example, 10.0.0.1 or [::1], without "
            "a port; got \"%s\"",
            bad[i]);
        ck_assert(!config_value_parse(&hosts, &list, bad[i], why, sizeof why));
        ck_assert_str_eq(why, said);
    }
    ck_assert_uint_eq(list.count, sizeof good / sizeof *good);
}
END_TEST

START_TEST(origins_are_as_browsers_send_them)
{
    static const char *const good[] = {"https://app.example",    "http://localhost:3000",
                                       "http://[::1]:8",         "https://app.example:80",
                                       "chrome-extension://abc", "*",
                                       "https://x:65535"};
    static const char *const bad[] = {"app.example",
                                      "https://",
                                      "https://app.example/",
                                      "://x",
                                      "https://App.example",
                                      "HTTPS://x",
                                      "https://x:443",
                                      "http://x:80",
                                      "https://x:",
                                      "https://x:08",
                                      "https://x:80:80",
                                      "null",
                                      "https://*.example",
                                      "https://u@x",
                                      "https://x?y",
                                      "https:/x",
                                      "https://x https://y",
                                      "https://x:123456",
                                      "https://x:65536",
                                      "https://x:99999",
                                      "https",
                                      "https:"};
    struct config_list list = {.count = 0};
    char said[300];

    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_assert_msg(config_value_parse(&origins, &list, good[i], why, sizeof why), "%s", why);
    ck_assert_uint_eq(list.count, sizeof good / sizeof *good);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(said, sizeof said,
                 "must be SCHEME://HOST or SCHEME://HOST:PORT as browsers send it, in lower "
                 "case, without a path or the scheme's own port, or *; got \"%s\"",
                 bad[i]);
        ck_assert_msg(!config_value_parse(&origins, &list, bad[i], why, sizeof why), "%s",
                      bad[i]);
        ck_assert_str_eq(why, said);
    }
    ck_assert_uint_eq(list.count, sizeof good / sizeof *good);
}
END_TEST

START_TEST(numbers_are_printed_in_the_largest_unit_that_fits)
{
    static const struct {
        const struct config_row *row;
        uint64_t value;
        const char *text;
    } cases[] = {
        {&size, 0, "0"},          {&size, 1000, "1000"},        {&size, 1024, "1KiB"},
        {&size, 1536, "1536"},    {&size, 256 << 20, "256MiB"}, {&span, 1000, "1s"},
        {&span, 1500, "1500ms"},  {&span, 90000, "90s"},        {&span, 120000, "2m"},
        {&elements, 4096, "4Ki"}, {&automatic, 0, "auto"},      {&count, 3, "3"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buffer text = {0};

        config_value_print(cases[i].row, &cases[i].value, &text);
        ck_assert_str_eq(text.bytes, cases[i].text);
        buffer_fini(&text);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(sizes_take_binary_units),
    TEST(sizes_refuse_what_is_ambiguous_or_too_large),
    TEST(times_are_seconds_unless_they_have_a_unit),
    TEST(counts_are_whole_numbers_and_perhaps_auto),
    TEST(choices_are_compared_whole),
    TEST(an_invalid_address_is_not_added),
    TEST(hosts_are_names_or_addresses_without_a_port),
    TEST(origins_are_as_browsers_send_them),
    TEST(numbers_are_printed_in_the_largest_unit_that_fits),
};

const struct suite config_value_suite = {SUITE_TESTS(tests)};
