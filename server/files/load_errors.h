/* SPDX-License-Identifier: Apache-2.0
 * load_errors.h - the files of a folder that cannot be read, with reasons, for
 * /readyz?verbose. */
#pragma once

#include <stddef.h>

#include "proto/text/buffer.h"

enum { LOAD_ERRORS_MAX = 1024 };

struct file_fault {
    char name[96];
    char why[320];
};

struct load_errors { /* {0} is empty */
    size_t count;
    struct file_fault *at;
};

/* Adds a file; both texts are cut to fit. Beyond LOAD_ERRORS_MAX, or out of memory, the file is
 * not added. */
void load_errors_add(struct load_errors *faults, const char *name, const char *why);
/* Writes "[-] model qwen.json: #/rope_scaling/type ...", one line a file. */
void load_errors_write(const struct load_errors *faults, const char *kind, struct buffer *out);
void load_errors_fini(struct load_errors *faults);
