/* SPDX-License-Identifier: Apache-2.0
 * output_row.c - writes an output as JSON: its axes, what it needs, and how it is shown. */
#include "proto/describe/output_row.h"

#include <string.h>

#include "proto/models/param_set.h"
#include "proto/pictures/colour_map.h"
#include "proto/text/json_write.h"

/* Writes the axes joined by commas: "heads,q,k"; "" for a scalar. */
static void add_shape(struct buffer *out, const struct pe_output *output)
{
    json_write(out, "'shape':'");
    for (size_t i = 0; i < PE_MAX_RANK && output->axes[i]; i++)
        buffer_add_format(out, "%s%s", i == 0 ? "" : ",", output->axes[i]);
    buffer_add_text(out, "\"");
}

/* Writes each axis with its label and meaning. */
static void add_axes(struct buffer *out, const struct pe_output *output)
{
    json_write(out, "'axes':[");
    for (size_t i = 0; i < PE_MAX_RANK && output->axes[i]; i++) {
        const struct pe_axis *axis = pe_axis_find(output->axes[i]);

        json_write(out, "{'name':'%s'", output->axes[i]);
        json_write_text(out, "label", axis ? axis->label : NULL);
        json_write_text(out, "doc", axis ? axis->meaning : NULL);
        json_write(out, "}");
    }
    json_write(out, "]");
}

static void add_uses(struct buffer *out, const struct pe_encoding *enc,
                     const struct pe_output *output)
{
    size_t count;
    const struct pe_param *params = pe_params(enc, &count);

    json_write(out, "'uses':[");
    for (size_t i = 0; output->uses ? output->uses[i] != NULL : i < count; i++)
        json_write_text(out, NULL, output->uses ? output->uses[i] : params[i].name);
    json_write(out, "]");
}

/* Writes the names of the parameters that every request for the output must give. */
static void add_required(struct buffer *out, const struct pe_encoding *enc,
                         const struct pe_output *output)
{
    size_t count;
    const struct pe_param *params = pe_params(enc, &count);

    json_write(out, "'required':[");
    for (size_t i = 0; i < count; i++)
        if (pe_output_requires(output, &params[i]))
            json_write_text(out, NULL, params[i].name);
    json_write(out, "]");
}

/* Writes the sets of parameters of which one must be given: [["len","q"],["grid","boxes"]]. */
static void add_one_of(struct buffer *out, const struct pe_encoding *enc, const char *sets)
{
    struct param_set set;

    json_write(out, "'one_of':[");
    while (param_set_next(enc, &sets, &set)) {
        json_write(out, "[");
        for (size_t i = 0; i < set.count; i++)
            json_write_text(out, NULL, set.at[i]->name);
        json_write(out, "]");
    }
    json_write(out, "]");
}

/* Writes "len=64&": the query of the output's own picture, or what it uses of the encoding's.
 */
static void add_picture_query(struct buffer *out, const struct pe_encoding *enc,
                              const struct pe_output *output)
{
    const char *pair = output->picture ? output->picture : pe_picture(enc);

    for (const char *end; *pair; pair = *end ? end + 1 : end) {
        size_t name_len = strcspn(pair, "=");
        const struct pe_param *param = pe_param_find(enc, pair, name_len);

        end = strchrnul(pair, '&');
        if (output->picture || !param || pe_output_uses(output, param->name)) {
            buffer_add(out, pair, (size_t)(end - pair));
            buffer_add_text(out, "&");
        }
    }
}

bool output_row_write_picture(struct buffer *out, const struct pe_encoding *enc,
                              const struct pe_output *output)
{
    if (!output->picture && !pe_picture(enc))
        return false;
    add_picture_query(out, enc, output);
    buffer_add_format(out, "out=%s", output->name);
    return true;
}

/* Writes a query whose answer is worth seeing, and how to show it. */
static void add_picture(struct buffer *out, const struct pe_encoding *enc,
                        const struct pe_output *output)
{
    static const char *const columns[] = {
        [PE_COLUMN_ELEMENT] = "element",     [PE_COLUMN_PAIR] = "pair",
        [PE_COLUMN_PAIRED] = "paired",       [PE_COLUMN_WAVE] = "wave",
        [PE_COLUMN_AXES_WAVE] = "axes-wave",
    };
    static const char *const signs[] = {"signed", "not-negative", "not-positive"};

    json_write_text(out, "columns", columns[output->columns]);
    json_write_text(out, "scale", output->scale == PE_LOGARITHMIC ? "logarithmic" : "linear");
    json_write_text(out, "sign", signs[output->sign]);
    json_write_text(out, "palette",
                    colour_map_at(colour_map_of(output, output->natural))->name);
    if (output->picture || pe_picture(enc)) {
        json_write(out, "'picture':'/v1/%s?", pe_name(enc));
        (void)output_row_write_picture(out, enc, output);
        buffer_add_text(out, "\"");
    }
}

void output_row_write(struct buffer *out, const struct pe_encoding *enc,
                      const struct pe_output *output)
{
    json_write(out, "{'name':'%s'", output->name);
    add_shape(out, output);
    add_axes(out, output);
    json_write_text(out, "dtype", pe_dtype_name(output->natural));
    json_write_flag(out, "default", output->by_default);
    json_write_text(out, "bound", output->bound);
    add_uses(out, enc, output);
    add_required(out, enc, output);
    if (output->one_of)
        add_one_of(out, enc, output->one_of);
    json_write_text(out, "label", output->label);
    json_write_text(out, "doc", output->summary);
    add_picture(out, enc, output);
    json_write(out, "}");
}
