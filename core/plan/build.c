/* SPDX-License-Identifier: Apache-2.0
 * build.c - the functions by which an encoding's prepare hook fills the plan that is being
 * made. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/number/mpfr_memory.h"
#include "core/plan/plan.h"
#include "core/plan/table.h"

/* Takes memory that was allocated with the plan; returns NULL when too little of it is left. */
static void *take_first(struct pe_plan *plan, size_t bytes)
{
    size_t gap = -(uintptr_t)plan->first % PLAN_ALIGN, size;

    if (bytes == 0 || bytes > PLAN_FIRST - plan->first_used)
        return NULL;
    size = (bytes + PLAN_ALIGN - 1) / PLAN_ALIGN * PLAN_ALIGN;
    plan->first_used += size;
    return memset(plan->first + gap + plan->first_used - size, 0, size);
}

void *pe_build_alloc(struct pe_build *build, size_t bytes)
{
    struct plan_block *block;
    void *first = take_first(build->plan, bytes);
    size_t size;

    if (first)
        return first;
    if (__builtin_add_overflow(bytes, (size_t)2 * PLAN_ALIGN, &size))
        block = NULL;
    else
        block = aligned_alloc(PLAN_ALIGN, size - size % PLAN_ALIGN);
    if (!block) {
        build->no_memory = true;
        return NULL;
    }
    memset(block, 0, size - size % PLAN_ALIGN);
    block->next = build->plan->blocks;
    build->plan->blocks = block; /* the plan frees it */
    build->plan->block_bytes += size;
    build->no_memory = build->no_memory || !mpfr_memory_available();
    return build->no_memory ? NULL : (char *)block + PLAN_ALIGN;
}

bool pe_build_no_memory(struct pe_build *build)
{
    build->no_memory = true;
    return false;
}

struct pe_errors *pe_build_errors(struct pe_build *build)
{
    return build->errors;
}

static bool is_granted(const struct pe_limits *limits, uint64_t bytes)
{
    return !limits->reserve || limits->reserve(limits->context, bytes);
}

bool pe_build_reserve(struct pe_build *build, uint64_t bytes)
{
    return !build->limits->brief && is_granted(build->limits, bytes);
}

bool pe_build_claim(struct pe_build *build, uint64_t bytes)
{
    return is_granted(build->limits, bytes) || pe_build_no_memory(build);
}

const struct pe_stop *pe_build_stop(const struct pe_build *build)
{
    return build->limits->stop;
}

bool pe_build_stopped(const struct pe_build *build)
{
    return pe_stop_is_set(build->limits->stop);
}

const void *pe_build_table(const struct pe_build *build)
{
    return build->plan->table ? table_content(build->plan->table) : NULL;
}

const struct pe_args *pe_build_args(const struct pe_build *build)
{
    return build->plan->args;
}

/* Returns the group, or NULL if no output of it is wanted. */
static struct plan_group *find_group(const struct pe_build *build, size_t group)
{
    struct pe_plan *plan = build->plan;

    assert(pe_output_group(pe_args_encoding(plan->args), group) == group);
    for (size_t i = 0; i < plan->group_count; i++)
        if (plan->groups[i].number == group)
            return &plan->groups[i];
    return NULL;
}

bool pe_build_wants(const struct pe_build *build, size_t group)
{
    return find_group(build, group) != NULL;
}

void pe_build_fill(struct pe_build *build, size_t group, const struct pe_filler *filler,
                   const void *state)
{
    struct plan_group *wanted = find_group(build, group);

    if (!wanted)
        return;
    wanted->filler = filler;
    wanted->state = state;
}

void pe_build_fill_copy(struct pe_build *build, size_t group, const struct pe_filler *filler,
                        const void *state, size_t bytes)
{
    void *copy = find_group(build, group) ? pe_build_alloc(build, bytes) : NULL;

    if (!copy)
        return;
    memcpy(copy, state, bytes);
    pe_build_fill(build, group, filler, copy);
}

void pe_build_prepare(struct pe_build *build, const struct pe_encoding *enc)
{
    const void *values = pe_args_struct(build->plan->args);

    if (enc->filler)
        pe_build_fill(build, 0, enc->filler, values);
    if (enc->prepare)
        enc->prepare(build, values);
}

void pe_build_filled(const struct pe_build *build, size_t group,
                     const struct pe_filler **filler, const void **state)
{
    const struct plan_group *wanted = find_group(build, group);

    assert(wanted);
    *filler = wanted->filler;
    *state = wanted->state;
}

enum pe_dtype pe_build_dtype(const struct pe_build *build, size_t group)
{
    const struct plan_group *wanted = find_group(build, group);

    assert(wanted);
    return wanted->dtype;
}

static struct pe_fact *new_fact(struct pe_build *build, const char *name)
{
    assert(build->plan->fact_count < PLAN_MAX_FACTS);
    build->plan->facts[build->plan->fact_count] = (struct pe_fact){.name = name};
    return &build->plan->facts[build->plan->fact_count++];
}

void pe_build_fact(struct pe_build *build, const char *name, double number)
{
    new_fact(build, name)->number = number;
}

void pe_build_fact_text(struct pe_build *build, const char *name, const char *text)
{
    new_fact(build, name)->text = text;
}

void pe_build_warn(struct pe_build *build, const char *format, ...)
{
    va_list list;

    assert(build->plan->warning_count < PLAN_MAX_WARNINGS);
    va_start(list, format);
    vsnprintf(build->plan->warnings[build->plan->warning_count++], PLAN_WARNING_MAX, format,
              list);
    va_end(list);
}
