/* SPDX-License-Identifier: Apache-2.0
 * hf_class.h - what the code of a class does that its configuration does not say: the rows of
 * classes/, one a model_type. No other file names a class. Private to hf_*. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers of a vector that form a pair; HF_UNPAIRED: one width and one theta do not say the
 * rotation of the class, or it has none. */
enum hf_pairing { HF_UNPAIRED, HF_HALF, HF_ADJACENT };

/* Traits of a class, bits of a set. */
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

/* A value that the configuration class has for a key that a config.json leaves out. */
struct hf_number {
    const char *key;
    double value;
};

/* A flag that scales the rotation where it is true. */
struct hf_flag {
    const char *flag, *scaling, *variant, *factor;
};

/* A dictionary of rope_parameters that is named after no layer type, and a type that it is
 * about. */
struct hf_label {
    const char *name, *layer_type;
};

/* An encoding that a class has whatever rope_theta says. */
struct hf_encoding {
    /* The encoding counts where the key is the word, or is true if the word is "true"; NULL: it
     * always counts. */
    const char *key, *word;
    bool absent;          /* it counts where the key is absent, too */
    const char *encoding; /* NULL: nothing that can be computed */
    const char *group;    /* its layers, or tensors that it is added to; NULL: all layers */
    /* {key:default} is the configuration's number or list, or what is given here if it is
     * left out, as the class has it; {a|b:} is the first of two numbers that is above 0;
     * {a/b:} is a quotient, {width:} the width of a head, {inner:} that of a diffusion model.
     * Learned tables are for the client to bring. NULL: none. */
    const char *settings;
    bool last; /* no encoding: the list has ended */
};

/* A row of classes/: what it leaves out is 0 or NULL. Lists end with an entry without a key or
 * name, lists of encodings with one that says that it is the last. */
struct hf_class {
    /* The model_type, _class_name of diffusers, or a position_embedding_type; "TYPE.MEMBER" for
     * a part that names no type. */
    char name[48]; /* in the row: a pointer to each would make the module longer */
    /* The class of the nested part that is the language model; it counts also if there is no
     * part, as in Qwen2-VL's first files. */
    const char *part;
    enum hf_pairing pairing;
    unsigned traits;
    /* n of the layer pattern where the configuration has none; 0: all layers are alike. */
    unsigned period;
    /* Values of the configuration class for keys that a config.json leaves out; 0: the class
     * has none, as for a head_dim that is a quotient. Published files rely on them
     * (google/gemma-3-4b-it has no rope_theta, llava-hf/llava-1.5-7b-hf no hidden_size). */
    double hidden_size, heads, head_dim, rope_theta;
    const struct hf_number *numbers; /* the same, of further keys */
    /* The one key that has the width of a head, whatever the others say, and how many times
     * hidden_size / num_attention_heads it is where it is absent. */
    const char *width_key;
    double width_times;
    const struct hf_flag *flag;
    const struct hf_label *labels;
    /* mrope_section for configurations that have none, and how sections are divided among the
     * axes, whatever the configuration says; NULL: chunked, or interleaved where
     * mrope_interleaved is true. */
    const char *sections, *section_layout;
    const struct hf_encoding *encodings; /* of a class that does not rotate, or besides */
    const struct hf_encoding *tower;     /* of a part for images or sound */
    /* The parts of the class, and of its tower, that no encoding computes: half a sentence. */
    const char *left_out, *tower_left_out;
    /* The rules of the class are not in its row: nothing is answered of it. */
    bool not_yet;
};

/* Returns row number i, NULL after the last. */
const struct hf_class *hf_class_at(size_t i);
/* Finds the row of that name; NULL if there is none. name: may be NULL. */
const struct hf_class *hf_class_find(const char *name);
/* Finds the row of a model_type, or of the part that it names, if it rotates; else NULL. */
const struct hf_class *hf_class_find_rotating(const char *model_type);
/* The functions below take NULL for an unknown class, which has no traits or defaults. */
bool hf_class_has(const struct hf_class *row, unsigned trait);
/* Returns layer type number i that a dictionary of that name (NULL: any) is about, NULL after
 * the last. The dictionaries of a class without labels are named after layer types. */
const char *hf_class_label(const struct hf_class *row, const char *name, size_t i);
bool hf_class_has_labels(const struct hf_class *row);
/* Finds the class's number for a key that is absent; false if none is known. */
bool hf_class_default(const struct hf_class *row, const char *key, double *number);
