/* SPDX-License-Identifier: Apache-2.0
 * test_openapi_components.c - tests that every schema of the document says what its members
 * are. */
#include <jansson.h>
#include <string.h>

#include "proto/describe/openapi.h"
#include "tests/support/suite.h"

static const char schemas_prefix[] = "#/components/schemas/";

/* Returns the schema that a property refers to; NULL if it refers to none. */
static const json_t *referred(const json_t *document, const json_t *property)
{
    const char *reference = json_string_value(json_object_get(property, "$ref"));
    const json_t *components = json_object_get(document, "components");

    if (!reference)
        return NULL;
    ck_assert_mem_eq(reference, schemas_prefix, sizeof schemas_prefix - 1);
    return json_object_get(json_object_get(components, "schemas"),
                           reference + sizeof schemas_prefix - 1);
}

/* Checks every property below a part of the document; returns their number. */
static size_t check(const json_t *document, json_t *part)
{
    const char *key, *name;
    json_t *member, *property;
    size_t count = 0, i;

    json_object_foreach(json_object_get(part, "properties"), name, property)
    {
        if (json_is_object(property)) {
            const json_t *said = referred(document, property);

            ck_assert_msg(json_is_string(json_object_get(property, "description")) ||
                              json_is_string(json_object_get(said, "description")),
                          "%s has no description", name);
            count++;
        }
    }
    json_object_foreach(part, key, member)
    {
        count += check(document, member);
    }
    json_array_foreach(part, i, member)
    {
        count += check(document, member);
    }
    return count;
}

START_TEST(every_property_of_every_schema_says_what_it_means)
{
    struct buffer text = {0};

    openapi_write(&text, "");
    json_t *document = json_loadb(text.bytes, text.len, 0, NULL);
    ck_assert_ptr_nonnull(document);
    ck_assert_uint_gt(check(document, document), 4000);
    json_decref(document);
    buffer_fini(&text);
}
END_TEST

SUITE(openapi_components, TEST(every_property_of_every_schema_says_what_it_means));
