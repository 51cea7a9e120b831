/* SPDX-License-Identifier: Apache-2.0
 * masks.h - parameters and outputs that all masks share: queries and keys, the meaning of a
 * boolean, the value of masked entries, rows without a key. An encoding embeds `struct masks`
 * as its first member, declares the rows and gives its rule, a predicate, in resolve. */
#pragma once

#include <float.h>

#include "core/math/mask/mask.h"

enum {
    MASKS_MASK,
    MASKS_ADDITIVE,
    MASKS_BITS,
    MASKS_RUNS,
    MASKS_BLOCKS,
    MASKS_INDICES,
    MASKS_EMPTY,
    MASKS_OUTPUT_COUNT
};

struct masks {
    int64_t len, q_len, k_len, q_offset, k_offset;
    int alignment;
    const struct pe_positions *q, *k;
    struct pe_reals padding;
    int64_t heads, block_size;
    int true_means, fully_masked;
    double mask_value;

    /* The encoding's resolve sets these fields for masks_check and later hooks. */
    const struct mask_rule *rule;
    double look_ns;                  /* operations of the rule's `sees`; 0: a few comparisons */
    const struct pe_reals *keep;     /* the encoding's own padding, else `padding`, if given */
    uint64_t batches, queries, keys; /* batches: 0 without that axis */
};

extern const struct pe_choice masks_alignments[], masks_polarities[], masks_policies[];
extern const struct pe_word masks_values[];

/* Rows of queries and keys, for masks that are defined at all positions. The rows of this
 * header are for encodings whose struct is, or begins with, a struct masks. */
#define MASKS_PAIR_ROWS                                                                        \
    {PE_FIELD(struct masks, len),                                                              \
     .type = PE_INT,                                                                           \
     .optional = true,                                                                         \
     .expanded = true,                                                                         \
     .min = 0,                                                                                 \
     .max = 0x1p53,                                                                            \
     .summary = "q and k both 0:len"},                                                         \
        {PE_FIELD(struct masks, q), .type = PE_POSITIONS, .unit = "positions",                 \
         .summary = "positions of the queries, 127:128 when decoding"},                        \
        {PE_FIELD(struct masks, k), .type = PE_POSITIONS, .unit = "positions",                 \
         .summary = "positions of the keys, 0:128"},                                           \
        {PE_FIELD(struct masks, q_len),                                                        \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .expanded = true,                                                                     \
         .min = 0,                                                                             \
         .max = 0x1p51,                                                                        \
         .summary = "number of queries, with k_len in place of q and k"},                      \
        {PE_FIELD(struct masks, k_len),                                                        \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .expanded = true,                                                                     \
         .min = 0,                                                                             \
         .max = 0x1p51,                                                                        \
         .summary = "number of keys, with q_len in place of q and k"},                         \
        {PE_FIELD(struct masks, q_offset),                                                     \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .expanded = true,                                                                     \
         .min = -0x1p51,                                                                       \
         .max = 0x1p51,                                                                        \
         .summary = "position of the first of q_len queries; by default as aligned"},          \
        {PE_FIELD(struct masks, k_offset),                                                     \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .expanded = true,                                                                     \
         .min = -0x1p51,                                                                       \
         .max = 0x1p51,                                                                        \
         .summary = "position of the first of k_len keys; 0 by default"},                      \
    {                                                                                          \
        PE_FIELD(struct masks, alignment), .type = PE_CHOICE, .choices = masks_alignments,     \
                                           .expanded = true,                                   \
                                           .summary = "where q_len queries stand"              \
    }

#define MASKS_PADDING_ROW                                                                      \
    {                                                                                          \
        PE_FIELD(struct masks, padding), .type = PE_REALS, .matrix = true, .max = 1,           \
                                         .summary = "rows of 0 (padding) and 1, a key each, "  \
                                                    "one row a sequence: 0,1,1;1,1,1"          \
    }

/* Rows of parameters that every mask has, for the forms of its outputs; they come last. */
#define MASKS_ROWS                                                                             \
    {PE_FIELD(struct masks, heads),                                                            \
     .type = PE_INT,                                                                           \
     .optional = true,                                                                         \
     .min = 1,                                                                                 \
     .max = 4096,                                                                              \
     .summary = "repeats the matrix for so many heads"},                                       \
        {PE_FIELD(struct masks, true_means), .type = PE_CHOICE, .choices = masks_polarities,   \
         .summary = "what true says of a key"},                                                \
        {PE_FIELD(struct masks, mask_value),                                                   \
         .type = PE_REAL,                                                                      \
         .optional = true,                                                                     \
         .min = -DBL_MAX,                                                                      \
         .max = DBL_MAX,                                                                       \
         .words = masks_values,                                                                \
         .summary = "value of masked entries; min, the lowest finite one of the dtype, by "    \
                    "default"},                                                                \
        {PE_FIELD(struct masks, fully_masked), .type = PE_CHOICE, .choices = masks_policies,   \
         .summary = "what a row without a key becomes"},                                       \
    {                                                                                          \
        PE_FIELD(struct masks, block_size), .type = PE_INT, .min = 1, .max = 1024,             \
                                            .preset = 128,                                     \
                                            .summary = "queries and keys of a block"           \
    }

/* Names for `uses`: the parameters of queries and keys, and the encoding's own. */
#define MASKS_PAIRS "len", "q", "k", "q_len", "k_len", "q_offset", "k_offset", "alignment"
#define MASKS_PAIRS_PADDED MASKS_PAIRS, "padding"

#define MASKS_OUTPUTS(...)                                                                     \
    [MASKS_MASK] = {PE_OUTPUT("mask", PE_BOOL8, "q", "k"),                                     \
                    .summary = "which keys a query attends to, as true_means says",            \
                    .by_default = true,                                                        \
                    .uses = PE_WORDS(__VA_ARGS__, "heads", "true_means", "fully_masked"),      \
                    .bound = "exact"},                                                         \
    [MASKS_ADDITIVE] = {PE_OUTPUT("additive", PE_F32, "q", "k"),                               \
                        .summary = "added to the scores: 0, or mask_value where masked",       \
                        .uses = PE_WORDS(__VA_ARGS__, "heads", "mask_value", "fully_masked"),  \
                        .bound = "exact; mask_value 0.5 ULP"},                                 \
    [MASKS_BITS] = {PE_OUTPUT("packed", PE_U8, "q", "byte"),                                   \
                    .summary =                                                                 \
                        "rows of bits: key j is bit j % 8 (1 is the lowest) of byte j / 8",    \
                    .uses = PE_WORDS(__VA_ARGS__, "true_means", "fully_masked"),               \
                    .bound = "exact"},                                                         \
    [MASKS_RUNS] =                                                                             \
        {PE_OUTPUT("runs", PE_I64, "q", "run", "2"),                                           \
         .summary = "keys that are attended to, by number: first and one after the last of "   \
                    "each run, then -1",                                                       \
         .uses = PE_WORDS(__VA_ARGS__, "fully_masked"), .bound = "exact"},                     \
    [MASKS_BLOCKS] = {PE_OUTPUT("blocks", PE_I64, "q_block", "k_block"),                       \
                      .summary =                                                               \
                          "blocks of block_size queries and keys: 0 masked, 1 in part, 2 not", \
                      .uses = PE_WORDS(__VA_ARGS__, "fully_masked", "block_size"),             \
                      .bound = "exact"},                                                       \
    [MASKS_INDICES] =                                                                          \
        {PE_OUTPUT("block_indices", PE_I64, "q_block", "k_block"),                             \
         .summary = "numbers of the blocks of keys that are not masked, ascending, then -1",   \
         .uses = PE_WORDS(__VA_ARGS__, "fully_masked", "block_size"), .bound = "exact"},       \
    [MASKS_EMPTY] = {PE_OUTPUT("fully_masked_rows", PE_BOOL8, "q"),                            \
                     .summary = "1 for each query without a key, whatever fully_masked says",  \
                     .uses = PE_WORDS(__VA_ARGS__), .bound = "exact"}

/* An encoding's resolve calls this: it sets the rule and, with MASKS_PAIR_ROWS, q and k from
 * len or from lengths and offsets. `assumed` (-1: none) is len when no positions are given. */
enum pe_status masks_resolve(struct pe_args *args, struct masks *masks,
                             const struct mask_rule *rule, int64_t assumed,
                             struct pe_errors *errors);
/* Does what masks_resolve does, where `list` (NULL: none) may have a number for each sequence,
 * which adds an axis: one number for all, or as many as padding has rows; whole, 0 or more. */
enum pe_status masks_resolve_list(struct pe_args *args, struct masks *masks,
                                  const struct mask_rule *rule, const char *name,
                                  const struct pe_positions *list, struct pe_errors *errors);
/* An encoding's resolve calls this if the mask has a size of its own: positions are 0:queries
 * and 0:keys, or masks->q where that is given. */
void masks_resolve_sizes(struct masks *masks, const struct mask_rule *rule, uint64_t queries,
                         uint64_t keys);

/* Hooks of an encoding whose rule needs nothing but the values. masks_resolve_pairs has the
 * rule from the descriptor's .detail. */
void masks_resolve_pairs(struct pe_args *args, void *values, struct pe_errors *errors);
void masks_check(const struct pe_args *args, const void *values, struct pe_errors *errors);
struct pe_interval masks_range(const struct pe_args *args, const void *values, size_t output);
size_t masks_shape(const struct pe_args *args, const void *values, size_t output,
                   uint64_t dims[PE_MAX_RANK]);
double masks_plan_ns(const struct pe_args *args, const void *values);
void masks_prepare(struct pe_build *build, const void *values);
/* Does the work of masks_prepare with a state that the encoding has computed. */
void masks_prepare_rule(struct pe_build *build, const struct masks *masks, const void *context);

/* Adds a problem if the matrix holds anything but 0 and 1. */
void masks_check_bits(const struct pe_reals *matrix, const char *name,
                      struct pe_errors *errors);
/* Returns floor(a / b) for b > 0. */
int64_t masks_floor(int64_t a, int64_t b);
/* Copies a list of integers for fast reading. Returns NULL when out of memory. */
int64_t *masks_list(struct pe_build *build, const struct pe_positions *list);

/* Fields of the descriptor of an encoding that adds no parameter rule and no output. */
#define MASKS_HOOKS(TYPE)                                                                      \
    .family = PE_MASK, PE_TABLES(TYPE, params, outputs), .check = masks_check,                 \
    .range = masks_range, .shape = masks_shape, .plan_ns = masks_plan_ns
/* Fields of a descriptor whose rule, named `rule`, needs nothing but the values, of queries and
 * keys that are MASKS_PAIR_ROWS. */
#define MASKS_PAIR_HOOKS(TYPE)                                                                 \
    MASKS_HOOKS(TYPE), .detail = &rule, .resolve = masks_resolve_pairs, .prepare = masks_prepare
