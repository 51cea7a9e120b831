/* SPDX-License-Identifier: Apache-2.0
 * log.h - writes one line an event to a descriptor, as JSON or text. It never blocks a loop: a
 * line that cannot be written at once, or exceeds the lines of a second, is dropped and
 * counted. Text of clients is escaped and cut; a line is at most 1 KiB. Thread-safe. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

struct log;
struct log_field { /* an array of fields ends with a NULL name */
    const char *name;
    const char *text; /* NULL: the field is a number */
    int64_t number;
};

/* A NULL log writes nothing. */
/* NULL: out of memory. */
struct log *log_new(int fd, enum log_level level, bool json, uint64_t lines_a_second);
void log_free(struct log *log);
bool log_wants(const struct log *log, enum log_level level);
void log_event(struct log *log, enum log_level level, const char *event,
               const struct log_field *fields);
uint64_t log_dropped(const struct log *log);
