/* SPDX-License-Identifier: Apache-2.0
 * test_make_models.c - tests that the generator that embeds core/models refuses incomplete
 * models, so that a build fails rather than serve them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define LINK "https://x/y/blob/0123456789012345678901234567890123456789/a/b"
#define HEAD "\"family\": \"f\", \"organisation\": \"o\", \"source\": \"" LINK "\""
#define ROPE "{\"encoding\": \"rope\", \"parameters\": {\"dim\": 8}}"
#define USES "\"uses\": [" ROPE "]"
#define MEMBER "\"id\": \"m\", \"name\": \"M\""
#define FILE_OF(USES_OF_IT, MEMBER_OF_IT)                                                      \
    "{" HEAD ", " USES_OF_IT ", \"members\": [{" MEMBER_OF_IT "}]}"
#define WITH(MORE) FILE_OF(USES, MEMBER ", " MORE)
#define LAID(LAYOUTS)                                                                          \
    USING("{\"encoding\": \"rope\", \"parameters\": {\"dim\": 8}, \"layouts\": {" LAYOUTS "}}")
#define USING(USE) FILE_OF("\"uses\": [" USE "]", MEMBER)

static const struct {
    const char *file, *told; /* NULL: the file is accepted */
} files[] = {
    {FILE_OF(USES, MEMBER), NULL},
    {"{", "Expecting"},
    {"{" HEAD ", " USES "}", "members must be a list"},
    {"{" HEAD ", " HEAD ", " USES "}", "a name stands twice in an object"},
    {"{" HEAD ", \"colour\": 1, " USES ", \"members\": [{" MEMBER "}]}",
     "the file has unknown members: colour"},
    {"{\"family\": \"f\", \"organisation\": \"o\", " USES ", \"members\": [{" MEMBER "}]}",
     "dim of the use of rope has no source"},
    {WITH("\"colour\": 1"), "m: a member has unknown members: colour"},
    {FILE_OF(USES, "\"name\": \"M\""), "id must be text"},
    {FILE_OF(USES, "\"id\": \"M\", \"name\": \"M\""), "id must be lower case letters"},
    {WITH("\"layers\": 1.5"), "layers must be a whole number"},
    {WITH("\"aliases\": [\"a b\"]"), "aliases must be a list of names as organisation/name"},
    {WITH("\"aliases\": [\"o/m\", \"o/M\"]"), NULL},
    {FILE_OF("\"uses\": []", MEMBER), "uses must hold something"},
    {USING("{\"parameters\": {\"dim\": 8}}"), "a use without encoding needs a layer_type"},
    {USING("{\"layer_type\": \"x\", \"parameters\": {\"dim\": 8}}"),
     "a use without encoding has no parameters"},
    {USING("{\"encoding\": \"rope\", \"layer_type\": \"x\"}"),
     "x is no type in layer_types and no stack"},
    {USING("{\"encoding\": \"learned\", \"layer_type\": \"embeddings\"}"), NULL},
    {USING("{\"encoding\": \"rope\", \"parameters\": {\"dim\": null}}"),
     "dim of the use of rope must be a number, a word, a boolean, or a list"},
    {USING("{\"encoding\": \"rope\", \"parameters\": {\"dim\": \"$dim\"}}"),
     "values has no dim, which a use takes as $dim"},
    {USING("{\"encoding\": \"causal-mask\", \"left_out\": \"other keys\"}"), NULL},
    {USING("{\"encoding\": \"causal-mask\", \"left_out\": true}"),
     "left_out of the use of causal-mask must be text"},
    {WITH("\"left_out\": {\"vision\": \"its tower\"}"), NULL},
    {WITH("\"left_out\": {\"vision\": 1}"), "left_out.vision must be text"},
    {WITH("\"left_out\": {\"smell\": \"its tower\"}"),
     "left_out: smell is none of vision, audio, draft, action"},
    {WITH("\"left_out\": []"), "left_out must be an object"},
    {USING(ROPE ", " ROPE), "an encoding stands twice for one group of layers"},
    {USING("{\"encoding\": \"t5\", \"tensors\": {\"table\": {\"shape\": [2, 3]}}}"),
     "tensors.table.name must be text"},
    {USING(
         "{\"encoding\": \"t5\", \"tensors\": {\"table\": {\"name\": \"t\", \"shape\": [0]}}}"),
     "a side of tensors.table.shape must be a whole number"},
    {LAID("\"transformers\": {\"parameters\": {\"dim\": 4}, \"source\": \"" LINK "\"}"), NULL},
    {LAID("\"transformers\": {\"parameters\": {\"dim\": 4}}"),
     "source of the layout of transformers must be a permalink"},
    {LAID("\"transformers\": {\"parameters\": {\"dim\": 8}, \"source\": \"" LINK "\"}"),
     "dim of the layout of transformers must be another value of the use of rope"},
    {LAID("\"transformers\": {\"parameters\": {}, \"source\": \"" LINK "\"}"),
     "the layout of transformers must have parameters of the use of rope"},
    {LAID("\"A b\": {}"), "layouts of the use of rope: A b is no name of a library"},
    {WITH("\"values\": {\"base\": 1}"), "values that no use takes: base"},
    {WITH("\"layer_types\": [\"a*0\"]"), "layer_types must hold names as sliding_attention"},
    {WITH("\"layer_types\": [\"a*2\", \"b\"], \"uses\": [{\"layer_type\": \"a\"}]"), NULL},
    {WITH("\"layer_types\": [\"a\"], \"uses\": [{\"encoding\": \"rope\", "
          "\"layer_type\": \"a\"}]"),
     "rope stands for a and for all layers"},
    {FILE_OF("\"uses\": [{\"layer_type\": \"a\"}]", MEMBER ", \"layer_types\": [\"a\", \"b\"]"),
     "no use is about the layers of b"},
    {WITH("\"stacks\": {\"vision\": 0}"), "layers of the stack vision must be a whole number"},
    {WITH("\"stacks\": {\"vision\": {\"layers\": 4, \"layer_types\": [\"v*3\", \"w\"]}}, "
          "\"uses\": "
          "[{\"encoding\": \"causal-mask\", \"layer_type\": [\"vision\", \"w\"]}]"),
     NULL},
    {WITH("\"source\": \"code\""),
     "must be REPOSITORY/blob/COMMIT/PATH or a name in files; got code"},
    {WITH("\"source\": \"https://x/y/blob/main/a\""), "must be REPOSITORY/blob/COMMIT/PATH"},
    {WITH("\"sources\": {\"base\": \"" LINK "\"}"), "sources names no fact of it: base"},
    {"{" HEAD ", " USES ", \"sources\": {\"base\": \"" LINK "\"}, \"members\": [{" MEMBER "}]}",
     "sources names no fact of a member: base"},
    {"{" HEAD ", " USES ", \"members\": [{" MEMBER "}, {" MEMBER "}]}",
     "m: the name m is m's already"},
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
    ck_assert_msg(strstr(told, files[_i].told != NULL ? files[_i].told : "embedded_names[]") !=
                      NULL,
                  "%s", told);
}
END_TEST

/* Files of downloads beside a model m. */
static const struct {
    const char *list, *told;
} lists[] = {
    {"# a comment\nm 12\n", "embedded_names[]"},
    {"m\n", "a line must be the id of a model and its downloads"},
    {"m 0\n", "a line must be the id of a model and its downloads"},
    {"n 12\n", "n is the id of no model"},
    {"m 12\nm 12\n", "m stands twice"},
    {"m 12\nk 13\n", "k has more than the line before it"},
};

START_TEST(downloads_are_those_of_models_from_the_most_to_the_fewest)
{
    struct scratch *scratch = scratch_new();
    char command[96 + 2 * SCRATCH_PATH], told[2048], path[SCRATCH_PATH];

    scratch_write(scratch, "m.json",
                  "{" HEAD ", " USES ", \"members\": [{" MEMBER
                  "}, {\"id\": \"k\", \"name\": \"K\"}]}");
    scratch_write(scratch, "downloads.txt", lists[_i].list);
    snprintf(path, sizeof path, "%s", scratch_path(scratch, "m.json"));
    snprintf(command, sizeof command,
             "/usr/bin/python3 proto/models/make_models.py --downloads=%s %s 2>&1",
             scratch_path(scratch, "downloads.txt"), path);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    told[fread(told, 1, sizeof told - 1, pipe)] = '\0';
    int status = pclose(pipe);
    scratch_free(scratch);
    ck_assert_msg((status == 0) == (_i == 0), "%s", told);
    ck_assert_msg(strstr(told, lists[_i].told) != NULL, "%s", told);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_file_is_whole_or_the_build_fails, files),
    TEST_EACH(downloads_are_those_of_models_from_the_most_to_the_fewest, lists),
};

const struct suite make_models_suite = {SUITE_TESTS(tests), .timeout = 30};
