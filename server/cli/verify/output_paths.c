/* SPDX-License-Identifier: Apache-2.0
 * output_paths.c - see output_paths.h. Files that are there are compared by their inodes,
 * others by the folder and the name. */
#include "server/cli/verify/output_paths.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "server/cli/tensors/tensor_folder.h"
#include "server/cli/tensors/tensor_path.h"

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Sets *folder to what stat says of the path's folder. */
static bool find_folder(const char *path, struct stat *folder)
{
    const size_t len = (size_t)(name_of(path) - path);
    char *text = strndup(len > 0 ? path : ".", len > 0 ? len : 1);
    const bool found = text && stat(text, folder) == 0;

    free(text);
    return found;
}

bool output_paths_are_one(const char *path, const char *other)
{
    struct stat one, two;

    if (strcmp(path, "-") == 0 || strcmp(other, "-") == 0)
        return strcmp(path, other) == 0;
    const bool is = stat(path, &one) == 0, are = stat(other, &two) == 0;
    if (!is && !are)
        return strcmp(name_of(path), name_of(other)) == 0 && find_folder(path, &one) &&
               find_folder(other, &two) && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
    return is && are && S_ISREG(one.st_mode) && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

static bool overwrites_file(const char *path, const char *operand)
{
    struct tensor_path read;

    return tensor_path_split(&read, operand) && output_paths_are_one(path, read.file);
}

bool output_paths_overwrite(const char *path, const char *operand)
{
    struct tensor_folder folder;

    if (strcmp(path, "-") == 0) /* the standard output, which no operand reads */
        return false;
    if (!tensor_folder_list(&folder, operand))
        return overwrites_file(path, operand);
    bool found = folder.config && output_paths_are_one(path, folder.config);
    for (size_t i = 0; i < folder.count && !found; i++)
        found = overwrites_file(path, folder.file[i]);
    tensor_folder_fini(&folder);
    return found;
}
