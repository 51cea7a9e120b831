/* SPDX-License-Identifier: Apache-2.0
 * inference_model.c - see inference_model.h. No encoding has a dot in its name, and no model
 * begins with "apply", so that a name has one meaning. */
#include "proto/inference/inference_model.h"

#include <stdio.h>
#include <string.h>

#include "proto/models/model_use.h"
#include "proto/text/word.h"

static const char apply[] = "apply";

enum { ECHO_MAX = 60, NAME_SIZE = 64, SUGGESTIONS_MAX = 256 };

static bool uses(const struct model *model, const struct pe_encoding *enc)
{
    for (size_t i = 0; i < model->use_count; i++)
        if (model_use_is_about(&model->uses[i], enc))
            return true;
    return false;
}

static int cut(size_t len)
{
    return (int)(len < ECHO_MAX ? len : ECHO_MAX);
}

/* Finds the encoding that the name begins with; *rest becomes the text behind its dot, NULL
 * where there is none. */
static const struct pe_encoding *find_encoding(const char *name, size_t len, const char **rest)
{
    const char *end = name + len, *dot = memchr(name, '.', len);
    size_t first = dot ? (size_t)(dot - name) : len;
    char path[NAME_SIZE];

    *rest = dot ? dot + 1 : NULL;
    if (memchr(name, '/', first))
        return NULL;
    if (!dot)
        return pe_find(name, first);
    const char *second = memchr(*rest, '.', (size_t)(end - *rest));
    if (!word_is(apply, *rest, (size_t)((second ? second : end) - *rest)))
        return pe_find(name, first);
    *rest = second ? second + 1 : NULL;
    if (first + sizeof apply + 1 > sizeof path)
        return NULL;
    int path_len = snprintf(path, sizeof path, "%.*s/%s", (int)first, name, apply);
    return pe_find(path, (size_t)path_len);
}

/* Writes an encoding's name with the dots of a model's. */
static const char *dotted(const char *name, char text[NAME_SIZE])
{
    snprintf(text, NAME_SIZE, "%s", name);
    for (char *c = text; *c; c++)
        *c = *c == '/' ? '.' : *c;
    return text;
}

/* Writes that there is no such encoding, and the nearest one. */
static void refuse_encoding(const char *name, size_t len, char *why)
{
    const char *dot = memchr(name, '.', len), *names[SUGGESTIONS_MAX];
    size_t count = 0, first = dot ? (size_t)(dot - name) : len;
    char text[NAME_SIZE];

    for (size_t i = 0; i < pe_count() && count < SUGGESTIONS_MAX; i++)
        names[count++] = pe_name(pe_at(i));
    const char *near = first <= ECHO_MAX ? pe_suggest(name, first, names, count) : NULL;
    snprintf(why, INFERENCE_MODEL_WHY_SIZE, "there is no model %.*s; %s%s%s", cut(len), name,
             near ? "did you mean " : "",
             near ? dotted(near, text) : "POST /v2/repository/index lists all",
             near ? "?" : "");
}

static void refuse_preset(const struct models *models, const struct pe_encoding *enc,
                          const struct model *preset, const char *name, size_t len, char *why)
{
    char near[MODELS_NEAR_TEXT] = "";

    if (!preset)
        models_print_nearest(models, name, len, near, sizeof near);
    if (preset)
        snprintf(why, INFERENCE_MODEL_WHY_SIZE,
                 "%s has no %s; POST /v2/repository/index lists "
                 "all models",
                 preset->id, pe_name(enc));
    else
        snprintf(why, INFERENCE_MODEL_WHY_SIZE, "there is no %.*s for %s; %s%s%s", cut(len),
                 name, pe_name(enc), *near ? "did you mean " : "",
                 *near ? near : "POST /v2/repository/index lists all models", *near ? "?" : "");
}

/* A version is the revision of the encoding. */
static bool has_version(const struct pe_encoding *enc, const char *version, size_t len)
{
    char text[16];

    snprintf(text, sizeof text, "%u", pe_revision(enc));
    return !version || word_is(text, version, len);
}

bool inference_model_find(struct inference_model *found, const struct models *models,
                          const char *name, size_t len, const char *version, size_t version_len,
                          char why[INFERENCE_MODEL_WHY_SIZE])
{
    const char *rest;

    *found = (struct inference_model){.enc = find_encoding(name, len, &rest)};
    if (!found->enc) {
        refuse_encoding(name, len, why);
        return false;
    }
    if (rest) {
        size_t rest_len = (size_t)(name + len - rest);

        if (rest_len == 0) {
            refuse_encoding(name, len, why);
            return false;
        }
        found->preset = models_find(models, rest, rest_len);
        if (!found->preset || !uses(found->preset, found->enc)) {
            refuse_preset(models, found->enc, found->preset, rest, rest_len, why);
            return false;
        }
    }
    if (has_version(found->enc, version, version_len))
        return true;
    found->other_version = true;
    snprintf(why, INFERENCE_MODEL_WHY_SIZE, "the version of %.*s must be %u; got %.*s",
             cut(len), name, pe_revision(found->enc), cut(version_len), version);
    return false;
}

void inference_model_write_name(struct buffer *out, const struct inference_model *model)
{
    for (const char *at = pe_name(model->enc); *at; at++)
        buffer_add(out, *at == '/' ? "." : at, 1);
    if (model->preset) {
        buffer_add_text(out, ".");
        buffer_add_text(out, model->preset->id);
    }
}

bool inference_model_next(struct inference_model_walk *walk, const struct models *models,
                          struct inference_model *model)
{
    for (; walk->encoding < pe_count(); walk->encoding++, walk->preset = 0) {
        model->enc = pe_at(walk->encoding);
        while (walk->preset <= models_count(models)) {
            size_t i = walk->preset++;

            model->preset = i == 0 ? NULL : models_at(models, i - 1);
            if (i == 0 || uses(model->preset, model->enc))
                return true;
        }
    }
    return false;
}
