/* SPDX-License-Identifier: Apache-2.0
 * hypothesis.h - what may have been done to make the numbers: one parameter of the schema with
 * another value, or a row of mistakes.def. They are numbered, and a claim has the same ones in
 * the same order every time. */
#pragma once

#include "core/verify/candidate.h"

struct mistake;

struct hypothesis {
    const char *slug;              /* the parameter's name, or the mistake's */
    struct changes changes;        /* of parameters; */
    const struct mistake *mistake; /* or this row's variant */
    size_t variant;
    double price; /* fewer and simpler changes come first */
    bool lone;    /* it is tested alone, not as one of two */
};

/* A list of hypotheses, which grows. {0} is empty. */
struct hypotheses {
    struct hypothesis *at;
    size_t count, size;
    bool failed; /* there was no memory */
};

void hypothesis_free(struct hypotheses *list);
/* Adds a value of a parameter as text; not the claim's own, and none twice. */
void hypothesis_add_text(struct hypotheses *list, struct claim *claim,
                         const struct pe_param *param, const char *text, double price);
/* Adds a value that is tested alone: one of many that are seldom the one. */
void hypothesis_add_lone(struct hypotheses *list, struct claim *claim,
                         const struct pe_param *param, const char *text, double price);
/* Adds one hypothesis, a copy. */
void hypothesis_add(struct hypotheses *list, const struct hypothesis *hypothesis);
/* Returns whether it is another value of a choice or a truth value. */
bool hypothesis_is_choice(const struct hypothesis *hypothesis);
/* Returns whether a parameter says how numbers are rounded, not which numbers they are. */
bool hypothesis_is_arithmetic(const struct pe_param *param);
