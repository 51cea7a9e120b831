/* SPDX-License-Identifier: Apache-2.0
 * test_catalog.c - tests that /v1/encodings, README and the command line agree with the
 * registry, and that its examples work. */
#include <stdlib.h>
#include <string.h>

#include "proto/describe/catalog.h"
#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

static json_t *parse(struct buffer *text)
{
    json_error_t error;

    ck_assert(!text->failed);
    json_t *document = json_loadb(text->bytes, text->len, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(document != NULL, "%s at %d", error.text, error.position);
    buffer_fini(text);
    return document;
}

static const char *string_at(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return !text ? "(none)" : text;
}

static json_t *encoding_json(const struct pe_encoding *enc)
{
    struct buffer text = {0};

    catalog_write_encoding(&text, enc);
    return parse(&text);
}

START_TEST(an_index_has_the_members_that_are_asked_for)
{
    static const char query[] = "fields=title,name,bodies";
    struct pe_errors errors = {.count = 0};
    struct buffer text = {0};
    struct fields_query asked;

    ck_assert_int_eq(fields_parse_query(&catalog_fields, query, strlen(query), &asked, &errors),
                     PE_OK);
    catalog_write_some(&text, asked.set);
    json_t *document = parse(&text), *list = json_object_get(document, "encodings");
    ck_assert_uint_eq(json_object_size(document), 1);
    ck_assert_uint_eq(json_array_size(list), pe_count());
    for (size_t i = 0; i < pe_count(); i++) {
        json_t *alone = encoding_json(pe_at(i)), *entry = json_array_get(list, i);

        ck_assert_uint_eq(json_object_size(entry),
                          1 + (size_t) !!json_object_get(alone, "title") +
                              (size_t) !!json_object_get(alone, "bodies"));
        ck_assert(json_object_update_existing(alone, entry) == 0);
        ck_assert_str_eq(string_at(entry, "name"), pe_name(pe_at(i)));
        json_decref(alone);
    }
    json_decref(document);
}
END_TEST

/* Finds the palette of that name; NULL if there is none. */
static const json_t *palette_named(const json_t *palettes, const char *name)
{
    for (size_t i = 0; i < json_array_size(palettes); i++)
        if (strcmp(string_at(json_array_get(palettes, i), "name"), name) == 0)
            return json_array_get(palettes, i);
    return NULL;
}

START_TEST(the_palette_of_an_output_suits_its_sign_and_scale)
{
    struct buffer text = {0};

    catalog_write(&text);
    json_t *document = parse(&text), *list = json_object_get(document, "encodings");
    const json_t *palettes = json_object_get(document, "palettes");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *outputs = json_object_get(json_array_get(list, i), "outputs");

        for (size_t j = 0; j < json_array_size(outputs); j++) {
            const json_t *output = json_array_get(outputs, j);
            const json_t *palette = palette_named(palettes, string_at(output, "palette"));
            const char *dtype = string_at(output, "dtype");
            const bool diverging =
                dtype[0] == 'f' && strcmp(string_at(output, "scale"), "linear") == 0;

            ck_assert_ptr_nonnull(palette);
            ck_assert_str_eq(string_at(palette, "kind"), strcmp(dtype, "bool") == 0 ? "truth"
                                                         : diverging ? "diverging"
                                                                     : "sequential");
        }
    }
    json_decref(document);
}
END_TEST

START_TEST(every_encoding_is_listed_once_with_its_schema)
{
    struct buffer text = {0};

    catalog_write(&text);
    json_t *document = parse(&text), *list = json_object_get(document, "encodings");
    ck_assert_uint_eq(json_array_size(list), pe_count());
    for (size_t i = 0; i < pe_count(); i++) {
        json_t *alone = encoding_json(pe_at(i));

        ck_assert(json_equal(json_array_get(list, i), alone));
        ck_assert_str_eq(string_at(alone, "name"), pe_name(pe_at(i)));
        ck_assert_str_eq(string_at(alone, "family"), pe_family_name(pe_family_of(pe_at(i))));
        ck_assert_str_eq(string_at(alone, "summary"), pe_summary(pe_at(i)));
        ck_assert_str_eq(string_at(alone, "source"), pe_source(pe_at(i)));
        ck_assert_int_eq(json_integer_value(json_object_get(alone, "rev")),
                         pe_revision(pe_at(i)));
        json_decref(alone);
    }
    ck_assert_uint_eq(json_array_size(json_object_get(document, "formats")), format_count());
    ck_assert_uint_eq(json_array_size(json_object_get(document, "common")), 1 + OPTION_COUNT);
    json_decref(document);
}
END_TEST

static bool a_default_output_requires(const struct pe_encoding *enc,
                                      const struct pe_param *param)
{
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (outputs[i].by_default && pe_output_requires(&outputs[i], param))
            return true;
    return false;
}

START_TEST(parameters_are_the_rows)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    size_t count;
    const struct pe_param *rows = pe_params(enc, &count);
    json_t *document = encoding_json(enc), *params = json_object_get(document, "params");

    ck_assert_uint_eq(json_array_size(params), count);
    for (size_t i = 0; i < count; i++) {
        const json_t *param = json_array_get(params, i);

        ck_assert_str_eq(string_at(param, "name"), rows[i].name);
        ck_assert_str_eq(string_at(param, "doc"), pe_param_summary(&rows[i]));
        ck_assert_int_eq(json_is_true(json_object_get(param, "required")),
                         a_default_output_requires(enc, &rows[i]));
        if (rows[i].type == PE_INT) {
            ck_assert_str_eq(string_at(param, "type"), "integer");
            ck_assert(json_number_value(json_object_get(param, "maximum")) == rows[i].max);
        }
        if (rows[i].above_min)
            ck_assert(json_number_value(json_object_get(param, "exclusiveMinimum")) ==
                      rows[i].min);
        if (rows[i].type == PE_CHOICE) {
            json_t *choices = json_object_get(param, "choices");
            const char *preset = rows[i].choices[(size_t)rows[i].preset].name;

            for (size_t j = 0; rows[i].choices[j].name; j++)
                ck_assert_str_eq(string_at(json_array_get(choices, j), "name"),
                                 rows[i].choices[j].name);
            ck_assert_str_eq(string_at(param, "default"),
                             rows[i].required || rows[i].optional ? "(none)" : preset);
        }
    }
    json_decref(document);
}
END_TEST

START_TEST(outputs_are_the_rows)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    size_t count, defaults = 0;
    const struct pe_output *rows = pe_outputs(enc, &count);
    json_t *document = encoding_json(enc), *outputs = json_object_get(document, "outputs");

    ck_assert_uint_eq(json_array_size(outputs), count);
    for (size_t i = 0; i < count; i++) {
        const json_t *output = json_array_get(outputs, i);
        const char *shape = string_at(output, "shape");
        size_t axes = *shape != '\0';

        for (const char *c = shape; *c != '\0'; c++)
            axes += *c == ',';
        size_t rank = 0;
        while (rank < PE_MAX_RANK && rows[i].axes[rank])
            rank++;
        ck_assert_uint_eq(axes, rank);
        ck_assert_str_eq(string_at(output, "name"), rows[i].name);
        ck_assert_str_eq(string_at(output, "dtype"), pe_dtype_name(rows[i].natural));
        ck_assert_str_eq(string_at(output, "bound"), rows[i].bound);
        defaults += json_is_true(json_object_get(output, "default"));
    }
    ck_assert_uint_gt(defaults, 0);
    json_decref(document);
}
END_TEST

START_TEST(examples_are_urls_that_work)
{
    json_t *document = encoding_json(pe_at((size_t)_i));
    json_t *examples = json_object_get(document, "examples");

    ck_assert_uint_gt(json_array_size(examples), 0);
    ck_assert_str_eq(string_at(document, "example"),
                     json_string_value(json_array_get(examples, 0)));
    for (size_t i = 0; i < json_array_size(examples); i++) {
        struct ask ask;
        size_t len;

        ask_url(&ask, json_string_value(json_array_get(examples, i)));
        free(ask_read(&ask, 1 << 16, &len));
        ask_free(&ask);
    }
    json_decref(document);
}
END_TEST

START_TEST(the_table_has_a_line_an_encoding)
{
    struct buffer text = {0};
    size_t lines = 0;

    catalog_write_markdown(&text);
    for (size_t i = 0; i < text.len; i++)
        lines += text.bytes[i] == '\n';
    ck_assert_uint_eq(lines, 2 + pe_count());
    ck_assert_ptr_nonnull(strstr(text.bytes, "| `rope` | rotary | "));
    buffer_fini(&text);
}
END_TEST

SUITE(catalog, TEST(the_palette_of_an_output_suits_its_sign_and_scale),
      TEST(an_index_has_the_members_that_are_asked_for),
      TEST(every_encoding_is_listed_once_with_its_schema),
      TEST_COUNTED(parameters_are_the_rows, pe_count),
      TEST_COUNTED(outputs_are_the_rows, pe_count),
      TEST_COUNTED(examples_are_urls_that_work, pe_count),
      TEST(the_table_has_a_line_an_encoding));
