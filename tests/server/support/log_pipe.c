/* SPDX-License-Identifier: Apache-2.0
 * log_pipe.c - see log_pipe.h. */
#include "tests/server/support/log_pipe.h"

#include <check.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void log_pipe_open(struct log_pipe *lines)
{
    ck_assert_int_eq(pipe2(lines->ends, O_CLOEXEC), 0);
    lines->log = log_new(lines->ends[1], LOG_INFO, true, 200);
    lines->text[0] = '\0';
}

void log_pipe_close(struct log_pipe *lines)
{
    log_free(lines->log);
    close(lines->ends[0]);
    close(lines->ends[1]);
}

void log_pipe_await(struct log_pipe *lines, const char *words)
{
    size_t len = strlen(lines->text);

    do {
        ssize_t got = read(lines->ends[0], lines->text + len, sizeof lines->text - 1 - len);

        ck_assert_int_gt(got, 0);
        len += (size_t)got;
        lines->text[len] = '\0';
    } while (!strstr(lines->text, words) || lines->text[len - 1] != '\n');
}

void log_pipe_expect(const struct log_pipe *lines, const char *words)
{
    ck_assert_msg(strstr(lines->text, words) != NULL, "no %s in %s", words, lines->text);
}
