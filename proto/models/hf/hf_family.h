/* SPDX-License-Identifier: Apache-2.0
 * hf_family.h - facts about a model_type in Hugging Face's code that its configuration does not
 * have: rows of hf_families.def, hf_parts.def and hf_sections.def, and of hf_defaults.def for
 * absent keys. Private to hf_*. */
#ifndef PROTO_HF_FAMILY_H
#define PROTO_HF_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

enum hf_pairing { HF_HALF, HF_ADJACENT };
enum { /* bits: see hf_families.def */
       HF_NOPE_FULL = 1,
       HF_SCALED_FULL = 2,
       HF_FULL_FIRST = 4,
       HF_CHUNKED = 8,
       HF_ALIBI_KEYS = 16,
       HF_ALIBI_UNSCALED = 32,
       HF_ALIBI_LAST = 64,
       HF_ALIBI_OPEN = 128,
       HF_LINEAR = 256,
       HF_NO_POSITIONS = 512,
       HF_BACKWARD = 1024,
       HF_NOPE_HYBRID = 2048,
       HF_NOPE_LAYERS = 4096,
       HF_NAMED = 8192,
       HF_COMPRESSED = 16384,
       HF_SCALED_CLASS = 32768,
       HF_SWITCHED = 65536,
};
struct hf_family {
    const char *name;
    enum hf_pairing pairing;
    unsigned traits;
    int64_t period;
};

/* The sections by which a family divides its rotation among the axes of images. */
struct hf_sections {
    const char *family, *sections, *variant; /* sections, variant: may be NULL */
};

/* Finds the row of a model_type, or of the part that hf_parts.def names for it; NULL if the
 * type is unknown. */
const struct hf_family *hf_family_find(const char *model_type);
/* Below, NULL stands for an unknown family, which has no sections, traits or defaults. */
const struct hf_sections *hf_family_sections(const struct hf_family *family); /* NULL: none */
bool hf_family_has(const struct hf_family *family, unsigned trait);
/* Finds the family's number for a key that is absent; false if none is known. */
bool hf_family_default(const struct hf_family *family, const char *key, double *number);

#endif
