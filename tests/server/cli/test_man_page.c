/* SPDX-License-Identifier: Apache-2.0
 * test_man_page.c - roff text that says everything and requests nothing by accident;
 * tests/clients has it read by groff and mandoc. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cli/man_page.h"
#include "server/config/config.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

static const char *const macros[] = {".TH ", ".SH ", ".TP", ".B ", ".BR ",
                                     ".I ",  ".RI ", ".br", ".PP"};

static bool is_macro(const char *line)
{
    for (size_t i = 0; i < sizeof macros / sizeof macros[0]; i++)
        if (strncmp(line, macros[i], strlen(macros[i])) == 0)
            return true;
    return false;
}

/* A line that begins with a control character is one of our requests, and no hyphen is bare. */
static void check(const struct buffer *page)
{
    for (const char *line = page->bytes; *line; line += strcspn(line, "\n") + 1) {
        const size_t len = strcspn(line, "\n");

        ck_assert_msg((*line != '.' && *line != '\'') || is_macro(line), "%.*s", (int)len,
                      line);
        ck_assert_msg(len > 0, "an empty line");
        for (size_t i = 0; i < len && strncmp(line, ".TH", 3) != 0; i++)
            ck_assert_msg(line[i] != '-' || (i > 0 && line[i - 1] == '\\'), "%.*s", (int)len,
                          line);
    }
}

START_TEST(every_page_is_plain_roff)
{
    struct buffer page = {0};

    man_page_write(&page, command_at((size_t)_i));
    check(&page);
    ck_assert_mem_eq(page.bytes, ".TH POSENCD-", 12);
    buffer_fini(&page);
}
END_TEST

/* Where a long text is broken, a full stop or an apostrophe may be the first of a line. */
START_TEST(a_line_that_was_broken_begins_no_request)
{
    char about[400];
    struct command command = *command_at(COMMAND_VERSION);
    struct buffer page = {0};

    for (size_t words = 1; words < 40; words++) {
        size_t len = 0;

        for (size_t i = 0; i < words; i++)
            len += (size_t)snprintf(about + len, sizeof about - len, "%s",
                                    i % 2 ? "word " : "it is ");
        snprintf(about + len, sizeof about - len, ".br 'x .x .y 'z .a 'b .c 'd");
        command.about = about;
        man_page_write(&page, &command);
        check(&page);
        buffer_fini(&page);
    }
}
END_TEST

START_TEST(the_first_page_names_every_command_and_exit_code)
{
    struct buffer page = {0};

    man_page_write(&page, NULL);
    check(&page);
    for (size_t i = 0; i < command_exit_count(); i++)
        ck_assert_ptr_nonnull(strstr(page.bytes, command_exit_at(i)->meaning));
    ck_assert_ptr_null(strstr(page.bytes, "posencd\\-complete\n"));
    buffer_fini(&page);
}
END_TEST

START_TEST(a_lack_of_memory_fails_the_page)
{
    bool asked = true;

    for (size_t n = 0; asked; n++) {
        struct buffer page = {0};

        alloc_fail_start(n);
        man_page_write(&page, command_at(COMMAND_COMPUTE));
        const bool failed = page.failed;
        buffer_fini(&page);
        asked = alloc_fail_stop();
        ck_assert(failed == asked);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
}
END_TEST

SUITE(man_page, TEST_RANGE(every_page_is_plain_roff, 0, COMMAND_COUNT),
      TEST(a_line_that_was_broken_begins_no_request),
      TEST(the_first_page_names_every_command_and_exit_code),
      TEST(a_lack_of_memory_fails_the_page));
