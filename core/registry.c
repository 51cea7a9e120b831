/* SPDX-License-Identifier: Apache-2.0
 * registry.c - lists the encodings of encodings.def, and reads them for callers. */
#include <assert.h>
#include <string.h>

#include "core/encoding.h"

#define ENCODING(NAME) extern const struct pe_encoding pe_encoding_##NAME;
#include "core/encodings.def"
#undef ENCODING

static const struct pe_encoding *const encodings[] = {
#define ENCODING(NAME) &pe_encoding_##NAME,
#include "core/encodings.def"
#undef ENCODING
};

const char *pe_version(void)
{
    return "0.1.0";
}

size_t pe_count(void)
{
    return PE_LEN(encodings);
}

const struct pe_encoding *pe_at(size_t i)
{
    assert(i < pe_count());
    return encodings[i];
}

/* Compare the name with text[0..len), which may hold any bytes, as strcmp does. */
static int compare(const char *name, const char *text, size_t len)
{
    size_t name_len = strlen(name), common = name_len < len ? name_len : len;
    int order = common > 0 ? memcmp(name, text, common) : 0;

    return order != 0 ? order : (name_len > len) - (name_len < len);
}

/* Returns the number of the encoding with this name, or pe_count(). */
static size_t find(const char *name, size_t len)
{
    size_t low = 0, high = pe_count(); /* the encoding is in [low, high), if it exists */

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(encodings[middle]->name, name, len);

        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return pe_count();
}

const struct pe_encoding *pe_find(const char *name, size_t len)
{
    size_t i = find(name, len);

    return i < pe_count() ? encodings[i] : NULL;
}

size_t pe_index(const struct pe_encoding *enc)
{
    return find(enc->name, strlen(enc->name));
}

const char *pe_name(const struct pe_encoding *enc)
{
    return enc->name;
}

const char *pe_title(const struct pe_encoding *enc)
{
    return enc->title;
}

const char *pe_summary(const struct pe_encoding *enc)
{
    return enc->summary;
}

const char *pe_picture(const struct pe_encoding *enc)
{
    return enc->picture;
}

/* Returns the encoding that has the texts of this one: itself, or "rope" for "rope/apply". */
static const struct pe_encoding *text_of(const struct pe_encoding *enc)
{
    const char *slash = enc->formula ? NULL : strchr(enc->name, '/');
    const struct pe_encoding *plain =
        slash ? pe_find(enc->name, (size_t)(slash - enc->name)) : NULL;

    return plain ? plain : enc;
}

const char *pe_formula(const struct pe_encoding *enc)
{
    return text_of(enc)->formula;
}

const char *pe_when_to_use(const struct pe_encoding *enc)
{
    return text_of(enc)->when_to_use;
}

const char *pe_what_goes_wrong(const struct pe_encoding *enc)
{
    return text_of(enc)->what_goes_wrong;
}

const struct pe_axis *pe_axis_find(const char *name)
{
    static const struct pe_axis axes[] = {
#define AXIS(NAME, LABEL, MEANING) {NAME, LABEL, MEANING},
#include "core/axes.def"
#undef AXIS
    };

    for (size_t i = 0; i < PE_LEN(axes); i++)
        if (strcmp(axes[i].name, name) == 0)
            return &axes[i];
    return NULL;
}

const char *pe_source(const struct pe_encoding *enc)
{
    return enc->source;
}

const char *const *pe_examples(const struct pe_encoding *enc)
{
    return enc->examples;
}

enum pe_family pe_family_of(const struct pe_encoding *enc)
{
    return enc->family;
}

const char *pe_family_name(enum pe_family family)
{
    static const char *const names[] = {
        [PE_ABSOLUTE] = "absolute", [PE_ROTARY] = "rotary", [PE_BIAS] = "bias",
        [PE_INDEX] = "index",       [PE_MASK] = "mask",     [PE_SPATIAL] = "spatial",
        [PE_GRAPH] = "graph",
    };

    return names[family];
}

unsigned pe_revision(const struct pe_encoding *enc)
{
    return enc->revision > 0 ? enc->revision : 1;
}

const struct pe_param *pe_params(const struct pe_encoding *enc, size_t *count)
{
    *count = enc->param_count;
    return enc->params;
}

size_t pe_output_group(const struct pe_encoding *enc, size_t output)
{
    const char *group = enc->outputs[output].group;

    while (group && strcmp(enc->outputs[output].name, group) != 0)
        output--; /* a group's first output comes before the others */
    return output;
}

const struct pe_output *pe_outputs(const struct pe_encoding *enc, size_t *count)
{
    *count = enc->output_count;
    return enc->outputs;
}

bool pe_output_uses(const struct pe_output *output, const char *name)
{
    for (const char *const *use = output->uses; use && *use; use++)
        if (strcmp(*use, name) == 0)
            return true;
    return !output->uses;
}

bool pe_output_requires(const struct pe_output *output, const struct pe_param *param)
{
    return param->required && !param->when && pe_output_uses(output, param->name);
}
