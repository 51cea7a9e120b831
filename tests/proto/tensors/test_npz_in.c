/* SPDX-License-Identifier: Apache-2.0
 * test_npz_in.c - tests archives of tensors in any chunks, as every writer of archives writes
 * them, and the error sentences of archives that hold something else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/http/inflate.h"
#include "tests/proto/support/reading.h"
#include "tests/proto/support/zip_bytes.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

#define NPZ "application/x-npz"
#define F4(SHAPE) "{'descr': '<f4', 'fortran_order': False, 'shape': " SHAPE "}"

static const float cosines[] = {1, 0.5F, -1, 0.25F, 0, 3}, sines[] = {0, 1, 0.75F};

static void write_pair(struct zip_bytes *zip, struct zip_bytes_entry entry, bool zip64)
{
    *zip = (struct zip_bytes){0};
    entry.name = "cos.npy";
    entry.data = cosines;
    entry.len = sizeof cosines;
    zip_bytes_add_npy(zip, entry, F4("(3, 2)"));
    entry.name = "none.npy";
    entry.len = 0;
    zip_bytes_add_npy(zip, entry, F4("(0, 2)"));
    entry.name = "rotary/sin.npy";
    entry.data = sines;
    entry.len = sizeof sines;
    zip_bytes_add_npy(zip, entry, F4("(3,)"));
    zip_bytes_end(zip, zip64);
}

static void read(struct reading *reading, const struct zip_bytes *zip, size_t chunk)
{
    reading_init(reading);
    reading_any(reading);
    reading_run(reading, NPZ, zip->out.bytes, zip->out.len, chunk);
}

/* Every combination of method, descriptor, its signature and eight-byte sizes. */
START_TEST(archives_of_every_writer_are_read_in_pieces_of_any_size)
{
    const struct zip_bytes_entry entry = {.deflated = (_i & 1) != 0,
                                          .unsized = (_i & 2) != 0,
                                          .no_signature = (_i & 4) != 0,
                                          .zip64 = (_i & 8) != 0};
    struct zip_bytes zip;

    write_pair(&zip, entry, entry.zip64);
    for (size_t chunk = 1; chunk <= zip.out.len; chunk += chunk < 40 ? 1 : 37) {
        struct reading reading;

        read(&reading, &zip, chunk);
        ck_assert_msg(reading.state == TENSOR_OK, "%s", reading.error);
        ck_assert_uint_eq(reading.set.count, 3);
        ck_assert_str_eq(reading.set.at[0].name, "cos");
        ck_assert_mem_eq(reading.set.at[0].data, cosines, sizeof cosines);
        ck_assert_uint_eq(reading.set.at[1].bytes, 0);
        ck_assert_str_eq(reading.set.at[2].name, "rotary/sin");
        ck_assert_mem_eq(reading.set.at[2].data, sines, sizeof sines);
        ck_assert_uint_eq(reading.reserved, sizeof cosines + sizeof sines +
                                                (entry.deflated ? (size_t)INFLATE_MEMORY : 0));
        reading_fini(&reading);
    }
    zip_bytes_fini(&zip);
}
END_TEST

START_TEST(an_archive_cut_anywhere_is_refused)
{
    const struct zip_bytes_entry entry = {.deflated = (_i & 1) != 0, .unsized = (_i & 2) != 0};
    struct zip_bytes zip;

    write_pair(&zip, entry, true);
    const size_t len = zip.out.len;
    for (size_t cut = 0; cut < len; cut++) {
        struct reading reading;
        char error[80];

        zip.out.len = cut;
        read(&reading, &zip, cut + 1);
        snprintf(error, sizeof error, "the body ends after %zu bytes, before its archive does",
                 cut);
        ck_assert_str_eq(reading.error, error);
        ck_assert_int_eq(reading.state, TENSOR_MALFORMED);
        reading_fini(&reading);
    }
    zip_bytes_fini(&zip);
}
END_TEST

/* Each bit of a right archive is changed: it is refused, or its tensors are the same. */
START_TEST(no_bit_of_an_archive_can_be_changed_to_harm)
{
    const struct zip_bytes_entry entry = {.deflated = (_i & 1) != 0, .unsized = (_i & 2) != 0};
    struct zip_bytes zip;

    write_pair(&zip, entry, false);
    for (size_t at = 0; at < zip.out.len; at++)
        for (int bit = 0; bit < 8; bit++) {
            struct reading reading;

            zip.out.bytes[at] = (char)(zip.out.bytes[at] ^ 1 << bit);
            read(&reading, &zip, zip.out.len);
            if (reading.state == TENSOR_OK)
                ck_assert_mem_eq(reading.set.at[0].data, cosines, sizeof cosines);
            reading_fini(&reading);
            zip.out.bytes[at] = (char)(zip.out.bytes[at] ^ 1 << bit);
        }
    zip_bytes_fini(&zip);
}
END_TEST

/* ---- what is refused --------------------------------------------------------------------- */

#define SIXTEEN "0123456789abcdef"
#define LONG SIXTEEN SIXTEEN SIXTEEN SIXTEEN
#define NAME                                                                                   \
    "the name of a tensor has 1 to 255 printable characters of ASCII; that of tensor 1 has not"
#define ENDING                                                                                 \
    "every member of the archive must be a tensor, NAME.npy, as numpy.savez writes it; the "   \
    "name of member 1 ends otherwise"

static const struct {
    const char *name, *dictionary;
    size_t name_len, len; /* of the name if not 0; of the elements */
    enum tensor_state state;
    const char *error;
} refused[] = {
    {"cos.npy", F4("(3, 2)"), 0, 23, TENSOR_MALFORMED,
     "cos.npy ends before the bytes of its tensor are there"},
    {"cos.npy", F4("(5,)"), 0, 24, TENSOR_MALFORMED,
     "cos.npy goes on after the bytes of its tensor"},
    {"cos.npy", F4("(0, 5)"), 0, 24, TENSOR_MALFORMED,
     "cos.npy goes on after the bytes of its tensor"},
    {"cos.npy", "{'descr': '|O', 'fortran_order': False, 'shape': (3,)}", 0, 24,
     TENSOR_MALFORMED,
     "cos.npy: descr '|O' is an array of Python objects; send numbers, as x.astype('float64') "
     "makes them"},
    {"cos.npy", F4("(3, 3037000500, 3037000500)"), 0, 24, TENSOR_TOO_LARGE,
     "cos has more elements than can be counted"},
    {"cos.npy", F4("(1000001,)"), 0, 24, TENSOR_TOO_LARGE,
     "all tensors together have at most 1000000 elements; got 1000001"},
    {"cos.npy", F4("(262145,)"), 0, 24, TENSOR_TOO_LARGE,
     "a body has at most 1048576 bytes; its tensors have 1048580"},
    {"archive/data.pkl", F4("(6,)"), 0, 24, TENSOR_MALFORMED,
     "the pickle ends within an opcode, or takes more than it has"},
    {"folder/", F4("(6,)"), 0, 24, TENSOR_MALFORMED, ENDING},
    {"cos.txt", F4("(6,)"), 0, 24, TENSOR_MALFORMED, ENDING},
    {"npy", F4("(6,)"), 0, 24, TENSOR_MALFORMED, ENDING},
    {".npy", F4("(6,)"), 0, 24, TENSOR_MALFORMED, NAME},
    {"a\0b.npy", F4("(6,)"), 7, 24, TENSOR_MALFORMED, NAME},
    {"a\nb.npy", F4("(6,)"), 0, 24, TENSOR_MALFORMED, NAME},
    {LONG LONG LONG LONG ".npy", F4("(6,)"), 0, 24, TENSOR_MALFORMED, NAME},
};

START_TEST(what_is_no_tensor_in_an_archive_is_told)
{
    for (int deflated = 0; deflated < 2; deflated++) {
        const struct zip_bytes_entry entry = {.name = refused[_i].name,
                                              .name_len = refused[_i].name_len,
                                              .data = cosines,
                                              .len = refused[_i].len,
                                              .deflated = deflated == 1};
        struct zip_bytes zip = {0};
        struct reading reading;

        zip_bytes_add_npy(&zip, entry, refused[_i].dictionary);
        zip_bytes_end(&zip, false);
        read(&reading, &zip, 100);
        ck_assert_str_eq(reading.error, refused[_i].error);
        ck_assert_int_eq(reading.state, refused[_i].state);
        reading_fini(&reading);
        zip_bytes_fini(&zip);
    }
}
END_TEST

static const struct {
    const char *data, *error;
    size_t len;
} heads[] = {
    {"hello",
     "cos.npy: a member of the archive is not NPY: it must begin with \\x93NUMPY, as "
     "numpy.save writes it",
     5},
    {"", "cos.npy ends within its NPY header", 0},
    {"\x93NUMPY\x01\x00\x09\x00{", "cos.npy ends within its NPY header", 11},
};

START_TEST(a_member_without_a_whole_header_is_refused)
{
    const struct zip_bytes_entry entry = {.name = "cos.npy",
                                          .data = heads[_i].data,
                                          .len = heads[_i].len};
    struct zip_bytes zip = {0};
    struct reading reading;

    zip_bytes_add(&zip, &entry);
    zip_bytes_end(&zip, false);
    read(&reading, &zip, 100);
    ck_assert_str_eq(reading.error, heads[_i].error);
    reading_fini(&reading);
    zip_bytes_fini(&zip);
}
END_TEST

static void add_cosines(struct zip_bytes *zip, const char *name)
{
    const struct zip_bytes_entry entry = {.name = name,
                                          .data = cosines,
                                          .len = sizeof cosines,
                                          .deflated = true};

    zip_bytes_add_npy(zip, entry, F4("(6,)"));
}

START_TEST(tensors_have_names_of_their_own_and_are_at_most_16)
{
    struct zip_bytes zip = {0};
    struct reading reading;
    char name[] = "a.npy";

    add_cosines(&zip, "cos.npy");
    add_cosines(&zip, "cos.npy");
    zip_bytes_end(&zip, false);
    read(&reading, &zip, 100);
    ck_assert_str_eq(reading.error, "two tensors have the name cos");
    reading_fini(&reading);
    zip_bytes_fini(&zip);
    zip = (struct zip_bytes){0};
    for (; name[0] <= 'q'; name[0]++)
        add_cosines(&zip, name);
    zip_bytes_end(&zip, false);
    read(&reading, &zip, 100);
    ck_assert_str_eq(reading.error, "at most 16 tensors are read");
    reading_fini(&reading);
    zip_bytes_fini(&zip);
    zip = (struct zip_bytes){0};
    zip_bytes_end(&zip, false);
    read(&reading, &zip, 100);
    ck_assert_str_eq(reading.error, "the archive has no tensor");
    reading_fini(&reading);
    zip_bytes_fini(&zip);
}
END_TEST

START_TEST(an_encoding_takes_its_own_names_and_types)
{
    struct zip_bytes zip = {0};
    struct reading reading;

    add_cosines(&zip, "q.npy");
    add_cosines(&zip, "k.npy");
    zip_bytes_end(&zip, false);
    reading_init(&reading);
    reading_run(&reading, NPZ, zip.out.bytes, zip.out.len, 100);
    ck_assert_int_eq(reading.state, TENSOR_OK);
    ck_assert_str_eq(reading.set.at[1].name, "k");
    reading_fini(&reading);
    zip_bytes_fini(&zip);
    zip = (struct zip_bytes){0};
    add_cosines(&zip, "arr_0.npy");
    zip_bytes_end(&zip, false);
    reading_init(&reading);
    reading_run(&reading, NPZ, zip.out.bytes, zip.out.len, 100);
    ck_assert_str_eq(reading.error, "unknown tensor arr_0; scale/apply takes x, q, k");
    reading_fini(&reading);
    zip_bytes_fini(&zip);
}
END_TEST

/* ---- memory ------------------------------------------------------------------------------ */

/* Reads a deflated table of `len` zeros, which is a thousandth as long. */
static void read_zeros(struct reading *reading, size_t len)
{
    char *zeros = calloc(len, 1), dictionary[96];
    const struct zip_bytes_entry entry = {.name = "mask.npy",
                                          .data = zeros,
                                          .len = len,
                                          .deflated = true};
    struct zip_bytes zip = {0};

    ck_assert_ptr_nonnull(zeros);
    snprintf(dictionary, sizeof dictionary,
             "{'descr': '|b1', 'fortran_order': False, 'shape': (%zu,)}", len);
    zip_bytes_add_npy(&zip, entry, dictionary);
    zip_bytes_end(&zip, false);
    reading_init(reading);
    reading->source.enc = NULL;
    reading->source.max_bytes = reading->budget = 1 << 30;
    reading_run(reading, NPZ, zip.out.bytes, zip.out.len, 999);
    zip_bytes_fini(&zip);
    free(zeros);
}

START_TEST(a_few_bytes_inflate_to_16_mib_and_no_further)
{
    struct reading reading;

    read_zeros(&reading, 15 << 20);
    ck_assert_msg(reading.state == TENSOR_OK, "%s", reading.error);
    reading_fini(&reading);
    read_zeros(&reading, 20 << 20);
    ck_assert_str_eq(reading.error,
                     "members of more than 16777216 bytes inflate to at most 200 times their "
                     "length; send them stored, as numpy.savez writes them");
    ck_assert_int_eq(reading.state, TENSOR_TOO_LARGE);
    reading_fini(&reading);
}
END_TEST

START_TEST(a_budget_that_is_exhausted_ends_the_reading)
{
    for (uint64_t budget = 0; budget < INFLATE_MEMORY + sizeof cosines; budget += 1021) {
        struct zip_bytes zip = {0};
        struct reading reading;

        add_cosines(&zip, "cos.npy");
        zip_bytes_end(&zip, false);
        reading_init(&reading);
        reading_any(&reading);
        reading.budget = budget;
        reading_run(&reading, NPZ, zip.out.bytes, zip.out.len, 100);
        ck_assert_int_eq(reading.state, TENSOR_OVER_BUDGET);
        ck_assert_uint_le(reading.reserved, budget);
        reading_fini(&reading);
        zip_bytes_fini(&zip);
    }
}
END_TEST

/* Each allocation fails once: the error is the lack of memory, and no memory is kept. */
START_TEST(memory_that_is_out_is_no_bad_archive)
{
    struct zip_bytes zip = {0};
    size_t refusals = 0;
    bool out = true;

    add_cosines(&zip, "cos.npy");
    zip_bytes_end(&zip, false);
    for (size_t n = 0; out; n++) {
        struct reading reading;
        enum tensor_state state = TENSOR_NO_MEMORY;

        reading_init(&reading);
        reading_any(&reading);
        alloc_fail_start(n);
        struct tensor_reader *reader =
            tensor_reader_new(tensor_format_find(NPZ), &reading.source);
        if (reader) {
            tensor_reader_add(reader, zip.out.bytes, zip.out.len);
            state = tensor_reader_finish(reader, &reading.set);
        }
        tensor_reader_free(reader);
        reading_fini(&reading);
        out = alloc_fail_stop();
        refusals += out;
        ck_assert_int_eq(state, out ? TENSOR_NO_MEMORY : TENSOR_OK);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
    ck_assert_uint_gt(refusals, 4);
    zip_bytes_fini(&zip);
}
END_TEST

SUITE(npz_in, TEST_RANGE(archives_of_every_writer_are_read_in_pieces_of_any_size, 0, 16),
      TEST_RANGE(an_archive_cut_anywhere_is_refused, 0, 4),
      TEST_RANGE(no_bit_of_an_archive_can_be_changed_to_harm, 0, 4),
      TEST_EACH(what_is_no_tensor_in_an_archive_is_told, refused),
      TEST_EACH(a_member_without_a_whole_header_is_refused, heads),
      TEST(tensors_have_names_of_their_own_and_are_at_most_16),
      TEST(an_encoding_takes_its_own_names_and_types),
      TEST(a_few_bytes_inflate_to_16_mib_and_no_further),
      TEST(a_budget_that_is_exhausted_ends_the_reading),
      TEST(memory_that_is_out_is_no_bad_archive));
