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
    struct pe_reals attention_mask;
    int64_t heads, block_size;
    int true_means, fully_masked;
    double mask_value;

    /* The encoding's resolve sets these fields for masks_check and later hooks. */
    const struct mask_rule *rule;
    double look_ns;              /* operations of the rule's `sees`; 0: a few comparisons */
    const struct pe_reals *keep; /* the encoding's own padding, else attention_mask, if given */
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
     .summary = "number of queries and of keys: both are at positions 0:len"},                 \
        {PE_FIELD(struct masks, q), .type = PE_POSITIONS, .unit = "positions",                 \
         .summary = "positions of the queries: 0:128, or 127:128 for one step of decoding"},   \
        {PE_FIELD(struct masks, k), .type = PE_POSITIONS, .unit = "positions",                 \
         .summary = "positions of the keys, as 0:128"},                                        \
        {PE_FIELD(struct masks, q_len),                                                        \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .expanded = true,                                                                     \
         .min = 0,                                                                             \
         .max = 0x1p51,                                                                        \
         .summary = "number of queries, beside k_len; another way to say q and k"},            \
        {PE_FIELD(struct masks, k_len),                                                        \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .expanded = true,                                                                     \
         .min = 0,                                                                             \
         .max = 0x1p51,                                                                        \
         .summary = "number of keys, beside q_len; another way to say q and k"},               \
        {PE_FIELD(struct masks, q_offset),                                                     \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .expanded = true,                                                                     \
         .min = -0x1p51,                                                                       \
         .max = 0x1p51,                                                                        \
         .when = "q_len&k_len",                                                                \
         .summary = "position of the first of q_len queries; by default alignment says it"},   \
        {PE_FIELD(struct masks, k_offset),                                                     \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .expanded = true,                                                                     \
         .min = -0x1p51,                                                                       \
         .max = 0x1p51,                                                                        \
         .when = "q_len&k_len",                                                                \
         .summary = "position of the first of k_len keys; 0 by default"},                      \
    {                                                                                          \
        PE_FIELD(struct masks, alignment), .type = PE_CHOICE, .choices = masks_alignments,     \
                                           .expanded = true, .when = "q_len&k_len&!q_offset"   \
    }

#define MASKS_PADDING_ROW                                                                      \
    {                                                                                          \
        PE_FIELD(struct masks, attention_mask), .type = PE_REALS, .matrix = true, .max = 1     \
    }

/* Rows of parameters that every mask has, for the forms of its outputs; they come last. */
#define MASKS_ROWS                                                                             \
    {PE_FIELD(struct masks, heads),                                                            \
     .type = PE_INT,                                                                           \
     .optional = true,                                                                         \
     .min = 1,                                                                                 \
     .max = 4096,                                                                              \
     .summary = "number of heads for which the matrix is repeated"},                           \
        {PE_FIELD(struct masks, true_means), .type = PE_CHOICE, .choices = masks_polarities},  \
        {PE_FIELD(struct masks, mask_value),                                                   \
         .type = PE_REAL,                                                                      \
         .optional = true,                                                                     \
         .min = -DBL_MAX,                                                                      \
         .max = DBL_MAX,                                                                       \
         .words = masks_values,                                                                \
         .summary = "value of masked entries; by default min, the lowest finite number of "    \
                    "the dtype"},                                                              \
        {PE_FIELD(struct masks, fully_masked), .type = PE_CHOICE, .choices = masks_policies},  \
    {                                                                                          \
        PE_FIELD(struct masks, block_size), .type = PE_INT, .min = 1, .max = 1024,             \
                                            .preset = 128                                      \
    }

/* Names for `uses`: the parameters of queries and keys, and the encoding's own. */
#define MASKS_PAIRS "len", "q", "k", "q_len", "k_len", "q_offset", "k_offset", "alignment"
#define MASKS_PAIRS_PADDED MASKS_PAIRS, "attention_mask"
/* The sets of MASKS_PAIRS of which one must be given, unless the encoding assumes a length. */
#define MASKS_PAIRS_ONE_OF "len|q|q_len&len|k|k_len"

/* Outputs of a mask: the sets of parameters of which one must be given (NULL: none), and the
 * names that every output uses. */
#define MASKS_OUTPUTS(ONE_OF, ...)                                                             \
    [MASKS_MASK] =                                                                             \
        {PE_OUTPUT("mask", PE_BOOL8, "q", "k"),                                                \
         .label = "Mask",                                                                      \
         .one_of = ONE_OF,                                                                     \
         .sign = PE_NOT_NEGATIVE,                                                              \
         .summary =                                                                            \
             "which keys a query attends to, as 0 and 1; true_means says which is which",      \
         .by_default = true,                                                                   \
         .uses = PE_WORDS(__VA_ARGS__, "heads", "true_means", "fully_masked"),                 \
         .bound = "exact"},                                                                    \
    [MASKS_ADDITIVE] =                                                                         \
        {PE_OUTPUT("additive", PE_F32, "q", "k"),                                              \
         .label = "Additive mask",                                                             \
         .one_of = ONE_OF,                                                                     \
         .sign = PE_NOT_POSITIVE,                                                              \
         .summary = "matrix that is added to the scores: 0 where a query attends to a key, "   \
                    "mask_value elsewhere",                                                    \
         .uses = PE_WORDS(__VA_ARGS__, "heads", "mask_value", "fully_masked"),                 \
         .bound = "exact; mask_value 0.5 ULP"},                                                \
    [MASKS_BITS] =                                                                             \
        {PE_OUTPUT("packed", PE_U8, "q", "byte"),                                              \
         .label = "Packed bits",                                                               \
         .one_of = ONE_OF,                                                                     \
         .sign = PE_NOT_NEGATIVE,                                                              \
         .summary =                                                                            \
             "mask as rows of bits: key j is bit j % 8 (bit 0 is the lowest) of byte j / 8",   \
         .uses = PE_WORDS(__VA_ARGS__, "true_means", "fully_masked"),                          \
         .bound = "exact"},                                                                    \
    [MASKS_RUNS] =                                                                             \
        {PE_OUTPUT("runs", PE_I64, "q", "run", "bound"),                                       \
         .label = "Runs of keys",                                                              \
         .one_of = ONE_OF,                                                                     \
         .summary = "runs of keys that a query attends to, as indices of keys: the first key " \
                    "and the key after the last; -1 fills rows of fewer runs",                 \
         .uses = PE_WORDS(__VA_ARGS__, "fully_masked"),                                        \
         .bound = "exact"},                                                                    \
    [MASKS_BLOCKS] =                                                                           \
        {PE_OUTPUT("blocks", PE_I64, "q_block", "k_block"),                                    \
         .label = "Blocks",                                                                    \
         .one_of = ONE_OF,                                                                     \
         .sign = PE_NOT_NEGATIVE,                                                              \
         .summary =                                                                            \
             "state of each block of block_size queries and keys: 0 all masked, 1 some "       \
             "pairs attended to, 2 all",                                                       \
         .uses = PE_WORDS(__VA_ARGS__, "fully_masked", "block_size"),                          \
         .bound = "exact"},                                                                    \
    [MASKS_INDICES] =                                                                          \
        {PE_OUTPUT("block_indices", PE_I64, "q_block", "k_block"),                             \
         .label = "Block indices",                                                             \
         .one_of = ONE_OF,                                                                     \
         .summary = "indices of the blocks of keys that a block of queries attends to, in "    \
                    "rising order; -1 fills the row",                                          \
         .uses = PE_WORDS(__VA_ARGS__, "fully_masked", "block_size"),                          \
         .bound = "exact"},                                                                    \
    [MASKS_EMPTY] = {                                                                          \
        PE_OUTPUT("fully_masked_rows", PE_BOOL8, "q"),                                         \
        .label = "Fully masked rows",                                                          \
        .one_of = ONE_OF,                                                                      \
        .sign = PE_NOT_NEGATIVE,                                                               \
        .summary =                                                                             \
            "1 for each query that attends to no key, before fully_masked changes its row",    \
        .uses = PE_WORDS(__VA_ARGS__),                                                         \
        .bound = "exact"}

/* An encoding's resolve calls this: it sets the rule and, with MASKS_PAIR_ROWS, q and k from
 * len or from lengths and offsets. `assumed` (-1: none) is len when no positions are given. */
enum pe_status masks_resolve(struct pe_args *args, struct masks *masks,
                             const struct mask_rule *rule, int64_t assumed,
                             struct pe_errors *errors);
/* Does what masks_resolve does, where `list` (NULL: none) may have a number for each sequence,
 * which adds an axis: one number for all, or as many as attention_mask has rows; whole, 0 or
 * more. */
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
    .family = PE_MASK, PE_TABLES_OF(TYPE, masks, params, outputs), .check = masks_check,       \
    .range = masks_range, .shape = masks_shape, .plan_ns = masks_plan_ns
/* Fields of a descriptor whose rule, named `rule`, needs nothing but the values, of queries and
 * keys that are MASKS_PAIR_ROWS. */
#define MASKS_PAIR_HOOKS(TYPE)                                                                 \
    MASKS_HOOKS(TYPE), .detail = &rule, .resolve = masks_resolve_pairs, .prepare = masks_prepare
