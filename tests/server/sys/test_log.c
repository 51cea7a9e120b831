/* SPDX-License-Identifier: Apache-2.0
 * test_log.c - lines are whole, safe and few; writing never waits for the reader. */
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/sys/log.h"
#include "tests/support/suite.h"

static int ends[2];
static char text[1 << 17];

static void begin(void)
{
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

static void end(void)
{
    close(ends[0]);
    if (ends[1] >= 0)
        close(ends[1]);
}

/* The text that was written so far. */
static size_t written(void)
{
    size_t len = 0;
    ssize_t got;

    while ((got = read(ends[0], text + len, sizeof text - 1 - len)) > 0)
        len += (size_t)got;
    text[len] = '\0';
    return len;
}

START_TEST(a_json_line_is_an_object_with_all_fields)
{
    struct log *log = log_new(ends[1], LOG_INFO, true, 200);
    json_t *line;
    const char *time;

    log_event(log, LOG_WARN, "happened",
              (struct log_field[]){{.name = "target", .text = "/a\"b\\c\x01\n\x7f\xff"},
                                   {.name = "count", .number = -3},
                                   {.name = NULL}});
    ck_assert_uint_gt(written(), 0);
    line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(line);
    time = json_string_value(json_object_get(line, "time"));
    ck_assert_uint_eq(strlen(time), strlen("2026-01-01T00:00:00.000Z"));
    ck_assert_str_eq(json_string_value(json_object_get(line, "level")), "warn");
    ck_assert_str_eq(json_string_value(json_object_get(line, "event")), "happened");
    ck_assert_str_eq(json_string_value(json_object_get(line, "target")),
                     "/a\"b\\c\x01\n\x7f\xc3\xbf");
    ck_assert_int_eq(json_integer_value(json_object_get(line, "count")), -3);
    json_decref(line);
    for (const char *at = text; at[1]; at++)
        ck_assert_msg(*at >= 0x20 && *at < 0x7f, "0x%02x in the line", (unsigned char)*at);
    log_free(log);
}
END_TEST

START_TEST(a_text_line_has_its_fields_as_name_and_value)
{
    struct log *log = log_new(ends[1], LOG_INFO, false, 200);

    log_event(log, LOG_INFO, "listening",
              (struct log_field[]){{.name = "on", .text = "x"},
                                   {.name = "n", .number = 7},
                                   {.name = NULL}});
    log_event(log, LOG_INFO, "bare", NULL);
    written();
    ck_assert_ptr_nonnull(strstr(text, "Z info listening on=\"x\" n=7\n"));
    ck_assert_ptr_nonnull(strstr(text, "Z info bare\n"));
    log_free(log);
}
END_TEST

START_TEST(lines_below_the_configured_level_are_not_written)
{
    struct log *log = log_new(ends[1], LOG_WARN, true, 200);

    ck_assert(log_wants(log, LOG_ERROR));
    ck_assert(!log_wants(log, LOG_INFO));
    log_event(log, LOG_INFO, "no", NULL);
    ck_assert_uint_eq(written(), 0);
    ck_assert_uint_eq(log_dropped(log), 0);
    log_free(log);
}
END_TEST

START_TEST(a_null_log_writes_nothing)
{
    ck_assert(!log_wants(NULL, LOG_ERROR));
    log_event(NULL, LOG_ERROR, "no", NULL);
    ck_assert_uint_eq(log_dropped(NULL), 0);
    log_free(NULL);
}
END_TEST

START_TEST(a_line_is_cut_at_1_kib_and_still_json)
{
    struct log *log = log_new(ends[1], LOG_INFO, true, 200);
    static char quotes[5000], words[5000];
    struct log_field fields[12] = {0};
    json_t *line;

    memset(quotes, '"', sizeof quotes - 1);
    memset(words, 'a', sizeof words - 1);
    for (int i = 0; i < 11; i++)
        fields[i] = (struct log_field){
            .name = (const char *[]){"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}[i],
            .text = i % 2 ? words : quotes};
    for (int count = 0; count < 12; count++) {
        fields[count].name = NULL;
        log_event(log, LOG_INFO, "long", fields);
        ck_assert_uint_le(written(), 1024);
        line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        ck_assert_msg(line != NULL, "%s", text);
        json_decref(line);
        fields[count].name =
            (const char *[]){"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}[count];
    }
    log_free(log);
}
END_TEST

START_TEST(a_full_pipe_loses_lines_without_waiting)
{
    struct log *log = log_new(ends[1], LOG_INFO, true, 200);
    char page[4096];

    fcntl(ends[1], F_SETFL,
          O_NONBLOCK); /* non-blocking to fill it; the log must not need that */
    memset(page, 'x', sizeof page);
    while (write(ends[1], page, sizeof page) > 0)
        ;
    fcntl(ends[1], F_SETFL, 0);
    log_event(log, LOG_INFO, "lost", NULL);
    ck_assert_uint_eq(log_dropped(log), 1);
    while (read(ends[0], page, sizeof page) > 0)
        ;
    log_event(log, LOG_INFO, "found", NULL);
    ck_assert_uint_gt(written(), 0);
    ck_assert_ptr_nonnull(strstr(text, "\"found\""));
    ck_assert_ptr_null(strstr(text, "\"lost\""));
    log_free(log);
}
END_TEST

START_TEST(a_closed_pipe_only_loses_lines)
{
    struct log *log;

    close(ends[1]);
    ends[1] = open("/dev/full", O_WRONLY | O_CLOEXEC);
    log = log_new(ends[1], LOG_INFO, true, 200);
    log_event(log, LOG_INFO, "lost", NULL);
    ck_assert_uint_eq(log_dropped(log), 1);
    log_free(log);
}
END_TEST

/* A second may begin among the lines, and another be reported. */
START_TEST(as_many_lines_are_written_as_the_rate_says)
{
    struct log *log = log_new(ends[1], LOG_INFO, true, 5);
    size_t lines = 0;

    for (int i = 0; i < 100; i++)
        log_event(log, LOG_INFO, "many", NULL);
    written();
    for (const char *at = text; (at = strstr(at, "\"many\"")) != NULL; at++)
        lines++;
    ck_assert_uint_ge(lines, 5);
    ck_assert_uint_le(lines, 10);
    ck_assert_uint_eq(lines + log_dropped(log), 100);
    log_free(log);
}
END_TEST

START_TEST(more_than_200_lines_a_second_are_dropped_and_reported)
{
    struct log *log = log_new(ends[1], LOG_INFO, true, 200);
    char *said = NULL;
    size_t lines = 0, total = 0;

    /* Lines for many seconds, so that a new second begins among them. */
    while (!said) {
        for (int i = 0; i < 1000; i++, total++)
            log_event(log, LOG_INFO, "many", NULL);
        written();
        for (const char *at = text; (at = strstr(at, "\"many\"")) != NULL; at++)
            lines++;
        said = strstr(text, "\"lines dropped\",\"count\":");
    }
    ck_assert_uint_gt(strtoul(said + strlen("\"lines dropped\",\"count\":"), NULL, 10), 0);
    ck_assert_uint_eq(lines + log_dropped(log), total);
    ck_assert_uint_gt(log_dropped(log), 0);
    log_free(log);
}
END_TEST

/* The disk becomes full within a line. */
START_TEST(a_line_cut_by_the_disk_does_not_spoil_the_next)
{
    FILE *file = tmpfile();
    struct rlimit old, less;
    struct log *log = log_new(fileno(file), LOG_INFO, true, 200);

    void (*action)(int) = signal(SIGXFSZ, SIG_IGN);
    off_t first;
    ssize_t len;
    char *line;

    log_event(log, LOG_INFO, "first", NULL);
    first = lseek(fileno(file), 0, SEEK_CUR);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
    less = (struct rlimit){.rlim_cur = (rlim_t)first + 10, .rlim_max = old.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &less), 0);
    log_event(log, LOG_INFO, "cut", NULL);
    log_event(log, LOG_INFO, "lost", NULL);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, action);
    log_event(log, LOG_INFO, "whole", NULL);
    ck_assert_uint_eq(log_dropped(log), 2);
    len = pread(fileno(file), text, sizeof text - 1, 0);
    ck_assert_int_gt(len, first);
    text[len] = '\0';
    line = strchr(text + first, '\n');
    ck_assert_int_eq(line - (text + first), 10);
    line = strstr(line, "\"whole\"");
    ck_assert_ptr_nonnull(line);
    for (line = strchr(text + first, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        json_t *read = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);

        ck_assert_ptr_nonnull(read);
        json_decref(read);
    }
    log_free(log);
    fclose(file);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_json_line_is_an_object_with_all_fields),
    TEST(a_text_line_has_its_fields_as_name_and_value),
    TEST(lines_below_the_configured_level_are_not_written),
    TEST(a_null_log_writes_nothing),
    TEST(a_line_is_cut_at_1_kib_and_still_json),
    TEST(a_full_pipe_loses_lines_without_waiting),
    TEST(a_closed_pipe_only_loses_lines),
    TEST(a_line_cut_by_the_disk_does_not_spoil_the_next),
    TEST(as_many_lines_are_written_as_the_rate_says),
    TEST(more_than_200_lines_a_second_are_dropped_and_reported),
};

const struct suite log_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end,
                                .timeout = 30};
