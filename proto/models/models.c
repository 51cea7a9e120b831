/* SPDX-License-Identifier: Apache-2.0
 * models.c - the embedded models (build/gen/model_rows.h), sets of them with an operator's own
 * models, and the use of a model for one encoding. */
#include "proto/models/models.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model_rows.h" /* embedded[]: made from core/models */

enum { EMBEDDED = sizeof embedded / sizeof embedded[0], SUGGESTIONS_MAX = 512, ECHO_MAX = 60 };

struct models {
    size_t count;
    const struct model **at; /* NULL: the embedded models */
};

/* ---- sets ----------------------------------------------------------------------------- */

const struct models *models_embedded(void)
{
    static const struct models all = {.count = EMBEDDED};

    return &all;
}

static int compare(const void *a, const void *b)
{
    return strcmp((*(const struct model *const *)a)->id, (*(const struct model *const *)b)->id);
}

struct models *models_new(const struct model *const *more, size_t count)
{
    struct models *models = calloc(1, sizeof *models);
    const struct model **at = calloc(EMBEDDED + count, sizeof *at);

    if (!models || !at) {
        free(models);
        free(at);
        return NULL;
    }
    for (size_t i = 0; i < EMBEDDED; i++)
        at[i] = &embedded[i];
    for (size_t i = 0; i < count; i++)
        at[EMBEDDED + i] = more[i];
    qsort(at, EMBEDDED + count, sizeof *at, compare);
    *models = (struct models){.count = EMBEDDED + count, .at = at};
    return models;
}

void models_free(struct models *models)
{
    if (models) {
        free(models->at);
        free(models);
    }
}

size_t models_count(const struct models *models)
{
    return models->count;
}

const struct model *models_at(const struct models *models, size_t i)
{
    assert(i < models->count);
    return models->at ? models->at[i] : &embedded[i];
}

static bool same(const char *word, const char *name, size_t len)
{
    return strlen(word) == len && strncasecmp(word, name, len) == 0;
}

static bool is_called(const struct model *model, const char *name, size_t len)
{
    if (same(model->id, name, len))
        return true;
    for (const char *const *alias = model->aliases; alias && *alias; alias++) {
        const char *slash = strrchr(*alias, '/');

        if (same(*alias, name, len) || (slash && same(slash + 1, name, len)))
            return true;
    }
    return false;
}

const struct model *models_find(const struct models *models, const char *name, size_t len)
{
    for (size_t i = 0; i < models->count; i++)
        if (is_called(models_at(models, i), name, len))
            return models_at(models, i);
    return NULL;
}

const char *models_suggest(const struct models *models, const char *name, size_t len)
{
    const char *names[SUGGESTIONS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < models->count && count < SUGGESTIONS_MAX; i++)
        names[count++] = models_at(models, i)->id;
    const char *slash = memrchr(name, '/', len); /* org/name, as a repository's name */
    size_t skip = slash ? (size_t)(slash + 1 - name) : 0;
    return pe_suggest(name + skip, len - skip, names, count);
}

enum pe_status models_refuse(const struct models *models, const char *name, size_t len,
                             struct pe_errors *errors)
{
    const char *near = models_suggest(models, name, len);

    pe_fail(errors, PE_UNKNOWN_NAME, "model", "must be one of /v1/models; got %.*s%s",
            (int)(len < ECHO_MAX ? len : ECHO_MAX), name, len > ECHO_MAX ? "..." : "");
    if (near)
        pe_hint(errors, "did you mean %s?", near);
    else
        pe_hint(errors, "POST /v1/models/resolve reads any config.json");
    return PE_UNKNOWN_NAME;
}

/* ---- layers --------------------------------------------------------------------------- */

const char *models_layer_type(const struct model *model, int64_t layer)
{
    return model->pattern_len > 0 ? model->pattern[(uint64_t)layer % model->pattern_len] : NULL;
}

bool models_use_is_of(const struct model_use *use, const struct pe_encoding *enc)
{
    static const char apply[] = "/apply";
    const char *name = pe_name(enc);
    size_t len = use->encoding ? strlen(use->encoding) : 0;

    return len > 0 && strncmp(name, use->encoding, len) == 0 &&
           (name[len] == '\0' || strcmp(name + len, apply) == 0);
}

/* Writes "sliding_attention or full_attention": the layer types of the uses of the encoding. */
static void print_types(const struct model *model, const struct pe_encoding *enc, char *text,
                        size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < model->use_count; i++) {
        const struct model_use *use = &model->uses[i];

        if (use->layer_type && (!enc || models_use_is_of(use, enc)) && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " or " : "",
                                     use->layer_type);
    }
}

static bool has_type(const struct model *model, const char *type)
{
    for (size_t i = 0; i < model->use_count; i++)
        if (model->uses[i].layer_type && strcmp(model->uses[i].layer_type, type) == 0)
            return true;
    return false;
}

/* Finds the layer type that the client named, by its name or by a layer's number; NULL if the
 * client named none, or all layers are alike. */
static enum pe_status find_type(const struct model *model, const struct models_layer *layer,
                                const char **type, struct pe_errors *errors)
{
    char types[160];

    print_types(model, NULL, types, sizeof types);
    *type = layer->type;
    if (layer->type && layer->index >= 0)
        return pe_fail(errors, PE_CONFLICT, "layer_type",
                       "and layer both choose layers; give one of the two");
    if (layer->type && types[0] == '\0')
        return pe_fail(errors, PE_CONFLICT, "layer_type",
                       "has no effect: all layers of %s are alike; leave it out", model->id);
    if (layer->type && !has_type(model, layer->type))
        return pe_fail(errors, PE_BAD_VALUE, "layer_type", "must be %s for %s; got %.*s", types,
                       model->id, ECHO_MAX, layer->type);
    if (layer->index < 0)
        return PE_OK;
    if (model->layers > 0 && layer->index >= model->layers)
        return pe_fail(errors, PE_OUT_OF_RANGE, "layer",
                       "must be 0..%" PRId64 ", a layer of %s; got %" PRId64, model->layers - 1,
                       model->id, layer->index);
    *type = models_layer_type(model, layer->index);
    if (!*type && types[0] != '\0')
        return pe_fail(errors, PE_CONFLICT, "layer",
                       "of %s is of no known type; give layer_type=%s", model->id, types);
    return PE_OK;
}

/* ---- the use for an encoding ------------------------------------------------------------ */

static bool fits(const struct model_use *use, const struct pe_encoding *enc, const char *type)
{
    return models_use_is_of(use, enc) &&
           (!type || !use->layer_type || strcmp(use->layer_type, type) == 0);
}

/* Refuses the encoding: the model has another one, or none in these layers. */
static void refuse_encoding(const struct model *model, const struct pe_encoding *enc,
                            const char *type, struct pe_errors *errors)
{
    const char *other = NULL;
    bool in_other_layers = false;

    for (size_t i = 0; i < model->use_count; i++) {
        in_other_layers |= models_use_is_of(&model->uses[i], enc);
        other = !other ? model->uses[i].encoding : other;
    }
    if (in_other_layers)
        pe_fail(errors, PE_CONFLICT, "layer_type", "%s of %s has no %s", type, model->id,
                pe_name(enc));
    else
        pe_fail(errors, PE_CONFLICT, "model", "%s has no %s%s%s%s", model->id, pe_name(enc),
                other ? "; ask for /v1/" : "", other ? other : "",
                other ? ", which it has" : "");
}

const struct model_use *models_choose(const struct model *model, const struct pe_encoding *enc,
                                      const struct models_layer *layer,
                                      struct pe_errors *errors)
{
    const struct model_use *found = NULL;
    const char *type = NULL;
    size_t count = 0;
    char types[160];

    if (find_type(model, layer, &type, errors) != PE_OK)
        return NULL;
    for (size_t i = 0; i < model->use_count; i++) {
        if (fits(&model->uses[i], enc, type)) {
            found = &model->uses[i];
            count++;
        }
    }
    if (count == 0) {
        refuse_encoding(model, enc, type, errors);
    } else if (count > 1) {
        print_types(model, enc, types, sizeof types);
        pe_fail(errors, PE_MISSING_PARAMETER, "layer_type",
                "is required: layers of %s differ; give layer_type=%s, or layer", model->id,
                types);
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

enum pe_status models_apply(const struct model_use *use, struct pe_args *args,
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
