/* SPDX-License-Identifier: Apache-2.0
 * encoding.h - the parts of an encoding. Private to core; callers use posenc.h.
 *
 * The file of an encoding reads in the order in which its parts are used: formula, struct,
 * params, outputs, resolve and check, shape, table, prepare, kernel, descriptor. */
#pragma once

#include "core/posenc.h"

/* Name and offset of the field that a parameter fills, so that its name is spelled once. */
#define PE_FIELD(TYPE, FIELD) .name = #FIELD, .offset = offsetof(TYPE, FIELD)
/* PE_FIELD for a member of a part: PE_FIELD_OF(struct rope, ladder, dim). */
#define PE_FIELD_OF(TYPE, PART, FIELD) .name = #FIELD, .offset = offsetof(TYPE, PART.FIELD)
/* What a name that no other encoding has needs besides: whose word it is, group and level, as
 * in PE_OWN("timm", WEIGHTS, ADVANCED). */
#define PE_OWN(ORIGIN, GROUP, LEVEL)                                                           \
    .origin = (ORIGIN), .group = PE_GROUP_##GROUP, .level = PE_##LEVEL
/* PE_FIELD of a list of learned weights, or with .matrix of rows of them. */
#define PE_WEIGHTS(TYPE, FIELD)                                                                \
    PE_FIELD(TYPE, FIELD), .type = PE_REALS, .min = -1e18, .max = 1e18
/* PE_FIELD of a tensor of vectors or of a learned table, which is no output. */
#define PE_TENSOR_TABLE(TYPE, FIELD) PE_FIELD(TYPE, FIELD), .type = PE_TENSOR, .table = true
/* The head of an output's row: its name, its natural dtype, its axes (NULL: a scalar). */
#define PE_OUTPUT(NAME, NATURAL, ...)                                                          \
    .name = (NAME), .natural = (NATURAL), .axes = {__VA_ARGS__}
/* A NULL-terminated list of words: aliases of a choice, names that an output uses, examples. */
#define PE_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
/* The choices of a parameter, and one of them: its name and its summary; PE_ONE_AT says which
 * number it is, as an enum of the encoding does. One with aliases, or that stands for others,
 * is written out. */
#define PE_CHOICES(...)                                                                        \
    .type = PE_CHOICE, .choices = (const struct pe_choice[])                                   \
    {                                                                                          \
        __VA_ARGS__,                                                                           \
        {                                                                                      \
            .name = NULL                                                                       \
        }                                                                                      \
    }
#define PE_ONE(NAME, SUMMARY)                                                                  \
    {                                                                                          \
        .name = (NAME), .summary = (SUMMARY)                                                   \
    }
#define PE_ONE_AT(INDEX, NAME, SUMMARY) [INDEX] = PE_ONE(NAME, SUMMARY)
/* PE_ONE and PE_ONE_AT of a choice that needs something beside the query of a picture:
 * "factor=4" gives a factor, "pos=" takes pos away, "out=a|b" names the outputs that it has,
 * where it has not all. What an encoding does not have is passed over: they share lists. */
#define PE_ONE_WITH(NAME, SUMMARY, START)                                                      \
    {                                                                                          \
        .name = (NAME), .summary = (SUMMARY), .start = (START)                                 \
    }
#define PE_ONE_AT_WITH(INDEX, NAME, SUMMARY, START) [INDEX] = PE_ONE_WITH(NAME, SUMMARY, START)
#define PE_LEN(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))
/* The tables of a descriptor: the struct of values, the rows of parameters and of outputs.
 * PE_TABLES_OF is for an encoding with shared hooks, which read PART at the struct's start.
 * PE_TABLES_PART takes COUNT parameters from number FIRST on, for encodings that share their
 * rows. */
#define PE_TABLES(TYPE, PARAMS, OUTPUTS)                                                       \
    PE_TABLES_PART(TYPE, PARAMS, 0, PE_LEN(PARAMS), OUTPUTS)
#define PE_TABLES_OF(TYPE, PART, PARAMS, OUTPUTS)                                              \
    .params = (PARAMS), .param_count = PE_LEN(PARAMS),                                         \
    .args_size = sizeof(TYPE) +                                                                \
                 0 * sizeof(struct {                                                           \
                     char none;                                                                \
                     _Static_assert(offsetof(TYPE, PART) == 0, "shared hooks read it there");  \
                 }),                                                                           \
    .outputs = (OUTPUTS), .output_count = PE_LEN(OUTPUTS)
#define PE_TABLES_PART(TYPE, PARAMS, FIRST, COUNT, OUTPUTS)                                    \
    .params = &(PARAMS)[FIRST], .param_count = (COUNT), .args_size = sizeof(TYPE),             \
    .outputs = (OUTPUTS), .output_count = PE_LEN(OUTPUTS)

/* ---- arguments as hooks see them ------------------------------------------------------- */

/* True when the client gave the parameter at this offset, rather than leaving its default. */
bool pe_given(const struct pe_args *args, size_t offset);
#define PE_GIVEN(ARGS, TYPE, FIELD) pe_given((ARGS), offsetof(TYPE, FIELD))
/* True when the output with this index is wanted. */
bool pe_wants(const struct pe_args *args, size_t output);
/* Return the encoding's struct of typed values. */
const void *pe_args_struct(const struct pe_args *args);
/* Return the dtype of an output: the one that the client asked for, or its natural one. */
enum pe_dtype pe_args_dtype(const struct pe_args *args, size_t output);
/* Replace an absent PE_POSITIONS field by the slice start:stop; for `resolve`. */
enum pe_status pe_args_put_slice(struct pe_args *args, size_t offset, int64_t start,
                                 int64_t stop, struct pe_errors *errors);

/* Set .limit and .requested of the last problem, a PE_TOO_LARGE. */
void pe_note_limit(struct pe_errors *errors, uint64_t limit, uint64_t requested);

/* ---- building a plan --------------------------------------------------------------------- */

/* Elements of the rectangle that `reference` gets at most: parts of one row where a row is
 * longer. What it reads for a whole row it reads again for each part, and `cost` says so. */
enum { PE_FILL_BLOCK = 2048 };

/* A filler fills a group. `reference` writes doubles, which pe_dtype_from_f64 then rounds;
 * `typed`, which only math topics offer, writes the dtype directly, or returns false to leave
 * the rectangle to `reference`. Its doubles before the rounding may differ from those of
 * `reference` in their last bits, within the bound that the output states. State and dtype
 * decide which of the two serves, never the rectangle unless both give the same bytes. Each
 * gives an element the same bytes in every rectangle, on every CPU path and in every thread.
 * Both accept any sub-rectangle and out[slot] NULL for an unwanted output, cannot fail, and
 * change no state.
 *
 * A filler that `remembers` has scratch of at least PE_SCRATCH_MEMORY bytes. When `typed` or
 * `vectors` is called, all of its scratch is as the previous call with this state, dtype and
 * input left it, or the first PE_SCRATCH_MEMORY bytes are zeroes. */
enum { PE_SCRATCH_MEMORY = 64 };
struct pe_filler {
    void (*reference)(const void *state, const struct pe_rect *rect, double *const out[],
                      const void *const input[], void *scratch);
    /* In place of `reference`, for a group of one output whose elements are computed one by one
     * without scratch: returns the element of a row and a column of the output. */
    double (*element)(const void *state, uint64_t row, uint64_t col, const void *const input[]);
    bool (*typed)(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                  void *const out[], void *scratch); /* may be NULL */
    bool (*vectors)(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                    void *const out[], const void *const input[],
                    void *scratch); /* as typed, for data of the client; may be NULL */
    size_t (*scratch)(const void *state, uint64_t elements); /* may be NULL: none */
    bool remembers;
    double ns_per_element;
    /* The cost of an element where state or dtype decide it; NULL: ns_per_element. */
    double (*cost)(const void *state, enum pe_dtype dtype);
};

/* Fill a rectangle with doubles by `reference` or by `element`; out and scratch as for them. */
void pe_fill_doubles(const struct pe_filler *filler, const void *state,
                     const struct pe_rect *rect, double *const out[], const void *const input[],
                     void *scratch);

struct pe_build; /* a plan that is being made */

/* Allocate memory that lives as long as the plan, zeroed, 64-byte aligned. It returns NULL when
 * out of memory; then the plan fails. */
void *pe_build_alloc(struct pe_build *build, size_t bytes);
/* Record that the plan fails, because an allocation of the hook failed; returns false. */
bool pe_build_no_memory(struct pe_build *build);
/* Return the errors of the plan. A problem that prepare adds to them makes the plan fail: one
 * that only the work of prepare can find. */
struct pe_errors *pe_build_errors(struct pe_build *build);
/* Ask for memory that only makes filling faster; on false the hook does without it. */
bool pe_build_reserve(struct pe_build *build, uint64_t bytes);
/* Ask for memory without which the plan cannot be filled, and which grows with what the client
 * sent. On false the plan fails: it is out of memory. */
bool pe_build_claim(struct pe_build *build, uint64_t bytes);
/* True when no client waits for the plan any more. A hook that works for more than some
 * milliseconds calls this now and then, and returns early. */
bool pe_build_stopped(const struct pe_build *build);
/* Return the stop of pe_build_stopped, for a math topic that does the work; may be NULL. */
const struct pe_stop *pe_build_stop(const struct pe_build *build);
/* Return the table of the encoding (the shared one, or one made for this plan), or NULL if it
 * has none. */
const void *pe_build_table(const struct pe_build *build);
const struct pe_args *pe_build_args(const struct pe_build *build);
/* True when an output of the group is wanted. A group is named by the index of its first
 * output. */
bool pe_build_wants(const struct pe_build *build, size_t group);
/* Set how a group is filled; nothing happens if the group is not wanted. `state` lives at least
 * as long as the plan. */
void pe_build_fill(struct pe_build *build, size_t group, const struct pe_filler *filler,
                   const void *state);
/* Fill a group by a copy of the state, which the plan owns. */
void pe_build_fill_copy(struct pe_build *build, size_t group, const struct pe_filler *filler,
                        const void *state, size_t bytes);
/* Get the filler and the state that a wanted group has so far. */
void pe_build_filled(const struct pe_build *build, size_t group,
                     const struct pe_filler **filler, const void **state);
/* Fill the groups as an encoding does: that of the plan, or the one whose rows it combines. */
void pe_build_prepare(struct pe_build *build, const struct pe_encoding *enc);
/* Return the dtype of a wanted group. */
enum pe_dtype pe_build_dtype(const struct pe_build *build, size_t group);
void pe_build_fact(struct pe_build *build, const char *name, double number);
void pe_build_fact_text(struct pe_build *build, const char *name, const char *text);
void pe_build_warn(struct pe_build *build, const char *format, ...) PE_PRINTF(2, 3);

/* ---- the descriptor ---------------------------------------------------------------------- */

/* A kind says how the answer is computed. PE_POINTWISE: each element is computed alone.
 * PE_WHOLE: all elements are computed while planning (a recurrence, a cumulative count) and
 * then copied. PE_INPUT: elements are computed from data of the client. */
enum pe_plan_kind { PE_POINTWISE, PE_WHOLE, PE_INPUT };

struct pe_interval {
    double low, high;
};
/* The growth of a table for the arguments of a request. */
enum pe_growth {
    PE_GROWTH_NEEDED, /* the table grows by what the fills of the request need */
    PE_GROWTH_WORTH,  /* it also grows by what makes fills faster: other requests will use it */
    PE_GROWTH_TOLD,   /* it does not grow; the call counts, and returns the bytes of WORTH */
};

struct pe_encoding {
    const char *name, *title, *summary, *source;
    const char *formula, *when_to_use, *what_goes_wrong; /* NULL: those of the encoding whose
                                                          * name stands before "/apply" */
    const char *const *examples;
    const char *picture; /* a query without out=, for the outputs that have none of their own */
    enum pe_family family;
    unsigned revision; /* 1 when it is not given */
    enum pe_plan_kind kind;
    const struct pe_encoding *rows_of; /* the encoding whose rows this one combines with
                                        * vectors; may be NULL */
    const struct pe_param *params;
    size_t param_count, args_size; /* args_size: bytes of the struct, which is zeroed before
                                    * defaults are set */
    const struct pe_output *outputs;
    size_t output_count;
    /* An axis is as long as the parameter of its name: an integer's value, the count of
     * positions, the columns of reals, the cells of a grid. "heads=w2.0" names another: .0 and
     * .1 are the rows and columns of reals or a grid and the axes of a tensor. "dim=2*w",
     * "pair=dim/2", "columns=arity*depth", "pos=grid+cls_token", "dy=2*window.0-1" and "axis=3"
     * are lengths too; of "set=anchors.0|sets" the first that is not 0. "bias.q=rows" is of
     * one output's axis; "pos=pos?" leaves the axis out where the parameter has no value. An
     * absent parameter counts as 0. An output whose axes begin with "..." has the shape of the
     * tensor of its name. NULL-terminated; NULL: no axis differs from its parameter. */
    const char *const *lengths;

    const void *detail; /* data for hooks that several encodings share; may be NULL */

    /* Fill in defaults that depend on other parameters (rotary_dim = dim, len -> q and k).
     * Problems are added to errors, which are empty before. May be NULL. */
    void (*resolve)(struct pe_args *args, void *values, struct pe_errors *errors);
    /* Check rules between parameters; problems are added to errors, which are empty before. May
     * be NULL. */
    void (*check)(const struct pe_args *args, const void *values, struct pe_errors *errors);
    /* Get the shape of an output whose axes neither are named after parameters nor stand in
     * `lengths`; NULL: all axes do. The caller checks huge dims for overflow. */
    size_t (*shape)(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK]);

    /* The largest values of integer outputs that begin at 0, as texts of lengths: "ids=len-1".
     * A dtype which cannot hold them is refused. NULL-terminated; may be NULL. */
    const char *const *most;
    /* Return the smallest and largest value of an integer output that `most` does not have.
     * NULL, of such an output: only the natural dtype and i64 are offered. */
    struct pe_interval (*range)(const struct pe_args *args, const void *values, size_t output);

    /* Operations (posenc.h) of building the table and of prepare, right within a factor of
     * four: `make costs` measures it. NULL: less than a million for all arguments. A plan of
     * more operations is made off the event loop. */
    double (*plan_ns)(const struct pe_args *args, const void *values);

    /* Shared table: set all three hooks or none. table_key writes the text that identifies the
     * table (as snprintf does: it returns the length), or returns 0; of positions it reads only
     * how many there are and whether they are whole. table_build returns the table and its size
     * in bytes. */
    size_t (*table_key)(const struct pe_args *args, const void *values, char *text,
                        size_t size);
    void *(*table_build)(const struct pe_args *args, const void *values, size_t *bytes);
    void (*table_free)(void *table);
    /* Add to a table what `growth` says; return the bytes that were added, or SIZE_MAX if
     * memory ran out. Threads may call it at the same time, and fill. May be NULL. */
    size_t (*table_grow)(void *table, const struct pe_args *args, const void *values,
                         enum pe_growth growth);

    /* How the group of the first output is filled, with the struct of values as its state;
     * NULL: prepare says it. */
    const struct pe_filler *filler;
    /* Call pe_build_fill for every other group, or at least for the wanted ones where the work
     * is expensive (pe_build_wants); add facts, warnings. A hook without
     * memory, or stopped, returns early; the build remembers it. NULL: `filler` is all. */
    void (*prepare)(struct pe_build *build, const void *values);
};

/* Get the shape of an output, by the hook or by the axes; return the rank. */
size_t pe_output_shape(const struct pe_encoding *enc, const struct pe_args *args,
                       const void *values, size_t output, uint64_t dims[PE_MAX_RANK]);
/* Get the largest value of an output from `most`; false: it is not there. */
bool pe_output_most(const struct pe_encoding *enc, const void *values, size_t output,
                    double *most);
/* Return the number of the output's group, which is that of the group's first output. */
size_t pe_output_group(const struct pe_encoding *enc, size_t output);

/* ---- rows that mean the same in every encoding ------------------------------------------- */

#define PE_ROW_POS(TYPE, FRACTIONS)                                                            \
    {                                                                                          \
        PE_FIELD(TYPE, pos), .type = PE_POSITIONS, .required = true, .fractions = (FRACTIONS), \
                             .unit = "positions",                                              \
                             .summary = "positions of the rows, 0:128 or 5,9,12"               \
    }
#define PE_ROW_BASE(TYPE)                                                                      \
    {                                                                                          \
        PE_FIELD(TYPE, base),                                                                  \
            .type = PE_REAL, .min = 1e-18, .max = 1e18, .preset = 10000,                       \
            .summary = "base of the geometric frequencies (theta, rope_theta, max_timescale)"  \
    }
