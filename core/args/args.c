/* SPDX-License-Identifier: Apache-2.0
 * args.c - the life of arguments: defaults are filled in, owners are counted, the last owner
 * frees them; and the functions by which hooks of encodings read them. */
#include "core/args/args.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/positions.h"
#include "core/args/segments.h"

/* ---- defaults --------------------------------------------------------------------- */

static bool put_default(struct pe_args *args, const struct pe_param *p)
{
    struct pe_errors unused;
    void *field = args_field(args, p);
    bool absent = p->required || p->optional;

    switch (p->type) {
    case PE_INT:
        *(int64_t *)field = absent ? PE_ABSENT_INT : (int64_t)p->preset;
        break;
    case PE_REAL:
        *(double *)field = absent ? NAN : p->preset;
        break;
    case PE_BOOL:
        *(bool *)field = !absent && p->preset != 0;
        break;
    case PE_CHOICE:
        *(int *)field = absent ? -1 : (int)p->preset;
        break;
    case PE_POSITIONS:
        if (p->preset_text) {
            pe_errors_clear(&unused);
            return pe_parse_text(p, field, p->preset_text, strlen(p->preset_text), &unused) ==
                   PE_OK;
        }
        break;
    case PE_GRID:
        *(struct pe_grid *)field = (struct pe_grid){0};
        break;
    case PE_TENSOR:
        *(struct pe_tensor *)field = (struct pe_tensor){.rank = 0};
        break;
    case PE_REALS:
    case PE_SEGMENTS:
        break; /* a field of zeros is absent, and pe_parse_drop leaves zeros */
    }
    return true;
}

bool args_is_absent(const struct pe_param *p, const void *field)
{
    switch (p->type) {
    case PE_INT:
        return *(const int64_t *)field == PE_ABSENT_INT;
    case PE_REAL:
        return isnan(*(const double *)field);
    case PE_BOOL:
        return p->optional && !*(const bool *)field;
    case PE_CHOICE:
        return *(const int *)field < 0;
    case PE_REALS:
        return ((const struct pe_reals *)field)->rows == 0;
    case PE_POSITIONS:
        return !*(struct pe_positions *const *)field;
    case PE_GRID:
        return ((const struct pe_grid *)field)->height == 0;
    case PE_TENSOR:
        return ((const struct pe_tensor *)field)->rank == 0;
    case PE_SEGMENTS:
        return ((const struct pe_segments *)field)->count == 0;
    }
    return true;
}

bool args_leave_out(struct pe_args *args, uint64_t params)
{
    bool ok = true;

    for (size_t i = 0; i < args->enc->param_count; i++) {
        const struct pe_param *p = &args->enc->params[i];

        if (!args_bit(params, i))
            continue;
        pe_parse_drop(p, args_field(args, p));
        ok &= put_default(args, p);
    }
    args->given &= ~params;
    args->filled &= ~params;
    return ok;
}

/* ---- values of other arguments ------------------------------------------------------ */

static void *copy_of(const void *from, size_t bytes)
{
    void *copy = malloc(bytes);

    return copy ? memcpy(copy, from, bytes) : NULL;
}

/* Gives the field memory of its own in the place of that of the field that it was copied
 * from. */
static bool copy_memory(const struct pe_param *p, void *field)
{
    struct pe_reals *reals = field;
    struct pe_positions **pos = field;
    struct pe_segments *segments = field;

    if (p->type == PE_REALS && reals->rows > 0)
        return (reals->values =
                    copy_of(reals->values, reals->rows * reals->cols * sizeof(double))) != NULL;
    if (p->type == PE_POSITIONS && *pos)
        return (*pos = positions_copy(*pos)) != NULL;
    if (p->type == PE_SEGMENTS && segments->count > 0)
        return (segments->items = copy_of(segments->items,
                                          segments->count * sizeof(struct pe_segment))) != NULL;
    return true;
}

bool args_take(struct pe_args *args, const struct pe_args *from, size_t i)
{
    static const size_t sizes[] = {
        [PE_INT] = sizeof(int64_t),
        [PE_REAL] = sizeof(double),
        [PE_BOOL] = sizeof(bool),
        [PE_CHOICE] = sizeof(int),
        [PE_REALS] = sizeof(struct pe_reals),
        [PE_POSITIONS] = sizeof(struct pe_positions *),
        [PE_GRID] = sizeof(struct pe_grid),
        [PE_TENSOR] = sizeof(struct pe_tensor),
        [PE_SEGMENTS] = sizeof(struct pe_segments),
    };
    const struct pe_param *p = &args->enc->params[i];
    void *field = args_field(args, p);

    assert(args->enc == from->enc && !args->checked && !args_bit(args->given, i));
    pe_parse_drop(p, field); /* a default may be a list */
    memcpy(field, from->data + p->offset, sizes[p->type]);
    args->given |= UINT64_C(1) << i;
    args->filled |= UINT64_C(1) << i;
    return copy_memory(p, field);
}

struct pe_args *pe_args_new(const struct pe_encoding *enc)
{
    struct pe_args *args = calloc(1, sizeof *args + enc->args_size);

    if (!args)
        return NULL;
    atomic_init(&args->owners, 1);
    args->enc = enc;
    for (size_t i = 0; i < enc->param_count; i++) {
        if (!put_default(args, &enc->params[i])) {
            pe_args_free(args);
            return NULL;
        }
    }
    return args;
}

struct pe_args *pe_args_ref(struct pe_args *args)
{
    assert(args->checked); /* only immutable arguments are shared */
    atomic_fetch_add_explicit(&args->owners, 1, memory_order_relaxed);
    return args;
}

void pe_args_free(struct pe_args *args)
{
    if (!args || atomic_fetch_sub_explicit(&args->owners, 1, memory_order_acq_rel) > 1)
        return;
    for (size_t i = 0; i < args->enc->param_count; i++)
        pe_parse_drop(&args->enc->params[i], args_field(args, &args->enc->params[i]));
    for (struct args_spelling *spelling = args->spellings, *next; spelling; spelling = next) {
        next = spelling->next;
        free(spelling);
    }
    args_canonical_free(args);
    pe_args_free(args->like);
    free(args->table_key);
    free(args->given_data);
    free(args);
}

size_t args_bytes(const struct pe_args *args)
{
    size_t bytes = sizeof *args + args->enc->args_size, runs = 0;
    const void *bits;

    for (size_t i = 0; i < args->enc->param_count; i++) {
        const struct pe_param *p = &args->enc->params[i];
        const void *field = args->data + p->offset;
        const struct pe_reals *reals = field;
        struct pe_positions *const *pos = field;

        if (p->type == PE_REALS)
            bytes += reals->rows * reals->cols * sizeof(double);
        if (p->type == PE_SEGMENTS)
            bytes += ((const struct pe_segments *)field)->count * sizeof(struct pe_segment);
        if (p->type == PE_POSITIONS && *pos && positions_runs(*pos, &bits, &runs) > 0)
            bytes += runs;
    }
    for (size_t i = 0; i < args->value_count; i++)
        bytes +=
            sizeof *args->values + (args->values[i].text ? strlen(args->values[i].text) : 0);
    return bytes;
}

const void *args_given_field(const struct pe_args *args, size_t i)
{
    const struct pe_param *p = &args->enc->params[i];
    const bool scalar = p->type == PE_INT || p->type == PE_REAL || p->type == PE_BOOL ||
                        p->type == PE_CHOICE || p->type == PE_GRID;

    return (scalar && args->given_data ? args->given_data : args->data) + p->offset;
}

enum pe_status pe_args_spell_tensor(struct pe_args *args, const struct pe_param *p,
                                    const char *text, size_t len, struct pe_errors *errors)
{
    struct args_spelling *spelling = malloc(sizeof *spelling + len + 1);
    size_t i = (size_t)(p - args->enc->params);

    assert(i < args->enc->param_count && p->type == PE_TENSOR && !args->checked);
    if (!spelling)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    spelling->next = args->spellings;
    spelling->param = i;
    memcpy(spelling->text, text, len);
    spelling->text[len] = '\0';
    args->spellings = spelling;
    return PE_OK;
}

/* ---- reading -------------------------------------------------------------------------- */

const struct pe_encoding *pe_args_encoding(const struct pe_args *args)
{
    return args->enc;
}

size_t args_find(const struct pe_encoding *enc, const char *name, size_t len)
{
    for (size_t i = 0; i < enc->param_count; i++)
        if (args_parse_is(enc->params[i].name, name, len))
            return i;
    return SIZE_MAX;
}

size_t args_find_output(const struct pe_encoding *enc, const char *name)
{
    for (size_t i = 0; i < enc->output_count; i++)
        if (strcmp(enc->outputs[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

const struct pe_param *args_tensor(const struct pe_args *args, size_t output)
{
    for (size_t i = 0; i < args->enc->param_count; i++) {
        const struct pe_param *p = &args->enc->params[i];

        if (p->type == PE_TENSOR && !p->table &&
            strcmp(p->name, args->enc->outputs[output].name) == 0)
            return p;
    }
    return NULL;
}

bool pe_given(const struct pe_args *args, size_t offset)
{
    size_t i = 0;

    while (args->enc->params[i].offset != offset) {
        i++;
        assert(i < args->enc->param_count);
    }
    return args_bit(args->given, i);
}

bool pe_wants(const struct pe_args *args, size_t output)
{
    return args_bit(args->wanted, output);
}

const void *pe_args_struct(const struct pe_args *args)
{
    return args->data;
}

enum pe_dtype pe_args_dtype(const struct pe_args *args, size_t output)
{
    const struct pe_param *p = args->dtype_given ? NULL : args_tensor(args, output);
    const struct pe_tensor *tensor = p ? (const void *)(args->data + p->offset) : NULL;

    if (tensor && tensor->rank > 0)
        return tensor->dtype;
    return args->dtype_given ? args->dtype : args->enc->outputs[output].natural;
}

const struct pe_positions *pe_args_positions(const struct pe_args *args, const char *name)
{
    const struct pe_param *p = pe_param_find(args->enc, name, strlen(name));

    return p && p->type == PE_POSITIONS
               ? *(const struct pe_positions *const *)(const void *)(args->data + p->offset)
               : NULL;
}

size_t pe_args_wanted(const struct pe_args *args, size_t wanted[PE_MAX_OUTPUTS])
{
    size_t count = 0;

    for (size_t i = 0; i < args->enc->output_count; i++)
        if (pe_wants(args, i))
            wanted[count++] = i;
    return count;
}

void args_print_wanted(const struct pe_args *args, char *text, size_t size)
{
    size_t len = 0;

    for (size_t i = 0; i < args->enc->output_count; i++) {
        const char *name = args->enc->outputs[i].name;
        size_t comma = len > 0, name_len = strlen(name), left = size - 1 - len;

        if (!pe_wants(args, i) || left <= comma)
            continue;
        left -= comma;
        memcpy(text + len, ",", comma);
        len += comma;
        memcpy(text + len, name, name_len < left ? name_len : left);
        len += name_len < left ? name_len : left;
    }
    text[len] = '\0';
}

double pe_args_operations(const struct pe_args *args)
{
    return args->enc->plan_ns ? args->enc->plan_ns(args, args->data) : 0;
}

bool pe_args_heavy(const struct pe_args *args)
{
    const double inline_most = 1e6; /* operations that the event loop may spend on one
                                     * request */

    return pe_args_operations(args) > inline_most;
}

const char *pe_args_table_key(const struct pe_args *args)
{
    assert(args->checked);
    return args->like ? args->like->table_key : args->table_key;
}

enum pe_status pe_args_put_slice(struct pe_args *args, size_t offset, int64_t start,
                                 int64_t stop, struct pe_errors *errors)
{
    struct position_slice slice = {(double)start, stop - start > 1, (uint64_t)(stop - start)};
    struct pe_positions **field = (void *)(args->data + offset);

    assert(stop >= start && !args->checked);
    positions_free(*field);
    *field = positions_new(&slice, NULL, 1);
    return *field ? PE_OK : pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
}
