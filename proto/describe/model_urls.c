/* SPDX-License-Identifier: Apache-2.0
 * model_urls.c - see model_urls.h. A query has the settings that its output uses, and a few
 * positions, which a client will change. */
#include "proto/describe/model_urls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEW "16" /* positions in a URL that is only an example */

const struct pe_encoding *model_urls_encoding(const struct model_use *use)
{
    return !use->encoding ? NULL : pe_find(use->encoding, strlen(use->encoding));
}

static const char *setting(const struct model_use *use, const char *name)
{
    for (size_t i = 0; i < use->count; i++)
        if (strcmp(use->settings[i].name, name) == 0)
            return use->settings[i].text;
    return NULL;
}

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

/* Returns whether the parameter is required, whatever the others are. */
static bool is_required(const struct pe_param *param)
{
    return param->required && !param->when;
}

/* Adds positions, or a length, which a request needs besides the settings. */
static void add_positions(struct buffer *query, const struct pe_encoding *enc,
                          const struct pe_output *wanted)
{
    static const char *const grids[][2] = {{"grid", "4x4"}, {"grid_thw", "1,4,4"}};
    size_t count;
    const struct pe_param *param = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++) {
        bool len = strcmp(param[i].name, "len") == 0;

        for (size_t j = 0; j < sizeof grids / sizeof grids[0]; j++)
            if (strcmp(param[i].name, grids[j][0]) == 0 && is_required(&param[i]) &&
                is_used(enc, wanted, grids[j][0]))
                add(query, grids[j][0], grids[j][1]);
        bool pos = param[i].type == PE_POSITIONS &&
                   (is_required(&param[i]) || strcmp(param[i].name, "pos") == 0);
        if ((len || pos) && is_used(enc, wanted, param[i].name))
            add(query, param[i].name, len ? FEW : "0:" FEW);
    }
}

/* Lists what the model leaves open: the list of LongRoPE, the length of dynamic scaling. */
static size_t choices(const struct model_use *use, const char *names[2], char texts[2][32])
{
    const char *scaling = setting(use, "scaling");
    const char *trained = setting(use, "max_position_embeddings");
    const char *factor = setting(use, "factor");

    if (scaling && strcmp(scaling, "longrope") == 0 && !setting(use, "longrope_list")) {
        names[0] = names[1] = "longrope_list";
        memcpy(texts[0], "short", sizeof "short");
        memcpy(texts[1], "long", sizeof "long");
        return 2;
    }
    names[0] = NULL;
    if (scaling && strcmp(scaling, "dynamic") == 0 && trained && !setting(use, "seq_len")) {
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

static void add_name(struct buffer *query, const struct model *model,
                     const struct model_use *use)
{
    add(query, "model", model->id);
    if (use->layer_type)
        add(query, "layer_type", use->layer_type);
}

/* Lists the default outputs (NULL), then outputs with a model's numbers without positions. */
static size_t outputs_of(const struct pe_encoding *enc, const struct pe_output *wanted[3])
{
    static const char *const names[] = {"inv_freq", "slopes"};
    size_t count, found = 0;
    const struct pe_output *output = pe_outputs(enc, &count);

    wanted[found++] = NULL;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < 2; j++)
            if (!output[i].by_default && strcmp(output[i].name, names[j]) == 0 && found < 3)
                wanted[found++] = &output[i];
    }
    return found;
}

size_t model_urls(const struct model_use *use, const struct model *named,
                  struct buffer queries[MODEL_URLS_MAX])
{
    const struct pe_encoding *enc = model_urls_encoding(use);
    const struct pe_output *wanted[3];
    const char *names[2] = {NULL, NULL};
    char texts[2][32] = {"", ""};
    size_t outputs = outputs_of(enc, wanted), ways = choices(use, names, texts), count = 0;

    for (size_t i = 0; i < outputs; i++) {
        for (size_t j = 0; j < ways; j++) {
            struct buffer *query = &queries[count++];

            if (named)
                add_name(query, named, use);
            else
                add_settings(query, use, enc, wanted[i]);
            if (names[j] && find_param(enc, names[j]))
                add(query, names[j], texts[j]);
            add_positions(query, enc, wanted[i]);
            if (wanted[i])
                add(query, "out", wanted[i]->name);
        }
    }
    return count;
}

void model_urls_query(const struct model_use *use, struct buffer *query)
{
    struct buffer queries[MODEL_URLS_MAX] = {{0}};
    size_t count = model_urls(use, NULL, queries);

    *query = queries[0];
    for (size_t i = 1; i < count; i++)
        buffer_fini(&queries[i]);
}
