/* SPDX-License-Identifier: Apache-2.0
 * test_identify.c - tensors without a claim find one, unless the search is stopped. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

/* Identifies the tensors of a request; the status, and the name of what was found. */
static enum pe_status identify(const char *request, struct pe_stop *stop, const char **name,
                               struct pe_errors *errors)
{
    struct pe_limits limits = verify_case_limits;
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_args *found = NULL;
    struct verify_case made;

    limits.stop = stop;
    verify_case_of(&made, request);
    enum pe_status status = pe_verify_identify(&found, NULL, made.tensor, made.count, NULL, 0,
                                               roles, &limits, errors);
    *name = status == PE_OK ? pe_args_encoding(found)->name : NULL;
    pe_args_free(found);
    verify_case_free(&made);
    return status;
}

/* Requests whose numbers say what they are. */
static const struct {
    const char *request, *encoding;
} known_numbers[] = {
    {"sinusoidal?dim=16&pos=0:12&out=rows", "sinusoidal"},
    {"alibi?heads=8&len=16&out=bias", "alibi"},
    {"alibi?heads=4&len=512&out=bias", "alibi"}, /* long ones too */
    {"t5?len=24&out=buckets", "t5"},
    {"causal-mask?len=9&out=mask", "causal-mask"},
    {"t5?q=0:9&k=0:0&out=buckets", "t5"},
    /* One changed parameter explains the numbers, which no encoding has by itself. */
    {"alibi?heads=8&len=16&max_bias=6&out=bias", "alibi"},
    /* A required parameter has a value that the tensors show: a window, lengths, a base. */
    {"sliding-window-mask?len=30&window=7&out=mask", "sliding-window-mask"},
    {"sliding-window-mask?len=64&window=17&out=mask", "sliding-window-mask"},
    {"sliding-window-mask?len=200&window=33&mask_value=-inf&out=additive",
     "sliding-window-mask"},
    {"document-mask?lengths=5,9,3&out=mask", "document-mask"},
    {"ids-packed?lengths=5,9,3&out=positions", "ids-packed"},
    {"rope?dim=64&width=full&base=123456&pos=0:64&out=cos,sin", "rope"},
    /* The last query of a cache; buckets of other sizes than the usual; tokens and padding of a
     * batch; text and a picture; keys that all see beside a window. */
    {"alibi?heads=32&q=19:20&k=0:20&out=bias", "alibi"},
    {"deberta?len=40&position_buckets=16&max_relative_positions=32&out=buckets", "deberta"},
    {"t5?len=90&num_buckets=16&max_distance=64&out=buckets", "t5"},
    {"ids-from-mask?attention_mask=0,0,0,1,1,1,1;1,1,1,1,1,1,1", "ids-from-mask"},
    {"ids-mrope?segments=text:4,image:1x4x6,text:3&out=ids", "ids-mrope"},
    {"global-local-mask?len=23&half_window=2&global_tokens=0&out=mask", "global-local-mask"},
    {"swin-shift-mask?grid=8x12&window_size=4&shift=2&mask_value=-100&out=additive",
     "swin-shift-mask"},
    /* Ids of rows that count alike, behind padding, in another convention, and of documents. */
    {"ids-from-mask?convention=arange&len=6&batch=3", "ids-from-mask"},
    {"ids-from-mask?convention=arange&len=6&batch=2&past_len=9", "ids-from-mask"},
    {"ids-from-mask?attention_mask=0,0,1,1,1;1,1,1,1,1&pad_value=0", "ids-from-mask"},
    {"ids-from-mask?attention_mask=0,0,1,1,1;1,1,1,1,1&convention=roberta", "ids-from-mask"},
    {"ids-packed?lengths=2,2&out=positions", "ids-packed"},
    /* A key that is not written yet is hidden, also that of the query itself. */
    {"causal-mask?q=7:8&k=0:8&attention_mask=1,1,1,0,0,0,0,0&out=additive", "causal-mask"},
    /* Masks that are kept as runs, and those of a batch. */
    {"chunked-mask?len=6&chunk=3&out=runs", "chunked-mask"},
    {"sparse-strided-mask?len=6&stride=2&out=runs", "sparse-strided-mask"},
    {"block-diffusion-mask?len=5&block=2&out=runs", "block-diffusion-mask"},
    {"padding-mask?attention_mask=0,1,1;1,1,1&causal=0&out=mask", "padding-mask"},
    {"sliding-window-mask?q=127:128&k=0:128&window=16&out=runs", "sliding-window-mask"},
    {"attention-sink-window-mask?q=20:21&k=0:21&window=4&out=runs",
     "attention-sink-window-mask"},
    /* Ids that stand beside others serve no claim of them. */
    {"streaming-llm?len=12&sink_tokens=4&recent=5", "streaming-llm"},
    /* An example has what nothing shows. */
    {"kerple?len=8&a=0.5,1&p=1,0.5&out=bias", "kerple"},
};

START_TEST(numbers_without_a_claim_find_their_encoding)
{
    struct pe_errors errors = {.count = 0};
    const char *name;

    ck_assert_int_eq(identify(known_numbers[_i].request, NULL, &name, &errors), PE_OK);
    ck_assert_str_eq(name, known_numbers[_i].encoding);
}
END_TEST

/* Zeros and ones that only a list of themselves would give. */
START_TEST(numbers_that_a_claim_would_only_repeat_are_those_of_no_encoding)
{
    static const int64_t list[] = {1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1};
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_errors errors = {.count = 0};
    struct verify_case made = {.count = 0};
    struct pe_args *found;

    verify_case_add(&made, "arr_0", PE_I64, 1 + (size_t)_i,
                    _i == 0 ? (const uint64_t[]){12} : (const uint64_t[]){1, 12}, list);
    ck_assert_int_eq(pe_verify_identify(&found, NULL, made.tensor, made.count, NULL, 0, roles,
                                        &verify_case_limits, &errors),
                     PE_UNKNOWN_NAME);
    verify_case_free(&made);
}
END_TEST

/* The flags of a tokenizer: a row a sequence. */
START_TEST(flags_of_padded_sequences_are_found)
{
    static const int64_t flags[] = {1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0};
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_errors errors = {.count = 0};
    struct verify_case made = {.count = 0};
    struct pe_args *found;

    verify_case_add(&made, "attention_mask", PE_I64, 2, (const uint64_t[]){3, 5}, flags);
    ck_assert_int_eq(pe_verify_identify(&found, NULL, made.tensor, made.count, NULL, 0, roles,
                                        &verify_case_limits, &errors),
                     PE_OK);
    ck_assert_str_eq(pe_args_encoding(found)->name, "padding-mask");
    pe_args_free(found);
    verify_case_free(&made);
}
END_TEST

/* Numbers with a mistake that no encoding has: the claim that they are nearest to is found. */
START_TEST(a_table_with_a_mistake_is_known_by_the_numbers_that_are_right)
{
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_errors errors = {.count = 0};
    struct pe_verdict *verdict;
    struct pe_args *found;
    struct verify_case made;

    verify_case_of(&made, "sinusoidal?dim=16&pos=0:40&out=rows");
    for (uint64_t i = 1; i < verify_case_elements(&made, 0); i += 2) { /* the cosines */
        const double w = pow(10000, -(double)(i % 16) / 16);

        verify_case_set(&made, 0, i, cos((double)(i / 16) * w));
    }
    ck_assert_int_eq(pe_verify_identify(&found, NULL, made.tensor, made.count, NULL, 0, roles,
                                        &verify_case_limits, &errors),
                     PE_OK);
    ck_assert_str_eq(pe_args_encoding(found)->name, "sinusoidal");
    ck_assert_int_eq(pe_verify(&verdict, found, made.tensor, made.count, roles, NULL,
                               &verify_case_limits, &errors),
                     PE_OK);
    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    ck_assert_str_eq(verdict->explanation.mistake[0].slug, "cos-frequency");
    pe_verdict_free(verdict);
    pe_args_free(found);
    verify_case_free(&made);
}
END_TEST

/* Tables that are right but for what nobody means: positions that fall below 0, and sines under
 * the name of cosines. */
static const struct {
    const char *request, *slug, *pos;
    bool exchanged;
} signs[] = {
    {"rope?dim=32&pos=0:-40:-1&out=cos,sin", "inverse", "0:40", false},
    {"rope?dim=32&pos=-3:-43:-1&out=cos,sin", "inverse", "3:43", false},
    {"rope?dim=32&pos=0:-40:-1&out=cos,sin&width=full", "inverse", "0:40", false},
    {"rope?dim=32&pos=0:40&out=cos,sin", "sin-cos-swapped", "0:40", true},
    {"rope?dim=32&pos=5:45&out=cos,sin&width=full", "sin-cos-swapped", "5:45", true},
};

START_TEST(a_sign_or_an_order_that_nobody_means_is_a_mistake)
{
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_errors errors = {.count = 0};
    struct pe_verdict *verdict;
    struct pe_args *found;
    struct verify_case made;
    char pos[PE_VERIFY_TEXT] = "";

    verify_case_of(&made, signs[_i].request);
    if (signs[_i].exchanged) {
        made.tensor[0].name = "sin";
        made.tensor[1].name = "cos";
    }
    ck_assert_int_eq(pe_verify_identify(&found, NULL, made.tensor, made.count, NULL, 0, roles,
                                        &verify_case_limits, &errors),
                     PE_OK);
    for (size_t i = 0; i < pe_args_value_count(found); i++)
        if (strcmp(pe_args_value(found, i)->name, "pos") == 0)
            pe_args_print(found, i, pos, sizeof pos);
    ck_assert_str_eq(pos, signs[_i].pos);
    ck_assert_int_eq(pe_verify(&verdict, found, made.tensor, made.count, roles, NULL,
                               &verify_case_limits, &errors),
                     PE_OK);
    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    ck_assert_str_eq(verdict->explanation.mistake[0].slug, signs[_i].slug);
    pe_verdict_free(verdict);
    pe_args_free(found);
    verify_case_free(&made);
}
END_TEST

/* Names whose parameters are those of the numbers, in whatever way they say them. */
START_TEST(all_names_of_the_parameters_that_were_found_are_told)
{
    const struct pe_encoding *rope = pe_find("rope", 4);
    const struct pe_verify_known known[] = {
        {"other", rope, "dim=16&base=40000"},    {"one", rope, "dim=16&base=500"},
        {"two", rope, "dim=16&base=5e2"},        {"again", rope, "dim=16&base=500"},
        {"wider", rope, "dim=32&base=500"},      {"plain", rope, "dim=16"},
        {"open", rope, "base=500&pairing=half"},
    };
    static const bool right[] = {false, true, true, true, false, false, true};
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_errors errors = {.count = 0};
    bool named[PE_LEN(known)];
    struct pe_args *found;
    struct verify_case made;

    verify_case_of(&made, "rope?dim=16&base=500&pos=0:12&out=cos,sin");
    ck_assert_int_eq(pe_verify_identify(&found, named, made.tensor, made.count, known,
                                        PE_LEN(known), roles, &verify_case_limits, &errors),
                     PE_OK);
    for (size_t i = 0; i < PE_LEN(known); i++)
        ck_assert_msg(named[i] == right[i], "%s", known[i].name);
    pe_args_free(found);
    verify_case_free(&made);
}
END_TEST

/* Sines before cosines look like a rotary table, here of a base that nobody writes. */
START_TEST(a_base_that_nobody_writes_loses_to_a_known_claim)
{
    const struct pe_verify_known known = {"known", pe_find("sinusoidal", 10),
                                          "ladder=geometric-closed&layout=concat"};
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_errors errors = {.count = 0};
    struct pe_args *found;
    struct verify_case made;
    bool named;

    verify_case_of(&made, "sinusoidal?dim=64&ladder=geometric-closed&layout=concat&pos=0:40");
    ck_assert_int_eq(pe_verify_identify(&found, &named, made.tensor, made.count, &known, 1,
                                        roles, &verify_case_limits, &errors),
                     PE_OK);
    ck_assert_str_eq(pe_args_encoding(found)->name, "sinusoidal");
    ck_assert(named);
    pe_args_free(found);
    verify_case_free(&made);
}
END_TEST

START_TEST(a_search_for_an_encoding_that_is_stopped_says_so)
{
    struct pe_errors errors = {.count = 0};
    struct pe_stop stop = {0};
    const char *name;

    pe_stop_set(&stop);
    ck_assert_int_eq(identify("rope?dim=16&pos=0:12&out=cos,sin", &stop, &name, &errors),
                     PE_STOPPED);
    ck_assert_str_eq(errors.at[0].detail, "the search did not end in time");
}
END_TEST

START_TEST(numbers_that_no_encoding_has_give_no_tensor_a_role)
{
    struct verify_case made = {.count = 0};
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_errors errors = {.count = 0};
    struct pe_args *found = NULL;
    uint32_t random = 1;
    float numbers[64];

    for (size_t i = 0; i < 64; i++) {
        random = random * 1664525 + 1013904223;
        numbers[i] = 1 + (float)random / 0x1p33f;
    }
    memset(roles, 0x55, sizeof roles);
    verify_case_add(&made, "numbers", PE_F32, 1, (const uint64_t[]){64}, numbers);
    ck_assert_int_eq(pe_verify_identify(&found, NULL, made.tensor, made.count, NULL, 0, roles,
                                        &verify_case_limits, &errors),
                     PE_UNKNOWN_NAME);
    for (size_t i = 0; i < PE_VERIFY_TENSORS; i++)
        ck_assert(!roles[i].output && !roles[i].param && !roles[i].name);
    verify_case_free(&made);
}
END_TEST

/* Masks that hide every key have such numbers, as queries before all keys do; many tables are
 * zeros or ones. */
static const double constants[] = {-INFINITY, INFINITY, NAN, 0, 1};

START_TEST(a_tensor_of_one_number_is_nothing)
{
    struct verify_case made = {.count = 0};
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_errors errors = {.count = 0};
    struct pe_args *found = NULL;
    float numbers[64];

    for (size_t i = 0; i < 64; i++)
        numbers[i] = (float)constants[_i];
    verify_case_add(&made, "mask", PE_F32, 2, (const uint64_t[]){8, 8}, numbers);
    ck_assert_int_eq(pe_verify_identify(&found, NULL, made.tensor, made.count, NULL, 0, roles,
                                        &verify_case_limits, &errors),
                     PE_UNKNOWN_NAME);
    verify_case_free(&made);
}
END_TEST

/* Their frequencies are those of rounding: a base of 1 and a huge factor have them, too. */
START_TEST(tables_whose_rows_are_equal_have_no_frequencies)
{
    struct verify_case made = {.count = 0};
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_errors errors = {.count = 0};
    struct pe_args *found = NULL;
    float cosines[128], sines[128];

    for (size_t i = 0; i < 128; i++) {
        cosines[i] = (float)cos(5);
        sines[i] = (float)sin(5);
    }
    verify_case_add(&made, "cos", PE_F32, 2, (const uint64_t[]){4, 32}, cosines);
    verify_case_add(&made, "sin", PE_F32, 2, (const uint64_t[]){4, 32}, sines);
    ck_assert_int_eq(pe_verify_identify(&found, NULL, made.tensor, made.count, NULL, 0, roles,
                                        &verify_case_limits, &errors),
                     PE_UNKNOWN_NAME);
    verify_case_free(&made);
}
END_TEST

SUITE(identify, TEST(numbers_that_no_encoding_has_give_no_tensor_a_role),
      TEST_EACH(numbers_without_a_claim_find_their_encoding, known_numbers),
      TEST(flags_of_padded_sequences_are_found),
      TEST_RANGE(numbers_that_a_claim_would_only_repeat_are_those_of_no_encoding, 0, 2),
      TEST(a_table_with_a_mistake_is_known_by_the_numbers_that_are_right),
      TEST_EACH(a_sign_or_an_order_that_nobody_means_is_a_mistake, signs),
      TEST_EACH(a_tensor_of_one_number_is_nothing, constants),
      TEST(tables_whose_rows_are_equal_have_no_frequencies),
      TEST(all_names_of_the_parameters_that_were_found_are_told),
      TEST(a_base_that_nobody_writes_loses_to_a_known_claim),
      TEST(a_search_for_an_encoding_that_is_stopped_says_so));
