/* SPDX-License-Identifier: Apache-2.0
 * posenc_verify.h - says what is wrong with numbers that another program made: whether
 * tensors are those of a claim (an encoding with its parameters), right but for the rounding
 * of a profile, explained by one or two known mistakes, or unexplained. A part of libposenc.
 *
 *     pe_verify_assign -> pe_verify_prepare -> pe_verify_complete (the claim) -> pe_verify
 *     -> pe_verdict_free
 *
 * A mistake is either a parameter with another value, which every encoding's schema offers
 * without code of its own, or a row of core/verify/mistake/mistakes.def. A verdict of mistake
 * means that the explanation brings every element within the rounding of float32, or of the
 * tensor's own dtype, that without it some element is more than eight times as far, and that
 * the farthest element, or all on average, are at least eight times nearer to it than to the
 * claim. The rules of
 * posenc.h hold: pe_verify does no I/O, reads no clock, starts no thread, and gives the same
 * verdict for the same input in every thread and on every CPU path. */
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
    PE_VERIFY_FINDINGS = 16,     /* most parts of which a verdict says what they are, */
    PE_VERIFY_IS = 200,          /* and size of that text */
    PE_VERIFY_TOGETHER = 3,      /* mistakes at once */
    PE_VERIFY_TEXT = 80,         /* size of a value's text */
    PE_VERIFY_SENTENCE = 480,    /* size of a sentence */
    PE_VERIFY_RANGES = 16,       /* most ranges of wrong rows or columns that are listed, */
    PE_VERIFY_BINS = 64,         /* and most distances along either */
    PE_VERIFY_COLUMNS = 32,      /* size of the text about the columns of a pair */
};

/* A tensor as its sender made it: elements in C order, aligned for the dtype, borrowed. The
 * name may be empty. */
struct pe_verify_tensor {
    const char *name;
    const char *role; /* "cos": the name that its sender says it should have; NULL: `name` */
    struct pe_tensor info;
    bool complex;  /* the last axis, of 2, holds real and imaginary parts */
    bool optional; /* it may be left out, if its name says nothing about the encoding */
    bool text;     /* its numbers came as text, which says no dtype: 1 may mean true */
    const void *data;
};

/* How one tensor holds cosines and sines. */
enum pe_verify_form {
    PE_FORM_WHOLE,     /* it holds one output */
    PE_FORM_PARTS,     /* [..., 2]: complex numbers, or pairs */
    PE_FORM_PAIR,      /* [..., 2, D]: a row of cosines and one of sines for each position */
    PE_FORM_STACK,     /* [2, ..., D] */
    PE_FORM_SIDE,      /* [..., 2 D]: cosines beside sines in a row, */
    PE_FORM_SIDE_SIN,  /* or sines first */
    PE_FORM_ABOVE,     /* [2 T, D]: all cosines above all sines, */
    PE_FORM_ABOVE_SIN, /* or sines first */
    PE_FORM_WOVEN      /* [..., 2 D]: each cosine before its sine in a row */
};

/* The role of a tensor: either `output` or `param` is set; neither for one that is left out. */
struct pe_verify_role {
    const struct pe_output *output; /* it is judged as this output of the encoding */
    const struct pe_param *param;   /* it serves the claim: x of rope/apply, table of t5, pos */
    enum pe_verify_form form;       /* other than whole: output is cos, and sin is judged too */
    const char *name;               /* what `role` in an answer says: "cos", "freqs_cis", "x" */
    bool guessed;                   /* no name says whether it is cosines or sines */
};

/* Finds the role of each tensor. A name that an output or a tensor parameter has says it; so
 * do the words of names in other programs (core/verify/role/role_words.def):
 * "rotary_emb.cos", "y" or "x_rot" for what becomes of x, "position_ids" for pos. What a name
 * leaves open the numbers say: cosines and sines have squares that add up to one number, a
 * mask of truth values is no mask that is added, and real zeros are one that is, which hides
 * nothing. A tensor of another name has the role of the only output of its rank that no other
 * tensor has. Otherwise a problem of status PE_UNKNOWN_PARAMETER says which names would do;
 * PE_MISSING_PARAMETER: "y" without "x". A set without a tensor to judge is a problem too. */
PE_API enum pe_status pe_verify_assign(const struct pe_encoding *enc,
                                       const struct pe_verify_tensor *tensors, size_t count,
                                       struct pe_verify_role roles[PE_VERIFY_TENSORS],
                                       struct pe_errors *errors) PE_MUST_CHECK;
/* Returns whether a name says an output of the encoding, in these words or in those of other
 * programs: attention_mask says those of masks. */
PE_API bool pe_verify_is_named(const struct pe_encoding *enc, const char *name);
/* Set on arguments that are not yet checked what the tensors decide: `out`, the tensors and
 * lists that serve the claim, and where the claim leaves it open the number that hides a key of
 * a mask. */
PE_API enum pe_status pe_verify_prepare(struct pe_args *args,
                                        const struct pe_verify_tensor *tensors, size_t count,
                                        const struct pe_verify_role *roles,
                                        struct pe_errors *errors) PE_MUST_CHECK;
/* Check prepared arguments, and give them what the claim leaves out and the tensors say:
 * positions (from 0, or where the angles of the first rows are; for a batch [batch, pos, dim]
 * those of each sequence, also behind padding on its left), lengths, seq_axis. Where roles were
 * guessed, cosines and sines are exchanged if the tensors are eight times nearer so. On success
 * the caller frees *checked; otherwise *errors has what is missing, as of pe_args_check, or
 * which shape the tensors would have, as of pe_verify. */
PE_API enum pe_status pe_verify_complete(struct pe_args **checked, struct pe_args *given,
                                         const struct pe_verify_tensor *tensors, size_t count,
                                         struct pe_verify_role *roles,
                                         const struct pe_limits *limits,
                                         struct pe_errors *errors) PE_MUST_CHECK;

/* The rows of core/verify/verdicts.def in the order of severity: the verdict of several tensors
 * is the worst of theirs. */
enum pe_verdict_kind { PE_EXACT, PE_PROFILE, PE_CLOSE, PE_MISTAKE, PE_UNEXPLAINED };
PE_API const char *pe_verdict_name(enum pe_verdict_kind kind); /* "exact" */

/* How far an element may be from the claim's: by atol + rtol times its size. */
struct pe_verify_tolerance {
    double atol, rtol;
};

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
    const char *slug;              /* a parameter's name, or a row of mistakes.def */
    char says[PE_VERIFY_SENTENCE]; /* the fault of the code that made them, with both values */
    char fix[PE_VERIFY_SENTENCE];  /* what repairs it, with both values; "": not known */
    char code[PE_VERIFY_SENTENCE]; /* the right line of NumPy or PyTorch; "": not known */
    struct pe_verify_change change[PE_VERIFY_CHANGES]; /* none: no parameter says it */
    size_t change_count;
    struct pe_verify_evidence evidence;
};

/* One to three mistakes that together explain the numbers. */
struct pe_explanation {
    struct pe_mistake mistake[PE_VERIFY_TOGETHER];
    size_t count;
    struct pe_args
        *found; /* checked arguments whose answer are the numbers that were sent; NULL
                            * if no parameters say it. Owned by the verdict. */
};

struct pe_verify_shown { /* the largest distance in a row, or in a pair or column */
    uint64_t index;
    double max_abs;
};

struct pe_verify_range { /* from `first` to before `end` */
    uint64_t first, end;
};

/* Where a tensor is beyond what rounding explains, along its rows or its columns. */
struct pe_verify_where {
    struct pe_verify_range range[PE_VERIFY_RANGES]; /* the first ranges that are wrong, */
    size_t range_count;
    uint64_t more, last_end;     /* and how many follow, the last up to here */
    bool whole;                  /* there is one range, of all */
    uint64_t step;               /* the largest distance of each `step` rows: */
    double most[PE_VERIFY_BINS]; /* numbers for a picture */
    size_t bin_count;
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
    /* Valid when differs > 0: the first element that rounding does not explain, or where there
     * is none the first that differs; and the one that differs most. */
    uint64_t first[PE_MAX_RANK], max_abs_at[PE_MAX_RANK];
    /* Rows with a difference of more than the bound; 0 where cosines and sines are in one
     * tensor and differ in so many runs of rows that these are not kept. */
    uint64_t rows_differ;
    struct pe_verify_shown rows[PE_VERIFY_SHOWN], pairs[PE_VERIFY_SHOWN];
    size_t row_count, pair_count;
    bool has_pairs;                       /* columns are pairs: otherwise `pairs` are columns */
    char pair_columns[PE_VERIFY_COLUMNS]; /* the columns of pair i: "i, i + 64"; "": no pairs */
    struct pe_verify_where wrong_rows, wrong_columns; /* by pairs where has_pairs */
    uint64_t nonfinite_at[PE_MAX_RANK]; /* the first such element; valid unless finite */
};

/* A finding says what a part of the numbers is, such as rows of other positions, whether or not
 * a mistake explains all of them. */
struct pe_verify_finding {
    const char *axis;      /* "rows", "heads", "pairs", "columns"; "mask": all queries */
    uint64_t from, to;     /* of it: from <= i < to */
    bool right;            /* the part is the claim's */
    char is[PE_VERIFY_IS]; /* "positions 21:33", "causal; window 8" */
};

struct pe_verdict {
    enum pe_verdict_kind kind;
    struct pe_args
        *claim; /* checked: the claim, with what the tensors' shapes decide (width) */
    char says[PE_VERIFY_SENTENCE]; /* one sentence without a full stop */
    char profile[PE_VERIFY_TEXT];  /* PE_PROFILE: "f32-pow", or "f32" if no named one fits;
                                       * "decimals=6", "digits=6": printed; "fast-sine";
                                      * "f8-e4m3", "f8-e5m2", "int8", "uint8": levels */
    int digits;   /* PE_CLOSE: the digits that are right, from the size of the numbers on */
    bool holds;   /* every element is within the tolerance, which was given */
    double agree; /* PE_PROFILE: share of elements equal to the profile's */
    char warning[PE_VERIFY_SENTENCE];  /* what the arithmetic costs, where more than 1e-3; "" */
    struct pe_explanation explanation; /* PE_MISTAKE */
    struct pe_explanation others[PE_VERIFY_OTHERS]; /* that explain as well */
    size_t other_count;
    struct pe_verify_finding finding[PE_VERIFY_FINDINGS]; /* of the first of them, in order */
    size_t finding_count;
    struct pe_tensor_verdict tensor[PE_VERIFY_TENSORS];
    size_t tensor_count;
    uint64_t tested;   /* hypotheses */
    double operations; /* of the search, counted: the same on every machine and every time, */
    double most;       /* and at how many it ends; 0: there was no search */
    const char *next_slug; /* the best hypothesis that does not explain the numbers, where it
                            * comes twice as near as the claim; NULL: none does */
    double next_max_abs;
    bool budget_spent; /* the limit ended the search: the verdict is unexplained */
};

/* Judges tensors against a claim: checked arguments, prepared by pe_verify_prepare. The
 * inputs of the claim are among the tensors. tolerance may be NULL: numbers within it are
 * PE_CLOSE, unless a mistake brings them eight times nearer. limits bounds each plan that is
 * made, and limits->stop ends the search: PE_STOPPED. PE_TOO_LARGE, PE_BAD_VALUE (a shape that
 * nothing near the claim has: both shapes are said), PE_NO_MEMORY; PE_OK: the caller owns
 * *verdict. */
PE_API enum pe_status pe_verify(struct pe_verdict **verdict, struct pe_args *claim,
                                const struct pe_verify_tensor *tensors, size_t count,
                                const struct pe_verify_role *roles,
                                const struct pe_verify_tolerance *tolerance,
                                const struct pe_limits *limits,
                                struct pe_errors *errors) PE_MUST_CHECK;
/* Judges without a search: as pe_verify, but *verdict is NULL where only a search for mistakes
 * can tell, which takes *search operations at most. */
PE_API enum pe_status pe_verify_quickly(struct pe_verdict **verdict, double *search,
                                        struct pe_args *claim,
                                        const struct pe_verify_tensor *tensors, size_t count,
                                        const struct pe_verify_role *roles,
                                        const struct pe_verify_tolerance *tolerance,
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

/* Finds the encoding and its parameters of tensors without a claim: an encoding whose outputs
 * have these names, shapes and numbers. On success *args are checked and prepared, which the
 * caller frees, roles are set, and named[i] says whether known[i] has the same parameters. What
 * stands first in `known` is tried first.
 * PE_UNKNOWN_NAME: no encoding has these numbers, and no tensor a role; errors says what was
 * tried. */
PE_API enum pe_status pe_verify_identify(struct pe_args **args, bool *named,
                                         const struct pe_verify_tensor *tensors, size_t count,
                                         const struct pe_verify_known *known,
                                         size_t known_count,
                                         struct pe_verify_role roles[PE_VERIFY_TENSORS],
                                         const struct pe_limits *limits,
                                         struct pe_errors *errors) PE_MUST_CHECK;
/* Returns the operations that pe_verify_identify takes at most. */
PE_API double pe_verify_identify_operations(const struct pe_verify_tensor *tensors,
                                            size_t count);

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
