/* SPDX-License-Identifier: Apache-2.0
 * roles.c - what each tensor is for a claim: an output that is judged, or a tensor that the
 * claim needs. Names come first, then what the numbers say, then ranks. */
#include <assert.h>
#include <string.h>

#include "core/args/args.h"
#include "core/posenc_verify.h"
#include "core/verify/role/role_both.h"
#include "core/verify/role/role_content.h"
#include "core/verify/role/role_mask.h"
#include "core/verify/role/role_name.h"
#include "core/verify/role/role_points.h"
#include "core/verify/role/role_refuse.h"

/* Tensors whose roles are looked for. */
struct cast {
    const struct pe_encoding *enc;
    const struct pe_verify_tensor *tensors;
    size_t count;
    struct pe_verify_role *roles;
};

static const struct pe_output *find_output(const struct pe_encoding *enc, const char *name)
{
    const size_t output = args_find_output(enc, name);

    return output == SIZE_MAX ? NULL : &enc->outputs[output];
}

static const struct pe_param *find_tensor(const struct pe_encoding *enc, const char *name)
{
    for (size_t i = 0; i < enc->param_count; i++)
        if (enc->params[i].type == PE_TENSOR && strcmp(enc->params[i].name, name) == 0)
            return &enc->params[i];
    return NULL;
}

static bool is_known(const struct pe_verify_role *role)
{
    return role->output || role->param;
}

static size_t squeezed_rank(const struct pe_tensor *info)
{
    size_t rank = 0;

    for (size_t i = 0; i < info->rank; i++)
        rank += info->dims[i] != 1;
    return rank;
}

static size_t axes_of(const struct pe_output *output)
{
    size_t count = 0;

    while (count < PE_MAX_RANK && output->axes[count])
        count++;
    return count;
}

/* Returns the name by which the tensor is looked up. */
static const char *name_of(const struct pe_verify_tensor *tensor)
{
    return tensor->role ? tensor->role : tensor->name;
}

/* ---- roles ------------------------------------------------------------------------------- */

static struct pe_verify_role judged_as(const struct pe_output *output, const char *name)
{
    return (struct pe_verify_role){.output = output, .name = name};
}

static struct pe_verify_role role_by_name(const struct pe_encoding *enc,
                                          const struct pe_verify_tensor *tensor)
{
    const char *name = name_of(tensor);
    const struct role_name read = role_name_read(enc, name);
    const struct pe_output *output = find_output(enc, name);
    const bool long_tensor = squeezed_rank(&tensor->info) > 1;

    if (tensor->complex && role_both_has(enc))
        return role_both_called(enc, tensor, NULL);
    if (find_tensor(enc, name))
        return (struct pe_verify_role){.param = find_tensor(enc, name), .name = name};
    if (!output && read.kind == ROLE_BOTH)
        return role_both_called(enc, tensor, read.output);
    if (!output && read.kind != ROLE_UNKNOWN)
        output = read.output;
    if (output && axes_of(output) == 1 && long_tensor && role_both_has(enc) &&
        role_content_shape(tensor) == PE_FORM_PARTS)
        return role_both_called(enc, tensor, NULL); /* freqs of complex numbers */
    if (read.kind == ROLE_BEFORE || (!output && read.param))
        return (struct pe_verify_role){.param = read.param, .name = read.param->name};
    if (!output)
        return (struct pe_verify_role){.output = NULL};
    output = role_mask_named(enc, tensor, output);
    return judged_as(output, read.kind == ROLE_AFTER || strcmp(name, output->name) == 0
                                 ? name
                                 : output->name);
}

/* ---- what the numbers say ---------------------------------------------------------------- */

static bool is_taken(const struct cast *cast, const struct pe_output *output)
{
    for (size_t i = 0; i < cast->count; i++)
        if (cast->roles[i].output == output)
            return true;
    return false;
}

/* Returns whether tensor number `i` has no role yet, and none that its sender said. */
static bool is_open(const struct cast *cast, size_t i)
{
    return !is_known(&cast->roles[i]) && !cast->tensors[i].role;
}

/* Gives a pair of tensors the roles of cosines and sines. */
static void assign_pair(const struct cast *cast, size_t cosine, size_t sine)
{
    cast->roles[cosine] = judged_as(find_output(cast->enc, "cos"), "cos");
    cast->roles[sine] = judged_as(find_output(cast->enc, "sin"), "sin");
    cast->roles[cosine].guessed = cast->roles[sine].guessed = true;
}

/* Finds cosines and sines in one tensor or in two. */
static void assign_circles(const struct cast *cast)
{
    bool sine_first;

    for (size_t i = 0; i < cast->count; i++) {
        const enum pe_verify_form form =
            is_open(cast, i) ? role_content_form(&cast->tensors[i]) : PE_FORM_WHOLE;

        if (form != PE_FORM_WHOLE)
            cast->roles[i] = role_both(cast->enc, form);
    }
    for (size_t i = 0; i < cast->count; i++)
        for (size_t j = i + 1; j < cast->count; j++)
            if (is_open(cast, i) && is_open(cast, j) &&
                role_content_pair(&cast->tensors[i], &cast->tensors[j], &sine_first))
                assign_pair(cast, sine_first ? j : i, sine_first ? i : j);
}

/* Two tensors of one shape without names are vectors before and after the turn. */
static void assign_vectors(const struct cast *cast)
{
    const struct pe_param *param = find_tensor(cast->enc, "x");

    if (cast->count != 2 || !param || !find_output(cast->enc, "x") || !is_open(cast, 0) ||
        !is_open(cast, 1) || !cast->tensors[0].data ||
        cast->tensors[0].info.rank != cast->tensors[1].info.rank)
        return;
    cast->roles[0] = (struct pe_verify_role){.param = param, .name = "x"};
    cast->roles[1] = judged_as(find_output(cast->enc, "x"), "y");
}

/* ---- ranks ------------------------------------------------------------------------------- */

/* Returns the only free output of that rank, or the only one of them that is a default. */
static const struct pe_output *only_output(const struct cast *cast, size_t rank)
{
    const struct pe_output *any = NULL, *usual = NULL;
    size_t anys = 0, usuals = 0;

    for (size_t i = 0; i < cast->enc->output_count; i++) {
        const struct pe_output *output = &cast->enc->outputs[i];

        if (is_taken(cast, output) || axes_of(output) != rank)
            continue;
        any = output;
        anys++;
        usual = output->by_default ? output : usual;
        usuals += output->by_default;
    }
    return usuals == 1 ? usual : anys == 1 ? any : NULL;
}

/* Returns the first free output of that rank which is a default. */
static const struct pe_output *first_output(const struct cast *cast, size_t rank)
{
    for (size_t i = 0; i < cast->enc->output_count; i++) {
        const struct pe_output *output = &cast->enc->outputs[i];

        if (output->by_default && !is_taken(cast, output) && axes_of(output) == rank)
            return output;
    }
    return NULL;
}

static bool is_square(const struct pe_tensor *info)
{
    return info->rank > 2 && info->dims[info->rank - 1] == info->dims[info->rank - 2];
}

/* Returns the output that a tensor with numbers, and a name that says nothing, most likely
 * is. */
static const struct pe_output *likely_output(const struct cast *cast,
                                             const struct pe_verify_tensor *tensor)
{
    const size_t rank = squeezed_rank(&tensor->info);
    const struct pe_output *cos = find_output(cast->enc, "cos"),
                           *sin = find_output(cast->enc, "sin"),
                           *inv_freq = find_output(cast->enc, "inv_freq"),
                           *mask = find_output(cast->enc, "mask");

    if (mask && tensor->info.rank > 1 && !is_taken(cast, mask))
        return role_mask_unnamed(cast->enc, tensor);
    if (rank == 1 && inv_freq && tensor->info.dtype <= PE_BF16 && !is_taken(cast, inv_freq))
        return inv_freq;
    if (cos && sin && rank > 1 && tensor->info.dtype <= PE_BF16 && !is_square(&tensor->info)) {
        const bool second =
            is_taken(cast, cos) || (!is_taken(cast, sin) && role_content_is_sine(tensor));

        if (!is_taken(cast, second ? sin : cos))
            return second ? sin : cos;
    }
    return NULL;
}

/* Returns whether two blocks of memory seem the same: of long ones parts are compared, up to
 * the end, since every draft of a claim asks. */
static bool is_same(const unsigned char *one, const unsigned char *other, size_t bytes)
{
    const size_t step = (bytes - 1) / 64 + 1, part = step < 1024 ? step : 1024;
    bool same = memcmp(one + bytes - part, other + bytes - part, part) == 0;

    for (size_t at = 0; same && at + part <= bytes; at += step)
        same = memcmp(one + at, other + at, part) == 0;
    return same;
}

/* Returns whether the tensor has more than rows and columns, and the first two along its first
 * axis seem the same. */
static bool has_equal_batches(const struct pe_verify_tensor *tensor)
{
    const struct pe_tensor *info = &tensor->info;
    uint64_t count = 1;

    if (!tensor->data || squeezed_rank(info) < 3 || info->dims[0] < 2)
        return false;
    for (size_t i = 1; i < info->rank; i++)
        count *= info->dims[i];
    const size_t bytes = (size_t)count * pe_dtype_size(info->dtype);
    return bytes > 0 &&
           is_same(tensor->data, (const unsigned char *)tensor->data + bytes, bytes);
}

/* Returns the default output of the tensor's rank, or of its rank without leading axes of 1,
 * as programs add for a batch of one; else the only output of its rank. */
static const struct pe_output *ranked_output(const struct cast *cast,
                                             const struct pe_tensor *info)
{
    const struct pe_output *only = only_output(cast, info->rank), *output = only;

    for (size_t i = 0; i < info->rank && info->dims[i] == 1 && !(output && output->by_default);
         i++)
        output = only_output(cast, info->rank - i - 1);
    return output && output->by_default ? output : only;
}

static void assign_by_rank(const struct cast *cast, size_t number)
{
    const struct pe_verify_tensor *tensor = &cast->tensors[number];
    const struct pe_output *output = tensor->data ? likely_output(cast, tensor) : NULL;

    if (!output)
        output = ranked_output(cast, &tensor->info);
    if (!output)
        output = only_output(cast, squeezed_rank(&tensor->info));
    if (!output)
        output = role_points(cast->enc, cast->roles, cast->count, &tensor->info);
    if (!output && tensor->data)
        output = first_output(cast, squeezed_rank(&tensor->info));
    if (!output && has_equal_batches(tensor)) /* the axes before are those of batches */
        output = first_output(cast, 2);
    if (!output)
        return;
    cast->roles[number] = judged_as(output, output->name);
    cast->roles[number].guessed =
        role_both_has(cast->enc) &&
        (output == find_output(cast->enc, "cos") || output == find_output(cast->enc, "sin"));
}

/* Returns whether the name is one that a program gave by itself: arr_0, or none. */
static bool is_no_name(const char *name)
{
    return *name == '\0' || strncmp(name, "arr_", 4) == 0;
}

/* ---- all of them ------------------------------------------------------------------------- */

/* Vectors after the turn need those before it, and the reverse. */
static enum pe_status check_vectors(const struct pe_encoding *enc,
                                    const struct pe_verify_tensor *tensors,
                                    const struct pe_verify_role *roles, size_t count,
                                    struct pe_errors *errors)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_known(&roles[i]))
            continue;
        const char *name = roles[i].output ? roles[i].output->name : roles[i].param->name;
        const struct pe_param *param = find_tensor(enc, name);
        const struct pe_output *output = find_output(enc, name);
        bool before = false, after = false, judged = false;

        if (!param || param->table || !output)
            continue;
        for (size_t j = 0; j < count; j++) {
            before = before || roles[j].param == param;
            after = after || roles[j].output == output;
            judged = judged || roles[j].output;
        }
        if (!before)
            return pe_fail(errors, PE_MISSING_PARAMETER, name,
                           "is required: the vectors that %s was made from", tensors[i].name);
        if (!after && !judged) /* beside another output x may do without y */
            return pe_fail(errors, PE_MISSING_PARAMETER, strcmp(name, "x") == 0 ? "y" : "q_rot",
                           "is required: what your code made of %s", name);
    }
    return PE_OK;
}

/* Of two tensors that serve one parameter the first is judged, if its name is an output's. */
static void part_twins(const struct cast *cast)
{
    for (size_t i = 0; i < cast->count; i++)
        for (size_t j = i + 1; j < cast->count; j++) {
            const struct pe_output *output = find_output(cast->enc, name_of(&cast->tensors[i]));

            if (cast->roles[i].param && cast->roles[i].param == cast->roles[j].param && output)
                cast->roles[i] = judged_as(output, output->name);
        }
}

/* Gives roles to the tensors whose names say nothing, as long as they may have one. Returns
 * whether others have a name that says it, beside which these may be left out. */
static bool assign_rest(const struct cast *cast)
{
    bool named = false;

    for (size_t i = 0; i < cast->count; i++)
        named = named || is_known(&cast->roles[i]);
    if (role_both_has(cast->enc))
        assign_circles(cast);
    assign_vectors(cast);
    for (size_t i = 0; i < cast->count; i++) {
        const struct pe_verify_tensor *tensor = &cast->tensors[i];

        if (is_open(cast, i) && (!named || !tensor->optional || is_no_name(name_of(tensor))))
            assign_by_rank(cast, i);
    }
    return named;
}

enum pe_status pe_verify_assign(const struct pe_encoding *enc,
                                const struct pe_verify_tensor *tensors, size_t count,
                                struct pe_verify_role roles[PE_VERIFY_TENSORS],
                                struct pe_errors *errors)
{
    const struct cast cast = {enc, tensors, count, roles};
    const size_t before = errors->count;
    bool judged = false, named;

    if (count > PE_VERIFY_TENSORS)
        return pe_fail(errors, PE_TOO_LARGE, NULL,
                       "the body has %zu tensors; at most %d are verified at once", count,
                       PE_VERIFY_TENSORS);
    for (size_t i = 0; i < count; i++)
        roles[i] = role_by_name(enc, &tensors[i]);
    part_twins(&cast);
    named = assign_rest(&cast);
    for (size_t i = 0; i < count; i++)
        judged = judged || roles[i].output;
    for (size_t i = 0; i < count; i++)
        if (!is_known(&roles[i]) &&
            (!judged || !named || !tensors[i].optional || tensors[i].role))
            role_refuse(enc, name_of(&tensors[i]), errors);
    if (errors->count > before)
        return errors->at[before].status;
    enum pe_status status = check_vectors(enc, tensors, roles, count, errors);
    if (!status && !judged)
        status = pe_fail(errors, PE_MISSING_PARAMETER, "tensor",
                         "is required: the body has no tensor that %s makes", enc->name);
    return status;
}
