/* SPDX-License-Identifier: Apache-2.0
 * cgroup.c - see cgroup.h. */
#include "server/sys/cgroup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The files of each version, and the lines of memory.stat that count droppable memory. */
static const struct names {
    const char *limit, *used, *droppable[3];
} names[] = {
    {"memory.max", "memory.current", {"inactive_file ", "active_file ", "slab_reclaimable "}},
    {"memory.limit_in_bytes",
     "memory.usage_in_bytes",
     {"total_inactive_file ", "total_active_file ", NULL}},
};

/* Version 1 writes "no limit" as the largest multiple of a page below 2^63. */
#define BOUNDLESS (UINT64_C(1) << 60)

static FILE *open_in(const char *folder, const char *name)
{
    char path[CGROUP_PATH + 32];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "re");
}

/* The number in a file; UINT64_MAX for "max". False: the file has none. */
static bool read_number(const char *folder, const char *name, uint64_t *number)
{
    FILE *file = open_in(folder, name);
    char word[32];
    bool found = file && fscanf(file, "%31s", word) == 1;

    if (file)
        fclose(file);
    if (!found)
        return false;
    *number = strcmp(word, "max") == 0 ? UINT64_MAX : strtoull(word, NULL, 10);
    return true;
}

/* The path "/a/b" of the line "0::/a/b", or of the line of version 1 whose controllers include
 * memory. False: there is no such line, or the group is outside of the mounted tree. */
static bool read_own(const char *self, bool first, char path[CGROUP_PATH])
{
    FILE *file = fopen(self, "re");
    char line[CGROUP_PATH];
    bool found = false;

    while (file && !found && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':'), *at = NULL;

        if (controllers)
            at = strchr(++controllers, ':');
        if (!at)
            continue;
        *at++ = '\0';
        at[strcspn(at, "\n")] = '\0';
        found = first ? strstr(controllers, "memory") != NULL : *controllers == '\0';
        snprintf(path, CGROUP_PATH, "%s", at);
    }
    if (file)
        fclose(file);
    return found && path[0] == '/' && !strstr(path, "..");
}

/* Finds the smallest limit from the group of the process upwards; false: no group is
 * mounted. */
static bool find(struct cgroup *cgroup, const char *mount, const char *self)
{
    char own[CGROUP_PATH] = "", folder[2 * CGROUP_PATH];
    bool any = false;

    if (!read_own(self, cgroup->first, own))
        own[0] = '\0';
    for (char *slash;; *slash = '\0') {
        uint64_t limit;

        snprintf(folder, sizeof folder, "%s%s", mount, own);
        if (read_number(folder, names[cgroup->first].limit, &limit)) {
            any = true;
            if (limit < BOUNDLESS && limit < cgroup->limit && strlen(folder) < CGROUP_PATH) {
                cgroup->limit = limit;
                memcpy(cgroup->folder, folder, strlen(folder) + 1);
            }
        }
        slash = strrchr(own, '/');
        if (!slash)
            return any;
    }
}

void cgroup_find(struct cgroup *cgroup, const char *root, const char *self)
{
    char mount[CGROUP_PATH];

    *cgroup = (struct cgroup){.limit = UINT64_MAX};
    if (!root || (find(cgroup, root, self) && cgroup->limit != UINT64_MAX))
        return;
    snprintf(mount, sizeof mount, "%s/memory", root);
    cgroup->first = true;
    find(cgroup, mount, self);
}

static uint64_t droppable(const struct cgroup *cgroup)
{
    FILE *file = open_in(cgroup->folder, "memory.stat");
    const struct names *known = &names[cgroup->first];
    uint64_t sum = 0;
    char line[128];

    while (file && fgets(line, sizeof line, file))
        for (size_t i = 0; i < 3 && known->droppable[i]; i++)
            if (strncmp(line, known->droppable[i], strlen(known->droppable[i])) == 0)
                sum += strtoull(line + strlen(known->droppable[i]), NULL, 10);
    if (file)
        fclose(file);
    return sum;
}

uint64_t cgroup_used(const struct cgroup *cgroup)
{
    uint64_t used, dropped;

    if (cgroup->limit == UINT64_MAX ||
        !read_number(cgroup->folder, names[cgroup->first].used, &used))
        return 0;
    dropped = droppable(cgroup);
    return used > dropped ? used - dropped : 0;
}
