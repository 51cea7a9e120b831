/* SPDX-License-Identifier: Apache-2.0
 * dir_names.h - the names in a folder of the operator, in order. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct dir_names {
    char **at;
    size_t count;
};

/* The names in the open folder for which is_wanted holds, in the order of their bytes; to be
 * freed with dir_names_free in either case. False: errno says why they cannot be read. */
bool dir_names_read(int dir, bool (*is_wanted)(const char *name), struct dir_names *names);
void dir_names_free(struct dir_names *names);
