/* SPDX-License-Identifier: Apache-2.0
 * hf_family.c - the tables of model types. */
#include "proto/models/hf/hf_family.h"

#include <string.h>

#define HALF HF_HALF
#define ADJACENT HF_ADJACENT
#define NOPE_FULL HF_NOPE_FULL
#define SCALED_FULL HF_SCALED_FULL
#define FULL_FIRST HF_FULL_FIRST
#define CHUNKED HF_CHUNKED
#define ALIBI_KEYS HF_ALIBI_KEYS
#define ALIBI_UNSCALED HF_ALIBI_UNSCALED
#define ALIBI_LAST HF_ALIBI_LAST
#define ALIBI_OPEN HF_ALIBI_OPEN
#define LINEAR HF_LINEAR
#define NO_POSITIONS HF_NO_POSITIONS
#define BACKWARD HF_BACKWARD
#define COMPRESSED HF_COMPRESSED
#define SCALED_CLASS HF_SCALED_CLASS
#define SWITCHED HF_SWITCHED
#define NOPE_HYBRID HF_NOPE_HYBRID
#define NOPE_LAYERS HF_NOPE_LAYERS
#define NAMED HF_NAMED
static const struct hf_family families[] = {
#define HF_FAMILY(NAME, PAIRING, TRAITS, PERIOD) {NAME, PAIRING, TRAITS, PERIOD},
#include "proto/models/hf/hf_families.def"
#undef HF_FAMILY
};
enum { FAMILIES = sizeof families / sizeof families[0] };

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
    double value; /* 0: unknown */
} defaults[] = {
#define HF_CLASS(FAMILY, HIDDEN, HEADS, HEAD, THETA, FOLDER)                                   \
    {FAMILY, "hidden_size", HIDDEN}, {FAMILY, "num_attention_heads", HEADS},                   \
        {FAMILY, "head_dim", HEAD}, {FAMILY, "rope_theta", THETA},
#define HF_DEFAULT(FAMILY, KEY, VALUE, FOLDER) {FAMILY, KEY, VALUE},
#include "proto/models/hf/hf_defaults.def"
#undef HF_CLASS
#undef HF_DEFAULT
};
enum { DEFAULTS = sizeof defaults / sizeof defaults[0] };

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

bool hf_family_default(const struct hf_family *family, const char *key, double *number)
{
    for (size_t i = 0; family && i < DEFAULTS; i++) {
        if (strcmp(defaults[i].family, family->name) == 0 &&
            strcmp(defaults[i].key, key) == 0 && defaults[i].value > 0) {
            *number = defaults[i].value;
            return true;
        }
    }
    return false;
}
