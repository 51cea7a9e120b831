/* SPDX-License-Identifier: Apache-2.0
 * model_use.c - groups of layers, and the use of a model for one encoding. */
#include "proto/models/model_use.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ECHO_MAX = 60, NAMES_MAX = 200 };

/* ---- groups of layers ------------------------------------------------------------------- */

const char *model_use_group(const struct model_use *use)
{
    return use->layer_type ? use->layer_type : MODEL_ALL_LAYERS;
}

const char *model_use_layer_type(const struct model *model, int64_t layer)
{
    return model->pattern_len > 0 ? model->pattern[(uint64_t)layer % model->pattern_len] : NULL;
}

static bool has_type(const char *const *pattern, size_t len, const char *type)
{
    for (size_t i = 0; i < len; i++)
        if (strcmp(pattern[i], type) == 0)
            return true;
    return false;
}

/* Returns whether layers of the main stack have the type. */
static bool is_main(const struct model *model, const char *type)
{
    return has_type(model->pattern, model->pattern_len, type);
}

bool model_use_is_of(const struct model *model, const struct model_use *use, const char *type)
{
    return strcmp(model_use_group(use), type) == 0 ||
           (!use->layer_type && is_main(model, type));
}

bool model_use_stack(const struct model *model, const struct model_use *use,
                     struct model_stack *stack)
{
    const char *type = use->layer_type;

    if (!type)
        return false;
    if (is_main(model, type)) {
        *stack = (struct model_stack){NULL, model->layers, model->pattern, model->pattern_len};
        return model->layers > 0;
    }
    for (size_t i = 0; i < model->stack_count; i++) {
        *stack = model->stacks[i];
        if (strcmp(stack->name, type) == 0)
            stack->pattern_len = 0;
        if (stack->pattern_len == 0 ? strcmp(stack->name, type) == 0
                                    : has_type(stack->pattern, stack->pattern_len, type))
            return true;
    }
    return false;
}

bool model_use_has_layer(const struct model_use *use, const struct model_stack *stack,
                         int64_t i)
{
    return stack->pattern_len == 0 ||
           strcmp(stack->pattern[(uint64_t)i % stack->pattern_len], use->layer_type) == 0;
}

bool model_use_is_about(const struct model_use *use, const struct pe_encoding *enc)
{
    static const char apply[] = "/apply";
    const char *name = pe_name(enc);
    size_t len = use->encoding ? strlen(use->encoding) : 0;

    return len > 0 && strncmp(name, use->encoding, len) == 0 &&
           (name[len] == '\0' || strcmp(name + len, apply) == 0);
}

/* A list of names, each once: "rope, causal-mask or softmax-scale". */
struct names {
    const char *at[32];
    size_t count;
};

static void add_name(struct names *names, const char *name)
{
    size_t i = 0;

    while (i < names->count && strcmp(names->at[i], name) != 0)
        i++;
    if (i == names->count && i < sizeof names->at / sizeof *names->at)
        names->at[names->count++] = name;
}

static const char *print_names(const struct names *names, const char *last,
                               char text[NAMES_MAX])
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < names->count && used < NAMES_MAX; i++)
        used += (size_t)snprintf(text + used, NAMES_MAX - used, "%s%s",
                                 i == 0                  ? ""
                                 : i + 1 == names->count ? last
                                                         : ", ",
                                 names->at[i]);
    return text;
}

/* Lists the groups of the uses, or of those that have the encoding. */
static struct names groups_of(const struct model *model, const struct pe_encoding *enc)
{
    struct names names = {.count = 0};

    for (size_t i = 0; i < model->use_count; i++)
        if (!enc || model_use_is_about(&model->uses[i], enc))
            add_name(&names, model_use_group(&model->uses[i]));
    return names;
}

/* Finds the layers of a number: their type, or MODEL_ALL_LAYERS. */
static enum pe_status find_layer(const struct model *model, int64_t index, const char **type,
                                 struct pe_errors *errors)
{
    const struct names groups = groups_of(model, NULL);
    char text[NAMES_MAX];
    bool alike = false;

    for (size_t i = 0; i < groups.count; i++)
        alike |= strcmp(groups.at[i], MODEL_ALL_LAYERS) == 0;
    if (model->layers > 0 && index >= model->layers)
        return pe_fail(errors, PE_OUT_OF_RANGE, "layer",
                       "must be 0..%" PRId64 ", a layer of %s; got %" PRId64, model->layers - 1,
                       model->id, index);
    *type = model_use_layer_type(model, index);
    if (!*type && !alike)
        return pe_fail(errors, PE_CONFLICT, "layer",
                       "of %s is of no known type; give layer_type=%s", model->id,
                       print_names(&groups, " or ", text));
    *type = *type ? *type : MODEL_ALL_LAYERS;
    return PE_OK;
}

/* Finds the group that the client named, by its name or by a layer's number; NULL if the client
 * named none. */
static enum pe_status find_type(const struct model *model, const struct model_use_layer *layer,
                                const char **type, struct pe_errors *errors)
{
    const struct names groups = groups_of(model, NULL);
    char text[NAMES_MAX];
    bool known = false;

    *type = layer->type;
    if (layer->type && layer->index >= 0)
        return pe_fail(errors, PE_CONFLICT, "layer_type",
                       "and layer both choose layers; give one of the two");
    if (layer->index >= 0)
        return find_layer(model, layer->index, type, errors);
    for (size_t i = 0; layer->type && i < groups.count; i++)
        known |= strcmp(groups.at[i], layer->type) == 0;
    if (!layer->type || known || is_main(model, layer->type))
        return PE_OK;
    if (groups.count == 1 && strcmp(groups.at[0], MODEL_ALL_LAYERS) == 0)
        return pe_fail(errors, PE_CONFLICT, "layer_type",
                       "has no effect: all layers of %s are alike; leave it out", model->id);
    return pe_fail(errors, PE_BAD_VALUE, "layer_type", "must be %s for %s; got %.*s",
                   print_names(&groups, " or ", text), model->id, ECHO_MAX, layer->type);
}

/* ---- the use for an encoding ------------------------------------------------------------ */

/* Refuses the encoding: the model has others, or none in these layers. */
static void refuse_encoding(const struct model *model, const struct pe_encoding *enc,
                            const char *type, struct pe_errors *errors)
{
    struct names others = {.count = 0};
    bool elsewhere = false;
    char text[NAMES_MAX];

    for (size_t i = 0; i < model->use_count; i++)
        elsewhere |= model_use_is_about(&model->uses[i], enc);
    for (size_t i = 0; i < model->use_count; i++)
        if (model->uses[i].encoding &&
            (!elsewhere || model_use_is_of(model, &model->uses[i], type)))
            add_name(&others, model->uses[i].encoding);
    print_names(&others, " and ", text);
    if (elsewhere)
        pe_fail(errors, PE_CONFLICT, "layer_type", "%s of %s has no %s%s%s", type, model->id,
                pe_name(enc), *text ? "; it has " : "", text);
    else
        pe_fail(errors, PE_CONFLICT, "model", "%s has no %s%s%s", model->id, pe_name(enc),
                *text ? "; it has " : "", text);
}

const struct model_use *model_use_choose(const struct model *model,
                                         const struct pe_encoding *enc,
                                         const struct model_use_layer *layer,
                                         struct pe_errors *errors)
{
    const struct model_use *found = NULL;
    const char *type = NULL;
    size_t count = 0;
    bool numbered = false;
    char text[NAMES_MAX];

    if (find_type(model, layer, &type, errors) != PE_OK)
        return NULL;
    for (size_t i = 0; i < model->use_count; i++) {
        const struct model_use *use = &model->uses[i];

        if (model_use_is_about(use, enc) && (!type || model_use_is_of(model, use, type))) {
            found = use;
            count++;
            numbered |= use->layer_type && is_main(model, use->layer_type);
        }
    }
    if (count == 0) {
        refuse_encoding(model, enc, type, errors);
    } else if (count > 1) {
        const struct names groups = groups_of(model, enc);

        pe_fail(errors, PE_MISSING_PARAMETER, "layer_type",
                "is required: layers of %s differ; give layer_type=%s%s", model->id,
                print_names(&groups, " or ", text), numbered ? ", or layer" : "");
    }
    return count == 1 ? found : NULL;
}

/* Pairs of names with one meaning: if a client gives one, the model's other one is left out. */
static const char *const twins[][2] = {
    {"rotary_dim", "partial_rotary_factor"},
    {"partial_rotary_factor", "rotary_dim"},
};

static bool is_replaced(const char *name, const char *const *given, size_t given_count)
{
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++) {
        for (size_t j = 0; j < given_count && strcmp(name, twins[i][0]) == 0; j++)
            if (strcmp(given[j], twins[i][1]) == 0)
                return true;
    }
    return false;
}

enum pe_status model_use_apply(const struct model_use *use, struct pe_args *args,
                               const char *const *given, size_t given_count,
                               struct pe_errors *errors)
{
    for (size_t i = 0; i < use->count; i++) {
        const struct model_setting *setting = &use->settings[i];
        size_t before = errors->count;

        if (is_replaced(setting->name, given, given_count))
            continue;
        enum pe_status status = pe_args_assume(args, setting->name, setting->text, errors);
        if (errors->count > before)
            return status;
        if (status == PE_CONFLICT && strcmp(setting->name, "scaling") == 0)
            break; /* another scaling was given: the settings after it belong to the model's */
    }
    return PE_OK;
}
