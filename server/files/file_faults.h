/* SPDX-License-Identifier: Apache-2.0
 * file_faults.h - which files of a folder cannot be read, and why: told by /readyz?verbose. */
#ifndef SERVER_FILE_FAULTS_H
#define SERVER_FILE_FAULTS_H

#include <stddef.h>

#include "proto/text/buffer.h"

enum { FILE_FAULTS_MAX = 1024 };

struct file_fault {
    char name[96];
    char why[320];
};

struct file_faults { /* {0} is empty */
    size_t count;
    struct file_fault *at;
};

/* Both are cut to fit. Beyond the last, or out of memory: not noted. */
void file_faults_add(struct file_faults *faults, const char *name, const char *why);
/* "[-] model qwen.json: #/rope_scaling/type ...", one a file. */
void file_faults_write(const struct file_faults *faults, const char *kind, struct buffer *out);
void file_faults_fini(struct file_faults *faults);

#endif
