/* SPDX-License-Identifier: Apache-2.0
 * file_faults.c - see file_faults.h. */
#include "server/files/file_faults.h"

#include <stdio.h>
#include <stdlib.h>

void file_faults_add(struct file_faults *faults, const char *name, const char *why)
{
    struct file_fault *at;

    if (faults->count == FILE_FAULTS_MAX)
        return;
    at = realloc(faults->at, (faults->count + 1) * sizeof *at);
    if (!at)
        return;
    faults->at = at;
    snprintf(at[faults->count].name, sizeof at->name, "%s", name);
    snprintf(at[faults->count].why, sizeof at->why, "%s", why);
    faults->count++;
}

void file_faults_write(const struct file_faults *faults, const char *kind, struct buffer *out)
{
    for (size_t i = 0; i < faults->count; i++)
        buffer_add_format(out, "[-] %s %s: %s\n", kind, faults->at[i].name, faults->at[i].why);
}

void file_faults_fini(struct file_faults *faults)
{
    free(faults->at);
    *faults = (struct file_faults){0};
}
