/* SPDX-License-Identifier: Apache-2.0
 * cgroup.h - the control group whose memory limit binds this process: the one of its own group
 * and its ancestors that allows least. Version 2, else version 1. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CGROUP_PATH = 512 };

#define CGROUP_SELF "/proc/self/cgroup"

struct cgroup {
    char folder[CGROUP_PATH];
    bool first;     /* version 1, whose files have other names */
    uint64_t limit; /* bytes; UINT64_MAX: there is no limit */
};

/* root: where groups are mounted; NULL: there is no limit. self: the file that names the groups
 * of the process. */
void cgroup_find(struct cgroup *cgroup, const char *root, const char *self);
/* Bytes in use that the kernel cannot free by dropping cached files; 0: unknown. */
uint64_t cgroup_used(const struct cgroup *cgroup);
