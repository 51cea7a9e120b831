/* SPDX-License-Identifier: Apache-2.0
 * claim.h - what tensors are said to be: an encoding and its parameters, as texts, so that any
 * of them can be given another value; and the tensors that are judged. */
#pragma once

#include "core/args/args.h"
#include "core/verify/claim/kept_plans.h"
#include "core/verify/claim/kept_tables.h"
#include "core/verify/view_fit.h"

enum {
    CLAIM_SUBJECTS = 2 * PE_VERIFY_TENSORS,
    CLAIM_PARAMS = 64,
    CHANGE_TEXT = 1024,
    TABLES_BYTES = 16 << 20, /* most bytes of tables that hypotheses share, */
    PLANS_BYTES = 16 << 20,  /* and of plans that are kept */
};

/* A part of a tensor that is judged as one output: the whole of it, or the real or imaginary
 * parts. */
struct subject {
    size_t tensor; /* index of the tensor */
    size_t output; /* index of the encoding's output */
    struct view whole;
};

/* Another value of a parameter. */
struct change {
    const struct pe_param *param;
    char text[CHANGE_TEXT];
};

struct changes {
    struct change at[PE_VERIFY_CHANGES];
    size_t count;
};

struct claim {
    const struct pe_encoding *enc;
    struct pe_args *args; /* checked */
    uint64_t set;         /* bit i: the claim says parameter i, or its model or preset does */
    char *text[CLAIM_PARAMS];        /* the value of parameter i; NULL where it has none */
    struct pe_args *read;            /* arguments, not checked, that hold the values of these */
    uint64_t replaced;               /* bit i: others say the value of parameter i that was
                                       * given: q and k say len */
    const void *input[CLAIM_PARAMS]; /* of pe_fill */
    const struct view *input_view[CLAIM_PARAMS];
    uint32_t outputs; /* bit i: output i is judged */
    struct subject subject[CLAIM_SUBJECTS];
    size_t subject_count;
    const struct pe_limits *limits;
    struct kept_tables tables;
    struct kept_plans plans;
    struct view views[PE_VERIFY_TENSORS]; /* the tensors as they are */
    struct view_fit fit[CLAIM_SUBJECTS];  /* the last shape that each subject was fitted to */
    double operations; /* that hypotheses have taken, counted alike on every machine, */
    double budget;     /* and the most that they may take: cost_limit */
    struct change
        opened;  /* what was left open and now fits the tensors, as it was; param NULL: none */
    bool failed; /* there was no memory for a hypothesis: what was found may not be all */
    bool alone;  /* hypotheses are tested alone, never two together */
    bool fine;   /* arithmetics alone are tested: the numbers are nearly right */
    bool
        columns_first; /* a square of cosines lies on its side: its first axis is the columns */
    bool near;         /* how near each comes is measured at once: the claim is near itself */
    char fits[CLAIM_SUBJECTS][PE_VERIFY_TEXT]; /* how the tensors fit the claim's own shapes */
    double least, most;                        /* finite elements of the judged tensors */
    double bound[CLAIM_SUBJECTS]; /* the largest that rounding may move an element of a subject
                                   * by the claim's own bound; infinite until it is known */
    double factor;                /* positions are multiplied by it before they are angles */
};

/* Reads checked arguments and the tensors; `views` are these as view_of sees them, NULL: they
 * are read here. False when out of memory. */
bool claim_init(struct claim *claim, struct pe_args *args,
                const struct pe_verify_tensor *tensors, size_t count,
                const struct pe_verify_role *roles, const struct view *views,
                const struct pe_limits *limits);
void claim_fini(struct claim *claim);

/* Reads the texts of the claim into claim->read; false when out of memory. */
bool claim_args_read(struct claim *claim);

enum { CLAIM_NATURAL = PE_DTYPE_COUNT }; /* the dtypes that outputs have by themselves */

/* Makes checked arguments of the claim with changes, of these outputs in this dtype; of another
 * encoding than the claim's, with the parameters that both have. Values of the claim that have
 * no effect beside a change are left out. NULL: the arguments are refused; then *missing, which
 * may be NULL, is the parameter that would have to be given, or NULL. */
struct pe_args *claim_args(struct claim *claim, const struct pe_encoding *enc,
                           const struct changes *changes, uint32_t outputs, int dtype,
                           const struct pe_param **missing);
/* Makes such arguments and plans an answer of a few rows for them, or finds what was made
 * before. The caller is an owner of both. */
struct planned claim_planned(struct claim *claim, const struct pe_encoding *enc,
                             const struct changes *changes, uint32_t outputs, int dtype);
/* Finds the data of the tensors that an encoding takes, in the order of its parameters: those
 * of the claim's parameters of these names; NULL for one that the claim has not. A plan of
 * arguments of claim_args reads no others. */
void claim_inputs(const struct claim *claim, const struct pe_encoding *enc,
                  const void *input[CLAIM_PARAMS]);
/* Allocates zeroed memory as calloc does; without memory the claim has failed. */
void *claim_memory(struct claim *claim, size_t count, size_t size);
/* Copies memory of a candidate, which may be NULL; without memory *failed becomes true. */
void *claim_copy(const void *from, size_t bytes, bool *failed);
/* Returns the text of the claim's value of a name, NULL if it has none. */
const char *claim_text(struct claim *claim, const char *name);
/* Gets the number that a parameter has; false: it has none, or a word (2pi). */
bool claim_number(struct claim *claim, size_t param, double *number);
/* Makes `changes` a part of the claim. False when out of memory, or if they are refused. */
bool claim_adopt(struct claim *claim, const struct changes *changes);
/* Returns the index of a parameter of the claim's encoding. */
size_t claim_index(struct claim *claim, const struct pe_param *param);
