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
/* Lists the ids of the models with the nearest names to a misspelt one, nearest first; returns
 * their number, 0 if none is near. */
enum { MODELS_NEAR = 3, MODELS_NEAR_TEXT = 200 };
size_t models_nearest(const struct models *models, const char *name, size_t len,
                      const char *ids[MODELS_NEAR]);
/* Prints them: "llama-3-8b, llama-3-70b or llama-3.1-8b"; "" if none is near. */
void models_print_nearest(const struct models *models, const char *name, size_t len, char *text,
                          size_t size);

/* Adds the problem of an unknown name to *errors, with the nearest ids; returns its status. */
enum pe_status models_refuse(const struct models *models, const char *name, size_t len,
                             struct pe_errors *errors);

/* Returns whether each of the words, which have spaces between them, is part of a name, the
 * organisation or the family of the model, in any case of letters. */
bool models_match(const struct model *model, const char *words);
