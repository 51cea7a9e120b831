/* SPDX-License-Identifier: Apache-2.0
 * hf_rope.c - the known rope_types with the keys that each reads. An unknown type, or a key of
 * another type, is a problem and never ignored. */
#include "proto/models/hf/hf_rope.h"

#include <math.h>
#include <string.h>

#include "proto/models/hf/hf_sections.h"
#include "proto/models/hf/hf_width.h"

struct rope_type {
    const char *name, *scaling, *variant; /* variant: the scaling_variant, may be NULL */
    const char *const *required, *const *optional;
};

#define YARN_KEYS                                                                              \
    "factor", "original_max_position_embeddings", "beta_fast", "beta_slow", "mscale",          \
        "mscale_all_dim", "attention_factor", "attn_factor", "extrapolation_factor",           \
        "truncate"
#define LONGROPE_KEYS                                                                          \
    "original_max_position_embeddings", "factor", "attention_factor", "short_mscale",          \
        "long_mscale"
#define LLAMA3_KEYS                                                                            \
    "factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"

static const struct rope_type types[] = {
    {"default", "none", NULL, NULL, NULL},
    {"none", "none", NULL, NULL, NULL},
    {"mrope", "none", NULL, NULL, NULL},
    {"xdrope", "dynamic", NULL, NULL, WORDS("factor", "alpha")},
    {"linear", "linear", NULL, WORDS("factor"), NULL},
    {"dynamic", "dynamic", NULL, NULL, WORDS("factor", "alpha")},
    {"ntk", "ntk", NULL, WORDS("factor"), WORDS("mixed_b")},
    {"ntk-aware", "ntk", "aware", WORDS("factor"), NULL},
    {"yarn", "yarn", NULL, NULL, WORDS(YARN_KEYS)},
    {"deepseek_yarn", "deepseek_yarn", NULL, NULL, WORDS(YARN_KEYS)},
    {"longrope", "longrope", NULL, WORDS("short_factor", "long_factor"), WORDS(LONGROPE_KEYS)},
    {"su", "longrope", NULL, WORDS("short_factor", "long_factor"), WORDS(LONGROPE_KEYS)},
    {"llama3", "llama3", NULL, WORDS(LLAMA3_KEYS), NULL},
    {"proportional", "proportional", NULL, NULL, WORDS("factor")},
};
enum { TYPES = sizeof types / sizeof types[0] };

/* Keys that any dictionary may have: other code reads them, or the rotation ignores them. */
static const char *const common[] = {
    "rope_type",         "type",           "rope_theta", "partial_rotary_factor",
    "mrope_section",     "xdrope_section", "finetuned",  "llama_4_scaling_beta",
    "mrope_interleaved", "interleaved",    NULL};

static bool is_among(const char *const *names, const char *name)
{
    while (names && *names && strcmp(*names, name) != 0)
        names++;
    return names && *names;
}

static const struct rope_type *find_type(const char *name)
{
    for (size_t i = 0; i < TYPES; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

/* ---- the type of a dictionary ------------------------------------------------------------ */

static const struct rope_type *read_name(struct hf_reader *reader,
                                         const struct json_body_value *value)
{
    const char *names[TYPES];
    const struct rope_type *type =
        value->kind == JSON_BODY_STRING ? find_type(value->text) : NULL;

    if (value->kind != JSON_BODY_STRING) {
        hf_reader_fail(reader, value, PE_BAD_VALUE, "must be text, as \"yarn\"");
    } else if (!type) {
        for (size_t i = 0; i < TYPES; i++)
            names[i] = types[i].name;
        const char *near = pe_suggest(value->text, value->text_len, names, TYPES);
        hf_reader_fail(reader, value, PE_BAD_VALUE,
                       "\"%.40s\" is no known rope_type; they are default, linear, dynamic, "
                       "ntk, yarn, longrope (su), llama3, proportional, mrope and xdrope",
                       value->text);
        if (near)
            pe_hint(reader->errors, "did you mean %s?", near);
    }
    return type;
}

/* Reads the type of a dictionary; NULL after adding a problem. `type` is the old key: if both
 * are there, they must agree (mrope as the old one only says that there are sections). */
static const struct rope_type *read_type(struct hf_reader *reader,
                                         const struct json_body_value *dict)
{
    struct json_body_value new_key, old_key;
    const struct rope_type *a = &types[0], *b = &types[0];
    bool has_new = hf_reader_find(reader, dict, "rope_type", &new_key);
    bool has_old = hf_reader_find(reader, dict, "type", &old_key);

    if (has_new)
        a = read_name(reader, &new_key);
    if (has_old)
        b = read_name(reader, &old_key);
    if (!a || !b)
        return NULL;
    if (has_new && has_old && strcmp(a->scaling, b->scaling) != 0) {
        hf_reader_fail(reader, &old_key, PE_CONFLICT,
                       "is \"%s\" and rope_type is \"%s\"; make them agree", b->name, a->name);
        return NULL;
    }
    if (!has_new && !has_old) {
        struct json_body_value factor;

        if (hf_reader_find(reader, dict, "factor", &factor)) {
            hf_reader_fail(reader, &factor, PE_MISSING_PARAMETER,
                           "needs a rope_type beside it that says how it scales");
            return NULL;
        }
    }
    return has_new ? a : b;
}

/* Reads Hunyuan's alpha, if it has an effect: Hunyuan's code tests that alpha is there and
 * not 0. */
static bool has_alpha(struct hf_reader *reader, const struct json_body_value *dict,
                      const struct rope_type *type, double *alpha)
{
    return strcmp(type->scaling, "dynamic") == 0 &&
           hf_reader_number(reader, dict, "alpha", alpha) && *alpha > 0;
}

/* Notes the keys that have no effect beside alpha, though Hunyuan's files have many. */
static void note_beside_alpha(struct hf_reader *reader, const struct json_body_value *dict)
{
    struct json_body_value value;

    for (json_body_walk(reader->body, dict, &value); json_body_next(reader->body, &value);) {
        if (value.kind != JSON_BODY_NULL && strcmp(value.name, "alpha") != 0 &&
            !is_among(common, value.name))
            hf_reader_note(reader, "%.60s of %.40s is not read: alpha alone scales", value.name,
                           dict->name);
    }
}

/* Checks that the type reads every member of the dictionary. */
static void check_keys(struct hf_reader *reader, const struct json_body_value *dict,
                       const struct rope_type *type)
{
    struct json_body_value value;

    for (json_body_walk(reader->body, dict, &value); json_body_next(reader->body, &value);) {
        bool known = false;

        for (size_t i = 0; i < TYPES; i++)
            known |= is_among(types[i].required, value.name) ||
                     is_among(types[i].optional, value.name);
        if (value.kind == JSON_BODY_NULL || is_among(common, value.name) ||
            is_among(type->required, value.name) || is_among(type->optional, value.name))
            continue;
        if (known && strcmp(value.name, "original_max_position_embeddings") != 0)
            hf_reader_fail(reader, &value, PE_CONFLICT,
                           "has no effect with rope_type \"%s\"; leave one of them out",
                           type->name);
        else
            hf_reader_note(reader, "%.60s of %.40s is not read", value.name, dict->name);
    }
}

/* ---- the values of a dictionary --------------------------------------------------------- */

static void add_key(struct hf_reader *reader, struct model_use *use,
                    const struct json_body_value *dict, const char *name, bool required)
{
    struct json_body_value value;
    double number;

    if (!hf_reader_find(reader, dict, name, &value)) {
        if (required)
            hf_reader_fail(reader, dict, PE_MISSING_PARAMETER, "must have %s", name);
    } else if (strcmp(name, "short_factor") == 0 || strcmp(name, "long_factor") == 0) {
        hf_sections_add_list(reader, use, name, &value);
    } else if (value.kind == JSON_BODY_BOOL) {
        hf_reader_set(reader, use, name, value.flag ? "1" : "0");
    } else if (strcmp(name, "alpha") != 0 && hf_reader_number(reader, dict, name, &number)) {
        hf_reader_set_number(reader, use, name, number);
    }
}

bool hf_rope_has(const struct model_use *use, const char *name)
{
    for (size_t i = 0; i < use->count; i++)
        if (strcmp(use->settings[i].name, name) == 0)
            return true;
    return false;
}

/* Adds lengths that the type needs from outside the dictionary. */
static void add_lengths(struct hf_reader *reader, struct model_use *use,
                        const struct rope_type *type, const struct hf_base *outside,
                        const struct json_body_value *dict)
{
    bool yarn = strstr(type->scaling, "yarn") != NULL;
    bool longrope = strcmp(type->scaling, "longrope") == 0;
    bool dynamic = strcmp(type->scaling, "dynamic") == 0;
    double inside;
    const double original = outside->original_max_position_embeddings;

    if ((yarn || longrope) && !isnan(original)) {
        if (!hf_rope_has(use, "original_max_position_embeddings")) {
            hf_reader_set_number(reader, use, "original_max_position_embeddings", original);
        } else if (hf_reader_number(reader, dict, "original_max_position_embeddings",
                                    &inside) &&
                   inside != original) {
            hf_reader_fail(reader, dict, PE_CONFLICT,
                           "has original_max_position_embeddings %g, and outside it is %g; "
                           "make them agree",
                           inside, original);
        }
    }
    if (yarn && !hf_rope_has(use, "original_max_position_embeddings") &&
        hf_rope_has(use, "factor") && !isnan(outside->max_position_embeddings)) {
        hf_reader_note(reader, "original_max_position_embeddings is absent: "
                               "max_position_embeddings is taken, as Hugging Face does");
        hf_reader_set_number(reader, use, "original_max_position_embeddings",
                             outside->max_position_embeddings);
    } else if ((dynamic || ((yarn || longrope) && !hf_rope_has(use, "factor"))) &&
               !isnan(outside->max_position_embeddings) &&
               !hf_rope_has(use, "scaling_variant")) {
        hf_reader_set_number(reader, use, "max_position_embeddings",
                             outside->max_position_embeddings);
    }
}

static void add_scaling(struct hf_reader *reader, struct model_use *use,
                        const struct json_body_value *dict, const struct hf_base *outside)
{
    const struct rope_type *type = read_type(reader, dict);
    double alpha;

    if (!type)
        return;
    if (has_alpha(reader, dict, type, &alpha)) {
        note_beside_alpha(reader, dict);
        hf_reader_set(reader, use, "scaling", type->scaling);
        hf_reader_set(reader, use, "scaling_variant", "alpha");
        hf_reader_set_number(reader, use, "factor", alpha);
        return;
    }
    check_keys(reader, dict, type);
    if (strcmp(type->scaling, "none") == 0)
        return;
    hf_reader_set(reader, use, "scaling", type->scaling);
    for (const char *const *key = type->required; key && *key; key++)
        add_key(reader, use, dict, *key, true);
    for (const char *const *key = type->optional; key && *key; key++)
        add_key(reader, use, dict, *key, false);
    if (strcmp(type->name, "ntk") == 0) {
        hf_reader_set(reader, use, "scaling_variant",
                      hf_rope_has(use, "mixed_b") ? "mixed" : "fixed");
        hf_reader_note(reader, "rope_type ntk is read as vLLM reads it (scaling_variant)");
    } else if (type->variant) {
        hf_reader_set(reader, use, "scaling_variant", type->variant);
    }
    add_lengths(reader, use, type, outside, dict);
}

/* Adds the scaling that a flag of the class switches on. */
static void add_flag(struct hf_reader *reader, struct model_use *use)
{
    const struct hf_flag *flag = reader->class ? reader->class->flag : NULL;
    struct json_body_value value;

    if (!flag || !hf_reader_is(reader, flag->flag, true))
        return;
    if (hf_rope_has(use, "scaling")) {
        (void)hf_reader_find(reader, NULL, flag->flag, &value);
        hf_reader_fail(reader, &value, PE_CONFLICT,
                       "scales the rotation, and so does rope_scaling; leave one out");
        return;
    }
    hf_reader_set(reader, use, "scaling", flag->scaling);
    hf_reader_set(reader, use, "scaling_variant", flag->variant);
    hf_reader_set(reader, use, "factor", flag->factor);
}

/* Returns a number of the dictionary or outside it, and checks that they agree; else NaN. */
static double agree(struct hf_reader *reader, const struct json_body_value *dict,
                    const char *name, double outside, bool own)
{
    double inside;
    struct json_body_value value;

    if (!dict || !hf_reader_number(reader, dict, name, &inside))
        return outside;
    if (!own && !isnan(outside) && inside != outside) {
        (void)hf_reader_find(reader, dict, name, &value);
        hf_reader_fail(reader, &value, PE_CONFLICT,
                       "is %g, and %g outside of it; make them agree", inside, outside);
    }
    return inside;
}

/* Returns whether neighbours form a pair: the configuration says so, else the class. */
static bool is_adjacent(struct hf_reader *reader)
{
    static const char *const flags[] = {"rope_interleave", "rotary_emb_interleaved"};
    struct json_body_value value;
    bool adjacent = reader->class && reader->class->pairing == HF_ADJACENT &&
                    !hf_base_is_multi_head(reader);

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (hf_reader_find(reader, NULL, flags[i], &value) && value.kind == JSON_BODY_BOOL)
            adjacent = value.flag;
    return adjacent;
}

struct model_use *hf_rope_add(struct hf_reader *reader, const struct json_body_value *dict,
                              const struct hf_base *outside, const char *layer_type,
                              bool scaled, bool own)
{
    struct model_use *use = hf_reader_use(reader, "rope", layer_type);

    if (!use)
        return NULL;
    double theta = outside->thetas.numbers /* a list per layer comes before one number */
                       ? outside->theta
                       : agree(reader, dict, "rope_theta", outside->theta, own);
    double partial =
        agree(reader, dict, "partial_rotary_factor", outside->partial_rotary_factor, own);
    if (isnan(theta) && !hf_reader_default(reader, "rope_theta", &theta) &&
        !hf_reader_default(reader, "global_rope_theta", &theta)) {
        theta = 10000;
        hf_reader_note(reader, "rope_theta is absent: 10000 is assumed");
    }
    hf_width_set(reader, use, outside, dict, partial);
    hf_reader_set_number(reader, use, "base", theta);
    hf_reader_set(reader, use, "pairing", is_adjacent(reader) ? "adjacent" : "half");
    if (dict && scaled)
        add_scaling(reader, use, dict, outside);
    add_flag(reader, use);
    hf_sections_add(reader, use, scaled ? dict : NULL);
    return use;
}

/* ---- keys that only the first Qwen models have ------------------------------------------- */

static void add_dynamic(struct hf_reader *reader, struct model_use *rope, double length)
{
    struct json_body_value value;

    if (hf_rope_has(rope, "scaling")) {
        bool old = hf_reader_find(reader, NULL, "rope_scaling", &value);

        (void)hf_reader_find(reader, NULL, "use_dynamic_ntk", &value);
        hf_reader_fail(reader, &value, PE_CONFLICT,
                       "scales the rotation, and so does %s; leave one out",
                       old ? "rope_scaling" : "rope_parameters");
        return;
    }
    hf_reader_set(reader, rope, "scaling", "dynamic");
    hf_reader_set(reader, rope, "scaling_variant", "qwen");
    hf_reader_set_number(reader, rope, "max_position_embeddings", length);
}

void hf_rope_add_qwen(struct hf_reader *reader)
{
    double length;
    struct json_body_value value, begin;
    const struct model *model = &reader->config->model;
    bool logn = hf_reader_is(reader, "use_logn_attn", true);
    bool dynamic = hf_reader_is(reader, "use_dynamic_ntk", true);

    if (model->use_count == 0 || (!logn && !dynamic))
        return;
    (void)hf_reader_find(reader, NULL, dynamic ? "use_dynamic_ntk" : "use_logn_attn", &value);
    if (model->use_count > 1) {
        hf_reader_fail(reader, &value, PE_CONFLICT,
                       "is read only where all layers do the same; leave it out");
        return;
    }
    if (!hf_reader_find(reader, NULL, "seq_length", &begin)) {
        hf_reader_fail(reader, &value, PE_MISSING_PARAMETER,
                       "needs seq_length, the length that it begins at");
        return;
    }
    if (!hf_reader_number(reader, NULL, "seq_length", &length))
        return;
    if (dynamic)
        add_dynamic(reader, &reader->config->uses[0], length);
    if (logn) {
        struct model_use *use = hf_reader_use(reader, "logn", NULL);

        hf_reader_set_number(reader, use, "train_len", length);
    }
}
