/* SPDX-License-Identifier: Apache-2.0
 * tensor_choice.h - the choice of one tensor among those of a file, by its name or by the
 * end of its name: wpe means transformer.wpe.weight where no other name ends so. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { TENSOR_CHOICE_WHY_SIZE = 280 };

struct tensor_choice {
    const char *wanted; /* the name that was given; NULL: none */
    const char *param;  /* whose tensor it becomes: the name that is taken if none was given */
};

/* Finds the tensor among the names; the only tensor needs no name. Returns its index, or
 * `count` after writing half a sentence, "has no tensor wpx; it has wpe.weight", to `why`. */
size_t tensor_choice_find(const struct tensor_choice *choice, const char *const *names,
                          size_t count, char why[TENSOR_CHOICE_WHY_SIZE]);
