/* SPDX-License-Identifier: Apache-2.0
 * hf_sections.c - turns lists of a configuration into settings, and makes the use of mrope. */
#include "proto/models/hf/hf_sections.h"

#include <string.h>

#include "core/text/float_text.h"
#include "proto/text/buffer.h"

void hf_sections_add_list(struct hf_reader *reader, struct model_use *use, const char *name,
                          const struct json_body_value *value)
{
    struct buffer text = {0};

    if (value->kind != JSON_BODY_NUMBERS || value->rank != 1 || value->cols == 0) {
        hf_reader_fail(reader, value, PE_BAD_VALUE, "must be a list of numbers");
        return;
    }
    for (size_t i = 0; i < value->cols; i++) {
        char number[FLOAT_TEXT_F64_MAX];

        buffer_add_text(&text, i == 0 ? "" : ",");
        buffer_add(&text, number, (size_t)(float_text_f64(number, value->numbers[i]) - number));
    }
    if (text.failed)
        pe_fail(reader->errors, PE_NO_MEMORY, NULL, "out of memory");
    else
        hf_reader_set(reader, use, name, hf_reader_keep(reader, text.bytes, text.len));
    buffer_fini(&text);
}

/* Finds the sections of a dictionary; xdrope_section is Hunyuan's name for them. */
static bool find_sections(struct hf_reader *reader, const struct json_body_value *dict,
                          struct json_body_value *sections)
{
    return dict && (hf_reader_find(reader, dict, "mrope_section", sections) ||
                    hf_reader_find(reader, dict, "xdrope_section", sections));
}

static bool is_interleaved(struct hf_reader *reader, const struct json_body_value *dict)
{
    struct json_body_value flag;

    return dict && hf_reader_find(reader, dict, "mrope_interleaved", &flag) &&
           flag.kind == JSON_BODY_BOOL && flag.flag;
}

/* Returns the variant that divides pairs among the axes; NULL: one section after the other. */
static const char *read_variant(struct hf_reader *reader, const struct json_body_value *dict,
                                const struct hf_class *row)
{
    struct json_body_value type;

    for (size_t i = 0; dict && i < 2; i++)
        if (hf_reader_find(reader, dict, i == 0 ? "rope_type" : "type", &type) &&
            type.kind == JSON_BODY_STRING && strcmp(type.text, "xdrope") == 0)
            return "xdrope";
    if (row && row->section_layout)
        return row->section_layout;
    return is_interleaved(reader, dict) ? "interleaved" : NULL;
}

void hf_sections_add(struct hf_reader *reader, const struct model_use *text,
                     const struct json_body_value *dict)
{
    struct json_body_value sections;
    const struct hf_class *row = reader->class;
    bool said = find_sections(reader, dict, &sections);

    if (!said && (!row || !row->sections))
        return;
    struct model_use *use = hf_reader_use(reader, "mrope", text->layer_type);
    for (size_t i = 0; use && i < text->count; i++)
        hf_reader_set(reader, use, text->settings[i].name, text->settings[i].text);
    if (use && said) {
        hf_sections_add_list(reader, use, "mrope_section", &sections);
    } else if (use) {
        hf_reader_note(reader, "mrope_section is absent: %s is taken, as for every %s",
                       row->sections, row->name);
        hf_reader_set(reader, use, "mrope_section", row->sections);
    }
    const char *variant = use ? read_variant(reader, dict, row) : NULL;
    if (variant)
        hf_reader_set(reader, use, "section_layout", variant);
}
