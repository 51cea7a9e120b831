/* SPDX-License-Identifier: Apache-2.0
 * verify_encoding.c - see verify_encoding.h. Names of tensors choose among the encodings of a
 * model, and where they do not, positions come before masks. */
#include "proto/verify/verify_encoding.h"

#include <stdio.h>
#include <string.h>

enum { ENCODINGS_MAX = 16, NAMES_SIZE = 200 };

/* Returns "/apply" of the encoding if a tensor is one of its vectors, else the encoding. */
static const struct pe_encoding *with_vectors(const struct verify_source *source,
                                              const struct pe_encoding *enc)
{
    const struct tensor_set *set = source->tensors;
    char name[64];
    int len = snprintf(name, sizeof name, "%s/apply", pe_name(enc));
    const struct pe_encoding *apply = pe_find(name, (size_t)len);

    for (size_t i = 0; apply && i < set->count; i++) {
        const struct pe_param *param = tensor_param(apply, set->at[i].name);

        if (param && param->type == PE_TENSOR)
            return apply;
    }
    return enc;
}

/* The encodings of a model, each once. */
struct encodings {
    const struct pe_encoding *at[ENCODINGS_MAX];
    size_t count;
};

static struct encodings encodings_of(const struct model *model)
{
    struct encodings found = {.count = 0};

    for (size_t i = 0; i < model->use_count && found.count < ENCODINGS_MAX; i++) {
        const char *name = model->uses[i].encoding;
        const struct pe_encoding *enc = name ? pe_find(name, strlen(name)) : NULL;
        size_t j = 0;

        while (j < found.count && found.at[j] != enc)
            j++;
        if (enc && j == found.count)
            found.at[found.count++] = enc;
    }
    return found;
}

/* Returns whether a tensor of the body has the name of an output of the encoding. */
static bool has_tensor(const struct verify_source *source, const struct pe_encoding *enc)
{
    const struct tensor_set *tensors = source->tensors;
    size_t count;
    const struct pe_output *output = pe_outputs(with_vectors(source, enc), &count);

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; source->named && j < tensors->count; j++)
            if (strcmp(output[i].name, tensors->at[j].name) == 0)
                return true;
    return false;
}

/* Returns whether the encoding is about positions, neither a mask nor a factor of scores. */
static bool is_positional(const struct verify_source *source, const struct pe_encoding *enc)
{
    size_t count;
    const struct pe_param *param = pe_params(enc, &count);

    (void)source;
    for (size_t i = 0; i < count && pe_family_of(enc) != PE_MASK; i++)
        if (pe_param_group(&param[i]) == PE_GROUP_POSITIONS)
            return true;
    return false;
}

/* Keeps the encodings of which the test holds, if it holds of any. */
static void narrow(const struct verify_source *source, struct encodings *found,
                   bool (*test)(const struct verify_source *, const struct pe_encoding *))
{
    struct encodings kept = {.count = 0};

    for (size_t i = 0; i < found->count; i++)
        if (test(source, found->at[i]))
            kept.at[kept.count++] = found->at[i];
    if (kept.count > 0)
        *found = kept;
}

static void refuse_several(const struct model *model, const struct encodings *found,
                           struct pe_errors *errors)
{
    char names[NAMES_SIZE] = "";
    size_t used = 0;

    for (size_t i = 0; i < found->count && used < NAMES_SIZE; i++)
        used += (size_t)snprintf(names + used, NAMES_SIZE - used, "%s%s", i > 0 ? ", " : "",
                                 pe_name(found->at[i]));
    pe_fail(errors, PE_MISSING_PARAMETER, "encoding",
            "is required: %s has several; give one of %s", model->id, names);
}

const struct pe_encoding *verify_encoding_of_model(const struct verify_source *source,
                                                   const struct model *model,
                                                   struct pe_errors *errors)
{
    struct encodings found = encodings_of(model);

    if (found.count > 1)
        narrow(source, &found, has_tensor);
    if (found.count > 1)
        narrow(source, &found, is_positional);
    if (found.count == 1)
        return with_vectors(source, found.at[0]);
    if (found.count == 0)
        pe_fail(errors, PE_CONFLICT, "model", "%s has no positional encoding", model->id);
    else
        refuse_several(model, &found, errors);
    return NULL;
}
