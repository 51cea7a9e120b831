/* SPDX-License-Identifier: Apache-2.0
 * catalog.c - describes encodings from their rows: JSON for programs, a table for
 * README. */
#include "proto/describe/catalog.h"

#include <stdio.h>
#include <string.h>

#include "proto/describe/output_row.h"
#include "proto/describe/schema.h"
#include "proto/http/format.h"
#include "proto/pictures/colour_map.h"
#include "proto/request/param_names.h"
#include "proto/tensors/tensor_reader.h"
#include "proto/text/json_write.h"

static void add_example(struct buffer *out, const struct pe_encoding *enc, const char *query)
{
    json_write(out, "'/v1/%s?%s'", pe_name(enc), query);
}

/* Returns whether an output that is answered by default requires the parameter. */
static bool is_required(const struct pe_output *outputs, size_t count,
                        const struct pe_param *param)
{
    for (size_t i = 0; i < count; i++)
        if (outputs[i].by_default && pe_output_requires(&outputs[i], param))
            return true;
    return false;
}

/* ---- the members of an encoding ---------------------------------------------------------- */

#define TEXT_FIELD(NAME)                                                                       \
    static void write_##NAME(struct buffer *out, const void *enc)                              \
    {                                                                                          \
        json_write_text(out, NULL, pe_##NAME(enc));                                            \
    }
TEXT_FIELD(name)
TEXT_FIELD(title)
TEXT_FIELD(summary)
TEXT_FIELD(formula)
TEXT_FIELD(when_to_use)
TEXT_FIELD(what_goes_wrong)
TEXT_FIELD(source)
#undef TEXT_FIELD

static void write_family(struct buffer *out, const void *enc)
{
    json_write_text(out, NULL, pe_family_name(pe_family_of(enc)));
}

static void write_rev(struct buffer *out, const void *enc)
{
    json_write_integer(out, NULL, pe_revision(enc));
}

static void write_params(struct buffer *out, const void *enc)
{
    size_t params, outputs;
    const struct pe_param *param = pe_params(enc, &params);
    const struct pe_output *output = pe_outputs(enc, &outputs);

    json_write(out, "[");
    for (size_t i = 0; i < params; i++)
        schema_write_row(out, &param[i], is_required(output, outputs, &param[i]));
    json_write(out, "]");
}

static void write_outputs(struct buffer *out, const void *enc)
{
    size_t outputs;
    const struct pe_output *output = pe_outputs(enc, &outputs);

    json_write(out, "[");
    for (size_t i = 0; i < outputs; i++)
        output_row_write(out, enc, &output[i]);
    json_write(out, "]");
}

/* Lists the ways in which tensors and lists may be sent. */
static void write_bodies(struct buffer *out, const void *enc)
{
    if (!tensor_is_taken(enc))
        return;
    json_write(out, "['application/json'");
    for (size_t i = 0; i < tensor_format_count(); i++)
        if (tensor_format_suits(tensor_format_at(i), enc))
            json_write_text(out, NULL, tensor_format_media_type(tensor_format_at(i)));
    json_write(out, "]");
}

static void write_example(struct buffer *out, const void *enc)
{
    add_example(out, enc, pe_examples(enc)[0]);
}

static void write_examples(struct buffer *out, const void *enc)
{
    const char *const *examples = pe_examples(enc);

    json_write(out, "[");
    for (size_t i = 0; examples[i]; i++)
        add_example(out, enc, examples[i]);
    json_write(out, "]");
}

static const struct fields_row rows[] = {
    {"name", write_name},
    {"family", write_family},
    {"title", write_title},
    {"summary", write_summary},
    {"formula", write_formula},
    {"when_to_use", write_when_to_use},
    {"what_goes_wrong", write_what_goes_wrong},
    {"source", write_source},
    {"rev", write_rev},
    {"params", write_params},
    {"outputs", write_outputs},
    {"bodies", write_bodies},
    {"example", write_example},
    {"examples", write_examples},
};
const struct fields catalog_fields = {rows, sizeof rows / sizeof rows[0], .searched = false};

/* ---- the whole --------------------------------------------------------------------------- */

static void add_formats(struct buffer *out)
{
    json_write(out, "'formats':[");
    for (size_t i = 0; i < format_count(); i++) {
        const struct format *format = format_at(i);

        json_write(out, "{'name':'%s','media_type':'%s','tensors':'%s','doc':'%s'}",
                   format->name, format->media_type, format->single ? "one" : "any",
                   format->summary);
    }
    json_write(out, "]");
}

static void add_encodings(struct buffer *out, uint64_t set)
{
    json_write(out, "{'encodings':[");
    for (size_t i = 0; i < pe_count(); i++)
        fields_write(out, &catalog_fields, set, pe_at(i));
    json_write(out, "]");
}

void catalog_write_some(struct buffer *out, uint64_t set)
{
    add_encodings(out, set);
    json_write(out, "}\n");
}

static void add_palettes(struct buffer *out)
{
    static const char *const kinds[] = {[COLOUR_MAP_KIND_DIVERGING] = "diverging",
                                        [COLOUR_MAP_KIND_SEQUENTIAL] = "sequential",
                                        [COLOUR_MAP_KIND_TRUTH] = "truth"};

    json_write(out, "'palettes':[");
    for (size_t i = 0; i < COLOUR_MAP_COUNT; i++) {
        const struct colour_map *map = colour_map_at((enum colour_map_id)i);

        json_write(out, "{'name':'%s','kind':'%s','doc':'%s','stops':[", map->name,
                   kinds[map->kind], map->summary);
        for (size_t j = 0; j < map->stop_count; j++) {
            char colour[9];

            snprintf(colour, sizeof colour, "%06x", (unsigned)map->stops[j]);
            json_write_text(out, NULL, colour);
        }
        json_write(out, "]}");
    }
    json_write(out, "]");
}

void catalog_write(struct buffer *out)
{
    struct param_names common;

    add_encodings(out, FIELDS_ALL);
    json_write(out, "'common':[");
    param_names_init(&common, NULL);
    for (size_t i = 0; i < common.count; i++)
        if (common.at[i] != &common.out) /* each encoding's outputs are its choices */
            schema_write_row(out, common.at[i], common.at[i]->required);
    json_write(out, "]");
    add_formats(out);
    add_palettes(out);
    json_write(out, "}\n");
}

void catalog_write_encoding(struct buffer *out, const struct pe_encoding *enc)
{
    fields_write(out, &catalog_fields, FIELDS_ALL, enc);
    json_write(out, "\n");
}

void catalog_write_markdown(struct buffer *out)
{
    buffer_add_text(out, "| encoding | family | what | try |\n|---|---|---|---|\n");
    for (size_t i = 0; i < pe_count(); i++) {
        const struct pe_encoding *enc = pe_at(i);

        buffer_add_format(out, "| `%s` | %s | %s | `/v1/%s?%s` |\n", pe_name(enc),
                          pe_family_name(pe_family_of(enc)), pe_summary(enc), pe_name(enc),
                          pe_examples(enc)[0]);
    }
}
