/* SPDX-License-Identifier: Apache-2.0
 * test_torch_in.c - archives of torch.save: storages become the tensors that the pickle
 * says. */
#include <stdio.h>
#include <string.h>

#include "tests/proto/support/reading.h"
#include "tests/proto/support/zip_bytes.h"
#include "tests/support/suite.h"

#define STORAGE(KEY) "((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0" KEY "X\3\0\0\0cpuK\6tQ"
#define TENSOR(KEY, SHAPE)                                                                     \
    "ctorch._utils\n_rebuild_tensor_v2\n" STORAGE(KEY) SHAPE "\x89"                            \
                                                             "ccollections\n"                  \
                                                             "OrderedDict\n)RtR"
/* A tensor of a type that has no storage of its own. */
#define TYPED(TYPE)                                                                            \
    "ctorch._utils\n_rebuild_tensor_v3\n((X\7\0\0\0storagectorch.storage\nUntypedStorage\nX"   \
    "\1\0\0\0000X\3\0\0\0cpuK\6tQ" ROWS "\x89"                                                 \
    "ccollections\nOrderedDict\n)R" TYPE "tR"
#define ROWS "K\0K\2K\3\x86K\3K\1\x86"
#define COLUMNS "K\0K\3K\2\x86K\1K\3\x86"
#define PART "K\2K\2K\2\x86K\2K\1\x86"
#define VIEW "K\0K\2K\2\x86K\3K\1\x86"
#define COS "\x80\2}X\3\0\0\0cos"
#define BYTES(TEXT) TEXT, sizeof(TEXT) - 1

static const float numbers[6] = {1, 2, 3, 4, 5, 6};

static const struct {
    const char *pickle;
    size_t len;
    const char *storage, *order; /* names of members; NULL: there is none */
    const char *says;            /* the dims and numbers, or the error */
} rows[] = {
    {BYTES(COS TENSOR("0", ROWS) "s."), "a/data/0", "little", "cos 2 3: 1 2 3 4 5 6"},
    {BYTES(COS TENSOR("0", COLUMNS) "s."), "a/data/0", NULL, "cos 3 2: 1 4 2 5 3 6"},
    {BYTES(COS TENSOR("0", PART) "s."), "a/data/0", NULL, "cos 2 2: 3 4 5 6"},
    {BYTES("\x80\2" TENSOR("0", ROWS) "."), "a/data/0", NULL, " 2 3: 1 2 3 4 5 6"},
    {BYTES(COS TENSOR("0", VIEW) "s."), "a/data/0", NULL,
     "cos is a view of other memory; save x.contiguous().clone()"},
    {BYTES(COS TENSOR("1", ROWS) "s."), "a/data/0", NULL,
     "the archive has no member data/1, the numbers of cos"},
    {BYTES(COS TENSOR("0", ROWS) "sX\3\0\0\0sin" TENSOR("0", ROWS) "s."), "a/data/0", NULL,
     "cos and sin share their memory; save x.clone() of one"},
    {BYTES(COS TENSOR("0", ROWS) "s."), "a/data/0", "big",
     "the file has numbers in big-endian order; save little-endian"},
    {BYTES(COS TYPED("ctorch\nfloat8_e4m3fn\n") "s."), "a/data/0", NULL,
     "cos 2 3: 0 0 -0 1.875 0 0"},
    {BYTES(COS TYPED("ctorch\nfloat8_e5m2\n") "s."), "a/data/0", NULL,
     "cos 2 3: 0 0 -0 1.75 0 0"},
    {BYTES(COS TYPED("ctorch\nfloat8_e4m3fnuz\n") "s."), "a/data/0", NULL,
     "the file has numbers of torch.float8_e4m3fnuz, which are not read: save them as float32"},
    {BYTES(COS TYPED("N") "s."), "a/data/0", NULL,
     "the pickle calls a class of torch with other arguments than a tensor has"},
    {BYTES("\x80\2}."), "a/data/0", NULL, "data.pkl has no tensor"},
    {BYTES("\x80\2"
           "cos\nsystem\n."),
     "a/data/0", NULL,
     "the pickle names os.system (opcode GLOBAL), which is no part of a tensor; nothing was "
     "called"},
};

/* PyTorch leaves sizes to data descriptors (miniz, caffe2/serialize/inline_container.cc). */
static void add(struct zip_bytes *zip, bool unsized, const char *name, const void *data,
                size_t len)
{
    zip_bytes_add(
        zip,
        &(struct zip_bytes_entry){.name = name, .data = data, .len = len, .unsized = unsized});
}

static void print(char text[200], const struct reading *reading)
{
    const struct tensor *tensor = &reading->set.at[0];
    size_t len = (size_t)snprintf(text, 200, "%s", tensor->name), count = 1;

    for (size_t i = 0; i < tensor->info.rank; i++) {
        count *= tensor->info.dims[i];
        len += (size_t)snprintf(text + len, 200 - len, " %d", (int)tensor->info.dims[i]);
    }
    for (size_t i = 0; i < count; i++)
        len += (size_t)snprintf(text + len, 200 - len, "%s %g", i == 0 ? ":" : "",
                                (double)((const float *)tensor->data)[i]);
}

static void check(const char *says, const struct zip_bytes *zip)
{
    for (size_t chunk = 1; chunk < 400; chunk += 133) {
        struct reading reading;
        char text[200];

        reading_init(&reading);
        reading_any(&reading);
        reading.budget = 1 << 20;
        reading_run(&reading, "application/x-npz", zip->out.bytes, zip->out.len, chunk);
        if (reading.state == TENSOR_OK)
            print(text, &reading);
        ck_assert_str_eq(reading.state == TENSOR_OK ? text : reading.error, says);
        reading_fini(&reading);
    }
}

START_TEST(an_archive_of_torch_save_has_its_tensors)
{
    for (int unsized = 0; unsized < 2; unsized++) {
        struct zip_bytes zip = {0};

        add(&zip, unsized, "a/data.pkl", rows[_i].pickle, rows[_i].len);
        if (rows[_i].order)
            add(&zip, unsized, "a/byteorder", rows[_i].order, strlen(rows[_i].order));
        add(&zip, unsized, rows[_i].storage, numbers, sizeof numbers);
        add(&zip, unsized, "a/version", "3\n", 2);
        add(&zip, unsized, "a/.data/serialization_id", "", 0);
        zip_bytes_end(&zip, unsized);
        check(rows[_i].says, &zip);
        zip_bytes_fini(&zip);
    }
}
END_TEST

enum { MANY = 3000 };

/* Descriptors of no member stand among the numbers, also across the blocks of the reader. */
START_TEST(bytes_like_the_end_of_a_member_are_its_numbers)
{
    static const char pickle[] =
        COS "ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nCharStorage\n"
            "X\1\0\0\0000X"
            "\3\0\0\0cpuM\xb8\x0btQK\0M\xb8\x0b\x85K\1\x85\x89"
            "ccollections\nOrderedDict\n)RtRs.";
    char bytes[MANY];
    struct zip_bytes zip = {0};
    struct reading reading;

    for (size_t i = 0; i < MANY; i++)
        bytes[i] = "PK\7\10P"[i % 5];
    add(&zip, true, "a/data.pkl", pickle, sizeof pickle - 1);
    for (int member = 0; member < 7; member++) /* their places in blocks differ */
        add(&zip, true, "a/code/other", bytes, MANY - (size_t)member);
    add(&zip, true, "a/data/0", bytes, MANY);
    zip_bytes_end(&zip, true);
    reading_init(&reading);
    reading_any(&reading);
    reading.budget = 1 << 20;
    reading_run(&reading, "application/x-npz", zip.out.bytes, zip.out.len, 1000);
    ck_assert_str_eq(reading.error, "");
    for (size_t i = 0; i < MANY; i++)
        ck_assert_int_eq(((const int32_t *)reading.set.at[0].data)[i], bytes[i]);
    reading_fini(&reading);
    zip_bytes_fini(&zip);
}
END_TEST

START_TEST(a_pickle_by_itself_is_told_from_an_archive)
{
    static const char pickle[] = "\x80\2}q\0.";
    struct reading reading;

    reading_init(&reading);
    reading_any(&reading);
    reading_run(&reading, "application/x-npz", pickle, sizeof pickle - 1, 1);
    ck_assert_str_eq(reading.error,
                     "the file is a pickle by itself, as torch.save wrote before PyTorch 1.6: "
                     "save it again by a newer one, or send what numpy.savez writes");
    reading_fini(&reading);
}
END_TEST

SUITE(torch_in, TEST_EACH(an_archive_of_torch_save_has_its_tensors, rows),
      TEST(bytes_like_the_end_of_a_member_are_its_numbers),
      TEST(a_pickle_by_itself_is_told_from_an_archive));
