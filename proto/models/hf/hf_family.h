/* SPDX-License-Identifier: Apache-2.0
 * hf_family.h - facts about a model_type in Hugging Face's code that its configuration does not
 * have: rows of hf_families.def, hf_parts.def, hf_sections.def, hf_labels.def,
 * hf_widths.def, hf_flags.def and hf_defaults.def. Private to
 * hf_*. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hf_pairing { HF_HALF, HF_ADJACENT };

/* Traits of a family, bits of a set. */
enum {
    /* Layers of full_attention do not rotate. */
    HF_NOPE_FULL = 1 << 0,
    /* Layers of full_attention do not rotate, unless sliding_window is null; then all layers
     * rotate. */
    HF_NOPE_HYBRID = 1 << 1,
    /* Every n-th layer does not rotate, whatever its attention. */
    HF_NOPE_LAYERS = 1 << 2,
    /* No layer rotates, whatever rope_theta says. */
    HF_NO_POSITIONS = 1 << 3,
    /* No layer rotates unless position_embedding_type is rotary or rope. */
    HF_NAMED = 1 << 4,
    /* The code rotates by minus the angle. */
    HF_BACKWARD = 1 << 5,
    /* Only the frequencies of layers of full_attention are scaled. */
    HF_SCALED_FULL = 1 << 6,
    /* The class has a dictionary of RoPE parameters where the configuration has none. */
    HF_SCALED_CLASS = 1 << 7,
    /* compress_ratios says which layers have compress_rope_theta and rope_scaling; the other
     * layers have neither. */
    HF_COMPRESSED = 1 << 8,
    /* Layers 0, n, 2n, ... have full attention, instead of n - 1, 2n - 1, ... */
    HF_FULL_FIRST = 1 << 9,
    /* Layers without full attention are chunked_attention, instead of sliding_attention. */
    HF_CHUNKED = 1 << 10,
    /* Layers without full attention are linear_attention, instead of sliding_attention. */
    HF_LINEAR = 1 << 11,
    /* Layers have a window only where use_sliding_window is true. */
    HF_SWITCHED = 1 << 12,
    /* The model has ALiBi, as the bias m j of key j with the slope m. */
    HF_ALIBI_KEYS = 1 << 13,
    /* The model has ALiBi as HF_ALIBI_KEYS says, if there is no max_position_embeddings. */
    HF_ALIBI_OPEN = 1 << 14,
    /* Where "alibi" is true: the bias is m j, added before the scores are scaled. */
    HF_ALIBI_UNSCALED = 1 << 15,
    /* Where "alibi" is true: the bias is m (j - last); elsewhere nothing rotates. */
    HF_ALIBI_LAST = 1 << 16,
    /* partial_rotary_factor is of the whole head (head_dim, or qk_nope_head_dim and
     * qk_rope_head_dim together), whose last columns rotate; elsewhere it is of
     * qk_rope_head_dim, where the configuration has that. */
    HF_FACTOR_OF_HEAD = 1 << 17,
    /* Periods of layers end with the last layer; elsewhere the first one begins at layer 0. */
    HF_FULL_LAST = 1 << 18,
    /* The first layers, whose network is dense, have periods of their own; where these have one
     * layer (prefix_dense_sliding_window_pattern 1, which is the default), they have full
     * attention and rotate all the same. */
    HF_DENSE_FIRST = 1 << 19,
    /* No layer rotates unless rope_theta is given. */
    HF_THETA_GIVEN = 1 << 20,
    /* No layer rotates unless use_mem_rope is true. */
    HF_ROPE_ON = 1 << 21,
    /* Queries see keys on both sides, those within sliding_window of them where a layer has a
     * window. */
    HF_BOTH_WAYS = 1 << 22,
    /* Where queries see both sides, sliding_window counts the keys on both sides together. */
    HF_WINDOW_OF_BOTH = 1 << 23,
};

enum { HF_CLASS_KEYS = 4 };

/* A row of hf_families.def. */
struct hf_family {
    const char *name;
    enum hf_pairing pairing;
    unsigned traits;
    int64_t period;
    double class_values[HF_CLASS_KEYS]; /* 0: unknown */
};

/* The sections by which a family divides its rotation among the axes of images. */
struct hf_sections {
    const char *family, *sections, *variant; /* sections, variant: may be NULL */
};

/* A flag that scales the rotation of a family where it is true. */
struct hf_flag {
    const char *family, *flag, *scaling, *variant, *factor;
};

/* Finds the row of a model_type, or of the part that hf_parts.def names for it; NULL if the
 * type is unknown. */
const struct hf_family *hf_family_find(const char *model_type);
/* The functions below take NULL for an unknown family, which has no sections, traits or
 * defaults. */
const struct hf_sections *hf_family_sections(const struct hf_family *family); /* NULL: none */
bool hf_family_has(const struct hf_family *family, unsigned trait);
/* Returns layer type number i that a dictionary of that name (NULL: any) is about, NULL after
 * the last. The dictionaries of a family without labels are named after layer types. */
const char *hf_family_label(const struct hf_family *family, const char *name, size_t i);
bool hf_family_has_labels(const struct hf_family *family);
/* Finds the family's number for a key that is absent; false if none is known. */
bool hf_family_default(const struct hf_family *family, const char *key, double *number);
/* Returns the one key that has the width of a head, and how many times hidden_size /
 * num_attention_heads it is where the key is absent; NULL: the family has no such key. */
const char *hf_family_width(const struct hf_family *family, double *times);
const struct hf_flag *hf_family_flag(const struct hf_family *family); /* NULL: none */
