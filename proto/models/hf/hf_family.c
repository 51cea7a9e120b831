/* SPDX-License-Identifier: Apache-2.0
 * hf_family.c - the tables of model types. */
#include "proto/models/hf/hf_family.h"

#include <string.h>

static const struct hf_family families[] = {
#define HF_CODE(NAME, PAIRING, TRAITS, PERIOD) {NAME, HF_##PAIRING, TRAITS, PERIOD, {0}},
#define HF_CLASS(NAME, PAIRING, TRAITS, PERIOD, HIDDEN, HEADS, HEAD, THETA, FOLDER)            \
    {NAME, HF_##PAIRING, TRAITS, PERIOD, {HIDDEN, HEADS, HEAD, THETA}},
#include "proto/models/hf/hf_families.def"
#undef HF_CODE
#undef HF_CLASS
};
enum { FAMILIES = sizeof families / sizeof families[0] };

static const char *const class_keys[HF_CLASS_KEYS] = {"hidden_size", "num_attention_heads",
                                                      "head_dim", "rope_theta"};

static const struct hf_part {
    const char *whole, *part;
} parts[] = {
#define HF_PART(WHOLE, PART) {WHOLE, PART},
#include "proto/models/hf/hf_parts.def"
#undef HF_PART
};

static const struct hf_sections sections[] = {
#define HF_SECTIONS(FAMILY, SECTIONS, VARIANT) {FAMILY, SECTIONS, VARIANT},
#include "proto/models/hf/hf_sections.def"
#undef HF_SECTIONS
};

static const struct hf_default {
    const char *family, *key;
    double value;
} defaults[] = {
#define HF_DEFAULT(FAMILY, KEY, VALUE, FOLDER) {FAMILY, KEY, VALUE},
#include "proto/models/hf/hf_defaults.def"
#undef HF_DEFAULT
};
enum { DEFAULTS = sizeof defaults / sizeof defaults[0] };

static const struct hf_width {
    const char *family, *key;
    double times;
} widths[] = {
#define HF_WIDTH(FAMILY, KEY, TIMES, FOLDER) {FAMILY, KEY, TIMES},
#include "proto/models/hf/hf_widths.def"
#undef HF_WIDTH
};

static const struct hf_flag flags[] = {
#define HF_FLAG(FAMILY, FLAG, SCALING, VARIANT, FACTOR, FOLDER)                                \
    {FAMILY, FLAG, SCALING, VARIANT, FACTOR},
#include "proto/models/hf/hf_flags.def"
#undef HF_FLAG
};

static const struct hf_label {
    const char *family, *name, *layer_type;
} labels[] = {
#define HF_LABEL(FAMILY, NAME, LAYER_TYPE) {FAMILY, NAME, LAYER_TYPE},
#include "proto/models/hf/hf_labels.def"
#undef HF_LABEL
};
enum { LABELS = sizeof labels / sizeof labels[0] };

static const char *part_of(const char *model_type)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(parts[i].whole, model_type) == 0)
            return parts[i].part;
    return model_type;
}

const struct hf_family *hf_family_find(const char *model_type)
{
    model_type = part_of(model_type);
    for (size_t i = 0; i < FAMILIES; i++)
        if (strcmp(families[i].name, model_type) == 0)
            return &families[i];
    return NULL;
}

bool hf_family_has(const struct hf_family *family, unsigned trait)
{
    return family && (family->traits & trait) != 0;
}

const struct hf_sections *hf_family_sections(const struct hf_family *family)
{
    for (size_t i = 0; family && i < sizeof sections / sizeof sections[0]; i++)
        if (strcmp(sections[i].family, family->name) == 0)
            return &sections[i];
    return NULL;
}

const char *hf_family_label(const struct hf_family *family, const char *name, size_t i)
{
    for (size_t row = 0; family && row < LABELS; row++)
        if (strcmp(labels[row].family, family->name) == 0 &&
            (!name || strcmp(labels[row].name, name) == 0) && i-- == 0)
            return labels[row].layer_type;
    return NULL;
}

bool hf_family_has_labels(const struct hf_family *family)
{
    return hf_family_label(family, NULL, 0) != NULL;
}

bool hf_family_default(const struct hf_family *family, const char *key, double *number)
{
    double value = 0;

    for (size_t i = 0; family && i < HF_CLASS_KEYS; i++)
        if (strcmp(class_keys[i], key) == 0)
            value = family->class_values[i];
    for (size_t i = 0; family && i < DEFAULTS && value == 0; i++)
        if (strcmp(defaults[i].family, family->name) == 0 && strcmp(defaults[i].key, key) == 0)
            value = defaults[i].value;
    if (value > 0)
        *number = value;
    return value > 0;
}

const char *hf_family_width(const struct hf_family *family, double *times)
{
    for (size_t i = 0; family && i < sizeof widths / sizeof widths[0]; i++) {
        if (strcmp(widths[i].family, family->name) == 0) {
            *times = widths[i].times;
            return widths[i].key;
        }
    }
    return NULL;
}

const struct hf_flag *hf_family_flag(const struct hf_family *family)
{
    for (size_t i = 0; family && i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(flags[i].family, family->name) == 0)
            return &flags[i];
    return NULL;
}
