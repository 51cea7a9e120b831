/* SPDX-License-Identifier: Apache-2.0
 * core_tensor.c - see core_tensor.h. */
#include "tests/support/core_tensor.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_random.h"

enum { ALIGN = 64 };

/* "5x2x128" or "5,2,128]" */
static bool parse_dims(const char *at, const char *end, struct pe_tensor *tensor)
{
    tensor->rank = 0;
    while (at < end && tensor->rank < PE_MAX_RANK) {
        char *stop;

        tensor->dims[tensor->rank++] = strtoull(at, &stop, 10);
        if (stop == at)
            return false;
        at = stop < end && strchr("x,]", *stop) ? stop + 1 : stop;
        if (at == stop)
            break;
    }
    return at == end;
}

bool core_tensor_is_numbers(const char *text, size_t len)
{
    return len > 0 && strspn(text, "0123456789.,;e-") >= len;
}

bool core_tensor_parse(const char *text, size_t len, struct pe_tensor *tensor)
{
    size_t head = strcspn(text, ":[&");
    uint64_t count = 1, rows = 1;

    *tensor = (struct pe_tensor){.dtype = PE_F32};
    if (head < len)
        return pe_dtype_find(text, head, &tensor->dtype) &&
               parse_dims(text + head + 1, text + len, tensor);
    for (size_t i = 0; i < len; i++) {
        count += text[i] == ',' || text[i] == ';';
        rows += text[i] == ';';
    }
    tensor->rank = rows > 1 ? 2 : 1;
    tensor->dims[0] = rows > 1 ? rows : count;
    tensor->dims[1] = rows > 1 ? count / rows : 0;
    return core_tensor_is_numbers(text, len) && count % rows == 0;
}

static uint64_t count_of(const struct pe_tensor *tensor)
{
    uint64_t count = tensor->rank > 0;

    for (size_t i = 0; i < tensor->rank; i++)
        count *= tensor->dims[i];
    return count;
}

/* The text that canonical form has for the tensor; NULL: none. */
static const char *spelling(const struct pe_args *args, const char *name)
{
    for (size_t i = 0; i < pe_args_value_count(args); i++)
        if (strcmp(pe_args_value(args, i)->name, name) == 0)
            return pe_args_value(args, i)->text;
    return NULL;
}

/* The numbers of the text, or drawn ones where it has none. */
static void *draw(const struct pe_tensor *tensor, const char *text, uint64_t seed)
{
    size_t count = (size_t)count_of(tensor), size = pe_dtype_size(tensor->dtype);
    bool spelled = text && core_tensor_is_numbers(text, strlen(text));
    struct core_random random = {seed};
    char *data = aligned_alloc(ALIGN, (count * size + ALIGN) / ALIGN * ALIGN);

    ck_assert_ptr_nonnull(data);
    for (size_t i = 0; i < count; i++) {
        double value = core_random_real(&random, -2, 2);

        if (spelled) {
            value = strtod(text, (char **)&text);
            text += *text != '\0';
        }
        pe_dtype_from_f64(tensor->dtype, data + i * size, &value, 1);
    }
    return data;
}

void core_tensor_draw_inputs(const struct pe_plan *plan, void *inputs[CORE_TENSOR_MAX])
{
    const struct pe_args *args = pe_plan_args(plan);
    size_t count, number = 0;
    const struct pe_param *params = pe_params(pe_args_encoding(args), &count);

    memset(inputs, 0, CORE_TENSOR_MAX * sizeof *inputs);
    for (size_t i = 0; i < count; i++) {
        const char *field = (const char *)pe_args_struct(args) + params[i].offset;
        struct pe_tensor tensor;

        if (params[i].type != PE_TENSOR)
            continue;
        ck_assert_uint_lt(number, CORE_TENSOR_MAX);
        memcpy(&tensor, field, sizeof tensor);
        if (tensor.rank > 0)
            inputs[number] = draw(&tensor, spelling(args, params[i].name), 77 + number);
        number++;
    }
}

void core_tensor_free_inputs(void *inputs[CORE_TENSOR_MAX])
{
    for (size_t i = 0; i < CORE_TENSOR_MAX; i++)
        free(inputs[i]);
}

void *core_tensor_bytes(const struct pe_plan *plan, size_t number,
                        void *const inputs[CORE_TENSOR_MAX])
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(plan, number);
    const struct pe_rect all = {0, tensor->rows, 0, tensor->cols};
    size_t bytes = (size_t)(tensor->rows * tensor->cols) * pe_dtype_size(tensor->dtype);
    size_t scratch_bytes = pe_plan_scratch(plan, tensor->rows * tensor->cols);
    void *memory = aligned_alloc(ALIGN, (bytes + ALIGN) / ALIGN * ALIGN);
    void *scratch = aligned_alloc(ALIGN, (scratch_bytes + ALIGN) / ALIGN * ALIGN);
    void *out[PE_MAX_OUTPUTS] = {NULL};

    ck_assert(memory && scratch);
    out[tensor->slot] = memory;
    pe_fill(plan, tensor->group, &all, out, (const void *const *)inputs, scratch);
    free(scratch);
    return memory;
}

double *core_tensor_doubles(const struct pe_plan *plan, size_t number,
                            void *const inputs[CORE_TENSOR_MAX])
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(plan, number);
    size_t count = (size_t)(tensor->rows * tensor->cols);
    double *doubles = malloc((count + 1) * sizeof *doubles);
    void *bytes = core_tensor_bytes(plan, number, inputs);

    ck_assert_ptr_nonnull(doubles);
    pe_dtype_to_f64(tensor->dtype, doubles, bytes, count);
    free(bytes);
    return doubles;
}
