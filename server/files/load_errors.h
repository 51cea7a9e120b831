/* SPDX-License-Identifier: Apache-2.0
 * load_errors.h - the operator's files that cannot be read, with reasons, for /readyz?verbose
 * and the log, which tells of each state of a file once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "proto/text/buffer.h"

enum { LOAD_ERRORS_MAX = 1024 };

struct log;

struct file_fault {
    char name[96];
    char why[320];
};

struct load_errors { /* {0} is empty */
    size_t count;
    struct file_fault *at;
    bool is_cut;   /* an error could not be added */
    uint64_t seen; /* errors that load_errors_replace found new */
};

/* Adds a file; both texts are cut to fit. Beyond LOAD_ERRORS_MAX, or out of memory, the file is
 * not added. */
void load_errors_add(struct load_errors *faults, const char *name, const char *why);
/* Writes "[-] model qwen.json: #/rope_scaling/type ...", one line a file. */
void load_errors_write(const struct load_errors *faults, const char *kind, struct buffer *out);
/* The log's events: a file cannot be read; it can, or it is gone. */
struct load_events {
    const char *bad, *over;
};

/* Logs the state of a file if it has changed: `before` and `now` say why it could not be read
 * and why it cannot, NULL for a file without an error. Returns true if the error is new. */
bool load_errors_log_file(struct log *log, const struct load_events *events, const char *name,
                          const char *before, const char *now);
/* Replaces the errors, under the lock, by those that are found now, which are taken over. Logs
 * the state of each file that has changed, and counts the errors that are new. */
void load_errors_replace(struct load_errors *held, struct load_errors *now,
                         const struct load_events *events, uv_mutex_t *lock, struct log *log);
void load_errors_fini(struct load_errors *faults);
