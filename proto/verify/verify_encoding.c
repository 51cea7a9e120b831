/* SPDX-License-Identifier: Apache-2.0
 * verify_encoding.c - see verify_encoding.h. Names of tensors choose among the encodings of a
 * model, and where they do not, positions come before masks. */
#include "proto/verify/verify_encoding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/posenc_verify.h"
#include "proto/models/model_use.h"
#include "proto/verify/verify_mask.h"

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

/* Returns the type of the layers that the query names; NULL: it names none. */
static const char *layer_type_of(const struct verify_source *source, const struct model *model,
                                 char text[NAMES_SIZE])
{
    for (size_t i = 0; source->query && i < source->query->count; i++) {
        const struct query_parameter *at = &source->query->at[i];

        if (at->name_len == strlen("layer_type") &&
            memcmp(at->name, "layer_type", at->name_len) == 0) {
            snprintf(text, NAMES_SIZE, "%.*s", (int)at->value_len, at->value);
            return text;
        }
        if (at->name_len == strlen("layer") && memcmp(at->name, "layer", at->name_len) == 0) {
            snprintf(text, NAMES_SIZE, "%.*s", (int)at->value_len, at->value);
            return model_use_layer_type(model, strtoll(text, NULL, 10));
        }
    }
    return NULL;
}

/* The encodings of a model, each once. */
struct encodings {
    const struct pe_encoding *at[ENCODINGS_MAX];
    size_t count;
};

static struct encodings encodings_of(const struct model *model, const char *layer_type)
{
    struct encodings found = {.count = 0};

    for (size_t i = 0; i < model->use_count && found.count < ENCODINGS_MAX; i++) {
        const char *name = model->uses[i].encoding;
        const struct pe_encoding *enc = name ? pe_find(name, strlen(name)) : NULL;
        size_t j = 0;

        if (enc && layer_type && !model_use_is_of(model, &model->uses[i], layer_type))
            continue;
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

/* Returns whether the name of a tensor says an output of the encoding in another program's
 * words; or of a tensor without a name the numbers, which are those of a mask. */
static bool has_word(const struct verify_source *source, const struct pe_encoding *enc)
{
    double hidden;

    if (!source->named && source->tensors->count == 1 && source->tensors->at[0].data)
        return pe_family_of(enc) == PE_MASK && source->tensors->at[0].info.rank > 1 &&
               verify_mask_is(&source->tensors->at[0], &hidden);
    for (size_t i = 0; source->named && i < source->tensors->count; i++)
        if (pe_verify_is_named(with_vectors(source, enc), source->tensors->at[i].name))
            return true;
    return false;
}

/* Returns whether the last query of a mask does not see the first key as it sees the last: a
 * window hides it. */
static bool shows_window(const struct verify_source *source)
{
    const struct tensor *mask = &source->tensors->at[0];
    const size_t rank = mask->info.rank, size = pe_dtype_size(mask->info.dtype);

    if (rank < 2 || mask->bytes == 0)
        return false;
    const uint64_t cols = mask->info.dims[rank - 1];
    const char *end = (const char *)mask->data + mask->bytes;
    return memcmp(end - cols * size, end - size, size) != 0;
}

/* Returns whether the encoding is the mask that the tensor shows, or none. */
static bool is_shown_mask(const struct verify_source *source, const struct pe_encoding *enc)
{
    const bool windowed = pe_param_find(enc, "window", strlen("window")) != NULL;

    return pe_family_of(enc) == PE_MASK && windowed == shows_window(source);
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
    char text[NAMES_SIZE];
    const char *layer_type = layer_type_of(source, model, text);
    struct encodings found = encodings_of(model, layer_type);

    if (found.count == 0) /* no layers have the type, which the model itself refuses */
        found = encodings_of(model, NULL);
    if (found.count > 1)
        narrow(source, &found, has_tensor);
    if (found.count > 1)
        narrow(source, &found, has_word);
    if (found.count > 1 && pe_family_of(found.at[0]) == PE_MASK && source->tensors->count == 1)
        narrow(source, &found, is_shown_mask);
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
