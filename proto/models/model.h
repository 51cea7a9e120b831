/* SPDX-License-Identifier: Apache-2.0
 * model.h - a model's positional facts as values: those of core/models (embedded), of
 * --models-dir, and of a configuration that a client sent have one form. Strings only point. */
#ifndef PROTO_MODEL_H
#define PROTO_MODEL_H

#include <stddef.h>
#include <stdint.h>

struct model_setting { /* a parameter, as a query has it */
    const char *name, *text;
};

/* The encoding of some of the model's layers: settings of an encoding, or no encoding at
 * all. */
struct model_use {
    const char *encoding;                 /* NULL: these layers have no positional encoding */
    const char *layer_type;               /* NULL: every layer */
    const struct model_setting *settings; /* `scaling` stands before what belongs to it */
    size_t count;
};

/* A key of a configuration about attention, or about a part of the model, that is none of
 * the uses. */
struct model_beside {
    const char *from; /* a pointer to the key that says it */
    const struct model_use *use;
};

struct model_source { /* all NULL: unknown */
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
    struct model_source source;                        /* the source of the facts, except */
    struct model_source length_source, pairing_source; /* max_position_embeddings; `pairing` */
    const struct model_beside
        *besides; /* a remark on what the model's code does besides; may be NULL */
    size_t beside_count;
};

#endif
