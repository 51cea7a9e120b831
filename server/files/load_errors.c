/* SPDX-License-Identifier: Apache-2.0
 * load_errors.c - see load_errors.h. */
#include "server/files/load_errors.h"

#include <stdio.h>
#include <stdlib.h>

void load_errors_add(struct load_errors *faults, const char *name, const char *why)
{
    struct file_fault *at;

    if (faults->count == LOAD_ERRORS_MAX)
        return;
    at = realloc(faults->at, (faults->count + 1) * sizeof *at);
    if (!at)
        return;
    faults->at = at;
    snprintf(at[faults->count].name, sizeof at->name, "%s", name);
    snprintf(at[faults->count].why, sizeof at->why, "%s", why);
    faults->count++;
}

void load_errors_write(const struct load_errors *faults, const char *kind, struct buffer *out)
{
    for (size_t i = 0; i < faults->count; i++)
        buffer_add_format(out, "[-] %s %s: %s\n", kind, faults->at[i].name, faults->at[i].why);
}

void load_errors_fini(struct load_errors *faults)
{
    free(faults->at);
    *faults = (struct load_errors){0};
}
