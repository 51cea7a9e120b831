/* SPDX-License-Identifier: Apache-2.0
 * first_process.c - see first_process.h. */
#include "server/cli/first_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "server/cli/command/command.h"

enum { PATH_SIZE = 256, CHUNK = 4096 };

/* Adds the file's bytes; nothing if it cannot be read. */
static void read_file(struct buffer *text, const char *folder, const char *name)
{
    char path[PATH_SIZE], chunk[CHUNK];
    FILE *file;
    size_t got;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "re");
    if (!file)
        return;
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0)
        buffer_add(text, chunk, got);
    fclose(file);
}

static bool is_same_file(const char *path, const struct stat *program)
{
    struct stat found;

    return stat(path, &found) == 0 && found.st_dev == program->st_dev &&
           found.st_ino == program->st_ino;
}

/* Makes an array of the words of the text. False: out of memory. */
static bool split(struct first_process *process)
{
    size_t count = 0, at = 0;

    for (size_t i = 0; i < process->text.len; i++)
        count += process->text.bytes[i] == '\0';
    process->word = calloc(count + 1, sizeof *process->word);
    if (!process->word)
        return false;
    process->count = (int)count;
    for (size_t i = 0; i < count; i++) {
        process->word[i] = process->text.bytes + at;
        at += strlen(process->word[i]) + 1;
    }
    return true;
}

/* The number of the word behind the one that names the program; count + 1 if none does. The
 * first word may be a name without its folder: then the program that runs decides. */
static int find_call(const struct first_process *process, const char *folder,
                     const char *program)
{
    char path[PATH_SIZE];
    struct stat self;

    if (stat(program, &self) != 0)
        return process->count + 1;
    snprintf(path, sizeof path, "%s/exe", folder);
    if (is_same_file(path, &self))
        return 1;
    for (int i = 0; i < process->count; i++)
        if (is_same_file(process->word[i], &self))
            return i + 1;
    return process->count + 1;
}

/* Keeps the flags of serve alone, of the words from number `start` on. */
static void keep_flags(struct first_process *process, int start)
{
    const char *const serve = command_at(COMMAND_SERVE)->name;
    int left = process->count - start;

    if (left > 0 && strcmp(process->word[start], serve) == 0) {
        start++;
        left--;
    } else if (left > 0 && process->word[start][0] != '-') {
        left = 0;
    }
    process->count = left > 0 ? left : 0;
    memmove(process->word, process->word + start, (size_t)process->count * sizeof(char *));
}

bool first_process_read(struct first_process *process, const char *folder, const char *program)
{
    *process = (struct first_process){0};
    read_file(&process->text, folder, "cmdline");
    if (process->text.failed || !split(process)) {
        buffer_fini(&process->text);
        return false;
    }
    keep_flags(process, find_call(process, folder, program));
    return true;
}

void first_process_free(struct first_process *process)
{
    free(process->word);
    buffer_fini(&process->text);
}
