/* SPDX-License-Identifier: Apache-2.0
 * model_output.c - see model_output.h. An output's needs follow from its rows in the registry:
 * what every request for it must give, and the sets of which it must give one. */
#include "proto/models/model_output.h"

#include <string.h>

#include "proto/models/param_set.h"

#define FEW "16" /* positions of an example */

const struct pe_encoding *model_output_encoding(const struct model_use *use)
{
    return !use->encoding ? NULL : pe_find(use->encoding, strlen(use->encoding));
}

const char *model_output_setting(const struct model_use *use, const char *name)
{
    for (size_t i = 0; i < use->count; i++)
        if (strcmp(use->settings[i].name, name) == 0)
            return use->settings[i].text;
    return NULL;
}

const char *model_output_example(const struct pe_param *param)
{
    static const struct {
        const char *name, *text;
    } examples[] = {
        {"len", FEW},          {"q_len", FEW},
        {"k_len", FEW},        {"grid", "4x4"},
        {"grid_thw", "1,4,4"}, {"grid_sizes", "4,4"},
        {"q_grid", "4x4"},     {"segments", "text:4,image:1x4x4,text:2"},
        {"frames", "4"},
    };

    if (param->type == PE_POSITIONS && pe_param_group(param) == PE_GROUP_POSITIONS)
        return "0:" FEW;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (strcmp(param->name, examples[i].name) == 0)
            return examples[i].text;
    return NULL;
}

/* Returns whether the request has a parameter, from the model or as positions of the client. */
static bool is_there(const struct model_use *use, const struct pe_param *param)
{
    return model_output_setting(use, param->name) || model_output_example(param) != NULL;
}

/* Returns whether the output is a default one, or one that a tensor of the checkpoint goes
 * into. */
static bool is_meant(const struct model_use *use, const struct pe_output *output)
{
    bool meant = output->by_default;

    for (size_t i = 0; i < use->tensor_count; i++)
        meant |= pe_output_uses(output, use->tensors[i].parameter);
    return meant;
}

size_t model_output_needs(const struct model_use *use, const struct pe_encoding *enc,
                          const struct pe_output *output,
                          const char *names[MODEL_OUTPUT_NEEDS_MAX])
{
    size_t params, count = 0;
    const struct pe_param *param = pe_params(enc, &params);
    const char *sets = output->one_of;
    struct param_set set;

    for (size_t i = 0; i < params && count < MODEL_OUTPUT_NEEDS_MAX; i++)
        if (pe_output_requires(output, &param[i]) && !is_there(use, &param[i]))
            names[count++] = param[i].name;
    while (count < MODEL_OUTPUT_NEEDS_MAX && param_set_next(enc, &sets, &set)) {
        bool there = false;

        for (size_t i = 0; i < set.count; i++)
            there |= is_there(use, set.at[i]);
        if (!there)
            names[count++] = set.at[0]->name;
    }
    return count;
}

size_t model_output_meant_needs(const struct model_use *use, const struct pe_encoding *enc,
                                const struct pe_output *output,
                                const char *names[MODEL_OUTPUT_NEEDS_MAX])
{
    return is_meant(use, output) ? model_output_needs(use, enc, output, names) : 0;
}

/* Finds the output that says in less memory what the default outputs say; NULL: none does. */
static const struct pe_output *find_short(const struct pe_output *output, size_t count)
{
    static const char *const names[] = {"runs", "slopes"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t j = 0; j < count; j++)
            if (strcmp(output[j].name, names[i]) == 0)
                return &output[j];
    return NULL;
}

/* Finds the output that numbers the rows of a table which the client has: it stands in the
 * place of these rows. NULL: there is none, or it lacks something too. */
static const struct pe_output *find_index(const struct model_use *use,
                                          const struct pe_encoding *enc,
                                          const struct pe_output *output, size_t count)
{
    const char *needs[MODEL_OUTPUT_NEEDS_MAX];

    for (size_t i = 0; i < count; i++)
        if (strcmp(output[i].name, "index") == 0 &&
            model_output_needs(use, enc, &output[i], needs) == 0)
            return &output[i];
    return NULL;
}

size_t model_output_tables(const struct model_use *use, bool dense,
                           const struct pe_output *outputs[PE_MAX_OUTPUTS])
{
    const struct pe_encoding *enc = model_output_encoding(use);
    const char *needs[MODEL_OUTPUT_NEEDS_MAX];
    size_t count = 0, found = 0;
    const struct pe_output *output = enc ? pe_outputs(enc, &count) : NULL,
                           *brief = dense ? NULL : find_short(output, count);

    for (size_t i = 0; i < count; i++)
        if ((brief ? &output[i] == brief : output[i].by_default) &&
            model_output_needs(use, enc, &output[i], needs) == 0)
            outputs[found++] = &output[i];
    if (found == 0 && (brief = find_index(use, enc, output, count)) != NULL)
        outputs[found++] = brief;
    return found;
}
