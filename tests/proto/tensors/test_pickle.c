/* SPDX-License-Identifier: Apache-2.0
 * test_pickle.c - the pickle of torch.save, as data: its tensors, and what is refused. */
#include <stdio.h>
#include <string.h>

#include "proto/tensors/pickle.h"
#include "tests/support/suite.h"

/* The parts of {"cos": tensor of float32 [2,2], "step": 7, "deep": [{"ids": 2}]}. */
#define STORAGE "((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0000X\3\0\0\0cpuK\4tQ"
#define SHAPE "K\0K\2K\2\x86K\2K\1\x86\x89"
#define TENSOR                                                                                 \
    "ctorch._utils\n_rebuild_tensor_v2\n" STORAGE SHAPE "ccollections\nOrderedDict\n)RtR"
#define BYTES(TEXT) (const unsigned char *)(TEXT), sizeof(TEXT) - 1

static const struct {
    const unsigned char *bytes;
    size_t len;
    const char *says; /* the tensors, or the sentence */
} rows[] = {
    {BYTES("\x80\2}(X\3\0\0\0cos" TENSOR "X\4\0\0\0stepK\7X\4\0\0\0deep]}X\3\0\0\0idsK\2sau."),
     "cos f32 0 2,2"},
    {BYTES("\x80\2" TENSOR "."), " f32 0 2,2"},
    {BYTES("\x80\2}X\1\0\0\0a]" TENSOR "as."), "a.0 f32 0 2,2"},
    {BYTES("\x80\2ctorch._utils\n_rebuild_parameter\n" TENSOR "\x88"
           "ccollections\nOrderedDict\n)R"
           "\x87R."),
     " f32 0 2,2"},
    {BYTES("\x80\4\x95\1\0\0\0\0\0\0\0\x8c\5torch\x8c\14FloatStorage\x93."), ""},
    {BYTES("\x80\2c__builtin__\neval\nX\1\0\0\0001\x85R."),
     "the pickle names __builtin__.eval (opcode GLOBAL), which is no part of a tensor; nothing "
     "was called"},
    {BYTES("\x80\4\x8c\2os\x8c\6system\x93."),
     "the pickle names os.system (opcode GLOBAL), which is no part of a tensor; nothing was "
     "called"},
    {BYTES("\x80\2i."),
     "the pickle has opcode 0x69, which no tensor needs; nothing was called"},
    {BYTES("\x80\2}X\1\0\0\0aK\1"),
     "the pickle ends within an opcode, or takes more than it has"},
    {BYTES("R."), "the pickle ends within an opcode, or takes more than it has"},
    {BYTES("K\1K\2R."), "the pickle calls what is no name (opcode REDUCE)"},
    {BYTES("K\1Q."), "the pickle has a persistent id that is no storage of torch"},
    {BYTES("ctorch\nFloatStorage\n)R."),
     "the pickle calls a class of torch with other arguments than a tensor has"},
    {BYTES(""), "the pickle ends within an opcode, or takes more than it has"},
};

START_TEST(a_pickle_has_tensors_or_is_refused)
{
    struct pickle_tensor tensors[TENSOR_MAX];
    char why[WHY_SIZE], text[400] = "";
    size_t count, len = 0;

    if (!pickle_read(tensors, &count, rows[_i].bytes, rows[_i].len, why)) {
        ck_assert_str_eq(why, rows[_i].says);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s %s %s ", i > 0 ? " " : "",
                                tensors[i].name, tensors[i].type, tensors[i].key);
        for (size_t axis = 0; axis < tensors[i].rank; axis++)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%d", axis > 0 ? "," : "",
                                    (int)tensors[i].dims[axis]);
    }
    ck_assert_str_eq(text, rows[_i].says);
}
END_TEST

START_TEST(a_pickle_cut_or_changed_anywhere_is_read_or_refused)
{
    unsigned char bytes[400];
    struct pickle_tensor tensors[TENSOR_MAX];
    char why[WHY_SIZE];
    size_t count;

    for (size_t len = 0; len < rows[0].len; len++)
        ck_assert(!pickle_read(tensors, &count, rows[0].bytes, len, why));
    memcpy(bytes, rows[0].bytes, rows[0].len);
    for (size_t at = 0; at < rows[0].len; at++) {
        for (int bit = 0; bit < 8; bit++) {
            bytes[at] = (unsigned char)(rows[0].bytes[at] ^ 1 << bit);
            if (!pickle_read(tensors, &count, bytes, rows[0].len, why))
                ck_assert_int_ne(why[0], '\0');
        }
        bytes[at] = rows[0].bytes[at];
    }
}
END_TEST

START_TEST(a_pickle_that_grows_by_its_references_is_refused)
{
    unsigned char bytes[600] = "]q";
    size_t len = 3; /* a list, kept as number 0; each next one holds nine of the one before */
    struct pickle_tensor tensors[TENSOR_MAX];
    char why[WHY_SIZE];
    size_t count;

    for (unsigned level = 1; level < 15; level++) {
        bytes[len++] = ']';
        bytes[len++] = '(';
        for (unsigned i = 0; i < 9; i++) {
            bytes[len++] = 'h';
            bytes[len++] = (unsigned char)(level - 1);
        }
        bytes[len++] = 'e';
        bytes[len++] = 'q';
        bytes[len++] = (unsigned char)level;
    }
    bytes[len++] = '.';
    ck_assert(!pickle_read(tensors, &count, bytes, len, why));
    ck_assert_str_eq(why, "the pickle repeats itself too often");
}
END_TEST

START_TEST(the_memory_of_a_pickle_grows_to_that_of_its_most_values)
{
    ck_assert_uint_eq(pickle_memory(0), 0);
    ck_assert_uint_gt(pickle_memory(1), 100);
    ck_assert_uint_eq(pickle_memory(10), 10 * pickle_memory(1));
    ck_assert_uint_eq(pickle_memory(PICKLE_MOST), pickle_memory(PICKLE_MOST / 2));
    ck_assert_uint_lt(pickle_memory(PICKLE_MOST), 4 << 20);
}
END_TEST

SUITE(pickle, TEST(the_memory_of_a_pickle_grows_to_that_of_its_most_values),
      TEST_EACH(a_pickle_has_tensors_or_is_refused, rows),
      TEST(a_pickle_cut_or_changed_anywhere_is_read_or_refused),
      TEST(a_pickle_that_grows_by_its_references_is_refused));
