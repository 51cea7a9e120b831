/* SPDX-License-Identifier: Apache-2.0
 * test_model_text.c - tests models as JSON: types, layers, and resolved parameters. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "proto/describe/model_text.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

static const struct model *find(const char *name)
{
    const struct model *model = models_find(models_embedded(), name, strlen(name));

    ck_assert_ptr_nonnull(model);
    return model;
}

static json_t *one(const char *name)
{
    struct buffer text = {0};

    model_text_one(&text, find(name), true, NULL, 0);
    json_t *root = json_loadb(text.bytes, text.len, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(root != NULL, "%s: %s", name, text.bytes);
    buffer_fini(&text);
    return root;
}

static json_t *use(const json_t *model, size_t i, const char *member)
{
    return json_object_get(json_array_get(json_object_get(model, "uses"), i), member);
}

START_TEST(values_have_the_types_of_a_body)
{
    json_t *model = one("phi-3.5-mini");
    json_t *parameters = use(model, 0, "parameters");

    ck_assert_int_eq(json_integer_value(json_object_get(parameters, "dim")), 96);
    ck_assert_str_eq(json_string_value(json_object_get(parameters, "scaling")), "longrope");
    ck_assert_uint_eq(json_array_size(json_object_get(parameters, "long_factor")), 48);
    json_decref(model);
}
END_TEST

START_TEST(what_is_open_is_asked_in_each_way)
{
    json_t *model = one("phi-3.5-mini");
    json_t *urls = use(model, 0, "named_urls");

    ck_assert_uint_eq(json_array_size(urls), 4);
    ck_assert_str_eq(json_string_value(json_array_get(urls, 0)),
                     "/v1/rope?model=phi-3.5-mini&longrope_list=short&pos=0:16");
    ck_assert_str_eq(json_string_value(json_array_get(urls, 3)),
                     "/v1/rope?model=phi-3.5-mini&longrope_list=long&out=inv_freq");
    json_decref(model);
    model = one("internlm2.5-7b");
    ck_assert_str_eq(json_string_value(json_array_get(use(model, 0, "named_urls"), 1)),
                     "/v1/rope?model=internlm2.5-7b&seq_len=65536&out=inv_freq");
    json_decref(model);
}
END_TEST

START_TEST(layers_of_a_type_are_listed)
{
    json_t *model = one("gemma-3-4b");

    ck_assert_str_eq(json_string_value(use(model, 1, "layer_type")), "full_attention");
    json_t *layers = use(model, 1, "layers");
    ck_assert_uint_eq(json_array_size(layers), 5);
    ck_assert_int_eq(json_integer_value(json_array_get(layers, 0)), 5);
    ck_assert_int_eq(json_integer_value(json_array_get(layers, 4)), 29);
    json_decref(model);
}
END_TEST

START_TEST(layers_without_positions_say_null)
{
    json_t *model = one("qwen3.5-35b-a3b");

    ck_assert(json_is_null(use(model, 0, "encoding")));
    ck_assert_ptr_null(use(model, 0, "urls"));
    ck_assert_str_eq(json_string_value(use(model, 2, "encoding")), "mrope");
    json_decref(model);
}
END_TEST

static const struct {
    const char *model, *parts; /* parts: NULL if it is one part */
} composed[] = {
    {"gemma-3-4b",
     "[{\"name\":\"text\",\"encodings\":[\"rope\",\"sliding-window-mask\",\"causal-mask\","
     "\"softmax-scale\"]},{\"name\":\"vision\",\"encodings\":[\"learned\","
     "\"bidirectional-mask\",\"softmax-scale\"]}]"},
    {"kimi-k2.5",
     "[{\"name\":\"text\",\"encodings\":[\"rope\",\"causal-mask\",\"softmax-scale\"]},"
     "{\"name\":\"vision\",\"left_out\":\"positions of the tower of images (MoonViT), whose "
     "code has not been read\"}]"},
    {"llama-3.1-8b", NULL},
};

START_TEST(parts_have_their_encodings_and_what_is_left_out)
{
    json_t *model = one(composed[_i].model), *parts = json_object_get(model, "parts");
    char *text = parts ? json_dumps(parts, JSON_COMPACT) : NULL;

    ck_assert_pstr_eq(text, composed[_i].parts);
    free(text);
    json_decref(model);
}
END_TEST

START_TEST(resolved_has_the_defaults)
{
    json_t *model = one("gpt-oss-20b");
    json_t *resolved = use(model, 0, "resolved");

    ck_assert_int_eq(json_integer_value(json_object_get(resolved, "rotary_dim")), 64);
    ck_assert_str_eq(json_string_value(json_object_get(resolved, "profile")), "exact");
    ck_assert_ptr_null(json_object_get(resolved, "model"));
    json_decref(model);
}
END_TEST

START_TEST(a_model_that_cannot_be_asked_for_is_told)
{
    static const struct model_setting odd[] = {{"dim", "7"}};
    static const struct model_use uses[] = {
        {.encoding = "rope", .settings = odd, .count = 1},
        {.encoding = "nonsense", .settings = odd, .count = 1}};
    static const struct model model = {.id = "odd", .uses = uses, .use_count = 2};
    struct pe_errors errors = {0};

    ck_assert(!model_text_check(&model, &errors));
    ck_assert_uint_eq(errors.count, 2);
    ck_assert_str_eq(errors.at[0].parameter, "dim");
    ck_assert_str_eq(errors.at[1].detail, "nonsense is no encoding of this version");
    ck_assert(model_text_check(find("phi-2"), &(struct pe_errors){0}));
}
END_TEST

/* Each allocation fails once: the text is complete or missing, and no memory is kept. */
START_TEST(without_memory_nothing_is_left_out)
{
    const struct model *model = find("phi-3.5-mini");
    struct buffer whole = {0};
    size_t refusals = 0;
    bool refused = true;

    model_text_one(&whole, model, true, NULL, 0);
    for (size_t n = 0; refused; n++) {
        struct buffer text = {0};
        size_t len = 0;

        alloc_fail_start(n);
        model_text_one(&text, model, true, NULL, 0);
        char *bytes = buffer_take(&text, &len);
        bool same = bytes && len == whole.len && memcmp(bytes, whole.bytes, len) == 0;
        bool none = !bytes;
        free(bytes);
        refused = alloc_fail_stop();
        refusals += refused;
        ck_assert(same || (none && refused));
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
    ck_assert_uint_gt(refusals, 20);
    buffer_fini(&whole);
}
END_TEST

/* The list too is complete or missing, whichever allocation fails. */
START_TEST(without_memory_no_list_has_gaps)
{
    const struct fields_query all = {.set = FIELDS_ALL};
    struct buffer whole = {0};
    bool refused = true;

    model_text_list(&whole, models_embedded(), &all);
    for (size_t n = 0; refused; n++) {
        struct buffer text = {0};

        alloc_fail_start(n);
        model_text_list(&text, models_embedded(), &all);
        bool same = text.len == whole.len && memcmp(text.bytes, whole.bytes, whole.len) == 0;
        bool failed = text.failed;
        buffer_fini(&text);
        refused = alloc_fail_stop();
        ck_assert(refused ? failed : same);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
    buffer_fini(&whole);
}
END_TEST

SUITE(model_text, TEST(values_have_the_types_of_a_body),
      TEST(what_is_open_is_asked_in_each_way), TEST(layers_of_a_type_are_listed),
      TEST(layers_without_positions_say_null),
      TEST_EACH(parts_have_their_encodings_and_what_is_left_out, composed),
      TEST(resolved_has_the_defaults), TEST(a_model_that_cannot_be_asked_for_is_told),
      TEST(without_memory_nothing_is_left_out), TEST(without_memory_no_list_has_gaps));
