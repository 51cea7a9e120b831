/* SPDX-License-Identifier: Apache-2.0
 * tensor_file.c - see tensor_file.h. */
#include "proto/tensors/tensor_file.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NAMED = false, NAMELESS = true, ANYWHERE = false, ALONE = true };

static const struct tensor_file files[] = {
#define TENSOR_FILE(END, TYPE, NAMES, FOLDER) {END, TYPE, NAMES, FOLDER},
#include "proto/tensors/tensor_files.def"
#undef TENSOR_FILE
};
enum { FILES = sizeof files / sizeof *files };

const struct tensor_file *tensor_file_of(const char *name)
{
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot && dot > name && i < FILES; i++)
        if (strcasecmp(dot + 1, files[i].end) == 0)
            return &files[i];
    return NULL;
}

size_t tensor_file_count(void)
{
    return FILES;
}

const struct tensor_file *tensor_file_at(size_t i)
{
    return &files[i];
}

const char *tensor_file_print_ends(char text[TENSOR_FILE_ENDS_SIZE])
{
    size_t last = 0, used = 0;

    for (size_t i = 0; i < FILES; i++)
        last = files[i].alone ? last : i;
    for (size_t i = 0; i <= last; i++)
        if (!files[i].alone)
            used += (size_t)snprintf(text + used, TENSOR_FILE_ENDS_SIZE - used, "%s.%s",
                                     used == 0   ? ""
                                     : i == last ? " or "
                                                 : ", ",
                                     files[i].end);
    return text;
}
