/* SPDX-License-Identifier: Apache-2.0
 * model_page.c - see model_page.h. */
#include "proto/pages/model_page.h"

#include <inttypes.h>
#include <string.h>

#include "proto/describe/model_urls.h"
#include "proto/models/model_output.h"
#include "proto/models/model_use.h"
#include "proto/pages/html.h"

static void add_number(struct buffer *out, int64_t number)
{
    if (number > 0)
        buffer_add_integer(out, (uint64_t)number);
}

/* Writes the layers of a use as ranges: "0-4, 6-10". */
static void add_layers(struct buffer *out, const struct model_use *use,
                       const struct model_stack *stack)
{
    const char *comma = "";

    for (int64_t i = 0, first = -1; i <= stack->layers; i++) {
        bool is = i < stack->layers && model_use_has_layer(use, stack, i);

        if (is && first < 0)
            first = i;
        if (is || first < 0)
            continue;
        buffer_add_text(out, comma);
        buffer_add_integer(out, (uint64_t)first);
        if (i - 1 > first)
            buffer_add_format(out, "–%" PRId64, i - 1);
        comma = ", ";
        first = -1;
    }
}

static void add_settings(struct buffer *out, const struct model_use *use,
                         const struct pe_encoding *enc)
{
    if (use->count == 0)
        return;
    buffer_add_text(out, "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>"
                         "<th scope=\"col\">Parameter</th><th scope=\"col\">Value</th>"
                         "<th scope=\"col\">What it is</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < use->count; i++) {
        const struct model_setting *setting = &use->settings[i];
        const struct pe_param *param = pe_param_find(enc, setting->name, strlen(setting->name));

        html_add(out,
                 "<tr><th scope=\"row\"><code>%s</code></th><td><code>%s</code></td>"
                 "<td>%s</td></tr>\n",
                 setting->name, setting->text, param ? pe_param_summary(param) : "");
    }
    buffer_add_text(out, "</tbody>\n</table></div>\n");
}

/* Writes which tensors of the checkpoint go into which parameters. */
static void add_tensors(struct buffer *out, const struct model_use *use)
{
    for (size_t i = 0; i < use->tensor_count; i++) {
        const struct model_tensor *tensor = &use->tensors[i];

        html_add(out, "<p><code>%s</code> is the checkpoint&#39;s <code>%s</code>",
                 tensor->parameter, tensor->name);
        if (tensor->shape)
            html_add(out, " of %s", tensor->shape);
        if (tensor->layout)
            html_add(out, ", %s", tensor->layout);
        buffer_add_text(out, ".</p>\n");
    }
}

/* Writes which outputs a client's tensors are needed for. Returns their number. */
static size_t add_needs(struct buffer *out, const struct model_use *use,
                        const struct pe_encoding *enc)
{
    const char *names[MODEL_OUTPUT_NEEDS_MAX];
    size_t outputs, written = 0;
    const struct pe_output *output = pe_outputs(enc, &outputs);

    for (size_t i = 0; i < outputs; i++) {
        const size_t count = model_output_meant_needs(use, enc, &output[i], names);

        if (count > 0)
            html_add(out, "<p class=\"needs\">For <code>%s</code> you send ", output[i].name);
        for (size_t j = 0; j < count; j++)
            html_add(out, "%s<code>%s</code>", j > 0 ? ", " : "", names[j]);
        buffer_add_text(out, count > 0 ? " with the request.</p>\n" : "");
        written += count > 0;
    }
    return written;
}

/* Writes what the service answers where a client sends none of these tensors. */
static void add_without(struct buffer *out, const char *base, const struct model_use *use,
                        const struct pe_encoding *enc, const struct buffer *query)
{
    const struct pe_output *outputs[PE_MAX_OUTPUTS];

    if (!query || model_output_tables(use, true, outputs) == 0)
        buffer_add_text(out,
                        "<p class=\"needs\">Without it there is nothing to compute.</p>\n");
    else
        html_add(out,
                 "<p class=\"needs\">Without it the service answers "
                 "<a href=\"%s/explore/%s?%s\"><code>out=%s</code></a>.</p>\n",
                 base, pe_name(enc), query->bytes, outputs[0]->name);
}

/* Writes the lines that ask for the use's numbers. */
static void add_requests(struct buffer *out, const char *base, const struct pe_encoding *enc,
                         const struct buffer *queries, size_t count)
{
    buffer_add_text(out, "<pre class=\"shell\" tabindex=\"0\">");
    for (size_t i = 0; i < count && !queries[i].failed; i++)
        html_add(out, "curl -s &#39;localhost:8080%s/v1/%s?%s&#39;\n", base, pe_name(enc),
                 queries[i].bytes);
    buffer_add_text(out, "</pre>\n");
}

static void add_computed(struct buffer *out, const char *base, const struct model_use *use,
                         const struct model *named)
{
    const struct pe_encoding *enc = model_output_encoding(use);
    struct buffer queries[MODEL_URLS_MAX] = {{0}};
    size_t count = model_urls(use, named, queries);

    html_add(out, "<p><a href=\"%s/docs/%s\">%s</a>", base, pe_name(enc), pe_title(enc));
    if (count > 0 && !queries[0].failed)
        html_add(out, " · <a class=\"to-explorer\" href=\"%s/explore/%s?%s\">Explore it</a>",
                 base, pe_name(enc), queries[0].bytes);
    buffer_add_text(out, "</p>\n");
    add_settings(out, use, enc);
    add_tensors(out, use);
    if (add_needs(out, use, enc) > 0)
        add_without(out, base, use, enc, count > 0 && !queries[0].failed ? &queries[0] : NULL);
    if (count > 0)
        add_requests(out, base, enc, queries, count);
    for (size_t i = 0; i < count; i++) {
        if (queries[i].failed)
            buffer_fail(out);
        buffer_fini(&queries[i]);
    }
}

/* Writes a use. from: the key of the configuration that names it beside the uses; NULL: a use
 * of the model's layers. */
static void add_use(struct buffer *out, const char *base, const struct model *model,
                    const struct model_use *use, const char *from)
{
    struct model_stack stack;

    buffer_add_text(out, "<section class=\"use\">\n<h2>");
    if (from)
        html_add(out, "<code>%s</code>", from);
    else
        html_add(out, "%s", use->layer_type ? use->layer_type : "Every layer");
    html_add(out, ": <code>%s</code></h2>\n", use->encoding ? use->encoding : "none");
    if (!from && model_use_stack(model, use, &stack)) {
        buffer_add_text(out, "<p class=\"layers\">Layers ");
        add_layers(out, use, &stack);
        buffer_add_text(out, "</p>\n");
    }
    if (use->note)
        html_add(out, "<p>%s</p>\n", use->note);
    if (use->left_out)
        html_add(out, "<p>Left out: %s.</p>\n", use->left_out);
    if (!use->encoding && !use->left_out)
        buffer_add_text(out, "<p>These layers have no positional encoding.</p>\n");
    if (model_output_encoding(use))
        add_computed(out, base, use, from ? NULL : model);
    buffer_add_text(out, "</section>\n");
}

static void add_fact(struct buffer *out, const char *name, int64_t number)
{
    if (number <= 0)
        return;
    html_add(out, "<dt>%s</dt><dd>", name);
    add_number(out, number);
    buffer_add_text(out, "</dd>\n");
}

static void add_facts(struct buffer *out, const struct model *model)
{
    html_add(out,
             "<dl class=\"facts\">\n<dt>Name in requests</dt><dd><code>model=%s</code></dd>\n",
             model->id);
    if (model->organisation)
        html_add(out, "<dt>Organisation</dt><dd>%s</dd>\n", model->organisation);
    if (model->family)
        html_add(out, "<dt>Family</dt><dd>%s</dd>\n", model->family);
    add_fact(out, "Context, in tokens", model->max_position_embeddings);
    add_fact(out, "Layers", model->layers);
    if (model->aliases && model->aliases[0])
        buffer_add_text(out, "<dt>Also known as</dt>");
    for (size_t i = 0; model->aliases && model->aliases[i]; i++)
        html_add(out, "<dd><code>%s</code></dd>\n", model->aliases[i]);
    buffer_add_text(out, "</dl>\n");
}

/* Writes a source as a link to the version of the file. */
static void add_source(struct buffer *out, const struct model_source *source)
{
    html_add(out, "<a href=\"%s\">%s</a>", source->repository, source->repository);
    if (source->path)
        html_add(out, ", <code>%s</code>", source->path);
    if (source->commit)
        html_add(out, " at %.*s", 12, source->commit);
}

static void add_fact_source(struct buffer *out, const char *of, const char *fact,
                            const struct model_source *source)
{
    html_add(out, "<li>%s%s%s: ", of, fact ? ", " : "", fact ? fact : "");
    add_source(out, source);
    buffer_add_text(out, "</li>\n");
}

static void add_sources(struct buffer *out, const struct model *model)
{
    buffer_add_text(out, "<h2>Sources</h2>\n<ul class=\"sources\">\n");
    if (model->source)
        add_fact_source(out, "Facts", NULL, model->source);
    for (size_t i = 0; i < model->source_count; i++)
        add_fact_source(out, "Facts", model->sources[i].fact, model->sources[i].source);
    for (size_t i = 0; i < model->use_count; i++) {
        const struct model_use *use = &model->uses[i];

        if (use->source && use->source != model->source)
            add_fact_source(out, model_use_group(use), use->encoding, use->source);
        for (size_t j = 0; j < use->source_count; j++)
            add_fact_source(out, use->encoding, use->sources[j].fact, use->sources[j].source);
    }
    buffer_add_text(out, "</ul>\n");
}

/* Returns whether a script draws wavelengths of the model: an encoding of its layers has
 * them. */
static bool is_drawn(const struct model *model)
{
    for (size_t i = 0; i < model->use_count; i++) {
        const struct pe_encoding *enc = model_output_encoding(&model->uses[i]);
        size_t count;
        const struct pe_output *outputs = enc ? pe_outputs(enc, &count) : NULL;

        for (size_t j = 0; outputs && j < count; j++)
            if (strcmp(outputs[j].name, "wavelengths") == 0)
                return true;
    }
    return false;
}

void model_page_write(struct buffer *out, const struct page_frame *frame,
                      const struct model *model)
{
    struct page_frame own = *frame;

    own.title = model->name ? model->name : model->id;
    own.description = "How the model tells positions, layer by layer: its encodings, their "
                      "settings, and the file that each fact is from.";
    own.folder = "/models/";
    own.name = model->id;
    own.kind = "model";
    own.place = PAGE_FRAME_MODELS;
    page_frame_open(out, &own);
    html_add(out,
             "<article>\n<p class=\"crumbs\"><a href=\"%s/models\">Models</a></p>\n"
             "<h1>%s</h1>\n",
             own.base, own.title);
    add_facts(out, model);
    html_add(out, "<section class=\"figures%s\"></section>\n", is_drawn(model) ? " drawn" : "");
    for (size_t i = 0; i < model->use_count; i++)
        add_use(out, own.base, model, &model->uses[i], NULL);
    for (size_t i = 0; i < model->beside_count; i++)
        add_use(out, own.base, model, model->besides[i].use, model->besides[i].from);
    for (size_t i = 0; i < model->component_count; i++)
        if (model->components[i].left_out)
            html_add(out, "<h2>%s</h2>\n<p>Left out: %s.</p>\n", model->components[i].name,
                     model->components[i].left_out);
    if (model->notes)
        html_add(out, "<h2>Notes</h2>\n<p>%s</p>\n", model->notes);
    add_sources(out, model);
    html_add(out, "<p><a href=\"%s/v1/models/%s\">All of this as JSON</a></p>\n</article>\n",
             own.base, model->id);
    page_frame_close(out, &own);
}
