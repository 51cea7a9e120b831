/* SPDX-License-Identifier: Apache-2.0
 * posenc.h - positional encodings and attention biases: all of libposenc, for its callers.
 *
 *     pe_find -> pe_args_new -> pe_args_set_* -> pe_args_check -> pe_plan_new -> pe_fill
 *
 * What happens: an encoding ("rope", "alibi") is a table of parameters and of outputs.
 * Arguments are filled by name and checked as a whole; a plan is made from them; the plan
 * fills rectangles of its outputs into the caller's memory. Everything that can fail
 * (types, ranges, conflicts, sizes, memory) fails before pe_fill, which cannot.
 *
 * Rules that hold for every function here:
 *   - Order of arguments: the object, outputs, inputs, and last the errors.
 *   - Pointers must not be NULL unless the comment says "may be NULL".
 *   - A function that can fail returns enum pe_status and adds a sentence for each thing
 *     that is wrong to *errors; on failure its outputs are untouched.
 *   - *_new hands the caller an object; *_ref adds an owner; *_free (of NULL: nothing)
 *     takes one away. What is returned as a const pointer is borrowed from its object.
 *   - Threads: an object that is being filled (args before pe_args_check) belongs to one
 *     thread. Checked args, tables and plans are immutable: any number of threads may
 *     read, ref and free them at once.
 *   - No I/O, clock, locale, thread or global state but pe_cpu_path_set, pe_reserve_init.
 *   - A caller's bug (NULL, an index out of range, a set after a check) is an assertion;
 *     bad data is a status.
 *
 * lint: long, because the library has one header, and it is the manual.
 *
 * Numbers: profile "exact" (every encoding's default) rounds the real number once to float32,
 * float16 and bfloat16, which are within 0.501 ULP of it, zeros of the function and positions
 * up to 2^53 included; float64 is within 1 ULP; of an output that is not, .bound says how far.
 * The bytes of an answer are the same on every CPU, libc and thread count. Positions are tokens
 * (or what is counted), angles radians, frequencies radians a position unless called turns.
 */
#ifndef POSENC_H
#define POSENC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    PE_BAD_VALUE,    /* "abc" where a number belongs, a word that is no choice */
    PE_OUT_OF_RANGE, /* a number, but not an allowed one */
    PE_CONFLICT,     /* allowed one by one, not together; or given without effect */
    PE_TOO_LARGE,    /* more than the caller's limit: .limit and .requested are set */
    PE_NO_MEMORY,
    PE_STOPPED,      /* the caller's pe_stop was set */
    PE_UNKNOWN_NAME, /* for callers: a well-formed name of something that they do not have */
};

/* One thing that is wrong. `detail` says what would be right, starting after the
 * parameter's name ("must be an even number, 2..64; got 7"); `hint` is "" or a suggestion. */
struct pe_problem {
    enum pe_status status;
    char parameter[48];
    char detail[304];
    char hint[80];
    uint64_t limit, requested; /* PE_TOO_LARGE only */
};

enum { PE_MAX_PROBLEMS = 32 };

/* All that is wrong with a request, in the order it was found; the caller's storage, set
 * .count = 0 before use (pe_errors_clear). From the 33rd on problems are only counted. */
struct pe_errors {
    size_t count;   /* stored, at most PE_MAX_PROBLEMS */
    size_t dropped; /* found beyond them */
    struct pe_problem at[PE_MAX_PROBLEMS];
};

PE_API void pe_errors_clear(struct pe_errors *errors);
/* Add a problem and return its status, so that `return pe_fail(...)` reads as one act.
 * parameter may be NULL (no single one); client text in it is cut to the field. */
PE_API enum pe_status pe_fail(struct pe_errors *errors, enum pe_status status,
                              const char *parameter, const char *format, ...) PE_PRINTF(4, 5);

/* Set the hint of the problem added last; nothing if there is none. */
PE_API void pe_hint(struct pe_errors *errors, const char *format, ...) PE_PRINTF(2, 3);

/* ---- element types -------------------------------------------------------------- */
enum pe_dtype { PE_F64, PE_F32, PE_F16, PE_BF16, PE_I32, PE_I64, PE_U8, PE_BOOL8 };
enum { PE_DTYPE_COUNT = PE_BOOL8 + 1 };

PE_API const char *pe_dtype_name(enum pe_dtype dtype); /* "f32"; PE_BOOL8 is "bool" */
PE_API size_t pe_dtype_size(enum pe_dtype dtype);      /* bytes of an element */
/* Finds f32, float32, fp32, float, half, bfloat16, double ...; false if unknown. */
PE_API bool pe_dtype_find(const char *name, size_t len, enum pe_dtype *dtype);
/* Most negative finite value: f16 -65504, bf16 -3.3895313892515355e38 ... */
PE_API double pe_dtype_lowest(enum pe_dtype dtype);

/* count doubles as dtype, each rounded once to nearest even; -0 becomes 0; what is beyond
 * the largest finite value becomes infinite (real types). Integer types: the caller
 * guarantees whole numbers in range. `out` has count * pe_dtype_size bytes, any alignment. */
PE_API void pe_dtype_from_f64(enum pe_dtype dtype, void *out, const double *in, size_t count);
/* The exact values of count elements; i64 beyond 2^53 is rounded. */
PE_API void pe_dtype_to_f64(enum pe_dtype dtype, double *out, const void *in, size_t count);

/* ---- what an encoding accepts and answers: data, not code ------------------------ */
enum pe_type {
    PE_INT,       /* int64_t */
    PE_REAL,      /* double, finite unless one of .words */
    PE_BOOL,      /* bool; 0 1 true false */
    PE_CHOICE,    /* int, index into .choices */
    PE_REALS,     /* struct pe_reals: "1,2.5" or, with .matrix, rows "0,1;1,1" */
    PE_POSITIONS, /* const struct pe_positions *: "0:128", "5,9,12" (see below) */
    PE_GRID,      /* struct pe_grid: "14x14", height first */
    PE_TENSOR,    /* struct pe_tensor: dtype and shape of data given to pe_fill */
    PE_SEGMENTS,  /* struct pe_segments: "text:3,image:1x4x6,video:4x4x6@0.5" */
};

struct pe_word { /* a word that stands for a number: mask_value=min */
    const char *word;
    double value;
};

/* A choice and the spellings that mean the same; canonical form prints the first. A preset
 * is a choice that stands for other parameters, which the client may still override. */
struct pe_choice {
    const char *name;
    const char *const *aliases; /* NULL-terminated, or NULL */
    const char *summary;        /* may be NULL */
    const char *stands_for;     /* "ladder=geometric-closed&layout=concat"; NULL: no preset */
};

/* One parameter. Parsing, ranges, defaults, every error sentence, OpenAPI, forms, help,
 * canonical form and tests derive from this row. */
struct pe_param {
    const char *name;
    const char *summary; /* half a sentence, no full stop */
    enum pe_type type;
    bool required;           /* must be given, if a wanted output uses it */
    bool optional;           /* may be absent: PE_ABSENT_INT, NaN, false, -1, NULL, count 0 */
    bool above_min;          /* min itself is excluded */
    bool fractions;          /* PE_POSITIONS: real positions are allowed */
    bool matrix;             /* PE_REALS: rows of equal length */
    bool table;              /* PE_TENSOR: what is looked up (weights), not a client's vectors:
                              * it has no output of its name and decides no dtype */
    bool expanded;           /* never in canonical form: its effect is in the others */
    double min, max;         /* PE_INT, PE_REAL, items of PE_REALS: inclusive bounds */
    int64_t multiple_of;     /* PE_INT: 0 means any; items of PE_REALS: 1 means whole ones */
    double preset;           /* default when neither required nor optional */
    const char *preset_text; /* PE_POSITIONS: default in the position grammar */
    const struct pe_choice *choices; /* PE_CHOICE: ends with a row whose name is NULL */
    const struct pe_word *words;     /* PE_REAL: ends with a row whose word is NULL */
    const char *unit;                /* "radians", "positions", ...; may be NULL */
    size_t offset;                   /* of the field in the encoding's struct */
};

#define PE_ABSENT_INT INT64_MIN
struct pe_reals {
    const double *values; /* row-major */
    size_t rows, cols;    /* rows is 1 for a list; both 0 when absent */
};

struct pe_grid {
    int64_t height, width; /* both 0 when absent */
};

enum { PE_MAX_RANK = 6, PE_MAX_OUTPUTS = 16, PE_MAX_GROUPS = 12 };
struct pe_tensor {
    enum pe_dtype dtype;
    size_t rank;
    uint64_t dims[PE_MAX_RANK];
};

/* A tensor of an answer. Outputs of one group have the same shape and are filled by one call.
 * Axis names join with "," in docs; the last axis is the columns. */
struct pe_output {
    const char *name;
    const char *summary;
    const char *axes[PE_MAX_RANK]; /* NULL-terminated when fewer; none: a scalar */
    const char *group;             /* name of the group's first output; NULL: it is this one */
    enum pe_dtype natural;   /* PE_F32 for reals, PE_I64 for indices, PE_BOOL8 for masks */
    bool by_default;         /* answered when `out` is not given */
    const char *const *uses; /* names of the parameters it depends on, NULL-terminated */
    const char *bound;       /* error against the real number, "0.501 ULP; f64 1 ULP" */
};

enum pe_family { PE_ABSOLUTE, PE_ROTARY, PE_BIAS, PE_INDEX, PE_MASK, PE_SPATIAL, PE_GRAPH };
PE_API const char *pe_family_name(enum pe_family family); /* "rotary" */

struct pe_encoding; /* immutable, static; core/encoding.h has its parts */
PE_API size_t pe_count(void);
PE_API const struct pe_encoding *pe_at(size_t i); /* i < pe_count(), sorted by name */
PE_API const struct pe_encoding *pe_find(const char *name, size_t len); /* NULL if unknown */
PE_API size_t pe_index(const struct pe_encoding *enc); /* pe_at(pe_index(enc)) is enc */

PE_API const char *pe_name(const struct pe_encoding *enc);
PE_API const char *pe_summary(const struct pe_encoding *enc); /* half a sentence */
PE_API const char *pe_source(const struct pe_encoding *enc);  /* paper or file */
/* Queries that work, "pos=0:4&dim=8", NULL-terminated; the first is the short one. */
PE_API const char *const *pe_examples(const struct pe_encoding *enc);
PE_API enum pe_family pe_family_of(const struct pe_encoding *enc);
PE_API unsigned pe_revision(const struct pe_encoding *enc); /* from 1; grows with the bits */
PE_API const struct pe_param *pe_params(const struct pe_encoding *enc, size_t *count);
PE_API const struct pe_output *pe_outputs(const struct pe_encoding *enc, size_t *count);
/* The row of that name: of the encoding, or of `out` and `dtype`, which have one row each for
 * all encodings (without .choices); NULL if unknown. enc may be NULL: those two alone. */
PE_API const struct pe_param *pe_param_find(const struct pe_encoding *enc, const char *name,
                                            size_t len);

/* Nearest of `names` to a misspelt word (edit distance up to a third of the length); where that
 * is two slips or more, the shortest that the word begins. Or NULL. Case and "-_" are equal. */
PE_API const char *pe_suggest(const char *word, size_t len, const char *const *names,
                              size_t count);

/* ---- positions -------------------------------------------------------------------- *
 * A list of slices and numbers, never expanded: "0:1000000000" is one run. Whole
 * positions are exact in [-2^53, 2^53]; a real position is the exact value of its double.
 *
 *     spec = item *("," item)   item = number | slice   slice = [int] ":" int [":" int]
 *
 * Slices are half-open as Python's, start 0 by default, step not 0; a minus sign is a
 * coordinate ("-3:4" is seven positions). "0:0" is the empty list. At most
 * PE_MAX_POSITION_ITEMS items from text, PE_MAX_POSITION_ARRAY from an array. */

enum { PE_MAX_POSITION_ITEMS = 65536, PE_MAX_POSITION_ARRAY = 4 << 20 };
struct pe_positions;
PE_API uint64_t pe_positions_count(const struct pe_positions *pos);
PE_API double pe_positions_at(const struct pe_positions *pos, uint64_t i); /* O(log runs) */
PE_API bool pe_positions_whole(const struct pe_positions *pos); /* no fractions in it */
/* Smallest and largest position; both 0 for an empty list. */
PE_API void pe_positions_range(const struct pe_positions *pos, double *low, double *high);
/* The run that holds position number i: positions are first + step*j for j in [0, left),
 * with `left` >= 1. Whole runs have step != 0 or left 1. */
struct pe_run {
    double first;
    int64_t step;
    uint64_t left;
};
PE_API struct pe_run pe_positions_run(const struct pe_positions *pos, uint64_t i);

/* ---- arguments ---------------------------------------------------------------------- *
 * One typed value a parameter, plus two that every encoding has: `out` (which outputs,
 * "cos,sin") and `dtype` ("f32"). */

struct pe_args;
/* Defaults in place, nothing given. NULL only when out of memory. */
PE_API struct pe_args *pe_args_new(const struct pe_encoding *enc);
PE_API struct pe_args *pe_args_ref(struct pe_args *args);
PE_API void pe_args_free(struct pe_args *args);
/* Give a parameter, once. Text is what a query holds, decoded; len bytes, no NUL needed.
 * Numbers: PE_INT takes whole ones only. Unknown, repeated, empty, mistyped and out of
 * range values are added to *errors; the caller goes on, so that all are reported. */
PE_API enum pe_status pe_args_set_text(struct pe_args *args, const char *name, size_t name_len,
                                       const char *text, size_t len, struct pe_errors *errors);
PE_API enum pe_status pe_args_set_number(struct pe_args *args, const char *name,
                                         size_t name_len, double number,
                                         struct pe_errors *errors);
PE_API enum pe_status pe_args_set_bool(struct pe_args *args, const char *name, size_t name_len,
                                       bool value, struct pe_errors *errors);
/* A list (rows = 1) or matrix of numbers for PE_REALS, a list for PE_POSITIONS; copied. */
PE_API enum pe_status pe_args_set_reals(struct pe_args *args, const char *name, size_t name_len,
                                        const double *values, size_t rows, size_t cols,
                                        struct pe_errors *errors);
/* Dtype and shape (rank at least 1) of a tensor whose data goes to pe_fill (PE_TENSOR). Unless
 * it is a table, the output of its name is made of it: wanted by default when it is given, and
 * of its dtype unless `dtype` says otherwise. */
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
    const double *values; /* PE_GIVEN_REALS: rows * cols of them */
    size_t rows, cols;
    const struct pe_tensor *tensor; /* PE_GIVEN_TENSOR */
};
PE_API enum pe_status pe_args_set(struct pe_args *args, const struct pe_param *param,
                                  const struct pe_given *given, struct pe_errors *errors);
/* Gives a default of the caller's own: what was given stays (PE_CONFLICT: another choice). */
PE_API enum pe_status pe_args_assume(struct pe_args *args, const char *name, const char *text,
                                     struct pe_errors *errors);
/* What canonical form says of the tensor instead of its dtype and shape: its elements, if they
 * are in the request's text ("1,0,0,1"), or a hash of them: equal texts, equal answers. */
PE_API enum pe_status pe_args_spell_tensor(struct pe_args *args, const struct pe_param *param,
                                           const char *text, size_t len,
                                           struct pe_errors *errors);
/* All rules at once: what a wanted output needs is there, presets and derived defaults are
 * filled in, rules between parameters hold, nothing was given without effect. Call once;
 * afterwards the args are immutable. PE_OK only if *errors was and stays empty. */
PE_API enum pe_status pe_args_check(struct pe_args *args,
                                    struct pe_errors *errors) PE_MUST_CHECK;
PE_API const struct pe_encoding *pe_args_encoding(const struct pe_args *args);
/* Checked args as name and value, sorted by name: what decides the answer's bytes, `dtype` and
 * `out` too. Preset names are expanded, unused and absent parameters left out. */
enum pe_value_kind { PE_VALUE_NUMBER, PE_VALUE_BOOL, PE_VALUE_TEXT, PE_VALUE_REALS };
struct pe_value {
    const char *name;
    enum pe_value_kind kind;
    double number;         /* PE_VALUE_NUMBER; whole ones are exact */
    bool flag;             /* PE_VALUE_BOOL */
    struct pe_reals reals; /* PE_VALUE_REALS */
    const char *text;      /* the canonical spelling; NULL: of a long list */
    const void *bits;      /* of a long list: equal bytes (and columns), equal lists */
    size_t bits_len;
};
enum { PE_LONG_LIST = 4096 }; /* numbers, or runs of positions: a list of more is long */
PE_API size_t pe_args_value_count(const struct pe_args *args);
PE_API const struct pe_value *pe_args_value(const struct pe_args *args, size_t i);
/* The canonical spelling of value number i, of a long list too, as snprintf would write it. */
PE_API size_t pe_args_print(const struct pe_args *args, size_t i, char *text, size_t size);
/* Wanted outputs, in the encoding's order. */
PE_API size_t pe_args_wanted(const struct pe_args *args, size_t wanted[PE_MAX_OUTPUTS]);

/* ---- shared tables --------------------------------------------------------------------- *
 * What is worth sharing between plans (frequencies, fine rows, slopes) does not depend on
 * positions, dtype or format. A caller that keeps tables by key builds each once; one that
 * does not passes NULL to pe_plan_new, which then builds its own. */
struct pe_table;
/* Key of the table these checked args want, or NULL if a table would not pay. Borrowed. */
PE_API const char *pe_args_table_key(const struct pe_args *args);
/* The table for that key: NULL only when out of memory. Any args with that key may use it. */
PE_API struct pe_table *pe_table_build(const struct pe_args *args);
PE_API size_t pe_table_bytes(const struct pe_table *table);
PE_API struct pe_table *pe_table_ref(struct pe_table *table);
PE_API void pe_table_free(struct pe_table *table);

/* ---- plans: checked, sized, ready to run ------------------------------------------------- */
struct pe_plan;
struct pe_stop { /* nobody waits any more; zeroed: go on. Any thread may set it */
    unsigned set;
};
PE_API void pe_stop_set(struct pe_stop *stop);
PE_API bool pe_stop_is_set(const struct pe_stop *stop);
/* An operation: a few instructions. A core does about 10^9 a second; all count alike. */
struct pe_limits {
    uint64_t max_elements; /* of all wanted outputs together; beyond 2^60 it is 2^60 */
    uint64_t max_prepared; /* of results that are computed whole while planning */
    bool (*reserve)(void *context, uint64_t bytes); /* room for those; false: PE_NO_MEMORY */
    void *context;                                  /* reserve may be NULL: there is room */
    bool brief; /* little is filled, or nothing: what would only save time later is not kept */
    uint64_t max_operations;    /* of planning (pe_args_operations); 0: any number */
    const struct pe_stop *stop; /* planning looks at it; may be NULL */
};
enum { PE_DEFAULT_MAX_PREPARED = 16 << 20 };
/* Sizes the answer (PE_TOO_LARGE before any memory is touched) and prepares it. Refers
 * to args and table (may be NULL). Once limits->stop is set it soon gives up: PE_STOPPED. */
PE_API enum pe_status pe_plan_new(struct pe_plan **plan, struct pe_args *args,
                                  struct pe_table *table, const struct pe_limits *limits,
                                  struct pe_errors *errors) PE_MUST_CHECK;
PE_API struct pe_plan *pe_plan_ref(struct pe_plan *plan);
PE_API void pe_plan_free(struct pe_plan *plan);
/* A tensor of the answer, in the encoding's order of outputs. */
struct pe_tensor_info {
    const struct pe_output *output;
    enum pe_dtype dtype;
    size_t rank;
    uint64_t dims[PE_MAX_RANK];
    uint64_t rows, cols; /* cols: last axis (1: a scalar); rows: all others, 0 if empty */
    size_t group;        /* of the plan, not the encoding: tensors of one group adjoin */
    size_t slot;         /* index into out[] of pe_fill */
};
PE_API size_t pe_plan_tensor_count(const struct pe_plan *plan);
PE_API const struct pe_tensor_info *pe_plan_tensor(const struct pe_plan *plan, size_t i);
PE_API uint64_t pe_plan_elements(const struct pe_plan *plan);
PE_API const struct pe_args *pe_plan_args(const struct pe_plan *plan);
/* What one call of pe_fill for `elements` elements costs in operations, which are nanoseconds,
 * roughly. pe_fill is not stopped: to stop early, fill in rectangles that cost little. */
PE_API double pe_plan_cost_ns(const struct pe_plan *plan, uint64_t elements);
PE_API double pe_args_operations(const struct pe_args *args); /* of making plan and table */
PE_API bool pe_args_heavy(const struct pe_args *args); /* they are many: off the event loop */
/* Facts about the answer, declared beside the outputs: attention_factor, applies ... */
struct pe_fact {
    const char *name;
    const char *text; /* NULL for a number */
    double number;
};
PE_API size_t pe_plan_fact_count(const struct pe_plan *plan);
PE_API const struct pe_fact *pe_plan_fact(const struct pe_plan *plan, size_t i);
/* Sentences about legal but unwise requests. */
PE_API size_t pe_plan_warning_count(const struct pe_plan *plan);
PE_API const char *pe_plan_warning(const struct pe_plan *plan, size_t i);
/* Rows [row, row + rows) and columns [col, col + cols) of a group. */
struct pe_rect {
    uint64_t row, rows, col, cols;
};
/* Bytes of scratch pe_fill needs for any rectangle of at most `elements` elements. The
 * caller aligns scratch to 64 bytes. */
PE_API size_t pe_plan_scratch(const struct pe_plan *plan, uint64_t elements);

/* Fill a rectangle of a group. out[slot] receives rows*cols elements of the tensor's dtype,
 * rows adjoining, aligned for its dtype; NULL: not wanted. input[i] is the data of the
 * i-th PE_TENSOR parameter (input may be NULL when there are none). Cannot fail; an empty
 * rectangle is legal. The same bytes for any division into rectangles. */
PE_API void pe_fill(const struct pe_plan *plan, size_t group, const struct pe_rect *rect,
                    void *const out[], const void *const input[], void *scratch);

/* ---- CPU paths ---------------------------------------------------------------------------- *
 * Every path gives the same bytes. Forcing one is for tests and benchmarks: call it before
 * other threads fill. */
PE_API size_t pe_cpu_path_count(void);            /* paths this build knows */
PE_API const char *pe_cpu_path_name(size_t path); /* "generic", "avx2", "avx512" */
PE_API bool pe_cpu_path_available(size_t path);   /* this CPU has it */
PE_API size_t pe_cpu_path(void);                  /* the one in use */
PE_API bool pe_cpu_path_set(size_t path);         /* false if not available */
PE_API void pe_reserve_init(void); /* MPFR never ends the process: before threads start */

#ifdef __cplusplus
}
#endif
#endif /* POSENC_H */
