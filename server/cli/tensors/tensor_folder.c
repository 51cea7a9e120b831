/* SPDX-License-Identifier: Apache-2.0
 * tensor_folder.c - see tensor_folder.h. Files are known by the ends of their names. */
#include "server/cli/tensors/tensor_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/tensors/tensor_file.h"
#include "server/files/dir_names.h"

static bool is_config(const char *name)
{
    return strcmp(name, "config.json") == 0;
}

static bool is_wanted(const char *name)
{
    const struct tensor_file *kind = tensor_file_of(name);

    return is_config(name) || (name[0] != '.' && kind && !kind->alone);
}

/* Returns the file as an argument, which the caller frees; NULL: out of memory. */
static char *argument(const char *path, const char *name)
{
    const struct tensor_file *kind = tensor_file_of(name);
    const size_t size = strlen(path) + 2 * strlen(name) + 3;
    char *text = malloc(size);

    if (text && kind && kind->nameless)
        snprintf(text, size, "%s/%s:%.*s", path, name,
                 (int)(strlen(name) - strlen(kind->end) - 1), name);
    else if (text)
        snprintf(text, size, "%s/%s", path, name);
    return text;
}

static bool add(struct tensor_folder *folder, const char *path, const char *name)
{
    char *text = argument(path, name);

    if (text && is_config(name))
        folder->config = text;
    else if (text)
        folder->file[folder->count++] = text;
    return text != NULL;
}

bool tensor_folder_list(struct tensor_folder *folder, const char *path)
{
    const int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct dir_names names = {0};
    bool listed = dir >= 0 && dir_names_read(dir, is_wanted, &names);

    *folder = (struct tensor_folder){.count = 0};
    if (dir >= 0)
        close(dir);
    folder->file = listed ? calloc(names.count + 1, sizeof *folder->file) : NULL;
    listed = folder->file != NULL;
    for (size_t i = 0; listed && i < names.count; i++)
        listed = add(folder, path, names.at[i]);
    dir_names_free(&names);
    if (!listed)
        tensor_folder_fini(folder);
    return listed;
}

void tensor_folder_fini(struct tensor_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++)
        free(folder->file[i]);
    free(folder->file);
    free(folder->config);
    *folder = (struct tensor_folder){.count = 0};
}
