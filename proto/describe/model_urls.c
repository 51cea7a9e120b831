/* SPDX-License-Identifier: Apache-2.0
 * model_urls.c - see model_urls.h. A query has the settings that its output uses, and a few
 * positions, which a client will change. */
#include "proto/describe/model_urls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/when_clause.h"
#include "proto/models/model_output.h"
#include "proto/models/model_use.h"
#include "proto/models/param_set.h"

/* Returns whether the wanted output (NULL: any default output) uses the parameter. */
static bool is_used(const struct pe_encoding *enc, const struct pe_output *wanted,
                    const char *name)
{
    size_t count;
    const struct pe_output *output = pe_outputs(enc, &count);

    if (wanted)
        return pe_output_uses(wanted, name);
    for (size_t i = 0; i < count; i++)
        if (output[i].by_default && pe_output_uses(&output[i], name))
            return true;
    return false;
}

static const struct pe_output *first_default(const struct pe_encoding *enc)
{
    size_t count, i = 0;
    const struct pe_output *output = pe_outputs(enc, &count);

    while (i + 1 < count && !output[i].by_default)
        i++;
    return &output[i];
}

static const struct pe_param *find_param(const struct pe_encoding *enc, const char *name)
{
    size_t count;
    const struct pe_param *param = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(param[i].name, name) == 0)
            return &param[i];
    return NULL;
}

static void add(struct buffer *query, const char *name, const char *text)
{
    static const char unescaped[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789-._~,:";

    buffer_add_format(query, "%s%s=", query->len > 0 ? "&" : "", name);
    while (*text != '\0') {
        size_t len = strspn(text, unescaped);

        buffer_add(query, text, len);
        text += len;
        if (*text != '\0')
            buffer_add_format(query, "%%%02X", (unsigned)(unsigned char)*text++);
    }
}

/* Returns whether the query has the parameter already. */
static bool is_given(const struct buffer *query, const struct model_use *use, const char *name)
{
    size_t len = strlen(name);

    for (const char *at = query->bytes; at && !query->failed; at = strchr(at, '&')) {
        at += *at == '&';
        if (strncmp(at, name, len) == 0 && at[len] == '=')
            return true;
    }
    return model_output_setting(use, name) != NULL;
}

/* Adds an example of the first parameter of a set that has one, unless the query has one of the
 * set. */
static void add_set(struct buffer *query, const struct model_use *use,
                    const struct param_set *set)
{
    size_t first = set->count;

    for (size_t i = set->count; i-- > 0;) {
        if (is_given(query, use, set->at[i]->name))
            return;
        if (model_output_example(set->at[i]))
            first = i;
    }
    if (first < set->count)
        add(query, set->at[first]->name, model_output_example(set->at[first]));
}

/* Adds positions, a length or a grid, which a request needs besides the settings. */
static void add_positions(struct buffer *query, const struct model_use *use,
                          const struct pe_encoding *enc, const struct pe_output *wanted)
{
    size_t count;
    const struct pe_param *param = pe_params(enc, &count);
    const char *sets = wanted ? wanted->one_of : first_default(enc)->one_of;
    struct param_set set;

    for (size_t i = 0; i < count; i++) {
        const char *example = model_output_example(&param[i]);
        const char *when = param[i].when;
        struct when_clause clause;
        bool stands_for = when_clause_next(&when, &clause) && clause.negated; /* as grid does */
        bool asked = (param[i].required && !param[i].when) ||
                     strcmp(param[i].name, "pos") == 0 || strcmp(param[i].name, "len") == 0 ||
                     (stands_for && strcmp(param[i].name, "grid") == 0);

        if (example && asked && is_used(enc, wanted, param[i].name) &&
            !is_given(query, use, param[i].name))
            add(query, param[i].name, example);
    }
    while (param_set_next(enc, &sets, &set))
        add_set(query, use, &set);
}

/* Lists what the model leaves open: the list of LongRoPE, the length of dynamic scaling. */
static size_t choices(const struct model_use *use, const char *names[2], char texts[2][32])
{
    const char *scaling = model_output_setting(use, "scaling");
    const char *trained = model_output_setting(use, "max_position_embeddings");
    const char *factor = model_output_setting(use, "factor");

    if (scaling && strcmp(scaling, "longrope") == 0 &&
        !model_output_setting(use, "longrope_list")) {
        names[0] = names[1] = "longrope_list";
        memcpy(texts[0], "short", sizeof "short");
        memcpy(texts[1], "long", sizeof "long");
        return 2;
    }
    names[0] = NULL;
    if (scaling && strcmp(scaling, "dynamic") == 0 && trained &&
        !model_output_setting(use, "seq_len")) {
        double length = strtod(trained, NULL) * (factor ? strtod(factor, NULL) : 1);

        names[0] = "seq_len";
        snprintf(texts[0], sizeof texts[0], "%.0f", length <= 0x1p53 ? length : 1);
    }
    return 1;
}

static void add_settings(struct buffer *query, const struct model_use *use,
                         const struct pe_encoding *enc, const struct pe_output *wanted)
{
    for (size_t i = 0; i < use->count; i++)
        if (is_used(enc, wanted, use->settings[i].name))
            add(query, use->settings[i].name, use->settings[i].text);
}

/* Adds the model, and the group of layers unless all of the model's layers are alike, or it has
 * the encoding in this group alone. */
static void add_name(struct buffer *query, const struct model *model,
                     const struct model_use *use)
{
    bool several = use->layer_type != NULL;

    add(query, "model", model->id);
    for (size_t i = 0; i < model->use_count; i++)
        several |= &model->uses[i] != use && model->uses[i].encoding &&
                   strcmp(model->uses[i].encoding, use->encoding) == 0;
    if (several)
        add(query, "layer_type", model_use_group(use));
}

/* Returns whether the model has all that the outputs need but positions: the wanted one, or
 * (NULL) each default output. */
static bool is_whole(const struct model_use *use, const struct pe_encoding *enc,
                     const struct pe_output *wanted)
{
    const char *needs[MODEL_OUTPUT_NEEDS_MAX];
    size_t count;
    const struct pe_output *output = pe_outputs(enc, &count);
    bool whole = true;

    for (size_t i = 0; i < count; i++)
        if (wanted ? &output[i] == wanted : output[i].by_default)
            whole &= model_output_needs(use, enc, &output[i], needs) == 0;
    return whole;
}

/* Lists the default outputs (NULL), then outputs with a model's numbers without positions,
 * or with the numbers of a client's rows; those alone for which the client need bring
 * nothing. */
static size_t outputs_of(const struct model_use *use, const struct pe_encoding *enc,
                         const struct pe_output *wanted[3])
{
    static const char *const names[] = {"inv_freq", "slopes", "index"};
    size_t count, found = 0;
    const struct pe_output *output = pe_outputs(enc, &count);

    if (is_whole(use, enc, NULL))
        wanted[found++] = NULL;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < sizeof names / sizeof *names; j++)
            if (!output[i].by_default && strcmp(output[i].name, names[j]) == 0 && found < 3 &&
                is_whole(use, enc, &output[i]))
                wanted[found++] = &output[i];
    }
    return found;
}

size_t model_urls(const struct model_use *use, const struct model *named,
                  struct buffer queries[MODEL_URLS_MAX])
{
    const struct pe_encoding *enc = model_output_encoding(use);
    const struct pe_output *wanted[3];
    const char *names[2] = {NULL, NULL};
    char texts[2][32] = {"", ""};
    size_t outputs = outputs_of(use, enc, wanted), ways = choices(use, names, texts), count = 0;

    for (size_t i = 0; i < outputs; i++) {
        for (size_t j = 0; j < ways; j++) {
            struct buffer *query = &queries[count++];

            if (named)
                add_name(query, named, use);
            else
                add_settings(query, use, enc, wanted[i]);
            if (names[j] && find_param(enc, names[j]))
                add(query, names[j], texts[j]);
            add_positions(query, use, enc, wanted[i]);
            if (wanted[i])
                add(query, "out", wanted[i]->name);
        }
    }
    return count;
}

void model_urls_query(const struct model_use *use, struct buffer *query)
{
    struct buffer queries[MODEL_URLS_MAX] = {{0}};
    const struct pe_encoding *enc = model_output_encoding(use);
    const size_t count = model_urls(use, NULL, queries);
    const bool whole = count > 0 && is_whole(use, enc, NULL);

    if (whole)
        *query = queries[0];
    else
        add_settings(query, use, enc, NULL);
    for (size_t i = whole; i < count; i++)
        buffer_fini(&queries[i]);
}
