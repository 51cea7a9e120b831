/* SPDX-License-Identifier: Apache-2.0
 * plan.h - the inside of struct pe_plan: plan.c sizes and owns it, build.c has the functions
 * that prepare hooks call, fill.c runs it. */
#pragma once

#include <stdatomic.h>

#include "core/encoding.h"

enum { PLAN_MAX_FACTS = 12, PLAN_MAX_WARNINGS = 4, PLAN_WARNING_MAX = 200 };

struct plan_group {
    size_t number; /* number of the encoding's group: the index of its first output */
    enum pe_dtype dtype;
    size_t slots; /* outputs of the group, wanted or not */
    uint64_t rows, cols;
    const struct pe_filler *filler;
    const void *state;
};

/* Memory for prepare hooks that is allocated with the plan: enough for most states. */
enum { PLAN_ALIGN = 64, PLAN_FIRST = 1024 };

struct plan_block { /* memory of a prepare hook; its bytes follow the header, 64-byte aligned */
    struct plan_block *next;
};

struct pe_plan {
    atomic_uint owners;
    struct pe_args *args;
    struct pe_table *table;
    size_t tensor_count, group_count, fact_count, warning_count;
    struct pe_tensor_info tensors[PE_MAX_OUTPUTS];
    struct plan_group groups[PE_MAX_GROUPS];
    uint64_t elements;
    struct pe_fact facts[PLAN_MAX_FACTS];
    char warnings[PLAN_MAX_WARNINGS][PLAN_WARNING_MAX];
    struct plan_block *blocks;
    size_t block_bytes; /* of all blocks */
    size_t first_used;
    unsigned char first[PLAN_FIRST + PLAN_ALIGN - 1]; /* used from its first address that is a
                                                       * multiple of 64 */
};

/* A plan that is being made, as prepare hooks see it. */
struct pe_build {
    struct pe_plan *plan;
    const struct pe_limits *limits;
    struct pe_errors *errors;
    bool no_memory; /* an allocation failed: the plan cannot be used */
};

/* Returns the bytes of memory that a plan holds, with its arguments and its table. */
size_t plan_bytes(const struct pe_plan *plan);
