/* SPDX-License-Identifier: Apache-2.0
 * cost.c ROWS - compares the cost of requests with the cost that core states, in operations. A
 * row is an encoding and its arguments; a value may be pseudo-random numbers,
 * @ROWSxCOLS:LOW:HIGH, a ring of nodes, #NODES, or a tensor, !2,3,4. Plan and fill of the
 * first MiB are counted in CPU time against a loop that runs before each try of a row. The
 * least times of all tries count, so that neither the machine nor its other work matters; a
 * factor of four is allowed. Every encoding has a row. A row that begins with "verify " claims
 * that random numbers are the answer of the request: the search for a mistake is measured,
 * once, since it takes long enough. A row that begins with "find " is one of cost_find.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/posenc.h"
#include "core/posenc_verify.h"
#include "tests/bench/cost_find.h"
#include "tests/bench/operation_time.h"

enum { ALIGN = 64, FIRST = 1 << 18, SAMPLE = 1 << 14, TRIES = 5, STEPS = 1 << 20, LINE = 8192 };
static const double within = 4;    /* times */
static const double judged = 10e6; /* operations; a cheaper request is not judged */

struct cost {
    double said;     /* operations */
    double unit, ns; /* the least time of an operation, and of plan and fill, of all tries */
};

struct question {
    const struct pe_encoding *enc;
    struct pe_args *args;
    float *inputs[16];
    size_t input_count;
};

static double draw(uint64_t *seed, double low, double high)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

/* ---- arguments --------------------------------------------------------------------------- */

static void set_drawn(struct question *q, const char *name, const char *text,
                      struct pe_errors *errors)
{
    size_t rows = 1, cols = 1;
    double low = -1, high = 1, *values;
    uint64_t seed = 1;

    sscanf(text, "%zux%zu:%lf:%lf", &rows, &cols, &low, &high);
    values = calloc(rows * cols, sizeof *values);
    for (size_t i = 0; values && i < rows * cols; i++)
        values[i] = draw(&seed, low, high);
    pe_args_set_reals(q->args, name, strlen(name), values, rows, cols, errors);
    free(values);
}

static void set_ring(struct question *q, const char *name, size_t nodes,
                     struct pe_errors *errors)
{
    double *edges = calloc(2 * nodes, sizeof *edges);

    for (size_t i = 0; edges && i < nodes; i++) {
        edges[2 * i] = (double)i;
        edges[2 * i + 1] = (double)((i + 1) % nodes);
    }
    pe_args_set_reals(q->args, name, strlen(name), edges, nodes, 2, errors);
    free(edges);
}

static void set_tensor(struct question *q, const char *name, const char *text,
                       struct pe_errors *errors)
{
    struct pe_tensor tensor = {.dtype = PE_F32};
    char *end = NULL;

    for (; tensor.rank < PE_MAX_RANK && *text; text = *end ? end + 1 : end)
        tensor.dims[tensor.rank++] = strtoull(text, &end, 10);
    pe_args_set_tensor(q->args, name, strlen(name), &tensor, errors);
}

static void set(struct question *q, const char *name, const char *value,
                struct pe_errors *errors)
{
    if (*value == '@')
        set_drawn(q, name, value + 1, errors);
    else if (*value == '#')
        set_ring(q, name, strtoull(value + 1, NULL, 10), errors);
    else if (*value == '!')
        set_tensor(q, name, value + 1, errors);
    else
        pe_args_set_text(q->args, name, strlen(name), value, strlen(value), errors);
}

/* Makes numbers for every tensor of the request. */
static void make_inputs(struct question *q)
{
    const size_t count = (size_t)1 << 22;
    const struct pe_param *params;
    size_t params_count;
    uint64_t seed = 7;

    params = pe_params(q->enc, &params_count);
    for (size_t p = 0; p < params_count; p++) {
        float *numbers = params[p].type == PE_TENSOR ? malloc(count * sizeof *numbers) : NULL;

        for (size_t i = 0; numbers && i < count; i++)
            numbers[i] = (float)draw(&seed, -1, 1);
        if (numbers)
            q->inputs[q->input_count++] = numbers;
    }
}

/* Reads the arguments of a row, which it changes; false: there is no such encoding. */
static bool ask(struct question *q, char *line, struct pe_errors *errors)
{
    char *query = strchr(line, ' ');

    *query++ = '\0';
    *q = (struct question){.enc = pe_find(line, strlen(line))};
    pe_errors_clear(errors);
    if (!q->enc || !(q->args = pe_args_new(q->enc)))
        return false;
    while (query) {
        char *next = strchr(query, '&'), *value = strchr(query, '=');

        if (next)
            *next++ = '\0';
        *value++ = '\0';
        set(q, query, value, errors);
        query = next;
    }
    return errors->count == 0;
}

static void forget(struct question *q)
{
    pe_args_free(q->args);
    for (size_t i = 0; i < q->input_count; i++)
        free(q->inputs[i]);
}

/* ---- measuring --------------------------------------------------------------------------- */

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* Measures the nanoseconds of an element, on a part from the middle of the tensor. */
static double fill_ns(const struct question *q, const struct pe_plan *plan,
                      const struct pe_tensor_info *tensor)
{
    const double each = pe_plan_cost_ns(plan, 1);
    const uint64_t sample = each > 1000 ? SAMPLE / 16 : SAMPLE;
    struct pe_rect rect = {tensor->rows / 2, 1, 0, tensor->cols};
    void *out[PE_MAX_OUTPUTS] = {NULL}, *scratch;
    uint64_t elements;
    double start;

    rect.cols = tensor->cols < sample ? tensor->cols : sample;
    rect.rows = sample / rect.cols ? sample / rect.cols : 1;
    rect.rows = (uint64_t)least((double)rect.rows, (double)(tensor->rows - rect.row));
    elements = rect.rows * rect.cols;
    out[tensor->slot] = aligned_alloc(ALIGN, elements * sizeof(double) / ALIGN * ALIGN + ALIGN);
    scratch = aligned_alloc(ALIGN, pe_plan_scratch(plan, elements) / ALIGN * ALIGN + ALIGN);
    start = thread_time_ns();
    pe_fill(plan, tensor->group, &rect, out, (const void *const *)q->inputs, scratch);
    start = thread_time_ns() - start;
    free(out[tensor->slot]);
    free(scratch);
    return start / (double)elements;
}

/* Measures plan and fill once. */
static bool measure(const struct question *q, struct cost *cost, struct pe_errors *errors)
{
    const struct pe_limits limits = {.max_elements = UINT64_C(1) << 40,
                                     .max_prepared = PE_DEFAULT_MAX_PREPARED};
    struct pe_plan *plan;
    double start, ns;

    cost->unit = fmin(cost->unit, operation_time_ns(STEPS));
    start = thread_time_ns();
    cost->said = pe_args_operations(q->args);
    if (pe_plan_new(&plan, q->args, NULL, &limits, errors) != PE_OK)
        return false;
    ns = thread_time_ns() - start;
    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(plan, i);
        double elements = least((double)tensor->rows * (double)tensor->cols, FIRST);

        if (elements == 0)
            continue;
        cost->said += pe_plan_cost_ns(plan, (uint64_t)elements);
        ns += fill_ns(q, plan, tensor) * elements;
    }
    cost->ns = fmin(cost->ns, ns);
    pe_plan_free(plan);
    return true;
}

static double counted(const struct cost *cost)
{
    return cost->ns / cost->unit;
}

static bool is_right(const struct cost *cost)
{
    if (cost->said >= 0 && cost->said < judged && counted(cost) < judged)
        return true;
    return counted(cost) <= within * cost->said && cost->said <= within * counted(cost);
}

/* ---- verdicts ---------------------------------------------------------------------------- */

/* Makes tensors of random numbers in the shapes of the plan; returns their number. */
static size_t draw_tensors(const struct pe_plan *plan, struct pe_verify_tensor *tensors)
{
    const size_t count = pe_plan_tensor_count(plan);
    uint64_t seed = 11;

    for (size_t i = 0; i < count; i++) {
        const struct pe_tensor_info *info = pe_plan_tensor(plan, i);
        const uint64_t elements = info->rows * info->cols;
        float *numbers = malloc((elements + 1) * sizeof *numbers);

        for (uint64_t k = 0; numbers && k < elements; k++)
            numbers[k] = (float)draw(&seed, -1, 1);
        tensors[i] = (struct pe_verify_tensor){.name = info->output->name, .data = numbers};
        tensors[i].info.dtype = PE_F32;
        tensors[i].info.rank = info->rank;
        memcpy(tensors[i].info.dims, info->dims, sizeof info->dims);
    }
    return count;
}

/* Measures the verdict of a claim that is not checked yet, on random numbers. */
static bool measure_verdict(struct pe_args *claim, const struct pe_plan *plan,
                            struct cost *cost, struct pe_errors *errors)
{
    const struct pe_limits limits = {.max_elements = UINT64_C(1) << 40,
                                     .max_prepared = PE_DEFAULT_MAX_PREPARED};
    struct pe_verify_tensor tensors[PE_MAX_OUTPUTS];
    struct pe_verify_role roles[PE_MAX_OUTPUTS];
    struct pe_verdict *quick = NULL, *verdict = NULL;
    const size_t count = draw_tensors(plan, tensors);
    bool ok = !pe_verify_assign(pe_args_encoding(claim), tensors, count, roles, errors) &&
              !pe_verify_prepare(claim, tensors, count, roles, errors) &&
              !pe_args_check(claim, errors) &&
              !pe_verify_quickly(&quick, &cost->said, claim, tensors, count, roles, NULL,
                                 &limits, errors);
    const double start = thread_time_ns();

    ok = ok && !pe_verify(&verdict, claim, tensors, count, roles, NULL, &limits, errors);
    cost->ns = thread_time_ns() - start;
    pe_verdict_free(quick);
    pe_verdict_free(verdict);
    for (size_t i = 0; i < count; i++)
        free((void *)tensors[i].data);
    return ok;
}

/* Takes the outputs that are asked for out of a row: tensors say them by their names. */
static void drop_outputs(char *row)
{
    char *out = strstr(row, "&out="), *rest = out ? strchr(out + 1, '&') : NULL;

    if (rest)
        memmove(out, rest, strlen(rest) + 1);
    else if (out)
        *out = '\0';
}

/* Judges the cost of a search. The row is without its first word. */
static bool judge_search(const char *row, struct pe_errors *errors)
{
    const struct pe_limits limits = {.max_elements = UINT64_C(1) << 40,
                                     .max_prepared = PE_DEFAULT_MAX_PREPARED};
    struct cost cost = {.unit = operation_time_ns(STEPS), .ns = INFINITY};
    char line[LINE], again[LINE];
    struct question asked, claimed;
    struct pe_plan *plan = NULL;

    snprintf(line, sizeof line, "%s", row);
    snprintf(again, sizeof again, "%s", row);
    drop_outputs(again);
    bool ok = ask(&asked, line, errors) && pe_args_check(asked.args, errors) == PE_OK &&
              pe_plan_new(&plan, asked.args, NULL, &limits, errors) == PE_OK &&
              ask(&claimed, again, errors) &&
              measure_verdict(claimed.args, plan, &cost, errors);

    if (!ok)
        printf("%s: %s %s\n", row, errors->at[0].parameter, errors->at[0].detail);
    const bool right = ok && is_right(&cost);
    printf("%s %12.3f said %12.3f counted, 10^6 operations: verify %s\n",
           right ? "  ok  " : "WRONG ", cost.said / 1e6, counted(&cost) / 1e6, row);
    pe_plan_free(plan);
    return right;
}

/* ---- rows -------------------------------------------------------------------------------- */

static bool judge(const char *row)
{
    static struct pe_errors errors;
    char line[LINE];
    struct question q;
    struct cost cost = {.unit = INFINITY, .ns = INFINITY};
    bool right = false;

    if (strncmp(row, "verify ", 7) == 0)
        return judge_search(row + 7, &errors);
    if (strncmp(row, "find ", 5) == 0)
        return cost_find(row + 5, within);
    snprintf(line, sizeof line, "%s", row);
    if (!ask(&q, line, &errors) || pe_args_check(q.args, &errors) != PE_OK) {
        printf("%s: %s %s\n", row, errors.at[0].parameter, errors.at[0].detail);
        return false;
    }
    make_inputs(&q);
    for (int try = 0; try < TRIES && !right; try++) {
        if (!measure(&q, &cost, &errors)) {
            printf("%s: %s\n", row, errors.at[0].detail);
            break;
        }
        right = is_right(&cost);
    }
    printf("%s %12.3f said %12.3f counted, 10^6 operations: %s\n", right ? "  ok  " : "WRONG ",
           cost.said / 1e6, counted(&cost) / 1e6, row);
    forget(&q);
    return right;
}

int main(int argc, char **argv)
{
    FILE *rows = argc == 2 ? fopen(argv[1], "r") : NULL;
    bool *seen = calloc(pe_count(), sizeof *seen);
    size_t passed = 0, failed = 0;
    const struct pe_encoding *enc;
    char line[LINE];

    if (!rows || !seen)
        return EXIT_FAILURE;
    while (fgets(line, sizeof line, rows)) {
        line[strcspn(line, "\n")] = '\0';
        if (!strchr(line, ' ') || *line == '%')
            continue;
        enc = pe_find(line, strcspn(line, " "));
        if (enc)
            seen[pe_index(enc)] = true;
        if (judge(line))
            passed++;
        else
            failed++;
    }
    for (size_t i = 0; i < pe_count(); i++) {
        if (!seen[i])
            printf("WRONG  %s: has no row in %s\n", pe_name(pe_at(i)), argv[1]);
        failed += !seen[i];
    }
    fclose(rows);
    free(seen);
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
