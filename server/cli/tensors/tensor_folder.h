/* SPDX-License-Identifier: Apache-2.0
 * tensor_folder.h - the files of tensors in a folder, as arguments of a command line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct tensor_folder {
    size_t count;
    char **file;  /* sorted; "DIR/cos.npy:cos" where a format has no names */
    char *config; /* "DIR/config.json"; NULL: there is none */
};

/* Lists the folder. False: it is none, or cannot be read; there is nothing to free then. */
bool tensor_folder_list(struct tensor_folder *folder, const char *path);
void tensor_folder_fini(struct tensor_folder *folder);
