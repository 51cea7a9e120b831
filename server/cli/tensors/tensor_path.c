/* SPDX-License-Identifier: Apache-2.0
 * tensor_path.c - see tensor_path.h. */
#include "server/cli/tensors/tensor_path.h"

#include <string.h>
#include <unistd.h>

/* Sets the file to the first bytes of the argument; false if they do not fit. */
static bool set(struct tensor_path *path, const char *argument, size_t len)
{
    if (len >= sizeof path->file)
        return false;
    memcpy(path->file, argument, len);
    path->file[len] = '\0';
    return true;
}

/* Finds the colon behind the longest part that is a file; the last colon where none is. */
static const char *find_colon(struct tensor_path *path, const char *argument)
{
    const char *last = strrchr(argument, ':');

    for (const char *colon = last; colon;
         colon = memrchr(argument, ':', (size_t)(colon - argument)))
        if (set(path, argument, (size_t)(colon - argument)) && access(path->file, F_OK) == 0)
            return colon;
    return last;
}

bool tensor_path_split(struct tensor_path *path, const char *argument)
{
    const char *colon = access(argument, F_OK) == 0 ? NULL : find_colon(path, argument);
    const size_t len = colon ? (size_t)(colon - argument) : strlen(argument);

    path->tensor = colon ? colon + 1 : NULL;
    return set(path, argument, len) && len > 0 && (!colon || colon[1] != '\0');
}
