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

/* Return the number of the encoding with this name, or pe_count(). */
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

const char *pe_summary(const struct pe_encoding *enc)
{
    return enc->summary;
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
