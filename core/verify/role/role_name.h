/* SPDX-License-Identifier: Apache-2.0
 * role_name.h - what the name says that a tensor has in the program that made it. */
#pragma once

#include "core/encoding.h"

enum role_kind {
    ROLE_UNKNOWN, /* the name says nothing about the encoding */
    ROLE_OUTPUT,  /* it is an output, or serves a parameter */
    ROLE_BOTH,    /* cosines and sines in one tensor */
    ROLE_BEFORE,  /* vectors before the turn: a parameter, */
    ROLE_AFTER,   /* and after it: an output */
    ROLE_TURNED,  /* no role: the word makes vectors those after the turn */
};

struct role_name {
    enum role_kind kind;
    const struct pe_output *output; /* of ROLE_OUTPUT and ROLE_AFTER; of ROLE_BOTH that which
                                     * comes first, NULL: either; or NULL: */
    const struct pe_param *param;   /* of ROLE_BEFORE, or of ROLE_OUTPUT without an output */
};

/* Reads a name of any length and nesting ("model.rotary_emb.cos_cached") by the words of
 * role_words.def. */
struct role_name role_name_read(const struct pe_encoding *enc, const char *name);
