/* SPDX-License-Identifier: Apache-2.0
 * test_model_tables.c - tests the file of all tables of a model: it has what the model lists,
 * each tensor is that of its own request, and any part can be read by itself. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/describe/model_text.h"
#include "proto/output/model_tables.h"
#include "tests/proto/support/ask.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

#define PLACES                                                                                 \
    "pos=0:8&grid=4x4&q_grid=4x4&grid_thw=1,4,4&segments=text:2,image:1x4x4,text:2&"           \
    "grid_sizes=2,4&frames=2"

static const struct model *find(const char *name)
{
    const struct model *model = models_find(models_embedded(), name, strlen(name));

    ck_assert_msg(model != NULL, "%s", name);
    return model;
}

static struct encoder *encoder_of_model(const struct model *model, const char *query,
                                        struct pe_errors *errors)
{
    struct model_tables *tables;
    struct encoder *encoder;

    if (model_tables_new(&tables, models_embedded(), model, query, strlen(query), errors) !=
        PE_OK)
        return NULL;
    if (model_tables_plan(tables, &ask_generous, errors) != PE_OK) {
        model_tables_free(tables);
        return NULL;
    }
    encoder = model_tables_encoder(tables);
    if (!encoder)
        model_tables_free(tables);
    return encoder;
}

/* Reads [at, at + len) in chunks of `space` bytes. */
static char *read_part(struct encoder *encoder, uint64_t at, size_t len, size_t space)
{
    char *bytes = malloc(len + space + FORMAT_MIN_CAPACITY);
    size_t used = 0, got;

    encoder_seek(encoder, at);
    while (used < len && (got = encoder_read(encoder, bytes + used, space)) > 0)
        used += got;
    ck_assert_uint_ge(used, len);
    return bytes;
}

struct file {
    char *bytes;
    size_t len;
    uint64_t header;
    json_t *json;
};

static void open_file(struct file *file, struct encoder *encoder)
{
    file->len = (size_t)encoder_size(encoder);
    file->bytes = read_part(encoder, 0, file->len, 65536);
    memcpy(&file->header, file->bytes, sizeof file->header);
    ck_assert_uint_eq((8 + file->header) % 8, 0);
    file->json =
        json_loadb(file->bytes + 8, (size_t)file->header, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(file->json);
}

static void close_file(struct file *file)
{
    json_decref(file->json);
    free(file->bytes);
}

static json_t *describe(const struct model *model)
{
    struct buffer text = {0};

    model_text_one(&text, model, true, NULL, 0);
    json_t *json = json_loadb(text.bytes, text.len, 0, NULL);
    ck_assert_ptr_nonnull(json);
    buffer_fini(&text);
    return json;
}

/* Removes the parameters of PLACES that are refused: no table of the model depends on them, or
 * a grid does not suit the model. */
static void places_of(const struct model *model, char query[256])
{
    struct pe_errors errors = {0};
    struct model_tables *tables = NULL;

    snprintf(query, 256, PLACES);
    while (model_tables_new(&tables, models_embedded(), model, query, strlen(query), &errors) !=
           PE_OK) {
        char *at = strstr(query, errors.at[0].parameter);

        ck_assert_msg(at && at > query, "%s: %s %s", model->id, errors.at[0].parameter,
                      errors.at[0].detail);
        size_t len = strcspn(at, "&");
        memmove(at - 1, at + len, strlen(at + len) + 1);
        pe_errors_clear(&errors);
    }
    model_tables_free(tables);
}

START_TEST(the_file_has_what_the_model_lists)
{
    const struct model *model = models_at(models_embedded(), (size_t)_i);
    struct pe_errors errors = {0};
    char query[256];
    struct file file;
    size_t i, j, listed = 0;
    json_t *use, *name;

    places_of(model, query);
    struct encoder *encoder = encoder_of_model(model, query, &errors);
    ck_assert_msg(encoder != NULL, "%s: %s", model->id, errors.at[0].detail);
    open_file(&file, encoder);
    json_t *json = describe(model);
    json_array_foreach(json_object_get(json, "uses"), i, use)
    {
        json_array_foreach(json_object_get(use, "tables"), j, name)
        {
            ck_assert_msg(json_object_get(file.json, json_string_value(name)) != NULL, "%s: %s",
                          model->id, json_string_value(name));
            listed++;
        }
    }
    ck_assert_uint_eq(json_object_size(file.json), listed + 1); /* and __metadata__ */
    json_decref(json);
    close_file(&file);
    encoder_free(encoder);
}
END_TEST

static const struct {
    const char *model, *query, *name, *encoding, *alone;
} alone[] = {
    {"gemma-3-4b", "pos=3:9", "sliding_attention.rope.sin", "rope",
     "model=gemma-3-4b&layer=0&pos=3:9&out=sin"},
    {"gemma-3-4b", "pos=3:9&dtype=bf16", "full_attention.rope.cos", "rope",
     "model=gemma-3-4b&layer=5&pos=3:9&out=cos&dtype=bf16"},
    {"gemma-3-4b", "pos=0:9", "sliding_attention.sliding-window-mask.runs",
     "sliding-window-mask", "model=gemma-3-4b&len=9&out=runs"},
    {"gemma-3-4b", "pos=2:9&masks=dense", "full_attention.causal-mask.mask", "causal-mask",
     "q=2:9&k=2:9&out=mask"},
    {"gemma-3-4b", "pos=0:9", "all_layers.softmax-scale.scale", "softmax-scale",
     "convention=scalar&query_pre_attn_scalar=256"},
    {"deepseek-v3", "pos=0:9", "all_layers.softmax-scale.scale", "softmax-scale",
     "convention=deepseek&dim=192&factor=40&mscale_all_dim=1"},
    {"t5-small", "pos=0:9", "decoder.t5.buckets", "t5", "len=9&bidirectional=0"},
    {"swin-tiny", "pos=0", "stage_2.swin.index", "swin", "window_size=7x7"},
    {"qwen2-vl-7b", "pos=0:9&grid_thw=1,4,6", "vision.rope2d-qwen-vit.cos", "rope2d-qwen-vit",
     "dim=80&grid_thw=1,4,6&out=cos"},
    {"llama-4-scout", "pos=8190:8194", "full_attention.llama4-temperature.factor",
     "llama4-temperature", "pos=8190:8194"},
    {"internlm2.5-7b", "pos=0:65536", "all_layers.rope.cos", "rope",
     "model=internlm2.5-7b&pos=0:65536&seq_len=65536&out=cos"},
    {"hunyuan-a13b", "pos=0:8", "all_layers.rope.cos", "rope",
     "model=hunyuan-a13b&pos=0:8&out=cos"},
    {"bloom-176b", "pos=0:4&masks=dense", "all_layers.alibi.bias", "alibi",
     "model=bloom-176b&q=0:4&k=0:4"},
};

START_TEST(a_tensor_is_that_of_its_own_request)
{
    struct pe_errors errors = {0};
    struct encoder *encoder = encoder_of_model(find(alone[_i].model), alone[_i].query, &errors);
    struct file file;
    char query[200];
    size_t len;

    ck_assert_msg(encoder != NULL, "%s", errors.at[0].detail);
    open_file(&file, encoder);
    json_t *tensor = json_object_get(file.json, alone[_i].name);
    ck_assert_msg(tensor != NULL, "%s", alone[_i].name);
    json_t *offsets = json_object_get(tensor, "data_offsets");
    size_t start = (size_t)json_integer_value(json_array_get(offsets, 0)),
           end = (size_t)json_integer_value(json_array_get(offsets, 1));
    snprintf(query, sizeof query, "%s&format=raw", alone[_i].alone);
    char *own = ask_answer(alone[_i].encoding, query, &len);
    ck_assert_uint_eq(len, end - start);
    ck_assert_mem_eq(file.bytes + 8 + file.header + start, own, len);
    free(own);
    close_file(&file);
    encoder_free(encoder);
}
END_TEST

/* Chunks and places that begin and end inside elements and at borders of tensors. */
START_TEST(any_part_is_read_by_itself)
{
    static const size_t spaces[] = {FORMAT_MIN_CAPACITY, 5000, 65536};
    struct pe_errors errors = {0};
    struct encoder *encoder =
        encoder_of_model(find("gemma-3-4b"), "pos=0:33&masks=dense", &errors);
    struct file file;

    open_file(&file, encoder);
    for (size_t at = 0; at < file.len; at += 997) {
        size_t len = file.len - at < 2500 ? file.len - at : 2500;
        char *part = read_part(encoder, at, len, spaces[at % 3]);

        ck_assert_mem_eq(part, file.bytes + at, len);
        free(part);
    }
    encoder_seek(encoder, file.len);
    char rest[FORMAT_MIN_CAPACITY];
    ck_assert_uint_eq(encoder_read(encoder, rest, sizeof rest), 0);
    ck_assert(!encoder_failed(encoder));
    close_file(&file);
    encoder_free(encoder);
}
END_TEST

START_TEST(tensors_adjoin_and_are_aligned)
{
    struct pe_errors errors = {0};
    struct encoder *encoder =
        encoder_of_model(find("gemma-3-4b"), "pos=0:5&masks=dense&dtype=f64", &errors);
    struct file file;
    const char *name;
    json_t *tensor;
    uint64_t end = 0;

    open_file(&file, encoder);
    json_object_foreach(file.json, name, tensor)
    {
        json_t *offsets = json_object_get(tensor, "data_offsets");

        if (!offsets)
            continue;
        ck_assert_uint_eq((uint64_t)json_integer_value(json_array_get(offsets, 0)), end);
        end = (uint64_t)json_integer_value(json_array_get(offsets, 1));
        if (strcmp(json_string_value(json_object_get(tensor, "dtype")), "F64") == 0)
            ck_assert_uint_eq(end % 8, 0);
    }
    ck_assert_uint_eq(8 + file.header + end, file.len);
    close_file(&file);
    encoder_free(encoder);
}
END_TEST

START_TEST(what_is_left_out_says_what_it_needs)
{
    static const struct model_setting cap[] = {{"cap", "50"}};
    static const struct model_use uses[] = {
        {.encoding = "softcap", .settings = cap, .count = 1},
        {.encoding = "rope2d-axial", .layer_type = "vision"},
        {.encoding = "causal-mask", .left_out = "keys that stand for several tokens"},
    };
    static const struct model own = {.id = "own", .uses = uses, .use_count = 3};
    const struct model *more[] = {&own};
    struct models *models = models_new(more, 1);
    struct model_tables *tables;
    struct pe_errors errors = {0};
    struct file file;

    ck_assert_int_eq(model_tables_new(&tables, models, &own, "pos=0:4", 7, &errors), PE_OK);
    models_free(models); /* the tables keep nothing of the models */
    ck_assert_int_eq(model_tables_plan(tables, &ask_generous, &errors), PE_OK);
    struct encoder *encoder = model_tables_encoder(tables);
    open_file(&file, encoder);
    json_t *metadata = json_object_get(file.json, "__metadata__");
    ck_assert_str_eq(json_string_value(json_object_get(metadata, "model")), "own");
    ck_assert_str_eq(json_string_value(json_object_get(metadata, "masks")), "runs");
    ck_assert_str_eq(json_string_value(json_object_get(metadata, "left_out")),
                     "{\"all_layers.softcap\":\"scores\",\"vision.rope2d-axial\":\"dim\","
                     "\"all_layers.causal-mask\":\"keys that stand for several tokens\"}");
    ck_assert_ptr_nonnull(strstr(json_string_value(json_object_get(metadata, "parameters")),
                                 "{\"all_layers.causal-mask\":{"));
    close_file(&file);
    encoder_free(encoder);
}
END_TEST

static const struct {
    const char *query, *detail;
} large[] = {
    {"pos=0:999999999999&masks=none",
     "the tables of gemma-3-4b have 512999999999489 elements in 2055999999997952 bytes, more "
     "than the limit of 16777216 elements; ask for fewer positions"},
    {"pos=0:99999999&masks=dense",
     "the tables of gemma-3-4b have 30000050699999492 elements in 30000204999997955 bytes, "
     "more than the limit of 16777216 elements; ask for fewer positions, or masks=runs"},
};

START_TEST(a_file_that_is_too_large_says_how_large)
{
    struct pe_errors errors = {0};

    ck_assert_ptr_null(encoder_of_model(find("gemma-3-4b"), large[_i].query, &errors));
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_int_eq(errors.at[0].status, PE_TOO_LARGE);
    ck_assert_str_eq(errors.at[0].detail, large[_i].detail);
    ck_assert_uint_eq(errors.at[0].limit, ask_generous.max_elements);
}
END_TEST

static void tag(const char *model, const char *query, char text[64])
{
    struct pe_errors errors = {0};
    struct model_tables *tables;

    ck_assert_int_eq(model_tables_new(&tables, models_embedded(), find(model), query,
                                      strlen(query), &errors),
                     PE_OK);
    snprintf(text, 64, "%s", model_tables_etag(tables));
    model_tables_free(tables);
}

START_TEST(the_tag_is_that_of_the_bytes)
{
    static const char *const different[][2] = {
        {"gemma-3-4b", "pos=0:9"},        {"gemma-3-4b", "pos=0:8&masks=dense"},
        {"gemma-3-12b", "pos=0:8"},       {"gemma-3-4b", "pos=0:8&dtype=f16"},
        {"gemma-3-4b", "pos=0:8&base=7"}, {"gemma-3-4b", "pos=0:8"},
    };
    enum { COUNT = sizeof different / sizeof *different };
    char tags[COUNT][64], again[64];

    for (size_t i = 0; i < COUNT; i++)
        tag(different[i][0], different[i][1], tags[i]);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(tags[i], tags[j]);
    tag("google/gemma-3-4b-it", "masks=runs&pos=0:8", again);
    ck_assert_str_eq(again, tags[COUNT - 1]);
}
END_TEST

/* Each allocation fails once: there is the whole file, or a problem, and no memory is kept. */
START_TEST(without_memory_there_is_no_file)
{
    const struct model *model = find("t5-small");
    struct pe_errors errors = {0};
    struct file whole;
    bool refused = true;
    size_t refusals = 0;

    struct encoder *encoder = encoder_of_model(model, "pos=0:3", &errors);
    open_file(&whole, encoder);
    encoder_free(encoder);
    char *bytes = malloc(whole.len + FORMAT_MIN_CAPACITY);
    for (size_t n = 0; refused; n++) {
        size_t used = 0, got;
        bool complete = false;

        pe_errors_clear(&errors);
        alloc_fail_start(n);
        encoder = encoder_of_model(model, "pos=0:3", &errors);
        while (encoder && (got = encoder_read(encoder, bytes + used, FORMAT_MIN_CAPACITY)) > 0)
            used += got;
        complete = encoder && !encoder_failed(encoder);
        if (encoder)
            encoder_free(encoder);
        refused = alloc_fail_stop();
        refusals += refused;
        ck_assert(complete || refused);
        ck_assert(!complete ||
                  (used == whole.len && memcmp(bytes, whole.bytes, whole.len) == 0));
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
    ck_assert_uint_gt(refusals, 20);
    free(bytes);
    close_file(&whole);
}
END_TEST

static size_t embedded_count(void)
{
    return models_count(models_embedded());
}

static const struct suite_test tests[] = {
    TEST_COUNTED(the_file_has_what_the_model_lists, embedded_count),
    TEST_EACH(a_tensor_is_that_of_its_own_request, alone),
    TEST(any_part_is_read_by_itself),
    TEST(tensors_adjoin_and_are_aligned),
    TEST(what_is_left_out_says_what_it_needs),
    TEST_EACH(a_file_that_is_too_large_says_how_large, large),
    TEST(the_tag_is_that_of_the_bytes),
    TEST(without_memory_there_is_no_file),
};

const struct suite model_tables_suite = {SUITE_TESTS(tests), .timeout = 30};
