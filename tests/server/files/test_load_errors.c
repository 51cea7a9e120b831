/* SPDX-License-Identifier: Apache-2.0
 * test_load_errors.c - each state of a file is logged once, when it changes. */
#include <stdio.h>
#include <string.h>

#include "server/files/load_errors.h"
#include "server/sys/log.h"
#include "tests/support/suite.h"

static const struct load_events events = {"bad", "over"};

static struct {
    FILE *lines;
    struct log *log;
    uv_mutex_t lock;
    struct load_errors held;
} here;

static void set_up(void)
{
    here.held = (struct load_errors){0};
    here.lines = tmpfile();
    ck_assert_ptr_nonnull(here.lines);
    here.log = log_new(fileno(here.lines), LOG_INFO, false, 200);
    uv_mutex_init(&here.lock);
}

static void tear_down(void)
{
    load_errors_fini(&here.held);
    uv_mutex_destroy(&here.lock);
    log_free(here.log);
    fclose(here.lines);
}

/* The lines that were logged since the last call, without their times. */
static void logged(const char *expected)
{
    static long at;
    struct buffer all = {0};
    char line[512];

    if (fseek(here.lines, 0, SEEK_END) == 0 && ftell(here.lines) < at)
        at = 0; /* another file */
    ck_assert_int_eq(fseek(here.lines, at, SEEK_SET), 0);
    while (fgets(line, sizeof line, here.lines))
        buffer_add_text(&all, strchr(line, ' ') + 1);
    at = ftell(here.lines);
    ck_assert_str_eq(all.len ? all.bytes : "", expected);
    buffer_fini(&all);
}

static void replace(struct load_errors *now)
{
    load_errors_replace(&here.held, now, &events, &here.lock, here.log);
}

/* The errors found now are those of files a and b; NULL: the file has none. */
static void find(const char *a, const char *b)
{
    struct load_errors now = {0};

    if (a)
        load_errors_add(&now, "a", a);
    if (b)
        load_errors_add(&now, "b", b);
    replace(&now);
}

START_TEST(each_state_of_a_file_is_logged_once)
{
    find("empty", NULL);
    logged("warn bad file=\"a\" why=\"empty\"\n");
    find("empty", NULL);
    logged("");
    find("empty", "torn");
    logged("warn bad file=\"b\" why=\"torn\"\n");
    find("no JSON", "torn");
    logged("warn bad file=\"a\" why=\"no JSON\"\n");
    find(NULL, "torn");
    logged("info over file=\"a\"\n");
    find(NULL, NULL);
    logged("info over file=\"b\"\n");
    ck_assert_uint_eq(here.held.seen, 3);
}
END_TEST

START_TEST(no_file_is_called_right_when_not_all_errors_were_kept)
{
    struct load_errors now = {0};
    char name[16];

    find("empty", NULL);
    logged("warn bad file=\"a\" why=\"empty\"\n");
    for (int i = 0; i < LOAD_ERRORS_MAX; i++) {
        snprintf(name, sizeof name, "%d", i);
        load_errors_add(&now, name, "torn");
    }
    load_errors_add(&now, "a", "empty");
    ck_assert_uint_eq(now.count, LOAD_ERRORS_MAX);
    ck_assert(now.is_cut);
    here.log = (log_free(here.log), log_new(fileno(here.lines), LOG_INFO, false, 1000000));
    replace(&now);
    ck_assert_uint_eq(here.held.seen, 1 + LOAD_ERRORS_MAX);
    rewind(here.lines);
    for (char line[512]; fgets(line, sizeof line, here.lines);)
        ck_assert_ptr_null(strstr(line, " over "));
}
END_TEST

START_TEST(the_errors_are_written_one_a_line)
{
    struct buffer text = {0};

    find("empty", "torn");
    load_errors_write(&here.held, "model", &text);
    ck_assert_str_eq(text.bytes, "[-] model a: empty\n[-] model b: torn\n");
    buffer_fini(&text);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(each_state_of_a_file_is_logged_once),
    TEST(no_file_is_called_right_when_not_all_errors_were_kept),
    TEST(the_errors_are_written_one_a_line),
};

const struct suite load_errors_suite = {SUITE_TESTS(tests), .setup = set_up,
                                        .teardown = tear_down};
