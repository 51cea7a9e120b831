/* SPDX-License-Identifier: Apache-2.0
 * models.h - models by name: the models of core/models, made part of the program at build time,
 * and an operator's own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/models/model.h"

/* A set of models, sorted by id: immutable once shared, readable by any thread. */
struct models;

/* Returns the set of the embedded models; static. */
const struct models *models_embedded(void);
/* Makes a set of the embedded models and `count` more, whose rows must outlive the set; NULL
 * when out of memory. */
struct models *models_new(const struct model *const *more, size_t count);
void models_free(struct models *models); /* NULL and the embedded set are ignored */

size_t models_count(const struct models *models);
const struct model *models_at(const struct models *models, size_t i);
/* Finds a model by id or alias, in any case of letters, an alias also without its
 * "organisation/"; NULL if there is none. */
const struct model *models_find(const struct models *models, const char *name, size_t len);
/* Returns the nearest id to a misspelt name, NULL if none is near. */
const char *models_suggest(const struct models *models, const char *name, size_t len);

/* Adds the problem of an unknown name to *errors, with the nearest id; returns its status. */
enum pe_status models_refuse(const struct models *models, const char *name, size_t len,
                             struct pe_errors *errors);

/* The layers that a client chose, by at most one of the two fields. */
struct models_layer {
    const char *type; /* NULL: not given */
    int64_t index;    /* -1: not given */
};

/* Returns the type of a layer, NULL if the model has no types. */
const char *models_layer_type(const struct model *model, int64_t layer);

/* Finds the use of the model that has this encoding (or its "/apply") in these layers. Returns
 * NULL after adding the problem: the model has not this encoding, or its layers differ and the
 * client named none. */
const struct model_use *models_choose(const struct model *model, const struct pe_encoding *enc,
                                      const struct models_layer *layer,
                                      struct pe_errors *errors);

/* Returns whether the use has this encoding, or the encoding whose vectors this one rotates. */
bool models_use_is_of(const struct model_use *use, const struct pe_encoding *enc);

/* Gives the arguments the use's settings as defaults: a value that the client gave stays, and
 * of two names with one meaning (rotary_dim, partial_rotary_factor) the name in given[] stays.
 * Another `scaling` than the model's also replaces the settings after it. */
enum pe_status models_apply(const struct model_use *use, struct pe_args *args,
                            const char *const *given, size_t given_count,
                            struct pe_errors *errors);
