/* SPDX-License-Identifier: Apache-2.0
 * verify_case.c - see verify_case.h. */
#include "tests/core/support/verify_case.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"

const struct pe_limits verify_case_limits = {.max_elements = 1 << 26, .max_prepared = 1 << 24};

/* ---- tensors ----------------------------------------------------------------------------- */

uint64_t verify_case_elements(const struct verify_case *made, size_t tensor)
{
    const struct pe_tensor *info = &made->tensor[tensor].info;
    uint64_t count = 1;

    for (size_t i = 0; i < info->rank; i++)
        count *= info->dims[i];
    return count;
}

static unsigned char *element(const struct verify_case *made, size_t tensor, uint64_t i)
{
    ck_assert_uint_lt(i, verify_case_elements(made, tensor));
    return (unsigned char *)made->data[tensor] +
           i * pe_dtype_size(made->tensor[tensor].info.dtype);
}

double verify_case_get(const struct verify_case *made, size_t tensor, uint64_t i)
{
    double value;

    pe_dtype_to_f64(made->tensor[tensor].info.dtype, &value, element(made, tensor, i), 1);
    return value;
}

void verify_case_set(struct verify_case *made, size_t tensor, uint64_t i, double value)
{
    pe_dtype_from_f64(made->tensor[tensor].info.dtype, element(made, tensor, i), &value, 1);
}

size_t verify_case_add(struct verify_case *made, const char *name, enum pe_dtype dtype,
                       size_t rank, const uint64_t *dims, const void *data)
{
    const size_t number = made->count++;
    struct pe_verify_tensor *tensor = &made->tensor[number];

    ck_assert_uint_lt(number, PE_VERIFY_TENSORS);
    snprintf(made->name[number], sizeof made->name[number], "%s", name);
    tensor->name = made->name[number];
    tensor->info = (struct pe_tensor){.dtype = dtype, .rank = rank};
    for (size_t i = 0; i < rank; i++)
        tensor->info.dims[i] = dims[i];
    size_t bytes = (size_t)verify_case_elements(made, number) * pe_dtype_size(dtype);
    made->data[number] = aligned_alloc(64, (bytes + 64) / 64 * 64);
    ck_assert_ptr_nonnull(made->data[number]);
    memcpy(made->data[number], data, bytes);
    tensor->data = made->data[number];
    return number;
}

void verify_case_free(struct verify_case *made)
{
    for (size_t i = 0; i < made->count; i++)
        free(made->data[i]);
    pe_args_free(made->claim);
    *made = (struct verify_case){.count = 0};
}

/* ---- an answer --------------------------------------------------------------------------- */

/* Returns the number of the tensor among the tensor parameters; SIZE_MAX: it is none. */
static size_t input_number(const struct pe_encoding *enc, const char *name)
{
    size_t number = 0;

    for (size_t i = 0; i < enc->param_count; i++) {
        if (enc->params[i].type != PE_TENSOR)
            continue;
        if (strcmp(enc->params[i].name, name) == 0)
            return number;
        number++;
    }
    return SIZE_MAX;
}

static void add_inputs(struct verify_case *made, const struct pe_args *args,
                       void *const inputs[])
{
    for (size_t i = 0; i < made->enc->param_count; i++) {
        const struct pe_param *param = &made->enc->params[i];
        const size_t number = input_number(made->enc, param->name);
        struct pe_tensor tensor;

        if (number == SIZE_MAX || !inputs[number])
            continue;
        memcpy(&tensor, (const char *)pe_args_struct(args) + param->offset, sizeof tensor);
        verify_case_add(made, param->name, tensor.dtype, tensor.rank, tensor.dims,
                        inputs[number]);
    }
}

static void name_output(const struct pe_encoding *enc, const char *output, char name[40])
{
    if (input_number(enc, output) == SIZE_MAX)
        snprintf(name, 40, "%s", output);
    else if (strcmp(output, "x") == 0)
        snprintf(name, 40, "y");
    else
        snprintf(name, 40, "%s_rot", output);
}

void verify_case_of_args(struct verify_case *made, struct pe_args *args)
{
    void *inputs[CORE_TENSOR_MAX];
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;
    char name[40];

    *made = (struct verify_case){.enc = pe_args_encoding(args)};
    ck_assert_msg(pe_plan_new(&plan, args, NULL, &verify_case_limits, &errors) == PE_OK,
                  "%s: %s %s", pe_name(made->enc), errors.at[0].parameter, errors.at[0].detail);
    core_tensor_draw_inputs(plan, inputs);
    add_inputs(made, args, inputs);
    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(plan, i);
        void *bytes = core_tensor_bytes(plan, i, inputs);

        name_output(made->enc, tensor->output->name, name);
        verify_case_add(made, name, tensor->dtype, tensor->rank, tensor->dims, bytes);
        free(bytes);
    }
    core_tensor_free_inputs(inputs);
    pe_plan_free(plan);
}

static const struct pe_encoding *encoding_of(const char *request)
{
    const size_t len = strcspn(request, "?");
    const struct pe_encoding *enc = pe_find(request, len);

    ck_assert_msg(enc && request[len] == '?', "%s: no such encoding", request);
    return enc;
}

void verify_case_of(struct verify_case *made, const char *request)
{
    struct pe_args *args = core_query_checked(encoding_of(request), strchr(request, '?') + 1);

    verify_case_of_args(made, args);
    pe_args_free(args);
}

bool verify_case_request(char request[VERIFY_CASE_REQUEST], const struct pe_encoding *enc,
                         const char *example, const char *output, const char *dtype)
{
    const size_t size = VERIFY_CASE_REQUEST;
    struct pe_errors errors = {.count = 0};
    struct pe_args *args;
    size_t len = (size_t)snprintf(request, size, "%s?", pe_name(enc));

    for (const char *pair = example, *end; *pair; pair = *end ? end + 1 : end) {
        end = strchrnul(pair, '&');
        if (strncmp(pair, "out=", 4) != 0 && strncmp(pair, "dtype=", 6) != 0)
            len +=
                (size_t)snprintf(request + len, size - len, "%.*s&", (int)(end - pair), pair);
    }
    len += (size_t)snprintf(request + len, size - len, "out=%s", output);
    if (dtype)
        len += (size_t)snprintf(request + len, size - len, "&dtype=%s", dtype);
    ck_assert_uint_lt(len, size);
    enum pe_status status = core_query_args(&args, enc, strchr(request, '?') + 1, &errors);
    pe_args_free(args);
    return status == PE_OK;
}

/* ---- a claim ----------------------------------------------------------------------------- */

static bool is_name(const char *name, size_t len, const char *word)
{
    return strlen(word) == len && memcmp(name, word, len) == 0;
}

static void give(struct pe_args *args, const char *name, size_t len, const char *text,
                 size_t text_len, struct pe_errors *errors)
{
    const struct pe_param *param = pe_param_find(pe_args_encoding(args), name, len);

    if (!is_name(name, len, "out") && !is_name(name, len, "dtype") &&
        !(param && param->type == PE_TENSOR))
        pe_args_set_text(args, name, len, text, text_len, errors);
}

/* Takes the arguments, to which claims were given, and prepares and checks them. */
static enum pe_status prepare(struct verify_case *made, struct pe_args *args,
                              struct pe_errors *errors)
{
    pe_args_free(made->claim);
    made->claim = NULL;
    made->enc = pe_args_encoding(args);
    enum pe_status status =
        pe_verify_assign(made->enc, made->tensor, made->count, made->role, errors);
    if (!status)
        status = pe_verify_prepare(args, made->tensor, made->count, made->role, errors);
    if (!status)
        status = pe_verify_complete(&made->claim, args, made->tensor, made->count, made->role,
                                    &verify_case_limits, errors);
    pe_args_free(args);
    return status;
}

enum pe_status verify_case_try_claim(struct verify_case *made, const char *request,
                                     struct pe_errors *errors)
{
    struct pe_args *args = pe_args_new(encoding_of(request));

    ck_assert_ptr_nonnull(args);
    for (const char *pair = strchr(request, '?') + 1, *end; *pair;
         pair = *end ? end + 1 : end) {
        const char *equals = strchr(pair, '=');

        end = strchrnul(pair, '&');
        give(args, pair, (size_t)(equals - pair), equals + 1, (size_t)(end - equals - 1),
             errors);
    }
    return prepare(made, args, errors);
}

void verify_case_claim(struct verify_case *made, const char *request)
{
    struct pe_errors errors = {.count = 0};
    enum pe_status status = verify_case_try_claim(made, request, &errors);

    ck_assert_msg(!status, "%s: %s %s", request, errors.at[0].parameter, errors.at[0].detail);
}

/* ---- the verdict ------------------------------------------------------------------------- */

enum pe_status verify_case_try(struct verify_case *made, struct pe_verdict **verdict,
                               struct pe_errors *errors)
{
    *verdict = NULL;
    return pe_verify(verdict, made->claim, made->tensor, made->count, made->role,
                     made->tolerance, &verify_case_limits, errors);
}

struct pe_verdict *verify_case_verdict(struct verify_case *made)
{
    struct pe_errors errors = {.count = 0};
    struct pe_verdict *verdict;
    enum pe_status status = verify_case_try(made, &verdict, &errors);

    ck_assert_msg(!status, "%s: %s %s", pe_name(made->enc), errors.at[0].parameter,
                  errors.at[0].detail);
    return verdict;
}

struct pe_verdict *verify_case_compare(const char *request, const char *claim)
{
    struct verify_case made;
    struct pe_verdict *verdict;

    verify_case_of(&made, request);
    verify_case_claim(&made, claim);
    verdict = verify_case_verdict(&made);
    verify_case_free(&made);
    return verdict;
}

char *verify_case_text(const struct pe_verdict *verdict)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    fprintf(out, "%s", pe_verdict_name(verdict->kind));
    if (verdict->kind == PE_PROFILE)
        fprintf(out, " %s", verdict->profile);
    for (size_t i = 0; verdict->kind == PE_MISTAKE && i < verdict->explanation.count; i++) {
        const struct pe_mistake *mistake = &verdict->explanation.mistake[i];

        fprintf(out, "%s %s", i > 0 ? " +" : "", mistake->slug);
        for (size_t j = 0; j < mistake->change_count; j++)
            fprintf(out, " %s %s->%s", mistake->change[j].parameter, mistake->change[j].found,
                    mistake->change[j].expected);
    }
    fclose(out);
    return text;
}
