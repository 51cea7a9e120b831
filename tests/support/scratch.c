/* SPDX-License-Identifier: Apache-2.0
 * scratch.c - see scratch.h. */
#include "tests/support/scratch.h"

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct scratch {
    char path[SCRATCH_PATH / 2];
};

struct scratch *scratch_new(void)
{
    const char *below = getenv("TMPDIR");
    struct scratch *scratch = malloc(sizeof *scratch);

    ck_assert_ptr_nonnull(scratch);
    ck_assert_int_lt(snprintf(scratch->path, sizeof scratch->path, "%s/posenc-test-XXXXXX",
                              below && *below ? below : "/tmp"),
                     (int)sizeof scratch->path);
    ck_assert_ptr_nonnull(mkdtemp(scratch->path));
    return scratch;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status, (void)type, (void)place;
    return remove(path);
}

void scratch_free(struct scratch *scratch)
{
    ck_assert_int_eq(nftw(scratch->path, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
    free(scratch);
}

const char *scratch_folder(const struct scratch *scratch)
{
    return scratch->path;
}

const char *scratch_path(const struct scratch *scratch, const char *name)
{
    static char paths[4][SCRATCH_PATH];
    static size_t turn;
    char *path = paths[turn++ % 4];

    ck_assert_int_lt(snprintf(path, SCRATCH_PATH, "%s/%s", scratch->path, name), SCRATCH_PATH);
    return path;
}

void scratch_write(const struct scratch *scratch, const char *name, const char *text)
{
    char path[SCRATCH_PATH];
    FILE *file;

    snprintf(path, sizeof path, "%s", scratch_path(scratch, name));
    for (char *slash = path + strlen(scratch->path) + 1; (slash = strchr(slash, '/'));
         slash++) {
        *slash = '\0';
        mkdir(path, 0700); /* or it is there */
        *slash = '/';
    }
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

void scratch_replace(const struct scratch *scratch, const char *name, const void *bytes,
                     size_t len)
{
    const char *fresh = scratch_path(scratch, ".new");
    FILE *file = fopen(fresh, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(rename(fresh, scratch_path(scratch, name)), 0);
}
