/* SPDX-License-Identifier: Apache-2.0
 * posenc.h - positional encodings and attention biases: the public interface of libposenc.
 *
 *     pe_find -> pe_args_new -> pe_args_set_* -> pe_args_check -> pe_plan_new -> pe_fill
 *
 * An encoding ("rope", "alibi") is a table of parameters and of outputs. Arguments are set by
 * name and checked together; a plan is made from them; the plan fills rectangles of its outputs
 * into memory of the caller. Everything that can fail (types, ranges, conflicts, sizes, memory)
 * fails before pe_fill, which cannot.
 *
 * Rules that hold for every function:
 *   - The order of arguments is: the object, outputs, inputs, and last the errors.
 *   - Pointers must not be NULL unless the comment says "may be NULL".
 *   - A function that can fail returns enum pe_status and adds a problem to *errors for each
 *     thing that is wrong; on failure its outputs are unchanged.
 *   - *_new gives the caller an object; *_ref adds an owner; *_free removes one (and accepts
 *     NULL). A const pointer that is returned is borrowed: it lives as long as its object.
 *   - Threads: arguments belong to one thread until pe_args_check. Checked arguments, tables
 *     and plans are immutable: any number of threads may read, ref and free them at once.
 *   - The library does no I/O, reads no clock and no locale, starts no thread and has no global
 *     state but what pe_cpu_path_set and pe_reserve_init set.
 *   - A bug of the caller (NULL, an index out of range, a set after a check) is an assertion;
 *     bad data is a status.
 *
 * lint: long, because this header is the manual of the library.
 *
 * Numbers: profile "exact" (the default of every encoding) rounds the real number once to
 * float32, float16 and bfloat16, which are within 0.501 ULP of it, also at zeros of the
 * function and for positions up to 2^53; float64 is within 1 ULP. Where an output is not, its
 * .bound says how far it is. The bytes of an answer are the same on every CPU, libc and thread
 * count. Positions count tokens (or what the parameter says), angles are in radians,
 * frequencies in radians per position unless they are called turns.
 */
#ifndef POSENC_H
#define POSENC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posenc_show.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PE_API __attribute__((visibility("default")))
#define PE_MUST_CHECK __attribute__((warn_unused_result))
#define PE_PRINTF(FORMAT, FIRST) __attribute__((format(printf, FORMAT, FIRST)))

PE_API const char *pe_version(void); /* "major.minor.patch", static */

/* ---- errors ------------------------------------------------------------------- */
enum pe_status {
    PE_OK = 0,
    PE_UNKNOWN_PARAMETER,
    PE_REPEATED_PARAMETER,
    PE_MISSING_PARAMETER,
    PE_BAD_VALUE,    /* "abc" for a number, a word that is no choice */
    PE_OUT_OF_RANGE, /* a number outside the allowed range */
    PE_CONFLICT,     /* each is allowed, but not both; or given without effect */
    PE_TOO_LARGE,    /* more than a limit of the caller: .limit and .requested are set */
    PE_NO_MEMORY,
    PE_STOPPED,      /* the pe_stop of the caller was set */
    PE_UNKNOWN_NAME, /* for callers: a well-formed name of something that they do not have */
};

/* A problem: one thing that is wrong. `detail` says what would be right and continues the name
 * of the parameter ("must be an even number, 2..64; got 7"); `hint` is "" or a suggestion. */
struct pe_problem {
    enum pe_status status;
    char parameter[48];
    char detail[304];
    char hint[128];
    uint64_t limit, requested; /* of PE_TOO_LARGE; of PE_UNKNOWN_NAME if a caller sets them */
};

enum { PE_MAX_PROBLEMS = 32 };
/* The problems of a request in the order in which they were found. The caller owns it and
 * clears it before use. From the 33rd on problems are only counted. */
struct pe_errors {
    size_t count;   /* stored, at most PE_MAX_PROBLEMS */
    size_t dropped; /* found after PE_MAX_PROBLEMS */
    struct pe_problem at[PE_MAX_PROBLEMS];
};
PE_API void pe_errors_clear(struct pe_errors *errors);
/* Add a problem and return its status, so that a caller can write `return pe_fail(...)`.
 * parameter may be NULL (no single one); long text of the client is cut to the field. */
PE_API enum pe_status pe_fail(struct pe_errors *errors, enum pe_status status,
                              const char *parameter, const char *format, ...) PE_PRINTF(4, 5);

/* Set the hint of the last problem; without a problem nothing happens. */
PE_API void pe_hint(struct pe_errors *errors, const char *format, ...) PE_PRINTF(2, 3);

/* ---- element types -------------------------------------------------------------- */
enum pe_dtype { PE_F64, PE_F32, PE_F16, PE_BF16, PE_I32, PE_I64, PE_U8, PE_BOOL8 };
enum { PE_DTYPE_COUNT = PE_BOOL8 + 1 };

PE_API const char *pe_dtype_name(enum pe_dtype dtype); /* "f32"; "bool" for PE_BOOL8 */
PE_API size_t pe_dtype_size(enum pe_dtype dtype);      /* bytes of one element */
/* Find a dtype by one of its names: f32, float32, fp32, float, half, bfloat16, double ..., in
 * any case of letters; false if there is none. */
PE_API bool pe_dtype_find(const char *name, size_t len, enum pe_dtype *dtype);
/* The most negative finite value: f16 -65504, bf16 -3.3895313892515355e38 ... */
PE_API double pe_dtype_lowest(enum pe_dtype dtype);

/* Convert count doubles to dtype, each rounded once to nearest even. -0 becomes 0; real types
 * turn values beyond their largest finite one into infinity. For integer types the caller
 * guarantees whole numbers in range. `out` has count * pe_dtype_size bytes of any alignment. */
PE_API void pe_dtype_from_f64(enum pe_dtype dtype, void *out, const double *in, size_t count);
/* Convert count elements to doubles: exact, but for i64 beyond 2^53, which are rounded. */
PE_API void pe_dtype_to_f64(enum pe_dtype dtype, double *out, const void *in, size_t count);

/* ---- what an encoding accepts and answers: data, not code ------------------------ */
enum pe_type {
    PE_INT,       /* int64_t */
    PE_REAL,      /* double, finite unless one of .words */
    PE_BOOL,      /* bool; 0 1 true false */
    PE_CHOICE,    /* int: an index into .choices */
    PE_REALS,     /* struct pe_reals: "1,2.5" or, with .matrix, rows "0,1;1,1" */
    PE_POSITIONS, /* const struct pe_positions *: "0:128", "5,9,12" (see below) */
    PE_GRID,      /* struct pe_grid: "14x14", height first */
    PE_TENSOR,    /* struct pe_tensor: dtype and shape of data given to pe_fill */
    PE_SEGMENTS,  /* struct pe_segments: "text:3,image:1x4x6,video:4x4x6@0.5" */
};

struct pe_word { /* a word that stands for a number, as in mask_value=min */
    const char *word;
    double value;
};

/* A choice and its other spellings; canonical form prints .name. A preset is a choice that
 * stands for values of other parameters, which the client may still override. */
struct pe_choice {
    const char *name;
    const char *const *aliases; /* NULL-terminated, or NULL */
    const char *summary;        /* may be NULL */
    const char *stands_for;     /* "ladder=geometric-closed&layout=concat"; may be NULL */
    const char *start;          /* what it needs: PE_ONE_WITH of encoding.h; may be NULL */
};

/* One parameter. Parsing, ranges, defaults, error sentences, OpenAPI, forms, help, canonical
 * form and tests are all derived from this row. A name that several encodings have is a row of
 * core/args/names.def, which gives it group, level and meaning; a name of one encoding has
 * them in its own row, with the origin of the name. */
struct pe_param {
    const char *name;
    const char *summary; /* half a sentence, no full stop; NULL: the meaning of names.def */
    const char *origin;  /* whose word the name is, where names.def does not have it: "timm" */
    enum pe_group group;
    enum pe_level level;
    enum pe_type type;
    bool required;           /* must be given if a wanted output uses it */
    bool optional;           /* may be absent: PE_ABSENT_INT, NaN, false, -1, NULL, count 0 */
    bool above_min;          /* min itself is excluded */
    bool fractions;          /* PE_POSITIONS: real positions are allowed */
    bool matrix;             /* PE_REALS: rows of equal length */
    bool table;              /* PE_TENSOR: weights to look up: no output has its name, and it
                              * decides no dtype */
    bool expanded;           /* left out of canonical form: other parameters hold its effect */
    double min, max;         /* inclusive bounds of PE_INT, PE_REAL and items of PE_REALS */
    int64_t multiple_of;     /* PE_INT: 0 means any; items of PE_REALS: 1 means whole ones */
    double preset;           /* the default when neither required nor optional */
    const char *preset_text; /* PE_POSITIONS: the default, in the position grammar */
    const struct pe_choice *choices; /* PE_CHOICE: ends with a row whose name is NULL */
    const struct pe_word *words;     /* PE_REAL: ends with a row whose word is NULL */
    const char *unit;                /* "radians", "positions", ...; may be NULL */
    /* Which other parameters give it an effect: "kind=logit", "mode=bicubic|linear",
     * "edge_features", "!circulant"; "&" joins clauses that must all hold, "," alternatives.
     * Where it does not hold, the parameter is refused, and not required. NULL: it always has
     * an effect on the outputs that use it. A PE_BOOL has the .start of a choice, for true. */
    const char *when, *start;
    size_t offset; /* offset of the field in the encoding's struct */
};

#define PE_ABSENT_INT INT64_MIN
struct pe_reals {
    const double *values; /* row-major */
    size_t rows, cols;    /* rows is 1 for a list; both are 0 when absent */
};

struct pe_grid {
    int64_t height, width; /* both 0 when absent */
};

enum { PE_MAX_RANK = 6, PE_MAX_OUTPUTS = 20, PE_MAX_GROUPS = 12 };
struct pe_tensor {
    enum pe_dtype dtype;
    size_t rank;
    uint64_t dims[PE_MAX_RANK];
};

/* A tensor of an answer. Outputs of the same group have the same shape and are filled by one
 * call. The last axis is the columns. */
struct pe_output {
    const char *name;
    const char *label;   /* a title of one to three words: "Rows", "Inverse frequencies" */
    const char *summary; /* half a sentence, no full stop */
    const char *picture; /* a query without out= whose answer is worth seeing; NULL: that of the
                          * encoding, as far as the output uses its parameters */
    const char *one_of;  /* "len|q": parameters of which at least one must be given; may be
                          * NULL. Several such sets are joined by "&". */
    enum pe_sign sign;
    enum pe_scale scale;
    enum pe_columns columns;
    const char *axes[PE_MAX_RANK]; /* words of core/axes.def, NULL-terminated when there are
                                    * fewer; none for a scalar */
    const char *group;             /* name of the group's first output; NULL: it is this one */
    enum pe_dtype natural;   /* PE_F32 for reals, PE_I64 for indices, PE_BOOL8 for masks */
    bool by_default;         /* part of the answer when `out` is not given */
    const char *const *uses; /* names of the parameters that it depends on, NULL-terminated;
                              * NULL: all of the encoding */
    const char *bound;       /* largest error, as "0.501 ULP; f64 1 ULP" */
};

enum pe_family { PE_ABSOLUTE, PE_ROTARY, PE_BIAS, PE_INDEX, PE_MASK, PE_SPATIAL, PE_GRAPH };
PE_API const char *pe_family_name(enum pe_family family); /* "rotary" */

struct pe_encoding; /* immutable, static; core/encoding.h has its parts */
PE_API size_t pe_count(void);
PE_API const struct pe_encoding *pe_at(size_t i); /* i < pe_count(), sorted by name */
PE_API const struct pe_encoding *pe_find(const char *name, size_t len); /* NULL if unknown */
PE_API size_t pe_index(const struct pe_encoding *enc); /* pe_at(pe_index(enc)) is enc */

PE_API const char *pe_name(const struct pe_encoding *enc);
PE_API const char *pe_title(const struct pe_encoding *enc); /* "Rotary position embedding" */
/* A query whose answer is worth seeing: NULL where each output has its own. */
PE_API const char *pe_picture(const struct pe_encoding *enc);
PE_API const char *pe_summary(const struct pe_encoding *enc); /* half a sentence */
/* What the encoding computes, when it is the right one, and what goes wrong with it: text for
 * documents, sentences. An encoding of vectors, "rope/apply", has those of "rope". */
PE_API const char *pe_formula(const struct pe_encoding *enc);
PE_API const char *pe_when_to_use(const struct pe_encoding *enc);
PE_API const char *pe_what_goes_wrong(const struct pe_encoding *enc);
PE_API const char *pe_source(const struct pe_encoding *enc); /* paper or file */
/* Queries that work, such as "pos=0:4&dim=8", NULL-terminated; the first is short. */
PE_API const char *const *pe_examples(const struct pe_encoding *enc);
PE_API enum pe_family pe_family_of(const struct pe_encoding *enc);
PE_API unsigned pe_revision(const struct pe_encoding *enc); /* from 1; grows when bits change */
PE_API const struct pe_param *pe_params(const struct pe_encoding *enc, size_t *count);
PE_API const struct pe_output *pe_outputs(const struct pe_encoding *enc, size_t *count);
/* True when the output depends on this parameter of its encoding. */
PE_API bool pe_output_uses(const struct pe_output *output, const char *name);
/* True when every request for the output must give this parameter of its encoding; one that is
 * required beside some values of others only (.when) is not. */
PE_API bool pe_output_requires(const struct pe_output *output, const struct pe_param *param);
/* Another name that a parameter is known by: an old one, which is accepted for one release, or
 * one of other libraries, which means exactly the same. */
struct pe_spelling {
    const char *name;
    const char *means; /* the parameter's own name */
    /* The encodings that have it: "rope" (and rope/apply), "mask/" (the family), "*" (all). */
    const char *const *encodings; /* NULL-terminated */
    bool old;
};
/* The other spelling that this name is; NULL if it is a parameter's own name, or unknown. */
PE_API const struct pe_spelling *pe_spelling_find(const struct pe_encoding *enc,
                                                  const char *name, size_t len);
/* The axis of that name; NULL if there is none. Every axis of an output has one. */
PE_API const struct pe_axis *pe_axis_find(const char *name);
/* The row of that name, or of another spelling of it: of the encoding, or of `out` and `dtype`,
 * which have one row each for all encodings (without .choices); NULL if unknown. enc may be
 * NULL: those two alone. */
PE_API const struct pe_param *pe_param_find(const struct pe_encoding *enc, const char *name,
                                            size_t len);

/* What a parameter's row says, or else core/args/names.def. */
PE_API const char *pe_param_summary(const struct pe_param *param);
PE_API enum pe_group pe_param_group(const struct pe_param *param);
PE_API enum pe_level pe_param_level(const struct pe_param *param);
PE_API const char *pe_group_name(enum pe_group group); /* "positions" */
PE_API const char *pe_level_name(enum pe_level level); /* "basic" */

/* Find what a misspelt word may have meant: the nearest of `names` by edit distance, at most a
 * third of the length; where that takes two edits or more, the shortest name that begins with
 * the word is preferred. NULL if none is near. Case and "-_" are equal. */
PE_API const char *pe_suggest(const char *word, size_t len, const char *const *names,
                              size_t count);
/* The edits from a name to a word that may mean it; SIZE_MAX: it is no misspelling of it. */
PE_API size_t pe_suggest_edits(const char *word, size_t len, const char *name);

/* ---- positions -------------------------------------------------------------------- *
 * A list of slices and numbers that is never expanded: "0:1000000000" is one run. Whole
 * positions are exact in [-2^53, 2^53]; a real position is the exact value of its double.
 *
 *     spec = item *("," item)   item = number | slice   slice = [int] ":" int [":" int]
 *
 * Slices are half-open as in Python; start is 0 by default, step is not 0. A negative number
 * is a position ("-3:4" has seven); "0:0" is the empty list. A text has at most
 * PE_MAX_POSITION_ITEMS items, an array at most PE_MAX_POSITION_ARRAY. */

enum { PE_MAX_POSITION_ITEMS = 65536, PE_MAX_POSITION_ARRAY = 4 << 20 };
struct pe_positions;
PE_API uint64_t pe_positions_count(const struct pe_positions *pos);
PE_API double pe_positions_at(const struct pe_positions *pos, uint64_t i); /* O(log runs) */
PE_API bool pe_positions_whole(const struct pe_positions *pos); /* every position is whole */
/* The smallest and the largest position; both 0 for an empty list. */
PE_API void pe_positions_range(const struct pe_positions *pos, double *low, double *high);
/* The run that holds position number i: positions i, i + 1, ... are first + step*j for j in [0,
 * left), with `left` >= 1. A run of whole positions has step != 0 or left 1. */
struct pe_run {
    double first;
    int64_t step;
    uint64_t left;
};
PE_API struct pe_run pe_positions_run(const struct pe_positions *pos, uint64_t i);

/* ---- arguments ---------------------------------------------------------------------- *
 * One typed value for each parameter, and two that every encoding has: `out` (the wanted
 * outputs, "cos,sin") and `dtype` ("f32"). */

struct pe_args;
/* Make arguments that hold the defaults. NULL only when out of memory. */
PE_API struct pe_args *pe_args_new(const struct pe_encoding *enc);
PE_API struct pe_args *pe_args_ref(struct pe_args *args);
PE_API void pe_args_free(struct pe_args *args);
/* Set a parameter, once. Text is what a query holds after decoding: len bytes, no NUL needed.
 * Numbers: PE_INT takes whole ones only. For an unknown, repeated, empty, mistyped or
 * out-of-range value a problem is added to *errors; the caller goes on, so that all are
 * reported. */
PE_API enum pe_status pe_args_set_text(struct pe_args *args, const char *name, size_t name_len,
                                       const char *text, size_t len, struct pe_errors *errors);
PE_API enum pe_status pe_args_set_number(struct pe_args *args, const char *name,
                                         size_t name_len, double number,
                                         struct pe_errors *errors);
PE_API enum pe_status pe_args_set_bool(struct pe_args *args, const char *name, size_t name_len,
                                       bool value, struct pe_errors *errors);
/* Set a PE_REALS to a list (rows = 1) or matrix, or PE_POSITIONS to a list; both are copied. */
PE_API enum pe_status pe_args_set_reals(struct pe_args *args, const char *name, size_t name_len,
                                        const double *values, size_t rows, size_t cols,
                                        struct pe_errors *errors);
/* Set the dtype and shape (rank at least 1) of a PE_TENSOR, whose data goes to pe_fill. Unless
 * the tensor is a table, the output of its name is computed from it: that output is then wanted
 * by default and has its dtype unless `dtype` says otherwise. */
PE_API enum pe_status pe_args_set_tensor(struct pe_args *args, const char *name,
                                         size_t name_len, const struct pe_tensor *tensor,
                                         struct pe_errors *errors);
/* For callers that look a name up once: a value as pe_args_set_text, _number, _reals and
 * _tensor take it, for a row that pe_param_find returned for the encoding. */
enum pe_given_kind { PE_GIVEN_TEXT, PE_GIVEN_NUMBER, PE_GIVEN_REALS, PE_GIVEN_TENSOR };
struct pe_given {
    enum pe_given_kind kind;
    const char *text; /* PE_GIVEN_TEXT: len bytes */
    size_t len;
    double number;        /* PE_GIVEN_NUMBER */
    const double *values; /* PE_GIVEN_REALS: rows * cols numbers */
    size_t rows, cols;
    const struct pe_tensor *tensor; /* PE_GIVEN_TENSOR */
};
PE_API enum pe_status pe_args_set(struct pe_args *args, const struct pe_param *param,
                                  const struct pe_given *given, struct pe_errors *errors);
/* Record that the caller refused the value that was given for a parameter, with a problem of
 * its own. pe_args_set records a value that it refuses itself. */
PE_API void pe_args_refuse(struct pe_args *args, const struct pe_param *param);
/* Set a parameter that was not given, as a default of the caller. A given value stays;
 * PE_CONFLICT: it is another choice. */
PE_API enum pe_status pe_args_assume(struct pe_args *args, const char *name, const char *text,
                                     struct pe_errors *errors);
/* Set the text by which canonical form names a tensor in place of its dtype and shape: its
 * elements ("1,0,0,1"), or a hash of them. Equal texts must mean equal answers. */
PE_API enum pe_status pe_args_spell_tensor(struct pe_args *args, const struct pe_param *param,
                                           const char *text, size_t len,
                                           struct pe_errors *errors);
/* Check all rules together: parameters that wanted outputs need are there, presets and
 * derived defaults are filled in, rules between parameters hold, nothing was given without
 * effect. Values that were refused are left out, and problems that only follow from them are
 * not added. Call it once; afterwards the arguments are immutable. PE_OK only if *errors was
 * and stays empty. */
PE_API enum pe_status pe_args_check(struct pe_args *args,
                                    struct pe_errors *errors) PE_MUST_CHECK;
PE_API const struct pe_encoding *pe_args_encoding(const struct pe_args *args);
/* Checked arguments as names and values, sorted by name: all that decides the bytes of the
 * answer, `dtype` and `out` too; presets expanded, unused and absent parameters left out. */
enum pe_value_kind { PE_VALUE_NUMBER, PE_VALUE_BOOL, PE_VALUE_TEXT, PE_VALUE_REALS };
struct pe_value {
    const char *name;
    enum pe_value_kind kind;
    double number;         /* PE_VALUE_NUMBER; whole numbers are exact */
    bool flag;             /* PE_VALUE_BOOL */
    struct pe_reals reals; /* PE_VALUE_REALS */
    const char *text;      /* the canonical text; NULL for a long list */
    const void *bits;      /* of a long list: equal bytes (and columns), equal lists */
    size_t bits_len;
};
enum { PE_LONG_LIST = 4096 }; /* a list of more numbers, or runs of positions, is long */
PE_API size_t pe_args_value_count(const struct pe_args *args);
PE_API const struct pe_value *pe_args_value(const struct pe_args *args, size_t i);
/* Print the canonical text of value number i, also of a long list, as snprintf would. */
PE_API size_t pe_args_print(const struct pe_args *args, size_t i, char *text, size_t size);
/* Return the value of the parameter of type PE_POSITIONS of that name, borrowed; NULL if there
 * is no such parameter or it has no value. */
PE_API const struct pe_positions *pe_args_positions(const struct pe_args *args,
                                                    const char *name);
/* Get the indices of the wanted outputs, ascending; return their number. */
PE_API size_t pe_args_wanted(const struct pe_args *args, size_t wanted[PE_MAX_OUTPUTS]);

/* ---- shared tables --------------------------------------------------------------------- *
 * A table holds what plans share, whatever their positions, dtype and format. A caller that
 * keeps tables by key builds each once; without one pe_plan_new builds a table of the plan. */
struct pe_table;
/* The key of the table that checked arguments want, borrowed; NULL if sharing does not pay. */
PE_API const char *pe_args_table_key(const struct pe_args *args);
/* Build the table; NULL only when out of memory. Arguments with the same key may use it. */
PE_API struct pe_table *pe_table_build(const struct pe_args *args);
/* Add to a kept table rows of angles where arguments of its key are worth it, at the second
 * asking; false: out of memory. pe_table_growth asks too, and returns the bytes to add. */
PE_API bool pe_table_grow(struct pe_table *table, const struct pe_args *args);
PE_API size_t pe_table_growth(struct pe_table *table, const struct pe_args *args);
PE_API size_t pe_table_bytes(const struct pe_table *table);
PE_API struct pe_table *pe_table_ref(struct pe_table *table);
PE_API void pe_table_free(struct pe_table *table);

/* ---- plans: checked, sized, ready to run ------------------------------------------------- */
struct pe_plan;
struct pe_stop { /* stops planning; starts zeroed; any thread may set it */
    unsigned set;
};
PE_API void pe_stop_set(struct pe_stop *stop);
PE_API bool pe_stop_is_set(const struct pe_stop *stop); /* false for NULL */
/* Work is counted in operations: a few instructions each. A core does about 10^9 a second, and
 * every core is taken to be equal. */
struct pe_limits {
    uint64_t max_elements; /* most elements of all wanted outputs together; at most 2^60 */
    uint64_t max_prepared; /* most elements of results that are precomputed while planning */
    bool (*reserve)(void *context, uint64_t bytes); /* reserves memory, or false */
    void *context;                                  /* argument of reserve, which may be NULL */
    bool brief; /* little will be filled: work that only makes filling faster is left out */
    uint64_t max_operations;    /* most pe_args_operations; 0: no limit */
    const struct pe_stop *stop; /* planning looks at it now and then; may be NULL */
};
enum { PE_DEFAULT_MAX_PREPARED = 16 << 20 };
/* Size the answer (PE_TOO_LARGE before memory is touched) and prepare it. The plan refers to
 * args and table; table may be NULL. It returns PE_STOPPED soon after limits->stop is set. */
PE_API enum pe_status pe_plan_new(struct pe_plan **plan, struct pe_args *args,
                                  struct pe_table *table, const struct pe_limits *limits,
                                  struct pe_errors *errors) PE_MUST_CHECK;
PE_API struct pe_plan *pe_plan_ref(struct pe_plan *plan);
PE_API void pe_plan_free(struct pe_plan *plan);
/* A tensor of the answer; tensors are in the encoding's order of outputs. */
struct pe_tensor_info {
    const struct pe_output *output;
    enum pe_dtype dtype;
    size_t rank;
    uint64_t dims[PE_MAX_RANK];
    uint64_t rows, cols; /* cols: last axis (1: a scalar); rows: product of the others, or 0 */
    size_t group;        /* number of the group in the plan; tensors of one group adjoin */
    size_t slot;         /* index into out[] of pe_fill */
};
PE_API size_t pe_plan_tensor_count(const struct pe_plan *plan);
PE_API const struct pe_tensor_info *pe_plan_tensor(const struct pe_plan *plan, size_t i);
PE_API uint64_t pe_plan_elements(const struct pe_plan *plan);
PE_API const struct pe_args *pe_plan_args(const struct pe_plan *plan);
/* The operations of one pe_fill of `elements` elements, roughly nanoseconds. pe_fill cannot be
 * stopped: a caller that wants to stop early fills small rectangles. */
PE_API double pe_plan_cost_ns(const struct pe_plan *plan, uint64_t elements);
PE_API double pe_args_operations(const struct pe_args *args); /* of building table and plan */
PE_API bool pe_args_heavy(const struct pe_args *args);        /* too many for an event loop */
/* A fact about the answer: attention_factor, applies ... */
struct pe_fact {
    const char *name, *text; /* text: NULL when .number holds the fact */
    double number;
};
PE_API size_t pe_plan_fact_count(const struct pe_plan *plan);
PE_API const struct pe_fact *pe_plan_fact(const struct pe_plan *plan, size_t i);
/* Sentences that warn about requests which are legal but unwise. */
PE_API size_t pe_plan_warning_count(const struct pe_plan *plan);
PE_API const char *pe_plan_warning(const struct pe_plan *plan, size_t i);
/* Rows [row, row + rows) and columns [col, col + cols) of a group. */
struct pe_rect {
    uint64_t row, rows, col, cols;
};
/* Bytes of scratch memory that pe_fill needs for a rectangle of at most `elements` elements.
 * The caller aligns it to 64 bytes. */
PE_API size_t pe_plan_scratch(const struct pe_plan *plan, uint64_t elements);
/* Fill a rectangle of a group. out[slot] receives rows*cols elements of the dtype of the
 * tensor, rows adjoining, aligned for the dtype; NULL: not wanted. input[i] is the data of the
 * i-th PE_TENSOR parameter (input may be NULL when there are none). An empty rectangle is
 * legal. The bytes do not depend on how an answer is divided into rectangles. */
PE_API void pe_fill(const struct pe_plan *plan, size_t group, const struct pe_rect *rect,
                    void *const out[], const void *const input[], void *scratch);
/* Fill as pe_fill does, faster where rectangles follow each other: scratch keeps what they
 * share. Since pe_scratch_begin only pe_fill_next, of this plan and input, has written it. */
PE_API void pe_fill_next(const struct pe_plan *plan, size_t group, const struct pe_rect *rect,
                         void *const out[], const void *const input[], void *scratch);
PE_API void pe_scratch_begin(void *scratch);

/* ---- CPU paths ---------------------------------------------------------------------------- *
 * Every path gives the same bytes. Forcing one is for tests and benchmarks: call it before
 * other threads fill. */
PE_API size_t pe_cpu_path_count(void);            /* paths that this build has code for */
PE_API const char *pe_cpu_path_name(size_t path); /* "generic", "avx2", "avx512" */
PE_API bool pe_cpu_path_available(size_t path);   /* this CPU can run it */
PE_API size_t pe_cpu_path(void);                  /* the path in use */
PE_API bool pe_cpu_path_set(size_t path);         /* false if not available */
PE_API void pe_reserve_init(void); /* MPFR never ends the process; call it first */

#ifdef __cplusplus
}
#endif
#endif /* POSENC_H */
