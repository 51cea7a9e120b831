/* SPDX-License-Identifier: Apache-2.0
 * test_npz_config.c - tests a model's config.json beside the tensors of an archive. */
#include <string.h>

#include "tests/proto/support/reading.h"
#include "tests/proto/support/zip_bytes.h"
#include "tests/support/suite.h"

#define NPZ "application/x-npz"
#define F4(SHAPE) "{'descr': '<f4', 'fortran_order': False, 'shape': " SHAPE "}"

static const float cosines[] = {1, 0.5F, -1, 0.25F, 0, 3};

static void read(struct reading *reading, const struct zip_bytes *zip, size_t chunk)
{
    reading_init(reading);
    reading_any(reading);
    reading_run(reading, NPZ, zip->out.bytes, zip->out.len, chunk);
}

/* A text as uint8 under two names, or a member of its own, however it is compressed. */
START_TEST(a_config_json_beside_the_tensors_is_kept_as_text)
{
    static const char text[] = "{\"model_type\": \"llama\"}";
    static const char *const names[] = {"config.npy", "config.json.npy", "config.json"};
    const bool unsized = _i / 3 % 2, deflated = _i / 6;
    struct zip_bytes_entry entry = {.deflated = deflated, .unsized = unsized};
    struct zip_bytes zip = {0};

    if (_i % 3 == 2 && unsized && !deflated)
        return; /* where such a member ends is not known */
    entry.name = names[_i % 3];
    entry.data = text;
    entry.len = strlen(text);
    if (_i % 3 == 2)
        zip_bytes_add(&zip, &entry);
    else
        zip_bytes_add_npy(&zip, entry,
                          "{'descr': '|u1', 'fortran_order': False, 'shape': (23,)}");
    entry.name = "cos.npy";
    entry.data = cosines;
    entry.len = sizeof cosines;
    zip_bytes_add_npy(&zip, entry, F4("(3, 2)"));
    zip_bytes_end(&zip, false);
    for (size_t chunk = 1; chunk <= zip.out.len; chunk += chunk < 40 ? 1 : 37) {
        struct reading reading;

        read(&reading, &zip, chunk);
        ck_assert_msg(reading.state == TENSOR_OK, "%s", reading.error);
        ck_assert_uint_eq(reading.set.count, 1);
        ck_assert_str_eq(reading.set.config, text);
        reading_fini(&reading);
    }
    zip_bytes_fini(&zip);
}
END_TEST

START_TEST(a_config_that_is_no_text_of_an_object_is_refused)
{
    static const char *const texts[] = {"[1]", "{}"};
    struct zip_bytes_entry entry = {.name = "config.npy"};
    struct zip_bytes zip = {0};
    struct reading reading;

    entry.data = texts[_i];
    entry.len = strlen(texts[_i]);
    zip_bytes_add_npy(&zip, entry,
                      _i == 0 ? "{'descr': '|u1', 'fortran_order': False, 'shape': (3,)}"
                              : "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}");
    if (_i == 1) {
        entry.name = "config.json.npy";
        zip_bytes_add_npy(&zip, entry,
                          "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}");
    }
    zip_bytes_end(&zip, false);
    read(&reading, &zip, 1 << 20);
    ck_assert_int_eq(reading.state, TENSOR_MALFORMED);
    ck_assert_str_eq(reading.error,
                     _i == 0 ? "config.npy must be the text of a model's config.json, as uint8 "
                               "in UTF-8: numpy.frombuffer(text.encode(), 'u1')"
                             : "the archive has two configurations; send one");
    reading_fini(&reading);
    zip_bytes_fini(&zip);
}
END_TEST

SUITE(npz_config, TEST_RANGE(a_config_json_beside_the_tensors_is_kept_as_text, 0, 12),
      TEST_RANGE(a_config_that_is_no_text_of_an_object_is_refused, 0, 2));
