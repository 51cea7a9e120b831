/* SPDX-License-Identifier: Apache-2.0
 * hf_family.c - the two tables of model types. */
#include "proto/hf_family.h"

#include <string.h>

#include "proto/hf_reader.h"

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
#define ERNIE HF_ERNIE
#define NOPE_HYBRID HF_NOPE_HYBRID
#define NOPE_LAYERS HF_NOPE_LAYERS
#define NAMED HF_NAMED
static const struct hf_family families[] = {
#define HF_FAMILY(NAME, PAIRING, TRAITS, PERIOD) {NAME, PAIRING, TRAITS, PERIOD},
#include "proto/hf_families.def"
#undef HF_FAMILY
};
enum { FAMILIES = sizeof families / sizeof families[0] };

static const struct hf_default {
    const char *family, *key;
    double value;
} defaults[] = {
#define HF_DEFAULT(FAMILY, KEY, VALUE) {FAMILY, KEY, VALUE},
#include "proto/hf_defaults.def"
#undef HF_DEFAULT
};
enum { DEFAULTS = sizeof defaults / sizeof defaults[0] };

const struct hf_family *hf_family_find(const char *model_type)
{
    for (size_t i = 0; i < FAMILIES; i++) {
        if (strcmp(families[i].name, model_type) == 0) {
            return &families[i];
        }
    }
    return NULL;
}

bool hf_family_has(const struct hf_reader *reader, unsigned trait)
{
    return reader->family != NULL && (reader->family->traits & trait) != 0;
}

bool hf_family_default(struct hf_reader *reader, const char *key, double *value)
{
    for (size_t i = 0; reader->family != NULL && i < DEFAULTS; i++) {
        if (strcmp(defaults[i].family, reader->family->name) == 0 &&
            strcmp(defaults[i].key, key) == 0) {
            *value = defaults[i].value;
            hf_reader_note(reader, "%s is absent: %.10g is taken, as for every %s", key, *value,
                           reader->family->name);
            return true;
        }
    }
    return false;
}
