/* SPDX-License-Identifier: Apache-2.0
 * plan_row.c - see plan_row.h. */
#include "tests/core/support/plan_row.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/plan/table.h"
#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"
#include "tests/support/stop_looks.h"

/* Makes the checked arguments of a request, which ends with the text or with a blank. */
static struct pe_args *args_of(const char *request)
{
    const size_t len = strcspn(request, "?"), end = strcspn(request, " ");
    const struct pe_encoding *enc = core_sample_find(request, len);
    char *query = strndup(request + len + 1, end - len - 1);
    struct pe_args *args;

    ck_assert_msg(enc || (enc = pe_find(request, len)), "%s: no such encoding", request);
    args = core_query_checked(enc, query);
    free(query);
    return args;
}

static enum pe_status make_plan(struct pe_plan **plan, struct pe_args *args,
                                struct pe_table *table, const struct pe_stop *stop,
                                struct pe_errors *errors)
{
    const struct pe_limits limits = {.max_elements = 1 << 26,
                                     .max_prepared = 1 << 24,
                                     .stop = stop};

    *plan = NULL;
    pe_errors_clear(errors);
    return pe_plan_new(plan, args, table, &limits, errors);
}

void plan_row_tensor(FILE *out, const char *text, const char *claim)
{
    struct pe_args *args = args_of(text);
    const struct pe_tensor_info *tensor;
    struct pe_errors errors;
    struct pe_plan *plan;

    ck_assert_int_eq(make_plan(&plan, args, NULL, NULL, &errors), PE_OK);
    tensor = pe_plan_tensor(plan, pe_plan_tensor_count(plan) - 1);
    fprintf(out, "[");
    for (size_t i = 0; i < tensor->rank; i++)
        fprintf(out, "%s%llu", i == 0 ? "" : ",", (unsigned long long)tensor->dims[i]);
    fprintf(out, "] as %llux%llu, group %zu, slot %zu", (unsigned long long)tensor->rows,
            (unsigned long long)tensor->cols, tensor->group, tensor->slot);
    pe_plan_free(plan);
    pe_args_free(args);
}

void plan_row_limited(FILE *out, const char *text, const char *claim)
{
    char *prepared, *rest;
    const uint64_t elements = strtoull(text, &prepared, 10);
    const struct pe_limits limits = {.max_elements = elements,
                                     .max_prepared = strtoull(prepared + 1, &rest, 10)};
    struct pe_args *args = args_of(rest + 1);
    struct pe_errors errors = {.count = 0};
    const struct pe_problem *problem = &errors.at[0];
    struct pe_plan *untouched = (void *)&errors, *plan = untouched;

    ck_assert_int_eq(pe_plan_new(&plan, args, NULL, &limits, &errors), PE_TOO_LARGE);
    ck_assert_ptr_eq(plan, untouched);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_int_eq(problem->status, PE_TOO_LARGE);
    ck_assert_str_eq(problem->parameter, "");
    fprintf(out, "%s (%llu of %llu)", problem->detail, (unsigned long long)problem->requested,
            (unsigned long long)problem->limit);
    pe_args_free(args);
}

/* ---- stops ------------------------------------------------------------------------------- */

void plan_row_stopped(FILE *out, const char *text, const char *claim)
{
    struct pe_args *args = args_of(text);
    struct pe_stop stop = {0};
    struct pe_errors errors;
    struct pe_plan *plan;

    ck_assert(!pe_stop_is_set(&stop));
    ck_assert_msg(make_plan(&plan, args, NULL, &stop, &errors) == PE_OK, "%s",
                  errors.at[0].detail);
    ck_assert_ptr_nonnull(plan);
    pe_plan_free(plan);
    pe_stop_set(&stop);
    ck_assert(pe_stop_is_set(&stop));
    ck_assert_int_eq(make_plan(&plan, args, NULL, &stop, &errors), PE_STOPPED);
    ck_assert_ptr_null(plan);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_int_eq(errors.at[0].status, PE_STOPPED);
    fprintf(out, "%s", errors.at[0].detail);
    pe_args_free(args);
}

void plan_row_stopped_midway(FILE *out, const char *text, const char *claim)
{
    const struct pe_stop stop = {0};
    struct pe_args *args = args_of(text);
    struct pe_errors errors;
    struct pe_plan *plan;
    size_t looks;

    stop_looks_begin(0);
    ck_assert_int_eq(make_plan(&plan, args, NULL, &stop, &errors), PE_OK);
    pe_plan_free(plan);
    looks = stop_looks_count();
    stop_looks_begin(looks / 4);
    ck_assert_int_eq(make_plan(&plan, args, NULL, &stop, &errors), PE_STOPPED);
    ck_assert_ptr_null(plan);
    if (looks >= 8 && stop_looks_count() <= looks - looks / 4)
        fprintf(out, "soon");
    else
        fprintf(out, "after %zu of %zu looks", stop_looks_count(), looks);
    stop_looks_begin(0);
    pe_args_free(args);
}

/* ---- tables ------------------------------------------------------------------------------ */

static bool has_same_bytes(struct pe_args *args, struct pe_table *table)
{
    struct pe_errors errors;
    struct pe_plan *own, *shared;
    bool same;

    ck_assert_int_eq(make_plan(&own, args, NULL, NULL, &errors), PE_OK);
    ck_assert_int_eq(make_plan(&shared, args, table, NULL, &errors), PE_OK);
    const struct pe_tensor_info *tensor = pe_plan_tensor(own, 0);
    void *a = core_query_bytes(own, 0), *b = core_query_bytes(shared, 0);
    same = memcmp(a, b, tensor->rows * tensor->cols * pe_dtype_size(tensor->dtype)) == 0;
    free(a);
    free(b);
    pe_plan_free(own);
    pe_plan_free(shared);
    return same;
}

void plan_row_table(FILE *out, const char *text, const char *claim)
{
    struct pe_args *maker = args_of(text), *user = args_of(strchr(text, ' ') + 1);
    struct pe_table *table = pe_table_build(maker);

    if (strcmp(pe_args_table_key(maker), pe_args_table_key(user)) != 0)
        fprintf(out, "none");
    else
        fprintf(out, has_same_bytes(user, table) ? "same" : "same key, but other bytes");
    pe_table_free(table);
    pe_args_free(maker);
    pe_args_free(user);
}

/* ---- masks ------------------------------------------------------------------------------- */

static double *values_of(const char *request, const char *output, size_t *count)
{
    const size_t len = strcspn(request, "?");
    char name[80], query[256];

    snprintf(name, sizeof name, "%.*s", (int)len, request);
    snprintf(query, sizeof query, "%s&out=%s", request + len + 1, output);
    return core_query_values(name, query, output, count);
}

void plan_row_empty(FILE *out, const char *text, const char *claim)
{
    size_t count, rows;
    double *empty = values_of(text, "fully_masked_rows", &rows);
    double *seen = values_of(text, "mask", &count);
    size_t found = 0;

    for (size_t row = 0; row < rows; row++) {
        bool sees = false;

        for (size_t key = 0; key < count / rows; key++)
            sees = sees || seen[row * (count / rows) + key] != 0;
        ck_assert_msg((empty[row] == 0) == sees, "%s: row %zu", text, row);
        if (!sees)
            fprintf(out, "%s%zu", found++ == 0 ? "" : " ", row);
    }
    if (found == 0)
        fprintf(out, "none");
    free(empty);
    free(seen);
}
