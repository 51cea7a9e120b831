/* SPDX-License-Identifier: Apache-2.0
 * verify_layout.c - see verify_layout.h. */
#include "proto/verify/verify_layout.h"

#include <stdlib.h>
#include <string.h>

#include "proto/models/model_use.h"
#include "proto/models/models.h"

/* Returns the pairing by which the last row of a tensor has each number twice: "half", or
 * "adjacent"; NULL: it has not, or all of its numbers are equal. */
static const char *pairing_of(const double *row, size_t cols)
{
    const size_t half = cols / 2;
    bool halves = cols % 2 == 0 && half > 1, adjacent = halves, equal = true;

    for (size_t i = 0; i < half; i++) {
        halves = halves && row[i] == row[i + half];
        adjacent = adjacent && row[2 * i] == row[2 * i + 1];
        equal = equal && row[i] == row[0];
    }
    return equal || halves == adjacent ? NULL : halves ? "half" : "adjacent";
}

static const char *pairing_shown(const struct tensor *tensor)
{
    const struct pe_tensor *info = &tensor->info;
    const size_t cols = info->rank > 1 ? (size_t)info->dims[info->rank - 1] : 0;
    size_t elements = 1;

    for (size_t i = 0; i < info->rank; i++)
        elements *= (size_t)info->dims[i];
    if (cols == 0 || elements == 0 || tensor->complex)
        return NULL;
    double *row = malloc(cols * sizeof *row);
    if (!row)
        return NULL; /* then the claim is the model's own */
    const char *last =
        (const char *)tensor->data + (elements - cols) * pe_dtype_size(info->dtype);
    pe_dtype_to_f64(info->dtype, row, last, cols);
    const char *pairing = pairing_of(row, cols);
    free(row);
    return pairing;
}

/* Returns whether the tensors show the pairing of a layout. */
static bool is_shown(const struct model_layout *layout, const struct tensor_set *tensors)
{
    const char *pairing = NULL;

    for (size_t i = 0; i < layout->count; i++)
        if (strcmp(layout->settings[i].name, "pairing") == 0)
            pairing = layout->settings[i].text;
    for (size_t i = 0; pairing && i < tensors->count; i++) {
        const char *shown = pairing_shown(&tensors->at[i]);

        if (shown && strcmp(shown, pairing) == 0)
            return true;
    }
    return false;
}

/* Returns the use of the request's model; NULL: it has no model, or a problem. */
static const struct model_use *use_of(const struct request *request,
                                      const struct models *models)
{
    const struct option_values *values = &request_options(request)->values;
    const struct model *model = values->model[0] != '\0'
                                    ? models_find(models, values->model, strlen(values->model))
                                    : NULL;
    const struct model_use_layer layer = {
        .type = values->layer_type[0] != '\0' ? values->layer_type : NULL,
        .index = values->given[OPTION_LAYER] ? values->value[OPTION_LAYER] : -1};
    struct pe_errors errors = {.count = 0};

    return model ? model_use_choose(model, request_encoding(request), &layer, &errors) : NULL;
}

void verify_layout_set(struct request *request, const struct models *models,
                       const struct tensor_set *tensors)
{
    const struct model_use *use = use_of(request, models);
    struct pe_errors errors = {.count = 0};

    for (size_t i = 0; use && i < use->layout_count; i++) {
        const struct model_layout *layout = &use->layouts[i];

        if (!is_shown(layout, tensors))
            continue;
        for (size_t j = 0; j < layout->count; j++)
            (void)pe_args_assume(request_args(request), layout->settings[j].name,
                                 layout->settings[j].text, &errors);
        return;
    }
}
