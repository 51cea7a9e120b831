/* SPDX-License-Identifier: Apache-2.0
 * window.h - numbers of the offsets between patches in a window, and perhaps of a class token
 * before them; Swin, BEiT and related models look up biases by them. */
#pragma once

#include "core/encoding.h"
#include "core/math/relative/lookup.h"

/* Patches are numbered row by row, offsets (dy, dx) of query - key
 *     (dy + height - 1) (2 width - 1) + (dx + width - 1);
 * class token to patch, patch to class token and class token to itself come after these. */
struct window {
    struct pe_grid window_size;
    bool class_token;
    struct pe_tensor table;
};

#define WINDOW_ROW(TYPE)                                                                       \
    {                                                                                          \
        PE_FIELD(TYPE, window_size),                                                           \
            .type = PE_GRID, .required = true,                                                 \
            .summary = "patches of the window, HEIGHTxWIDTH, which are numbered row by row"    \
    }

#define WINDOW_TABLE_ROW(TYPE)                                                                 \
    {                                                                                          \
        PE_TENSOR_TABLE(TYPE, table),                                                          \
            .required = true,                                                                  \
            .summary = "learned biases: a row for each number of index, a column a head"       \
    }

/* Outputs. The arguments name the parameters that decide the index. */
enum { WINDOW_INDEX, WINDOW_BIAS };
#define WINDOW_OUTPUT_ROWS(...)                                                                \
    [WINDOW_INDEX] = {PE_OUTPUT("index", PE_I64, "q", "k"),                                    \
                      .label = "Index",                                                        \
                      .summary = "row of the table of biases for each query and key",          \
                      .picture = "window_size=7x7",                                            \
                      .sign = PE_NOT_NEGATIVE,                                                 \
                      .by_default = true,                                                      \
                      .uses = PE_WORDS(__VA_ARGS__),                                           \
                      .bound = "exact"},                                                       \
    [WINDOW_BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",            \
                     .summary = "bias that is added to the attention scores",                  \
                     .bound = "0.501 ULP; f64 exact"}

/* A window and a table of its offsets for pictures. */
#define WINDOW_PICTURE                                                                         \
    "window_size=4x4&table=-6;-5;-4;-3;-4;-5;-6;-5;-3;-2;-1;-2;-3;-5;-4;-2;0;1;0;-2;-4;"       \
    "-3;-1;1;4;1;-1;-3;-4;-2;0;1;0;-2;-4;-5;-3;-2;-1;-2;-3;-5;-6;-5;-4;-3;-4;-5;-6"

/* Returns the count of rows of the table. */
uint64_t window_rows(const struct window *window);
/* Returns the rule that numbers pairs of queries and keys. */
struct lookup window_lookup(const struct window *window);

/* Writes the biases of all heads at an offset. It runs while planning, once for each offset. */
typedef void window_answer(const void *rule, int64_t dy, int64_t dx, double *answers);

struct window_answers {
    struct pe_grid window_size;
    size_t heads;
    window_answer *answer;
    const void *rule;
    double ns; /* operations for the biases at an offset */
};

/* Fills the output (heads, q, k). */
void window_fill_answers(struct pe_build *build, size_t group,
                         const struct window_answers *answers);
/* Returns the operations that window_fill_answers takes, for plan_ns. */
double window_answers_ns(const struct window_answers *answers);

/* Hooks of an encoding whose values are a struct window. */
void window_check(const struct pe_args *args, const void *values, struct pe_errors *errors);
struct pe_interval window_range(const struct pe_args *args, const void *values, size_t output);
double window_plan_ns(const struct pe_args *args, const void *values);
void window_prepare(struct pe_build *build, const void *values);
