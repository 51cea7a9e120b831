/* SPDX-License-Identifier: Apache-2.0
 * test_scenarios.c - the scenarios that stand in the .scenarios files beside the tests of the
 * server, and how one fails (tests/support/scenario.h). */
#include <string.h>

#include "server/mhd/mhd_shortcut.h"
#include "tests/support/library.h"
#include "tests/support/scenario.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

/* Returns the rows of all files, which are read once and kept. */
static const struct rows *all_rows(void)
{
    static struct rows rows;

    if (rows.count == 0)
        rows_read_ending(&rows, "tests/server", ".scenarios");
    return &rows;
}

static size_t all_count(void)
{
    return scenario_count(all_rows());
}

START_TEST(each_scenario_of_the_data_files_holds)
{
    size_t count;
    const struct row *first = scenario_find(all_rows(), (size_t)_i, &count);
    char why[2000] = "";

    if (library_is_other(first->input))
        return;
    ck_assert_msg(scenario_holds(first, count, 0, why, sizeof why), "%s", why);
}
END_TEST

/* Responses are given to libmicrohttpd by its interface alone (mhd_shortcut.h), and those that
 * are ready-made are sent again. */
START_TEST(each_scenario_holds_without_shortcuts_past_the_library)
{
    size_t count;
    const struct row *first = scenario_find(all_rows(), (size_t)_i, &count);
    char why[2000] = "";
    unsigned kept = 1u << SHORTCUT_RAW_HEAD | 1u << SHORTCUT_SHARED;
    bool holds;

    if (library_is_other(first->input))
        return;
    if (library_reads_strictly()) /* and refuses what posencd would refuse otherwise */
        kept |= 1u << SHORTCUT_REFUSALS;
    served_refuse_shortcuts(SHORTCUTS_ALL & ~kept);
    holds = scenario_holds(first, count, 0, why, sizeof why);
    served_refuse_shortcuts(0);
    ck_assert_msg(holds, "%s", why);
}
END_TEST

/* Each text is one wrong scenario; its message holds the other string. */
static const struct {
    const char *text, *said;
} wrong[] = {
    {"a\n", "x:1: the input above has no expectation"},
    {"a\n    ask: livez\n", "x:2: ask: a request is [METHOD] /TARGET"},
    {"a\n    send: \n", "x:2: send: there is nothing to send"},
    {"a\n    ask: /livez\n    answer: 404\n", "x:3: a: the status is 200"},
    {"a\n    ask: /livez\n    header Content-Type length: 3\n", "x:3: a: the head is"},
    {"a\n    ask: /livez\n    304 of: /livez\n", "x:3: a: there is no other answer"},
    {"a\n    ask: /livez\n    anser: 200\n", "\"anser:\" is no expectation"},
    {"a\n    ask: /livez\n    keep tag: ETag\n", "x:3: keep tag: the head is"},
    {"a\n    ask: /livez\n    keep: Date\n", "x:3: keep: the head is"},
    {"a\n    copy: /version\n", "x:2: copy: a copy has a name"},
    {"a\n    copy v: /version\n    ask: /livez\n    same bytes as: v\n", "the bodies differ"},
    {"a\n    ask: /livez\n    same bytes as: v\n", "x:3: a: there is no other answer"},
    {"a\n    ask: /livez\n    gzip of: v\n", "x:3: gzip of: there is no copy v"},
    {"a\n    ask: /livez\n    each x: 2 | 3\n    answer: {x}00\n",
     "the status is 200: ok\n (3)"},
    {"a\n    times: 2\n    ask: /livez\n    answer: 200\n    then:\n    answer: 404\n",
     "x:6: a"},
    {"a\n    metric posencd_cache_entries at least: 1\n", "it is 0"},
    {"a\n    times: 2\n    ask: /livez\n    flags: --threads=1\n",
     "has its flags from the first"},
    {"a\n    reserve all but: 1000000000\n", "1000000000 cannot be reserved"},
    {"a\n    send: $'PUT /livez HTTP/1.0\\r\\n\\r\\n'\n    connection: open\n",
     "x:3: connection: the status is 0"},
};

START_TEST(a_wrong_scenario_fails_with_its_file_and_line)
{
    struct rows read = {.count = 0};
    char why[2000] = "nothing failed";

    rows_parse(&read, "x", wrong[_i].text);
    ck_assert(!scenario_holds(read.at, read.count, 0, why, sizeof why));
    ck_assert_msg(strstr(why, wrong[_i].said), "%s: %s", wrong[_i].text, why);
    rows_free(&read);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_COUNTED(each_scenario_of_the_data_files_holds, all_count),
    TEST_COUNTED(each_scenario_holds_without_shortcuts_past_the_library, all_count),
    TEST_EACH(a_wrong_scenario_fails_with_its_file_and_line, wrong),
};

const struct suite scenarios_suite = {SUITE_TESTS(tests), .timeout = 60};
