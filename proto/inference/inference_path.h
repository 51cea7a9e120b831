/* SPDX-License-Identifier: Apache-2.0
 * inference_path.h - the paths below /v2, which belong to the Open Inference Protocol:
 * errors there have a form of their own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns whether the path, decoded or not, is /v2 or below it; prefix (may be NULL) is the
 * service's, which paths that have lost it are compared without. */
bool inference_path_is(const char *path, size_t len, const char *prefix);

/* The parts of a path behind "/v2/models/": "rope.llama-3.1-8b/versions/1/infer". */
struct inference_path {
    const char *name, *version; /* borrowed; version is NULL where there is none */
    size_t name_len, version_len;
};
struct inference_path inference_path_read(const char *segment, size_t len);

/* Returns the model's name with dots that a path below /v2 without an endpoint means,
 * "rope.apply" for /v2/models/rope/apply/infer; NULL if it means none. */
enum { INFERENCE_PATH_NAME_SIZE = 80 };
const char *inference_path_suggest(const char *path, size_t len,
                                   char name[INFERENCE_PATH_NAME_SIZE]);
