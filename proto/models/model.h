/* SPDX-License-Identifier: Apache-2.0
 * model.h - the positional facts of a model. Models of core/models (embedded), of --models-dir
 * and of a client's configuration have this one form. Strings are borrowed. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A parameter's name and text in a query. */
struct model_setting {
    const char *name, *text;
};

/* The encoding of some of the model's layers with its settings, or no encoding at all. */
struct model_use {
    const char *encoding;                 /* NULL: these layers have no positional encoding */
    const char *layer_type;               /* NULL: every layer */
    const struct model_setting *settings; /* `scaling` precedes its settings */
    size_t count;
};

/* An encoding besides the uses: a key of a configuration about attention, or about a part of
 * the model, names it. */
struct model_beside {
    const char *from; /* JSON pointer of the key */
    const struct model_use *use;
};

/* The file that a fact is from; all NULL: unknown. */
struct model_source {
    const char *repository, *path, *commit;
};

struct model {
    const char *id, *name, *organisation, *family, *notes; /* all but id may be NULL */
    const char *const *aliases;                            /* NULL-terminated, or NULL */
    int64_t max_position_embeddings, layers;               /* 0: unknown */
    const char *const *pattern; /* layer i is of type pattern[i % pattern_len]; may be NULL */
    size_t pattern_len;
    const struct model_use *uses;
    size_t use_count;
    struct model_source source;         /* of all facts without a source of their own */
    struct model_source length_source;  /* of max_position_embeddings */
    struct model_source pairing_source; /* of the setting `pairing` */
    const struct model_beside *besides; /* encodings besides the uses; may be NULL */
    size_t beside_count;
};
