/* SPDX-License-Identifier: Apache-2.0
 * model.h - the positional facts of a model. Models of core/models (embedded), of --models-dir
 * and of a client's configuration have this one form. Strings are borrowed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A parameter's name and text in a query. */
struct model_setting {
    const char *name, *text;
};

/* The file that a fact is from: one version of a public file. */
struct model_source {
    const char *repository, *path, *commit;
};

/* A fact or a parameter whose source is not that of its model or use. */
struct model_fact_source {
    const char *fact;
    const struct model_source *source;
};

/* A learned tensor of the checkpoint, which a client gives as a parameter. */
struct model_tensor {
    const char *parameter;
    const char *name;   /* "{layer}" stands for the number of a layer */
    const char *shape;  /* "32,8"; NULL: unknown */
    const char *layout; /* how the tensor must be turned first; NULL: it is used as it is */
};

/* How a library lays out its tables, before it reorders vectors: settings in the place of the
 * use's own. */
struct model_layout {
    const char *library; /* "transformers" */
    const struct model_setting *settings;
    size_t count;
    const struct model_source *source;
};

/* The encoding of a group of the model's layers with its settings, or no encoding at all. */
struct model_use {
    const char *encoding;                 /* NULL: these layers have no positional encoding */
    const char *layer_type;               /* the group; NULL: every layer of the main stack */
    const struct model_setting *settings; /* `scaling` precedes its settings */
    size_t count;
    const struct model_tensor *tensors;
    size_t tensor_count;
    const char *note;                        /* may be NULL */
    const char *left_out;                    /* what these layers do besides; NULL: nothing */
    const struct model_source *source;       /* of the settings; NULL: unknown */
    const struct model_fact_source *sources; /* of single settings */
    size_t source_count;
    const struct model_layout *layouts; /* of libraries whose tables are not as the settings */
    size_t layout_count;
};

/* A stack of layers besides the main one: a tower, an encoder. */
struct model_stack {
    const char *name;
    int64_t layers;
    const char *const *pattern; /* as in struct model; may be NULL */
    size_t pattern_len;
};

/* An encoding besides the uses: a key of a configuration about attention, or about a part of
 * the model, names it. */
struct model_beside {
    const char *from; /* JSON pointer of the key */
    const struct model_use *use;
};

/* A part of the model that its configuration names: text, vision, audio, draft. */
struct model_component {
    const char *name;
    const char *from;     /* JSON pointer of the member; NULL: no configuration was read */
    const char *left_out; /* what is not answered of it; NULL: nothing */
    bool is_main;         /* uses belong to it, unless their group is another part's */
};

struct model {
    const char *id, *name, *organisation, *family, *notes; /* all but id may be NULL */
    const char *const *aliases;                            /* NULL-terminated, or NULL */
    int64_t max_position_embeddings, layers;               /* 0: unknown; of the main stack */
    const char *const *pattern; /* layer i is of type pattern[i % pattern_len]; may be NULL */
    size_t pattern_len;
    const struct model_stack *stacks;
    size_t stack_count;
    const struct model_use *uses;
    size_t use_count;
    const struct model_source *source;       /* of the facts above; NULL: unknown */
    const struct model_fact_source *sources; /* of single facts, as max_position_embeddings */
    size_t source_count;
    const struct model_beside *besides; /* encodings besides the uses; may be NULL */
    size_t beside_count;
    const struct model_component *components; /* NULL: the model is one part */
    size_t component_count;
    int64_t downloads; /* in 30 days, of its most used repository; 0: unknown */
};
