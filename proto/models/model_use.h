/* SPDX-License-Identifier: Apache-2.0
 * model_use.h - the groups of layers of a model, and the use that a request with model= has. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/models/model.h"

/* The group of the uses that are about every layer of the main stack. */
#define MODEL_ALL_LAYERS "all_layers"

/* The layers that a client chose, by at most one of the two fields. */
struct model_use_layer {
    const char *type; /* NULL: not given */
    int64_t index;    /* -1: not given */
};

/* Returns whether the use has this encoding, or the encoding whose vectors this one changes. */
bool model_use_is_about(const struct model_use *use, const struct pe_encoding *enc);
/* Returns whether layers of the group have the use: it is theirs, or that of the whole
 * stack. */
bool model_use_is_of(const struct model *model, const struct model_use *use, const char *type);
/* Returns the name of the group of layers that the use is about. */
const char *model_use_group(const struct model_use *use);
/* Returns the type of a layer of the main stack, NULL if the model has no types. */
const char *model_use_layer_type(const struct model *model, int64_t layer);

/* Finds the stack whose layers the use is about: those of the use's layer type by the stack's
 * pattern, or (a pattern of no length) all. False: the use is about no layers that are known
 * one by one. */
bool model_use_stack(const struct model *model, const struct model_use *use,
                     struct model_stack *stack);
/* Returns whether the use is about layer number i of that stack. */
bool model_use_has_layer(const struct model_use *use, const struct model_stack *stack,
                         int64_t i);

/* Finds the use of the model that has this encoding (or its "/apply") in these layers. Returns
 * NULL after adding the problem: the model has not this encoding, or its layers differ and the
 * client named none. */
const struct model_use *model_use_choose(const struct model *model,
                                         const struct pe_encoding *enc,
                                         const struct model_use_layer *layer,
                                         struct pe_errors *errors);

/* Gives the arguments the use's settings as defaults: a value that the client gave stays, and
 * of two names with one meaning (rotary_dim, partial_rotary_factor) the name in given[] stays.
 * Another choice than the model's (scaling, convention) also replaces the settings that follow
 * from it. */
enum pe_status model_use_apply(const struct model_use *use, struct pe_args *args,
                               const char *const *given, size_t given_count,
                               struct pe_errors *errors);
