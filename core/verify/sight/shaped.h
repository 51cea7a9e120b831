/* SPDX-License-Identifier: Apache-2.0
 * shaped.h - claims that have the tensors' shapes, which is seen before anything is planned,
 * and those of them that are kept since they have other numbers. */
#pragma once

#include "core/encoding.h"
#include "core/verify/sight/unlike.h"

enum { SHAPED_MOST = 16 };

/* A claim that has the tensors' shapes and other numbers. */
struct shaped_claim {
    struct pe_args *args; /* checked */
    double right;         /* this share of the numbers of a sample is right */
    double cost;          /* operations to compare all that the tensors have */
    bool unlike;          /* no values of its parameters give the numbers (unlike.h) */
};

/* How far tensors can have the numbers of arguments, as it is seen without a plan. */
enum shaped {
    SHAPED_OTHERWISE, /* one has another shape than its output */
    SHAPED_UNLIKE,    /* all have the shapes, and one has numbers that its output never has */
    SHAPED_ALIKE,     /* the numbers may be the arguments' */
};

/* Looks at so many tensors, seen whole, by checked arguments. `known` is kept between calls, of
 * UNLIKE_KNOWN elements; without memory *failed becomes true. */
enum shaped shaped_look(const struct pe_args *args, const struct view *views, size_t count,
                        const struct pe_verify_role *roles, struct unlike_known *known,
                        bool *failed);
/* Returns whether arguments of the encoding are among the claims: one is enough, since a
 * changed parameter leads to the others. */
bool shaped_has(const struct shaped_claim *claims, size_t count, const struct pe_encoding *enc);
/* Keeps a claim, which it takes, in its place among at most SHAPED_MOST, the nearest first;
 * returns how many there are then. */
size_t shaped_keep(struct shaped_claim *claims, size_t count, const struct shaped_claim *claim);
void shaped_fini(struct shaped_claim *claims, size_t count);
