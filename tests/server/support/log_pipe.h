/* SPDX-License-Identifier: Apache-2.0
 * log_pipe.h - a log whose lines the test reads from a pipe. */
#pragma once

#include "server/sys/log.h"

struct log_pipe {
    struct log *log; /* of JSON lines, from LOG_INFO on */
    int ends[2];
    char text[32768]; /* the lines that were read so far */
};

void log_pipe_open(struct log_pipe *lines);
void log_pipe_close(struct log_pipe *lines);
/* Reads lines until one has the words, which is waited for. */
void log_pipe_await(struct log_pipe *lines, const char *words);
/* Fails the test unless the lines that were read have the words. */
void log_pipe_expect(const struct log_pipe *lines, const char *words);
