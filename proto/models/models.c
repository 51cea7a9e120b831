/* SPDX-License-Identifier: Apache-2.0
 * models.c - the embedded models (build/gen/model_rows.h), sets of them with an operator's own
 * models, and their names. */
#include "proto/models/models.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A name of a model, as it is published: an id, an alias, an alias without its organisation. */
struct model_name {
    const char *text;
    const struct model *model;
};

#include "model_rows.h" /* embedded[], and embedded_names[] in order: made from core/models */

enum {
    EMBEDDED = sizeof embedded / sizeof embedded[0],
    EMBEDDED_NAMES = sizeof embedded_names / sizeof embedded_names[0],
    ECHO_MAX = 60,
};

struct models {
    size_t count, name_count;
    const struct model **at; /* NULL: the embedded models and names */
    struct model_name *names;
};

/* ---- sets ----------------------------------------------------------------------------- */

const struct models *models_embedded(void)
{
    static const struct models all = {.count = EMBEDDED, .name_count = EMBEDDED_NAMES};

    return &all;
}

static int compare(const void *a, const void *b)
{
    return strcmp((*(const struct model *const *)a)->id, (*(const struct model *const *)b)->id);
}

static int compare_names(const void *a, const void *b)
{
    return strcasecmp(((const struct model_name *)a)->text,
                      ((const struct model_name *)b)->text);
}

/* The names of a model in turn: its id, then each alias with and without its organisation. NULL
 * after the last one. */
static const char *name_at(const struct model *model, size_t i)
{
    size_t aliases = 0;

    while (model->aliases && model->aliases[aliases])
        aliases++;
    if (i == 0)
        return model->id;
    if ((i - 1) / 2 >= aliases)
        return NULL;
    const char *alias = model->aliases[(i - 1) / 2], *slash = strrchr(alias, '/');

    return i % 2 == 1 || !slash ? alias : slash + 1;
}

static size_t count_names(const struct model *const *more, size_t count)
{
    size_t names = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; name_at(more[i], j); j++)
            names++;
    return names;
}

/* Fills the set, whose memory is large enough, and sorts it. */
static void fill(struct models *models, const struct model *const *more, size_t count)
{
    for (size_t i = 0; i < EMBEDDED; i++)
        models->at[models->count++] = &embedded[i];
    memcpy(models->names, embedded_names, sizeof embedded_names);
    models->name_count = EMBEDDED_NAMES;
    for (size_t i = 0; i < count; i++) {
        models->at[models->count++] = more[i];
        for (size_t j = 0; name_at(more[i], j); j++)
            models->names[models->name_count++] =
                (struct model_name){name_at(more[i], j), more[i]};
    }
    qsort(models->at, models->count, sizeof *models->at, compare);
    qsort(models->names, models->name_count, sizeof *models->names, compare_names);
}

struct models *models_new(const struct model *const *more, size_t count)
{
    struct models *models = calloc(1, sizeof *models);

    if (!models)
        return NULL;
    models->at = calloc(EMBEDDED + count, sizeof *models->at);
    models->names = calloc(EMBEDDED_NAMES + count_names(more, count), sizeof *models->names);
    if (!models->at || !models->names) {
        models_free(models);
        return NULL;
    }
    fill(models, more, count);
    return models;
}

void models_free(struct models *models)
{
    if (models && models != models_embedded()) {
        free(models->at);
        free(models->names);
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

/* ---- names ------------------------------------------------------------------------------ */

static const struct model_name *names_of(const struct models *models)
{
    return models->names ? models->names : embedded_names;
}

const struct model *models_find(const struct models *models, const char *name, size_t len)
{
    const struct model_name *names = names_of(models);
    size_t low = 0, high = models->name_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strncasecmp(name, names[middle].text, len);

        if (order == 0 && names[middle].text[len] == '\0')
            return names[middle].model;
        if (order <= 0)
            high = middle; /* the text begins with the name, or comes after it */
        else
            low = middle + 1;
    }
    return NULL;
}

/* A model, and the edits between a word and the nearest of its names. */
struct near {
    const struct model *model;
    size_t edits;
};

/* Returns the fewest edits between a word and a name of the model, SIZE_MAX if none is near. */
static size_t edits_of(const struct model *model, const char *word, size_t len)
{
    size_t fewest = pe_suggest_edits(word, len, model->id);

    for (const char *const *alias = model->aliases; alias && *alias; alias++) {
        const char *slash = strrchr(*alias, '/');
        size_t edits = pe_suggest_edits(word, len, slash ? slash + 1 : *alias);

        fewest = edits < fewest ? edits : fewest;
    }
    return fewest;
}

static bool is_nearer(const struct near *a, const struct near *b)
{
    return a->edits != b->edits ? a->edits < b->edits
                                : strlen(a->model->id) < strlen(b->model->id);
}

size_t models_nearest(const struct models *models, const char *name, size_t len,
                      const char *ids[MODELS_NEAR])
{
    const char *slash = memrchr(name, '/', len); /* the organisation is left out */
    size_t skip = slash ? (size_t)(slash + 1 - name) : 0, count = 0;
    struct near near[MODELS_NEAR + 1];

    for (size_t i = 0; i < models->count; i++) {
        struct near found = {.model = models_at(models, i)};
        size_t place = count;

        found.edits = edits_of(found.model, name + skip, len - skip);
        if (found.edits == SIZE_MAX)
            continue;
        for (; place > 0 && is_nearer(&found, &near[place - 1]); place--)
            near[place] = near[place - 1];
        near[place] = found;
        count += count < MODELS_NEAR;
    }
    for (size_t i = 0; i < count; i++)
        ids[i] = near[i].model->id;
    return count;
}

void models_print_nearest(const struct models *models, const char *name, size_t len, char *text,
                          size_t size)
{
    const char *ids[MODELS_NEAR];
    size_t count = models_nearest(models, name, len, ids), used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0           ? ""
                                 : i + 1 == count ? " or "
                                                  : ", ",
                                 ids[i]);
}

enum pe_status models_refuse(const struct models *models, const char *name, size_t len,
                             struct pe_errors *errors)
{
    char near[MODELS_NEAR_TEXT];

    models_print_nearest(models, name, len, near, sizeof near);
    pe_fail(errors, PE_UNKNOWN_NAME, "model", "must be one of /v1/models; got %.*s%s",
            (int)(len < ECHO_MAX ? len : ECHO_MAX), name, len > ECHO_MAX ? "..." : "");
    if (near[0] != '\0')
        pe_hint(errors, "did you mean %s?", near);
    else
        pe_hint(errors, "POST /v1/models/resolve reads any config.json");
    return PE_UNKNOWN_NAME;
}

/* ---- search ----------------------------------------------------------------------------- */

static bool has_word(const char *text, const char *word, size_t len)
{
    for (; text && *text != '\0'; text++)
        if (strncasecmp(text, word, len) == 0)
            return true;
    return false;
}

static bool is_about_word(const struct model *model, const char *word, size_t len)
{
    bool found = has_word(model->id, word, len) || has_word(model->name, word, len) ||
                 has_word(model->organisation, word, len) || has_word(model->family, word, len);

    for (const char *const *alias = model->aliases; !found && alias && *alias; alias++)
        found = has_word(*alias, word, len);
    return found;
}

bool models_match(const struct model *model, const char *words)
{
    bool found = true;

    for (words += strspn(words, " "); found && *words != '\0'; words += strspn(words, " ")) {
        size_t len = strcspn(words, " ");

        found = is_about_word(model, words, len);
        words += len;
    }
    return found;
}
