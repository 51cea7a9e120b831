/* SPDX-License-Identifier: Apache-2.0
 * plan.c - makes a plan: sizes the answer, checks limits before memory is touched, takes or
 * builds the table, and prepares. Everything that can fail fails here. */
#include "core/plan/plan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/args/args.h"
#include "core/math/number/mpfr_memory.h"
#include "core/plan/plan_size.h"
#include "core/plan/table.h"

/* ---- sizes ------------------------------------------------------------------------------ */

/* The most elements of an answer, whatever the limit: their count of bytes fits in 64 bits. */
#define COUNTABLE (UINT64_C(1) << 60)

/* Returns a * b, or UINT64_MAX when the product does not fit. */
static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result;

    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

static void size_tensor(const struct pe_args *args, struct pe_tensor_info *tensor,
                        size_t output)
{
    const struct pe_encoding *enc = pe_args_encoding(args);
    bool empty = false;

    tensor->output = &enc->outputs[output];
    tensor->dtype = pe_args_dtype(args, output);
    tensor->rank = pe_output_shape(enc, args, pe_args_struct(args), output, tensor->dims);
    assert(tensor->rank <= PE_MAX_RANK);
    tensor->cols = tensor->rank ? tensor->dims[tensor->rank - 1] : 1;
    tensor->rows = 1;
    for (size_t i = 0; i < tensor->rank; i++)
        empty = empty || tensor->dims[i] == 0; /* 0 * huge is 0, not an overflow */
    for (size_t i = 0; i + 1 < tensor->rank; i++)
        tensor->rows = empty ? 0 : product(tensor->rows, tensor->dims[i]);
    for (size_t i = 0; i < output; i++)
        tensor->slot += pe_output_group(enc, i) == pe_output_group(enc, output);
}

size_t pe_args_tensors(const struct pe_args *args,
                       struct pe_tensor_info tensors[PE_MAX_OUTPUTS])
{
    size_t wanted[PE_MAX_OUTPUTS];
    const size_t count = pe_args_wanted(args, wanted);

    for (size_t i = 0; i < count; i++) {
        tensors[i] = (struct pe_tensor_info){.group = 0};
        size_tensor(args, &tensors[i], wanted[i]);
    }
    return count;
}

uint64_t pe_args_elements(const struct pe_args *args)
{
    struct pe_tensor_info tensors[PE_MAX_OUTPUTS];
    const size_t count = pe_args_tensors(args, tensors);
    uint64_t elements = 0;

    for (size_t i = 0; i < count; i++)
        if (__builtin_add_overflow(elements, product(tensors[i].rows, tensors[i].cols),
                                   &elements))
            elements = UINT64_MAX;
    return elements;
}

struct pe_tensor_info pe_args_tensor(const struct pe_args *args)
{
    size_t wanted[PE_MAX_OUTPUTS];
    struct pe_tensor_info tensor = {.group = 0};

    (void)pe_args_wanted(args, wanted);
    size_tensor(args, &tensor, wanted[0]);
    return tensor;
}

static size_t find_group(struct pe_plan *plan, const struct pe_tensor_info *tensor)
{
    const struct pe_encoding *enc = pe_args_encoding(plan->args);
    const size_t number = pe_output_group(enc, (size_t)(tensor->output - enc->outputs));
    struct plan_group *group;

    for (size_t i = 0; i < plan->group_count; i++) {
        group = &plan->groups[i];
        if (group->number == number) {
            assert(group->rows == tensor->rows && group->cols == tensor->cols &&
                   group->dtype == tensor->dtype);
            return i;
        }
    }
    group = &plan->groups[plan->group_count];
    *group = (struct plan_group){.number = number,
                                 .dtype = tensor->dtype,
                                 .rows = tensor->rows,
                                 .cols = tensor->cols};
    for (size_t i = 0; i < enc->output_count; i++)
        group->slots += pe_output_group(enc, i) == number;
    return plan->group_count++;
}

static enum pe_status too_large(struct pe_errors *errors, uint64_t requested, uint64_t limit,
                                const char *what)
{
    enum pe_status status =
        pe_fail(errors, PE_TOO_LARGE, NULL, "the answer has %s%llu elements; at most %llu %s",
                requested == UINT64_MAX ? "more than " : "", (unsigned long long)requested,
                (unsigned long long)limit, what);

    pe_note_limit(errors, limit, requested);
    return status;
}

static enum pe_status no_memory(struct pe_errors *errors)
{
    return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
}

/* Reserves memory for precomputed results (PE_WHOLE): the plan holds them as doubles. */
static enum pe_status reserve_whole(const struct pe_plan *plan, const struct pe_limits *limits,
                                    struct pe_errors *errors)
{
    if (pe_args_encoding(plan->args)->kind != PE_WHOLE || !limits->reserve ||
        limits->reserve(limits->context, plan->elements * sizeof(double)))
        return PE_OK;
    return no_memory(errors);
}

/* Refuse too many operations, as well as too many elements, before memory is touched. */
static enum pe_status count_operations(const struct pe_args *args,
                                       const struct pe_limits *limits, struct pe_errors *errors)
{
    const double counted = pe_args_operations(args), most = (double)limits->max_operations;
    const uint64_t operations = counted < 0x1p63 ? (uint64_t)counted : (uint64_t)1 << 63;

    if (limits->max_operations == 0 || counted <= most)
        return PE_OK;
    pe_fail(
        errors, PE_TOO_LARGE, NULL,
        "the answer takes about %llu operations before its first byte; at most %llu are done",
        (unsigned long long)operations, (unsigned long long)limits->max_operations);
    pe_note_limit(errors, limits->max_operations, operations);
    pe_hint(errors, "at most 1/%.0f of that work fits: ask for less, or in parts",
            ceil(counted / most));
    return PE_TOO_LARGE;
}

static enum pe_status size_plan(struct pe_plan *plan, const struct pe_limits *limits,
                                struct pe_errors *errors)
{
    const struct pe_encoding *enc = pe_args_encoding(plan->args);
    uint64_t most = limits->max_elements < COUNTABLE ? limits->max_elements : COUNTABLE;
    size_t wanted[PE_MAX_OUTPUTS];

    plan->tensor_count = pe_args_wanted(plan->args, wanted);
    for (size_t i = 0; i < plan->tensor_count; i++) {
        struct pe_tensor_info *tensor = &plan->tensors[i];
        uint64_t count;

        *tensor = (struct pe_tensor_info){.group = 0};
        size_tensor(plan->args, tensor, wanted[i]);
        tensor->group = find_group(plan, tensor);
        count = product(tensor->rows, tensor->cols);
        if (__builtin_add_overflow(plan->elements, count, &plan->elements))
            plan->elements = UINT64_MAX;
    }
    if (plan->elements > most)
        return too_large(errors, plan->elements, most, "in one answer");
    if (enc->kind == PE_WHOLE && plan->elements > limits->max_prepared)
        return too_large(errors, plan->elements, limits->max_prepared,
                         "where all of it is computed at once");
    if (count_operations(plan->args, limits, errors) != PE_OK)
        return PE_TOO_LARGE;
    return reserve_whole(plan, limits, errors);
}

/* ---- life -------------------------------------------------------------------------------- */

/* A table that no other plan has is memory of the plan, with the rows that filling will add. */
static bool build_table(struct pe_plan *plan, const struct pe_limits *limits)
{
    plan->table = pe_table_build(plan->args);
    return plan->table &&
           (!limits->reserve ||
            limits->reserve(limits->context, pe_table_bytes(plan->table) +
                                                 pe_table_growth(plan->table, plan->args)));
}

static enum pe_status take_table(struct pe_plan *plan, struct pe_table *table,
                                 const struct pe_limits *limits, struct pe_errors *errors)
{
    if (table)
        plan->table = pe_table_ref(table);
    else if (!pe_args_table_key(plan->args))
        return PE_OK;
    else if (!build_table(plan, limits))
        return no_memory(errors);
    return table_complete(plan->table, plan->args) ? PE_OK : no_memory(errors);
}

void pe_stop_set(struct pe_stop *stop)
{
    __atomic_store_n(&stop->set, 1, __ATOMIC_RELAXED);
}

bool pe_stop_is_set(const struct pe_stop *stop)
{
    return stop && __atomic_load_n(&stop->set, __ATOMIC_RELAXED) != 0;
}

/* Have the encoding fill the wanted groups. Return PE_OK, or the status of the problem that
 * makes the plan unusable. */
static enum pe_status prepare(struct pe_build *build)
{
    const struct pe_args *args = build->plan->args;
    const size_t before = build->errors->count;

    if (!mpfr_memory_available())
        return no_memory(build->errors);
    pe_build_prepare(build, pe_args_encoding(args));
    if (build->errors->count > before)
        return build->errors->at[before].status;
    if (pe_build_stopped(build))
        return pe_fail(build->errors, PE_STOPPED, NULL, "nobody waits for it any more");
    return build->no_memory ? no_memory(build->errors) : PE_OK;
}

enum pe_status pe_plan_new(struct pe_plan **out, struct pe_args *args, struct pe_table *table,
                           const struct pe_limits *limits, struct pe_errors *errors)
{
    struct pe_plan *plan = malloc(sizeof *plan); /* not zeroed: arrays are set up to their
                                                  * counts */
    struct pe_build build = {.plan = plan, .limits = limits, .errors = errors};
    enum pe_status status;

    if (!plan)
        return no_memory(errors);
    atomic_init(&plan->owners, 1);
    plan->args = pe_args_ref(args);
    plan->table = NULL;
    plan->tensor_count = plan->group_count = plan->fact_count = plan->warning_count = 0;
    plan->elements = 0;
    plan->blocks = NULL;
    plan->block_bytes = plan->first_used = 0;
    status = size_plan(plan, limits, errors);
    if (!status)
        status = take_table(plan, table, limits, errors);
    if (!status)
        status = prepare(&build);
    if (status) {
        pe_plan_free(plan);
        return status;
    }
    for (size_t i = 0; i < plan->group_count; i++)
        assert(plan->groups[i].filler); /* prepare covers every wanted group */
    *out = plan;
    return PE_OK;
}

struct pe_plan *pe_plan_ref(struct pe_plan *plan)
{
    atomic_fetch_add_explicit(&plan->owners, 1, memory_order_relaxed);
    return plan;
}

void pe_plan_free(struct pe_plan *plan)
{
    if (!plan || atomic_fetch_sub_explicit(&plan->owners, 1, memory_order_acq_rel) > 1)
        return;
    for (struct plan_block *block = plan->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    pe_table_free(plan->table);
    pe_args_free(plan->args);
    free(plan);
}

size_t plan_bytes(const struct pe_plan *plan)
{
    return sizeof *plan + plan->block_bytes + args_bytes(plan->args) +
           (plan->table ? pe_table_bytes(plan->table) : 0);
}

/* ---- reading ----------------------------------------------------------------------------- */

size_t pe_plan_tensor_count(const struct pe_plan *plan)
{
    return plan->tensor_count;
}

const struct pe_tensor_info *pe_plan_tensor(const struct pe_plan *plan, size_t i)
{
    assert(i < plan->tensor_count);
    return &plan->tensors[i];
}

uint64_t pe_plan_elements(const struct pe_plan *plan)
{
    return plan->elements;
}

const struct pe_args *pe_plan_args(const struct pe_plan *plan)
{
    return plan->args;
}

double pe_plan_cost_ns(const struct pe_plan *plan, uint64_t elements)
{
    double slowest = 0;

    for (size_t i = 0; i < plan->group_count; i++) {
        const struct plan_group *group = &plan->groups[i];
        const struct pe_filler *filler = group->filler;
        double ns =
            filler->cost ? filler->cost(group->state, group->dtype) : filler->ns_per_element;

        slowest = ns > slowest ? ns : slowest;
    }
    return slowest * (double)elements;
}

size_t pe_plan_fact_count(const struct pe_plan *plan)
{
    return plan->fact_count;
}

const struct pe_fact *pe_plan_fact(const struct pe_plan *plan, size_t i)
{
    assert(i < plan->fact_count);
    return &plan->facts[i];
}

size_t pe_plan_warning_count(const struct pe_plan *plan)
{
    return plan->warning_count;
}

const char *pe_plan_warning(const struct pe_plan *plan, size_t i)
{
    assert(i < plan->warning_count);
    return plan->warnings[i];
}
