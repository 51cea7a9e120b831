/* SPDX-License-Identifier: Apache-2.0
 * sight.h - tensors that came without a claim: drafts of claims, made of what the tensors
 * show, and tested on their numbers. */
#pragma once

#include "core/verify/claim/claim.h"
#include "core/verify/sight/shaped.h"
#include "core/verify/sight/shown.h"

enum { SIGHT_INFERRED = 4, SIGHT_EXAMPLE = 256 };

struct sight {
    const struct pe_verify_tensor *tensors;
    size_t count;
    struct view views[PE_VERIFY_TENSORS]; /* the tensors, */
    struct view mask;                     /* the first as a mask: runs are unrolled, */
    struct pe_verify_tensor unrolled;     /* which this has then, */
    struct pe_verify_tensor runs;         /* and the tensor is taken for runs of a mask */
    double hidden[PE_VERIFY_TENSORS];     /* and the number that hides a key in each, 0: none */
    struct pe_limits limits;              /* the caller's, with fewer operations for a plan */
    struct shown *shown;                  /* what they show */
    const struct pe_encoding **shortest;  /* every encoding, those of shorter names first */
    char reads[160];                      /* the terms of what can be a mask alone, in words */
    double operations;                    /* counted alike on every machine, */
    double budget, end;                   /* what all may take, and where a stage ends */
    uint64_t runs_of_numbers;             /* of equal ones, in all tensors */
    bool failed;                          /* there was no memory for a claim */
    struct shaped_claim shaped[SHAPED_MOST]; /* one of an encoding, the nearest first */
    size_t shaped_count;
    struct unlike_known known[UNLIKE_KNOWN]; /* what the tensors cannot be, as last seen */
    struct pe_args *mistaken; /* one of them that has a mistake, NULL: none was found */
};

/* A claim in the making: names and values joined as in a query, and values that were
 * inferred. */
struct draft {
    const struct pe_encoding *enc;
    const char *query; /* NULL: none */
    struct {
        const struct pe_param *param;
        const char *text;            /* borrowed, or */
        char example[SIGHT_EXAMPLE]; /* the example's */
    } inferred[SIGHT_INFERRED];
    size_t inferred_count;
    size_t tried; /* drafts of this encoding, */
    double begun; /* and the operations of all others before it */
};

/* Returns the operations that the search of a claim takes at most, for tensors of so many
 * elements in all: `make costs` holds them against the clock. */
double sight_budget(double elements);
/* False when out of memory. */
bool sight_init(struct sight *sight, const struct pe_verify_tensor *tensors, size_t count,
                const struct pe_limits *limits);
void sight_fini(struct sight *sight);
/* Begins a stage, which ends when this share of the budget is taken by all stages so far. */
void sight_begin(struct sight *sight, double share);
/* Returns whether the stage must end: it was stopped, or has taken its operations. */
bool sight_is_spent(const struct sight *sight);
/* Makes checked arguments of a draft; NULL: they are refused, and *missing is the parameter
 * that would have to be given, or NULL. */
struct pe_args *sight_args(struct sight *sight, const struct draft *draft,
                           const struct pe_verify_role *roles, const struct pe_param **missing);
/* How values that a draft lacks are inferred: not, from sizes alone, whole numbers from all
 * that the tensors show, every value from that, from examples besides; or all are those of an
 * example. */
enum sight_depth {
    SIGHT_GIVEN,
    SIGHT_SIZES,
    SIGHT_NUMBERS,
    SIGHT_SHOWN,
    SIGHT_EXAMPLES,
    SIGHT_LIKE,
};
/* Tests a query of an encoding, with what it leaves open inferred. Returns arguments that
 * have the tensors' numbers, whose roles are set, or NULL; arguments that have their shapes
 * alone are kept in sight->shaped then, where they are among the nearest. */
struct pe_args *sight_try(struct sight *sight, const struct pe_encoding *enc, const char *query,
                          enum sight_depth depth, struct pe_verify_role *roles);
/* Returns the next encoding of a family from number *i on, those of shorter names first,
 * that has all of these parameters; *i becomes the number behind it. NULL: no more. */
const struct pe_encoding *sight_encoding(const struct sight *sight, enum pe_family family,
                                         const char *const *names, size_t *i);
