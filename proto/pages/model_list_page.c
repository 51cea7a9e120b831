/* SPDX-License-Identifier: Apache-2.0
 * model_list_page.c - see model_list_page.h. */
#include "proto/pages/model_list_page.h"

#include <stdlib.h>
#include <string.h>

#include "proto/pages/html.h"

static const char *family_of(const struct model *model)
{
    return model->family ? model->family : "other";
}

/* By family; models without one are last. Models of one family are by id. */
static int by_family(const void *a, const void *b)
{
    const struct model *first = *(const struct model *const *)a;
    const struct model *second = *(const struct model *const *)b;
    int order = !first->family - !second->family;

    if (order == 0)
        order = strcmp(family_of(first), family_of(second));
    return order != 0 ? order : strcmp(first->id, second->id);
}

static void add_number(struct buffer *out, int64_t number)
{
    buffer_add_text(out, "</td><td class=\"number\">");
    if (number > 0)
        buffer_add_integer(out, (uint64_t)number);
}

/* Returns whether a use before this one has its encoding. */
static bool is_repeated(const struct model *model, size_t use)
{
    for (size_t i = 0; i < use; i++)
        if (model->uses[i].encoding &&
            strcmp(model->uses[i].encoding, model->uses[use].encoding) == 0)
            return true;
    return false;
}

static void add_encodings(struct buffer *out, const char *base, const struct model *model)
{
    const char *comma = "";

    for (size_t i = 0; i < model->use_count; i++) {
        const char *name = model->uses[i].encoding;

        if (!name || is_repeated(model, i))
            continue;
        html_add(out, "%s<a href=\"%s/docs/%s\"><code>%s</code></a>", comma, base, name, name);
        comma = ", ";
    }
}

static void add_row(struct buffer *out, const char *base, const struct model *model)
{
    html_add(out, "<tr><th scope=\"row\"><a href=\"%s/models/%s\">%s</a></th><td>%s", base,
             model->id, model->name ? model->name : model->id,
             model->organisation ? model->organisation : "");
    add_number(out, model->max_position_embeddings);
    add_number(out, model->layers);
    buffer_add_text(out, "</td><td>");
    add_encodings(out, base, model);
    buffer_add_text(out, "</td></tr>\n");
}

/* Writes the group of a family, whose models are next to each other. */
static void add_group(struct buffer *out, const char *base, const struct model *const *models,
                      size_t count)
{
    html_add(out,
             "<details class=\"group\">\n<summary><b>%s</b> <span>%zu</span></summary>\n"
             "<table class=\"list\">\n<thead><tr><th scope=\"col\">Model</th>"
             "<th scope=\"col\">Organisation</th><th scope=\"col\">Context</th>"
             "<th scope=\"col\">Layers</th><th scope=\"col\">Encodings</th></tr></thead>\n"
             "<tbody>\n",
             family_of(models[0]), count);
    for (size_t i = 0; i < count; i++)
        add_row(out, base, models[i]);
    buffer_add_text(out, "</tbody>\n</table>\n</details>\n");
}

static void add_groups(struct buffer *out, const char *base, const struct models *models)
{
    const size_t count = models_count(models);
    const struct model **sorted = calloc(count, sizeof *sorted);

    if (!sorted) {
        buffer_fail(out);
        return;
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = models_at(models, i);
    qsort(sorted, count, sizeof *sorted, by_family);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count; end++)
            if (strcmp(family_of(sorted[first]), family_of(sorted[end])) != 0)
                break;
        add_group(out, base, sorted + first, end - first);
    }
    free(sorted);
}

void model_list_page_write(struct buffer *out, const struct page_frame *frame,
                           const struct models *models)
{
    static const struct page_frame_lead lead = {
        .title = "Models",
        .name = "models",
        .description =
            "Published models whose positional encodings are known, with the file that "
            "each fact is from."};
    struct page_frame own = *frame;

    page_frame_open_article(out, &own, &lead, "models", PAGE_FRAME_MODELS);
    html_add(out,
             "<div class=\"row narrow\"></div>\n"
             "<p class=\"total\">%zu models, by family.</p>\n<div class=\"groups\">\n",
             models_count(models));
    add_groups(out, own.base, models);
    buffer_add_text(out, "</div>\n");
    page_frame_close_document(out, &own);
}
