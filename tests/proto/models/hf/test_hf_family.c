/* SPDX-License-Identifier: Apache-2.0
 * test_hf_family.c - tests that the tables of families name families. */
#include <string.h>

#include "proto/models/hf/hf_family.h"
#include "tests/support/suite.h"

static const char *const named[] = {
#define HF_DEFAULT(FAMILY, KEY, VALUE, FOLDER) FAMILY,
#include "proto/models/hf/hf_defaults.def"
#undef HF_DEFAULT
#define HF_FLAG(FAMILY, FLAG, SCALING, VARIANT, FACTOR, FOLDER) FAMILY,
#include "proto/models/hf/hf_flags.def"
#undef HF_FLAG
#define HF_LABEL(FAMILY, NAME, LAYER_TYPE) FAMILY,
#include "proto/models/hf/hf_labels.def"
#undef HF_LABEL
#define HF_PART(WHOLE, PART) PART,
#include "proto/models/hf/hf_parts.def"
#undef HF_PART
#define HF_SECTIONS(FAMILY, SECTIONS, VARIANT) FAMILY,
#include "proto/models/hf/hf_sections.def"
#undef HF_SECTIONS
#define HF_LACKS(FAMILY, LEFT_OUT) FAMILY,
#include "proto/models/hf/hf_lacks.def"
#undef HF_LACKS
#define HF_WIDTH(FAMILY, KEY, TIMES, FOLDER) FAMILY,
#include "proto/models/hf/hf_widths.def"
#undef HF_WIDTH
};

START_TEST(every_row_of_a_table_is_of_a_family_that_is_known)
{
    const struct hf_family *family = hf_family_find(named[_i]);

    ck_assert_msg(family && strcmp(family->name, named[_i]) == 0, "%s", named[_i]);
}
END_TEST

SUITE(hf_family, TEST_EACH(every_row_of_a_table_is_of_a_family_that_is_known, named));
