/* SPDX-License-Identifier: Apache-2.0
 * test_npz_config.c - tests a model's config.json, and a claim, beside the tensors of an
 * archive. */
#include <stdio.h>
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
        ck_assert_ptr_null(reading.set.claim);
        reading_fini(&reading);
    }
    zip_bytes_fini(&zip);
}
END_TEST

static void add_text(struct zip_bytes *zip, const char *name, const char *text)
{
    const struct zip_bytes_entry entry = {.name = name, .data = text, .len = strlen(text)};
    char head[80];

    snprintf(head, sizeof head, "{'descr': '|u1', 'fortran_order': False, 'shape': (%zu,)}",
             strlen(text));
    zip_bytes_add_npy(zip, entry, head);
}

START_TEST(a_claim_and_a_configuration_may_be_beside_the_tensors)
{
    struct zip_bytes zip = {0};
    struct reading reading;

    add_text(&zip, "claim.npy", "encoding=rope&dim=2");
    add_text(&zip, "config.json.npy", "{}");
    zip_bytes_add_npy(&zip,
                      (struct zip_bytes_entry){.name = "cos.npy",
                                               .data = (const char *)cosines,
                                               .len = sizeof cosines},
                      F4("(3, 2)"));
    zip_bytes_end(&zip, false);
    read(&reading, &zip, 7);
    ck_assert_msg(reading.state == TENSOR_OK, "%s", reading.error);
    ck_assert_uint_eq(reading.set.count, 1);
    ck_assert_str_eq(reading.set.claim, "encoding=rope&dim=2");
    ck_assert_str_eq(reading.set.config, "{}");
    reading_fini(&reading);
    zip_bytes_fini(&zip);
}
END_TEST

#define MUST "as uint8 in UTF-8: numpy.frombuffer(text.encode(), 'u1')"

static const struct {
    const char *first, *text, *second, *error;
} wrong[] = {
    {"config.npy", "[1]", NULL, "config.npy must be the text of a model's config.json, " MUST},
    {"config.npy", "{}", "config.json.npy",
     "the archive has two texts called config; send one"},
    {"claim.npy", "dim=2", "claim.json.npy",
     "the archive has two texts called claim; send one"},
    {"claim.npy", "", NULL,
     "claim.npy must be the text of a claim, as encoding=rope&dim=128 or an object, " MUST},
};

START_TEST(a_text_that_is_not_one_is_refused)
{
    struct zip_bytes zip = {0};
    struct reading reading;

    add_text(&zip, wrong[_i].first, wrong[_i].text);
    if (wrong[_i].second)
        add_text(&zip, wrong[_i].second, wrong[_i].text);
    zip_bytes_end(&zip, false);
    read(&reading, &zip, 1 << 20);
    ck_assert_int_eq(reading.state, TENSOR_MALFORMED);
    ck_assert_str_eq(reading.error, wrong[_i].error);
    reading_fini(&reading);
    zip_bytes_fini(&zip);
}
END_TEST

SUITE(npz_config, TEST_RANGE(a_config_json_beside_the_tensors_is_kept_as_text, 0, 12),
      TEST(a_claim_and_a_configuration_may_be_beside_the_tensors),
      TEST_RANGE(a_text_that_is_not_one_is_refused, 0, sizeof wrong / sizeof *wrong));
