/* SPDX-License-Identifier: Apache-2.0
 * load_errors.h - which files of a folder cannot be read, and why: told by /readyz?verbose. */
#ifndef SERVER_LOAD_ERRORS_H
#define SERVER_LOAD_ERRORS_H

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

/* Both are cut to fit. Beyond the last, or out of memory: not noted. */
void load_errors_add(struct load_errors *faults, const char *name, const char *why);
/* "[-] model qwen.json: #/rope_scaling/type ...", one a file. */
void load_errors_write(const struct load_errors *faults, const char *kind, struct buffer *out);
void load_errors_fini(struct load_errors *faults);

#endif
