/* SPDX-License-Identifier: Apache-2.0
 * test_hf_redirect.c - tests that a configuration of a model that does not rotate is refused
 * with the URL of its positions, with its own numbers in it. */
#include <stdio.h>
#include <string.h>

#include "proto/models/hf/hf_config.h"
#include "proto/request/request.h"
#include "tests/proto/support/configs.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

static const struct {
    const char *config, *parameter, *detail;
} elsewhere[] = {
    {"{\"model_type\": \"t5\", \"d_model\": 512, \"relative_attention_num_buckets\": 48}", "",
     "t5 neither rotates nor has ALiBi: "
     "/v1/t5?num_buckets=48&max_distance=128&len=16 answers for its positions"},
    {"{\"model_type\": \"bert\", \"max_position_embeddings\": 512, "
     "\"position_embedding_type\": \"absolute\"}",
     "#/position_embedding_type",
     "/v1/learned?pos=0:16 answers for its positions, with table=, the learned rows"},
    {"{\"model_type\": \"bert\", \"max_position_embeddings\": 384, "
     "\"position_embedding_type\": \"relative_key_query\"}",
     "#/position_embedding_type", "/v1/bert-relative-key?max_pos=384&len=16 answers"},
    {"{\"model_type\": \"roberta\", \"pad_token_id\": 3}", "",
     "/v1/learned?convention=fairseq&padding_idx=3&pos=0:16"},
    /* max_relative_positions -1 of microsoft/deberta-v3-base is max_position_embeddings */
    {"{\"model_type\": \"deberta-v2\", \"position_buckets\": 256, "
     "\"max_relative_positions\": -1, \"max_position_embeddings\": 512}",
     "", "/v1/deberta?position_buckets=256&max_relative_positions=512&len=16"},
    {"{\"model_type\": \"deberta-v2\", \"position_buckets\": -1, "
     "\"max_position_embeddings\": 512}",
     "", "/v1/deberta?position_buckets=-1&max_relative_positions=512&len=16"},
    {"{\"model_type\": \"swin\", \"window_size\": 12}", "", "/v1/swin?window=12x12 answers"},
    {"{\"model_type\": \"clip\", \"text_config\": {\"max_position_embeddings\": 77}}", "",
     "clip neither rotates nor has ALiBi: /v1/learned?pos=0:16"},
    {"{\"model_type\": \"mpnet\", \"relative_attention_num_buckets\": 32}", "",
     "/v1/t5?num_buckets=32&len=16 answers for its positions"},
    {"{\"model_type\": \"wavlm\", \"num_buckets\": 320, \"max_bucket_distance\": 800}", "",
     "/v1/t5?num_buckets=320&max_distance=800&len=16 answers for its positions"},
    {"{\"model_type\": \"whisper\", \"d_model\": \"wide\"}", "#/d_model", "must be a number"},
};

START_TEST(who_does_not_rotate_is_told_where_its_positions_are)
{
    configs_expect_refusal(elsewhere[_i].config, elsewhere[_i].parameter, elsewhere[_i].detail);
}
END_TEST

START_TEST(what_is_asked_for_twice_is_refused_once)
{
    struct pe_errors errors = {0};
    struct json_body *body = configs_parse("{\"model_type\": \"swin\", \"window_size\": [7]}");

    ck_assert_ptr_null(hf_config_read(body, NULL, &errors));
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_str_eq(errors.at[0].parameter, "#/window_size");
    json_body_free(body);
}
END_TEST

/* A configuration without uses and problems would be taken for a model of no layers. */
START_TEST(without_memory_nothing_is_read)
{
    struct json_body *body = configs_parse("{\"model_type\": \"t5\"}");
    bool asked = true;

    for (size_t failing = 0; asked; failing++) {
        struct pe_errors errors = {0};

        alloc_fail_start(failing);
        struct hf_config *config = hf_config_read(body, NULL, &errors);
        asked = alloc_fail_stop();
        ck_assert_msg(!config && errors.count > 0, "allocation %zu", failing);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
    json_body_free(body);
}
END_TEST

#define HF_LEARNED(TYPE, TARGET) TYPE,
#define HF_COMPUTED(TYPE, TARGET) TYPE,
static const char *const types[] = {
#include "proto/models/hf/hf_redirect.def"
};

/* Checks that the URL is a legal request; learned rows are for the client to send. */
static void expect_answered(const char *target)
{
    static const char rows[] = "&table=0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0";
    struct pe_errors errors = {0};
    char name[64], asked[200], query[300];

    ck_assert_int_eq(sscanf(target, "/v1/%60[^?]?%190[^ ]", name, asked), 2);
    const struct pe_encoding *enc = pe_find(name, strlen(name));
    ck_assert_msg(enc != NULL, "no encoding %s", name);
    snprintf(query, sizeof query, "%s%s", asked, strcmp(name, "learned") == 0 ? rows : "");
    struct request *request = request_new(enc);
    (void)request_set_query(request, query, strlen(query), &errors);
    (void)request_finish(request, NULL, 0, &errors);
    ck_assert_msg(errors.count == 0, "%s: %s %s", target, errors.at[0].parameter,
                  errors.at[0].detail);
    request_free(request);
}

START_TEST(every_target_that_is_told_is_answered)
{
    struct pe_errors errors = {0};
    char config[100];

    snprintf(config, sizeof config, "{\"model_type\": \"%s\"}", types[_i]);
    struct json_body *body = configs_parse(config);
    ck_assert_ptr_null(hf_config_read(body, NULL, &errors));
    ck_assert_uint_eq(errors.count, 1);
    const char *target = strstr(errors.at[0].detail, "/v1/");
    ck_assert_msg(target != NULL, "%s: %s", config, errors.at[0].detail);
    ck_assert_msg(!strpbrk(target, "{}"), "%s", target);
    expect_answered(target);
    json_body_free(body);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(who_does_not_rotate_is_told_where_its_positions_are, elsewhere),
    TEST(what_is_asked_for_twice_is_refused_once),
    TEST(without_memory_nothing_is_read),
    TEST_EACH(every_target_that_is_told_is_answered, types),
};

const struct suite hf_redirect_suite = {SUITE_TESTS(tests)};
