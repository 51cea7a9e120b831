/* SPDX-License-Identifier: Apache-2.0
 * encoding.h - what an encoding is made of. Private to core; callers use posenc.h.
 *
 * An encoding's file reads in the order it lives: formula -> struct -> params -> outputs ->
 * resolve/check -> shape -> table -> prepare -> kernel -> descriptor.
 */
#ifndef PE_ENCODING_H
#define PE_ENCODING_H

#include "core/posenc.h"

/* The field a parameter fills: its name is spelled once. */
#define PE_FIELD(TYPE, FIELD) .name = #FIELD, .offset = offsetof(TYPE, FIELD)
/* The same for a member of a part: PE_FIELD_OF(struct rope, ladder, dim). */
#define PE_FIELD_OF(TYPE, PART, FIELD) .name = #FIELD, .offset = offsetof(TYPE, PART.FIELD)
/* The head of an output's row: its name, its natural dtype, its axes (NULL: a scalar). */
#define PE_OUTPUT(NAME, NATURAL, ...)                                                          \
    .name = (NAME), .natural = (NATURAL), .axes = {__VA_ARGS__}
/* Words, NULL-terminated: aliases of a choice, names that an output uses, examples. */
#define PE_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define PE_LEN(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))
/* The tables of a descriptor: the struct of values, the rows of parameters and of outputs. The
 * second takes COUNT parameters from number FIRST on, for encodings that share their rows. */
#define PE_TABLES(TYPE, PARAMS, OUTPUTS)                                                       \
    PE_TABLES_PART(TYPE, PARAMS, 0, PE_LEN(PARAMS), OUTPUTS)
#define PE_TABLES_PART(TYPE, PARAMS, FIRST, COUNT, OUTPUTS)                                    \
    .params = &(PARAMS)[FIRST], .param_count = (COUNT), .args_size = sizeof(TYPE),             \
    .outputs = (OUTPUTS), .output_count = PE_LEN(OUTPUTS)

/* ---- arguments as hooks see them ------------------------------------------------------- */

/* The client gave the parameter at this offset (not: it has a default). */
bool pe_given(const struct pe_args *args, size_t offset);
#define PE_GIVEN(ARGS, TYPE, FIELD) pe_given((ARGS), offsetof(TYPE, FIELD))
/* The output number is wanted. */
bool pe_wants(const struct pe_args *args, size_t output);
/* The struct of typed values. */
const void *pe_args_struct(const struct pe_args *args);
/* dtype of an output: what the client asked for, or its natural one. */
enum pe_dtype pe_args_dtype(const struct pe_args *args, size_t output);
/* For `resolve`: replace an absent PE_POSITIONS field by the slice start:stop. */
enum pe_status pe_args_put_slice(struct pe_args *args, size_t offset, int64_t start,
                                 int64_t stop, struct pe_errors *errors);

/* Set limit and requested of the problem added last, a PE_TOO_LARGE. */
void pe_note_limit(struct pe_errors *errors, uint64_t limit, uint64_t requested);

/* ---- building a plan --------------------------------------------------------------------- */

/* How a group is filled. `reference` writes doubles, which are then rounded by
 * pe_dtype_from_f64; `typed`, which only math topics offer, writes dtype directly. Its doubles
 * before the one rounding may differ from reference's in their last bits, within the bound
 * that the output states; it returns false for what it leaves to reference. Which of the two
 * serves is decided by state and dtype, never by the rectangle unless both give the same bytes;
 * either gives an element the same bytes in every rectangle, on every CPU path and in every
 * thread. Both: any
 * sub-rectangle, out[slot] NULL when not wanted, no failure, no state. */
struct pe_filler {
    void (*reference)(const void *state, const struct pe_rect *rect, double *const out[],
                      const void *const input[], void *scratch);
    bool (*typed)(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                  void *const out[], void *scratch); /* may be NULL */
    bool (*vectors)(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                    void *const out[], const void *const input[],
                    void *scratch); /* as typed, of the client's data; may be NULL */
    size_t (*scratch)(const void *state, uint64_t elements); /* may be NULL: none */
    double ns_per_element;
    /* The same where state or dtype decide; NULL: ns_per_element always. */
    double (*cost)(const void *state, enum pe_dtype dtype);
};

struct pe_build; /* a plan being made */

/* Memory that lives as long as the plan, zeroed, 64-byte aligned. NULL: there is none, and the
 * plan will fail. */
void *pe_build_alloc(struct pe_build *build, size_t bytes);
/* The plan fails for lack of memory that the hook asked of the C library; returns false. */
bool pe_build_no_memory(struct pe_build *build);
/* A problem added here makes the plan fail: one that only the work of prepare can find. */
struct pe_errors *pe_build_errors(struct pe_build *build);
/* Room for bytes that make filling faster, no more: false says do without them. */
bool pe_build_reserve(struct pe_build *build, uint64_t bytes);
/* Nobody waits for the plan any more: a hook that works for more than some milliseconds asks
 * once in a while, and returns early. */
bool pe_build_stopped(const struct pe_build *build);
/* What it asks, for a math topic that does the work; may be NULL. */
const struct pe_stop *pe_build_stop(const struct pe_build *build);
/* The encoding's table (the shared one, or one made for this plan); NULL if it has none. */
const void *pe_build_table(const struct pe_build *build);
const struct pe_args *pe_build_args(const struct pe_build *build);
/* Say how a group, which has the number of its first output, is filled. `state` outlives the
 * plan's use. */
void pe_build_fill(struct pe_build *build, size_t group, const struct pe_filler *filler,
                   const void *state);
/* How a group is filled so far. */
void pe_build_filled(const struct pe_build *build, size_t group,
                     const struct pe_filler **filler, const void **state);
/* dtype of a wanted group. */
enum pe_dtype pe_build_dtype(const struct pe_build *build, size_t group);
void pe_build_fact(struct pe_build *build, const char *name, double number);
void pe_build_fact_text(struct pe_build *build, const char *name, const char *text);
void pe_build_warn(struct pe_build *build, const char *format, ...) PE_PRINTF(2, 3);

/* ---- the descriptor ---------------------------------------------------------------------- */

/* Where an encoding's answer comes from: each element alone; all of it computed while
 * planning (a recurrence, a cumulative count) and then copied; or from the client's data. */
enum pe_plan_kind { PE_POINTWISE, PE_WHOLE, PE_INPUT };

struct pe_encoding {
    const char *name, *summary, *source;
    const char *const *examples;
    enum pe_family family;
    unsigned revision; /* 1 where it is not given */
    enum pe_plan_kind kind;
    const struct pe_encoding *rows_of; /* what this one combines vectors with; NULL: nothing */
    const struct pe_param *params;
    size_t param_count, args_size; /* args_size: of the struct, zeroed before defaults */
    const struct pe_output *outputs;
    size_t output_count;

    const void *detail; /* what hooks that several encodings share must know; may be NULL */

    /* Fill derived defaults (rotary_dim = dim, len -> q and k); what is wrong is added to
     * errors, which are empty before. May be NULL. */
    void (*resolve)(struct pe_args *args, void *values, struct pe_errors *errors);
    /* Rules between parameters, with errors as resolve has them. May be NULL. */
    void (*check)(const struct pe_args *args, const void *values, struct pe_errors *errors);
    /* Shape of an output; the dims may be huge, overflow is checked by the caller. */
    size_t (*shape)(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK]);

    /* Smallest and largest value of an integer output, so that a dtype that cannot hold
     * them is refused; NULL: only the natural dtype and i64 are offered. */
    void (*range)(const struct pe_args *args, const void *values, size_t output, double *low,
                  double *high);

    /* What the table and prepare cost, in operations (posenc.h), within a factor of four:
     * `make costs` measures. NULL: below a million for all arguments. Above that
     * the plan is made off the event loop. */
    double (*plan_ns)(const struct pe_args *args, const void *values);

    /* The shared table, all three or none. table_key writes what decides the table (as
     * snprintf does: returns the length) or returns 0; table_build returns its bytes. */
    size_t (*table_key)(const struct pe_args *args, const void *values, char *text,
                        size_t size);
    void *(*table_build)(const struct pe_args *args, const void *values, size_t *bytes);
    void (*table_free)(void *table);

    /* pe_build_fill for every wanted group; facts; warnings. A hook that lacks memory, or that
     * is stopped, returns early: the build remembers it. */
    void (*prepare)(struct pe_build *build, const void *values);
};

/* Number of the first output of this output's group: the number of the group. */
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

#endif
