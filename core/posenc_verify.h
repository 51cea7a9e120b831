/* SPDX-License-Identifier: Apache-2.0
 * posenc_verify.h - says what is wrong with numbers that another program made: whether
 * tensors are those of a claim (an encoding with its parameters), right but for the rounding
 * of a profile, explained by one or two known mistakes, or unexplained. A part of libposenc.
 *
 *     pe_verify_assign -> pe_args_check (the claim) -> pe_verify -> pe_verdict_free
 *
 * A mistake is either a parameter with another value, which every encoding's schema offers
 * without code of its own, or a row of core/verify/mistake/mistakes.def. A verdict of mistake
 * means that the explanation brings every element within the rounding of float32, or of the
 * tensor's own dtype, and that without it some element is more than eight times as far. The
 * rules of posenc.h hold: pe_verify does no I/O, reads no clock, starts no thread, and gives
 * the same verdict for the same input in every thread and on every CPU path. */
#ifndef POSENC_VERIFY_H
#define POSENC_VERIFY_H

#include "posenc.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PE_VERIFY_TENSORS = 16,      /* most tensors of one call */
    PE_VERIFY_HYPOTHESES = 4096, /* most hypotheses that are tested */
    PE_VERIFY_ROWS = 96,         /* rows on which a hypothesis is tested before all are */
    PE_VERIFY_CHANGES = 4,       /* most parameters that one mistake changes */
    PE_VERIFY_SHOWN = 8,         /* most rows and pairs that a verdict lists */
    PE_VERIFY_OTHERS = 4,        /* most alternatives */
    PE_VERIFY_TEXT = 80,         /* size of a value's text */
    PE_VERIFY_SENTENCE = 400,    /* size of a sentence */
};

/* A tensor as its sender made it: elements in C order, aligned for the dtype, borrowed. The
 * name may be empty. */
struct pe_verify_tensor {
    const char *name;
    struct pe_tensor info;
    bool complex; /* the last axis, of 2, holds real and imaginary parts */
    const void *data;
};

/* The role of a tensor: either `output` or `param` is set. */
struct pe_verify_role {
    const struct pe_output *output; /* it is judged as this output of the encoding */
    const struct pe_param *param;   /* it serves the claim: x of rope/apply, table of t5 */
    const char *name;               /* what `role` in an answer says: "cos", "freqs_cis", "x" */
};

/* Finds the role of each tensor by its name: an output, a tensor parameter of the encoding,
 * freqs_cis for cos and sin, "y" or "x_rot" for what becomes of x, "q_rot" of q. A tensor of
 * another name has the role of the only output of its rank that no other tensor has.
 * Otherwise a problem of status PE_UNKNOWN_PARAMETER says which names would do;
 * PE_MISSING_PARAMETER: "y" without "x". A set without a tensor to judge is a problem too. */
PE_API enum pe_status pe_verify_assign(const struct pe_encoding *enc,
                                       const struct pe_verify_tensor *tensors, size_t count,
                                       struct pe_verify_role roles[PE_VERIFY_TENSORS],
                                       struct pe_errors *errors) PE_MUST_CHECK;
/* Set on arguments that are not yet checked what the tensors decide: `out`, the tensors that
 * serve the claim, and where the claim leaves it open `width`. */
PE_API enum pe_status pe_verify_prepare(struct pe_args *args,
                                        const struct pe_verify_tensor *tensors, size_t count,
                                        const struct pe_verify_role *roles,
                                        struct pe_errors *errors) PE_MUST_CHECK;

/* In the order of severity: the verdict of several tensors is the worst of theirs. */
enum pe_verdict_kind { PE_EXACT, PE_PROFILE, PE_MISTAKE, PE_UNEXPLAINED };
PE_API const char *pe_verdict_name(enum pe_verdict_kind kind); /* "exact" */

/* A parameter that repairs a mistake: `found` is its value for the numbers that were sent,
 * `expected` that of the claim, both in the parameter's own spelling, so that either can be
 * given. */
struct pe_verify_change {
    const char *parameter;
    char found[PE_VERIFY_TEXT], expected[PE_VERIFY_TEXT]; /* "": it has none, it is left out */
    bool numeric;                                         /* both are numbers */
    bool ranged; /* every value from low to high gives the same numbers */
    double low, high;
};

/* How far a tensor is from numbers: `within` is the largest distance in units of the bound that
 * the rounding of float32 and of the dtype set to the element, at most 1 for an explanation. */
struct pe_verify_evidence {
    double max_abs, within;
    double without; /* max_abs of the claim itself */
    uint64_t rows;  /* rows that were compared */
};

struct pe_mistake {
    const char *slug; /* a parameter's name, or a row of mistakes.def */
    char says[PE_VERIFY_SENTENCE];
    struct pe_verify_change change[PE_VERIFY_CHANGES]; /* none: no parameter says it */
    size_t change_count;
    struct pe_verify_evidence evidence;
};

/* One or two mistakes that together explain the numbers. */
struct pe_explanation {
    struct pe_mistake mistake[2];
    size_t count;
    struct pe_args
        *found; /* checked arguments whose answer are the numbers that were sent; NULL
                            * if no parameters say it. Owned by the verdict. */
};

struct pe_verify_shown { /* the largest distance in a row, or in a pair or column */
    uint64_t index;
    double max_abs;
};

struct pe_tensor_verdict {
    enum pe_verdict_kind kind;
    const char *role; /* NULL for a tensor that serves the claim, which is not judged */
    char fits[PE_VERIFY_TEXT]; /* how the shape fits: "width=half", "leading axes of 1"; "" */
    uint64_t differs, of;      /* elements that are not the claim's rounded once; of how many:
                                * 0 where the claim's shape is another */
    double max_abs, max_rel, max_ulp; /* against the claim; infinite where it is unbounded */
    bool finite; /* no element is NaN or, where the claim has none, infinite */
    size_t rank; /* of the indices below: the tensor's own axes */
    uint64_t first[PE_MAX_RANK], max_abs_at[PE_MAX_RANK]; /* valid when differs > 0 */
    uint64_t rows_differ; /* rows with a difference of more than the bound */
    struct pe_verify_shown rows[PE_VERIFY_SHOWN], pairs[PE_VERIFY_SHOWN];
    size_t row_count, pair_count;
    bool has_pairs; /* columns are pairs: otherwise `pairs` are columns */
};

struct pe_verdict {
    enum pe_verdict_kind kind;
    struct pe_args
        *claim; /* checked: the claim, with what the tensors' shapes decide (width) */
    char says[PE_VERIFY_SENTENCE];    /* one sentence without a full stop */
    char profile[PE_VERIFY_TEXT];     /* PE_PROFILE: "f32-pow", or "f32" if no named one fits */
    double agree;                     /* PE_PROFILE: share of elements equal to the profile's */
    char warning[PE_VERIFY_SENTENCE]; /* what the arithmetic costs, where more than 1e-3; "" */
    struct pe_explanation explanation;              /* PE_MISTAKE */
    struct pe_explanation others[PE_VERIFY_OTHERS]; /* that explain as well */
    size_t other_count;
    struct pe_tensor_verdict tensor[PE_VERIFY_TENSORS];
    size_t tensor_count;
    uint64_t tested;       /* hypotheses */
    const char *next_slug; /* the best hypothesis that does not explain; NULL: none */
    double next_max_abs;
    bool budget_spent; /* stop or the limit ended the search: the verdict is unexplained */
};

/* Judges tensors against a claim: checked arguments, prepared by pe_verify_prepare. The
 * inputs of the claim are among the tensors. limits bounds each plan that is made, and
 * limits->stop ends the search. PE_TOO_LARGE, PE_BAD_VALUE (a shape that nothing near the
 * claim has: both shapes are said), PE_NO_MEMORY; PE_OK: the caller owns *verdict. */
PE_API enum pe_status pe_verify(struct pe_verdict **verdict, struct pe_args *claim,
                                const struct pe_verify_tensor *tensors, size_t count,
                                const struct pe_verify_role *roles,
                                const struct pe_limits *limits,
                                struct pe_errors *errors) PE_MUST_CHECK;
/* Judges without a search: as pe_verify, but *verdict is NULL where only a search for mistakes
 * can tell, which takes *search operations at most. */
PE_API enum pe_status pe_verify_quickly(struct pe_verdict **verdict, double *search,
                                        struct pe_args *claim,
                                        const struct pe_verify_tensor *tensors, size_t count,
                                        const struct pe_verify_role *roles,
                                        const struct pe_limits *limits,
                                        struct pe_errors *errors) PE_MUST_CHECK;
/* Returns the operations of pe_verify_quickly, which are those of pe_verify without a
 * search. */
PE_API double pe_verify_operations(struct pe_args *claim,
                                   const struct pe_verify_tensor *tensors, size_t count,
                                   const struct pe_verify_role *roles,
                                   const struct pe_limits *limits);
PE_API void pe_verdict_free(struct pe_verdict *verdict);

/* A claim that a caller knows by a name, for tensors without a claim: "llama-3.1-8b", rope,
 * "base=500000&scaling=llama3&dim=128". */
struct pe_verify_known {
    const char *name;
    const struct pe_encoding *enc;
    const char *query; /* decoded: names and values joined by "=" and "&" */
};

/* Finds the encoding, its parameters and the name of tensors without a claim: an encoding
 * whose outputs have these names, shapes and numbers. On success *args are checked and
 * prepared, which the caller frees, roles are set, and *known is a borrowed entry or NULL.
 * PE_UNKNOWN_NAME: no encoding has these numbers; errors says what was tried. */
PE_API enum pe_status pe_verify_identify(
    struct pe_args **args, const struct pe_verify_known **found,
    const struct pe_verify_tensor *tensors, size_t count, const struct pe_verify_known *known,
    size_t known_count, struct pe_verify_role roles[PE_VERIFY_TENSORS],
    const struct pe_limits *limits, struct pe_errors *errors) PE_MUST_CHECK;

/* A row of core/verify/mistake/mistakes.def. */
struct pe_mistake_row {
    const char *slug, *summary; /* half a sentence, no full stop */
};
PE_API size_t pe_mistake_count(void);
PE_API const struct pe_mistake_row *pe_mistake_at(size_t i);

#ifdef __cplusplus
}
#endif
#endif /* POSENC_VERIFY_H */
