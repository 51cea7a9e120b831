/* SPDX-License-Identifier: Apache-2.0
 * unlike.h - tensors whose numbers no values of an output's parameters give, by a few of their
 * rows: cosines and sines without a circle, or without a pair that turns slowly; masks of more
 * than two numbers. */
#pragma once

#include "core/verify/view.h"

/* A tensor seen in the shape of an output. */
struct unlike_seen {
    const struct pe_output *output; /* of an encoding of this family */
    enum pe_family family;
    struct view view;
};

/* What was found of a view last. {0} knows nothing. */
struct unlike_known {
    struct view view;
    const unsigned char *sines; /* that stand beside it */
    int property;               /* that was looked for */
    bool unlike;
};

enum { UNLIKE_KNOWN = 2 * PE_VERIFY_TENSORS };

/* Returns whether one of the tensors, at most UNLIKE_KNOWN, has numbers that its output has for
 * no values that are in use; false without memory, where *failed becomes true. */
bool unlike(const struct unlike_seen *seen, size_t count, struct unlike_known *known,
            bool *failed);
