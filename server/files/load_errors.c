/* SPDX-License-Identifier: Apache-2.0
 * load_errors.c - see load_errors.h. */
#include "server/files/load_errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/sys/log.h"

void load_errors_add(struct load_errors *faults, const char *name, const char *why)
{
    struct file_fault *at;

    faults->is_cut = faults->count == LOAD_ERRORS_MAX;
    if (faults->is_cut)
        return;
    at = realloc(faults->at, (faults->count + 1) * sizeof *at);
    faults->is_cut = !at;
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

bool load_errors_log_file(struct log *log, const struct load_events *events, const char *name,
                          const char *before, const char *now)
{
    struct log_field fields[] = {{.name = "file", .text = name},
                                 {.name = now ? "why" : NULL, .text = now},
                                 {0}};
    bool is_new = now && (!before || strcmp(before, now) != 0);

    if (is_new)
        log_event(log, LOG_WARN, events->bad, fields);
    else if (before && !now)
        log_event(log, LOG_INFO, events->over, fields);
    return is_new;
}

/* Why the file of that name cannot be read; NULL: it has no error. */
static const char *reason_of(const struct load_errors *faults, const char *name)
{
    for (size_t i = 0; i < faults->count; i++)
        if (strcmp(faults->at[i].name, name) == 0)
            return faults->at[i].why;
    return NULL;
}

void load_errors_replace(struct load_errors *held, struct load_errors *now,
                         const struct load_events *events, uv_mutex_t *lock, struct log *log)
{
    struct load_errors before = *held;

    now->seen = before.seen;
    for (size_t i = 0; i < now->count; i++)
        now->seen += load_errors_log_file(log, events, now->at[i].name,
                                          reason_of(&before, now->at[i].name), now->at[i].why);
    for (size_t i = 0; i < before.count && !now->is_cut; i++)
        if (!reason_of(now, before.at[i].name))
            load_errors_log_file(log, events, before.at[i].name, before.at[i].why, NULL);
    uv_mutex_lock(lock);
    *held = *now;
    uv_mutex_unlock(lock);
    load_errors_fini(&before);
}

void load_errors_fini(struct load_errors *faults)
{
    free(faults->at);
    *faults = (struct load_errors){0};
}
