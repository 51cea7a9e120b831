/* SPDX-License-Identifier: Apache-2.0
 * test_make_models.c - tests that the generator that embeds core/models refuses incomplete
 * models, so that a build fails rather than serve them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SOURCE                                                                                 \
    "\"source\": {\"repository\": \"https://x\", \"path\": \"a/b\", \"commit\": "              \
    "\"0123456789012345678901234567890123456789\"}"
#define NAMES "\"id\": \"m\", \"name\": \"M\", \"organisation\": \"o\", \"family\": \"f\""
#define USES "\"uses\": [{\"encoding\": \"rope\", \"parameters\": {\"dim\": 8}}]"

static const struct {
    const char *file, *told; /* NULL: the file is accepted */
} files[] = {
    {"{" NAMES ", " USES ", " SOURCE "}", NULL},
    {"{" NAMES ", " USES "}", "source is missing"},
    {"{" NAMES ", " SOURCE "}", "uses is missing"},
    {"{" NAMES ", " USES ", " SOURCE ", \"colour\": 1}", "unknown members ['colour']"},
    {"{" NAMES ", " NAMES ", " USES ", " SOURCE "}", "a name stands twice in an object"},
    {"{" NAMES ", \"layers\": 1.5, " USES ", " SOURCE "}", "layers must be a whole number"},
    {"{" NAMES ", \"aliases\": [], " USES ", " SOURCE "}", "aliases must be a list of words"},
    {"{" NAMES ", \"uses\": [], " SOURCE "}", "uses must hold something"},
    {"{" NAMES ", \"uses\": [{\"encoding\": \"rope\"}], " SOURCE "}",
     "encoding and parameters stand together"},
    {"{" NAMES ", \"uses\": [{\"layer_type\": \"x\"}], " SOURCE "}",
     "layer_type x is not in layer_types"},
    {"{" NAMES
     ", \"uses\": [{\"encoding\": \"rope\", \"parameters\": {\"dim\": null}}], " SOURCE "}",
     "dim must be a number, a word, a boolean or a list of numbers"},
    {"{" NAMES ", " USES ", \"source\": {\"repository\": \"https://x\"}}",
     "source must have repository, path and commit"},
    {"{" NAMES ", " USES ", \"source\": {\"repository\": \"https://x\", \"path\": \"a\", "
     "\"commit\": \"main\"}}",
     "source.commit must be 40 hexadecimal digits"},
    {"{", "Expecting"},
};

START_TEST(a_file_is_whole_or_the_build_fails)
{
    struct scratch *scratch = scratch_new();
    char command[64 + SCRATCH_PATH], told[2048];

    scratch_write(scratch, "m.json", files[_i].file);
    snprintf(command, sizeof command, "/usr/bin/python3 proto/models/make_models.py %s 2>&1",
             scratch_path(scratch, "m.json"));
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    told[fread(told, 1, sizeof told - 1, pipe)] = '\0';
    int status = pclose(pipe);
    scratch_free(scratch);
    ck_assert_msg((status == 0) == (!files[_i].told), "%s", told);
    ck_assert_msg(strstr(told, files[_i].told != NULL ? files[_i].told : "embedded[]") != NULL,
                  "%s", told);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_file_is_whole_or_the_build_fails, files),
};

const struct suite make_models_suite = {SUITE_TESTS(tests), .timeout = 30};
