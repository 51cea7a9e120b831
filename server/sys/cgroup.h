/* SPDX-License-Identifier: Apache-2.0
 * cgroup.h - the control group whose memory limit binds this process: of its own and those
 * around it the one that allows least; version 2, else version 1. */
#ifndef SERVER_CGROUP_H
#define SERVER_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

enum { CGROUP_PATH = 512 };

#define CGROUP_SELF "/proc/self/cgroup"

struct cgroup {
    char folder[CGROUP_PATH];
    bool first;     /* version 1: other names of files */
    uint64_t limit; /* bytes; UINT64_MAX: there is none */
};

/* root: where groups are mounted, NULL: none is; self: the file that names those of the
 * process. */
void cgroup_find(struct cgroup *cgroup, const char *root, const char *self);
/* Bytes taken of it that the kernel cannot take back by dropping what it has of files; 0:
 * unknown. */
uint64_t cgroup_used(const struct cgroup *cgroup);

#endif
