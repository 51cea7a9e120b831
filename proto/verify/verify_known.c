/* SPDX-License-Identifier: Apache-2.0
 * verify_known.c - see verify_known.h. A query is the settings of a use. */
#include "proto/verify/verify_known.h"

#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"

static size_t count_uses(const struct models *models)
{
    size_t count = 0;

    for (size_t i = 0; i < models_count(models); i++)
        count += models_at(models, i)->use_count;
    return count;
}

/* Adds the settings of a use as a query with its NUL. */
static void add_query(struct buffer *text, const struct model_use *use)
{
    for (size_t i = 0; i < use->count; i++)
        buffer_add_format(text, "%s%s=%s", i > 0 ? "&" : "", use->settings[i].name,
                          use->settings[i].text);
    buffer_add(text, "", 1);
}

/* Lists the uses; the queries are added to the text, and are found in it later. */
static void add_model(struct verify_known *known, const struct model *model,
                      struct buffer *text)
{
    for (size_t i = 0; i < model->use_count; i++) {
        const struct model_use *use = &model->uses[i];
        const struct pe_encoding *enc =
            use->encoding ? pe_find(use->encoding, strlen(use->encoding)) : NULL;

        if (!enc || pe_family_of(enc) == PE_MASK || pe_family_of(enc) == PE_INDEX)
            continue; /* these say little of a model */
        known->uses[known->count] = use;
        known->at[known->count++] = (struct pe_verify_known){.name = model->id, .enc = enc};
        add_query(text, use);
    }
}

/* Compares models: the more downloaded one is first, and of the same number the one whose id
 * is. */
static int compare_use(const void *one, const void *other)
{
    const struct model *a = *(const struct model *const *)one;
    const struct model *b = *(const struct model *const *)other;

    if (a->downloads != b->downloads)
        return a->downloads > b->downloads ? -1 : 1;
    return strcmp(a->id, b->id);
}

/* Adds the models, the most used first; false when out of memory. */
static bool add_models(struct verify_known *known, const struct models *models,
                       struct buffer *text)
{
    const size_t count = models_count(models);
    const struct model **sorted = calloc(count + 1, sizeof(const struct model *));

    for (size_t i = 0; sorted && i < count; i++)
        sorted[i] = models_at(models, i);
    if (sorted)
        qsort(sorted, count, sizeof(const struct model *), compare_use);
    for (size_t i = 0; sorted && i < count; i++)
        add_model(known, sorted[i], text);
    const bool added = sorted != NULL;
    free(sorted);
    return added;
}

bool verify_known_init(struct verify_known *known, const struct models *models)
{
    size_t most = count_uses(models), len;
    struct buffer text = {0};

    *known = (struct verify_known){.count = 0};
    known->at = calloc(most + 1, sizeof *known->at);
    known->uses = calloc(most + 1, sizeof *known->uses);
    const bool added = known->at && known->uses && add_models(known, models, &text);
    buffer_add(&text, "", 1); /* so that there is a text without models */
    known->text = buffer_take(&text, &len);
    if (!added || !known->text) {
        verify_known_fini(known);
        return false;
    }
    const char *query = known->text;
    for (size_t i = 0; i < known->count; i++, query += strlen(query) + 1)
        known->at[i].query = query;
    return true;
}

void verify_known_fini(struct verify_known *known)
{
    free(known->at);
    free(known->uses);
    free(known->text);
    *known = (struct verify_known){.count = 0};
}
