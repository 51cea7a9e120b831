/* SPDX-License-Identifier: Apache-2.0
 * first_process.h - the flags of the service that is process 1, as it is in a container: alone,
 * or behind an init program that was given the command (docker run --init). On a host process 1
 * is another program. */
#pragma once

#include <stdbool.h>

#include "proto/text/buffer.h"

#define FIRST_PROCESS "/proc/1"
#define FIRST_PROCESS_SELF "/proc/self/exe"

struct first_process {
    struct buffer text; /* the words, each with its NUL */
    char **word;        /* the flags of serve */
    int count;
};

/* Reads the words of process 1 in `folder`, where the first word that names the file `program`
 * is followed by those of a call of it. No flags are found where no word does, where the call
 * is of another command than serve, or where the words cannot be read. False: out of memory,
 * and there is nothing to free. */
bool first_process_read(struct first_process *process, const char *folder, const char *program);
void first_process_free(struct first_process *process);
