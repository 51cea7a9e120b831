/* SPDX-License-Identifier: Apache-2.0
 * roles.c - what each tensor is for a claim: an output that is judged, or a tensor that the
 * claim needs, by its name, or else by its rank. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/args/args.h"
#include "core/encoding.h"
#include "core/posenc_verify.h"

enum { NAMES_MAX = 200 };

/* Names of what becomes of vectors. */
static const struct {
    const char *name, *output;
} turned[] = {{"y", "x"},       {"x_rot", "x"}, {"x_out", "x"}, {"q_rot", "q"},
              {"q_embed", "q"}, {"q_out", "q"}, {"k_rot", "k"}, {"k_embed", "k"},
              {"k_out", "k"},   {NULL, NULL}};
static const char *const complex_names[] = {"freqs_cis", "freqs", "cis", "pos_cis"};

static const struct pe_output *find_output(const struct pe_encoding *enc, const char *name)
{
    for (size_t i = 0; i < enc->output_count; i++)
        if (strcmp(enc->outputs[i].name, name) == 0)
            return &enc->outputs[i];
    return NULL;
}

static const struct pe_param *find_tensor(const struct pe_encoding *enc, const char *name)
{
    for (size_t i = 0; i < enc->param_count; i++)
        if (enc->params[i].type == PE_TENSOR && strcmp(enc->params[i].name, name) == 0)
            return &enc->params[i];
    return NULL;
}

static bool is_complex(const struct pe_encoding *enc, const struct pe_verify_tensor *tensor)
{
    bool named = tensor->complex;

    for (size_t i = 0; i < PE_LEN(complex_names); i++)
        named = named || strcmp(tensor->name, complex_names[i]) == 0;
    return named && tensor->info.rank >= 2 && tensor->info.dims[tensor->info.rank - 1] == 2 &&
           find_output(enc, "cos") && find_output(enc, "sin");
}

static struct pe_verify_role role_by_name(const struct pe_encoding *enc,
                                          const struct pe_verify_tensor *tensor)
{
    struct pe_verify_role role = {.name = tensor->name};

    if (is_complex(enc, tensor)) {
        role.output = find_output(enc, "cos");
        role.name = "freqs_cis";
        return role;
    }
    role.param = find_tensor(enc, tensor->name);
    if (role.param)
        return role;
    role.output = find_output(enc, tensor->name);
    for (size_t i = 0; !role.output && turned[i].name; i++)
        if (strcmp(turned[i].name, tensor->name) == 0 && find_tensor(enc, turned[i].output))
            role.output = find_output(enc, turned[i].output);
    return role;
}

/* ---- tensors of another name ------------------------------------------------------------- */

static size_t axes_of(const struct pe_output *output)
{
    size_t count = 0;

    while (count < PE_MAX_RANK && output->axes[count])
        count++;
    return count;
}

static bool is_taken(const struct pe_verify_role *roles, size_t count,
                     const struct pe_output *output)
{
    for (size_t i = 0; i < count; i++)
        if (roles[i].output == output)
            return true;
    return false;
}

/* Returns the only free output of that rank, or the only one of them that is a default. */
static const struct pe_output *only_output(const struct pe_encoding *enc, size_t rank,
                                           const struct pe_verify_role *roles, size_t count)
{
    const struct pe_output *any = NULL, *usual = NULL;
    size_t anys = 0, usuals = 0;

    for (size_t i = 0; i < enc->output_count; i++) {
        const struct pe_output *output = &enc->outputs[i];

        if (is_taken(roles, count, output) || axes_of(output) != rank)
            continue;
        any = output;
        anys++;
        usual = output->by_default ? output : usual;
        usuals += output->by_default;
    }
    return usuals == 1 ? usual : anys == 1 ? any : NULL;
}

static size_t squeezed_rank(const struct pe_tensor *info)
{
    size_t rank = 0;

    for (size_t i = 0; i < info->rank; i++)
        rank += info->dims[i] != 1;
    return rank;
}

static void print_names(const struct pe_encoding *enc, char *text)
{
    size_t len = 0;

    text[0] = '\0';
    for (size_t i = 0; i < enc->output_count && len < NAMES_MAX - 40; i++)
        len += (size_t)snprintf(text + len, NAMES_MAX - len, "%s%s", i > 0 ? ", " : "",
                                enc->outputs[i].name);
}

static enum pe_status refuse(const struct pe_encoding *enc,
                             const struct pe_verify_tensor *tensor, struct pe_errors *errors)
{
    char names[NAMES_MAX];

    print_names(enc, names);
    if (tensor->name[0] == '\0')
        return pe_fail(errors, PE_MISSING_PARAMETER, "tensor",
                       "is required: which output of %s the tensor is, of %s", enc->name,
                       names);
    return pe_fail(errors, PE_UNKNOWN_PARAMETER, tensor->name,
                   "is no output of %s; name the tensor one of %s", enc->name, names);
}

static enum pe_status assign_by_rank(const struct pe_encoding *enc,
                                     const struct pe_verify_tensor *tensor, size_t number,
                                     struct pe_verify_role *roles, size_t count,
                                     struct pe_errors *errors)
{
    struct pe_verify_role *role = &roles[number];

    role->output = only_output(enc, tensor->info.rank, roles, count);
    if (!role->output)
        role->output = only_output(enc, squeezed_rank(&tensor->info), roles, count);
    if (!role->output)
        return refuse(enc, tensor, errors);
    role->name = role->output->name;
    return PE_OK;
}

/* ---- all of them ------------------------------------------------------------------------- */

/* Vectors after the turn need those before it, and the reverse. */
static enum pe_status check_vectors(const struct pe_encoding *enc,
                                    const struct pe_verify_tensor *tensors,
                                    const struct pe_verify_role *roles, size_t count,
                                    struct pe_errors *errors)
{
    for (size_t i = 0; i < count; i++) {
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

enum pe_status pe_verify_assign(const struct pe_encoding *enc,
                                const struct pe_verify_tensor *tensors, size_t count,
                                struct pe_verify_role roles[PE_VERIFY_TENSORS],
                                struct pe_errors *errors)
{
    const size_t before = errors->count;
    bool judged = false;

    if (count > PE_VERIFY_TENSORS)
        return pe_fail(errors, PE_TOO_LARGE, NULL,
                       "the body has %zu tensors; at most %d are verified at once", count,
                       PE_VERIFY_TENSORS);
    for (size_t i = 0; i < count; i++)
        roles[i] = role_by_name(enc, &tensors[i]);
    for (size_t i = 0; i < count; i++) /* of two tensors of one name the first is judged */
        for (size_t j = i + 1; j < count; j++)
            if (roles[i].param && roles[i].param == roles[j].param &&
                find_output(enc, tensors[i].name))
                roles[i] = (struct pe_verify_role){.output = find_output(enc, tensors[i].name),
                                                   .name = tensors[i].name};
    for (size_t i = 0; i < count; i++) {
        if (!roles[i].output && !roles[i].param)
            assign_by_rank(enc, &tensors[i], i, roles, count, errors);
        judged = judged || roles[i].output;
    }
    if (errors->count > before)
        return errors->at[before].status;
    enum pe_status status = check_vectors(enc, tensors, roles, count, errors);
    if (!status && !judged)
        status = pe_fail(errors, PE_MISSING_PARAMETER, "tensor",
                         "is required: the body has no tensor that %s makes", enc->name);
    return status;
}

/* Returns whether the outputs of one role, which comes before or after the other, are those of
 * the other too. */
static bool covers(const struct pe_verify_role *role, const struct pe_verify_role *other,
                   bool before)
{
    bool both = strcmp(role->name, "freqs_cis") == 0;
    bool other_both = strcmp(other->name, "freqs_cis") == 0;

    if (both && !other_both)
        return other->output == role->output || other->output == role->output + 1;
    return before && role->output == other->output && both == other_both;
}

enum pe_status pe_verify_prepare(struct pe_args *args, const struct pe_verify_tensor *tensors,
                                 size_t count, const struct pe_verify_role *roles,
                                 struct pe_errors *errors)
{
    const size_t before = errors->count;
    char out[NAMES_MAX] = "";
    size_t len = 0;

    for (size_t i = 0; i < count; i++) {
        if (roles[i].param && pe_given(args, roles[i].param->offset))
            continue; /* the claim has it itself */
        if (roles[i].param) {
            pe_args_set_tensor(args, roles[i].param->name, strlen(roles[i].param->name),
                               &tensors[i].info, errors);
            continue;
        }
        bool complex = strcmp(roles[i].name, "freqs_cis") == 0;
        bool again = false;
        for (size_t j = 0; j < count; j++)
            again = again || (j != i && roles[j].output && covers(&roles[j], &roles[i], j < i));
        if (!again) /* cos beside freqs_cis is judged too */
            len += (size_t)snprintf(out + len, sizeof out - len, "%s%s", len > 0 ? "," : "",
                                    complex ? "cos,sin" : roles[i].output->name);
        assert(len < sizeof out);
    }
    args->keeps_given = true;
    if (errors->count == before)
        pe_args_set_text(args, "out", 3, out, strlen(out), errors);
    return errors->count > before ? errors->at[before].status : PE_OK;
}
