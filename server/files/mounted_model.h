/* SPDX-License-Identifier: Apache-2.0
 * mounted_model.h - a configuration of --models-dir, read from a file: immutable,
 * reference-counted, shared by the sets of models that have it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { MOUNTED_MODEL_NAME_SIZE = 80 };

struct model;
struct mounted_model;

/* Returns whether the name has letters, digits and "._-", as a segment of a path may have
 * them, and fits. */
bool mounted_model_is_name(const char *name, size_t len);
/* Reads the file `path` of the folder as the model `id`. NULL: there is no such regular file,
 * or it is wrong, with the reason in `why`, which is "" otherwise. */
struct mounted_model *mounted_model_read(int dir, const char *path, const char *id, char *why,
                                         size_t size);
struct mounted_model *mounted_model_share(struct mounted_model *mounted);
void mounted_model_drop(struct mounted_model *mounted); /* NULL is ignored */
const struct model *mounted_model_get(const struct mounted_model *mounted); /* borrowed */
/* Returns true if both were read from the same bytes. */
bool mounted_model_equal(const struct mounted_model *a, const struct mounted_model *b);
