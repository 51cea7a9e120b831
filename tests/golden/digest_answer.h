/* SPDX-License-Identifier: Apache-2.0
 * digest_answer.h - the bytes of an answer, all its tensors one after the other. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"

enum digest_way { DIGEST_WHOLE, DIGEST_PIECES }; /* one call a group, or many by threads */

struct digest_answer {
    char *bytes;
    size_t size;
};

/* A question is the name of an encoding, "?", and its arguments as in a query, nothing escaped;
 * a tensor is its shape, x=[4,8], of fixed float32 numbers. False, with the reason on stderr,
 * if the library refuses it. */
bool digest_answer_new(struct digest_answer *answer, const char *question, enum digest_way way);
void digest_answer_free(struct digest_answer *answer);
