/* SPDX-License-Identifier: Apache-2.0
 * configs.c - see configs.h; and rows "config {...}" (proto_row.h), whose claims are
 *
 *     uses: full_attention: rope?dim=64&mrope_section=[3]; ...    lists as their lengths
 *     besides: #/sliding_window - sliding-window-mask?window=64; ...   from, layer type, use
 *     left out: sliding_attention: sentence | ...   what layers, or parts, do besides
 *     parts: text #/text_config | vision #/vision_config: what is left out | ...
 *     layers: full_attention conv conv    one period of the layer types
 *     count: 24                           the number of layers, 0 if it is not said
 *     notes: sentence | sentence          or "none"
 *     refused: #/rope_theta must be a number
 *
 * and rows "family gemma": what its code takes for an absent key, and its pairing
 *
 *     default head_dim: 256
 *     pairing: half */
#include "tests/proto/support/configs.h"

#include <check.h>
#include <string.h>

#include "proto/models/hf/hf_class.h"
#include "proto/models/hf/hf_config.h"
#include "proto/verify/verify_body.h"
#include "tests/proto/support/proto_row.h"

struct json_body *configs_parse(const char *text)
{
    struct json_body *body = hf_config_body(1 << 20);

    ck_assert_ptr_nonnull(body);
    json_body_add(body, text, strlen(text));
    ck_assert_msg(json_body_finish(body) == JSON_BODY_OK, "%s: %s", text,
                  json_body_error(body));
    return body;
}

/* Reads the configuration as all of a body, or as a member of one with tensors. */
static struct hf_config *read_config(const char *text, bool member, struct pe_errors *errors)
{
    struct json_body *body = member ? verify_body_new(1 << 20) : configs_parse(text);
    struct json_body_value object;

    if (member) {
        json_body_add(body, "{\"config\":", strlen("{\"config\":"));
        json_body_add(body, text, strlen(text));
        json_body_add(body, "}", 1);
        ck_assert_msg(json_body_finish(body) == JSON_BODY_OK, "%s: %s", text,
                      json_body_error(body));
        ck_assert(json_body_find(body, NULL, "config", &object));
        object.base = object.depth; /* pointers are those of the configuration */
    }
    struct hf_config *config = hf_config_read(body, member ? &object : NULL, "name", errors);
    json_body_free(body); /* the result borrows nothing from it */
    return config;
}

/* Returns the configuration; or NULL, with the problems written. */
static struct hf_config *config_of(struct buffer *out, const char *text, bool member)
{
    struct pe_errors errors = {0};
    struct hf_config *config = read_config(text, member, &errors);

    if (!config)
        proto_row_write_errors(out, &errors);
    else
        ck_assert_str_eq(hf_config_model(config)->id, "name");
    return config;
}

static void write_use(struct buffer *out, const struct model_use *use, bool list_lengths)
{
    buffer_add_text(out, use->encoding ? use->encoding : "-");
    for (size_t i = 0; i < use->count; i++) {
        const char *value = use->settings[i].text;
        size_t commas = 0;

        for (const char *at = value; *at != '\0'; at++)
            commas += *at == ',';
        buffer_add_format(out, "%c%s=", i == 0 ? '?' : '&', use->settings[i].name);
        if (list_lengths && commas > 0)
            buffer_add_format(out, "[%zu]", commas + 1);
        else
            buffer_add_text(out, value);
    }
}

static void write_uses(struct buffer *out, const struct hf_config *config)
{
    const struct model *model = hf_config_model(config);

    for (size_t i = 0; i < model->use_count; i++) {
        const struct model_use *use = &model->uses[i];

        buffer_add_format(out, "%s%s%s", i == 0 ? "" : "; ",
                          use->layer_type ? use->layer_type : "", use->layer_type ? ": " : "");
        write_use(out, use, true);
    }
}

static void write_besides(struct buffer *out, const struct hf_config *config)
{
    const struct model *model = hf_config_model(config);

    for (size_t i = 0; i < model->beside_count; i++) {
        const struct model_use *use = model->besides[i].use;

        buffer_add_format(out, "%s%s %s ", i == 0 ? "" : "; ", model->besides[i].from,
                          use->layer_type ? use->layer_type : "-");
        write_use(out, use, false);
    }
    if (model->beside_count == 0)
        buffer_add_text(out, "none");
}

static void write_layers(struct buffer *out, const struct hf_config *config)
{
    const struct model *model = hf_config_model(config);

    for (size_t i = 0; i < model->pattern_len; i++)
        buffer_add_format(out, "%s%s", i == 0 ? "" : " ", model->pattern[i]);
    if (model->pattern_len == 0)
        buffer_add_text(out, "none");
}

static void write_count(struct buffer *out, const struct hf_config *config)
{
    buffer_add_format(out, "%lld", (long long)hf_config_model(config)->layers);
}

static void write_notes(struct buffer *out, const struct hf_config *config)
{
    size_t count;
    const char *const *notes = hf_config_notes(config, &count);

    for (size_t i = 0; i < count; i++)
        buffer_add_format(out, "%s%s", i == 0 ? "" : " | ", notes[i]);
    if (count == 0)
        buffer_add_text(out, "none");
}

static void write_left_out(struct buffer *out, const struct hf_config *config)
{
    const struct model *model = hf_config_model(config);
    const size_t before = out->len;

    for (size_t i = 0; i < model->use_count + model->beside_count; i++) {
        const struct model_use *use =
            i < model->use_count ? &model->uses[i] : model->besides[i - model->use_count].use;

        if (use->left_out)
            buffer_add_format(out, "%s%s: %s", out->len > before ? " | " : "",
                              use->layer_type ? use->layer_type : "-", use->left_out);
    }
    if (out->len == before)
        buffer_add_text(out, "none");
}

static void write_parts(struct buffer *out, const struct hf_config *config)
{
    const struct model *model = hf_config_model(config);

    for (size_t i = 0; i < model->component_count; i++) {
        const struct model_component *part = &model->components[i];

        buffer_add_format(out, "%s%s %s%s%s", i == 0 ? "" : " | ", part->name, part->from,
                          part->left_out ? ": " : "", part->left_out ? part->left_out : "");
    }
    if (model->component_count == 0)
        buffer_add_text(out, "none");
}

static void write_result(struct buffer *out, const char *input,
                         void (*write)(struct buffer *out, const struct hf_config *config))
{
    struct buffer twice = {0};

    for (int member = 0; member < 2; member++) {
        struct buffer *to = member ? &twice : out;
        struct hf_config *config = config_of(to, input, member);

        if (config)
            write(to, config);
        hf_config_free(config);
    }
    ck_assert_msg(out->len == twice.len && memcmp(out->bytes, twice.bytes, out->len) == 0,
                  "as a member of a body %s is read as %.*s", input, (int)twice.len,
                  twice.bytes);
    buffer_fini(&twice);
}

static void uses(struct buffer *out, const char *input, const struct row *row)
{
    write_result(out, input, write_uses);
}

static void besides(struct buffer *out, const char *input, const struct row *row)
{
    write_result(out, input, write_besides);
}

static void count(struct buffer *out, const char *input, const struct row *row)
{
    write_result(out, input, write_count);
}

static void layers(struct buffer *out, const char *input, const struct row *row)
{
    write_result(out, input, write_layers);
}

static void notes(struct buffer *out, const char *input, const struct row *row)
{
    write_result(out, input, write_notes);
}

static void left_out(struct buffer *out, const char *input, const struct row *row)
{
    write_result(out, input, write_left_out);
}

static void parts(struct buffer *out, const char *input, const struct row *row)
{
    write_result(out, input, write_parts);
}

static void write_nothing(struct buffer *out, const struct hf_config *config)
{
    (void)config;
    buffer_add_text(out, "nothing");
}

static void refused(struct buffer *out, const char *input, const struct row *row)
{
    write_result(out, input, write_nothing);
}

static const struct hf_class *class_of(const char *name)
{
    const struct hf_class *row = hf_class_find_rotating(name);

    ck_assert_msg(row != NULL, "%s", name);
    return row;
}

static void pairing(struct buffer *out, const char *input, const struct row *row)
{
    buffer_add_text(out, class_of(input)->pairing == HF_ADJACENT ? "adjacent" : "half");
}

static void absent(struct buffer *out, const char *input, const struct row *row)
{
    double value;

    if (hf_class_default(class_of(input), row->claim + strlen("default "), &value))
        buffer_add_format(out, "%.17g", value);
    else
        buffer_add_text(out, "none");
}

const struct proto_row_kind proto_row_configs[] = {
    {"config", "uses", uses},
    {"config", "besides", besides},
    {"config", "layers", layers},
    {"config", "count", count},
    {"config", "notes", notes},
    {"config", "left out", left_out},
    {"config", "parts", parts},
    {"config", "refused", refused},
    {"class", "pairing", pairing},
    {"class", "default ", absent},
    {NULL, NULL, NULL},
};
