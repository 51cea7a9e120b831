/* SPDX-License-Identifier: Apache-2.0
 * test_ids_packed.c - packed documents: worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *output, *numbers;
} examples[] = {
    {"ids-packed", "lengths=3,2", "positions", "0 1 2 0 1"},
    {"ids-packed", "lengths=3,2", "documents", "0 0 0 1 1"},
    {"ids-packed", "lengths=3,2", "cu_seqlens", "0 3 5"},
    {"ids-packed", "lengths=3,2", "max_seqlen", "3"},
    {"ids-packed", "lengths=2,0,1", "documents", "0 0 2"},
    {"ids-packed", "lengths=2,0,1", "cu_seqlens", "0 2 2 3"},
    {"ids-packed", "cu_seqlens=0,3,5", "positions", "0 1 2 0 1"},
    {"ids-packed", "cu_seqlens=0", "cu_seqlens", "0"},
    {"ids-packed", "documents=7,7,7,4,4", "positions", "0 1 2 0 1"},
    {"ids-packed", "documents=7,7,7,4,4", "documents", "0 0 0 1 1"},
    {"ids-packed", "position_ids=0,1,2,0,1", "cu_seqlens", "0 3 5"},
    {"ids-packed", "position_ids=5,6,6,7", "positions", "0 1 0 1"},
    {"ids-packed", "lengths=0:0", "max_seqlen", "0"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints(examples[_i].encoding, examples[_i].query, examples[_i].output,
                      examples[_i].numbers);
}
END_TEST

static const struct {
    const char *encoding;
    struct core_refusal refusal;
} refused[] = {
    {"ids-packed",
     {"out=positions", PE_MISSING_PARAMETER, "lengths",
      "is required, or cu_seqlens, documents or position_ids", ""}},
    {"ids-packed",
     {"lengths=3&documents=1,1,1", PE_CONFLICT, "lengths",
      "say the same as cu_seqlens, documents and position_ids; give one", ""}},
    {"ids-packed",
     {"lengths=3,-1", PE_OUT_OF_RANGE, "lengths", "must be 0 or more; got -1", ""}},
    {"ids-packed",
     {"lengths=9007199254740992,2", PE_OUT_OF_RANGE, "lengths",
      "must be at most 2^53 together; got 9.0072e+15", ""}},
    {"ids-packed", {"cu_seqlens=1,3", PE_BAD_VALUE, "cu_seqlens", "must begin with 0", ""}},
    {"ids-packed", {"cu_seqlens=0:0", PE_BAD_VALUE, "cu_seqlens", "must begin with 0", ""}},
    {"ids-packed",
     {"cu_seqlens=0,3,2", PE_BAD_VALUE, "cu_seqlens", "must not fall; number 2 does", ""}},
    {"ids-packed",
     {"documents=0:4194305", PE_OUT_OF_RANGE, "documents",
      "must have at most 4194304 numbers; got 4194305", ""}},
    {"ids-packed",
     {"position_ids=0:4194305", PE_OUT_OF_RANGE, "position_ids",
      "must have at most 4194304 numbers", ""}},
    {"ids-packed", {"lengths=9007199254740992", PE_TOO_LARGE, "", "the answer has", ""}},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find(refused[_i].encoding), &refused[_i].refusal);
}
END_TEST

START_TEST(every_way_to_say_the_same_gives_the_same)
{
    static const char *const same[] = {"lengths=1,4,2", "cu_seqlens=0,1,5,7",
                                       "documents=3,5,5,5,5,3,3", "position_ids=0,0,1,2,3,0,1"};

    for (size_t i = 0; i < PE_LEN(same); i++) {
        core_query_prints("ids-packed", same[i], "positions", "0 0 1 2 3 0 1");
        core_query_prints("ids-packed", same[i], "documents", "0 1 1 1 1 2 2");
        core_query_prints("ids-packed", same[i], "cu_seqlens", "0 1 5 7");
        core_query_prints("ids-packed", same[i], "max_seqlen", "4");
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, examples),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
    TEST(every_way_to_say_the_same_gives_the_same),
};

const struct suite ids_packed_suite = {SUITE_TESTS(tests)};
