/* SPDX-License-Identifier: Apache-2.0
 * test_openapi.c - tests that the document is OpenAPI 3.1 in its structure, refers only to
 * parts that it has, and agrees with the registry on every encoding. */
#include <stdlib.h>
#include <string.h>

#include "proto/describe/openapi.h"
#include "proto/describe/openapi_encoding.h"
#include "proto/describe/schema.h"
#include "proto/http/endpoint.h"
#include "proto/request/param_names.h"
#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

static json_t *document; /* read once, for all tests */

static void document_read(void)
{
    struct buffer text = {0};
    json_error_t error;

    openapi_write(&text, "");
    ck_assert(!text.failed);
    document = json_loadb(text.bytes, text.len, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(document != NULL, "%s at %d: %.80s", error.text, error.position,
                  text.bytes + (error.position > 40 ? error.position - 40 : 0));
    buffer_fini(&text);
}

static void document_drop(void)
{
    json_decref(document);
}

/* Finds the part that "#/components/schemas/Answer" refers to. */
static json_t *resolve(const char *reference)
{
    char name[80];
    json_t *at = document;

    ck_assert_mem_eq(reference, "#/", 2);
    for (const char *c = reference + 2; at && *c != '\0'; c += *c == '/') {
        size_t len = strcspn(c, "/");

        snprintf(name, sizeof name, "%.*s", (int)len, c);
        at = json_object_get(at, name);
        c += len;
    }
    return at;
}

static size_t check_references(json_t *value)
{
    size_t count = 0, i;
    const char *key;
    json_t *member;

    json_object_foreach(value, key, member)
    {
        if (strcmp(key, "$ref") == 0) {
            ck_assert_msg(resolve(json_string_value(member)) != NULL, "%s",
                          json_string_value(member));
            count++;
        }
        count += check_references(member);
    }
    json_array_foreach(value, i, member)
    {
        count += check_references(member);
    }
    return count;
}

/* The operation "get" or "post" of an encoding, or the "parameters" that both have. */
static json_t *part_of_path(const struct pe_encoding *enc, const char *part)
{
    char path[80];

    snprintf(path, sizeof path, "/v1/%s", pe_name(enc));
    json_t *found =
        json_object_get(json_object_get(json_object_get(document, "paths"), path), part);
    ck_assert_msg(found != NULL, "%s %s", part, path);
    return found;
}

START_TEST(every_reference_resolves)
{
    ck_assert_str_eq(json_string_value(json_object_get(document, "openapi")), "3.1.0");
    ck_assert_uint_gt(check_references(document), 20);
}
END_TEST

START_TEST(every_path_is_there_with_operations_of_unique_ids)
{
    json_t *paths = json_object_get(document, "paths"), *ids = json_object(), *item;
    const char *path;

    size_t named = 0;
    for (size_t i = 0; i < ENDPOINT_COUNT; i++) {
        bool expanded = strstr(endpoint_at(i)->path, "{encoding}") != NULL,
             left_out = (endpoint_at(i)->access & (ENDPOINT_PAGE | ENDPOINT_FOREIGN)) != 0;

        ck_assert_int_eq(!json_object_get(paths, endpoint_at(i)->path), expanded || left_out);
        named += !expanded && !left_out;
    }
    ck_assert_uint_eq(json_object_size(paths), named + pe_count());
    json_object_foreach(paths, path, item)
    {
        const char *verb;
        json_t *operation_json;
        json_object_foreach(item, verb, operation_json)
        {
            if (strcmp(verb, "parameters") == 0)
                continue;
            const char *id = json_string_value(json_object_get(operation_json, "operationId"));
            ck_assert_msg(id && !json_object_get(ids, id), "%s %s", verb, path);
            json_object_set_new(ids, id, json_true());
            json_t *responses = json_object_get(operation_json, "responses");
            ck_assert(json_object_get(responses, "200") || json_object_get(responses, "204"));
            ck_assert_ptr_nonnull(json_object_get(responses, "default"));
            ck_assert_uint_gt(json_object_size(responses), 1);
        }
        /* Every {hole} of a template is a parameter of the path. */
        const char *hole = strchr(path, '{');
        json_t *parameters = json_object_get(json_object_get(item, "get"), "parameters");
        if (hole) {
            const json_t *first = json_array_get(parameters, 0);
            const char *name = json_string_value(json_object_get(first, "name"));

            ck_assert_mem_eq(hole + 1, name, strlen(name));
            ck_assert_str_eq(json_string_value(json_object_get(first, "in")), "path");
        }
    }
    json_decref(ids);
}
END_TEST

START_TEST(parameters_are_all_that_a_request_may_hold)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    struct param_names vocabulary;
    json_t *parameters = part_of_path(enc, "parameters");

    param_names_init(&vocabulary, enc);
    for (size_t i = 0, at = 0; i < vocabulary.count; i++) {
        if (!openapi_encoding_offers(enc, vocabulary.at[i]))
            continue;
        json_t *parameter = json_array_get(parameters, at++);
        json_t *reference = json_object_get(parameter, "$ref");

        if (reference)
            parameter = resolve(json_string_value(reference));
        const char *name = json_string_value(json_object_get(parameter, "name"));
        ck_assert_str_eq(name, vocabulary.at[i]->name);
        ck_assert_str_eq(json_string_value(json_object_get(parameter, "in")), "query");
        ck_assert(json_is_object(json_object_get(parameter, "schema")));
        ck_assert_str_eq(json_string_value(json_object_get(parameter, "description")),
                         pe_param_summary(vocabulary.at[i]));
    }
}
END_TEST

START_TEST(schemas_have_the_bounds_of_the_rows)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    size_t count;
    const struct pe_param *rows = pe_params(enc, &count);
    json_t *parameters = part_of_path(enc, "parameters");

    for (size_t i = 0; i < count; i++) {
        const json_t *schema = json_object_get(json_array_get(parameters, i), "schema");

        if (rows[i].type == PE_INT) {
            ck_assert(json_number_value(json_object_get(schema, "minimum")) == rows[i].min);
            ck_assert(json_number_value(json_object_get(schema, "maximum")) == rows[i].max);
            json_t *multiple = json_object_get(schema, "multipleOf");
            ck_assert_int_eq(multiple != NULL, rows[i].multiple_of > 1);
        } else if (schema_is_truth(&rows[i])) {
            ck_assert_str_eq(json_string_value(json_object_get(schema, "type")), "boolean");
        } else if (rows[i].type == PE_CHOICE) {
            ck_assert_str_eq(
                json_string_value(json_array_get(json_object_get(schema, "enum"), 0)),
                rows[i].choices[0].name);
        }
    }
}
END_TEST

START_TEST(bodies_have_the_same_names_and_an_example_that_works)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    struct param_names vocabulary;
    struct ask ask;
    json_t *content = json_object_get(
        json_object_get(json_object_get(part_of_path(enc, "post"), "requestBody"), "content"),
        "application/json");
    json_t *properties = json_object_get(json_object_get(content, "schema"), "properties");

    param_names_init(&vocabulary, enc);
    for (size_t i = 0; i < vocabulary.count; i++) {
        json_t *property = json_object_get(properties, vocabulary.at[i]->name);

        ck_assert_int_eq(property != NULL, openapi_encoding_offers(enc, vocabulary.at[i]));
    }
    char *example = ask_text(json_object_get(content, "example"));
    ck_assert_ptr_nonnull(example);
    ask_body(&ask, pe_name(enc), NULL, example);
    ck_assert_msg(ask.plan != NULL, "%s: %s %s", example, ask.errors.at[0].parameter,
                  ask.errors.at[0].detail);
    ask_free(&ask);
    free(example);
}
END_TEST

/* The component of the response 200 of a GET. */
static json_t *answer_of(const struct pe_encoding *enc)
{
    json_t *responses = json_object_get(part_of_path(enc, "get"), "responses");
    json_t *reference = json_object_get(json_object_get(responses, "200"), "$ref");
    json_t *answer = resolve(json_string_value(reference));

    ck_assert_ptr_nonnull(answer);
    return answer;
}

START_TEST(every_format_is_a_media_type_of_the_answer)
{
    json_t *content = json_object_get(answer_of(pe_at(0)), "content");

    size_t types = 0;
    char name[100];

    for (size_t i = 0; i < format_count(); i++) {
        const char *type = format_at(i)->media_type;

        types += format_at(i)->accepts[0] != NULL;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(type, ";"), type);
        ck_assert_ptr_nonnull(json_object_get(content, name));
    }
    ck_assert_uint_eq(json_object_size(content), types);
}
END_TEST

START_TEST(formats_with_a_gzip_variant_are_told)
{
    const struct pe_encoding *bias = pe_find("alibi", 5), *rotary = pe_find("rope", 4);
    const struct {
        const struct pe_encoding *enc;
        const char *formats;
    } cases[] = {{bias, " of json npy safetensors raw csv"}, {rotary, " of json csv"}};
    for (size_t i = 0; i < 2; i++) {
        json_t *headers = json_object_get(answer_of(cases[i].enc), "headers");
        const char *said = json_string_value(
            json_object_get(json_object_get(headers, "Content-Encoding"), "description"));

        ck_assert_ptr_nonnull(said);
        ck_assert_str_eq(said + strlen(said) - strlen(cases[i].formats), cases[i].formats);
    }
}
END_TEST

START_TEST(a_model_is_offered_where_one_has_the_encoding)
{
    static const struct {
        const char *encoding;
        bool model, layer;
    } cases[] = {{"rope", true, true},
                 {"rope/apply", true, true},
                 {"alibi", true, false},
                 {"kerple", false, false}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct pe_encoding *enc = pe_find(cases[i].encoding, strlen(cases[i].encoding));
        struct param_names vocabulary;

        param_names_init(&vocabulary, enc);
        for (size_t j = 0; j < vocabulary.count; j++) {
            bool offered = openapi_encoding_offers(enc, vocabulary.at[j]);
            const char *name = vocabulary.at[j]->name;

            ck_assert_int_eq(offered, strcmp(name, "model") == 0       ? cases[i].model
                                      : strncmp(name, "layer", 5) == 0 ? cases[i].layer
                                                                       : true);
        }
    }
}
END_TEST

static size_t required_count(const json_t *parameters)
{
    size_t count = 0;

    for (size_t i = 0; i < json_array_size(parameters); i++)
        count +=
            json_is_true(json_object_get(json_array_get(parameters, i), "required")) ? 1 : 0;
    return count;
}

/* Where a model may give the width, a request works without it; and where a body may give it,
 * the query does without it. */
START_TEST(a_parameter_is_required_in_a_query_where_nothing_else_gives_it)
{
    const struct {
        const char *encoding;
        size_t required;
    } cases[] = {{"rope", 0}, {"alibi", 0}, {"kerple", 2}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct pe_encoding *enc = pe_find(cases[i].encoding, strlen(cases[i].encoding));

        ck_assert_uint_eq(
            required_count(json_object_get(part_of_path(enc, "get"), "parameters")),
            cases[i].required);
        ck_assert_uint_eq(required_count(part_of_path(enc, "parameters")), 0);
        ck_assert_ptr_null(json_object_get(part_of_path(enc, "post"), "parameters"));
    }
}
END_TEST

START_TEST(a_part_has_the_encodings_that_are_asked_for)
{
    static const char query[] = "encoding=rope,alibi";
    struct pe_errors errors = {0};
    struct openapi_part part;
    struct buffer text = {0};
    json_t *whole = document;
    size_t routes = 0;

    for (size_t i = 0; i < ENDPOINT_COUNT; i++)
        routes += !strstr(endpoint_at(i)->path, "{encoding}") &&
                  !(endpoint_at(i)->access & (ENDPOINT_PAGE | ENDPOINT_FOREIGN));
    ck_assert_int_eq(openapi_part_read(&part, query, strlen(query), &errors), PE_OK);
    openapi_part_write_names(&text, &part);
    ck_assert_str_eq(text.bytes, "alibi,rope"); /* the order of the registry */
    text.len = 0;
    openapi_write_part(&text, "", &part);
    document = json_loadb(text.bytes, text.len, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(document);
    ck_assert_uint_eq(json_object_size(json_object_get(document, "paths")), routes + 2);
    ck_assert_uint_gt(check_references(document), 20);
    ck_assert_uint_lt(text.len, 200000);
    json_decref(document);
    document = whole;
    buffer_fini(&text);
}
END_TEST

START_TEST(a_part_of_unknown_encodings_names_each)
{
    static const char query[] = "encoding=roep,alibi,xyzzy&x=1";
    struct pe_errors errors = {0};
    struct openapi_part part;

    ck_assert_int_eq(openapi_part_read(&part, query, strlen(query), &errors), PE_BAD_VALUE);
    ck_assert_uint_eq(errors.count, 3);
    ck_assert_str_eq(errors.at[0].detail, "there is no encoding \"roep\"");
    ck_assert_str_eq(errors.at[0].hint, "did you mean rope?");
    ck_assert_str_eq(errors.at[1].hint, "/v1/encodings lists them");
    ck_assert_str_eq(errors.at[2].detail,
                     "unknown parameter; this path takes encoding=rope,alibi");
}
END_TEST

static const struct suite_test tests[] = {
    TEST(every_reference_resolves),
    TEST(every_path_is_there_with_operations_of_unique_ids),
    TEST_COUNTED(parameters_are_all_that_a_request_may_hold, pe_count),
    TEST_COUNTED(schemas_have_the_bounds_of_the_rows, pe_count),
    TEST_COUNTED(bodies_have_the_same_names_and_an_example_that_works, pe_count),
    TEST(every_format_is_a_media_type_of_the_answer),
    TEST(formats_with_a_gzip_variant_are_told),
    TEST(a_model_is_offered_where_one_has_the_encoding),
    TEST(a_parameter_is_required_in_a_query_where_nothing_else_gives_it),
    TEST(a_part_has_the_encodings_that_are_asked_for),
    TEST(a_part_of_unknown_encodings_names_each),
};

const struct suite openapi_suite = {SUITE_TESTS(tests), .begin = document_read,
                                    .end = document_drop};
